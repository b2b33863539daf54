// SPDX-License-Identifier: GPL-3.0-or-later
// From a slider's new position to the picture's data: 10,000 points evaluated in memory and put into a
// chart, median and slowest of many positions. Usage: scrub_benchmark [preset]

#include "engine/catalog/catalog.h"
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

int measure(const char* preset) {
    auto catalog = std::make_shared<const engine::Catalog>(engine::loadCatalog(BENCHMARK_PRESETS));
    Document document(catalog);
    document.openPreset(preset);
    engine::Study study{"benchmark", document.scenario(), {}};
    for (const char* path : {"workload.prompt_tokens", "workload.output_tokens"}) {
        auto& axis = study.axes.emplace_back(engine::Axis{path, {}});
        for (int i = 1; i <= 100; ++i)
            axis.values.push_back(32.0 * i);
    }
    study.axes.push_back({"workload.batch", {1.0, 2.0, 4.0}});
    LoadedStudy whole;
    whole.definition = study;
    engine::StudyPlot plot;
    plot.kind = engine::PlotKind::HeatMap;
    plot.query.x = study.axes[0].path;
    plot.query.curve = study.axes[1].path;
    plot.query.metric = "throughput_tok_s";
    plot.metrics = {plot.query.metric};
    plot.query.fixed = {{study.axes[2].path, 1.0}};

    std::vector<double> evaluated, drawn;
    std::size_t points = 0;
    for (int i = 0; i < kPositions; ++i) {
        QElapsedTimer timer;
        timer.start();
        const auto cut = scrubCut(study, plot, {{study.axes[2].path, 1.0 + i}});
        const auto scrubbed = evaluateScrub(*cut, whole, *catalog);
        evaluated.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
        const auto chart = studyChart(*scrubbed, cut->plot);
        drawn.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
        points = scrubbed->table.rows();
    }
    std::sort(evaluated.begin(), evaluated.end());
    std::sort(drawn.begin(), drawn.end());
    std::printf("%s: %zu points, evaluated in %.1f ms (median), %.1f ms (slowest); with the chart %.1f ms: "
                "%.0f pictures a second\n",
                preset, points, evaluated[kPositions / 2], evaluated.back(), drawn[kPositions / 2],
                1000 / drawn[kPositions / 2]);
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
