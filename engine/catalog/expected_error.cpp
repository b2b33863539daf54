// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/expected_error.h"

#include "engine/units/number_text.h"

#include <array>

namespace heteroscape::engine {

std::string_view evidenceName(Evidence evidence) {
    static constexpr std::array<std::string_view, 4> names{"none", "interpolated", "another_device",
                                                           "beyond"};
    return names[static_cast<std::size_t>(evidence)];
}

std::string_view evidenceText(Evidence evidence) {
    static constexpr std::array<std::string_view, 4> texts{"not measured", "interpolated", "another device",
                                                           "beyond what was measured"};
    return texts[static_cast<std::size_t>(evidence)];
}

Evidence ExpectedError::evidence() const {
    constexpr double kTenth = 0.1;
    if (!*this)
        return Evidence::None;
    if (beyond >= kTenth)
        return Evidence::Beyond;
    return beyond + otherDevice >= kTenth ? Evidence::AnotherDevice : Evidence::Interpolated;
}

std::string ExpectedError::text() const {
    if (!*this)
        return {};
    const std::string of(evidenceText(evidence()));
    return percent == percent ? "\u00b1" + shortText(percent, 2) + " %, " + of : of;
}

} // namespace heteroscape::engine
