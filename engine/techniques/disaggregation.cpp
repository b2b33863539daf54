// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/scenario/edit.h"
#include "engine/techniques/built_in.h"

#include <algorithm>
#include <array>

namespace heteroscape::engine {

namespace {

const std::array<KindParameter, 1> kParameters{{
    {{"stage", "Stage depth", "requests", 1, 0, 65536, true, false,
      "Requests that may be prefilled and wait for a decode node; not set: as many as there are decode "
      "devices, twice that when a decode of prefill nodes is not stopped. Acts where requests are "
      "simulated."}},
}};

/// Prefill and decode on different nodes, by their roles. Off: every accelerator serves whole requests.
class Disaggregation final : public Technique {
public:
    Disaggregation()
        : Technique("disaggregation", "Prefill/decode split",
                    "Prefill and decode run on different nodes, by their roles (GLITCHES, section III). Off: "
                    "every accelerator serves whole requests.") {}

    std::span<const KindParameter> parameters() const override { return kParameters; }

    std::string refusalAt(const TechniqueTargets&, const Node& node) const override {
        return refusalWithoutRuntime(node);
    }
    using Technique::refusalAt;
    bool suits(const Scenario& scenario) const override { return hasSeveralAccelerators(scenario); }
    bool changesSteps() const override { return false; }
    bool isMarked() const override { return false; } // roles tell of it
    std::string switchWords(bool on) const override {
        return on ? "Split prefill and decode" : "Serve whole requests everywhere";
    }
    std::string_view studyValues(std::size_t parameter) const override {
        return parameter == kStageDepth ? "0,1,2,4,8,16" : std::string_view();
    }

    /// The roles that the split gives, where nobody chose any.
    void addEdits(const Scenario& scenario, EditList& list) const override {
        bool fpga = false;
        bool other = false;
        for (const auto& node : scenario.nodes) {
            if (!isAccelerator(node.device.kind) || node.role == Role::Fabric)
                continue;
            if (node.role != Role::Both)
                return;
            (node.device.kind == DeviceKind::Fpga ? fpga : other) = true;
        }
        if (!fpga || !other) // one kind alone would leave a phase to nobody
            return;
        for (const auto& node : scenario.nodes)
            if (isAccelerator(node.device.kind) && node.role == Role::Both)
                list.edits.push_back(
                    SetRole{node.id, node.device.kind == DeviceKind::Fpga ? Role::Decode : Role::Prefill});
    }
};

} // namespace

const Technique& disaggregation() {
    static const Disaggregation kind;
    return kind;
}

bool hasSeveralAccelerators(const Scenario& scenario) {
    return std::count_if(scenario.nodes.begin(), scenario.nodes.end(),
                         [](const Node& node) { return isAccelerator(node.device.kind); }) > 1;
}

} // namespace heteroscape::engine
