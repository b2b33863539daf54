// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/exporters/serving_export.h"

#include "engine/base/json.h"
#include "engine/exporters/csv.h"
#include "engine/units/number_text.h"
#include "engine/units/units.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

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
