// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/metric_path.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// Rates of a whole design on one footing, whatever its load is: of a design whose requests are simulated
/// those of the whole run, ramp and drain inside, as public benchmarks measure (silicon_serving.md, section
/// 15), of any other those of the steady state. So designs of both kinds stand on the same axes.
inline constexpr std::string_view kRatePrefix = "rates.";
inline bool isRatePath(std::string_view path) {
    return path.starts_with(kRatePrefix);
}

namespace rates {
inline constexpr const char* kDevices = "rates.devices"; ///< accelerators
inline constexpr const char* kPerDevice = "rates.tok_s_per_device";
inline constexpr const char* kTotalPerDevice = "rates.total_tok_s_per_device";
inline constexpr const char* kPerDollar = "rates.tok_s_per_usd";
inline constexpr const char* kPerWatt = "rates.tok_s_per_w";
inline constexpr const char* kPerUser = "rates.tok_s_per_user";
inline constexpr const char* kPerUserMedian = "rates.tok_s_per_user_p50";
inline constexpr const char* kFirstToken = "rates.ttft_s";
inline constexpr const char* kFirstTokenMedian = "rates.ttft_p50_s";
inline constexpr const char* kPrice = "rates.price_usd";
inline constexpr const char* kPower = "rates.power_w";
/// Of the replicas of the whole design that a budget, $, buys.
std::string replicasFor(double budget);
std::string throughputFor(double budget);
} // namespace rates

/// Output tok/s of all devices over what they are held against: W, $.
inline double ratePer(double perDevice, double devices, double of) {
    return perDevice * devices / of;
}
double acceleratorsOf(const Scenario& scenario); ///< at least 1
/// Replicas of a price that a budget buys.
double replicasWithin(double budget, double price);

/// All of them but those of a budget.
std::vector<std::string> ratePaths();
/// One by its path; nothing where it is none.
std::optional<MetricRef> findRate(const Scenario& scenario, const Evaluation& evaluation,
                                  std::string_view path);
/// Which way is better; 0 for what is none.
int rateBetter(std::string_view path);
std::string_view rateAbout(std::string_view path); ///< what it is, for a tip; empty for what is none
/// The metric of the steady state that is as far off as a rate is; none for counts and prices.
std::optional<Metric> rateLike(std::string_view path);

} // namespace heteroscape::engine
