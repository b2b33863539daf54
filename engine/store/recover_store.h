// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace heteroscape::engine {

/// Takes what can be read of a damaged store, of this program or an older one, into a new file, and returns
/// what is lost, by study: a study, a point, a block each. The old file is only copied. Stores of rows
/// (schemas 1 to 6) have no checksums: there a number that was changed in place is not noticed.
/// Throws Error (Io; InvalidInput where `out` is there already, or not even the tables can be told).
std::vector<std::string> recoverStore(const std::string& path, const std::string& out);

} // namespace heteroscape::engine
