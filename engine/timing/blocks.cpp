// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/blocks.h"

#include <array>

namespace heteroscape::engine {

std::string_view laneName(Lane lane) {
    constexpr std::array<std::string_view, kLaneCount> names{
        "compute", "memory",        "network", "pcie", "host",     "uplink", "csd",
        "storage", "storage_write", "to_ffn",  "ffn",  "from_ffn", "power"};
    return names[static_cast<std::size_t>(lane)];
}

std::string_view laneLabel(Lane lane) {
    constexpr std::array<std::string_view, kLaneCount> labels{
        "Compute", "Memory", "Network", "PCIe",        "Host CPU", "Uplink", "CSD kernels",
        "Storage", "Writes", "To FFN",  "FFN devices", "From FFN", "Power"};
    return labels[static_cast<std::size_t>(lane)];
}

std::string_view workName(Work work) {
    constexpr std::array<std::string_view, kWorkCount> names{"operator",       "read",
                                                             "prefetch",       "allreduce",
                                                             "collective",     "weight_transfer",
                                                             "kv_read",        "kv_write",
                                                             "host_attention", "csd_attention",
                                                             "qkv_transfer",   "x_transfer",
                                                             "regenerate",     "device_attention",
                                                             "ffn_elsewhere",  "activations",
                                                             "shares",         "pipeline",
                                                             "draft",          "microbatch",
                                                             "waiting",        "host",
                                                             "power"};
    return names[static_cast<std::size_t>(work)];
}

std::string_view workLabel(Work work) {
    constexpr std::array<std::string_view, kWorkCount> labels{"Operator",
                                                              "Read",
                                                              "Prefetch",
                                                              "Allreduce",
                                                              "Collective",
                                                              "Weights",
                                                              "KV cache read",
                                                              "KV cache write",
                                                              "Attention on the CPU",
                                                              "Attention in CSDs",
                                                              "Q, K, V, result",
                                                              "X to the device",
                                                              "K, V from X",
                                                              "Attention",
                                                              "FFN",
                                                              "Activations",
                                                              "Guesses, mixed layers",
                                                              "Other parts of the pipeline",
                                                              "Guess of the draft model",
                                                              "Microbatch",
                                                              "Waiting",
                                                              "Host and fixed times",
                                                              "Power"};
    return labels[static_cast<std::size_t>(work)];
}

void ScheduleBlock::append(const Operator& op, std::size_t index, const OperatorTime& time) {
    const double end = seconds + time.seconds / op.repeat;
    const auto work = workOf(op);
    if (end > seconds)
        segments.push_back(
            {isSent(work) ? Lane::Network : Lane::Compute, work, index, seconds, end, 0.0, time.bound});
    seconds = end;
}

Work workOf(const Operator& op) {
    if (!isCollective(op.kind))
        return Work::Operator;
    return op.kind == OperatorKind::AllReduce ? Work::AllReduce : Work::Collective;
}

bool isFlow(Work work) {
    return work >= Work::WeightTransfer;
}

} // namespace heteroscape::engine
