// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/workload.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/serving.h"
#include "engine/scenario/sessions.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace heteroscape::engine {

namespace {

std::size_t sizeOf(const Serving& serving) {
    const auto& trace = serving.trace.requests;
    return trace ? std::min(trace->requests.size(),
                            static_cast<std::size_t>(serving[kRequestsParameter.spec.key].value))
                 : 0;
}

class TraceSource final : public RequestSource {
public:
    explicit TraceSource(const Serving& serving)
        : RequestSource(sizeOf(serving)), m_trace(serving.trace.requests) {}

    void next(Request& request) override {
        const auto& traced = m_trace->requests[m_made];
        request.arrival = traced.arrival;
        request.prompt = traced.prompt;
        request.output = traced.output;
        if (!m_trace->known.empty())
            request.known = m_trace->known[m_made];
        ++m_made;
    }

private:
    std::shared_ptr<const RequestTrace> m_trace;
    std::size_t m_made = 0;
};

/// As recorded, with their lengths.
class Trace final : public ArrivalKind {
public:
    Trace()
        : ArrivalKind({"trace", "Trace", "as recorded", "a trace",
                       "Requests come as recorded in a file, each with its own prompt and output length."}) {}

    std::span<const KindParameter> parameters() const override { return m_parameters; }
    bool readsTrace() const override { return true; }
    std::string describe(const Serving& serving, const std::string& count) const override {
        const auto failed = serving.trace.requests ? serving.trace.requests->failed : 0;
        return count + " requests of " + std::filesystem::path(serving.trace.path).filename().string() +
               (failed > 0 ? ", " + std::to_string(failed) + " that failed left out" : "");
    }
    void check(const Serving& serving, std::vector<Diagnostic>& findings) const override {
        checkOpenSessions(serving, findings);
        const auto& trace = serving.trace;
        if (trace.requests)
            return;
        const auto& why = trace.problem.empty() ? trace.path : trace.problem;
        const auto* again = trace.isOutside ? "Choose the file to allow it, or other arrivals"
                                            : "Choose the file again, or other arrivals";
        if (trace.path.empty())
            findings.push_back({Severity::Error, "serving.trace",
                                "Requests come from a trace, but none is chosen",
                                "Choose a file of requests, or other arrivals"});
        else
            findings.push_back(
                {Severity::Error, "serving.trace", "The trace of requests is not loaded: " + why, again});
    }
    UserPlan users(const Serving& serving) const override { return sessionPlan(serving); }
    std::unique_ptr<RequestSource> requests(const Serving& serving, const Workload&) const override {
        return std::make_unique<TraceSource>(serving);
    }
    RequestLengths lengths(const Serving& serving, const Workload& workload) const override {
        if (!serving.trace.requests)
            return ArrivalKind::lengths(serving, workload);
        RequestLengths lengths{1e9, 1.0, 2.0};
        for (std::size_t i = 0; i < sizeOf(serving); ++i) {
            const auto& request = serving.trace.requests->requests[i];
            const double prompt = request.prompt;
            lengths.shortestPrompt = std::min(lengths.shortestPrompt, prompt);
            lengths.longestPrompt = std::max(lengths.longestPrompt, prompt);
            lengths.longest = std::max(lengths.longest, prompt + request.output);
        }
        return lengths;
    }
    std::string content(const Serving& serving) const override {
        const auto& trace = serving.trace.requests;
        return trace ? std::string(trace->hash.data(), trace->hash.size()) : std::string();
    }

private:
    std::array<KindParameter, 2> m_parameters{kRequestsParameter, kSharedPrefixParameter};
};

} // namespace

const ArrivalKind& traceArrivals() {
    static const Trace kind;
    return kind;
}

} // namespace heteroscape::engine
