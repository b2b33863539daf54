// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heteroscape::engine {

/// What many values of one kind look like, in bounded memory: exact up to a million of them; beyond,
/// quantiles are read off logarithmic bins and are at most 0.05% away. Values are 0 or more.
class Distribution {
public:
    static constexpr std::size_t kExact = std::size_t{1} << 20;

    void add(double value);

    std::uint64_t count() const { return m_count; }
    double sum() const { return m_sum; }
    double mean() const;    ///< NaN without values
    double largest() const; ///< NaN without values
    /// The smallest value that a share of `q` (0..1) of the values does not exceed (nearest rank); NaN
    /// without values.
    double quantile(double q) const;

private:
    std::uint64_t m_count = 0;
    double m_sum = 0.0;
    double m_lost = 0.0; // what rounding took off the sum (Kahan)
    double m_smallest = 0.0;
    double m_largest = 0.0;
    mutable std::vector<double> m_values; // sorted when asked
    mutable bool m_sorted = true;
    std::vector<std::uint64_t> m_bins; // once there are too many values

    void bin(double value);
};

} // namespace heteroscape::engine
