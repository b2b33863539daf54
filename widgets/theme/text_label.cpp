// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/text_label.h"

#include "widgets/theme/plain_text.h"
#include "widgets/theme/theme.h"

#include <QEvent>
#include <QFontMetrics>
#include <QPainter>

namespace heteroscape::widgets {

namespace {

constexpr int kPillHeight = 16, kPillMargin = 7;

} // namespace

int pillWidth(const QString& text) {
    const QFontMetrics metrics(Theme::instance().font(TextSize::Caption, QFont::Medium));
    return metrics.horizontalAdvance(text) + 2 * kPillMargin;
}

void drawPill(QPainter& painter, QPoint corner, const QString& text) {
    const auto& theme = Theme::instance();
    const QRect rect(corner, QSize(pillWidth(text), kPillHeight));
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(ColorRole::WarningSoft));
    painter.drawRoundedRect(rect, kPillHeight / 2.0, kPillHeight / 2.0);
    painter.setPen(theme.color(ColorRole::Warning));
    painter.setFont(theme.font(TextSize::Caption, QFont::Medium));
    painter.drawText(rect, Qt::AlignCenter, text);
}

Pill::Pill(const QString& text, QWidget* parent) : QWidget(parent), m_text(text) {
    setFixedSize(pillWidth(text), kPillHeight);
    setAccessibleName(text);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void Pill::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    drawPill(painter, {}, m_text);
}

TextLabel::TextLabel(TextSize size, ColorRole role, QWidget* parent, QFont::Weight weight)
    : QLabel(parent), m_role(role) {
    setFont(Theme::instance().font(size, weight));
    setTextFormat(Qt::PlainText);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

TextLabel::TextLabel(const QString& text, TextSize size, ColorRole role, QFont::Weight weight,
                     QWidget* parent)
    : TextLabel(size, role, parent, weight) {
    setText(text);
}

void TextLabel::setRole(ColorRole role) {
    if (role == m_role)
        return;
    m_role = role;
    update();
}

void TextLabel::setElided(bool elided) {
    m_elided = elided;
    updateGeometry();
}

QSize TextLabel::minimumSizeHint() const {
    auto size = QLabel::minimumSizeHint();
    if (m_elided)
        size.setWidth(fontMetrics().horizontalAdvance(QStringLiteral("MM\u2026")));
    return size;
}

bool TextLabel::event(QEvent* event) {
    // A frame that is styled reads its margins back from where its contents lie, and drops them where it has
    // no room for contents.
    const auto margins = contentsMargins();
    const bool noRoom = !contentsRect().isValid();
    const bool done = QLabel::event(event);
    const auto type = event->type();
    if (noRoom && (type == QEvent::Polish || type == QEvent::StyleChange || type == QEvent::ParentChange))
        setContentsMargins(margins);
    return done;
}

void TextLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(font());
    painter.setPen(Theme::instance().color(m_role));
    auto shown = text();
    int flags = static_cast<int>(alignment());
    if (wordWrap()) {
        flags |= Qt::TextWordWrap;
        const auto whole = QString(shown).replace(QStringLiteral(" %"), QStringLiteral("\u00a0%"));
        if (fontMetrics().boundingRect(contentsRect(), flags, whole).height() <= contentsRect().height())
            shown = whole; // a number and its % are not torn apart
    } else if (m_elided) {
        shown = fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width());
        if (toolTip().isEmpty() != (shown == text()))
            setToolTip(plainTip(shown == text() ? QString() : text()));
    }
    painter.drawText(contentsRect(), flags, shown);
}

QString plainTip(const QString& text) {
    return Qt::mightBeRichText(text) ? wrappedTip(text) : text;
}

QString wrappedTip(const QString& text) {
    if (text.isEmpty())
        return {};
    return QStringLiteral("<qt>%1</qt>")
        .arg(text.trimmed().toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>")));
}

QString strongMarkup(const QString& text) {
    return QStringLiteral("<span style=\"font-weight:600\">%1</span>").arg(text.toHtmlEscaped());
}

void stopGuessing(QWidget* widget) {
    auto* label = qobject_cast<QLabel*>(widget);
    if (label && label->textFormat() == Qt::AutoText && !label->inherits("QTipLabel"))
        label->setTextFormat(Qt::PlainText);
}

} // namespace heteroscape::widgets

#include "moc_text_label.cpp"
#include <QLabel>
#include <QTextDocument>
