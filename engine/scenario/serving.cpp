// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/serving.h"

#include "engine/base/error.h"
#include "engine/catalog/named.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

namespace heteroscape::engine {

namespace {

constexpr std::array<std::string_view, 4> kArrivals{"steady", "backlog", "poisson", "trace"};
constexpr std::array<std::string_view, 2> kBatching{"static", "continuous"};

const std::array<Field<Serving>, 6> kFields{{
    {{"requests", "Requests", "", 1, 1, 2e7, true, true,
      "Requests that are simulated; of a trace at most so many."},
     &Serving::requests},
    {{"rate_req_s", "Request rate", "req/s", 1, 1e-6, 1e6, false, true,
      "Mean rate of requests that come independently of each other (Poisson)."},
     &Serving::rate},
    {{"seed", "Seed", "", 1, 0, 4294967295.0, true, true,
      "Start of the random numbers: the same seed gives the same requests."},
     &Serving::seed},
    {{"chunk_tokens", "Prefill chunk", "tok", 1, 1, 1 << 22, true, false,
      "Tokens of a prompt that one step takes beside the decodes of a continuous batch; not set: whole "
      "prompts."},
     &Serving::chunkTokens},
    {{"ttft_limit_s", "TTFT limit", "s", 1, 1e-6, 1e6, false, false,
      "Time to first token, with queueing, that a request may take to count as goodput; not set: any."},
     &Serving::ttftLimit},
    {{"tpot_limit_s", "TPOT limit", "s", 1, 1e-9, 1e6, false, false,
      "Time per output token that a request may take to count as goodput; not set: any."},
     &Serving::tpotLimit},
}};

} // namespace

std::span<const std::string_view> arrivalsNames() {
    return kArrivals;
}

std::span<const std::string_view> batchingNames() {
    return kBatching;
}

std::span<const Field<Serving>> servingFields() {
    return kFields;
}

void Serving::setTrace(TraceFile file) {
    trace = std::move(file);
    if (trace.requests) {
        arrivals = Arrivals::Trace;
        requests = {static_cast<double>(trace.requests->requests.size()), Provenance::User, {}};
    } else if (arrivals == Arrivals::Trace) {
        arrivals = Arrivals::Steady;
    }
}

namespace {

TraceFile readTraceFile(JsonObject object) {
    TraceFile trace;
    trace.path = object.text("path");
    const auto& text = object.require("csv"); // as long as a trace is
    if (!text.is_string())
        throwInvalid(object.place("csv"), "not a string", "Give the rows of the trace as CSV");
    std::istringstream csv(text.get<std::string>());
    trace.requests = std::make_shared<const RequestTrace>(parseRequestTrace(csv, object.place("csv")));
    object.finish();
    return trace;
}

} // namespace

Serving readServing(JsonObject object) {
    Serving serving;
    if (object.has("arrivals"))
        serving.arrivals = static_cast<Arrivals>(readName(object, "arrivals", kArrivals));
    if (object.has("batching"))
        serving.batching = static_cast<Batching>(readName(object, "batching", kBatching));
    for (const auto& field : servingFields())
        if (const auto* json = object.find(field.spec.key))
            serving.*field.member = readFigure(field.spec, *json, object.place(field.spec.key), {});
    if (const auto* trace = object.find("trace"); trace && trace->is_object())
        serving.trace = readTraceFile(JsonObject(*trace, object.place("trace")));
    else
        serving.trace.path = object.text("trace", "");
    object.finish();
    return serving;
}

Json writeServing(const Serving& serving) {
    Json json = {{"arrivals", kArrivals[static_cast<std::size_t>(serving.arrivals)]},
                 {"batching", kBatching[static_cast<std::size_t>(serving.batching)]}};
    writeFields(serving, servingFields(), json);
    const auto& trace = serving.trace;
    if (trace.requests && trace.requests->requests.size() <= kMaxKeptRequests)
        json["trace"] = {{"path", trace.path}, {"csv", traceText(*trace.requests)}};
    else
        writeText(json, "trace", trace.path);
    return json;
}

void loadTrace(Serving& serving, const std::string& folder) {
    namespace fs = std::filesystem;
    auto& trace = serving.trace;
    if (trace.requests || trace.path.empty()) // it came with the design, or there is none
        return;
    trace.problem.clear();
    auto found = fs::path(trace.path);
    std::error_code ignored;
    for (const auto& tried :
         {fs::path(folder) / trace.path, fs::path(folder) / fs::path(trace.path).filename()})
        if (!fs::exists(found, ignored) && fs::exists(tried, ignored))
            found = tried;
    try {
        trace.requests = std::make_shared<const RequestTrace>(readRequestTrace(found.string()));
    } catch (const Error& error) {
        trace.problem = error.what();
    }
}

} // namespace heteroscape::engine
