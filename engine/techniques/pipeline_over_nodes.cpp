// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/split_pool.h"
#include "engine/techniques/built_in.h"

#include <array>

namespace heteroscape::engine {

namespace {

const std::array<KindParameter, 1> kParameters{{
    {{"first_layers", "Layers on the first node", "", 1, 1, 100000, true, false,
      "Layers of the model on the first node of the pipeline; not set: by the devices that share a "
      "replica."}},
}};

/// Every accelerator that has a part in the work is a stretch of one pipeline, in the order of the nodes. The
/// first stands for all of them as a pool; see PipelineNodes for the times.
class StagesOnNodes final : public Technique {
public:
    StagesOnNodes()
        : Technique("pipeline_over_nodes", "Pipeline parallel over nodes",
                    "All accelerators are one pipeline, in their order: the first layers of the model on the "
                    "first node, the last on the last, whatever devices they are.") {}

    std::span<const KindParameter> parameters() const override { return kParameters; }

    std::string refusalAt(const TechniqueTargets&, const Node& node) const override {
        return refusalWithoutRuntime(node);
    }
    using Technique::refusalAt;
    bool suits(const Scenario& scenario) const override { return hasSeveralAccelerators(scenario); }
    bool changesStepOf(const Scenario& scenario, const Node&) const override {
        return stagePoolOf(scenario).size() > 1;
    }
    bool isMarked() const override { return false; }
    std::string switchWords(bool on) const override {
        return on ? "Make one pipeline of all accelerators" : "Serve with each accelerator for itself";
    }

    void check(const Scenario& scenario, TierMap&, std::vector<Diagnostic>& found) const override {
        const auto error = [&](const std::string& subject, const std::string& what, const std::string& remedy,
                               const char* code) {
            found.push_back({Severity::Error, subject, what, remedy, code});
        };
        const auto pool = stagePoolOf(scenario);
        if (pool.empty()) {
            found.push_back({Severity::Note, "techniques.pipeline_over_nodes.enabled",
                             "Pipeline parallel over nodes changes nothing: there is one accelerator node",
                             "Add another, or switch them off"});
            return;
        }
        if (scenario.techniques.isOn(disaggregation()))
            error("techniques.pipeline_over_nodes.enabled",
                  "Prefill and decode are split, and all accelerators are one pipeline",
                  "Switch one of the two off", "stages_split");
        if (!scenario.model.hasLayers())
            error("techniques.pipeline_over_nodes.enabled",
                  scenario.model.name +
                      " has no gate or learned positions: it is cut by tensor parallelism alone",
                  "Switch stages on several nodes off, or choose another model", "uniform_layout");
        if (static_cast<double>(pool.size()) > scenario.model.layers.value)
            error("techniques.pipeline_over_nodes.enabled", "There are more nodes than layers of the model",
                  "Give nodes the role fabric", "stages_layers");
        const auto& first = scenario.nodes[pool.front().node];
        for (const auto& stage : pool) {
            const auto& node = scenario.nodes[stage.node];
            if (stage.links.empty())
                error(node.id.value,
                      "No path of links leads on from " + node.shownName() + " in the pipeline",
                      "Link it to the other accelerators, directly or over a switch", "no_stage_path");
            if (replicas(node) != replicas(first))
                error("nodes." + node.id.value + ".replicas",
                      first.shownName() + " and " + node.shownName() +
                          " are one pipeline, and hold different numbers of replicas",
                      "Set their replicas to the same number", "stage_replicas");
            if (node.runtime->offload)
                error(node.id.value,
                      node.runtime->name + " offloads, and a pipeline keeps all on its devices",
                      "Choose another runtime for " + node.shownName(), "stage_offloads");
        }
    }
};

} // namespace

const Technique& pipelineOverNodes() {
    static const StagesOnNodes kind;
    return kind;
}

} // namespace heteroscape::engine
