// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_track.h"

#include "widgets/timeline/timeline_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>

namespace heteroscape::widgets {

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
    m_step.keys = step.keys;
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
        m_busy[slot(segment.lane)] += (segment.end - segment.start) / m_step.seconds;
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
    if (m_isStage) // for the microbatch, or for the next one: both are drawn
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
