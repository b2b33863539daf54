// SPDX-License-Identifier: GPL-3.0-or-later
// A cost that nothing but this file knows of: everything that is made from the list of them has it.
#include "engine/catalog/runtime.h"
#include "engine/operators/operator_graph.h"
#include "engine/units/units.h"

#include <array>

using namespace heteroscape::engine;

namespace {

constexpr std::array<KindParameter, 2> kParameters{{
    {{"cache_us", "Refill of a cache", "\u00b5s", units::micro, 0, 1e6, false, false,
      "Time that each operator that reads the KV cache takes besides."}},
    {{"wake_us", "Waking up", "\u00b5s", units::micro, 0, 1e6, false, false,
      "Time that a step takes besides for every two layers."}},
}};

class ToyRefill final : public CostKind {
public:
    ToyRefill() : CostKind("toy_refill", "Toy, refill", "Caches are filled anew, and circuits wake up.") {}
    std::span<const KindParameter> parameters() const override { return kParameters; }
    double timesOfOperator(std::size_t parameter, const Operator& op) const override {
        return parameter == 0 && op.kv.at(1.0) > 0.0 ? 1.0 : 0.0;
    }
    double timesOfStep(std::size_t parameter, const StepSize& size) const override {
        return parameter == 1 ? size.layers / 2.0 : 0.0;
    }
};

const ToyRefill toy;
const Registered<CostKind> registered(costKinds(), toy);

} // namespace
