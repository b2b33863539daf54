// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace heteroscape::engine {

/// The figures of a whole system. The order is the order of columns everywhere.
enum class Metric {
    Throughput,       ///< decoded tokens/s of the system in steady state
    RequestRate,      ///< requests/s
    TimeToFirstToken, ///< s, from the start of a request's prefill to its end (no queueing)
    TimePerToken,     ///< s, mean over the output tokens
    Latency,          ///< s, prefill + exposed KV transfer + all output tokens
    KvTransfer,       ///< s, part of the KV hand-over that the prefill does not hide
    Price,            ///< USD
    ThroughputPerPrice,
    Power, ///< W, mean in steady state
    ThroughputPerPower,
    EnergyPerToken, ///< J
    Area,           ///< m2 of die
    ThroughputPerArea,
    ProcessedThroughput,       ///< prompt and output tokens/s of the system in steady state
    ProcessedThroughputPerDie, ///< the same over the mean area of one die, tok/s/m2
    LayerTime,                 ///< s, one decoder layer for the last output token
    AllReduceTime,             ///< s, one allreduce of a decode step
    AttentionRead,             ///< s of memory for a layer's attention weights and KV cache
    FfnRead,                   ///< s of memory for a layer's FFN weights
    AttentionFootprint,        ///< B of a layer's attention weights and allocated KV cache on one device
    FfnFootprint,              ///< B of a layer's FFN weights on one device
};
inline constexpr std::size_t kMetricCount = 21;

struct MetricSpec {
    Metric metric;
    std::string_view key;   ///< JSON key, CSV header: "throughput_tok_s"
    std::string_view label; ///< "Throughput"
    std::string_view unit;  ///< as shown: "tok/s"
    double scale;           ///< SI = shown value x scale
    int better;             ///< +1 more is better, -1 less is better, 0 neither
    std::string_view about; ///< one sentence: the definition
};

std::span<const MetricSpec> metricSpecs(); ///< in the order of the enum
const MetricSpec& metricSpec(Metric metric);
const MetricSpec* findMetric(std::string_view key);

} // namespace heteroscape::engine
