// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace heteroscape::engine {

inline constexpr std::size_t kLargePage = 2 << 20; // bytes

/// Asks the system for large pages where it has them. Memory that is touched for the first time costs a fault
/// a page, which on a virtual machine takes ten times as long as to fill the page. Less than a large page
/// stays as it is.
void preferLargePages(const void* memory, std::size_t bytes);

/// Room for at least so many values, in large pages.
template <class Value>
void reserveLarge(std::vector<Value>& values, std::size_t count) {
    constexpr std::size_t kept =
        32; // for malloc: its mapping is of whole large pages then, and begins with one
    const auto bytes = (count * sizeof(Value) + kept + kLargePage - 1) / kLargePage * kLargePage - kept;
    values.reserve(bytes > kLargePage ? bytes / sizeof(Value) : count);
    preferLargePages(values.data(), values.capacity() * sizeof(Value));
}

} // namespace heteroscape::engine
