// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace heteroscape::engine::test {

/// Value of a path in the design of that name; of the last design where the name is empty.
using CaseValue = std::function<double(const std::string& path, const std::string& design)>;

/// A number of numbers, "none" (not set), paths ("tpot_s", "tpot_s of base"), + - * / ( ). Throws Error
/// naming the place where it is none.
double expressionValue(std::string_view text, const CaseValue& valueOf);

} // namespace heteroscape::engine::test
