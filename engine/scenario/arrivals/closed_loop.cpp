// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/workload.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/serving.h"
#include "engine/scenario/sessions.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr std::string_view kUsers = "users";
constexpr std::string_view kWaves = "waves";
constexpr std::string_view kRatio = "length_ratio";
constexpr std::string_view kLengthSeed = "length_seed";
constexpr std::string_view kThink = "think_ms";
constexpr std::string_view kWarmUp = "warm_up";

std::size_t closedSessions(const Serving& serving) {
    return static_cast<std::size_t>(serving[kUsers].value * serving[kWaves].value);
}

ClientLengths lengthsOf(const Serving& serving, const Workload& workload) {
    return {workload.promptTokens.value, workload.outputTokens.value, serving[kRatio].value,
            static_cast<std::uint32_t>(serving[kLengthSeed].value)};
}

/// Session by session, turn by turn; a turn's prompt has all turns before it in it. Times are not known.
class ClosedLoopSource final : public RequestSource {
public:
    ClosedLoopSource(const Serving& serving, const Workload& workload)
        : RequestSource(closedSessions(serving) * turnsOf(serving)), m_history(turnsOf(serving)),
          m_sizes(drawLengths(lengthsOf(serving, workload), static_cast<std::size_t>(size()))) {}

    void next(Request& request) override {
        const auto& drawn = m_sizes[m_made++];
        request.prompt = drawn.prompt;
        request.output = drawn.output;
        m_history.add(request);
    }

private:
    SessionHistory m_history;
    std::vector<RequestSize> m_sizes;
    std::size_t m_made = 0;
};

/// A fixed number of users, as public benchmarks send.
class ClosedLoopArrivals final : public ArrivalKind {
public:
    ClosedLoopArrivals()
        : ArrivalKind(
              {"closed_loop", "Closed loop", "users who wait for answers", "users in a closed loop",
               "A fixed number of users, each of whom sends a request when the one before is answered; "
               "all send one at the start. Lengths are drawn as the public benchmark client draws "
               "them."}) {}

    std::span<const KindParameter> parameters() const override { return m_parameters; }
    std::string_view unsetText(std::string_view key) const override {
        return key == kThink ? "half of overhead" : key == kTurnsParameter.spec.key ? "one" : "none";
    }
    std::string describe(const Serving& serving, const std::string& count) const override {
        const auto turns = turnsOf(serving);
        return count + " requests of " + plainText(serving[kUsers].value) + " users in a closed loop" +
               (turns > 1 ? ", " + std::to_string(turns) + " turns a session" : "");
    }
    void check(const Serving& serving, std::vector<Diagnostic>& findings) const override {
        checkPrefixes(serving, findings);
        if (!serving.batching->stepRule())
            findings.push_back(
                {Severity::Error, "serving.batching",
                 "Users in a closed loop cannot be served by " + std::string(serving.batching->noun()),
                 "Set batching to mixed, whole, first or static"});
        const double requests =
            serving[kUsers].value * serving[kWaves].value * static_cast<double>(turnsOf(serving));
        if (requests > kMostRequests)
            findings.push_back({Severity::Error, "serving.waves",
                                "Users, waves and turns make " + plainText(requests) + " requests, over " +
                                    plainText(kMostRequests),
                                "Lower waves or users"});
    }
    std::string_view loadKey() const override { return kUsers; }
    UserPlan users(const Serving& serving) const override {
        auto plan = sessionPlan(serving);
        plan.users = serving[kUsers].value;
        plan.think = serving[kThink].value;
        plan.warmsUp = serving[kWarmUp].valueOr(0.0) > 0.0;
        return plan;
    }
    std::unique_ptr<RequestSource> requests(const Serving& serving, const Workload& workload) const override {
        return std::make_unique<ClosedLoopSource>(serving, workload);
    }
    RequestLengths lengths(const Serving& serving, const Workload& workload) const override {
        const double shortest = std::floor(serving[kRatio].value * workload.promptTokens.value);
        return sessionLengths(serving, workload, std::max(1.0, shortest));
    }

private:
    static constexpr double kMostRequests = 2e6;
    std::array<KindParameter, 9> m_parameters{{
        {{kUsers, "Users", "", 1, 1, 1e6, true, true, "Who have a request under way at all times."}, 64.0},
        {{kWaves, "Waves", "", 1, 1, 1e6, true, true,
          "Sessions of each user, in the mean; the public benchmark sends ten."},
         10.0},
        {{kRatio, "Shortest length", "", 1, 0, 1, false, true,
          "Lengths are drawn between this share of the workload's and the workload's; 1: all alike."},
         0.8},
        {{kLengthSeed, "Length seed", "", 1, 0, 4294967295.0, true, true,
          "Start of the random lengths; the public benchmark's is 0."},
         0.0},
        {{kThink, "Think time", "ms", 1e-3, 0, 1e8, false, false,
          "From an answer to the next request in the queue; part of its time to first token."}},
        kTurnsParameter,
        kPauseParameter,
        kSharedPrefixParameter,
        {{kWarmUp, "Warm-up", "", 1, 0, 1, true, false,
          "1: the first session of each user warms the server up and is in no mean; 0 or not set: all "
          "count."}},
    }};
};

} // namespace

const ArrivalKind& closedLoopArrivals() {
    static const ClosedLoopArrivals kind;
    return kind;
}

} // namespace heteroscape::engine
