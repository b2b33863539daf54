// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serving/server/step_model.h"
#include "engine/serving/servers/served_shape.h"
#include "engine/timing/kernels/kernel_catalog.h"

#include <memory>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// How weights and cache are kept. The precision of linears: "bfloat16", "fp8", "fp8_block", "nvfp4"; of
/// experts a format of presets/kernels/moe.json.
struct ServedFormats {
    std::string attention = "bfloat16", dense = "bfloat16", experts = "bf16";
    bool staticScales = false; ///< of fp8: whoever writes the inputs quantizes them
    double cacheBytes = 2;     ///< of an element: 2 or 1

    bool operator==(const ServedFormats&) const = default;
};

/// One copy of a model on its GPUs, tp x dp of them.
struct ServedLayout {
    double tp = 1;                     ///< attention by heads
    double dp = 1;                     ///< ranks of data-parallel attention, which step together
    double expertTp = 1, expertEp = 1; ///< experts by width, dealt to ranks
    bool bigDomain = false;            ///< NVLink joins 72 GPUs (GB200, GB300), else 8

    double ranks() const { return tp * dp; }
    bool operator==(const ServedLayout&) const = default;
};

/// Step times of a GPU server from the kernel models (silicon_serving.md, section 4), seconds:
///   T = max((k (A + X) + L tau) [x dpp] + logits, eager L with prompt tokens) + step
///       + seq (sequences + pieces)
/// A: operators that go with the tokens of the step, X: attention. With data-parallel ranks the pieces are
/// dealt out by section 3. Remembers what depends on a count of tokens alone; from any thread.
class KernelSteps final : public StepModel {
public:
    /// `draft`: guesses a decode step verifies, 0 none. Throws Error (NotFound) for kernels that were not
    /// measured and a rate that the device has no peak of. The catalogue outlives it.
    KernelSteps(const KernelCatalog& catalog, const Gpu& gpu, const ServedShape& shape,
                const ServedFormats& formats, const ServedLayout& layout, const ServerConstants& server,
                double draft = 0.0);
    ~KernelSteps() override;

    double decode(double sequences, double context) const override;
    double mixed(double sequences, double context, std::span<const PromptPiece> pieces) const override;

private:
    struct Parts;
    std::unique_ptr<const Parts> m_parts;
};

} // namespace heteroscape::engine
