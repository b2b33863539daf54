// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/serving.h"

#include "engine/base/error.h"
#include "engine/catalog/named.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

namespace heteroscape::engine {

namespace {

/// Written whatever is chosen: readers of the format find them in every design that it has written.
constexpr std::array<std::string_view, 3> kAlwaysWritten{"requests", "rate_req_s", "seed"};

std::size_t indexOf(std::string_view key) {
    const auto all = servingParameters();
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].spec.key == key)
            return i;
    throw Error(ErrorCode::NotFound, "serving." + std::string(key.substr(0, 80)),
                "no kind of arrivals or batching has such a parameter", "List it in the kind's parameters()");
}

const std::array<Field<Serving>, 3> kServingFields{{
    {{"ttft_limit_s", "TTFT limit", "s", 1, 1e-6, 1e6, false, false,
      "Time to first token, with queueing, that a request may take to count as goodput; not set: any."},
     &Serving::ttftLimit},
    {{"tpot_limit_s", "TPOT limit", "s", 1, 1e-9, 1e6, false, false,
      "Time per output token that a request may take to count as goodput; not set: any."},
     &Serving::tpotLimit},
    {{"e2e_limit_s", "End-to-end limit", "s", 1, 1e-6, 1e7, false, false,
      "Time from arrival to the last token that a request may take to count as goodput; not set: any."},
     &Serving::latencyLimit},
}};

} // namespace

std::span<const KindParameter> servingParameters() {
    static const auto all = [] {
        std::vector<KindParameter> parameters;
        const auto add = [&](const ServingKind& kind) {
            for (const auto& parameter : kind.parameters())
                if (std::none_of(parameters.begin(), parameters.end(), [&](const KindParameter& known) {
                        return known.spec.key == parameter.spec.key;
                    }))
                    parameters.push_back(parameter);
        };
        for (const auto* kind : arrivalKinds().all())
            add(*kind);
        for (const auto* kind : batchingKinds().all())
            add(*kind);
        return parameters;
    }();
    return all;
}

std::vector<Quantity> initialServingQuantities() {
    std::vector<Quantity> quantities;
    quantities.reserve(servingParameters().size());
    for (const auto& parameter : servingParameters())
        quantities.push_back({parameter.initial, Provenance::User, {}});
    return quantities;
}

std::span<const Field<Serving>> servingFields() {
    return kServingFields;
}

Quantity& Serving::operator[](std::string_view key) {
    return quantities[indexOf(key)];
}

const Quantity& Serving::operator[](std::string_view key) const {
    return quantities[indexOf(key)];
}

bool Serving::uses(std::string_view key) const {
    return arrivals->indexOf(key) >= 0 || batching->indexOf(key) >= 0;
}

Settings Serving::settings(const ServingKind& kind) const {
    Settings settings(kind);
    const auto parameters = kind.parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i)
        settings.quantity(i) = (*this)[parameters[i].spec.key];
    return settings;
}

void Serving::setTrace(TraceFile file) {
    trace = std::move(file);
    const auto kinds = arrivalKinds().all();
    if (trace.requests) {
        if (const auto reader = std::find_if(kinds.begin(), kinds.end(),
                                             [](const ArrivalKind* kind) { return kind->readsTrace(); });
            reader != kinds.end() && !arrivals->readsTrace())
            arrivals = *reader;
        (*this)[kRequestsParameter.spec.key] = {
            static_cast<double>(trace.requests->requests.size()), Provenance::User, {}};
    } else if (arrivals->readsTrace()) {
        arrivals = kinds.front();
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
        serving.arrivals = &arrivalKinds().at(object.text("arrivals"), object.place("arrivals"));
    if (object.has("batching"))
        serving.batching = &batchingKinds().at(object.text("batching"), object.place("batching"));
    const auto parameters = servingParameters();
    for (std::size_t i = 0; i < parameters.size(); ++i)
        if (const auto& spec = parameters[i].spec; const auto* json = object.find(spec.key))
            serving.quantities[i] = readQuantity(spec, *json, object.place(spec.key), {});
    for (const auto& field : servingFields())
        if (const auto* json = object.find(field.spec.key))
            serving.*field.member = readQuantity(field.spec, *json, object.place(field.spec.key), {});
    if (const auto* trace = object.find("trace"); trace && trace->is_object())
        serving.trace = readTraceFile(JsonObject(*trace, object.place("trace")));
    else
        serving.trace.path = object.text("trace", "");
    object.finish();
    return serving;
}

Json writeServing(const Serving& serving) {
    Json json = {{"arrivals", serving.arrivals->id()}, {"batching", serving.batching->id()}};
    const auto parameters = servingParameters();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const auto& [spec, initial] = parameters[i];
        const auto& quantity = serving.quantities[i];
        const bool told =
            serving.uses(spec.key) || quantity != Quantity{initial, Provenance::User, {}} ||
            std::find(kAlwaysWritten.begin(), kAlwaysWritten.end(), spec.key) != kAlwaysWritten.end();
        if (quantity.isSet() && told)
            writeQuantityInto(json, spec, quantity);
    }
    writeFields(serving, servingFields(), json);
    const auto& trace = serving.trace;
    if (trace.requests && trace.requests->requests.size() <= kMaxKeptRequests)
        json["trace"] = {{"path", trace.path}, {"csv", traceText(*trace.requests)}};
    else
        writeText(json, "trace", trace.path);
    return json;
}

namespace {

namespace fs = std::filesystem;

/// Where a path leads to, links followed; empty when that cannot be told.
fs::path whole(const fs::path& path) {
    std::error_code failure;
    auto found = fs::weakly_canonical(path, failure);
    return failure ? fs::path() : found;
}

bool isBelow(const fs::path& file, const fs::path& folder) {
    const auto rest = file.lexically_relative(folder);
    return !rest.empty() && *rest.begin() != ".." && rest != ".";
}

} // namespace

void loadTrace(Serving& serving, const std::string& folder, TraceRights rights) {
    auto& trace = serving.trace;
    if (trace.requests || trace.path.empty()) // it came with the design, or there is none
        return;
    trace.problem.clear();
    trace.isOutside = false;
    const fs::path name(trace.path);
    const auto home = folder.empty() ? fs::path() : whole(folder);
    const auto named = whole(home / name);
    const auto beside = home.empty() ? fs::path() : whole(home / name.filename());
    const bool mayBeNamed =
        rights == TraceRights::Anywhere || (!home.empty() && !named.empty() && isBelow(named, home));
    std::error_code unknown;
    const bool besideIt = !beside.empty() && isBelow(beside, home) && fs::exists(beside, unknown) &&
                          !(mayBeNamed && fs::exists(named, unknown));
    if (!mayBeNamed && !besideIt) { // not even looked at
        trace.isOutside = true;
        trace.problem = trace.path + " lies outside the folder of the design and was not opened";
        return;
    }
    try {
        trace.requests = std::make_shared<const RequestTrace>(
            readRequestTrace(besideIt ? beside.string() : named.string()));
    } catch (const Error& error) {
        trace.problem = error.what();
    }
}

} // namespace heteroscape::engine
