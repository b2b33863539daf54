// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstdint>

namespace heteroscape::widgets {

/// What a file was when it was looked at. Programs that replace a file leave another one in its place, those
/// that write into it another time or size: either differs. All zero where there is no file.
struct FileStamp {
    std::uint64_t device = 0;
    std::uint64_t file = 0; ///< its number on the device
    std::int64_t size = 0;
    std::int64_t changed = 0; ///< ns since the epoch

    static FileStamp of(const QString& path);
    bool operator==(const FileStamp&) const = default;
};

} // namespace heteroscape::widgets
