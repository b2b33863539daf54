// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/workload.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/serving.h"
#include "engine/scenario/sessions.h"
#include "engine/units/number_text.h"

#include <array>
#include <cmath>
#include <numbers>
#include <random>

namespace heteroscape::engine {

namespace {

constexpr std::string_view kRate = "rate_req_s";
constexpr std::string_view kSeed = "seed";

constexpr std::string_view kSwing = "rate_swing";
constexpr std::string_view kPeriod = "rate_period_s";

/// With a rate that swings, r(t) = rate (1 + swing sin(2 pi t / period)), requests are made at the highest
/// rate and each is kept with probability r(t) / highest (thinning: Lewis and Shedler, 1979).
/// Sessions of several turns come so, at the rate of the requests over the turns; the later turns have the
/// time of the first here. Takes the waiting time -ln(1 - u) / rate before each request, u from the upper 53
/// bits of a 64-bit Mersenne twister.
class PoissonSource final : public RequestSource {
public:
    explicit PoissonSource(const Serving& serving)
        : RequestSource(requestsOfSessions(serving)), m_history(turnsOf(serving)),
          m_rate(serving[kRate].value / static_cast<double>(turnsOf(serving))),
          m_swing(serving[kSwing].valueOr(0.0)), m_period(serving[kPeriod].valueOr(86400.0)),
          m_random(static_cast<std::uint64_t>(serving[kSeed].value)) {}

    void next(Request& request) override {
        if (m_history.begins())
            nextSession();
        request.arrival = m_now;
        m_history.add(request);
    }

private:
    void nextSession() {
        const double highest = m_rate * (1.0 + m_swing);
        do
            m_now -= std::log1p(-draw()) / highest;
        while (m_swing > 0.0 && draw() * highest >= rate(m_now));
    }
    double draw() {
        constexpr double kUnit = 0x1p-53;
        return static_cast<double>(m_random() >> 11) * kUnit; // 0 <= u < 1
    }
    double rate(double now) const {
        return m_rate * (1.0 + m_swing * std::sin(2.0 * std::numbers::pi * now / m_period));
    }

    SessionHistory m_history;
    double m_rate; ///< of sessions
    double m_swing;
    double m_period;
    double m_now = 0.0;
    std::mt19937_64 m_random;
};

/// Independent of each other, at a mean rate.
class Poisson final : public ArrivalKind {
public:
    Poisson()
        : ArrivalKind({"poisson", "Poisson", "at random", "Poisson arrivals",
                       "Requests come at random and independently of each other, at a mean rate. Waiting "
                       "times show."}) {}

    std::span<const KindParameter> parameters() const override { return m_parameters; }
    std::string describe(const Serving& serving, const std::string& count) const override {
        return count + " requests, Poisson at " + plainText(serving[kRate].value) + " req/s, seed " +
               plainText(serving[kSeed].value, 15) +
               (serving[kSwing].valueOr(0.0) > 0.0
                    ? ", swinging by " + plainText(100.0 * serving[kSwing].value) + " %"
                    : "") +
               (turnsOf(serving) > 1 ? ", " + std::to_string(turnsOf(serving)) + " turns a session" : "");
    }
    std::string_view unsetText(std::string_view key) const override {
        return key == kTurnsParameter.spec.key ? "one" : key == kPeriod ? "a day" : "none";
    }
    void check(const Serving& serving, std::vector<Diagnostic>& findings) const override {
        checkOpenSessions(serving, findings);
    }
    UserPlan users(const Serving& serving) const override { return sessionPlan(serving); }
    RequestLengths lengths(const Serving& serving, const Workload& workload) const override {
        return sessionLengths(serving, workload, workload.promptTokens.value);
    }
    double meanRate(const Serving& serving) const override { return serving[kRate].value; }
    std::string_view rateKey() const override { return kRate; }
    std::unique_ptr<RequestSource> requests(const Serving& serving, const Workload&) const override {
        return std::make_unique<PoissonSource>(serving);
    }

private:
    std::array<KindParameter, 8> m_parameters{{
        kRequestsParameter,
        {{kRate, "Request rate", "req/s", 1, 1e-6, 1e6, false, true,
          "Mean rate of requests that come independently of each other (Poisson)."},
         1.0},
        {{kSeed, "Seed", "", 1, 0, 4294967295.0, true, true,
          "Start of the random numbers: the same seed gives the same requests."},
         1.0},
        {{kSwing, "Rate swing", "", 1, 0, 1, false, false,
          "Share of the mean rate by which the rate rises and falls over a period, as a sine; not set: it is "
          "the same at all times."}},
        {{kPeriod, "Rate period", "s", 1, 1e-3, 1e9, false, false, "Of a rate that swings; not set: a day."}},
        kTurnsParameter,
        kPauseParameter,
        kSharedPrefixParameter,
    }};
};

} // namespace

const ArrivalKind& poissonArrivals() {
    static const Poisson kind;
    return kind;
}

} // namespace heteroscape::engine
