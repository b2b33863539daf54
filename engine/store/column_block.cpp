// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/column_block.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace heteroscape::engine {

static_assert(std::endian::native == std::endian::little, "blocks are little-endian");

namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostDifferent = 256;

template <class Number>
void append(std::string& bytes, Number number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// Takes numbers off the front of bytes.
class BlockBytes {
public:
    explicit BlockBytes(std::string_view bytes) : m_rest(bytes) {}
    std::size_t size() const { return m_rest.size(); }
    const char* take(std::size_t count) {
        const char* at = m_rest.data();
        m_rest.remove_prefix(count);
        return at;
    }
    std::size_t number() {
        std::uint16_t value = 0;
        std::memcpy(&value, take(sizeof value), sizeof value);
        return value;
    }
    std::string_view rest() const { return m_rest; }

private:
    std::string_view m_rest;
};

/// Finds the different values of a block, up to 256 of them, and which of them each point has.
class Dictionary {
public:
    /// False: there are more, or a list of them would be no shorter than the values.
    bool fill(std::span<const double> values) {
        const auto most = std::min(kMostDifferent, values.size() * 7 / 8);
        m_indices.resize(values.size());
        m_slots.fill(0);
        std::uint64_t last = 0;
        std::uint8_t index = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto bits = std::bit_cast<std::uint64_t>(values[i]);
            if (bits != last || i == 0) {
                if (!find(bits, most, index))
                    return false;
                last = bits;
            }
            m_indices[i] = static_cast<char>(index);
        }
        return true;
    }
    const std::vector<std::uint64_t>& different() const { return m_different; }
    std::string_view indices() const { return m_indices; }

private:
    static constexpr std::size_t kSlots = 1024;
    std::array<std::uint16_t, kSlots> m_slots; ///< 1 + the place in m_different; 0: free
    std::vector<std::uint64_t> m_different;
    std::string m_indices;

    bool find(std::uint64_t bits, std::size_t most, std::uint8_t& index) {
        auto slot = static_cast<std::size_t>(bits * 0x9E3779B97F4A7C15ULL >> 54);
        while (m_slots[slot] != 0) {
            const auto place = static_cast<std::size_t>(m_slots[slot] - 1);
            if (m_different[place] == bits) {
                index = static_cast<std::uint8_t>(place);
                return true;
            }
            slot = (slot + 1) % kSlots;
        }
        if (m_different.size() >= most)
            return false;
        index = static_cast<std::uint8_t>(m_different.size());
        m_different.push_back(bits);
        m_slots[slot] = static_cast<std::uint16_t>(m_different.size());
        return true;
    }
};

// Metrics over an axis are smooth: the bits of their values, differenced as integers up to three times, are
// small. Nothing is lost: sums of integers of 64 bits wrap as differences do.
constexpr std::size_t kGroup = 32; ///< values that share a width
constexpr int kMostDifferenced = 3;

/// The differences of a sequence, of an order.
class Differences {
public:
    explicit Differences(int order) : m_order(order) {}
    /// With its sign as the lowest bit.
    std::uint64_t next(double value) {
        auto difference = std::bit_cast<std::uint64_t>(value);
        for (int i = 0; i < m_order; ++i) {
            const auto last = std::exchange(m_last[static_cast<std::size_t>(i)], difference);
            difference -= last;
        }
        return difference << 1 ^ (difference >> 63 != 0 ? ~std::uint64_t{0} : 0);
    }

private:
    int m_order;
    std::array<std::uint64_t, kMostDifferenced> m_last{};
};

/// The values of a sequence of differences.
class Sums {
public:
    explicit Sums(int order) : m_order(order) {}
    double next(std::uint64_t difference) {
        auto sum = difference >> 1 ^ ((difference & 1) != 0 ? ~std::uint64_t{0} : 0);
        for (auto i = static_cast<std::size_t>(m_order); i-- > 0;)
            sum = m_sums[i] += sum;
        return std::bit_cast<double>(sum);
    }

private:
    int m_order;
    std::array<std::uint64_t, kMostDifferenced> m_sums{};
};

/// Bytes that hold the numbers of which these are all the bits that are set in any.
std::size_t widthOf(std::uint64_t bits) {
    return static_cast<std::size_t>(std::bit_width(bits) + 7) / 8;
}

/// How often to difference, by some of the groups; 0: it would save less than a sixteenth.
int orderFor(std::span<const double> values) {
    constexpr std::size_t every = 8;
    std::size_t least = 0;
    int best = 0;
    for (int order = 1; order <= kMostDifferenced; ++order) {
        std::size_t groups = 0, widths = 0;
        for (auto at = kGroup; at + kGroup <= values.size(); at += every * kGroup, ++groups) {
            Differences differences(order);
            std::uint64_t bits = 0;
            for (auto i = at - kMostDifferenced; i < at; ++i)
                differences.next(values[i]);
            for (auto i = at; i < at + kGroup; ++i)
                bits |= differences.next(values[i]);
            widths += widthOf(bits);
        }
        if (order == 1)
            least = groups * 15 / 2;
        if (widths < least) {
            least = widths;
            best = order;
        }
    }
    return best;
}

/// False: it would be no shorter than the values.
bool packSmooth(std::span<const double> values, std::string& bytes) {
    const int order = orderFor(values);
    if (order == 0)
        return false;
    constexpr auto most = kMostBlockPoints * sizeof(double);
    std::array<char, 2 + kMostBlockPoints / kGroup + most + sizeof(std::uint64_t)> room; // touched once
    const auto groups = (values.size() + kGroup - 1) / kGroup;
    room[0] = 's';
    room[1] = static_cast<char>(order);
    char* width = room.data() + 2;
    char* out = width + groups;
    Differences differences(order);
    std::array<std::uint64_t, kGroup> group;
    for (std::size_t at = 0; at < values.size(); at += kGroup) {
        const auto count = std::min(kGroup, values.size() - at);
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < count; ++i)
            bits |= group[i] = differences.next(values[at + i]);
        const auto size = widthOf(bits);
        *width++ = static_cast<char>(size);
        for (std::size_t i = 0; i < count; ++i) {
            std::memcpy(out, &group[i], sizeof group[i]); // the next one writes over what is beyond the width
            out += size;
        }
    }
    const auto size = static_cast<std::size_t>(out - room.data());
    if (size > values.size_bytes())
        return false;
    bytes.append(room.data(), size);
    return true;
}

bool unpackSmooth(BlockBytes bytes, std::span<double> values) {
    const auto groups = (values.size() + kGroup - 1) / kGroup;
    if (bytes.size() < 1 + groups)
        return false;
    const int order = *bytes.take(1);
    const auto* widths = bytes.take(groups);
    if (order < 1 || order > kMostDifferenced)
        return false;
    Sums sums(order);
    for (std::size_t at = 0; at < values.size(); at += kGroup) {
        const auto count = std::min(kGroup, values.size() - at);
        const auto size = static_cast<unsigned char>(widths[at / kGroup]);
        if (size > sizeof(std::uint64_t) || bytes.size() < size * count)
            return false;
        const bool hasRoom = bytes.size() >= size * count + sizeof(std::uint64_t);
        const auto mask = size == 0 ? 0 : ~std::uint64_t{0} >> (64 - 8 * size);
        const auto* in = bytes.take(size * count);
        for (std::size_t i = 0; i < count; ++i, in += size) {
            std::uint64_t number = 0;
            std::memcpy(&number, in, hasRoom ? sizeof number : size);
            values[at + i] = sums.next(number & mask);
        }
    }
    return bytes.size() == 0;
}

/// A block of values that are all there.
void packPresent(std::span<const double> values, std::string& bytes) {
    const auto first = std::bit_cast<std::uint64_t>(values.front());
    if (std::all_of(values.begin(), values.end(),
                    [&](double value) { return std::bit_cast<std::uint64_t>(value) == first; })) {
        bytes += 'c';
        append(bytes, values.front());
        return;
    }
    Dictionary dictionary;
    if (dictionary.fill(values)) {
        bytes += 'd';
        append(bytes, static_cast<std::uint16_t>(dictionary.different().size() - 1));
        bytes.append(reinterpret_cast<const char*>(dictionary.different().data()),
                     dictionary.different().size() * sizeof(double));
        bytes += dictionary.indices();
        return;
    }
    if (packSmooth(values, bytes))
        return;
    bytes += 'r';
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

/// How long the stretches without, with, without a value are.
std::vector<std::uint16_t> stretchesOf(std::span<const double> values) {
    std::vector<std::uint16_t> lengths;
    bool present = false;
    std::size_t start = 0;
    for (std::size_t i = 0; i <= values.size(); ++i)
        if (i == values.size() || std::isnan(values[i]) == present) {
            lengths.push_back(static_cast<std::uint16_t>(i - start));
            present = !present;
            start = i;
        }
    return lengths;
}

bool unpackPresent(BlockBytes bytes, char form, std::span<double> values) {
    if (form == 'c') {
        if (bytes.size() != sizeof(double))
            return false;
        double value = 0;
        std::memcpy(&value, bytes.take(sizeof value), sizeof value);
        std::fill(values.begin(), values.end(), value);
        return true;
    }
    if (form == 'r') {
        if (bytes.size() != values.size_bytes())
            return false;
        if (!values.empty())
            std::memcpy(values.data(), bytes.take(values.size_bytes()), values.size_bytes());
        return true;
    }
    if (form == 's')
        return unpackSmooth(bytes, values);
    if (form != 'd' || bytes.size() < 2)
        return false;
    const auto different = bytes.number() + 1;
    if (different > kMostDifferent || bytes.size() != different * sizeof(double) + values.size())
        return false;
    std::array<double, kMostDifferent> list;
    std::memcpy(list.data(), bytes.take(different * sizeof(double)), different * sizeof(double));
    const auto* indices = reinterpret_cast<const unsigned char*>(bytes.take(values.size()));
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (indices[i] >= different)
            return false;
        values[i] = list[indices[i]];
    }
    return true;
}

/// The values that are there, one after the other, to the points that have one.
bool unpackFound(std::string_view bytes, std::span<const char> has, std::span<double> values) {
    // At the end of their own room: none is needed before its place was left behind.
    const auto found = values.last(static_cast<std::size_t>(std::count(has.begin(), has.end(), 1)));
    if (bytes.empty() || !unpackPresent(BlockBytes(bytes.substr(1)), bytes[0], found))
        return false;
    std::size_t next = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = has[i] != 0 ? found[next++] : kNoValue;
    return true;
}

} // namespace

std::string packBlock(std::span<const double> values) {
    const auto missing = static_cast<std::size_t>(
        std::count_if(values.begin(), values.end(), [](double value) { return std::isnan(value); }));
    std::string bytes;
    if (missing == values.size())
        return bytes;
    if (missing == 0) {
        packPresent(values, bytes);
        return bytes;
    }
    std::vector<double> found;
    found.reserve(values.size() - missing);
    std::copy_if(values.begin(), values.end(), std::back_inserter(found),
                 [](double value) { return !std::isnan(value); });
    if (const auto lengths = stretchesOf(values); lengths.size() * 2 + 2 < (values.size() + 7) / 8) {
        bytes += 'p';
        append(bytes, static_cast<std::uint16_t>(lengths.size()));
        bytes.append(reinterpret_cast<const char*>(lengths.data()), lengths.size() * 2);
    } else {
        bytes += 'b';
        std::string bits((values.size() + 7) / 8, '\0');
        for (std::size_t i = 0; i < values.size(); ++i)
            if (!std::isnan(values[i]))
                bits[i / 8] = static_cast<char>(bits[i / 8] | 1 << i % 8);
        bytes += bits;
    }
    packPresent(found, bytes);
    return bytes;
}

bool unpackBlock(std::string_view bytes, std::span<double> values) {
    if (bytes.empty()) {
        std::fill(values.begin(), values.end(), kNoValue);
        return true;
    }
    BlockBytes rest(bytes.substr(1));
    if (bytes[0] != 'p' && bytes[0] != 'b')
        return unpackPresent(rest, bytes[0], values);
    std::vector<char> has(values.size(), 0);
    if (bytes[0] == 'b') {
        if (rest.size() < (values.size() + 7) / 8)
            return false;
        const auto* bits = rest.take((values.size() + 7) / 8);
        for (std::size_t i = 0; i < values.size(); ++i)
            has[i] = static_cast<char>(bits[i / 8] >> i % 8 & 1);
        return unpackFound(rest.rest(), has, values);
    }
    if (rest.size() < 2)
        return false;
    const auto stretches = rest.number();
    if (rest.size() < stretches * 2)
        return false;
    std::size_t at = 0;
    for (std::size_t i = 0; i < stretches; ++i) {
        const auto length = rest.number();
        if (length > values.size() - at)
            return false;
        std::fill_n(has.begin() + static_cast<std::ptrdiff_t>(at), length, static_cast<char>(i % 2));
        at += length;
    }
    return at == values.size() && unpackFound(rest.rest(), has, values);
}

std::int64_t blockSum(std::string_view column, std::size_t first, std::size_t count, std::string_view bytes) {
    const auto place = XXH3_64bits(column.data(), column.size()) + first * 0x9E3779B97F4A7C15ULL +
                       count * 0xC2B2AE3D27D4EB4FULL;
    return std::bit_cast<std::int64_t>(
        static_cast<std::uint64_t>(XXH3_64bits_withSeed(bytes.data(), bytes.size(), place)));
}

std::int64_t bytesSum(std::string_view bytes) {
    return std::bit_cast<std::int64_t>(static_cast<std::uint64_t>(XXH3_64bits(bytes.data(), bytes.size())));
}

} // namespace heteroscape::engine
