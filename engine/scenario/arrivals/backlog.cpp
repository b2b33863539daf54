// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/workload.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/serving.h"
#include "engine/scenario/sessions.h"

#include <array>

namespace heteroscape::engine {

namespace {

class BacklogSource final : public RequestSource {
public:
    explicit BacklogSource(const Serving& serving)
        : RequestSource(requestsOfSessions(serving)), m_history(turnsOf(serving)) {}
    void next(Request& request) override { m_history.add(request); }

private:
    SessionHistory m_history;
};

/// All requests, or the first of all sessions, at time 0.
class Backlog final : public ArrivalKind {
public:
    Backlog()
        : ArrivalKind(
              {"backlog", "Backlog", "all at the start", "a backlog",
               "All requests are there at the start. The simulation runs until the last is served."}) {}

    std::span<const KindParameter> parameters() const override { return m_parameters; }
    std::string_view unsetText(std::string_view key) const override {
        return key == kTurnsParameter.spec.key ? "one" : "none";
    }
    std::string describe(const Serving& serving, const std::string& count) const override {
        return "Backlog of " + count + " requests" +
               (turnsOf(serving) > 1 ? ", " + std::to_string(turnsOf(serving)) + " turns a session" : "");
    }
    void check(const Serving& serving, std::vector<Diagnostic>& findings) const override {
        checkOpenSessions(serving, findings);
    }
    UserPlan users(const Serving& serving) const override { return sessionPlan(serving); }
    std::unique_ptr<RequestSource> requests(const Serving& serving, const Workload&) const override {
        return std::make_unique<BacklogSource>(serving);
    }
    RequestLengths lengths(const Serving& serving, const Workload& workload) const override {
        return sessionLengths(serving, workload, workload.promptTokens.value);
    }

private:
    std::array<KindParameter, 4> m_parameters{kRequestsParameter, kTurnsParameter, kPauseParameter,
                                              kSharedPrefixParameter};
};

} // namespace

const ArrivalKind& backlogArrivals() {
    static const Backlog kind;
    return kind;
}

} // namespace heteroscape::engine
