// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/interned_text.h"

#include <cmath>
#include <limits>
#include <string>
#include <string_view>

namespace heteroscape::engine {

/// Where a quantity comes from.
enum class Provenance { Datasheet, Paper, Calibrated, Assumed, User };

std::string_view provenanceName(Provenance provenance); ///< "datasheet", "paper", ...

/// One number and its source. The value is SI; NaN means "not set".
struct Quantity {
    double value = std::numeric_limits<double>::quiet_NaN();
    Provenance provenance = Provenance::User;
    InternedText source; ///< "GLITCHES Table II"; empty for the user's own
    /// How far the true value may lie from it, either way, as a share of it: 0.05 is ±5 %. NaN: not stated.
    double uncertainty = std::numeric_limits<double>::quiet_NaN();

    bool isSet() const { return !std::isnan(value); }
    double valueOr(double fallback) const { return isSet() ? value : fallback; }

    friend bool operator==(const Quantity& a, const Quantity& b) {
        return same(a.value, b.value) && a.provenance == b.provenance && a.source == b.source &&
               same(a.uncertainty, b.uncertainty);
    }

private:
    static bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }
};

} // namespace heteroscape::engine
