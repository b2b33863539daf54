// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/metric.h"

#include "engine/units/units.h"

namespace heteroscape::engine {

namespace {

constexpr double perMm2 = 1.0 / units::mm2;

constexpr std::array<MetricSpec, kMetricCount> kSpecs{{
    {Metric::Throughput, "throughput_tok_s", "Throughput", "tok/s", 1, +1,
     "Decoded tokens a second of the whole system in steady state, with requests always waiting: of each "
     "decode pool batch / time of a step, within what prefill and links deliver."},
    {Metric::RequestRate, "throughput_req_s", "Request rate", "req/s", 1, +1,
     "Requests finished a second in steady state: throughput / output tokens of a request."},
    {Metric::TimeToFirstToken, "ttft_s", "Time to first token", "s", 1, -1,
     "TTFT in steady state: from the start of a request's prefill to its end; waiting in a queue is not part "
     "of it."},
    {Metric::TimePerToken, "tpot_s", "Time per token", "s", 1, -1,
     "TPOT in steady state: mean time of one decode step over the output tokens."},
    {Metric::Latency, "latency_s", "Latency", "s", 1, -1,
     "The whole time of one request in steady state: prefill, the part of the KV transfer that it does not "
     "hide, and all output tokens."},
    {Metric::KvTransfer, "kv_transfer_s", "Exposed KV transfer", "s", 1, -1,
     "The KV cache of a prompt goes from the node that prefilled it to the one that decodes it, layer by "
     "layer: the part that the prefill does not hide (GLITCHES, section III)."},
    {Metric::Price, "price_usd", "System price", "$", 1, -1,
     "Devices, and the servers around them (host, network cards, fans, power supplies, chassis) where "
     "chassis_price_usd is known, else devices only; switches without a price are left out."},
    {Metric::ThroughputPerPrice, "tok_s_per_usd", "Cost efficiency", "tok/s/$", 1, +1,
     "Throughput over system price."},
    {Metric::Power, "power_w", "Power", "W", 1, -1,
     "Mean power of the devices in steady state: prefill, decode and idle by their shares of time. Hosts, "
     "network cards, fans and losses are in facility_w."},
    {Metric::ThroughputPerPower, "tok_s_per_w", "Energy efficiency", "tok/s/W", 1, +1,
     "Throughput over power."},
    {Metric::EnergyPerToken, "energy_j_per_tok", "Energy per token", "J/tok", 1, -1,
     "Power over throughput."},
    {Metric::Area, "area_mm2", "Die area", "mm\u00b2", units::mm2, -1,
     "Sum of the accelerators' die areas; where one is not set it follows from cores and L2."},
    {Metric::ThroughputPerArea, "tok_s_per_mm2", "Area efficiency", "tok/s/mm\u00b2", perMm2, +1,
     "Throughput over die area."},
    {Metric::ProcessedThroughput, "processed_tok_s", "Processed tokens", "tok/s", 1, +1,
     "Prompt and output tokens a second of the whole system in steady state (PRESERVE, section V)."},
    {Metric::ProcessedThroughputPerDie, "processed_tok_s_per_die_mm2", "Throughput density", "tok/s/mm\u00b2",
     perMm2, +1, "Prompt and output tokens a second of the whole system over the mean area of one die."},
    {Metric::LayerTime, "layer_us", "Layer time", "\u00b5s", units::micro, -1,
     "Decode time of one layer for the last output token, on the node that decodes most."},
    {Metric::AllReduceTime, "allreduce_us", "Allreduce", "\u00b5s", units::micro, -1,
     "Time of one allreduce of a decode step, on the node that decodes most: devices that share a replica of "
     "the model add up their partial results, twice in a layer."},
    {Metric::AttentionRead, "attention_read_us", "Attention read", "\u00b5s", units::micro, -1,
     "Memory's time for one layer's attention weights and KV cache, on the node that decodes most: footprint "
     "/ (bandwidth x share of memory peak)."},
    {Metric::FfnRead, "ffn_read_us", "FFN read", "\u00b5s", units::micro, -1,
     "Memory's time for one layer's FFN weights, on the node that decodes most: footprint / (bandwidth x "
     "share of memory peak)."},
    {Metric::AttentionFootprint, "attention_footprint_mb", "Attention footprint", "MB", units::MB, -1,
     "One layer's attention weights and KV cache at full length, on one device. What fits into L2 can be "
     "prefetched (PRESERVE, section IV)."},
    {Metric::FfnFootprint, "ffn_footprint_mb", "FFN footprint", "MB", units::MB, -1,
     "One layer's FFN weights on one device. What fits into L2 can be prefetched (PRESERVE, section IV)."},
    {Metric::CostPerToken, "usd_per_mtok", "Cost of tokens", "$/Mtok", 1e-6, -1,
     "Dollars for a million decoded tokens: the system's price over its lifetime with interest, and "
     "electricity; or the rent of its devices."},
    {Metric::EnergyIdle, "idle_j_per_tok", "Energy: idle", "J/tok", 1, -1,
     "Part of the energy per token that devices draw whether they work or wait: awake, with weights loaded."},
    {Metric::EnergyBusy, "busy_j_per_tok", "Energy: clocks and issue", "J/tok", 1, -1,
     "Part of the energy per token that a device draws over idle while kernels run, whatever they do."},
    {Metric::EnergyMemory, "memory_j_per_tok", "Energy: memory", "J/tok", 1, -1,
     "Part of the energy per token for bytes of device memory that are read and written."},
    {Metric::EnergyProducts, "flop_j_per_tok", "Energy: products", "J/tok", 1, -1,
     "Part of the energy per token for FLOPs, by the format that is multiplied."},
    {Metric::EnergyUnpacking, "unpack_j_per_tok", "Energy: unpacking", "J/tok", 1, -1,
     "Part of the energy per token for packed weights that are unpacked before they are multiplied."},
    {Metric::EnergyLinks, "link_j_per_tok", "Energy: links", "J/tok", 1, -1,
     "Part of the energy per token for bytes that devices send each other."},
    {Metric::EnergyStated, "stated_j_per_tok", "Energy: as stated", "J/tok", 1, -1,
     "Part of the energy per token of devices at work whose power is stated, not made of what they do: of a "
     "paper, a data sheet, a user; of hosts, FPGAs and storage."},
    {Metric::FacilityPower, "facility_w", "Facility power", "W", 1, -1,
     "Devices and the hosts of their servers, with losses, times PUE; known where the cost of tokens says "
     "what "
     "a server draws."},
    {Metric::FacilityEnergy, "facility_j_per_tok", "Facility energy per token", "J/tok", 1, -1,
     "Facility power over throughput."},
    {Metric::Carbon, "co2_kg_per_mtok", "Carbon of tokens", "kg/Mtok", 1e-6, -1,
     "Kilograms of CO2 for a million decoded tokens: facility energy times the carbon of electricity."},
    {Metric::RatedPower, "rated_w", "Rated power", "W", 1, -1,
     "What the servers with their devices are rated for at the wall; known where each says it."},
    {Metric::DecodeAccelerator, "decode_accelerator_s", "Decode: accelerator", "s", 1, -1,
     "Part of the decode of one batch that the accelerator's own operators take."},
    {Metric::DecodeWeights, "decode_weights_s", "Decode: weights", "s", 1, -1,
     "Part of the decode of one batch that waits for offloaded weights."},
    {Metric::DecodeKvRead, "decode_kv_read_s", "Decode: KV cache read", "s", 1, -1,
     "Part of the decode of one batch that waits for KV cache read from storage."},
    {Metric::DecodeKvWrite, "decode_kv_write_s", "Decode: KV cache write", "s", 1, -1,
     "Part of the decode of one batch that waits for new keys and values to be written."},
    {Metric::DecodeHostAttention, "decode_host_attention_s", "Decode: attention on the CPU", "s", 1, -1,
     "Part of the decode of one batch that waits for attention on the CPU."},
    {Metric::DecodeCsdAttention, "decode_csd_attention_s", "Decode: attention in CSDs", "s", 1, -1,
     "Part of the decode of one batch that waits for attention in CSDs."},
    {Metric::DecodeQkv, "decode_qkv_s", "Decode: Q, K, V, result", "s", 1, -1,
     "Part of the decode of one batch that waits for operands and results of attention in CSDs."},
    {Metric::DecodeXCache, "decode_x_cache_s", "Decode: X cache", "s", 1, -1,
     "Part of the decode of one batch that waits for X cache and for keys and values made from it."},
    {Metric::KvHostShare, "kv_host_share", "KV cache in host memory", "", 1, 0,
     "Share of the context whose KV cache is in host memory."},
    {Metric::KvStorageShare, "kv_storage_share", "KV cache on storage", "", 1, 0,
     "Share of the context whose KV cache is on storage."},
    {Metric::XCacheShare, "x_cache_share", "X cache", "", 1, 0,
     "Share of the context whose X is kept instead of keys and values."},
    {Metric::Weights, "weights_gb", "Weights", "GB", units::GB, -1,
     "Weights of one replica, parameters x bits of a weight / 8. Every step reads them all, but "
     "for the experts that no token goes to."},
    {Metric::WeightsStorage, "weights_storage_gb", "Weights on storage", "GB", units::GB, -1,
     "Weights of one replica that lie on storage."},
    {Metric::KvCache, "kv_cache_gb", "KV cache", "GB", units::GB, -1,
     "Keys and values of a full batch at its final length, kept so that attention need not compute them "
     "again. Where all layers are alike 2 x layers x KV heads x head dimension x tokens x batch x bits / 8."},
    {Metric::MemoryDevice, "memory_device_gb", "Device memory used", "GB", units::GB, -1,
     "Device memory that one replica uses."},
    {Metric::MemoryHost, "memory_host_gb", "Host memory used", "GB", units::GB, -1,
     "Host memory that one replica uses, buffers included."},
    {Metric::MemoryStorage, "memory_storage_gb", "Storage used", "GB", units::GB, -1,
     "Storage that one replica uses."},
    {Metric::StorageTraffic, "storage_traffic_gb", "Storage traffic", "GB", units::GB, -1,
     "Bytes over the links between host and storage in the decode of one batch."},
    {Metric::ServedThroughput, "served_tok_s", "Served throughput", "tok/s", 1, +1,
     "Simulated: output tokens by the time in which they were made."},
    {Metric::ServedRequests, "served_req_s", "Served requests", "req/s", 1, +1,
     "Simulated: requests by the time in which they were finished."},
    {Metric::Goodput, "goodput_req_s", "Goodput", "req/s", 1, +1,
     "Simulated: requests finished a second that kept the limits of TTFT, TPOT and end to end."},
    {Metric::WaitMean, "wait_mean_s", "Wait, mean", "s", 1, -1,
     "Simulated: mean time from arrival to the start of the prefill."},
    {Metric::FirstTokenMean, "ttft_mean_s", "TTFT, mean", "s", 1, -1,
     "Simulated: mean time from arrival to the end of the prefill, with waiting."},
    {Metric::FirstTokenP50, "ttft_p50_s", "TTFT, p50", "s", 1, -1,
     "Simulated: time to first token that half of the requests keep."},
    {Metric::FirstTokenP90, "ttft_p90_s", "TTFT, p90", "s", 1, -1,
     "Simulated: time to first token that 90% of the requests keep."},
    {Metric::FirstTokenP99, "ttft_p99_s", "TTFT, p99", "s", 1, -1,
     "Simulated: time to first token that 99% of the requests keep."},
    {Metric::TokenMean, "tpot_mean_s", "TPOT, mean", "s", 1, -1,
     "Simulated: mean time per output token from the end of the prefill, interruptions included."},
    {Metric::TokenP50, "tpot_p50_s", "TPOT, p50", "s", 1, -1,
     "Simulated: time per output token that half of the requests keep."},
    {Metric::TokenP90, "tpot_p90_s", "TPOT, p90", "s", 1, -1,
     "Simulated: time per output token that 90% of the requests keep."},
    {Metric::TokenP99, "tpot_p99_s", "TPOT, p99", "s", 1, -1,
     "Simulated: time per output token that 99% of the requests keep."},
    {Metric::EndToEndMean, "e2e_mean_s", "End to end, mean", "s", 1, -1,
     "Simulated: mean time from arrival to the last token."},
    {Metric::EndToEndP50, "e2e_p50_s", "End to end, p50", "s", 1, -1,
     "Simulated: time from arrival to the last token that half of the requests keep."},
    {Metric::EndToEndP90, "e2e_p90_s", "End to end, p90", "s", 1, -1,
     "Simulated: time from arrival to the last token that 90% of the requests keep."},
    {Metric::EndToEndP99, "e2e_p99_s", "End to end, p99", "s", 1, -1,
     "Simulated: time from arrival to the last token that 99% of the requests keep."},
    {Metric::QueueMean, "queue_mean", "Queue, mean", "", 1, -1,
     "Simulated: requests that wait for a prefill or a decode device, mean over time."},
    {Metric::QueueMost, "queue_max", "Queue, most", "", 1, -1,
     "Simulated: requests that wait for a prefill at one time, at most."},
    {Metric::ServedPower, "served_power_w", "Served power", "W", 1, -1,
     "Simulated: mean power of the devices: prefill, decode and idle by their shares of time. Hosts, network "
     "cards, fans and losses are in served_facility_w."},
    {Metric::ServedEnergy, "served_j_per_tok", "Served energy per token", "J/tok", 1, -1,
     "Simulated: energy of the whole run over its decoded tokens."},
    {Metric::ServedPerPower, "served_tok_s_per_w", "Served energy efficiency", "tok/s/W", 1, +1,
     "Simulated: decoded tokens over the energy of the whole run."},
    {Metric::ServedPerPrice, "served_tok_s_per_usd", "Served cost efficiency", "tok/s/$", 1, +1,
     "Simulated: served throughput over system price."},
    {Metric::ServedCost, "served_usd_per_mtok", "Served cost of tokens", "$/Mtok", 1e-6, -1,
     "Simulated: dollars for a million decoded tokens: the system's price over its lifetime, idle or not, "
     "and electricity; or the rent of its devices."},
    {Metric::ServedFacilityPower, "served_facility_w", "Served facility power", "W", 1, -1,
     "Simulated: mean power of devices and the hosts of their servers, with losses, times PUE; known where a "
     "server's draw is."},
    {Metric::RequestsDone, "requests_done", "Requests done", "", 1, 0, "Simulated: requests finished."},
    {Metric::RequestsRefused, "requests_refused", "Requests refused", "", 1, -1,
     "Simulated: requests whose KV cache is larger than any device's memory."},
    {Metric::WithinLimits, "within_limits_share", "Within limits", "", 1, +1,
     "Simulated: share of the requests finished that kept the limits of TTFT, TPOT and end to end. A limit "
     "at "
     "a percentile holds where this is as large as the percentile."},
    {Metric::FirstTokenFirstWave, "ttft_first_wave_s", "TTFT, first wave", "s", 1, -1,
     "Simulated: mean time to first token of the requests that users in a closed loop send at the start, and "
     "that wait for each other. Public benchmarks have them in their means: a tenth of ten waves."},
    {Metric::FirstTokenLater, "ttft_later_s", "TTFT, later", "s", 1, -1,
     "Simulated: mean time to first token of the requests after the first wave."},
    {Metric::UserRate, "user_tok_s", "Rate of a user", "tok/s", 1, +1,
     "Simulated: tokens a second that a user in a closed loop sees, 1 over the mean TPOT."},
    {Metric::Evictions, "evictions", "Evictions", "", 1, -1,
     "Simulated: times that a running request gave up its KV cache because memory was full. It is computed "
     "again, with what was answered, or moved to the host and back; no token is lost."},
}};

} // namespace

std::span<const MetricSpec> metricSpecs() {
    return kSpecs;
}

const MetricSpec& metricSpec(Metric metric) {
    return kSpecs[static_cast<std::size_t>(metric)];
}

std::span<const Metric> partsOf(Metric metric) {
    static constexpr std::array kEnergy{Metric::EnergyIdle,     Metric::EnergyBusy,      Metric::EnergyMemory,
                                        Metric::EnergyProducts, Metric::EnergyUnpacking, Metric::EnergyLinks,
                                        Metric::EnergyStated};
    return metric == Metric::EnergyPerToken ? std::span<const Metric>(kEnergy) : std::span<const Metric>();
}

bool isOfOffloading(Metric metric) {
    return metric >= Metric::DecodeAccelerator && metric <= Metric::StorageTraffic;
}

bool isSimulated(Metric metric) {
    return metric >= Metric::ServedThroughput;
}

const MetricSpec* findMetric(std::string_view key) {
    for (const auto& spec : kSpecs)
        if (spec.key == key)
            return &spec;
    return nullptr;
}

} // namespace heteroscape::engine
