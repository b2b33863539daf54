// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace heteroscape::engine {

// A block: one column (a metric, "feasible", "bound") of consecutive points of a study, as the bytes that the
// store keeps. Numbers come back to the last bit; NaN, whatever its bits, is "no value". Little-endian.
//
//   first byte   then
//   'c'          8 bytes: every point has this value
//   'd'          2 bytes n - 1, n values of 8 bytes, one byte a point: which of them
//   's'          1 byte k, a byte w for each 32 points, then w bytes a point: the bits of the values as
//   integers
//                of 64 bits, differenced k times (1 to 3; before the first point all are zero), the sign as
//                the lowest bit. Metrics over an axis are smooth: two to six bytes
//   'r'          8 bytes a point
//   'p'          2 bytes n, n lengths of 2 bytes: points without a value, with, without, ...;
//                then a block of those with one
//   'b'          a bit a point, lowest first: has a value; then a block of those with one
//
// At most 8 bytes a value and an eighth of a byte a point; a block without any value is none. This file is
// shared with the SQLite extension and knows nothing of SQLite.

inline constexpr std::size_t kMostBlockPoints = 8192; ///< points of a block; below 65536: lengths fit 2 bytes

/// The bytes of a block; empty when no point has a value. At most kMostBlockPoints values.
std::string packBlock(std::span<const double> values);

/// The values of a block back into `values`, as many as were packed. False: these are no bytes of such a
/// block; then the values mean nothing. Empty bytes: no point has a value.
bool unpackBlock(std::string_view bytes, std::span<double> values);

/// A checksum (XXH3, 64 bits) of a block in its place: bytes of another column or of other points do not fit.
std::int64_t blockSum(std::string_view column, std::size_t first, std::size_t count, std::string_view bytes);
/// A checksum of bytes.
std::int64_t bytesSum(std::string_view bytes);

} // namespace heteroscape::engine
