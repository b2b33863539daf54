// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/kernels/kernel_catalog.h"
#include "engine/timing/kernels/kernel_time.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace heteroscape::engine {

/// How a dense layer is served.
struct DenseServing {
    std::string framework = "trtllm"; ///< "trtllm", "sglang", "vllm"
    /// "bf16", "int8_wo", "int4_wo", "sq", "fp8" (scales at run time), "fp8_static", "fp8_block", "nvfp4"
    /// "int8_wo" and "int4_wo" are timed with the framework's own GEMMs where those were measured, else as
    /// Marlin's (unpackingGemmTime()).
    std::string recipe = "bf16";
    bool fp8Cache = false;
    double ranks = 1;       ///< P: tensor parallel
    double weightBytes = 0; ///< an element, of weights that are unpacked; 0: as the recipe has it
    bool operator==(const DenseServing&) const = default;
};

/// Attention of the generation phase, whose time depends on the context.
struct GenerationKernel {
    GpuFigures gpu;
    AttentionGenerationConstants constants;
    AttentionGenerationShape shape; ///< but for `cached`
    KernelTrust trust{};

    KernelTime at(double cached) const;
};

/// The four linear layers of a decoder layer; who quantizes their input depends on which it is.
enum class LinearRole { Qkv, Output, GateUp, Down };

// Whether a shape lies within what was measured (silicon_kernels.md, section 10).
bool wasMeasured(const GemmShape& shape);
bool wasMeasured(const AttentionContextShape& shape);
bool wasMeasured(const AttentionGenerationShape& shape);
bool ranksWereMeasured(double ranks);

/// The kernels of one framework and recipe on one device: what is fused with what, and who quantizes the
/// input of which GEMM (silicon_kernels.md, section 11; the single kernels are measured, the composition is
/// that section's assumption). Times in us, of one rank. Prepared once; the functions allocate nothing.
class ServedKernels {
public:
    /// `grouped`: several query heads share a head of keys and values. Throws Error (NotFound, InvalidInput)
    /// for what has no constants, no peak, or is no framework or recipe.
    ServedKernels(const KernelCatalog& catalog, const Gpu& gpu, const DenseServing& serving, bool grouped);

    double ranks() const { return m_ranks; }
    std::string_view recipe() const { return m_recipe; }
    double weightBytes() const { return m_weightBytes; }                       ///< as it was asked for
    Rate linearRate() const { return m_precision.rate; }                       ///< of linear layers
    Rate contextRate() const { return m_fp8Context ? Rate::Fp8 : Rate::Bf16; } ///< of attention in prefill

    /// A streaming kernel that reads and writes so many bytes.
    KernelTime streamed(double read, double written) const;
    /// Residual add and norm of `tokens` rows before a linear layer.
    KernelTime norm(double tokens, double hidden, LinearRole next) const;
    /// A kernel that casts the input of a linear layer; of 0 us where there is none.
    KernelTime cast(LinearRole role, const GemmShape& shape) const;
    /// A linear layer, with the quantization of its input where that is its own.
    KernelTime linear(LinearRole role, const GemmShape& shape) const;
    /// Rotary embedding of `queries` and `keys` elements a token; of 0 us where attention does it.
    KernelTime rotary(double tokens, double queries, double keys) const;
    /// Queries to fp8, for an fp8 cache; of 0 us where attention does it.
    KernelTime queryCast(double tokens, double queries) const;
    /// The activation between the linear layers of an MLP, with the product of a gated one.
    KernelTime activation(double tokens, double width, bool gated = true) const;
    /// Attention, cold; the bytes of the cache and the arithmetic are set here.
    KernelTime context(AttentionContextShape shape) const;
    KernelTime generation(const AttentionGenerationShape& shape) const;
    GenerationKernel generationKernel() const; ///< for the shape to be filled in
    /// The framework's own all-reduce of so many bytes a rank, over nodes acrossNodesTime(); more than one
    /// rank.
    KernelTime allReduce(double bytes) const { return allReduce(bytes, m_ranks); }
    KernelTime allReduce(double bytes, double ranks) const; ///< among others than `ranks()`
    /// NCCL's all-gather of a result of so many bytes, likewise.
    KernelTime gather(double bytes) const;
    /// The product of the LM head, bf16 in every recipe.
    KernelTime head(const GemmShape& shape) const {
        return m_trust.head.of(m_head.time(shape), wasMeasured(shape));
    }

private:
    struct Rows;
    ServedKernels(const KernelCatalog& catalog, const Gpu& gpu, const DenseServing& serving,
                  const Rows& rows);

    /// Who quantizes the input of a GEMM.
    enum class Quantizer { Own, Fused, Cast };

    Gpu m_gpu;
    std::string_view m_framework, m_recipe;
    double m_ranks, m_cacheBytes, m_weightBytes;
    double
        m_fusedReduce; ///< B: the most that are reduced in one kernel with the norm behind it; below 0: none
    std::array<std::array<Quantizer, 2>, 4>
        m_quantizers;               ///< by LinearRole, and whether the reduce has the norm
    bool m_rotates, m_castsQueries; ///< in kernels of their own
    GemmPrecision m_precision;
    GemmKernel m_linear, m_head;
    /// Of linear layers, in place of m_linear, whose launch it has.
    struct Unpacking {
        MoeConstants constants;
        double weightBytes, launchUs;
    };
    std::optional<Unpacking> m_unpacking;
    AttentionContextConstants m_context;
    AttentionGenerationConstants m_generation;
    ElementwiseConstants m_elementwise;
    AllReduceConstants m_allReduce;
    NcclConstants m_gather;
    bool m_fp8Context;
    struct Trust {
        KernelTrust linear, head, context, generation, elementwise, allReduce, gather;
    } m_trust;

    bool is(std::string_view framework) const { return m_framework == framework; }
    bool fp8Cache() const { return m_cacheBytes == 1.0; }
    bool reduceFusesNorm(double tokens, double hidden) const { return 2 * tokens * hidden <= m_fusedReduce; }
    Quantizer quantizerOf(LinearRole role, bool reduceHasNorm) const;
    /// `hidden`: of the norm before the layer, where one is.
    Quantizer quantizer(LinearRole role, double tokens, double hidden) const {
        return m_quantizers[static_cast<std::size_t>(role)][reduceFusesNorm(tokens, hidden) ? 1 : 0];
    }
    double writtenBytes(LinearRole next, double tokens, double hidden) const;
};

/// The same, made once for what a thread asks for again and again.
std::shared_ptr<const ServedKernels> keptKernels(const KernelCatalog& catalog, const Gpu& gpu,
                                                 const DenseServing& serving, bool grouped);

} // namespace heteroscape::engine
