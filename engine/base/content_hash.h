// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace heteroscape::engine {

/// FNV-1a, 64 bits, of texts one after the other: http://www.isthe.com/chongo/tech/comp/fnv/
inline constexpr std::uint64_t kNoContent = 0xcbf29ce484222325ULL;
constexpr std::uint64_t contentHash(std::string_view text, std::uint64_t before = kNoContent) {
    for (const char byte : text)
        before = (before ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
    return before;
}

} // namespace heteroscape::engine
