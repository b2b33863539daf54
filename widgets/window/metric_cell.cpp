// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/metric_cell.h"

#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QFontMetrics>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr int kMetric = Qt::UserRole;
constexpr QSize kSize{360, 420};

} // namespace

MetricsChooser::MetricsChooser(const std::vector<Row>& rows, QWidget* parent)
    : QFrame(parent, Qt::Popup), m_list(new QListWidget(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setFrameShape(QFrame::StyledPanel);
    m_list->setAccessibleName(tr("Metrics of the strip"));
    m_list->setDragDropMode(QAbstractItemView::InternalMove);
    m_list->setUniformItemSizes(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    for (const auto& row : rows) {
        const auto text = row.value.isEmpty() ? row.text : tr("%1   %2").arg(row.text, row.value);
        auto* item = new QListWidgetItem(text, m_list);
        item->setData(kMetric, static_cast<int>(row.metric));
        item->setFlags((item->flags() | Qt::ItemIsUserCheckable | Qt::ItemIsDragEnabled) &
                       ~Qt::ItemIsDropEnabled); // rows go between others, never onto one
        item->setCheckState(row.isChosen ? Qt::Checked : Qt::Unchecked);
        item->setToolTip(plainTip(QString::fromUtf8(engine::metricSpec(row.metric).about)));
    }
    m_list->setCurrentRow(0);
    m_list->installEventFilter(this);
    setFocusProxy(m_list);
    auto* heading =
        new TextLabel(tr("Metrics of the strip"), TextSize::Body, ColorRole::Text, QFont::DemiBold, this);
    auto* hint =
        new TextLabel(tr("Drag to order, or Alt+\u2191 \u2193"), TextSize::Caption, ColorRole::Muted, this);
    auto* reset = new QPushButton(tr("Reset"), this);
    connect(reset, &QPushButton::clicked, this, &MetricsChooser::resetRequested);
    connect(m_list, &QListWidget::itemChanged, this, &MetricsChooser::tell);
    connect(m_list->model(), &QAbstractItemModel::rowsMoved, this, &MetricsChooser::tell);
    auto* foot = new QHBoxLayout;
    foot->addWidget(hint, 1);
    foot->addWidget(reset);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8, 10, 10);
    column->addWidget(heading);
    column->addWidget(m_list, 1);
    column->addLayout(foot);
    resize(kSize);
}

void MetricsChooser::tell() {
    std::vector<engine::Metric> metrics;
    for (int i = 0; i < m_list->count(); ++i)
        if (m_list->item(i)->checkState() == Qt::Checked)
            metrics.push_back(static_cast<engine::Metric>(m_list->item(i)->data(kMetric).toInt()));
    if (!metrics.empty())
        emit chosen(metrics);
}

void MetricsChooser::moveCurrent(int by) {
    const int from = m_list->currentRow();
    const int to = from + by;
    if (from < 0 || to < 0 || to >= m_list->count())
        return;
    auto* item = m_list->takeItem(from);
    m_list->insertItem(to, item);
    m_list->setCurrentRow(to);
    tell();
}

bool MetricsChooser::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->modifiers() == Qt::AltModifier && (key->key() == Qt::Key_Up || key->key() == Qt::Key_Down)) {
            moveCurrent(key->key() == Qt::Key_Up ? -1 : 1);
            return true;
        }
        if (key->key() == Qt::Key_Escape) {
            close();
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

namespace {

constexpr int kMargin = 12, kIcon = 15, kHeight = 64, kMark = 11, kPillGap = 6;
constexpr int kLeastTextValue = 84; ///< a name may be elided down to this

int advance(const QFont& font, const QString& text) {
    return QFontMetrics(font).horizontalAdvance(text);
}

} // namespace

MetricCell::MetricCell(const QString& caption, QWidget* parent)
    : QAbstractButton(parent), m_caption(caption) {
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    setAccessibleName(caption);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void MetricCell::setContent(const Content& content) {
    if (content == m_content)
        return;
    m_content = content;
    setAccessibleDescription(
        QStringLiteral("%1 %2 %3").arg(content.value, content.unit, content.note).trimmed());
    updateGeometry();
    update();
}

void MetricCell::setNoteVisible(bool visible) {
    m_noteVisible = visible;
    updateGeometry();
    update();
}

QFont MetricCell::valueFont() const {
    return m_content.icon.isEmpty() ? Theme::instance().font(TextSize::Metric, QFont::DemiBold)
                                    : Theme::instance().font(TextSize::Body, QFont::DemiBold);
}

bool MetricCell::isUnitBelow() const {
    return !m_noteVisible && !m_content.unit.isEmpty() &&
           advance(valueFont(), m_content.value) + 4 +
                   advance(Theme::instance().font(TextSize::Dense), m_content.unit) >
               width() - 2 * kMargin;
}

QString MetricCell::writtenPill() const {
    if (!hasNote() && !isUnitBelow()) // its line is free
        return m_noteVisible ? m_content.pill : m_content.shortPill;
    const int room =
        width() - 2 * kMargin - kPillGap - advance(Theme::instance().font(TextSize::Caption), m_caption);
    return !m_content.shortPill.isEmpty() && pillWidth(m_content.shortPill) <= room ? m_content.shortPill
                                                                                    : QString();
}

QSize MetricCell::sizeHint() const {
    auto& theme = Theme::instance();
    int value = advance(valueFont(), m_content.value);
    if (!m_content.unit.isEmpty())
        value += 4 + advance(theme.font(TextSize::Dense), m_content.unit);
    if (!m_content.icon.isEmpty())
        value += kIcon + 5;
    const auto& pill = m_noteVisible ? m_content.pill : m_content.shortPill;
    const int note = hasNote()        ? advance(theme.font(TextSize::Caption, QFont::Medium), m_content.note)
                     : pill.isEmpty() ? 0
                                      : pillWidth(pill);
    const int caption = advance(theme.font(TextSize::Caption), m_caption);
    return {std::max({value, note, caption}) + 2 * kMargin + 2, kHeight}; // 2: widths are fractions
}

QSize MetricCell::minimumSizeHint() const {
    if (m_content.icon.isEmpty())
        return sizeHint();
    return {std::min(sizeHint().width(), kLeastTextValue + kIcon + 5 + 2 * kMargin), kHeight};
}

void MetricCell::paintEvent(QPaintEvent*) {
    auto& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), theme.color(underMouse() ? ColorRole::Panel : ColorRole::Surface));
    painter.setPen(theme.color(ColorRole::Border));
    painter.drawLine(width() - 1, 0, width() - 1, height());

    const int room = width() - 2 * kMargin;
    const bool unitBelow = isUnitBelow();
    const auto written = writtenPill();
    const bool pill = !hasNote() && !unitBelow && !written.isEmpty(); // on the line below
    const bool note = unitBelow || pill || hasNote();
    int y = note ? 7 : 14;
    const auto drawLine = [&](const QFont& font, ColorRole role, const QString& text, int height) {
        painter.setFont(font);
        painter.setPen(theme.color(role));
        painter.drawText(QRect(kMargin, y, room, height), Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetrics(font).elidedText(text, Qt::ElideRight, room));
        y += height;
    };
    drawLine(theme.font(TextSize::Caption), ColorRole::Muted, m_caption, 14);

    const auto font = valueFont();
    const auto ink = m_content.stale ? ColorRole::BorderControl : m_content.valueRole;
    int x = kMargin;
    if (!m_content.icon.isEmpty()) {
        painter.drawPixmap(QPoint(x, y + (22 - kIcon) / 2),
                           theme.pixmap(m_content.icon, theme.color(ink), kIcon, devicePixelRatioF()));
        x += kIcon + 5;
    }
    const auto value = QFontMetrics(font).elidedText(m_content.value, Qt::ElideRight, width() - kMargin - x);
    painter.setFont(font);
    painter.setPen(theme.color(ink));
    painter.drawText(QRect(x, y, width() - x, 22), Qt::AlignLeft | Qt::AlignVCenter, value);
    x += advance(font, value) + 4;
    painter.setFont(theme.font(TextSize::Dense));
    painter.setPen(theme.color(m_content.stale ? ColorRole::BorderControl : ColorRole::Text2));
    if (!unitBelow)
        painter.drawText(QRect(x, y + 2, width() - x, 20), Qt::AlignLeft | Qt::AlignVCenter, m_content.unit);
    y += 22;

    if (!pill && !written.isEmpty())
        drawPill(painter, QPoint(width() - kMargin - pillWidth(written), 6), written);
    else if (!pill && !m_content.pill.isEmpty()) // within the margin: there is no room to say it
        painter.drawPixmap(QPoint(width() - kMargin - 1, 6),
                           theme.pixmap(QStringLiteral("warning"), theme.color(ColorRole::Warning), kMark,
                                        devicePixelRatioF()));
    if (unitBelow)
        drawLine(theme.font(TextSize::Caption), ColorRole::Text2, m_content.unit, 14);
    else if (pill)
        drawPill(painter, QPoint(kMargin, y - 1), written);
    else if (note)
        drawLine(theme.font(TextSize::Caption, QFont::Medium), m_content.noteRole, m_content.note, 14);
    if (hasFocus()) {
        painter.setPen(QPen(theme.color(ColorRole::Focus), 2));
        painter.drawRect(rect().adjusted(2, 2, -3, -3));
    }
}

} // namespace heteroscape::widgets

#include "moc_metric_cell.cpp"
