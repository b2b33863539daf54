// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace heteroscape::engine {

/// The metrics of a whole system. The order is the order of columns everywhere.
enum class Metric {
    Throughput,       ///< decoded tokens/s of the system in steady state
    RequestRate,      ///< requests/s
    TimeToFirstToken, ///< s, from the start of a request's prefill to its end (no queueing)
    TimePerToken,     ///< s, mean over the output tokens
    Latency,          ///< s, prefill + exposed KV transfer + all output tokens
    KvTransfer,       ///< s, part of the KV transfer that the prefill does not hide
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
    CostPerToken,              ///< USD per token: price over the lifetime, and electricity; or rent
    // J per token, what EnergyPerToken is made of, in the order of PowerTerm:
    EnergyIdle,
    EnergyBusy,
    EnergyMemory,
    EnergyProducts,
    EnergyUnpacking,
    EnergyLinks,
    EnergyStated,
    FacilityPower,  ///< W of all servers with their losses, times PUE
    FacilityEnergy, ///< J per token of it
    Carbon,         ///< kg per token
    RatedPower,     ///< W that the servers are rated for
    // Of the node that decodes most, where its runtime offloads; unset elsewhere:
    DecodeAccelerator,   ///< s of a whole decode on the device: operators, attention that stays there
    DecodeWeights,       ///< s it waits for weights
    DecodeKvRead,        ///< s it waits for KV cache from storage
    DecodeKvWrite,       ///< s it waits for writes of new K and V
    DecodeHostAttention, ///< s it waits for attention on the CPU
    DecodeCsdAttention,  ///< s it waits for attention in CSDs
    DecodeQkv,           ///< s it waits for operands and results of attention in CSDs
    DecodeXCache,        ///< s it waits for X cache: transfer, K and V made anew
    KvHostShare,         ///< of the tokens' KV cache
    KvStorageShare,
    XCacheShare,
    Weights,        ///< B of a replica
    WeightsStorage, ///< B of which on storage
    KvCache,        ///< B of a full batch at its final length
    MemoryDevice,   ///< B used of each tier by one replica
    MemoryHost,
    MemoryStorage,
    StorageTraffic, ///< B over the links to storage in the decode of one batch
    // Of a simulation of requests (see simulate()); unset where arrivals are steady:
    ServedThroughput, ///< output tokens by the time in which they were made, tokens/s (see RunRate)
    ServedRequests,   ///< requests/s there
    Goodput,          ///< of them within the limits of TTFT and TPOT, requests/s
    WaitMean,         ///< s, arrival to start of the prefill
    FirstTokenMean,   ///< s, arrival to end of the prefill
    FirstTokenP50,
    FirstTokenP90,
    FirstTokenP99,
    TokenMean, ///< s per output token after the prefill
    TokenP50,
    TokenP90,
    TokenP99,
    EndToEndMean, ///< s, arrival to last token
    EndToEndP50,
    EndToEndP90,
    EndToEndP99,
    QueueMean,           ///< requests waiting or staged, mean over time
    QueueMost,           ///< requests waiting, at most
    ServedPower,         ///< W, mean over the simulated time
    ServedEnergy,        ///< J per decoded token
    ServedPerPower,      ///< decoded tokens/s over W
    ServedPerPrice,      ///< decoded tokens/s over USD
    ServedCost,          ///< USD per decoded token
    ServedFacilityPower, ///< W of all servers with their losses, times PUE
    RequestsDone,        ///< when the simulation ended
    RequestsRefused,     ///< KV cache larger than any memory
    WithinLimits,        ///< share of the requests done that kept the limits; unset without limits
    FirstTokenFirstWave, ///< s, mean TTFT of the requests that users in a closed loop send at the start
    FirstTokenLater,     ///< s, of all others
    UserRate,            ///< tokens/s of a user in a closed loop: 1 / mean TPOT
    Evictions,           ///< of KV caches that outgrew memory, by servers whose caches grow
};
inline constexpr std::size_t kMetricCount = 82;

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
/// The metrics that one is the sum of: of the energy per token what draws it, in the order of PowerTerm; of
/// others none.
std::span<const Metric> partsOf(Metric metric);
bool isOfOffloading(Metric metric); ///< set only where the node that decodes most offloads
bool isSimulated(Metric metric);    ///< set only where requests are simulated

} // namespace heteroscape::engine
