// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study/study.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// One of `count` even parts of a row of points, for work on several machines. The parts lie one after the
/// other and make up the whole, whatever the count.
struct PointShard {
    std::size_t index = 1; ///< 1 .. count
    std::size_t count = 1;

    std::size_t begin(std::size_t points) const { return part(points, index - 1); }
    std::size_t end(std::size_t points) const { return part(points, index); }
    bool isWhole() const { return count == 1; }
    bool operator==(const PointShard&) const = default;

private:
    std::size_t part(std::size_t points, std::size_t i) const {
        return points / count * i + points % count * i / count;
    }
};

inline constexpr std::size_t kMaxShards = 1'000'000;

/// Parses "2/7". Throws Error (InvalidInput).
PointShard parsePointShard(std::string_view text);
std::string shardText(const PointShard& shard);

/// Which points of a study have no validation errors, without validating each.
///
/// validate() looks at three things: the structure (nodes, links, roles, runtimes, switches), which only axes
/// of choices change; whether quantities are set, which is the same at every point of the same choices
/// because each point sets every axis' quantity; and the values of a few quantities: a runtime's
/// activation_bits, which decides what peak is needed, a pool's count and replicas, and the model's heads and
/// experts. So one validation for each combination of such axes decides all points: most studies have few of
/// them. The ranges were checked by checkStudy().
class PointValidity {
public:
    explicit PointValidity(const Study& study);

    bool at(std::size_t ordinal) const; ///< thread-safe

private:
    struct Digit {
        std::size_t stride; ///< in the ordinal
        std::size_t length;
    };
    std::vector<Digit> m_digits;       ///< of the axes that matter
    std::vector<std::uint8_t> m_valid; ///< by their combination
};

} // namespace heteroscape::engine
