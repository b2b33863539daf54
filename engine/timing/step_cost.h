// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/small_list.h"
#include "engine/catalog/device.h"
#include "engine/operators/affine.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace heteroscape::engine {

/// What a time is spent on, or what keeps it from being shorter.
enum class Bound {
    None,
    Compute,
    Memory,
    LaunchFloor,
    L2,
    Network,
    FixedLayer,
    Pcie,        ///< the link between host and device
    HostMemory,  ///< DRAM under the CPU's attention
    StorageLink, ///< the links between host and storage
    Storage,     ///< SSDs' own rate
    StorageWrite,
    CsdKernel, ///< the attention kernels in CSDs
    CsdPath,   ///< the path from flash to kernel inside a CSD
    Waves,     ///< cores that stand idle: too few blocks of a kernel, or a last wave that is not full
    Latency    ///< steps inside a kernel that wait for each other
};
inline constexpr std::size_t kBoundCount = 16;
using BoundSeconds = std::array<double, kBoundCount>; ///< by Bound
Bound largestOf(const BoundSeconds& seconds);         ///< the first of those that take most

std::string_view boundName(Bound bound);  ///< "compute", "memory", "launch_floor", "l2", "network", ...
std::string_view boundLabel(Bound bound); ///< "compute", "memory reads", "kernel launches", ...

/// A quantity at one context and its growth per key there.
struct Tangent {
    double value = 0.0;
    double perKey = 0.0;

    friend Tangent operator+(Tangent a, Tangent b) { return {a.value + b.value, a.perKey + b.perKey}; }
    friend Tangent operator*(Tangent a, double factor) { return {a.value * factor, a.perKey * factor}; }
    /// The larger of two, the steeper of equals.
    friend Tangent max(Tangent a, Tangent b) {
        return a.value > b.value || (a.value == b.value && a.perKey > b.perKey) ? a : b;
    }
};

/// The time of one step as the largest of a few affine functions of its context: seconds(keys) = max_i
/// line_i(keys). Every timing model answers with one, so sums over a whole decode need no loop over tokens.
/// Where windows fill up on the way (see append()) stretches of contexts have lines of their own.
class StepCost {
public:
    static constexpr std::size_t kMaxLines = 24;

    void add(Bound bound, Affine seconds);
    void delay(double seconds); ///< adds to every line
    /// The same of seconds that no rate shortens: where they are more than the rest, launches are the bound.
    void addFixed(double seconds);
    void scale(double factor); ///< multiplies all of it

    /// A step whose time is known point by point: `at(keys)` gives a Tangent and the Bound there. The time
    /// must be built of affine terms by sums and maxima, hence convex and piecewise affine in the context;
    /// its lines between `first` and `last` are found from their tangents, two evaluations and two more for
    /// every kink.
    template <class At>
    static StepCost fromTangents(double first, double last, At at) {
        StepCost cost;
        const auto low = cost.addTangent(first, at);
        if (last > first)
            cost.refine(first, low, last, cost.addTangent(last, at), at);
        return cost;
    }

    /// The same of a time that is built of other costs, whose lines may change from one stretch of contexts
    /// to the next: `endAt(keys)` is where the first stretch of any of them ends that holds at `context` (see
    /// stretchEnd()). Between two such ends the time is convex.
    template <class EndAt, class At>
    static StepCost overStretches(double first, double last, EndAt endAt, At at) {
        double end = std::min(last, endAt(first));
        auto whole = fromTangents(first, end, at);
        while (end < last) {
            const double before = end;
            end = std::min(last, endAt(before + 1.0));
            whole.append(before, fromTangents(before + 1.0, end, at));
        }
        return whole;
    }

    /// What holds for contexts above `end`; what was added so far holds up to it.
    void append(double end, const StepCost& later);
    /// Becomes at every context the larger of this and `factor` times the other.
    void raiseTo(const StepCost& other, double factor);
    /// The last context of the stretch that holds at `context`; infinite for the last one.
    double stretchEnd(double context) const { return stretchAt(context).end; }

    double at(double context) const; ///< s
    Tangent tangentAt(double context) const;
    Bound boundAt(double context) const; ///< the line that is the largest there; the first added wins a tie
    /// s by Bound, of at(prompt) without tokens, else of sumOverDecode().
    BoundSeconds secondsByBound(double prompt, double tokens) const;

    /// Sum over i = 1..tokens of at(prompt + i), exact, in time independent of `tokens`. The prompt may be a
    /// mean and need not be whole.
    double sumOverDecode(double prompt, double tokens) const;

    /// Calls visit(line, first, last) for every run of contexts prompt + 1 .. prompt + tokens over which one
    /// line (in the order of add()) is the largest.
    template <class Visit>
    void forEachPiece(double prompt, double tokens, Visit visit) const {
        for (double step = 1; step <= tokens;) {
            const auto line = largestAt(prompt + step);
            const double end = endOfPiece(line, prompt, step, tokens);
            visit(line, prompt + step, prompt + end);
            step = end + 1;
        }
    }

private:
    struct Line {
        Bound bound = Bound::None;
        Affine seconds;
        double fixed = 0.0; ///< s of them, see addFixed()
        Bound boundAt(double context) const;
    };
    struct Stretch {
        double end;        ///< its last context
        std::size_t begin; ///< its lines
        std::size_t count;
    };
    std::size_t m_begin = 0;            ///< lines of the last stretch
    SmallList<Stretch, 3> m_stretches;  ///< all but the last, in ascending order
    SmallList<Line, kMaxLines> m_lines; ///< behind the others: few are read

    template <class At>
    Tangent addTangent(double context, At& at) {
        const auto [tangent, bound] = at(context);
        add(bound, {tangent.value - tangent.perKey * context, tangent.perKey});
        return tangent;
    }

    /// Between two contexts whose tangents are lines already.
    template <class At>
    void refine(double from, Tangent low, double to, Tangent high, At& at) {
        const double apart = to - from;
        const double rounding = 1e-12 * high.value;
        if (low.value + low.perKey * apart >= high.value - rounding ||
            high.value - high.perKey * apart >= low.value - rounding || m_lines.size() == kMaxLines)
            return;
        const double middle =
            from + (high.value - low.value - high.perKey * apart) / (low.perKey - high.perKey);
        const double known = low.value + low.perKey * (middle - from);
        if (!(middle > from && middle < to))
            return;
        const auto [tangent, bound] = at(middle);
        if (tangent.value <= known + rounding)
            return; // the two tangents meet on the curve: a kink
        add(bound, {tangent.value - tangent.perKey * middle, tangent.perKey});
        refine(from, low, middle, tangent, at);
        refine(middle, tangent, to, high, at);
    }

    Stretch stretchAt(double context) const;
    std::size_t largestAt(double context) const;
    double endOfPiece(std::size_t line, double prompt, double step, double last) const;
};

} // namespace heteroscape::engine
