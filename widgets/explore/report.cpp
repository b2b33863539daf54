// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/report.h"

#include "engine/base/error.h"
#include "engine/evaluation/breakdown.h"
#include "engine/exporters/csv.h"
#include "widgets/explore/study_tile.h"
#include "widgets/plots/chart_export.h"
#include "widgets/roofline/roofline_chart.h"

#include <QDir>

namespace heteroscape::widgets {

std::vector<QString> writeReport(const engine::StudyTable& table, const engine::Scenario& base,
                                 const QString& folder) {
    if (table.info.axes.empty() || table.rows() == 0)
        throw engine::Error(engine::ErrorCode::InvalidInput, "study \"" + table.info.name + "\"",
                            "there are no points to report", "Run the study first");
    if (!QDir().mkpath(folder))
        throw engine::Error(engine::ErrorCode::Io, folder.toStdString(), "the folder cannot be made",
                            "Give a folder that can be written to");
    const QDir target(folder);
    const ImageSize size{.widthMm = kTwoColumnMm, .dpi = 200.0};
    engine::SeriesQuery query{
        table.info.axes[0].path, table.info.axes.size() > 1 ? table.info.axes[1].path : "", "", {}};
    for (std::size_t i = 2; i < table.info.axes.size(); ++i)
        query.fixed.emplace_back(table.info.axes[i].path, table.info.axes[i].values.front());

    std::vector<QString> written;
    const auto plot = [&](const char* metric, const char* file) {
        query.metric = metric;
        written.push_back(target.filePath(QString::fromLatin1(file)));
        renderPlot(studyPlot(table, query), written.back(), size);
    };
    plot("throughput_tok_s", "throughput.png");
    plot("tok_s_per_usd", "cost_efficiency.png");
    written.push_back(target.filePath(QStringLiteral("roofline.png")));
    exportChart(rooflineChart(engine::rooflines(base), {}), written.back(), size);
    written.push_back(target.filePath(QStringLiteral("study.csv")));
    exportText(QString::fromStdString(engine::studyCsv(table, {})), written.back());
    return written;
}

} // namespace heteroscape::widgets
