// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/value_forms.h"

#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace heteroscape::widgets {

namespace {

/// 1, 2 or 5 times a power of ten, the largest not above `value`.
double niceStep(double value) {
    const double ten = std::pow(10.0, std::floor(std::log10(value)));
    for (const double factor : {5.0, 2.0})
        if (factor * ten <= value)
            return engine::cleaned(factor * ten);
    return engine::cleaned(ten);
}

std::string joined(double from, double to, const std::string& rest) {
    return from < to ? engine::exactText(from) + ":" + engine::exactText(to) + ":" + rest : std::string();
}

std::string halfSameTwice(const engine::FieldSpec& spec, double now) {
    std::vector<double> values;
    for (const double factor : {0.5, 1.0, 2.0}) {
        double value = std::clamp(engine::cleaned(now * factor), spec.minimum, spec.maximum);
        if (spec.integer)
            value = std::round(value);
        if (std::find(values.begin(), values.end(), value) == values.end())
            values.push_back(value);
    }
    std::string text;
    for (const double value : values)
        text += (text.empty() ? "" : ",") + engine::exactText(value);
    return values.size() < 2 ? std::string() : text;
}

std::string powersOfTwo(const engine::FieldSpec& spec, double now) {
    const double near = std::floor(std::log2(now));
    double low = near - 2, high = std::ceil(std::log2(now)) + 2;
    if (const double least = std::max(spec.minimum, spec.integer ? 1.0 : 0.0); least > 0)
        low = std::max(low, std::ceil(std::log2(least)));
    high = std::min(high, std::floor(std::log2(spec.maximum)));
    return joined(std::exp2(low), std::exp2(high), "*2");
}

std::string range(const engine::FieldSpec& spec, double now) {
    double step = niceStep(now / 4);
    if (spec.integer)
        step = std::max(1.0, step);
    double from = step * std::ceil(now / 2 / step - 1e-9);
    double to = std::max(step * std::floor(2 * now / step + 1e-9), from + 4 * step);
    if (from < spec.minimum)
        from = spec.minimum;
    to = std::min(to, spec.maximum);
    return joined(engine::cleaned(from), engine::cleaned(to), engine::exactText(step));
}

std::string logSteps(const engine::FieldSpec& spec, double now) {
    double from = rounded(now / 10, 2), to = rounded(now * 10, 2);
    if (spec.integer) {
        from = std::max(1.0, std::round(from));
        to = std::round(to);
    }
    if (from < spec.minimum)
        from = spec.minimum;
    to = std::min(to, spec.maximum);
    return from > 0 ? joined(from, to, "log7") : std::string();
}

} // namespace

double rounded(double value, int digits) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    return std::strtod(text, nullptr);
}

std::string valueForm(ValueForm form, const engine::FieldSpec& spec, double now) {
    if (!(now > 0)) // not set, or at the zero that no factor leads away from
        now = spec.minimum > 0 ? spec.minimum : std::min(1.0, spec.maximum);
    if (!(now > 0) || !std::isfinite(now))
        return {};
    switch (form) {
    case ValueForm::HalfSameTwice:
        return halfSameTwice(spec, now);
    case ValueForm::PowersOfTwo:
        return powersOfTwo(spec, now);
    case ValueForm::Range:
        return range(spec, now);
    case ValueForm::LogSteps:
        return logSteps(spec, now);
    }
    return {};
}

} // namespace heteroscape::widgets
