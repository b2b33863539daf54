// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace heteroscape::engine {

/// The unit that people read a quantity in: what they see is the value in its own unit times `factor`.
struct ShownUnit {
    std::string name;
    double factor = 1.0;
};

/// By the largest value (in `unit`) that is shown beside others of its kind: times under a second in ms,
/// efficiencies without zeros to count. Any other unit is its own.
ShownUnit shownUnit(std::string_view unit, double largest);

} // namespace heteroscape::engine
