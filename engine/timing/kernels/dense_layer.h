// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/kernels/served_kernels.h"

#include <array>
#include <cstddef>
#include <string_view>

namespace heteroscape::engine {

/// A dense decoder with grouped attention and a gated MLP.
struct DenseShape {
    double hidden = 1, heads = 1, kvHeads = 1, headSize = 128, width = 1, vocabulary = 1;
};

struct NamedKernel {
    std::string_view name;
    KernelTime time;
};

/// The kernels of a layer, or of the ends of a step, in their order.
class KernelSequence {
public:
    void add(std::string_view name, KernelTime time) { m_kernels.at(m_count++) = {name, time}; }
    double us() const; ///< one after another; each has its own launch in it
    const NamedKernel* begin() const { return m_kernels.data(); }
    const NamedKernel* end() const { return m_kernels.data() + m_count; }

private:
    std::array<NamedKernel, 20> m_kernels{};
    std::size_t m_count = 0;
};

/// The kernels that a dense decoder layer becomes (silicon_kernels.md, section 11): which are fused, who
/// quantizes the input of which GEMM, what is split over ranks. The single kernels are measured, the
/// composition is that section's assumption. Prepared once; the functions allocate nothing.
class DenseLayer {
public:
    /// Throws Error (NotFound, InvalidInput) for what has no constants, no peak, or is no framework or
    /// recipe.
    DenseLayer(const KernelCatalog& catalog, const Gpu& gpu, const DenseShape& shape,
               const DenseServing& serving);

    /// One layer of a step with `batch` sequences of `tokens` new tokens each.
    KernelSequence context(double batch, double tokens) const;
    /// One layer of a step with one new token for each of `batch` sequences of `cached` tokens.
    KernelSequence generation(double batch, double cached) const;
    /// Once a step: embedding, final norm, head and choice, for `tokens` of which `rows` are sampled.
    KernelSequence ends(double tokens, double rows) const;

private:
    DenseShape m_whole, m_share; ///< of the model, of one rank
    ServedKernels m_kernels;

    template <class Attention>
    KernelSequence layer(double tokens, Attention attention) const;
    void addLinear(KernelSequence& kernels, std::string_view name, LinearRole role,
                   const GemmShape& shape) const;
};

} // namespace heteroscape::engine
