// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <sys/mman.h>
#include <vector>

#if defined(__linux__) && !defined(MADV_COLLAPSE)
#define MADV_COLLAPSE 25 // of Linux 6.1; the C library names it from 2.37 on
#endif

namespace heteroscape::engine {

inline constexpr std::size_t kLargePage = 2 << 20; // bytes

/// Asks the system for large pages where it has them. Memory that is touched for the first time costs a fault
/// a page, which on a virtual machine takes ten times as long as to fill the page. Less than a large page
/// stays as it is.
inline void preferLargePages(const void* memory, std::size_t bytes) {
#ifdef MADV_HUGEPAGE
    constexpr std::uintptr_t page = 4096;
    const auto at = reinterpret_cast<std::uintptr_t>(memory);
    const auto begin = at / page * page;
    const auto end = (at + bytes + page - 1) / page * page;
    if (bytes < kLargePage)
        return;
    // What the system refuses stays as it is.
    if (::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE) != 0)
        return;
#ifdef MADV_COLLAPSE
    // Of the first one malloc has touched a small page, so that it would remain of small ones.
    ::madvise(reinterpret_cast<void*>(begin), kLargePage, MADV_COLLAPSE);
#endif
#else
    (void)memory;
    (void)bytes;
#endif
}

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
