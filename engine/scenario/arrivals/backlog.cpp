// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/arrival_kind.h"

#include <array>

namespace heteroscape::engine {

namespace {

/// All requests at time 0.
class Backlog final : public ArrivalKind {
public:
    Backlog()
        : ArrivalKind(
              {"backlog", "Backlog", "all at the start", "a backlog",
               "All requests are there at the start. The simulation runs until the last is served."}) {}

    std::span<const KindParameter> parameters() const override { return m_parameters; }
    std::string describe(const Serving&, const std::string& count) const override {
        return "Backlog of " + count + " requests";
    }

private:
    std::array<KindParameter, 1> m_parameters{kRequestsParameter};
};

} // namespace

const ArrivalKind& backlogArrivals() {
    static const Backlog kind;
    return kind;
}

} // namespace heteroscape::engine
