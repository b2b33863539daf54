// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/point_shard.h"

#include "engine/base/error.h"

#include <charconv>

namespace heteroscape::engine {

PointShard parsePointShard(std::string_view text) {
    PointShard shard;
    const auto* end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, shard.index);
    if (first.ec == std::errc() && first.ptr != end && *first.ptr == '/')
        if (const auto second = std::from_chars(first.ptr + 1, end, shard.count);
            second.ec == std::errc() && second.ptr == end && shard.index >= 1 && shard.index <= shard.count &&
            shard.count <= kMaxShards)
            return shard;
    throwInvalid("shard \"" + std::string(text.substr(0, 40)) + "\"", "is no part of a whole",
                 "Write i/n with i from 1 to n: 1/7, 2/7, ... 7/7");
}

std::string shardText(const PointShard& shard) {
    return std::to_string(shard.index) + "/" + std::to_string(shard.count);
}

} // namespace heteroscape::engine
