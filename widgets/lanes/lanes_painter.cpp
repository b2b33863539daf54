// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/lanes/lanes_painter.h"

#include "engine/plotting/ticks.h"
#include "engine/units/number_text.h"
#include "engine/units/units.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kWindowLeast = 10.0; // px

double clampedLength(double length, TimeSpan whole, double least) {
    return std::clamp(length, std::min(whole.length(), least), whole.length());
}

} // namespace

TimeSpan clamped(TimeSpan view, TimeSpan whole, double least) {
    const double length = clampedLength(view.length(), whole, least);
    const double from = std::clamp(view.from, whole.from, whole.to - length);
    return {from, from + length};
}

TimeSpan zoomed(TimeSpan view, double factor, double at, TimeSpan whole, double least) {
    const double length = clampedLength(view.length() * factor, whole, least);
    const double share = (at - view.from) / view.length();
    return clamped({at - share * length, at + (1.0 - share) * length}, whole, least);
}

TimeSpan moved(TimeSpan view, double seconds) {
    return {view.from + seconds, view.to + seconds};
}

QRectF windowIn(const QRectF& strip, TimeSpan view, TimeSpan whole) {
    const auto x = [&](double seconds) {
        const double within = std::clamp(seconds, whole.from, whole.to);
        return strip.left() + (within - whole.from) / whole.length() * strip.width();
    };
    const double left = x(view.from), right = x(view.to);
    QRectF window(left, strip.top(), std::max(right - left, kWindowLeast), strip.height());
    if (right - left < kWindowLeast)
        window.moveCenter(QPointF((left + right) / 2.0, strip.center().y()));
    window.moveLeft(std::clamp(window.left(), strip.left(), strip.right() - window.width()));
    return window;
}

namespace {

struct LanesText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::Lanes)
};

constexpr double kMinute = 60.0, kHour = 3600.0;
constexpr double kLongTick = 1e6; ///< from which numbers on an axis count from its left end

/// With so many decimals, thousands grouped.
QString fixed(double value, int decimals) {
    return QLocale(QLocale::English).toString(value, 'f', decimals);
}

} // namespace

QString fourDigits(double value) {
    return QString::fromStdString(engine::shortText(value, value >= 100.0 ? 4 : 3));
}

TimeUnit unitFor(double seconds) {
    if (seconds < 1e-3)
        return {engine::units::micro, QStringLiteral("\u00b5s")};
    if (seconds < 1.0)
        return {engine::units::milli, QStringLiteral("ms")};
    return {1.0, QStringLiteral("s")};
}

QString timeText(double seconds) {
    const auto unit = unitFor(seconds);
    return fourDigits(seconds / unit.seconds) + kThinSpace + unit.name;
}

TimeUnit axisUnit(double seconds) {
    if (seconds >= 2.0 * kHour)
        return {kHour, LanesText::tr("h")};
    if (seconds >= 3.0 * kMinute)
        return {kMinute, LanesText::tr("min")};
    return unitFor(seconds);
}

QString spanText(double seconds) {
    const auto unit = axisUnit(seconds);
    return unit.seconds > 1.0
               ? QString::fromStdString(engine::shortText(seconds / unit.seconds)) + kThinSpace + unit.name
               : timeText(seconds);
}

QString betweenText(double from, double to) {
    const auto unit = unitFor(to);
    const double length = std::max((to - from) / unit.seconds, 1e-12);
    const int decimals = std::clamp(3 - static_cast<int>(std::ceil(std::log10(length))), 0, 9);
    return LanesText::tr("%1 to %2")
               .arg(fixed(from / unit.seconds, decimals), fixed(to / unit.seconds, decimals)) +
           kThinSpace + unit.name;
}

TimeTicks timeTicks(TimeSpan view, int wanted) {
    const auto unit = axisUnit(view.length());
    TimeTicks made{LanesText::tr("Time (%1)").arg(unit.name), {}};
    double base = 0.0;
    if (view.to / unit.seconds >= kLongTick) { // from a round time at the left
        const double round = std::pow(10.0, std::ceil(std::log10(view.length())));
        base = std::floor(view.from / round) * round;
        const int decimals = std::clamp(-static_cast<int>(std::lround(std::log10(round))), 0, 9);
        made.title = LanesText::tr("%1 s + (%2)").arg(fixed(base, decimals), unit.name);
    }
    const engine::AxisRange range{(view.from - base) / unit.seconds, (view.to - base) / unit.seconds};
    for (const double tick : engine::linearTicks(range, wanted))
        made.ticks.emplace_back(base + tick * unit.seconds, QString::fromStdString(engine::tickText(tick)));
    return made;
}

double LanesLayout::xOf(double seconds, TimeSpan view) const {
    return lanes.left() + (seconds - view.from) / view.length() * lanes.width();
}

double LanesLayout::secondsAt(double x, TimeSpan view) const {
    return view.from + (x - lanes.left()) / lanes.width() * view.length();
}

double LanesLayout::across(double width) const {
    return std::max(20.0, width - labelWidth - busyWidth);
}

double busyColumn(const QFontMetricsF& metrics) {
    return std::max(48.0, metrics.horizontalAdvance(QStringLiteral("100 %")) + 14.0);
}

namespace {

constexpr double kTickEvery = 110.0; ///< px
constexpr double kHotShare = 0.8;
constexpr double kBeforeEdge = 8.0; ///< px, at the right

struct LanesPainterText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::LanesPainter)
};

/// "88 %"; what rounds to nothing is still something.
QString busyText(double share) {
    const auto percent = std::lround(share * 100.0);
    return percent == 0 && share > 0.0 ? QStringLiteral("<\u202f1\u202f%")
                                       : QStringLiteral("%1\u202f%").arg(percent);
}

} // namespace

QRectF LanesPainter::labelBox(const QRectF& row, double indent) const {
    const double left = kLabelMargin + indent;
    return {left, row.top(), m_lanesLayout.labelWidth - left - 4.0, row.height()};
}

QRectF LanesPainter::busyBox(const QRectF& row) const {
    return {m_lanesLayout.lanes.right(), row.top(), m_lanesLayout.busyWidth - kBeforeEdge, row.height()};
}

void LanesPainter::label(const QRectF& row, const QString& text, double indent, bool bold) {
    m_painter.setFont(m_style.font(bold ? QFont::DemiBold : QFont::Normal));
    m_painter.setPen(m_style.role(bold ? ColorRole::Text : ColorRole::Text2));
    m_painter.drawText(labelBox(row, indent), Qt::AlignLeft | Qt::AlignVCenter, text);
    m_painter.setFont(m_style.font());
}

void LanesPainter::axis(double bottom) {
    const auto& lanes = m_lanesLayout.lanes;
    const auto& axis = m_lanesLayout.axis;
    const auto ticks = timeTicks(m_view, std::max(2, static_cast<int>(lanes.width() / kTickEvery)));
    const auto& metrics = m_painter.fontMetrics();
    label(axis, metrics.elidedText(ticks.title, Qt::ElideRight, static_cast<int>(labelBox(axis).width())));
    m_painter.setPen(m_style.role(ColorRole::Muted));
    m_painter.drawText(busyBox(axis), Qt::AlignRight | Qt::AlignVCenter, LanesPainterText::tr("Busy"));
    for (const auto& [seconds, text] : ticks.ticks) {
        const double x = m_lanesLayout.xOf(seconds, m_view);
        m_painter.setPen(QPen(m_style.role(ColorRole::Grid), m_style.lineWidth(1.0)));
        m_painter.drawLine(QPointF(x, lanes.top()), QPointF(x, bottom));
        QRectF box(0, axis.top(), metrics.horizontalAdvance(text) + 2, axis.height());
        box.moveCenter(QPointF(x, box.center().y()));
        // At the edges beside its line rather than out of the plot.
        box.moveLeft(std::max(lanes.left(), std::min(box.left(), lanes.right() - box.width())));
        m_painter.setPen(m_style.role(ColorRole::Muted));
        m_painter.drawText(box, Qt::AlignCenter, text);
    }
}

void LanesPainter::ruleBelow(const QRectF& row, ColorRole role, double width) {
    m_painter.setPen(QPen(m_style.role(role), m_style.lineWidth(width)));
    m_painter.drawLine(QPointF(kLabelMargin, row.bottom()), QPointF(busyBox(row).right(), row.bottom()));
}

void LanesPainter::busy(const QRectF& row, double share) {
    m_painter.setPen(m_style.role(share > kHotShare ? ColorRole::Hot : ColorRole::Text2));
    m_painter.drawText(busyBox(row), Qt::AlignRight | Qt::AlignVCenter, busyText(share));
}

void LanesPainter::window(TimeSpan whole) {
    const auto window = windowIn(m_lanesLayout.overview, m_view, whole);
    auto soft = m_style.role(ColorRole::Accent);
    soft.setAlphaF(0.16f);
    m_painter.fillRect(window, soft);
    m_painter.setPen(QPen(m_style.role(ColorRole::Accent), 1.5));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawRect(window.adjusted(0.75, 0.75, -0.75, -0.75));
}

} // namespace heteroscape::widgets
