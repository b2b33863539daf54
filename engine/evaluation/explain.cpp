// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/explain.h"

#include "engine/base/error.h"
#include "engine/catalog/named.h"
#include "engine/evaluation/breakdown.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/explain_offload.h"
#include "engine/evaluation/explain_parts.h"
#include "engine/evaluation/explain_serving.h"
#include "engine/scenario/node_fields.h"
#include "engine/techniques/gpu_assist.h"
#include "engine/techniques/l2_prefetch.h"
#include "engine/techniques/load_merging.h"
#include "engine/units/number_text.h"
#include "engine/units/units.h"

#include <algorithm>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kDominantOperators = 4;

class Explainer {
public:
    explicit Explainer(const Scenario& scenario) : m_scenario(scenario), m_evaluation(evaluate(scenario)) {}

    Explanation metric(Metric which) const {
        const auto& spec = metricSpec(which);
        Explanation result{std::string(spec.label),
                           toEdge(m_evaluation.metric(which), spec.scale),
                           std::string(spec.unit),
                           {},
                           {},
                           {}};
        if (which >= Metric::ServedThroughput) {
            explainServingMetric(m_scenario, m_evaluation, which, result);
            return result;
        }
        if (!m_evaluation.feasible && which != Metric::Price && which != Metric::Area) {
            result.source = m_evaluation.reason;
            return result;
        }
        switch (which) {
        case Metric::Throughput:
            result.formula = "request rate \u00d7 output tokens";
            result.terms = {metric(Metric::RequestRate), workloadLeaf(&Workload::outputTokens)};
            break;
        case Metric::RequestRate:
            explainRate(result);
            break;
        case Metric::TimeToFirstToken:
            result.formula = "prefill time, mean over the requests";
            addPhases(result, Phase::Prefill);
            break;
        case Metric::TimePerToken:
            result.formula = "decode time of all output tokens / output tokens, mean over the requests";
            addPhases(result, Phase::Decode);
            break;
        case Metric::Latency:
            result.formula =
                "time to first token + exposed KV transfer + output tokens \u00d7 time per token";
            result.terms = {metric(Metric::TimeToFirstToken), metric(Metric::KvTransfer),
                            workloadLeaf(&Workload::outputTokens), metric(Metric::TimePerToken)};
            break;
        case Metric::KvTransfer:
            result.formula = "end of the layer-by-layer hand-over - end of the prefill";
            for (const auto& link : m_scenario.links)
                result.terms.push_back({link.type.name + ", " + link.id.value,
                                        kUnset,
                                        "",
                                        "",
                                        "",
                                        {leaf(link.type, linkTypeFields(), &LinkType::bandwidth),
                                         leaf(link.type, linkTypeFields(), &LinkType::latency)}});
            break;
        case Metric::Price:
            result.formula = "sum of count \u00d7 price; hosts and switches without a price are left out";
            addPerDevice(result, &Device::price);
            break;
        case Metric::Area:
            result.formula = "sum of count \u00d7 die area of the accelerators";
            addPerDevice(result, &Device::dieArea);
            addDerivedAreas(result);
            break;
        case Metric::ThroughputPerPrice:
            ratio(result, Metric::Throughput, Metric::Price);
            break;
        case Metric::ThroughputPerPower:
            ratio(result, Metric::Throughput, Metric::Power);
            break;
        case Metric::EnergyPerToken:
            ratio(result, Metric::Power, Metric::Throughput);
            break;
        case Metric::ThroughputPerArea:
            ratio(result, Metric::Throughput, Metric::Area);
            break;
        case Metric::Power:
            explainPower(result);
            break;
        case Metric::ProcessedThroughput:
            result.formula = "request rate \u00d7 (prompt + output tokens)";
            result.terms = {metric(Metric::RequestRate), workloadLeaf(&Workload::promptTokens),
                            workloadLeaf(&Workload::outputTokens)};
            break;
        case Metric::ProcessedThroughputPerDie:
            result.formula = "processed tokens / s / (die area / accelerators)";
            result.terms = {metric(Metric::ProcessedThroughput), metric(Metric::Area)};
            forAccelerators([&](const Node& node, const NodeEvaluation&) {
                result.terms.push_back(leaf(node, nodeFields(), &Node::count));
            });
            break;
        case Metric::CostPerToken:
            result.formula = "(system price / lifetime + power \u00d7 electricity) / throughput";
            result.terms = {
                metric(Metric::Price), leaf(m_scenario.cost, economicsFields(), &Economics::lifetime),
                metric(Metric::Power), leaf(m_scenario.cost, economicsFields(), &Economics::electricity),
                metric(Metric::Throughput)};
            break;
        case Metric::LayerTime:
        case Metric::AllReduceTime:
        case Metric::AttentionRead:
        case Metric::FfnRead:
        case Metric::AttentionFootprint:
        case Metric::FfnFootprint:
            explainLayer(result, which);
            break;
        default:
            explainOffloadMetric(m_scenario, m_evaluation, which, result);
            break;
        }
        return result;
    }

private:
    const Scenario& m_scenario;
    Evaluation m_evaluation;

    Explanation workloadLeaf(Figure Workload::*member) const {
        return leaf(m_scenario.workload, workloadFields(), member);
    }

    void ratio(Explanation& result, Metric over, Metric under) const {
        result.terms = {metric(over), metric(under)};
        result.formula = result.terms[0].name + " / " + result.terms[1].name;
    }

    template <class Add>
    void forAccelerators(Add add) const {
        for (std::size_t i = 0; i < m_scenario.nodes.size(); ++i)
            if (m_evaluation.nodes[i].role != Role::Fabric)
                add(m_scenario.nodes[i], m_evaluation.nodes[i]);
    }

    void explainLayer(Explanation& result, Metric which) const {
        forAccelerators([&](const Node& node, const NodeEvaluation& figures) {
            if (figures.decodeBusy <= 0)
                return;
            const auto* link = collectiveLink(m_scenario, node);
            switch (which) {
            case Metric::AllReduceTime:
                result.formula = node.runtime->allReduce == AllReduceConvention::Ring
                                     ? "latency + 2 (n - 1) / n \u00d7 batch \u00d7 hidden size / bandwidth"
                                     : "latency + batch \u00d7 hidden size / bandwidth";
                result.terms.push_back({"Devices n", figures.devices, "", "", "count / replicas", {}});
                if (link && figures.devices > 1) {
                    result.terms.push_back(leaf(link->type, linkTypeFields(), &LinkType::latency));
                    result.terms.push_back(leaf(link->type, linkTypeFields(), &LinkType::bandwidth));
                }
                result.terms.push_back(leaf(m_scenario.model, modelFields(), &Model::hidden));
                result.terms.push_back(leaf(*node.runtime, runtimeFields(), &Runtime::activationBits));
                break;
            case Metric::AttentionRead:
            case Metric::FfnRead:
                result.formula =
                    which == Metric::FfnRead
                        ? "FFN weights / memory bandwidth"
                        : "(attention weights + KV cache at the mean context) / memory bandwidth";
                if (which == Metric::FfnRead)
                    result.terms.push_back(metric(Metric::FfnFootprint));
                result.terms.push_back(leaf(node.device, deviceFields(), &Device::memoryBandwidth));
                if (const auto& timing = node.runtime->decode; timing.kind->indexOf("memory_efficiency") >= 0)
                    result.terms.push_back(leaf(timing, "memory_efficiency"));
                break;
            case Metric::LayerTime:
                result.formula = "attention segment + FFN segment, each with its allreduce";
                result.terms.push_back(phase(node, figures, Phase::Decode));
                break;
            default:
                result.formula = which == Metric::FfnFootprint
                                     ? "matrix weights of the FFN / devices"
                                     : "attention weights and KV cache at full length, by heads over devices";
                result.terms.push_back({"Devices", figures.devices, "", "", "count / replicas", {}});
                result.terms.push_back(leaf(m_scenario.model, modelFields(), &Model::hidden));
                result.terms.push_back(leaf(*node.runtime, runtimeFields(), &Runtime::weightBits));
                break;
            }
        });
    }

    void explainRate(Explanation& result) const {
        const bool split = std::any_of(m_evaluation.nodes.begin(), m_evaluation.nodes.end(),
                                       [](const NodeEvaluation& n) { return n.role == Role::Decode; });
        result.formula =
            split ? "min(sum count \u00d7 batch / prefill over prefill nodes, sum count \u00d7 batch / "
                    "decode over "
                    "decode nodes) + sum count \u00d7 batch / (prefill + decode) over nodes that do both"
                  : "sum of count \u00d7 batch / (prefill + decode)";
        if (m_scenario.techniques.isOn(gpuAssist()) && split)
            result.formula += " + what idle prefill nodes serve whole";
        if (const auto link = m_evaluation.bound.link; link < m_scenario.links.size())
            result.formula +=
                ", all of it no more than the links carry: " + m_scenario.links[link].id.value + " is full";
        result.terms.push_back(workloadLeaf(&Workload::batch));
        forAccelerators([&](const Node& node, const NodeEvaluation& figures) {
            Explanation pool{
                node.shownName() + ", " + std::string(roleName(figures.role)), kUnset, "", "", "", {}};
            pool.terms.push_back(leaf(node, nodeFields(), &Node::count));
            if (figures.devices > 1.0)
                pool.terms.push_back({"Devices that share one copy of the model",
                                      figures.devices,
                                      "",
                                      "",
                                      "count / replicas: they count as one",
                                      {}});
            if (figures.role != Role::Decode)
                pool.terms.push_back(phase(node, figures, Phase::Prefill));
            if (figures.role != Role::Prefill || m_scenario.techniques.isOn(gpuAssist()))
                pool.terms.push_back(phase(node, figures, Phase::Decode));
            result.terms.push_back(std::move(pool));
        });
    }

    void addPhases(Explanation& result, Phase which) const {
        forAccelerators([&](const Node& node, const NodeEvaluation& figures) {
            const bool takesPart = which == Phase::Prefill ? figures.prefillBusy > 0 : figures.decodeBusy > 0;
            if (takesPart)
                result.terms.push_back(phase(node, figures, which));
        });
    }

    void addPerDevice(Explanation& result, Figure Device::*member) const {
        for (const auto& node : m_scenario.nodes) {
            if (isFabric(node.device.kind) && (member != &Device::price || !node.device.price.isSet()))
                continue;
            if (member == &Device::dieArea && !isAccelerator(node.device.kind))
                continue;
            if (member == &Device::dieArea && !node.device.dieArea.isSet() && dieArea(node.device) > 0)
                continue; // derived: said apart
            result.terms.push_back(
                {node.shownName(),
                 kUnset,
                 "",
                 "",
                 "",
                 {leaf(node, nodeFields(), &Node::count), leaf(node.device, deviceFields(), member)}});
        }
    }

    /// The parts of areas that are not stated but follow from cores and L2.
    void addDerivedAreas(Explanation& result) const {
        for (const auto& node : m_scenario.nodes) {
            const auto& device = node.device;
            if (device.dieArea.isSet() || !(dieArea(device) > 0))
                continue;
            result.terms.push_back(leaf(node, nodeFields(), &Node::count));
            Explanation term{"Die of " + node.shownName(),
                             dieArea(device) / units::mm2,
                             "mm\u00b2",
                             "peak / core peak \u00d7 core area + L2 capacity \u00d7 area of L2",
                             "",
                             {}};
            for (const auto member : {&Device::peakInt8, &Device::coreThroughput, &Device::coreArea,
                                      &Device::l2Capacity, &Device::l2AreaPerByte})
                term.terms.push_back(leaf(device, deviceFields(), member));
            result.terms.push_back(std::move(term));
        }
    }

    void explainPower(Explanation& result) const {
        result.formula =
            "sum of count \u00d7 (prefill share \u00d7 W + decode share \u00d7 W + idle share \u00d7 W)";
        for (std::size_t i = 0; i < m_scenario.nodes.size(); ++i) {
            const auto& node = m_scenario.nodes[i];
            const auto& figures = m_evaluation.nodes[i];
            if (isFabric(node.device.kind) && figures.busy() <= 0.0 && !node.device.powerIdle.isSet())
                continue; // left out of the sum
            Explanation term{node.shownName(), kUnset, "", "", "", {leaf(node, nodeFields(), &Node::count)}};
            const auto share = [&](const char* name, double busy, Figure Device::*watts) {
                if (busy < 1e-12)
                    return;
                term.terms.push_back({name, busy * 100, "%", "", "steady state of the serving model", {}});
                const bool derived = !(node.device.*watts).isSet() && watts != &Device::powerIdle &&
                                     node.device.corePower.isSet();
                if (!derived) {
                    term.terms.push_back(leaf(node.device, deviceFields(), watts));
                    return;
                }
                term.terms.push_back({"Cores", coreCount(node.device), "", "peak / core peak", "", {}});
                term.terms.push_back(leaf(node.device, deviceFields(), &Device::corePower));
            };
            share("Share of time in prefill", figures.prefillBusy, &Device::powerPrefill);
            share("Share of time in decode", figures.decodeBusy, &Device::powerDecode);
            share("Share of time idle", 1 - figures.busy(), &Device::powerIdle);
            if (attendsNearStorage(node) && figures.busy() > 0.0 && node.device.kernelPower.isSet())
                term.terms.push_back(leaf(node.device, deviceFields(), &Device::kernelPower));
            result.terms.push_back(std::move(term));
        }
    }

    Explanation phase(const Node& node, const NodeEvaluation& figures, Phase which) const {
        const bool prefill = which == Phase::Prefill;
        const auto& f = prefill ? figures.prefill : figures.decode;
        const auto& runtime = *node.runtime;
        Explanation result{prefill ? "Prefill on " + node.shownName()
                                   : "Time per token on " + node.shownName(),
                           f.seconds / units::milli,
                           "ms",
                           {},
                           {},
                           {}};
        result.source = runtime.name + ", bound by " + std::string(boundLabel(f.bound));
        const auto computed = [](const char* name, double value, const char* unit, const char* source) {
            return Explanation{name, value, unit, {}, source, {}};
        };
        const auto& timing = runtime.timing(which);
        result.formula = timing.kind->about();
        result.terms.push_back(computed("Compute", f.flops / units::giga, "GFLOP", "operator table"));
        result.terms.push_back(computed("Memory access", f.bytes / units::GiB, "GiB", "operator table"));
        result.terms.push_back(computed("Memory access as timed", f.movedBytes / units::GiB, "GiB",
                                        "with meta-data, or what tiling reads again"));
        result.terms.push_back(
            runtime.peakCompute.isSet()
                ? leaf(runtime, runtimeFields(), &Runtime::peakCompute)
                : leaf(node.device, deviceFields(),
                       runtime.activationBits.value <= 8 ? &Device::peakInt8 : &Device::peakFp16));
        result.terms.push_back(leaf(node.device, deviceFields(), &Device::memoryBandwidth));
        for (std::size_t i = 0; i < timing.settings.size(); ++i)
            result.terms.push_back(leaf(timing.kind->parameters()[i].spec, timing.settings.figure(i)));
        for (const auto& need : timing.kind->deviceNeeds())
            result.terms.push_back(leaf(node.device, deviceFields(), need.member));
        if (!prefill && mergesLoads(m_scenario, node))
            result.terms.push_back({"Prefetch ratio M",
                                    m_scenario.techniques[loadMerging()][kMergeRatio],
                                    "",
                                    "",
                                    "load merging",
                                    {}});
        if (timing.kind->seesL2())
            explainL2(result, node, figures);
        addOffloadTerms(m_scenario, node, which, result);
        addDominant(result, node, which);
        return result;
    }

    /// What the L2 holds ahead, and the network of the pool.
    void explainL2(Explanation& result, const Node& node, const NodeEvaluation& figures) const {
        const bool on = prefetches(m_scenario, node);
        result.terms.push_back({"Prefetched for a layer, both segments",
                                figures.layer.prefetched / units::MB,
                                "MB",
                                "",
                                on ? "Algorithm 1 of PRESERVE" : "L2 prefetch is off",
                                {}});
        const auto* link = figures.devices > 1 ? collectiveLink(m_scenario, node) : nullptr;
        if (!link)
            return;
        result.terms.push_back(
            {"Allreduce in decode",
             figures.layer.allReduceSeconds / units::micro,
             "\u00b5s",
             "latency + payload / bandwidth",
             std::string(allReduceConventionNames()[static_cast<std::size_t>(node.runtime->allReduce)]) +
                 " convention",
             {leaf(link->type, linkTypeFields(), &LinkType::latency),
              leaf(link->type, linkTypeFields(), &LinkType::bandwidth)}});
    }

    void addDominant(Explanation& result, const Node& node, Phase which) const {
        auto detail = breakdown(m_scenario, node.id, which);
        std::stable_sort(detail.operators.begin(), detail.operators.end(),
                         [](const OperatorRow& a, const OperatorRow& b) { return a.seconds > b.seconds; });
        for (std::size_t i = 0; i < std::min(kDominantOperators, detail.operators.size()); ++i) {
            const auto& op = detail.operators[i];
            result.terms.push_back({"of which " + op.label,
                                    op.seconds / units::milli,
                                    "ms",
                                    "",
                                    "bound by " + std::string(boundLabel(op.bound)),
                                    {}});
        }
    }
};

void appendText(const Explanation& node, int depth, std::string& out) {
    out.append(static_cast<std::size_t>(depth) * 2, ' ');
    out += node.name;
    if (node.value == node.value)
        out += " = " + exactText(node.value) + (node.unit.empty() ? "" : " " + node.unit);
    if (!node.formula.empty())
        out += " = " + node.formula;
    if (!node.source.empty())
        out += "  [" + node.source + "]";
    out += '\n';
    for (const auto& term : node.terms)
        appendText(term, depth + 1, out);
}

} // namespace

Explanation explain(const Scenario& scenario, const std::string& metricKey) {
    if (const auto* spec = findMetric(metricKey))
        return Explainer(scenario).metric(spec->metric);
    std::vector<std::string_view> keys;
    for (const auto& spec : metricSpecs())
        keys.push_back(spec.key);
    throw Error(ErrorCode::NotFound, metricKey.substr(0, 200), "no such metric", "Allowed: " + joined(keys));
}

std::string explanationText(const Explanation& explanation) {
    std::string text;
    appendText(explanation, 0, text);
    return text;
}

} // namespace heteroscape::engine
