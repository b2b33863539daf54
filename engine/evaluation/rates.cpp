// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/rates.h"

#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace heteroscape::engine {

namespace {

/// A design and its answer.
struct Rated {
    const Scenario& scenario;
    const Evaluation& evaluation;

    bool isRun() const { return scenario.serving.isSimulated(); }
    double of(Metric run, Metric steady) const { return evaluation.metric(isRun() ? run : steady); }
    double devices() const { return acceleratorsOf(scenario); }
    double perDevice() const {
        return (isRun() ? evaluation.wholeRun : evaluation.metric(Metric::Throughput)) / devices();
    }
    double price() const { return evaluation.metric(Metric::Price); }
    double power() const { return of(Metric::ServedPower, Metric::Power); }
};

double totalPerDevice(const Rated& of) {
    const auto& load = of.scenario.workload;
    return of.isRun() ? (1 + load.promptTokens.value / load.outputTokens.value) * of.perDevice()
                      : of.evaluation.metric(Metric::ProcessedThroughput) / of.devices();
}

struct Rate {
    std::string_view path;
    std::string_view label;
    std::string_view unit;
    int better;
    std::optional<Metric> like; ///< as far off as this is
    std::string_view about;
    double (*value)(const Rated&);
};

constexpr std::array<Rate, 11> kRateTable{{
    {rates::kDevices, "Devices", "", 0, std::nullopt, "Accelerators of one replica.",
     [](const Rated& of) { return of.devices(); }},
    {rates::kPerDevice, "Throughput per device", "tok/s", 1, Metric::Throughput,
     "Output tokens a second over accelerators: simulated, of the whole run with its ramp and drain, else in "
     "steady state.",
     [](const Rated& of) { return of.perDevice(); }},
    {rates::kTotalPerDevice, "Prompt and output per device", "tok/s", 1, Metric::Throughput,
     "Prompt and output tokens a second over accelerators.", totalPerDevice},
    {rates::kPerDollar, "Throughput per price", "tok/s/$", 1, Metric::Throughput,
     "Output tokens a second over the price of one replica.",
     [](const Rated& of) { return ratePer(of.perDevice(), of.devices(), of.price()); }},
    {rates::kPerWatt, "Throughput per power", "tok/s/W", 1, Metric::Throughput,
     "Output tokens a second over the mean power of one replica.",
     [](const Rated& of) { return ratePer(of.perDevice(), of.devices(), of.power()); }},
    {rates::kPerUser, "Speed for one user", "tok/s", 1, Metric::TimePerToken,
     "Tokens a second that a user sees: 1 over the mean time per output token.",
     [](const Rated& of) { return 1 / of.of(Metric::TokenMean, Metric::TimePerToken); }},
    {rates::kPerUserMedian, "Speed for one user, p50", "tok/s", 1, Metric::TimePerToken,
     "1 over the median time per output token.",
     [](const Rated& of) { return 1 / of.of(Metric::TokenP50, Metric::TimePerToken); }},
    {rates::kFirstToken, "First token, mean", "s", -1, Metric::TimeToFirstToken,
     "Mean time to first token, with waiting where it is simulated.",
     [](const Rated& of) { return of.of(Metric::FirstTokenMean, Metric::TimeToFirstToken); }},
    {rates::kFirstTokenMedian, "First token", "s", -1, Metric::TimeToFirstToken,
     "Median time to first token, with waiting where it is simulated.",
     [](const Rated& of) { return of.of(Metric::FirstTokenP50, Metric::TimeToFirstToken); }},
    {rates::kPrice, "Price of one replica", "$", -1, std::nullopt,
     "Of GPUs under a server of these alone, of a design of all that has a price.",
     [](const Rated& of) { return of.price(); }},
    {rates::kPower, "Power of one replica", "W", -1, std::nullopt, "Mean power of the devices.",
     [](const Rated& of) { return of.power(); }},
}};

constexpr std::string_view kWithin = "rates.within_", kReplicas = "_usd_replicas", kTokens = "_usd_tok_s";

/// "rates.within_240000_usd_tok_s"
std::optional<MetricRef> budgetRate(const Rated& of, std::string_view path) {
    const bool tokens = path.ends_with(kTokens);
    if (!path.starts_with(kWithin) || (!tokens && !path.ends_with(kReplicas)))
        return {};
    const auto ending = (tokens ? kTokens : kReplicas).size();
    if (path.size() <= kWithin.size() + ending)
        return {};
    const auto budget =
        parseNumber(std::string(path.substr(kWithin.size(), path.size() - kWithin.size() - ending)));
    if (!budget)
        return {};
    const double replicas = replicasWithin(*budget, of.price());
    const double rate = replicas >= 1 ? of.perDevice() * of.devices() * replicas : kUnset;
    const auto words = "$" + plainText(*budget);
    return tokens ? MetricRef{std::string(path), "Throughput of " + words, "tok/s", 1.0, rate}
                  : MetricRef{std::string(path), "Replicas for " + words, "", 1.0, replicas};
}

std::string withinPath(double budget, std::string_view ending) {
    return std::string(kWithin) + exactText(budget) + std::string(ending);
}

} // namespace

double acceleratorsOf(const Scenario& scenario) {
    double count = 0.0;
    for (const auto& node : scenario.nodes)
        count += isAccelerator(node.device.kind) ? node.count.value : 0.0;
    return std::max(1.0, count);
}

double replicasWithin(double budget, double price) {
    return std::floor(budget / price);
}

std::string rates::replicasFor(double budget) {
    return withinPath(budget, kReplicas);
}

std::string rates::throughputFor(double budget) {
    return withinPath(budget, kTokens);
}

std::vector<std::string> ratePaths() {
    std::vector<std::string> paths;
    for (const auto& rate : kRateTable)
        paths.emplace_back(rate.path);
    return paths;
}

std::optional<MetricRef> findRate(const Scenario& scenario, const Evaluation& evaluation,
                                  std::string_view path) {
    const Rated of{scenario, evaluation};
    for (const auto& rate : kRateTable)
        if (rate.path == path)
            return MetricRef{std::string(path), std::string(rate.label), std::string(rate.unit), 1.0,
                             rate.value(of)};
    return budgetRate(of, path);
}

namespace {

const Rate* rateOf(std::string_view path) {
    const auto found = std::ranges::find(kRateTable, path, &Rate::path);
    return found == kRateTable.end() ? nullptr : &*found;
}

} // namespace

int rateBetter(std::string_view path) {
    const auto* rate = rateOf(path);
    return rate ? rate->better : path.starts_with(kWithin) ? 1 : 0;
}

std::string_view rateAbout(std::string_view path) {
    const auto* rate = rateOf(path);
    return rate                        ? rate->about
           : path.starts_with(kWithin) ? "Of as many replicas as the budget buys."
                                       : std::string_view();
}

std::optional<Metric> rateLike(std::string_view path) {
    const auto* rate = rateOf(path);
    return rate ? rate->like : path.ends_with(kTokens) ? std::optional(Metric::Throughput) : std::nullopt;
}

} // namespace heteroscape::engine
