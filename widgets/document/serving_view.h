// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/edit.h"

#include <QString>

#include <cstdint>
#include <string_view>
#include <vector>

namespace heteroscape::widgets {

class Document;
class SimulationRunner;

// What comes in and how it is served, for the inspector and the results of a simulation alike. UI thread.

/// The runner of a document: the one it has, else a new one that the document owns.
SimulationRunner* simulationOf(Document* document);

/// A mean rate at which the open design is busy without drowning: 0.7 of the request rate of the closed form,
/// in two digits. Its source tells so. Not set when the design cannot run.
engine::Quantity proposedRate(const Document& document);

/// Makes arrivals of another kind as one undo step. A mean rate that nobody has given becomes
/// proposedRate(). A trace must be loaded: see TraceReader::choose().
bool setArrivals(Document& document, const engine::ArrivalKind* arrivals);

/// Arrivals that are simulated and need nothing beside their quantities, in their order.
std::vector<const engine::ArrivalKind*> readyArrivals();

/// What the stage depth of disaggregation is when it is not set.
std::uint32_t defaultStage(const Document& document);

/// Words of the engine, in UTF-8.
QString words(std::string_view text);

} // namespace heteroscape::widgets
