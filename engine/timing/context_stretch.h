// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace heteroscape::engine {

/// Contexts of a decode, from `first` to `last`, over which the time of attention is taken for a line: it is
/// smooth in the context but not affine. The line goes through the two contexts apart() below and above the
/// middle, where a cubic's mean is that over all whole contexts of the stretch.
struct ContextStretch {
    double first;
    double last;
    bool stepped = false; ///< the time grows in blocks of keys (kLatentKeyBlock)

    /// The one that begins with `first`, of contexts up to `last`: cut where 1024 + context has grown by
    /// half; where steps count, of whole blocks of keys or within one.
    static ContextStretch from(double first, double last, bool stepped);

    double middle() const { return 0.5 * (first + last); }
    /// Whether it is of whole blocks of keys: one context of each counts, its middle one.
    bool ofBlocks() const;
    double apart() const; ///< 0 where one context counts
};

} // namespace heteroscape::engine
