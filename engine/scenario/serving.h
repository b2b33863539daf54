// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/arrival_kind.h"
#include "engine/scenario/batching_kind.h"
#include "engine/scenario/request_trace.h"

#include <memory>
#include <string>

namespace heteroscape::engine {

/// The recorded requests a design names. Loaded at the edge (loadScenario(), the window, the command line).
struct TraceFile {
    std::string path;
    std::shared_ptr<const RequestTrace> requests; ///< null: not loaded
    std::string problem;                          ///< why it is not loaded
    bool isOutside = false; ///< not opened, because it lies outside the folder of the design

    bool operator==(const TraceFile& other) const {
        return path == other.path && !requests == !other.requests &&
               (!requests || requests->hash == other.requests->hash);
    }
};

/// A quantity for each key of a parameter of any kind of arrivals or batching; a key that several kinds have
/// stands once. Kinds are registered before the first design is made.
std::span<const KindParameter> servingParameters();
std::vector<Quantity> initialServingQuantities();

/// What is asked of the system over time, and how its pools take it.
struct Serving {
    const ArrivalKind* arrivals = arrivalKinds().all().front();   ///< not null
    const BatchingKind* batching = batchingKinds().all().front(); ///< not null
    /// Parallel to servingParameters(): those of kinds that are not chosen are kept too.
    std::vector<Quantity> quantities = initialServingQuantities();
    Quantity ttftLimit;    ///< s; what goodput asks for; unset: no limit
    Quantity tpotLimit;    ///< s
    Quantity latencyLimit; ///< s, end to end
    TraceFile trace;

    /// The quantity of a parameter by its key; throws Error (NotFound) when no kind has it.
    Quantity& operator[](std::string_view key);
    const Quantity& operator[](std::string_view key) const;
    /// Whether the chosen arrivals or batching have the parameter.
    bool uses(std::string_view key) const;
    /// The values of a kind's parameters.
    Settings settings(const ServingKind& kind) const;

    /// Takes all requests of a loaded trace; without one, arrivals that were a trace are steady again.
    void setTrace(TraceFile file);
    bool isSimulated() const { return arrivals->isSimulated(); }
    bool operator==(const Serving&) const = default;
};

/// Those that do not belong to a kind.
std::span<const Field<Serving>> servingFields();

Serving readServing(JsonObject object);
Json writeServing(const Serving& serving);

/// Traces up to this length travel inside the file of a design; longer ones are named by their path.
inline constexpr std::size_t kMaxKeptRequests = 100000;

/// A design may come from a stranger: what it names is opened below its own folder only, links followed,
/// unless its user has allowed it.
enum class TraceRights { BelowFolder, Anywhere };

/// Loads the trace that `serving` names, unless it has its requests already: from `folder`, that of the
/// design (empty: it has none), under its path or its bare name. Leaves `problem` behind instead of throwing
/// when it cannot be read or may not be opened.
void loadTrace(Serving& serving, const std::string& folder, TraceRights rights = TraceRights::BelowFolder);

} // namespace heteroscape::engine
