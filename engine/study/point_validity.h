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

/// Whether points of a study have validation errors, without validating each: a validation rests on the
/// choices of a point and on those of its numbers that it reads, which is seen while it runs. Points that
/// agree there get the same answer. For the points of one setter; one a thread, a copy is independent.
class PointValidity {
public:
    bool of(const PointSetter& point); ///< of its last point: no errors

private:
    static constexpr std::size_t kKept = 1024; ///< answers; one takes the place of another when they meet

    std::vector<char> m_reads;    ///< of each axis: a choice, or some validation has read it
    std::vector<double> m_values; ///< of each answer, one for each axis; 0 where it is not read
    std::vector<char> m_answers;  ///< 0: none is kept
    std::vector<double> m_key;    ///< reused

    std::size_t placeOf(const PointSetter& point);
};

} // namespace heteroscape::engine
