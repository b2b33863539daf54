// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace heteroscape::engine {

/// How a figure that rests on measured constants relates to what was measured.
enum class Evidence : std::uint8_t {
    None,          ///< it rests on none
    Interpolated,  ///< this device, within the range that was measured
    AnotherDevice, ///< constants of another device, with this one's published or edited figures
    Beyond         ///< sizes, frameworks or kernels that were not measured
};

std::string_view evidenceName(Evidence evidence); ///< "none", "interpolated", "another_device", "beyond"
std::string_view evidenceText(Evidence evidence); ///< "interpolated", "beyond what was measured", ...

/// How far a figure is expected to be from what a server would show: the median of |model / measured - 1|
/// over rows that nothing was fitted on, of each kind of kernel, weighted by how much the figure depends on
/// it.
struct ExpectedError {
    double percent = std::numeric_limits<double>::quiet_NaN(); ///< either way; NaN: nothing was measured
    double otherDevice = 0.0; ///< share of what it depends on that rests on another device
    double beyond = 0.0;      ///< ... that lies beyond what was measured

    explicit operator bool() const { return percent == percent || beyond > 0.0; }
    /// The worst that at least a tenth of the figure rests on.
    Evidence evidence() const;
    std::string text() const; ///< "±4.2 %, interpolated"; empty where nothing is expected

    bool operator==(const ExpectedError&) const = default;
};

} // namespace heteroscape::engine
