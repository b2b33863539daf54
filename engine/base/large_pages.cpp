// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/large_pages.h"

#include <cstdint>
#include <sys/mman.h>

#if defined(__linux__) && !defined(MADV_COLLAPSE)
#define MADV_COLLAPSE 25 // of Linux 6.1; the C library names it from 2.37 on
#endif

namespace heteroscape::engine {

void preferLargePages(const void* memory, std::size_t bytes) {
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

} // namespace heteroscape::engine
