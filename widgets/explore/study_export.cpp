// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/study_export.h"

#include "engine/base/csv.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/evaluation/breakdown.h"
#include "engine/exporters/study_csv.h"
#include "engine/store/store.h"
#include "engine/study/truths.h"
#include "engine/study_run/evaluate_study.h"
#include "widgets/explore/study_plot.h"
#include "widgets/plots/chart_export.h"
#include "widgets/roofline/roofline_chart.h"

#include <QDir>
#include <filesystem>

namespace heteroscape::widgets {

std::vector<QString> writeReport(const LoadedStudy& study, const std::vector<engine::StudyPlot>& plots,
                                 const QString& folder) {
    const auto& table = study.table;
    if (table.info.axes.empty() || table.rows() == 0)
        throw engine::Error(engine::ErrorCode::InvalidInput, "study \"" + table.info.name + "\"",
                            "there are no points to report", "Run the study first");
    if (!QDir().mkpath(folder))
        throw engine::Error(engine::ErrorCode::Io, folder.toStdString(), "the folder cannot be made",
                            "Give a folder that can be written to");
    const QDir target(folder);
    const ImageSize size{.widthMm = kTwoColumnMm, .dpi = 200.0};
    std::vector<QString> written;
    const auto path = [&](const QString& file) { return written.emplace_back(target.filePath(file)); };
    const auto draw = [&](engine::StudyPlot plot) {
        HeldValues held;
        settle(plot, table, held);
        return studyChart(study, plot).chart;
    };
    for (std::size_t i = 0; i < plots.size(); ++i) {
        const auto chart = draw(plots[i]);
        const auto name = QStringLiteral("plot-%1").arg(i + 1);
        exportChart(chart, path(name + QStringLiteral(".png")), size);
        exportText(chartCsv(chart), path(name + QStringLiteral(".csv")));
    }
    if (plots.empty()) {
        exportChart(draw(firstPlot(table, "throughput_tok_s")), path(QStringLiteral("throughput.png")), size);
        exportChart(draw(firstPlot(table, "tok_s_per_usd")), path(QStringLiteral("cost_efficiency.png")),
                    size);
        const auto roofs = engine::rooflines(study.definition.base);
        RooflineOptions options;
        options.ceilings = rooflineCeilings(study.definition.base, roofs);
        exportChart(rooflineChart(roofs, options), path(QStringLiteral("roofline.png")), size);
    }
    exportText(studyCsvText(study, table.info.limits), path(QStringLiteral("study.csv")));
    return written;
}

void exportStudyCsv(const QString& storePath, std::int64_t study, const QString& path,
                    const engine::Catalog& catalog) {
    engine::Store store(storePath.toStdString());
    engine::writeStudyCsv(store, study, catalog, {}, path.toStdString());
}

QString studyCsvText(const LoadedStudy& study, const std::vector<engine::Limit>& filter) {
    const auto keys = engine::studyKeys(study.table, study.definition);
    if (study.truths.only() != engine::Truth::Ideal)
        return QString::fromStdString(engine::studyCsv(study.table, {}, {keys, filter}));
    auto marked = study.table; // as every file that leaves the window
    engine::addTruths(marked, study.definition, true);
    return QString::fromStdString(engine::studyCsv(marked, {}, {keys, filter}));
}

void exportStudySqlite(const QString& storePath, std::int64_t study, const QString& path) {
    engine::OutputFile(path.toStdString()); // refuses what is no file, and leaves nothing
    std::error_code failure;
    const auto target = std::filesystem::weakly_canonical(path.toStdString(), failure); // links are followed
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
    if (const auto old = std::filesystem::status(target, failure); std::filesystem::exists(old))
        std::filesystem::permissions(part, old.permissions(), failure);
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
