// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace heteroscape::engine {

/// Quotes a CSV field when it needs it (RFC 4180, with LF line ends). A text that spreadsheets would run as a
/// formula ("=...", "@...") gets an apostrophe before it, as they do it themselves; numbers stay. So does one
/// that csvFile() would make a formula (its first sign is a true minus or a plus-minus), and one in the wide
/// signs of East Asian spreadsheets.
std::string csvField(const std::string& whole);

/// CSV as the contents of a file that any program reads without being told its encoding: signs of units and
/// numbers in ASCII ("x" for the times sign, "us", "mm2", plain spaces and minus signs). Names with other
/// letters stay; then a byte order mark comes first, by which most know UTF-8.
std::string csvFile(std::string_view text);

/// Writes the same to a file, piece by piece; each ends with a line. `write` hands them over, a second time
/// where letters come late that ask for the mark. Throws Error as OutputFile does, and what `write` throws.
void writeCsvFile(const std::string& path,
                  const std::function<void(const std::function<void(std::string_view)>& take)>& write);

} // namespace heteroscape::engine
