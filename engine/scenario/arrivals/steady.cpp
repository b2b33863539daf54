// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/arrival_kind.h"

namespace heteroscape::engine {

namespace {

/// Always another request waiting: the closed form alone.
class Steady final : public ArrivalKind {
public:
    Steady()
        : ArrivalKind(
              {"steady", "Steady", "always one waiting", "steady arrivals",
               "There is always another request waiting. Nothing is simulated: the figures are those of the "
               "closed form."}) {}

    bool isSimulated() const override { return false; }
    std::string describe(const Serving&, const std::string&) const override {
        return "Always another request waiting";
    }
};

} // namespace

const ArrivalKind& steadyArrivals() {
    static const Steady kind;
    return kind;
}

} // namespace heteroscape::engine
