// SPDX-License-Identifier: GPL-3.0-or-later
// A kind of batching in one file that nobody else names.
#include "engine/scenario/serving.h"

#include <array>

namespace heteroscape::engine {

namespace {

constexpr std::string_view kSlice = "slice_tokens";

/// As continuous batching does it, with a slice of each prompt that is always set.
class Sliced final : public BatchingKind {
public:
    Sliced()
        : BatchingKind({"sliced", "Sliced", "prompts in slices", "sliced batching",
                        "Each prompt is taken in slices of a few tokens beside the running decodes."}) {}

    std::span<const KindParameter> parameters() const override { return m_parameters; }
    BatchingPolicy policy(const Serving& serving) const override {
        return {false, static_cast<std::uint32_t>(serving[kSlice].value)};
    }
    std::string_view whyNotOffloaded() const override { return "slices are not laid out in memory tiers"; }

private:
    std::array<KindParameter, 1> m_parameters{
        {{{kSlice, "Slice", "tok", 1, 1, 1 << 22, true, true, "Tokens of a prompt in one step."}, 64.0}}};
};

const Sliced sliced;
const Registered<BatchingKind> registered(batchingKinds(), sliced);

} // namespace

} // namespace heteroscape::engine
