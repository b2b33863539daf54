// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study/study.h"

#include <string>

namespace heteroscape::engine {

// What tells studies and their points apart: 16 bytes each, hashes (XXH3) with the version of the equations.

/// Two studies with the same fingerprint have the same points in the same order.
std::string fingerprintOf(const Study& study);

/// Two studies of one family differ in the values of their axes alone, or in the order of axes of numbers: a
/// point with the same values is the same point. What the base has for a number that an axis sets is no part
/// of it.
std::string familyOf(const Study& study);

/// What each choice of an axis stands for, one after the other; empty for an axis of numbers.
std::string choicePrintsOf(const Study& study, const Axis& axis);

inline constexpr std::size_t kPrintBytes = 16;

} // namespace heteroscape::engine
