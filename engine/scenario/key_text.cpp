// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/key_text.h"

namespace heteroscape::engine {

std::string keyText(const ScenarioKey& key) {
    constexpr auto* digits = "0123456789abcdef";
    std::string text;
    for (const char byte : key) {
        const auto value = static_cast<unsigned char>(byte);
        text += digits[value >> 4];
        text += digits[value & 15];
    }
    return text;
}

} // namespace heteroscape::engine
