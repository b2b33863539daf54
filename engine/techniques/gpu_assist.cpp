// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/scenario/technique_targets.h"
#include "engine/techniques/built_in.h"

#include <array>

namespace heteroscape::engine {

namespace {

const std::array<KindOption, 1> kOptions{{
    {"preempt", "Stop for a prefill",
     "A decode on a prefill node stops at a token boundary when a prefill can run; off: it is finished "
     "first. Acts where requests are simulated.",
     true},
}};

class GpuAssist final : public Technique {
public:
    GpuAssist()
        : Technique("gpu_assist", "Prefill nodes assist",
                    "Prefill nodes decode too when they would otherwise wait (work-conserving policy).") {}

    std::span<const KindOption> options() const override { return kOptions; }

    std::string refusalAt(const TechniqueTargets& targets, const Node& node) const override {
        if (auto refusal = refusalWithoutRuntime(node); !refusal.empty())
            return refusal;
        if (!targets.scenario().techniques.isOn(disaggregation()))
            return "Every accelerator serves whole requests here: split prefill and decode first";
        return node.role == Role::Prefill
                   ? std::string()
                   : node.shownName() + " does not prefill: drop it on a node that does";
    }
    using Technique::refusalAt;
    bool suits(const Scenario& scenario) const override { return hasSeveralAccelerators(scenario); }
    bool changesSteps() const override { return false; }
    std::string mark(const TechniqueSettings&) const override { return "Assist"; }
};

} // namespace

const Technique& gpuAssist() {
    static const GpuAssist kind;
    return kind;
}

} // namespace heteroscape::engine
