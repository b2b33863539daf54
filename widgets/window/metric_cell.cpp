// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/metric_cell.h"

#include "widgets/theme/pill.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace heteroscape::widgets {

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
