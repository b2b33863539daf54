// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/study_export.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/exporters/csv.h"
#include "engine/exporters/study_csv.h"
#include "engine/store/store.h"
#include "engine/study_run/evaluate_study.h"

#include <filesystem>

namespace heteroscape::widgets {

void exportStudyCsv(const QString& storePath, std::int64_t study, const QString& path,
                    const engine::Catalog& catalog) {
    engine::Store store(storePath.toStdString());
    engine::writeFileAtomically(path.toStdString(), engine::csvFile(engine::studyCsv(store, study, catalog)));
}

QString studyCsvText(const LoadedStudy& study, const std::vector<engine::Limit>& filter) {
    return QString::fromStdString(
        engine::studyCsv(study.table, {}, {engine::studyKeys(study.table, study.definition), filter}));
}

void exportStudySqlite(const QString& storePath, std::int64_t study, const QString& path) {
    const std::filesystem::path target(path.toStdString());
    std::error_code failure;
    if (std::filesystem::equivalent(target, storePath.toStdString(), failure))
        engine::throwInvalid(target.string(), "is the store that the study lies in", "Choose another file");
    auto part = target;
    part += ".new";
    std::filesystem::remove(part, failure); // of an export that was cut off
    try {
        engine::Store(storePath.toStdString()).exportStudy(study, part.string());
    } catch (...) {
        std::filesystem::remove(part, failure);
        throw;
    }
    std::filesystem::rename(part, target, failure);
    if (failure) {
        const auto why = failure.message();
        std::filesystem::remove(part, failure);
        throw engine::Error(engine::ErrorCode::Io, target.string(), "cannot be written: " + why,
                            "Check that you may write there, or choose another file");
    }
}

void exportStudy(const QString& storePath, std::int64_t study, const QString& format, const QString& path,
                 const engine::Catalog& catalog) {
    if (format == QStringLiteral("csv"))
        exportStudyCsv(storePath, study, path, catalog);
    else if (format == QStringLiteral("sqlite"))
        exportStudySqlite(storePath, study, path);
    else
        engine::throwInvalid(path.toStdString(), "\"" + format.toStdString() + "\" is not a form of a study",
                             "Choose csv or sqlite");
}

} // namespace heteroscape::widgets
