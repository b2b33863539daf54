// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_track.h"

#include "widgets/timeline/timeline_text.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <array>
#include <map>

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

namespace {

using engine::Lane;
using engine::Work;

struct TimelineTrackText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::TimelineTrack)
};

std::size_t slot(Lane lane) {
    return static_cast<std::size_t>(lane);
}

/// Whether two times of one step are the same but for rounding.
bool meets(double a, double b, double step) {
    return std::abs(a - b) <= 1e-12 * step;
}

} // namespace

TimelineTrack::TimelineTrack(const engine::StepTimeline& step, std::size_t stage)
    : m_name(QString::fromStdString(step.stages[stage].title)), m_isStage(true) {
    const auto& lane = step.stages[stage];
    m_step.node = step.node;
    m_step.name = step.name;
    m_step.kind = step.kind;
    m_step.phase = step.phase;
    m_step.context = step.context;
    m_step.seconds = step.seconds;
    m_step.layers = lane.layers;
    m_step.lanes[slot(Lane::Compute)] = {lane.title, lane.place};
    m_step.segments = lane.segments;
    for (const auto& segment : lane.segments)
        m_lanes[slot(Lane::Compute)].push_back({segment, Operands::None, {}});
    m_busy[slot(Lane::Compute)] = lane.busy;
    m_shown.push_back(Lane::Compute);
}

TimelineTrack::TimelineTrack(QString name, engine::StepTimeline step)
    : m_name(std::move(name)), m_step(std::move(step)) {
    for (const auto& segment : m_step.segments) {
        m_lanes[slot(segment.lane)].push_back({segment, segment.hit ? Operands::Hit : Operands::None, {}});
        m_busy[slot(segment.lane)] += (segment.end - segment.start) / m_step.seconds *
                                      (segment.lane == Lane::Power ? segment.watts / m_step.powerLimit : 1.0);
        m_mostWatts = std::max(m_mostWatts, segment.watts);
    }
    for (std::size_t i = 0; i < m_lanes.size(); ++i)
        if (!m_lanes[i].empty())
            m_shown.push_back(static_cast<Lane>(i));
    pairReads();
}

void TimelineTrack::pairReads() {
    std::map<std::pair<int, std::string_view>, std::size_t> reads;
    const auto& memory = m_lanes[slot(Lane::Memory)];
    for (std::size_t i = 0; i < memory.size(); ++i)
        reads.emplace(std::pair(memory[i].data.layer, memory[i].data.key), i);
    for (auto& segment : m_lanes[slot(Lane::Compute)]) {
        const auto found = reads.find({segment.data.layer, segment.data.key});
        if (found == reads.end())
            continue;
        segment.read = found->second;
        if (memory[found->second].data.work == Work::Read)
            segment.operands = Operands::Missed;
    }
}

std::span<const TrackSegment> TimelineTrack::segments(Lane lane) const {
    return m_lanes[slot(lane)];
}

double TimelineTrack::busy(Lane lane) const {
    return m_busy[slot(lane)];
}

std::pair<std::size_t, std::size_t> TimelineTrack::within(Lane lane, TimeSpan span) const {
    const auto& all = m_lanes[slot(lane)];
    const auto first = std::partition_point(
        all.begin(), all.end(), [&](const TrackSegment& segment) { return segment.data.end <= span.from; });
    const auto last = std::partition_point(
        first, all.end(), [&](const TrackSegment& segment) { return segment.data.start < span.to; });
    return {static_cast<std::size_t>(first - all.begin()), static_cast<std::size_t>(last - all.begin())};
}

std::optional<std::size_t> TimelineTrack::at(Lane lane, double seconds) const {
    const auto& all = m_lanes[slot(lane)];
    const auto found = std::partition_point(
        all.begin(), all.end(), [&](const TrackSegment& segment) { return segment.data.end <= seconds; });
    if (found == all.end() || found->data.start > seconds)
        return {};
    return static_cast<std::size_t>(found - all.begin());
}

const TrackSegment* TimelineTrack::before(Lane lane, double seconds) const {
    const auto& all = m_lanes[slot(lane)];
    const auto next = std::partition_point(
        all.begin(), all.end(), [&](const TrackSegment& segment) { return segment.data.start < seconds; });
    return next == all.begin() ? nullptr : &*std::prev(next);
}

QString TimelineTrack::waitedFor(Lane lane, std::size_t index) const {
    const auto& segment = m_lanes[slot(lane)].at(index);
    const double start = segment.data.start;
    if (m_isStage || lane == Lane::Power) // for the microbatch, or for the next one: both are drawn
        return {};
    if (m_step.offloads) { // flows and operators wait for whatever ends when they start, the own lane first
        const TrackSegment* found = nullptr;
        for (const auto which : m_shown)
            if (const auto* other = before(which, start);
                other && meets(other->data.end, start, m_step.seconds) && (!found || which == lane))
                found = other;
        return found ? segmentTitle(found->data) : QString();
    }
    const auto& memory = m_lanes[slot(Lane::Memory)];
    if (segment.operands == Operands::Hit && segment.read &&
        meets(memory[*segment.read].data.end, segment.data.end, m_step.seconds))
        return TimelineTrackText::tr("its own prefetch");
    // The main stream (operators and allreduces) runs in order; memory waits for itself or for that stream.
    const TrackSegment* main = nullptr;
    for (const auto which : {Lane::Compute, Lane::Network})
        if (const auto* found = before(which, start); found && (!main || found->data.end > main->data.end))
            main = found;
    const auto* reading = before(Lane::Memory, start);
    const bool memoryHeld = reading && meets(reading->data.end, start, m_step.seconds);
    if (lane == Lane::Memory && segment.data.work == Work::Prefetch && !memoryHeld)
        return TimelineTrackText::tr("the start of the allreduce");
    if (memoryHeld && (lane == Lane::Memory || !main || !meets(main->data.end, start, m_step.seconds)))
        return segmentTitle(reading->data);
    return main ? segmentTitle(main->data) : QString();
}

double endOf(const TimelineTracks& tracks) {
    double end = 0.0;
    for (const auto& track : tracks)
        end = std::max(end, track.step().seconds);
    return end;
}

double layerOf(const TimelineTracks& tracks) {
    double layer = 0.0;
    for (const auto& track : tracks)
        layer = std::max(layer, track.step().layerSeconds);
    return layer;
}

} // namespace heteroscape::widgets
