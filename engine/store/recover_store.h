// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace heteroscape::engine {

/// Takes what can be read of a damaged store into a new file, and returns what is lost, by study: a study, a
/// point, a block each. The old file is only copied. Throws Error (Io; InvalidInput where `out` is there
/// already, or not even the tables can be told).
std::vector<std::string> recoverStore(const std::string& path, const std::string& out);

} // namespace heteroscape::engine
