// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/exporters/timeline_export.h"

#include "engine/base/csv.h"
#include "engine/base/json.h"
#include "engine/units/number_text.h"
#include "engine/units/units.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace heteroscape::engine {

namespace {

Json metadata(const char* name, int pid, int tid, Json args) {
    return {{"ph", "M"}, {"name", name}, {"pid", pid}, {"tid", tid}, {"args", std::move(args)}};
}

/// The name of an event: a trace viewer shows nothing else on it.
std::string eventName(const TimelineSegment& segment) {
    std::string label(segment.label);
    switch (segment.work) {
    case Work::Read:
        return "Read: " + label;
    case Work::Prefetch:
        return "Prefetch: " + label;
    default:
        return label;
    }
}

Json eventOf(const TimelineSegment& segment, int pid, double offset) {
    if (segment.work == Work::Power)
        return {{"ph", "C"},
                {"name", eventName(segment)},
                {"pid", pid},
                {"ts", (offset + segment.start) / units::micro},
                {"args", {{"W", segment.watts}}}};
    Json args = {{"operator", segment.key}, {"work", workName(segment.work)}, {"bytes", segment.bytes}};
    args["layer"] = segment.layer < 0 ? Json("head") : Json(segment.layer);
    args["gb_per_s"] = segment.rate() / units::GB;
    args["bound"] = boundName(segment.bound);
    if (segment.work == Work::Operator)
        args["hit"] = segment.hit;
    return {{"ph", "X"},
            {"name", eventName(segment)},
            {"cat", workName(segment.work)},
            {"pid", pid},
            {"tid", static_cast<int>(segment.lane)},
            {"ts", (offset + segment.start) / units::micro},
            {"dur", (segment.end - segment.start) / units::micro},
            {"args", std::move(args)}};
}

/// Gathers events; names the lanes of a process when they are first used.
class TraceWriter {
public:
    int addProcess(const std::string& name) {
        const int pid = static_cast<int>(m_lanes.size()) + 1;
        m_lanes.emplace_back();
        m_events.push_back(metadata("process_name", pid, 0, {{"name", name}}));
        m_events.push_back(metadata("process_sort_index", pid, 0, {{"sort_index", pid}}));
        return pid;
    }

    void addStep(const StepTimeline& step, int pid, double offset) {
        for (int lane = 0; lane < static_cast<int>(kLaneCount); ++lane)
            for (const auto& segment : step.segments)
                if (static_cast<int>(segment.lane) == lane && segment.lane != Lane::Power) {
                    useLane(pid, segment.lane, step.lanes);
                    break;
                }
        for (const auto& segment : step.segments)
            m_events.push_back(eventOf(segment, pid, offset));
        for (std::size_t i = 0; i < step.stages.size(); ++i)
            addStage(step.stages[i], pid, static_cast<int>(kLaneCount + i), offset);
    }

    void addStretch(const RequestPart& part, int pid) {
        const bool transfer = part.kind == RequestPart::Kind::KvTransfer;
        const auto lane = transfer ? Lane::Network : Lane::Compute;
        useLane(pid, lane, part.step.lanes);
        const std::string name =
            transfer ? "KV transfer" : std::to_string(std::llround(part.steps)) + " decode steps";
        m_events.push_back({{"ph", "X"},
                            {"name", name},
                            {"cat", transfer ? "kv_transfer" : "steps"},
                            {"pid", pid},
                            {"tid", static_cast<int>(lane)},
                            {"ts", part.start / units::micro},
                            {"dur", (part.end - part.start) / units::micro},
                            {"args", {{"steps", part.steps}}}});
    }

    std::string text(Json other = {}) {
        Json trace = {{"displayTimeUnit", "ns"}, {"traceEvents", std::move(m_events)}};
        if (!other.is_null())
            trace["otherData"] = std::move(other);
        return trace.dump(1) + '\n';
    }

private:
    Json m_events = Json::array();
    std::vector<std::array<bool, kLaneCount>> m_lanes; ///< used ones of each process

    std::set<std::pair<int, int>> m_stages; ///< named ones: process and lane

    void addStage(const StageLane& stage, int pid, int tid, double offset) {
        if (m_stages.insert({pid, tid}).second) {
            const auto name = stage.place.empty() ? stage.title : stage.title + " (" + stage.place + ")";
            m_events.push_back(metadata("thread_name", pid, tid, {{"name", name}}));
            m_events.push_back(metadata("thread_sort_index", pid, tid, {{"sort_index", tid}}));
        }
        for (const auto& segment : stage.segments)
            m_events.push_back(
                {{"ph", "X"},
                 {"name", segment.microbatch < 0
                              ? std::string(segment.label)
                              : std::string(segment.label) + " " + std::to_string(segment.microbatch + 1)},
                 {"cat", workName(segment.work)},
                 {"pid", pid},
                 {"tid", tid},
                 {"ts", (offset + segment.start) / units::micro},
                 {"dur", (segment.end - segment.start) / units::micro},
                 {"args", {{"microbatch", segment.microbatch + 1}, {"layers", stage.layers}}}});
    }

    void useLane(int pid, Lane lane, const LaneNames& names) {
        const int tid = static_cast<int>(lane);
        auto& used = m_lanes[static_cast<std::size_t>(pid - 1)][static_cast<std::size_t>(tid)];
        if (used)
            return;
        used = true;
        const auto& [title, place] = names[static_cast<std::size_t>(tid)];
        const auto name = place.empty() ? title : title + " (" + place + ")";
        m_events.push_back(metadata("thread_name", pid, tid, {{"name", name}}));
        m_events.push_back(metadata("thread_sort_index", pid, tid, {{"sort_index", tid}}));
    }
};

} // namespace

std::string chromeTrace(const std::vector<std::pair<std::string, StepTimeline>>& processes) {
    TraceWriter trace;
    for (const auto& [name, timeline] : processes) {
        const int pid = trace.addProcess(name);
        trace.addStep(timeline, pid, 0.0);
    }
    return trace.text();
}

std::string requestTrace(const RequestTimeline& request) {
    TraceWriter trace;
    std::map<std::string, int> pids; // by node
    for (const auto& part : request.parts) {
        const auto& step = part.step;
        auto [known, isNew] = pids.try_emplace(step.node.value, 0);
        if (isNew)
            known->second = trace.addProcess(step.name);
        if (part.kind == RequestPart::Kind::Step)
            trace.addStep(step, known->second, part.start);
        else
            trace.addStretch(part, known->second);
    }
    return trace.text({{"seconds", request.seconds}, {"latency_s", request.latency}});
}

namespace {

/// One line of CSV from numbers and texts.
template <class... Cells>
void addLine(std::string& out, const Cells&... cells) {
    const auto one = [](const auto& cell) {
        if constexpr (std::is_convertible_v<decltype(cell), std::string>)
            return csvField(cell);
        else
            return exactText(static_cast<double>(cell));
    };
    const char* comma = "";
    ((out.append(comma).append(one(cells)), comma = ","), ...);
    out += '\n';
}

/// Writes events as they come: a trace of a million segments is built without a tree of them.
class Events {
public:
    Events() : m_text("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n") {}

    void add(const Json& event) {
        m_text += m_first ? "" : ",\n";
        m_first = false;
        m_text += event.dump(-1, ' ', false, Json::error_handler_t::replace);
    }
    void name(const char* what, std::uint32_t pid, std::uint32_t tid, const std::string& text,
              std::uint32_t place) {
        const auto order = what == std::string("process") ? "process_sort_index" : "thread_sort_index";
        add({{"ph", "M"},
             {"name", std::string(what) + "_name"},
             {"pid", pid},
             {"tid", tid},
             {"args", {{"name", text}}}});
        add({{"ph", "M"}, {"name", order}, {"pid", pid}, {"tid", tid}, {"args", {{"sort_index", place}}}});
    }
    std::string text(const Json& other) {
        return std::move(m_text) + "\n],\"otherData\":" + other.dump() + "}\n";
    }

private:
    std::string m_text;
    bool m_first = true;
};

} // namespace

std::string servingSegmentsCsv(const Scenario& scenario, const ServingEvaluation& serving,
                               ServingSpan within) {
    std::string out = "lane,place,request,requests,phase,start_s,end_s,waited_s,waited_for\n";
    const auto& result = serving.result;
    std::vector<ServingLaneName> names;
    for (std::size_t i = 0; i < result.lanes.size(); ++i)
        names.push_back(servingLaneName(scenario, serving, i));
    for (const auto& segment : result.segments)
        if (within.meets(segment.start, segment.end))
            addLine(out, names[segment.lane].title, names[segment.lane].place, segment.request,
                    segment.requests, std::string(servingPhaseKey(segment.phase)), segment.start, segment.end,
                    segment.waited, std::string(waitReasonKey(segment.reason)));
    return out;
}

std::string servedRequestsCsv(const ServingEvaluation& serving, ServingSpan within) {
    std::string out =
        "request,arrival_s,prompt_tokens,output_tokens,prefill_start_s,first_token_s,decode_start_s,"
        "finish_s,wait_s,ttft_s,tpot_s,e2e_s\n";
    for (const auto& served : serving.result.requests) {
        const auto& request = served.request;
        if (!within.meets(request.arrival, served.finish))
            continue;
        addLine(out, request.id, request.arrival, request.prompt, request.output, served.prefillStart,
                served.firstToken, served.decodeStart, served.finish, served.prefillStart - request.arrival,
                served.ttft(), served.tpot(), served.latency());
    }
    return out;
}

std::string queueDepthCsv(const ServingEvaluation& serving) {
    std::string out = "start_s,end_s,waiting,staged,running,most_waiting\n";
    const auto& depth = serving.result.depth;
    for (std::size_t i = 0; i < depth.size(); ++i) {
        const auto mean = depth.mean(i);
        const double start = static_cast<double>(i) * depth.spanSeconds();
        addLine(out, start, std::min(start + depth.spanSeconds(), depth.seconds()), mean.waiting, mean.staged,
                mean.running, depth.largestWaiting(i));
    }
    return out;
}

std::string servingTrace(const Scenario& scenario, const ServingEvaluation& serving) {
    Events events;
    const auto& result = serving.result;
    const auto pid = [](std::uint32_t pool) { return pool + 2; };
    events.name("process", 1, 0, "Requests", 0);
    for (std::uint32_t pool = 0; pool < serving.poolNodes.size(); ++pool)
        events.name("process", pid(pool), 0, scenario.nodes[serving.poolNodes[pool]].shownName(), pool + 1);
    for (std::uint32_t i = 0; i < result.lanes.size(); ++i) {
        const auto name = servingLaneName(scenario, serving, i);
        events.name("thread", pid(result.lanes[i].pool), i,
                    name.place.empty() ? name.title : name.title + " (" + name.place + ")", i);
    }
    for (const auto& segment : result.segments)
        events.add(
            {{"ph", "X"},
             {"name", std::string(servingPhaseLabel(segment.phase)) + " " + std::to_string(segment.request)},
             {"cat", servingPhaseKey(segment.phase)},
             {"pid", pid(result.lanes[segment.lane].pool)},
             {"tid", segment.lane},
             {"ts", segment.start / units::micro},
             {"dur", (segment.end - segment.start) / units::micro},
             {"args",
              {{"request", segment.request},
               {"requests", segment.requests},
               {"waited_s", segment.waited},
               {"waited_for", waitReasonKey(segment.reason)}}}});
    const auto& depth = result.depth;
    for (std::size_t i = 0; i < depth.size(); ++i) {
        const auto mean = depth.mean(i);
        events.add(
            {{"ph", "C"},
             {"name", "requests"},
             {"pid", 1},
             {"ts", static_cast<double>(i) * depth.spanSeconds() / units::micro},
             {"args", {{"waiting", mean.waiting}, {"staged", mean.staged}, {"running", mean.running}}}});
    }
    return events.text({{"seconds", result.end},
                        {"requests_done", result.done},
                        {"seed", double{scenario.serving["seed"].value}}});
}

} // namespace heteroscape::engine
