// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace heteroscape::engine {

/// A piece of a prompt in one step.
struct PromptPiece {
    double done = 0.0;   ///< tokens of it that earlier steps took
    double tokens = 0.0; ///< that this step takes
    bool ends = false;   ///< the prompt ends with it: its first answer token comes out of the step
};

/// Seconds of one step of one server: one copy of a model with all its data-parallel ranks. Pure; any thread
/// may ask.
class StepModel {
public:
    virtual ~StepModel() = default;

    /// A step in which `sequences` take one token each (with drafts: one step each) at a mean context of
    /// `context` tokens. With data-parallel ranks they stand on all ranks alike. What is asked may be a
    /// fraction of a sequence (several workers share them): see linearBetweenWhole().
    virtual double decode(double sequences, double context) const = 0;

    /// A step with pieces of prompts (one at least) beside `sequences` that decode; 0: none do. The model
    /// deals the pieces out over its ranks (see dealOut()).
    virtual double mixed(double sequences, double context, std::span<const PromptPiece> pieces) const = 0;

    /// Steps with prompts that are under way at one time: the stages of a pipeline. A decode() is a round of
    /// them all.
    virtual double stages() const { return 1.0; }

    /// Seconds from such a step to the next behind it: its longest stage. mixed() is all of its stages.
    virtual double stage(double sequences, double context, std::span<const PromptPiece> pieces) const {
        return mixed(sequences, context, pieces);
    }
};

/// f at max(1, x), linear between the whole numbers around it: steps of servers that share sequences alike.
template <class F>
double linearBetweenWhole(double x, F f) {
    const double at = std::max(1.0, x);
    const double whole = std::floor(at);
    const double low = f(whole);
    return at == whole ? low : low + (at - whole) * (f(whole + 1.0) - low);
}

/// The rank of each piece: in order, each to the rank with the fewest prompt tokens so far, of several the
/// first. `tokens` (one entry a rank) is filled with the prompt tokens of each.
inline void dealOut(std::span<const PromptPiece> pieces, std::span<double> tokens,
                    std::vector<std::size_t>& rankOf) {
    std::fill(tokens.begin(), tokens.end(), 0.0);
    rankOf.clear();
    for (const auto& piece : pieces) {
        const auto rank = std::min_element(tokens.begin(), tokens.end());
        *rank += piece.tokens;
        rankOf.push_back(static_cast<std::size_t>(rank - tokens.begin()));
    }
}

} // namespace heteroscape::engine
