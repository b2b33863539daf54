// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/sessions.h"

#include "engine/catalog/workload.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/serving.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace heteroscape::engine {

namespace {

/// A whole number in [low, low + span], as numpy's legacy generator draws it.
class MaskedDraw {
public:
    MaskedDraw(double length, double ratio)
        : m_low(static_cast<std::uint32_t>(std::max(1.0, std::floor(ratio * length)))),
          m_span(static_cast<std::uint32_t>(length) - std::min(static_cast<std::uint32_t>(length), m_low)) {
        while (m_mask < m_span)
            m_mask = 2 * m_mask + 1;
    }

    std::uint32_t operator()(std::mt19937& random) const {
        if (m_span == 0)
            return m_low; // nothing is drawn
        std::uint32_t drawn = 0;
        do
            drawn = static_cast<std::uint32_t>(random()) & m_mask;
        while (drawn > m_span);
        return m_low + drawn;
    }

private:
    std::uint32_t m_low;
    std::uint32_t m_span;
    std::uint32_t m_mask = 0;
};

} // namespace

std::vector<RequestSize> drawLengths(const ClientLengths& lengths, std::size_t requests) {
    std::mt19937 random(lengths.seed);
    const MaskedDraw prompt(lengths.prompt, lengths.ratio);
    const MaskedDraw output(lengths.output, lengths.ratio);
    std::vector<RequestSize> sizes(requests);
    for (auto& size : sizes)
        size.prompt = prompt(random);
    for (auto& size : sizes)
        size.output = output(random);
    return sizes;
}

namespace {

double toldToArrivals(const Serving& serving, const KindParameter& parameter, double otherwise) {
    const auto key = parameter.spec.key;
    return serving.arrivals->indexOf(key) >= 0 ? serving[key].valueOr(otherwise) : otherwise;
}

} // namespace

std::size_t turnsOf(const Serving& serving) {
    return static_cast<std::size_t>(toldToArrivals(serving, kTurnsParameter, 1.0));
}

UserPlan sessionPlan(const Serving& serving) {
    UserPlan plan;
    plan.turns = toldToArrivals(serving, kTurnsParameter, 1.0);
    plan.pause = toldToArrivals(serving, kPauseParameter, 0.0);
    plan.sharedPrefix = toldToArrivals(serving, kSharedPrefixParameter, 0.0);
    return plan;
}

std::uint64_t requestsOfSessions(const Serving& serving) {
    const auto asked = static_cast<std::uint64_t>(serving[kRequestsParameter.spec.key].value);
    const std::uint64_t turns = turnsOf(serving);
    return std::max<std::uint64_t>(1, asked / turns) * turns;
}

RequestLengths sessionLengths(const Serving& serving, const Workload& workload, double shortestPrompt) {
    const double prompt = workload.promptTokens.value;
    const double turn = prompt + workload.outputTokens.value;
    const double before = turn * (static_cast<double>(turnsOf(serving)) - 1.0);
    return {shortestPrompt, before + prompt, before + turn};
}

void checkPrefixes(const Serving& serving, std::vector<Diagnostic>& findings) {
    constexpr std::string_view kHits = "prefix_hit";
    if (!serving.batching->isServer())
        return;
    const bool hits = serving.batching->indexOf(kHits) >= 0 && serving[kHits].valueOr(0.0) > 0.0;
    const bool shares = sessionPlan(serving).sharedPrefix > 0.0;
    const auto& trace = serving.trace.requests;
    const bool told = serving.arrivals->readsTrace() && trace && !trace->known.empty();
    if (hits && !shares && !told && turnsOf(serving) <= 1)
        findings.push_back({Severity::Warning, "serving.prefix_hit",
                            "Prefix hits change nothing: no prompt has tokens in common with an earlier one",
                            "Set serving.shared_prefix_tokens, or serving.turns above 1"});
    if (told && !hits)
        findings.push_back(
            {Severity::Warning, "serving.trace",
             "Prompts of the trace have tokens in common, which change nothing: no KV cache of "
             "earlier prompts is looked up",
             "Set serving.prefix_hit to the share of these tokens that are found"});
    if (shares && !hits)
        findings.push_back({Severity::Warning, "serving.shared_prefix_tokens",
                            "A shared prefix changes nothing: no KV cache of earlier prompts is looked up",
                            "Set serving.prefix_hit to the share of its tokens that are found"});
}

void checkOpenSessions(const Serving& serving, std::vector<Diagnostic>& findings) {
    checkPrefixes(serving, findings);
    if (turnsOf(serving) > 1 && !serving.batching->isServer())
        findings.push_back(
            {Severity::Error, "serving.batching",
             "Sessions of several turns cannot be served by " + std::string(serving.batching->noun()),
             "Set batching to mixed, whole or first, or turns to 1"});
    if (sessionPlan(serving).sharedPrefix > 0.0 && !serving.batching->isServer())
        findings.push_back({Severity::Warning, "serving.shared_prefix_tokens",
                            "A shared prefix makes no difference to " + std::string(serving.batching->noun()),
                            "Set batching to mixed, whole or first"});
}

void SessionHistory::add(Request& request) {
    if (m_turn == 0)
        m_history = 0;
    m_turn = (m_turn + 1) % m_turns;
    request.prompt += m_history;
    m_history = request.prompt + request.output;
}

} // namespace heteroscape::engine
