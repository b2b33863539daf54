// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/device.h"
#include "engine/evaluation/evaluation.h"

#include <optional>
#include <string>
#include <vector>

namespace heteroscape::engine {

struct Catalog;

/// What one technique that is switched on brings: the design with it against the same design without it.
struct TechniqueGain {
    std::string id;               ///< "l2_prefetch"
    std::string label;            ///< "L2 prefetch"
    bool comparable = false;      ///< both designs run
    std::string reason;           ///< why not
    double throughput = kUnset;   ///< ratio, above 1 is better
    double latency = kUnset;      ///< without / with, above 1 is better
    double timePerToken = kUnset; ///< without / with, above 1 is better
};

/// One for each technique that is switched on, in their order.
std::vector<TechniqueGain> techniqueGains(const Scenario& scenario);

/// "L2 prefetch, against without: throughput 1.09 x better, latency unchanged, time per token 1.1 x worse":
/// for people.
std::string gainText(const TechniqueGain& gain);

/// One kind of operator, or of work beside the operators, within a step.
struct DecisiveWork {
    std::string label;    ///< "FFN gate"
    double seconds = 0.0; ///< in one step
    double share = 0.0;   ///< of the step
    Bound bound = Bound::None;
};

/// The part of a design that a metric hangs on: one phase of one node, what limits it, and what takes its
/// time, longest first.
struct DecisivePart {
    NodeId node;
    std::string name; ///< of the node
    Phase phase = Phase::Decode;
    Bound bound = Bound::None;
    double seconds = 0.0; ///< of one step
    std::vector<DecisiveWork> works;
};

/// Nothing where no step decides (prices, areas, sizes) or the design cannot run. Times to the first token
/// hang on the prefill of the node that prefills most, times of tokens on the decode of the node that decodes
/// most, the latency on the longer of the two, all else on what limits the throughput. `evaluation` is the
/// scenario's own; at most `most` works. Any thread.
std::optional<DecisivePart> decisivePart(const Scenario& scenario, const Evaluation& evaluation,
                                         Metric metric, std::size_t most = 5);

/// Why a setting changes no figure of a design: what decides in its place, as a sentence that follows the
/// path: "changes no figure of this design: nothing that vLLM does on H20 reads it". `without`: the same
/// design without it. Found by what the evaluation reads (ReadRecord) and by trying what would make it count,
/// not by a list of paths: "it counts once cost.server_loss is set". `catalog`: of its parameters. Empty
/// where it changes a figure, whether the design runs, or what validate() says of it. Where requests are
/// simulated it must be so of both runs, too; numbers of the load are not asked about. Any thread.
std::string whyIdle(const Scenario& without, const Scenario& with, const Catalog& catalog,
                    const std::string& path);

/// A part of the time of one batch.
struct BatchPart {
    enum class Kind { Prefill, KvTransfer, Attention, FeedForward, AllReduce, Head, Host, Waiting, Offload };
    Kind kind = Kind::Prefill;
    std::string key;   ///< "prefill", "kv_transfer", "decode_attention", "decode_kv_read", ...
    std::string label; ///< "Prefill", "Decode: attention"
    double seconds = 0.0;
    Metric metric = Metric::Latency; ///< the metric that it is, or belongs to
};

/// The time of one batch from the start of its prefill to its last token, part by part; they add up to the
/// latency. Decode is divided as on the node that decodes most; where its runtime offloads, by what it waits
/// for. Empty where the design cannot run. Any thread.
std::vector<BatchPart> batchParts(const Scenario& scenario, const Evaluation& evaluation);

} // namespace heteroscape::engine
