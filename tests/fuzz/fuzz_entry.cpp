// SPDX-License-Identifier: GPL-3.0-or-later
// The entry that libFuzzer calls, for the target FUZZ_TARGET.
#include "tests/fuzz/targets.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    static const auto& target = heteroscape::engine::fuzz::target(FUZZ_TARGET);
    target.run({reinterpret_cast<const char*>(bytes), size});
    return 0;
}
