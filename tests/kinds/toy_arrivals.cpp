// SPDX-License-Identifier: GPL-3.0-or-later
// A kind of arrivals in one file that nobody else names.
#include "engine/scenario/serving.h"
#include "engine/units/number_text.h"

#include <array>
#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr std::string_view kBurst = "burst";
constexpr std::string_view kPeriod = "period_s";

class BurstSource final : public RequestSource {
public:
    explicit BurstSource(const Serving& serving)
        : RequestSource(static_cast<std::uint64_t>(serving[kRequestsParameter.spec.key].value)),
          m_burst(serving[kBurst].value), m_period(serving[kPeriod].value) {}

    void next(Request& request) override { request.arrival = std::floor(m_made++ / m_burst) * m_period; }

private:
    double m_burst;
    double m_period;
    double m_made = 0.0;
};

/// So many requests at once, again and again.
class Bursts final : public ArrivalKind {
public:
    Bursts()
        : ArrivalKind({"bursts", "Bursts", "many at once", "bursts",
                       "Requests come in bursts, each of so many at once, a period apart."}) {}

    std::span<const KindParameter> parameters() const override { return m_parameters; }
    std::string describe(const Serving& serving, const std::string& count) const override {
        return count + " requests in bursts of " + plainText(serving[kBurst].value) + " every " +
               plainText(serving[kPeriod].value) + " s";
    }
    double meanRate(const Serving& serving) const override {
        return serving[kBurst].value / serving[kPeriod].value;
    }
    std::unique_ptr<RequestSource> requests(const Serving& serving, const Workload&) const override {
        return std::make_unique<BurstSource>(serving);
    }

private:
    std::array<KindParameter, 3> m_parameters{{
        kRequestsParameter,
        {{kBurst, "Burst", "", 1, 1, 1e6, true, true, "Requests that come at once."}, 4.0},
        {{kPeriod, "Period", "s", 1, 1e-6, 1e6, false, true, "Time from one burst to the next."}, 10.0},
    }};
};

const Bursts bursts;
const Registered<ArrivalKind> registered(arrivalKinds(), bursts);

} // namespace

} // namespace heteroscape::engine
