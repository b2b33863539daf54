// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/field.h"

#include <string>

namespace heteroscape::widgets {

/// Ways to spread the values of a numeric axis.
enum class ValueForm { HalfSameTwice, PowersOfTwo, Range, LogSteps };

/// An axis' values in such a form around `now`, within the parameter's range, all in the shown unit:
/// "16,32,64", "8:128:*2", "20:60:5", "3:300:log7". A `now` that is not set (NaN) or 0 is taken as the
/// smallest allowed value above 0, or 1. Empty when the range leaves fewer than two values.
std::string valueForm(ValueForm form, const engine::FieldSpec& spec, double now);

/// A number as so many significant digits have it.
double rounded(double value, int digits);

} // namespace heteroscape::widgets
