// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/chart_legend.h"

#include "widgets/plots/chart_ground.h"
#include "widgets/plots/marker_path.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLinearGradient>
#include <QPainter>
#include <algorithm>
#include <qcustomplot.h>

namespace heteroscape::widgets {

namespace {
constexpr double kAway = 14, kBar = 12, kTick = 4, kPad = 5;
constexpr int kHeatColours = 7; // a gradient through just these is exact
} // namespace

ChartColorBar::ChartColorBar(const ChartHeatMap& map, ChartStyle style, double height)
    : m_map(map), m_style(style) {
    const QFontMetricsF metrics(m_style.font());
    const auto scale = map.scale();
    const int wanted = std::clamp(static_cast<int>(height / 40), 2, 8);
    for (const double value :
         map.log ? engine::logTicks(scale, 10, wanted) : engine::linearTicks(scale, wanted)) {
        m_ticks.emplace_back(engine::heatShare(value, scale, map.log),
                             QString::fromStdString(engine::tickText(value * map.shown.factor)));
        m_numberWidth = std::max(m_numberWidth, metrics.horizontalAdvance(m_ticks.back().second));
    }
}

int ChartColorBar::width() const {
    const double label = m_map.label.isEmpty() ? 0 : QFontMetricsF(m_style.font()).height() + 4;
    return static_cast<int>(kAway + kBar + kTick + kPad + m_numberWidth + label + 8);
}

void ChartColorBar::draw(QPainter& painter, const QRectF& axes) const {
    const QFontMetricsF metrics(m_style.font());
    const QRectF bar(axes.right() + kAway, axes.top(), kBar, axes.height() - 2); // as the cells
    QLinearGradient gradient(bar.bottomLeft(), bar.topLeft());
    for (int i = 0; i < kHeatColours; ++i) {
        const double share = i / (kHeatColours - 1.0);
        gradient.setColorAt(share, m_style.heat(share));
    }
    painter.fillRect(bar, gradient);
    const QPen pen(m_style.role(ColorRole::BorderControl), 1);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar.adjusted(-0.5, -0.5, 0.5, 0.5));
    painter.setFont(m_style.font());
    for (const auto& [share, number] : m_ticks) {
        const double y = bar.bottom() - share * bar.height();
        painter.setPen(pen);
        painter.drawLine(QLineF(bar.right() + 1, y, bar.right() + 1 + kTick, y));
        painter.setPen(m_style.role(ColorRole::Muted));
        painter.drawText(
            QRectF(bar.right() + kTick + kPad, y - metrics.height() / 2, m_numberWidth + 4, metrics.height()),
            Qt::AlignLeft | Qt::AlignVCenter, number);
    }
    painter.save();
    painter.translate(bar.right() + kTick + kPad + m_numberWidth + 6, bar.center().y());
    painter.rotate(90);
    painter.setPen(m_style.role(ColorRole::Text2));
    // A little over the ends is still beside the bar, and within the picture.
    const double room = axes.height() + 2 * std::clamp(axes.top() - 2, 0.0, 15.0);
    painter.drawText(QRectF(-room / 2, -metrics.height(), room, metrics.height()), Qt::AlignCenter,
                     metrics.elidedText(shownLabel(m_map.label, m_map.shown), Qt::ElideRight, room));
    painter.restore();
}

namespace {

constexpr std::size_t kMostDirectNames = 4; // more curves than this are named in a legend
constexpr double kSampleWidth = 28, kBarSample = 20;
constexpr double kRow = 16;
constexpr double kMostBeside = 0.34;   // of its width for what stands beside them
constexpr double kMostOfHeight = 0.42; // of a picture for what stands above its axes
constexpr int kLeastAxes = 48;         // px of height that a plot below its names is read at
constexpr int kTop = 22;               // room above the axes for the label of a star
constexpr int kNextLine = 15;          // more for each further line of it

struct ChartLegendText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::ChartLegend)
};

} // namespace

ChartLegend::ChartLegend(const Chart& chart, ChartStyle style, QSize plot, bool barNamesShown, int below)
    : m_style(style), m_plotWidth(plot.width()), m_plotHeight(plot.height()), m_below(below),
      m_title(chart.legendTitle), m_unnamed(chart.cloud ? chart.cloud->unnamed : 0) {
    for (std::size_t i = 0; chart.bars && i < chart.bars->series.size(); ++i) {
        const auto& series = chart.bars->series[i];
        const auto same = [&](const Entry& entry) { return entry.name == series.name; };
        if (!series.name.isEmpty() && std::none_of(m_entries.begin(), m_entries.end(), same))
            m_entries.push_back(
                {series.name, nullptr, &series, nullptr, series.name, chart.isHidden(series.name)});
    }
    for (std::size_t i = 0; chart.cloud && i < chart.cloud->groups.size(); ++i)
        if (const auto& group = chart.cloud->groups[i]; !group.name.isEmpty())
            m_entries.push_back(
                {group.name, nullptr, nullptr, &group, group.name, chart.isHidden(group.name)});
    for (const bool onRight : {false, true})
        for (const auto& line : chart.lines)
            if (!line.name.isEmpty() && (line.onRight && chart.right) == onRight)
                m_entries.push_back(
                    {onRight ? ChartLegendText::tr(QT_TR_NOOP("%1 (right)")).arg(line.name) : line.name,
                     &line, nullptr, nullptr, line.name, chart.isHidden(line.name)});
    if (chart.bars && !chart.bars->names.empty() && !(barNamesShown && chart.bars->title.isEmpty())) {
        QStringList names;
        for (const auto& name : chart.bars->names)
            names << name;
        const auto& what = chart.bars->title;
        const auto list = names.join(QStringLiteral(", "));
        const auto order =
            barNamesShown    ? ChartLegendText::tr(QT_TR_NOOP("Under each bar: %1")).arg(chart.bars->title)
            : what.isEmpty() ? ChartLegendText::tr(QT_TR_NOOP("From the left: %1")).arg(list)
                             : ChartLegendText::tr(QT_TR_NOOP("%1, from the left: %2")).arg(what, list);
        m_title = m_title.isEmpty() ? order : m_title + QStringLiteral("; ") + order;
    }
    const QFontMetricsF metrics(m_style.font(QFont::DemiBold));
    for (const auto& entry : m_entries)
        m_nameWidth = std::max(m_nameWidth, metrics.horizontalAdvance(entry.name));
    if ((chart.cloud && !chart.cloud->front.empty()) || !chart.stars.empty() || !chart.captions.empty() ||
        !chart.references.empty())
        m_above = kTop;
    for (const auto& star : chart.stars)
        m_above = std::max(m_above, kTop + kNextLine * static_cast<int>(star.label.count(u'\n')));

    const bool fitsBeside = columnWidth() + 20 < kMostBeside * m_plotWidth;
    const bool sidesTaken = chart.right || chart.bars || chart.heatMap || chart.cloud;
    if (sidesTaken)
        m_place = m_entries.size() >= 2 || (chart.right && !m_entries.empty()) || !m_title.isEmpty()
                      ? Place::Above
                      : Place::None;
    else if (m_entries.size() >= 2)
        m_place = !fitsBeside                            ? Place::Above
                  : m_entries.size() <= kMostDirectNames ? Place::Direct
                                                         : Place::Beside;
    if (chart.heatMap && !m_entries.empty())
        m_place = Place::Above;
    if (!sidesTaken && m_entries.size() >= 2)
        m_above = std::max(m_above, kTop); // room for the title
    if (m_place == Place::Above && m_plotHeight > 0 && !leavesRoom())
        m_place = Place::None;
    if (m_place == Place::Beside && m_plotHeight > 0)
        fitBeside();
}

bool ChartLegend::leavesRoom() const {
    const int top = margins().top();
    return top <= kMostOfHeight * m_plotHeight &&
           (m_below == 0 || m_plotHeight - m_below - top >= kLeastAxes);
}

void ChartLegend::fitBeside() {
    const auto count = static_cast<int>(m_entries.size());
    const double title = m_title.isEmpty() ? 0 : kRow + 2;
    const int rows = std::max(1, static_cast<int>((m_plotHeight - m_above - title - 2) / kRow));
    const int fit = std::max(1, static_cast<int>((kMostBeside * m_plotWidth - 10) / itemWidth()));
    m_columns = std::min((count + rows - 1) / rows, fit);
    if (m_columns * rows >= count)
        return;
    m_place = Place::Above;
    if (leavesRoom())
        return;
    m_place = Place::Beside;
    m_leftOut = static_cast<std::size_t>(count - m_columns * rows + 1);
}

double ChartLegend::columnWidth() const {
    return std::max(m_nameWidth + kSampleWidth, titleWidth());
}

double ChartLegend::titleWidth() const {
    return QFontMetricsF(m_style.font()).horizontalAdvance(m_title);
}

double ChartLegend::itemWidth() const {
    return m_nameWidth + kSampleWidth + 14;
}

std::size_t ChartLegend::places() const {
    return m_entries.size() - m_leftOut + (more() > 0 ? 1 : 0);
}

int ChartLegend::perRow() const {
    if (m_place == Place::Beside)
        return m_columns;
    const int most = std::max(1, static_cast<int>((m_plotWidth - 24) / itemWidth()));
    const int all = static_cast<int>(places()), rows = (all + most - 1) / most;
    return rows > 0 ? (all + rows - 1) / rows : 1; // even rows
}

QMargins ChartLegend::margins() const {
    const int top = m_above;
    switch (m_place) {
    case Place::None:
        break;
    case Place::Direct:
        return {0, top, static_cast<int>(std::max(m_nameWidth, titleWidth())) + 18, 0};
    case Place::Beside:
        return {0, top, static_cast<int>(std::max(columnWidth(), m_columns * itemWidth() - 14)) + 24, 0};
    case Place::Above: {
        const int rows = (static_cast<int>(places()) + perRow() - 1) / perRow();
        const double title = m_title.isEmpty() ? 0 : kRow + 2;
        return {0, top + static_cast<int>(rows * kRow + title) + 4, 16, 0};
    }
    }
    return {0, top, 16, 0};
}

void ChartLegend::drawSample(QCPPainter& painter, const Entry& entry, QPointF left) const {
    const double width = kSampleWidth - 5;
    if (entry.group) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_style.color(entry.group->color));
        painter.drawPath(markerPath(entry.group->marker, left + QPointF(7, 0), 8));
        return;
    }
    if (entry.bar) {
        fillBar(painter, QRectF(left + QPointF(0, -5.5), QSizeF(14, 11)), *entry.bar, m_style);
        return;
    }
    const auto& line = *entry.line;
    const auto color = m_style.color(line.color);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, m_style.lineWidth(line.width), penStyle(line.dash), Qt::FlatCap));
    painter.drawLine(QLineF(left, left + QPointF(width, 0)));
    if (line.marker != ChartMarker::None) {
        painter.setPen(QPen(m_style.role(ColorRole::Surface), 0.8));
        painter.setBrush(color);
        painter.drawPath(markerPath(line.marker, left + QPointF(width / 2, 0), 7));
    }
}

void ChartLegend::draw(QCPPainter& painter, const QRectF& axes) const {
    if (m_place != Place::Beside && m_place != Place::Above)
        return;
    if (!m_title.isEmpty()) {
        painter.setFont(m_style.font());
        painter.setPen(m_style.role(ColorRole::Muted));
        const auto box = titleBox(axes);
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, elided(m_title, box));
    }
    for (std::size_t i = 0; i < m_entries.size() - m_leftOut; ++i) {
        const auto box = boxOf(i, axes);
        painter.setOpacity(m_entries[i].hidden ? 0.3 : 1.0);
        drawSample(painter, m_entries[i], box.topLeft() + QPointF(0, kRow / 2));
        painter.setOpacity(1.0);
        auto font = m_style.font();
        font.setStrikeOut(m_entries[i].hidden);
        painter.setFont(font);
        painter.setPen(m_style.role(m_entries[i].hidden ? ColorRole::Muted : ColorRole::Text2));
        const auto name = nameBox(i, axes);
        painter.drawText(name, Qt::AlignLeft | Qt::AlignVCenter, elided(m_entries[i].name, name));
    }
    if (more() > 0) {
        painter.setFont(m_style.font());
        painter.setPen(m_style.role(ColorRole::Muted));
        painter.drawText(boxOf(m_entries.size() - m_leftOut, axes), Qt::AlignLeft | Qt::AlignVCenter,
                         ChartLegendText::tr(QT_TR_NOOP("+%1")).arg(more()));
    }
}

QRectF ChartLegend::boxOf(std::size_t i, const QRectF& axes) const {
    const bool beside = m_place == Place::Beside;
    const double x = beside ? axes.right() + 14 : 14.0;
    const double y = (beside ? axes.top() : 8.0) + (m_title.isEmpty() ? 0 : kRow + 2);
    const auto columns = static_cast<std::size_t>(perRow());
    const auto rows = (places() + columns - 1) / columns;
    const auto isLeft = [](const Entry& entry) { return !entry.line || !entry.line->onRight; };
    const auto lefts = static_cast<std::size_t>(std::count_if(m_entries.begin(), m_entries.end(), isLeft));
    // Where that keeps what is read left and right apart, down the columns instead of along the rows.
    const bool down = beside || (columns == 2 && lefts == rows);
    const auto column = static_cast<double>(down ? i / rows : i % columns);
    const auto row = static_cast<double>(down ? i % rows : i / columns);
    const bool swatch = i < m_entries.size() && (m_entries[i].bar || m_entries[i].group);
    const double sample = swatch ? kBarSample : kSampleWidth;
    const double left = x + column * itemWidth();
    return {left, y + row * kRow, std::min(sample + m_nameWidth + 8, m_plotWidth - left), kRow};
}

QRectF ChartLegend::nameBox(std::size_t entry, const QRectF& axes) const {
    const bool wide = m_entries[entry].bar || m_entries[entry].group;
    return boxOf(entry, axes).adjusted(wide ? kBarSample : kSampleWidth, 0, 0, 0);
}

QRectF ChartLegend::titleBox(const QRectF& axes) const {
    const bool beside = m_place == Place::Beside;
    const double x = beside ? axes.right() + 14 : 14.0;
    return {x, beside ? axes.top() : 8.0, m_plotWidth - x - 4, kRow};
}

QString ChartLegend::elided(const QString& text, const QRectF& box) const {
    return QFontMetricsF(m_style.font()).elidedText(text, Qt::ElideRight, box.width());
}

std::vector<std::pair<QString, QRectF>> ChartLegend::cut(const QRectF& axes) const {
    std::vector<std::pair<QString, QRectF>> all;
    if (m_place != Place::Beside && m_place != Place::Above)
        return all;
    if (const auto box = titleBox(axes); elided(m_title, box) != m_title)
        all.emplace_back(m_title, box);
    const auto shown = m_entries.size() - m_leftOut;
    for (std::size_t i = 0; i < shown; ++i)
        if (const auto& name = m_entries[i].name; elided(name, nameBox(i, axes)) != name)
            all.emplace_back(name, boxOf(i, axes));
    QStringList others;
    for (std::size_t i = shown; i < m_entries.size(); ++i)
        others << m_entries[i].name;
    if (!others.isEmpty())
        all.emplace_back(others.join(u'\n'), boxOf(shown, axes));
    return all;
}

std::vector<std::pair<QString, QRectF>> ChartLegend::boxes(const QRectF& axes) const {
    std::vector<std::pair<QString, QRectF>> all;
    if (m_place == Place::Beside || m_place == Place::Above)
        for (std::size_t i = 0; i < m_entries.size() - m_leftOut; ++i)
            all.emplace_back(m_entries[i].own, boxOf(i, axes));
    return all;
}

} // namespace heteroscape::widgets
