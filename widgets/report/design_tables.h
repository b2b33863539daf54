// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"
#include "engine/scenario/scenario.h"

#include <QString>

#include <vector>

namespace heteroscape::widgets {

/// A table of a report. Every row has as many cells as there are headers.
struct ReportTable {
    QString id; ///< "metrics"
    QString title;
    std::vector<QString> headers;
    std::vector<bool> numeric; ///< columns set to the right
    std::vector<std::vector<QString>> rows;
};

/// "system" (nodes and links), "workload" (model, workload, techniques), "metrics" (those that are set, exact
/// numbers), "operators" (where the time of each phase goes) and "sources" (every figure of the devices and
/// runtimes that has a source).
std::vector<ReportTable> designTables(const engine::Scenario& design, const engine::Evaluation& evaluation);

} // namespace heteroscape::widgets
