// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"

#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// Quotes a CSV field when it needs it (RFC 4180, with LF line ends). A text that spreadsheets would run as a
/// formula ("=...", "@...") gets an apostrophe before it, as they do it themselves; numbers stay.
std::string csvField(const std::string& whole);

/// A study as CSV: header, one row a point in ordinal order, exact numbers, empty where not available.
/// `metrics`: the metric columns wanted, by key, in the store's order; empty: all. Axes, feasible and bound
/// are always there. Throws Error (NotFound) for a metric that is none.
std::string studyCsv(const StudyTable& table, const std::vector<std::string>& metrics = {});

/// CSV as the contents of a file that any program reads without being told its encoding: signs of units and
/// numbers in ASCII ("x" for the times sign, "us", "mm2", plain spaces and minus signs). Names with other
/// letters stay; then a byte order mark comes first, by which most know UTF-8.
std::string csvFile(std::string_view text);

} // namespace heteroscape::engine
