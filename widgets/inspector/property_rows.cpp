// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/property_rows.h"

#include "engine/base/error.h"
#include "engine/scenario/parameters.h"
#include "engine/study/study.h"
#include "widgets/canvas/part_mime.h"
#include "widgets/document/document.h"
#include "widgets/glossary/glossary.h"
#include "widgets/inspector/choice_edit.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QCheckBox>
#include <QDrag>
#include <QEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QSlider>
#include <QWidget>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr int kGhostHeight = 26;
constexpr int kGhostIcon = 16;
constexpr int kPadding = 8;
constexpr double kGhostOpacity = 0.85; // text must stay readable over what is below

} // namespace

PropertyDrag::PropertyDrag(const Document& document, std::string path, QWidget* row)
    : QObject(row), m_document(document), m_path(std::move(path)), m_row(row) {
    m_starter = [this](std::unique_ptr<QMimeData> data, const QPixmap& picture) {
        auto* drag = new QDrag(m_row); // deletes itself when the drag ends
        drag->setMimeData(data.release());
        drag->setPixmap(picture);
        drag->setHotSpot({-kPadding, kGhostHeight / 2}); // beside the pointer, not below it
        drag->exec(Qt::CopyAction);
    };
    row->installEventFilter(this);
}

bool PropertyDrag::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::MouseButtonPress: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        m_pressed.reset();
        if (mouse->button() == Qt::LeftButton)
            m_pressed = mouse->globalPosition().toPoint();
        break;
    }
    case QEvent::MouseMove: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (!m_pressed || !mouse->buttons().testFlag(Qt::LeftButton))
            break;
        const auto way = (mouse->globalPosition().toPoint() - *m_pressed).manhattanLength();
        if (way < QApplication::startDragDistance())
            break;
        m_pressed.reset();
        start();
        return true;
    }
    case QEvent::MouseButtonRelease:
        m_pressed.reset();
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

void PropertyDrag::start() {
    QString name;
    try {
        name = QString::fromStdString(engine::axisLabel(m_document.scenario(), m_path));
    } catch (const engine::Error&) {
        return; // the design lost it: the row is about to go
    }
    m_starter(encodeProperty(m_path), ghost(name));
}

QPixmap PropertyDrag::ghost(const QString& text) const {
    const auto& theme = Theme::instance();
    const auto font = theme.font(TextSize::Dense, QFont::Medium);
    const int width = QFontMetrics(font).horizontalAdvance(text) + kGhostIcon + 3 * kPadding;
    const auto ratio = m_row->devicePixelRatioF();
    QPixmap picture((QSizeF(width, kGhostHeight) * ratio).toSize());
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setOpacity(kGhostOpacity);
    painter.setPen(theme.color(ColorRole::Accent));
    painter.setBrush(theme.color(ColorRole::Surface));
    painter.drawRoundedRect(QRectF(0.5, 0.5, width - 1, kGhostHeight - 1), 4, 4);
    painter.setOpacity(1);
    painter.drawPixmap(
        kPadding, (kGhostHeight - kGhostIcon) / 2,
        theme.pixmap(QStringLiteral("sweep"), theme.color(ColorRole::Accent), kGhostIcon, ratio));
    painter.setFont(font);
    painter.setPen(theme.color(ColorRole::Text));
    painter.drawText(QRect(kGhostIcon + 2 * kPadding, 0, width - kGhostIcon - 2 * kPadding, kGhostHeight),
                     Qt::AlignVCenter | Qt::AlignLeft, text);
    return picture;
}

namespace {

constexpr int kNameWidth = 66;
constexpr int kOptionIndent = 18; ///< below the technique's own switch

QHBoxLayout* rowLayout(QWidget* row) {
    auto* layout = makeRow(row, {14, 2, 12, 2}, 6);
    return layout;
}

TextLabel* rowLabel(const QString& text, QWidget* buddy, QWidget* row) {
    auto* label = new TextLabel(TextSize::Dense, ColorRole::Text2, row);
    label->setText(text);
    label->setMinimumWidth(kNameWidth);
    label->setBuddy(buddy);
    return label;
}

QString nextGesture(const QString& stem) {
    static int serial = 0;
    return QStringLiteral("%1:%2").arg(stem).arg(++serial);
}

} // namespace

ChoiceRow::ChoiceRow(Document& document, const std::string& path, QWidget* parent)
    : QWidget(parent), m_field(new ChoiceEdit(document, path, this)) {
    m_field->setFont(Theme::instance().font(TextSize::Dense));
    auto* layout = rowLayout(this);
    auto* label = rowLabel(m_field->accessibleName(), m_field, this);
    label->setCursor(Qt::OpenHandCursor);
    layout->addWidget(label);
    layout->addWidget(m_field, 1);
    new PropertyDrag(document, path, this);
    setTerm(this, path);
}

TextRow::TextRow(const QString& label, Read read, Write write, QWidget* parent)
    : QWidget(parent), m_field(new QLineEdit(this)), m_read(std::move(read)) {
    m_field->setFont(Theme::instance().font(TextSize::Dense));
    m_field->setAccessibleName(label);
    m_field->setMaxLength(200);
    auto* layout = rowLayout(this);
    layout->addWidget(rowLabel(label, m_field, this));
    layout->addWidget(m_field, 1);
    setTerm(this, "name");
    m_gesture = nextGesture(label);
    connect(m_field, &QLineEdit::textEdited, this, [this, write = std::move(write)](const QString& text) {
        const QScopedValueRollback<bool> guard(m_writing, true);
        write(text, m_gesture);
    });
    connect(m_field, &QLineEdit::returnPressed, this, &TextRow::finish);
    m_field->installEventFilter(this);
    refresh();
}

bool TextRow::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_field && event->type() == QEvent::FocusOut)
        finish();
    return QWidget::eventFilter(watched, event);
}

void TextRow::finish() {
    m_gesture = nextGesture(m_field->accessibleName());
    refresh();
}

void TextRow::refresh() {
    if (m_writing) // what is typed stands as typed: with its spaces, and empty while it is being replaced
        return;
    const auto text = m_read();
    if (text == m_field->text())
        return;
    m_field->setText(text);
    if (!m_field->hasFocus())
        m_field->setCursorPosition(0); // a long name shows how it begins
}

TechniqueRow::TechniqueRow(Document& document, const engine::Technique& technique, QWidget* parent)
    : QWidget(parent), m_document(document), m_technique(technique), m_field(new QCheckBox(this)) {
    m_field->setText(QString::fromUtf8(technique.label()));
    m_field->setToolTip(plainTip(QString::fromUtf8(technique.about())));
    m_field->setFont(Theme::instance().font(TextSize::Dense));
    auto* layout = rowLayout(this);
    layout->addWidget(m_field, 1);
    setTerm(this, technique.id());
    connect(m_field, &QCheckBox::clicked, this, [this](bool on) {
        m_document.perform(engine::SetTechnique{std::string(m_technique.id()), on});
        refresh();
    });
    refresh();
}

void TechniqueRow::refresh() {
    m_field->setChecked(m_document.scenario().techniques.isOn(m_technique));
}

OptionRow::OptionRow(Document& document, const engine::Technique& technique, std::size_t option,
                     QWidget* parent)
    : QWidget(parent), m_document(document), m_technique(technique), m_option(option),
      m_field(new QCheckBox(this)) {
    m_field->setFont(Theme::instance().font(TextSize::Dense));
    auto* layout = rowLayout(this);
    layout->addSpacing(kOptionIndent);
    layout->addWidget(m_field, 1);
    m_field->setText(QString::fromUtf8(technique.options()[option].label));
    m_field->setToolTip(plainTip(QString::fromUtf8(technique.options()[option].about)));
    setTerm(this, technique.id());
    connect(m_field, &QCheckBox::clicked, this, [this](bool on) {
        m_document.set(path(), on ? "true" : "false");
        refresh(); // when the engine refuses, the old state stands again
    });
    refresh();
}

std::string OptionRow::path() const {
    return "techniques." + std::string(m_technique.id()) + "." +
           std::string(m_technique.options()[m_option].key);
}

void OptionRow::refresh() {
    const auto& settings = m_document.scenario().techniques[m_technique];
    m_field->setEnabled(settings.enabled);
    m_field->setChecked(settings.isOn(m_option));
}

PowerSlider::PowerSlider(Document& document, std::string path, int steps, QWidget* parent)
    : QWidget(parent), m_document(document), m_path(std::move(path)),
      m_field(new QSlider(Qt::Horizontal, this)) {
    m_field->setRange(0, steps);
    m_field->setPageStep(1);
    auto* layout = rowLayout(this);
    layout->addWidget(m_field, 1);
    setTerm(this, m_path);
    begin();
    connect(m_field, &QSlider::sliderPressed, this, &PowerSlider::begin);
    connect(m_field, &QSlider::sliderReleased, this, &PowerSlider::begin);
    connect(m_field, &QSlider::valueChanged, this,
            [this](int exponent) { m_document.set(m_path, std::to_string(1 << exponent), m_gesture); });
    refresh();
    const auto label = engine::resolveQuantity(document.scenario(), m_path).spec.label;
    m_field->setAccessibleName(QString::fromStdString(std::string(label)));
}

void PowerSlider::begin() {
    m_gesture = nextGesture(QString::fromStdString(m_path));
}

void PowerSlider::refresh() {
    const auto& scenario = m_document.scenario();
    const auto value = engine::resolveQuantity(scenario, m_path).in(scenario).value;
    const QSignalBlocker blocker(m_field);
    m_field->setValue(static_cast<int>(std::lround(std::log2(value))));
}

} // namespace heteroscape::widgets
