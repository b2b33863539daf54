// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart.h"

#include <array>
#include <optional>

namespace heteroscape::widgets {

/// Logarithmic or linear: what the user chose for the axes of a plot. A choice stays for charts whose axis
/// has the same label.
class AxisScales {
public:
    enum class Axis { X, Y };

    static bool isLog(const Chart& chart, Axis axis);
    static bool canBeLog(const Chart& chart, Axis axis); ///< numbers, some of them above zero

    void settle(Chart& chart); ///< makes the choices the chart's; forgets those of other axes
    /// Chooses for an axis of this chart; false where it is so already, or cannot be.
    bool choose(Chart& chart, Axis axis, bool log);

private:
    struct Choice {
        QString label; ///< of the axis that it was made for
        bool log = false;
    };
    std::array<std::optional<Choice>, 2> m_choices;
};

} // namespace heteroscape::widgets
