// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_layout.h"

#include "widgets/timeline/timeline_text.h"

#include <QCoreApplication>
#include <QFontMetricsF>

#include <algorithm>
#include <array>

namespace heteroscape::widgets {

namespace {

using engine::Work;

constexpr double kSwatch = 16.0;
constexpr double kPlaceShare = 0.2; ///< of the width that the column of labels may take for places

struct TimelineLayoutText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::TimelineLayout)
};

QString legendText(const LegendKey& key) {
    switch (key.work) {
    case Work::Operator:
        return key.operands == Operands::Hit      ? TimelineLayoutText::tr("Operator, hit in L2")
               : key.operands == Operands::Missed ? TimelineLayoutText::tr("Operator, missed")
                                                  : TimelineLayoutText::tr("Operator");
    case Work::Read:
        return TimelineLayoutText::tr("Read from memory");
    default: {
        const auto label = engine::workLabel(key.work);
        return QString::fromUtf8(label);
    }
    }
}

/// The keys that the tracks need, in a fixed order: operators, then the works as they are declared.
std::vector<LegendKey> legendKeys(const TimelineTracks& tracks) {
    constexpr std::array kOrder{Operands::None, Operands::Hit, Operands::Missed};
    std::array<bool, kOrder.size()> operands{};
    std::array<bool, engine::kWorkCount> works{};
    for (const auto& track : tracks)
        for (const auto lane : track.lanes())
            for (const auto& segment : track.segments(lane)) {
                works[static_cast<std::size_t>(segment.data.work)] = true;
                if (segment.data.work == Work::Operator)
                    operands[static_cast<std::size_t>(segment.operands)] = true;
            }
    std::vector<LegendKey> keys;
    for (const auto which : kOrder)
        if (operands[static_cast<std::size_t>(which)])
            keys.push_back({Work::Operator, which});
    // Prefetches and collectives before what offloading adds; attention on the device is drawn as an
    // operator.
    for (const auto work : {Work::Prefetch, Work::Read, Work::AllReduce, Work::Collective})
        if (works[static_cast<std::size_t>(work)])
            keys.push_back({work, Operands::None});
    for (std::size_t i = 0; i < works.size(); ++i)
        if (const auto work = static_cast<Work>(i);
            works[i] && engine::isFlow(work) && work != Work::DeviceAttention)
            keys.push_back({work, Operands::None});
    return keys;
}

/// Entries from left to right, in as many lines as they need; returns the bottom.
double flowLegend(TimelineLayout& layout, const TimelineTracks& tracks, double width, double top, double line,
                  const QFontMetricsF& metrics) {
    double x = kLabelMargin;
    for (const auto& key : legendKeys(tracks)) {
        const auto label = legendText(key);
        const double entry = kSwatch + 5.0 + metrics.horizontalAdvance(label);
        if (x > kLabelMargin && x + entry > width - kLabelMargin) {
            x = kLabelMargin;
            top += line;
        }
        layout.legend.push_back({key, label, QRectF(x, top, entry, line)});
        x += entry + 16.0;
    }
    return top + line;
}

} // namespace

const TimelineLayout::Row* TimelineLayout::rowAt(double y) const {
    for (const auto& row : rows)
        if (y >= row.plot.top() && y < row.plot.bottom())
            return &row;
    return nullptr;
}

TimelineLayout layOut(const TimelineTracks& tracks, const TimelineLayoutOptions& options) {
    const QFontMetricsF metrics(options.style.font());
    const QFontMetricsF bold(options.style.font(QFont::DemiBold));
    const double line = std::max(kLaneHeight, std::ceil(metrics.height()) + 3.0);
    TimelineLayout layout;
    layout.labelWidth = kLabelColumn;
    for (const auto& track : tracks) {
        layout.labelWidth =
            std::max(layout.labelWidth, kLabelMargin + bold.horizontalAdvance(track.name()) + 6.0);
        for (const auto lane : track.lanes()) { // where it belongs to, beside it, if that takes little room
            const auto text = laneTitle(track.step(), lane) + lanePlace(track.step(), lane);
            const double width =
                kLabelMargin + kLaneIndent + metrics.horizontalAdvance(text) + kPlaceGap + 8.0;
            if (width < kPlaceShare * options.width)
                layout.labelWidth = std::max(layout.labelWidth, width);
        }
    }
    layout.busyWidth = busyColumn(metrics);
    const double left = layout.labelWidth;
    const double across = layout.across(options.width);
    double y = 0.0;
    const auto take = [&](double height) {
        const QRectF rect(left, y, across, height);
        y += height;
        return rect;
    };
    layout.axis = take(line);
    const double top = y;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        const bool together = i > 0 && tracks[i].isStage() && tracks[i - 1].isStage();
        if (i > 0 && !together)
            y += kBetweenGroups;
        if (!tracks[i].isStage()) // a stage is its only lane
            layout.rows.push_back({i, {}, take(line - 2.0)});
        for (const auto lane : tracks[i].lanes())
            layout.rows.push_back({i, lane, take(line)});
    }
    layout.lanes = QRectF(left, top, across, y - top);
    if (options.overview) {
        y += 3.0;
        layout.overview = take(std::max(kOverviewHeight, line));
    }
    y += 1.0;
    const double bottom = flowLegend(layout, tracks, options.width, y, line, metrics);
    if (options.height > 0.0 && bottom > options.height)
        layout.legend.clear();
    else
        y = bottom;
    layout.height = y;
    return layout;
}

} // namespace heteroscape::widgets
