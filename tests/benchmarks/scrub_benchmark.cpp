// SPDX-License-Identifier: GPL-3.0-or-later
// From a slider's new position to the picture's data, median and slowest of many positions: 10,000 points
// evaluated in memory and put into a chart, 1,000 of a million, as while a slider moves, and 10,000 of a
// million read. Usage: scrub_benchmark [preset]

#include "engine/catalog/catalog.h"
#include "engine/study_run/evaluate_study.h"
#include "tests/places.h"
#include "widgets/document/document.h"
#include "widgets/explore/scrub.h"
#include "widgets/explore/study_plot.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QElapsedTimer>

#include <algorithm>
#include <cstdio>
#include <exception>

using namespace heteroscape;
using namespace heteroscape::widgets;

namespace {

constexpr int kPositions = 60;

engine::Axis axis(const char* path, int values, double step) {
    engine::Axis made{path, {}};
    for (int i = 1; i <= values; ++i)
        made.values.push_back(step * i);
    return made;
}

/// Its points as if they had been stored, their metric made up.
engine::StudyTable storedTable(const engine::Study& study, const std::string& metric) {
    auto one = study;
    for (auto& axis : one.axes)
        axis.values.resize(1);
    auto table = engine::evaluateStudy(one);
    const auto rows = study.pointCount();
    table.info.axes = study.axes;
    table.bounds.assign(rows, 0);
    auto stride = rows;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        auto& column = table.columns[i];
        if (!column.isAxis && column.name != metric && column.name != "feasible")
            continue;
        column.values.assign(rows, 1.0);
        if (!column.isAxis)
            continue;
        const auto& values = study.axes[i].values;
        stride /= values.size();
        for (std::size_t row = 0; row < rows; ++row)
            column.values[row] = values[row / stride % values.size()];
    }
    return table;
}

void measure(const engine::Catalog& catalog, const LoadedStudy& whole, const char* path, const char* what,
             std::size_t most) {
    const auto& study = whole.definition;
    engine::StudyPlot plot;
    plot.kind = engine::PlotKind::HeatMap;
    plot.query.x = study.axes[0].path;
    plot.query.curve = study.axes[1].path;
    plot.query.metric = "throughput_tok_s";
    plot.metrics = {plot.query.metric};
    if (study.axes.size() > 2)
        plot.query.fixed = {{study.axes[2].path, 1.0}};

    std::vector<double> evaluated, drawn;
    std::size_t points = 0;
    for (int i = 0; i < kPositions; ++i) {
        QElapsedTimer timer;
        timer.start();
        const auto cut = scrubCut(study, plot, {{path, 1.0 + i}}, most);
        const auto scrubbed = scrubbedPoints(*cut, whole, catalog);
        evaluated.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
        const auto chart = studyChart(*scrubbed, cut->plot);
        drawn.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
        points = scrubbed->table.rows();
    }
    std::sort(evaluated.begin(), evaluated.end());
    std::sort(drawn.begin(), drawn.end());
    std::printf("%s: %zu points of %zu in %.1f ms (median), %.1f ms (slowest); with the chart %.1f ms: "
                "%.0f pictures a second\n",
                what, points, study.pointCount(), evaluated[kPositions / 2], evaluated.back(),
                drawn[kPositions / 2], 1000 / drawn[kPositions / 2]);
}

int measure(const char* preset) {
    auto catalog =
        std::make_shared<const engine::Catalog>(engine::loadCatalog(heteroscape::places::kPresetsFolder));
    Document document(catalog);
    document.openPreset(preset);
    const auto prompt = "workload.prompt_tokens", output = "workload.output_tokens", batch = "workload.batch";
    LoadedStudy whole;
    whole.definition = {preset, document.scenario(), {}};
    whole.definition.axes = {axis(prompt, 100, 32), axis(output, 100, 32), axis(batch, 3, 1)};
    measure(*catalog, whole, batch, "evaluated", kMostScrubbed);
    whole.definition.axes = {axis(prompt, 1000, 3), axis(output, 1000, 3)};
    measure(*catalog, whole, batch, "evaluated while it moves", 1000);
    whole.definition.axes = {axis(prompt, 100, 32), axis(output, 100, 32), axis(batch, 100, 1)};
    whole.table = storedTable(whole.definition, "throughput_tok_s");
    measure(*catalog, whole, batch, "stored", kMostScrubbed);
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    try {
        Theme::instance().install(application);
        return measure(argc > 1 ? argv[1] : "preserve/llama3-405b-32");
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
