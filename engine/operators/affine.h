// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace heteroscape::engine {

/// A quantity that is affine in the number of keys attended to: constant + perKey * keys.
struct Affine {
    double constant = 0.0;
    double perKey = 0.0;

    double at(double context) const { return constant + perKey * context; }
    Affine& operator+=(const Affine& other) {
        constant += other.constant;
        perKey += other.perKey;
        return *this;
    }
    friend Affine operator+(Affine a, const Affine& b) { return a += b; }
    friend Affine operator*(Affine a, double factor) {
        a.constant *= factor;
        a.perKey *= factor;
        return a;
    }
};

} // namespace heteroscape::engine
