// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/step_kernels.h"

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace heteroscape::engine {

/// An entry of constants and how far it is trusted; null until it is asked for.
template <class Constants>
struct KnownEntry {
    const FittedConstants<Constants>* row = nullptr;
    KernelTrust trust{};
};

/// Values by the numbers, from 0, that they hang on, at most `most` (64 times a power of four) of them; of
/// those that meet in a place the last.
template <std::size_t Count, class Value, std::size_t most>
class KnownBy {
public:
    using Key = std::array<double, Count>;

    const Value* find(const Key& key) const { ///< null: it is not known
        const auto* place = m_places.empty() ? nullptr : &m_places[placeOf(key)];
        return place && place->key == key ? &place->value : nullptr;
    }
    void keep(const Key& key, const Value& value) {
        constexpr std::size_t kFew = 64;
        if (2 * ++m_kept > m_places.size() && m_places.size() < most) {
            const auto before =
                std::exchange(m_places, std::vector<Place>(m_places.empty() ? kFew : 4 * m_places.size()));
            for (const auto& place : before)
                if (place.key.front() >= 0.0)
                    m_places[placeOf(place.key)] = place;
        }
        m_places[placeOf(key)] = {key, value};
    }

private:
    struct Place {
        Key key{-1.0};
        Value value{};
    };
    std::vector<Place> m_places;
    std::size_t m_kept = 0;

    std::size_t placeOf(const Key& key) const { // the upper bits of a product hang on all
        std::uint64_t mixed = 0;
        for (const double number : key)
            mixed = (std::rotl(mixed, 29) ^ std::bit_cast<std::uint64_t>(number)) * 0x9E3779B97F4A7C15U;
        return static_cast<std::size_t>(mixed >> (64 - std::countr_zero(m_places.size())));
    }
};

/// Kinds of attention with kernels of their own.
enum class AttentionKernels { Grouped, Latent, Module, Delta, None };

/// Figures of the attention of a group of layers; 0 where they are not set.
struct LayerFigures {
    const LayerGroup* of = nullptr;
    AttentionKernels kernels = AttentionKernels::None;
    double heads = 0.0, kvHeads = 0.0, headDim = 0.0, vDim = 0.0, window = 0.0;
    double kvRank = 0.0, ropeDim = 0.0, nopeDim = 0.0;    ///< latent
    double vHeads = 0.0, kHeads = 0.0, kDim = 0.0;        ///< of the gated delta rule
    ModuleWidths module{};                                ///< of a module
    std::array<KnownEntry<ModuleConstants>, 3> modules{}; ///< of prompts, of a decode, of dense prompts
    KnownBy<3, KernelTime, 1024> prompts{}; ///< as far as they were asked for: by batch, new and past tokens
};

/// How a layered model is served: one model in one layout.
struct LayeredServing {
    const KernelCatalog* catalog = nullptr;
    const Gpu* gpu = nullptr;
    DenseServing dense;       ///< the recipe is that of parts that the model's own formats say nothing of
    bool staticScales = true; ///< of parts in fp8
    // What was asked for so far:
    std::vector<LayerFigures> figures{};
    std::array<std::shared_ptr<const ServedKernels>, kModelPartCount> served{}; ///< by part
    struct Experts : KnownEntry<MoeConstants> {
        MoeFormat format;
        bool ownRouting = false;
    };
    std::array<Experts, kPhaseCount> experts{};
    KnownEntry<MlaPrefillConstants> latentPrompts{};
    KnownEntry<MlaDecodeConstants> latentDecodes{};
    std::optional<KnownEntry<MlaSerialConstants>> latentSerial{};   ///< of none: without a row
    std::array<KnownEntry<MlaAbsorptionConstants>, 2> absorption{}; ///< before and after attention
    std::array<KnownEntry<LinearAttentionConstants>, 4>
        linear{}; ///< rule, convolution; of prompts, of a decode
};

/// Collectives of a step of a layered model on one kind of GPU, us; layeredStepKernels() says which are
/// measured and which are assumptions. Refers to what it is made of.
class LayeredCollectives {
public:
    LayeredCollectives(const OperatorGraph& graph, const KernelCatalog& catalog, const Gpu& gpu)
        : m_graph(graph), m_catalog(catalog), m_gpu(gpu) {}

    /// Within a node, else acrossNodesTime(); throws Error (NotFound) where the link has no constants.
    KernelTime nccl(NcclOperation operation, double ranks, double bytes) const;
    /// Between stages.
    KernelTime send(double bytes) const;
    /// Dispatch to experts or combining what they give, of `rows` routed rows of each rank.
    KernelTime exchange(const Operator& op, double rows, double ranks, double bytes) const;

private:
    const OperatorGraph& m_graph;
    const KernelCatalog& m_catalog;
    const Gpu& m_gpu;

    KernelTime deepEp(bool dispatch, double rows, double ranks) const;
};

/// The kernels that the operators of a layered graph become (moe_parallel.md, section 9.5; us). What is
/// measured is taken from there: linears, norms, activations, attention over groups of heads and all-reduce
/// as a dense layer has them (silicon_kernels.md, sections 2 to 6 and 11), NCCL's collectives within a node,
/// experts, latent attention and its products (with an index the whole attention of a layer as one module,
/// which stands with its attention: attention_module.h), the gated delta rule with its convolution,
/// dispatch and combine (section 9). q, k and v of one layer are one GEMM, as are the two products that
/// compress queries and keys. Weights that the device does not multiply in their format are unpacked
/// (served_kernels.h), where section 9.5 has an assumption. Its others, not measured: a collective over nodes
/// is acrossNodesTime(), with the latencies and rates of the drawn link and network (10 and 25 us, and what
/// gpus.json has, where none is drawn). A send between stages takes t_l + bytes/(0.75 N_l), or 0.4 t_w +
/// bytes/N_w where a stage fills a node. A node has as many GPUs as Gpu::perNode tells, or as the domain of
/// the drawn link holds where that is less; where these are more than 8, as of GB200 and GB300, dispatch and
/// combine are TensorRT-LLM's within NVLink. But for Hopper and Blackwell no dispatch was measured: they are
/// NCCL's, or acrossNodesTime() of what stays in the node and what does not (allToAllShares()).
///
/// Throws Error (NotFound, InvalidInput) for what has no constants.
///
/// Which operators and for which step: as StepKernels has it. A serving goes with one layout.
StepKernels layeredStepKernels(const OperatorGraph& graph, LayeredServing& serving, const StepShape& step,
                               const OperatorSet& which);

} // namespace heteroscape::engine
