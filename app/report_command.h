// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/claims/figure_study.h"
#include "engine/scenario/scenario.h"

#include <QString>

namespace heteroscape::app {

/// The window's first study without a window: sweeps the design's default axes into the user's store, prints
/// the table on stdout and writes CSV and plots into `folder`. Needs a QApplication. Throws engine::Error.
void makeReport(const engine::Scenario& design, const engine::Catalog& catalog, const QString& folder);

/// The same of a figure's study, with the figure's plots.
void makeReport(const engine::FigureStudy& figure, const engine::Catalog& catalog, const QString& folder);

} // namespace heteroscape::app
