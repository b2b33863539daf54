// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report_command.h"

#include "app/study_text.h"
#include "engine/base/error.h"
#include "engine/scenario/diagnostics.h"
#include "engine/study_run/run_study.h"
#include "engine/units/number_text.h"
#include "widgets/explore/default_axes.h"
#include "widgets/explore/study_export.h"

#include <QDir>

#include <iostream>

namespace heteroscape::app {

using namespace heteroscape::engine;

namespace {

const std::vector<std::string> kPrinted{"throughput_tok_s", "tok_s_per_usd", "ttft_s",   "tpot_s",
                                        "latency_s",        "tok_s_per_w",   "price_usd"};

/// Runs a study in the user's store, and writes and prints it.
void reportStudy(const Study& study, const std::vector<StudyPlot>& plots,
                 const std::vector<std::string>& printed, const Catalog& catalog, const QString& folder) {
    checkStudy(study);
    Store store(defaultStorePath());
    const auto run = runStudy(study, store, {});
    const auto loaded = widgets::readStudy(store, run.study.id, catalog);
    cli::printStudy(std::cout, loaded->table, printed, loaded->truths);
    std::cout << '\n'
              << run.study.points << " points: " << run.computed << " computed, " << run.reused
              << " from the store\nWritten to " << QDir(folder).absolutePath().toStdString() << ":\n";
    for (const auto& path : widgets::writeReport(*loaded, plots, folder))
        std::cout << "  " << path.toStdString() << '\n';
}

} // namespace

void makeReport(const Scenario& design, const Catalog& catalog, const QString& folder) {
    for (const auto& diagnostic : validate(design))
        if (diagnostic.severity == Severity::Error)
            throwInvalid(diagnostic.subject.empty() ? "design" : diagnostic.subject, diagnostic.message,
                         diagnostic.remedy);
    Study study{design.name, design, {}};
    for (const auto& axis : widgets::defaultAxes(design))
        study.axes.push_back(parseAxis(design, catalog, axis.path + "=" + axis.values));
    std::cout << design.name << ", " << design.model.name << ", "
              << exactText(design.workload.promptTokens.value) << " in, "
              << exactText(design.workload.outputTokens.value) << " out\n\n";
    reportStudy(study, {}, kPrinted, catalog, folder);
}

void makeReport(const FigureStudy& figure, const Catalog& catalog, const QString& folder) {
    if (figure.study.axes.empty())
        throwInvalid("study \"" + figure.id + "\"", "it is one design, not a sweep",
                     "Open it in the window, or report a study with axes");
    std::vector<std::string> printed;
    for (const auto& plot : figure.plots)
        for (const auto* metrics : {&plot.metrics, &plot.rightMetrics})
            printed.insert(printed.end(), metrics->begin(), metrics->end());
    std::cout << figure.name << "\n" << figure.about << "\n\n";
    reportStudy(figure.study, figure.plots, printed, catalog, folder);
}

} // namespace heteroscape::app
