// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

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

} // namespace heteroscape::engine
