// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/loaded_study.h"

#include <QString>

#include <cstdint>

namespace heteroscape::widgets {

/// Writes a stored study as CSV (engine::studyCsv(): all metrics, exact numbers), replacing what is there.
/// Throws engine::Error naming the store or the file. Any thread; a million points take a while.
void exportStudyCsv(const QString& storePath, std::int64_t study, const QString& path);

/// The points of a study that is shown as CSV (engine::studyCsv()), with the keys that its store has,
/// or made anew where that cannot be read. `filter`: what filters them now. Any thread.
QString studyCsvText(const LoadedStudy& study, const std::vector<engine::Limit>& filter);

/// Writes a stored study with its points as a store of its own, replacing what is there only when it is
/// whole. Throws engine::Error naming the store or the file. Any thread.
void exportStudySqlite(const QString& storePath, std::int64_t study, const QString& path);

/// One of the two by `format`: "csv" or "sqlite". Throws engine::Error for any other.
void exportStudy(const QString& storePath, std::int64_t study, const QString& format, const QString& path);

} // namespace heteroscape::widgets
