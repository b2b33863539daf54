// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report_command.h"

#include "app/study_text.h"
#include "engine/base/error.h"
#include "engine/scenario/diagnostics.h"
#include "engine/store/run_study.h"
#include "engine/units/number_text.h"
#include "widgets/explore/default_axes.h"
#include "widgets/explore/report.h"

#include <QDir>

#include <iostream>

namespace heteroscape::app {

using namespace heteroscape::engine;

void makeReport(const Scenario& design, const Catalog& catalog, const QString& folder) {
    for (const auto& diagnostic : validate(design))
        if (diagnostic.severity == Severity::Error)
            throwInvalid(diagnostic.subject.empty() ? "design" : diagnostic.subject, diagnostic.message,
                         diagnostic.remedy);
    Study study{design.name, design, {}};
    for (const auto& axis : widgets::defaultAxes(design))
        study.axes.push_back(parseAxis(design, catalog, axis.path + "=" + axis.values));
    checkStudy(study);
    Store store(defaultStorePath());
    const auto run = runStudy(study, store, {});
    const auto table = store.read(run.study.id);
    std::cout << design.name << ", " << design.model.name << ", "
              << exactText(design.workload.promptTokens.value) << " in, "
              << exactText(design.workload.outputTokens.value) << " out\n\n";
    cli::printStudy(
        std::cout, table,
        {"throughput_tok_s", "tok_s_per_usd", "ttft_s", "tpot_s", "latency_s", "tok_s_per_w", "price_usd"});
    std::cout << '\n'
              << run.study.points << " points: " << run.computed << " computed, " << run.reused
              << " from the store\nWritten to " << QDir(folder).absolutePath().toStdString() << ":\n";
    for (const auto& path : widgets::writeReport(table, design, folder))
        std::cout << "  " << path.toStdString() << '\n';
}

} // namespace heteroscape::app
