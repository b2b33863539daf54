// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// The whole of a regular file of at most 64 MiB. Throws Error (Io, InvalidInput) naming it.
std::string readFile(const std::string& path);

/// Replaces a file atomically: written beside it, flushed, then renamed. The old file survives any failure.
void writeFileAtomically(const std::string& path, std::string_view text);

/// Throws Error for a refusal of the system, which stands in errno: "<action>: <why>", and what to do.
/// NotFound where the path is wrong, else Io.
[[noreturn]] void throwIo(const std::string& path, const std::string& action);

/// Paths of the regular files below `folder` whose name ends in `suffix`, sorted.
std::vector<std::string> listFiles(const std::string& folder, std::string_view suffix);

} // namespace heteroscape::engine
