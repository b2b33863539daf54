// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/server/server.h"

namespace heteroscape::engine {

namespace {

/// Of the answers [from, to) that have such a value.
template <class Value>
LatencySummary summaryOf(const ServedRun& run, std::uint64_t from, std::uint64_t to, Value value) {
    std::vector<double> values;
    const auto end = std::min<std::uint64_t>(to, run.answers.size());
    values.reserve(end - std::min(from, end));
    double sum = 0.0;
    for (auto i = from; i < end; ++i) {
        const double seconds = value(run.answers[i]);
        if (std::isnan(seconds))
            continue;
        values.push_back(seconds);
        sum += seconds;
    }
    LatencySummary summary;
    summary.count = values.size();
    if (values.empty())
        return summary;
    summary.mean = sum / static_cast<double>(values.size());
    const auto rank = [&](double share) {
        const auto place = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
        const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(place, 1) - 1);
        std::nth_element(values.begin(), at, values.end());
        return *at;
    };
    summary.p50 = rank(0.5);
    summary.middle = summary.p50;
    if (values.size() % 2 == 0) { // those above it stand behind it
        const auto above = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
        summary.middle = 0.5 * (summary.p50 + *std::min_element(above, values.end()));
    }
    summary.p90 = rank(0.9);
    summary.p99 = rank(0.99);
    return summary;
}

} // namespace

LatencySummary ServedRun::ttft(std::uint64_t from, std::uint64_t to) const {
    return summaryOf(*this, from, to, [](const ServedAnswer& answer) {
        return answer.output == 0 ? std::numeric_limits<double>::quiet_NaN() : answer.ttft();
    });
}

LatencySummary ServedRun::tpot(std::uint64_t from, std::uint64_t to) const {
    return summaryOf(*this, from, to, [](const ServedAnswer& answer) {
        return answer.output < 2 ? std::numeric_limits<double>::quiet_NaN() : answer.tpot();
    });
}

LatencySummary ServedRun::latency(std::uint64_t from, std::uint64_t to) const {
    return summaryOf(*this, from, to, [](const ServedAnswer& answer) {
        return answer.output == 0 ? std::numeric_limits<double>::quiet_NaN() : answer.latency();
    });
}

double ServedRun::tenWaveTtft() const {
    const auto first = ttft(0, firstWave);
    const auto later = ttft(firstWave);
    return later.count == 0 ? first.mean : 0.1 * first.mean + 0.9 * later.mean;
}

double ServedRun::promptTokens() const {
    double tokens = 0.0;
    for (const auto& answer : answers)
        tokens += answer.prompt;
    return tokens;
}

double ServedRun::outputTokens() const {
    double tokens = 0.0;
    for (const auto& answer : answers)
        tokens += answer.output;
    return tokens;
}

} // namespace heteroscape::engine
