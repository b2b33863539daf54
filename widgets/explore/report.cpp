// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/report.h"

#include "engine/base/error.h"
#include "engine/evaluation/breakdown.h"
#include "widgets/explore/plot_state.h"
#include "widgets/explore/study_export.h"
#include "widgets/explore/study_plot.h"
#include "widgets/plots/chart_export.h"
#include "widgets/roofline/roofline_chart.h"

#include <QDir>

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

} // namespace heteroscape::widgets
