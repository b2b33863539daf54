// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/metric.h"

#include "engine/units/units.h"

namespace heteroscape::engine {

namespace {

constexpr double perMm2 = 1.0 / units::mm2;

constexpr std::array<MetricSpec, kMetricCount> kSpecs{{
    {Metric::Throughput, "throughput_tok_s", "Throughput", "tok/s", 1, +1,
     "Decoded tokens a second of the whole system in steady state, with requests always waiting."},
    {Metric::RequestRate, "throughput_req_s", "Request rate", "req/s", 1, +1,
     "Requests finished a second in steady state."},
    {Metric::TimeToFirstToken, "ttft_s", "Time to first token", "s", 1, -1,
     "From the start of a request's prefill to its end; waiting in a queue is not part of it."},
    {Metric::TimePerToken, "tpot_s", "Time per token", "s", 1, -1,
     "Mean time of one decode step over the output tokens."},
    {Metric::Latency, "latency_s", "Latency", "s", 1, -1,
     "Prefill, the part of the KV hand-over that it does not hide, and all output tokens."},
    {Metric::KvTransfer, "kv_transfer_s", "Exposed KV transfer", "s", 1, -1,
     "The part of the KV hand-over that the prefill does not hide."},
    {Metric::Price, "price_usd", "System price", "$", 1, -1,
     "Sum of the devices' prices; hosts and switches without a price are left out."},
    {Metric::ThroughputPerPrice, "tok_s_per_usd", "Cost efficiency", "tok/s/$", 1, +1,
     "Throughput over system price."},
    {Metric::Power, "power_w", "Power", "W", 1, -1,
     "Mean power of the devices in steady state: prefill, decode and idle by their shares of time."},
    {Metric::ThroughputPerPower, "tok_s_per_w", "Energy efficiency", "tok/s/W", 1, +1,
     "Throughput over power."},
    {Metric::EnergyPerToken, "energy_j_per_tok", "Energy per token", "J/tok", 1, -1,
     "Power over throughput."},
    {Metric::Area, "area_mm2", "Die area", "mm\u00b2", units::mm2, -1, "Sum of the accelerators' die areas."},
    {Metric::ThroughputPerArea, "tok_s_per_mm2", "Area efficiency", "tok/s/mm\u00b2", perMm2, +1,
     "Throughput over die area."},
    {Metric::ProcessedThroughput, "processed_tok_s", "Processed tokens", "tok/s", 1, +1,
     "Prompt and output tokens a second of the whole system in steady state."},
    {Metric::ProcessedThroughputPerDie, "processed_tok_s_per_die_mm2", "Throughput density", "tok/s/mm\u00b2",
     perMm2, +1, "Prompt and output tokens a second of the whole system over the mean area of one die."},
    {Metric::LayerTime, "layer_us", "Layer time", "\u00b5s", units::micro, -1,
     "Decode time of one layer for the last output token, on the node that decodes most."},
    {Metric::AllReduceTime, "allreduce_us", "Allreduce", "\u00b5s", units::micro, -1,
     "Time of one allreduce of a decode step, on the node that decodes most."},
    {Metric::AttentionRead, "attention_read_us", "Attention read", "\u00b5s", units::micro, -1,
     "Memory's time for one layer's attention weights and KV cache, on the node that decodes most."},
    {Metric::FfnRead, "ffn_read_us", "FFN read", "\u00b5s", units::micro, -1,
     "Memory's time for one layer's FFN weights, on the node that decodes most."},
    {Metric::AttentionFootprint, "attention_footprint_mb", "Attention footprint", "MB", units::MB, -1,
     "One layer's attention weights and KV cache at full length, on one device."},
    {Metric::FfnFootprint, "ffn_footprint_mb", "FFN footprint", "MB", units::MB, -1,
     "One layer's FFN weights on one device."},
}};

} // namespace

std::span<const MetricSpec> metricSpecs() {
    return kSpecs;
}

const MetricSpec& metricSpec(Metric metric) {
    return kSpecs[static_cast<std::size_t>(metric)];
}

const MetricSpec* findMetric(std::string_view key) {
    for (const auto& spec : kSpecs)
        if (spec.key == key)
            return &spec;
    return nullptr;
}

} // namespace heteroscape::engine
