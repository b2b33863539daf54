// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/point_validity.h"

#include "engine/base/error.h"
#include "engine/scenario/diagnostics.h"

#include <algorithm>
#include <bit>
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

namespace {

constexpr char kValid = 1, kInvalid = 2;

} // namespace

std::size_t PointValidity::placeOf(const PointSetter& point) {
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < m_key.size(); ++i) {
        m_key[i] = m_reads[i] != 0 ? point.value(i) : 0.0;
        hash = (hash ^ std::bit_cast<std::uint64_t>(m_key[i])) * 0x9E3779B97F4A7C15ULL;
    }
    return hash >> 32 & (kKept - 1);
}

bool PointValidity::of(const PointSetter& point) {
    const auto numbers = point.numbers();
    if (m_answers.empty()) {
        for (const auto* number : numbers)
            m_reads.push_back(number ? 0 : 1);
        m_key.resize(numbers.size());
        m_values.resize(kKept * numbers.size());
        m_answers.resize(kKept);
    }
    const auto valuesOf = [&](std::size_t place) {
        return m_values.begin() + static_cast<std::ptrdiff_t>(place * m_key.size());
    };
    auto place = placeOf(point);
    if (m_answers[place] != 0 && std::equal(m_key.begin(), m_key.end(), valuesOf(place)))
        return m_answers[place] == kValid;
    auto reads = m_reads;
    bool valid = false;
    {
        const ReadRecord record(numbers, reads);
        valid = !hasErrors(validate(point.scenario()));
    }
    if (reads != m_reads) { // answers before were compared by fewer axes
        m_reads = std::move(reads);
        std::fill(m_answers.begin(), m_answers.end(), 0);
        place = placeOf(point);
    }
    std::copy(m_key.begin(), m_key.end(), valuesOf(place));
    m_answers[place] = valid ? kValid : kInvalid;
    return valid;
}

} // namespace heteroscape::engine
