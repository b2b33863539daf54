// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/field.h"
#include "engine/scenario/request_trace.h"

#include <memory>
#include <string>

namespace heteroscape::engine {

/// How requests come in. Steady: always another one waiting, seen as a closed form alone; the others are
/// simulated request by request. Backlog: all at time 0. Poisson: at a mean rate. Trace: as recorded.
enum class Arrivals { Steady, Backlog, Poisson, Trace };
std::span<const std::string_view> arrivalsNames(); ///< "steady", "backlog", "poisson", "trace"

/// How a pool works on several requests together. Static: up to a batch of them that wait are taken
/// together, padded to the longest prompt, and stay together until the longest output is done. Continuous:
/// each joins and leaves at a token boundary.
enum class Batching { Static, Continuous };
std::span<const std::string_view> batchingNames(); ///< "static", "continuous"

/// The recorded requests a design names. Loaded at the edge (loadScenario(), the window, the command line).
struct TraceFile {
    std::string path;
    std::shared_ptr<const RequestTrace> requests; ///< null: not loaded
    std::string problem;                          ///< why it is not loaded

    bool operator==(const TraceFile& other) const {
        return path == other.path && !requests == !other.requests &&
               (!requests || requests->hash == other.requests->hash);
    }
};

/// What is asked of the system over time, and how its pools take it.
struct Serving {
    Arrivals arrivals = Arrivals::Steady;
    Batching batching = Batching::Static;
    Figure requests{1000.0, Provenance::User, {}}; ///< how many of them are simulated; a trace: at most
    Figure rate{1.0, Provenance::User, {}};        ///< requests/s, Poisson
    Figure seed{1.0, Provenance::User, {}};        ///< of the Poisson stream
    Figure chunkTokens; ///< tokens of a prompt in one step; unset: the whole prompt
    Figure ttftLimit;   ///< s; what goodput asks for; unset: no limit
    Figure tpotLimit;   ///< s
    TraceFile trace;

    /// Takes all requests of a loaded trace; without one, arrivals that were a trace are steady again.
    void setTrace(TraceFile file);
    bool isSimulated() const { return arrivals != Arrivals::Steady; }
    bool operator==(const Serving&) const = default;
};

std::span<const Field<Serving>> servingFields();

Serving readServing(JsonObject object);
Json writeServing(const Serving& serving);

/// Traces up to this length travel inside the file of a design; longer ones are named by their path.
inline constexpr std::size_t kMaxKeptRequests = 100000;

/// Loads the trace that `serving` names, unless it has its requests already: as written, or else from
/// `folder`, under its path or its bare name. Leaves `problem` behind instead of throwing when it cannot be
/// read.
void loadTrace(Serving& serving, const std::string& folder);

} // namespace heteroscape::engine
