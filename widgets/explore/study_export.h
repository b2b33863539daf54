// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/claims/figure_study.h"
#include "widgets/explore/loaded_study.h"

#include <QString>
#include <cstdint>
#include <vector>

namespace heteroscape::widgets {

/// Writes the figures and the data of a finished study into a folder, which is made when it is not there:
/// each of `plots` as plot-1.png, plot-2.png … with what it shows as plot-1.csv …, and study.csv. Without
/// plots: throughput.png and cost_efficiency.png over the first axis by the second (further axes stand at
/// their first value), roofline.png of the study's base, and study.csv. Pictures are 178 mm wide at 200 dpi.
/// Needs a QApplication (offscreen will do) and the theme installed. Returns the paths written; throws Error
/// naming the path.
std::vector<QString> writeReport(const LoadedStudy& study, const std::vector<engine::StudyPlot>& plots,
                                 const QString& folder);

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
