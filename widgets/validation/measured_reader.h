// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/validation/measured_chunk.h"

#include <functional>
#include <stop_token>

namespace heteroscape::widgets {

/// One sort of file of measurements: listed once, in measured_reader.cpp.
struct MeasuredReader {
    using Found = std::function<void(std::shared_ptr<const MeasuredChunk> chunk)>;

    /// By the names of the columns.
    bool (*accepts)(const std::vector<std::string>& columns);
    /// Reads the file and asks the models, and hands over chunks as they are done. `source`: what the rows go
    /// by; empty: what the reader calls them. Throws engine::Error naming file, line and column.
    void (*read)(const QString& path, const QString& source, const Found& found, const std::stop_token& stop);
};

/// By the first reader that accepts the file's columns; the first of all tells what is wrong where none does.
/// Any thread. Throws engine::Error naming file, line and column.
void readMeasuredFile(const QString& path, const QString& source, const MeasuredReader::Found& found,
                      const std::stop_token& stop);

} // namespace heteroscape::widgets
