// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/loaded_study.h"

#include <QString>

#include <cstdint>

namespace heteroscape::widgets {

/// Writes a stored study as CSV (engine::studyCsv(): all metrics, exact numbers), replacing what is there.
/// Throws engine::Error naming the store or the file, or a choice that the catalogue lacks. Any thread; a
/// million points take a while.
void exportStudyCsv(const QString& storePath, std::int64_t study, const QString& path,
                    const engine::Catalog& catalog);

/// The points of a study that is shown as CSV (engine::studyCsv()), with the keys of its
/// designs. `filter`: what filters them now. Any thread.
QString studyCsvText(const LoadedStudy& study, const std::vector<engine::Limit>& filter);

/// Writes a stored study with its points as a store of its own, which has them as a plain table of SQL too,
/// replacing what is there only when it is whole. Throws engine::Error naming the store or the file. Any
/// thread.
void exportStudySqlite(const QString& storePath, std::int64_t study, const QString& path);

/// One of the two by `format`: "csv" or "sqlite". Throws engine::Error for any other.
void exportStudy(const QString& storePath, std::int64_t study, const QString& format, const QString& path,
                 const engine::Catalog& catalog);

} // namespace heteroscape::widgets
