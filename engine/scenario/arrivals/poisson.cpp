// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/serving.h"
#include "engine/units/number_text.h"

#include <array>
#include <cmath>
#include <random>

namespace heteroscape::engine {

namespace {

constexpr std::string_view kRate = "rate_req_s";
constexpr std::string_view kSeed = "seed";

/// Takes the waiting time -ln(1 - u) / rate before each request, u from the upper 53 bits of a 64-bit
/// Mersenne twister.
class PoissonSource final : public RequestSource {
public:
    explicit PoissonSource(const Serving& serving)
        : RequestSource(static_cast<std::uint64_t>(serving[kRequestsParameter.spec.key].value)),
          m_rate(serving[kRate].value), m_random(static_cast<std::uint64_t>(serving[kSeed].value)) {}

    void next(Request& request) override {
        constexpr double kUnit = 0x1p-53;
        const double u = static_cast<double>(m_random() >> 11) * kUnit; // 0 <= u < 1
        m_now -= std::log1p(-u) / m_rate;
        request.arrival = m_now;
    }

private:
    double m_rate;
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
               plainText(serving[kSeed].value, 15);
    }
    double meanRate(const Serving& serving) const override { return serving[kRate].value; }
    std::string_view rateKey() const override { return kRate; }
    std::unique_ptr<RequestSource> requests(const Serving& serving, const Workload&) const override {
        return std::make_unique<PoissonSource>(serving);
    }

private:
    std::array<KindParameter, 3> m_parameters{{
        kRequestsParameter,
        {{kRate, "Request rate", "req/s", 1, 1e-6, 1e6, false, true,
          "Mean rate of requests that come independently of each other (Poisson)."},
         1.0},
        {{kSeed, "Seed", "", 1, 0, 4294967295.0, true, true,
          "Start of the random numbers: the same seed gives the same requests."},
         1.0},
    }};
};

} // namespace

const ArrivalKind& poissonArrivals() {
    static const Poisson kind;
    return kind;
}

} // namespace heteroscape::engine
