// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/metric.h"
#include "engine/scenario/scenario.h"
#include "widgets/window/command_palette.h"

namespace heteroscape::widgets {

class Document;
class SimulationRunner;

/// What the command palette finds of the open design: each number, choice and switch with its value, run to
/// be shown where it is edited. Of a design of many parts those of the parts alone that are selected.
std::vector<CommandPalette::Entry> parameterEntries(const Document& document,
                                                    const std::function<void(const std::string&)>& show);

/// What the open design has of a metric: of the last simulation where only one has it, else of the steady
/// state. In SI; NaN where it has none.
double metricOf(const Document& document, const SimulationRunner& simulation, engine::Metric metric);

/// Every metric with its value, a dash where it has none, run to be explained.
std::vector<CommandPalette::Entry> metricEntries(const Document& document, const SimulationRunner& simulation,
                                                 const std::function<void(engine::Metric)>& explain);

/// For each device that could stand in place of one that runs: the design with it, to be compared. Those that
/// fit on its links come first.
using CompareDesign = std::function<void(const QString& name, const engine::Scenario& design)>;
std::vector<CommandPalette::Entry> otherDeviceEntries(const Document& document, const CompareDesign& compare);

/// Each word of the glossary, run to be shown there.
std::vector<CommandPalette::Entry> termEntries(const std::function<void(const QString& term)>& show);

} // namespace heteroscape::widgets
