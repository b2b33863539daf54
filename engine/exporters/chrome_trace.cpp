// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/exporters/chrome_trace.h"

#include "engine/base/json.h"
#include "engine/units/units.h"

#include <array>

namespace heteroscape::engine {

namespace {

Json metadata(const char* name, int pid, int tid, Json args) {
    return {{"ph", "M"}, {"name", name}, {"pid", pid}, {"tid", tid}, {"args", std::move(args)}};
}

/// The name of an event: a trace viewer shows nothing else on it.
std::string eventName(const TimelineSegment& segment) {
    const std::string label(segment.label);
    switch (segment.work) {
    case Work::Read:
        return "Read: " + label;
    case Work::Prefetch:
        return "Prefetch: " + label;
    case Work::Operator:
    case Work::AllReduce:
        break;
    }
    return label;
}

Json eventOf(const TimelineSegment& segment, int pid) {
    Json args = {{"operator", segment.key}, {"work", workName(segment.work)}, {"bytes", segment.bytes}};
    args["layer"] = segment.layer < 0 ? Json("head") : Json(segment.layer);
    if (segment.work == Work::Operator)
        args["hit"] = segment.hit;
    return {{"ph", "X"},
            {"name", eventName(segment)},
            {"cat", workName(segment.work)},
            {"pid", pid},
            {"tid", static_cast<int>(segment.lane)},
            {"ts", segment.start / units::micro},
            {"dur", (segment.end - segment.start) / units::micro},
            {"args", std::move(args)}};
}

} // namespace

std::string chromeTrace(const std::vector<std::pair<std::string, StepTimeline>>& processes) {
    Json events = Json::array();
    int pid = 0;
    for (const auto& [name, timeline] : processes) {
        ++pid;
        std::array<bool, kLaneCount> used{};
        for (const auto& segment : timeline.segments)
            used[static_cast<std::size_t>(segment.lane)] = true;
        events.push_back(metadata("process_name", pid, 0, {{"name", name}}));
        events.push_back(metadata("process_sort_index", pid, 0, {{"sort_index", pid}}));
        for (int lane = 0; lane < static_cast<int>(kLaneCount); ++lane) {
            if (!used[static_cast<std::size_t>(lane)])
                continue;
            events.push_back(
                metadata("thread_name", pid, lane, {{"name", laneLabel(static_cast<Lane>(lane))}}));
            events.push_back(metadata("thread_sort_index", pid, lane, {{"sort_index", lane}}));
        }
        for (const auto& segment : timeline.segments)
            events.push_back(eventOf(segment, pid));
    }
    return Json{{"displayTimeUnit", "ns"}, {"traceEvents", std::move(events)}}.dump(1) + '\n';
}

} // namespace heteroscape::engine
