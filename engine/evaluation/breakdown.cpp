// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/breakdown.h"

#include "engine/base/error.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/timeline.h"
#include "engine/scenario/split_pool.h"
#include "engine/schedule/compiled_pool.h"
#include "engine/techniques/built_in.h"
#include "engine/units/number_text.h"
#include "engine/units/units.h"

#include <algorithm>

namespace heteroscape::engine {

namespace {

/// FLOP of the attention (or of the K and V) that a flow's bytes are read for, for each of its bytes.
double flopsPerByte(Work work, const Model& model, const MemoryPlan& plan, double devices) {
    switch (work) {
    case Work::KvRead:
    case Work::HostAttention:
    case Work::NearStorageAttention:
    case Work::DeviceAttention: // scores and weighted values, 2 FLOP a weight each
        return 4.0 * model.queryWidth() / plan.kvToken;
    case Work::Regenerate:
        return 4.0 * model.hidden.value * model.kvWidth() / (plan.xToken * devices + 2.0 * plan.kvToken);
    default:
        return 0.0;
    }
}

std::vector<FlowRow> flowRows(const Model& model, const Offloading& offloading, double devices, Phase phase,
                              double context, double stretch) {
    std::vector<FlowRow> rows;
    const auto& flows = offloading.flows(phase);
    const auto add = [&](const FlowChain& chain) {
        for (const auto& flow : chain.flows()) {
            const double share = flow.lane == Lane::Compute ? 1.0 / devices : 1.0;
            FlowRow row{flow.lane,
                        flow.work,
                        std::string(workLabel(flow.work)),
                        0.0,
                        share * model.layers.value * flow.bytes.at(context),
                        stretch * model.layers.value * flow.seconds.at(context),
                        flow.bound};
            row.flops = row.bytes * flopsPerByte(flow.work, model, offloading.plan, devices);
            if (flow.work == Work::WeightTransfer) // over several lanes
                row.label.append(", ").append(laneLabel(flow.lane));
            const auto same = std::find_if(rows.begin(), rows.end(), [&](const FlowRow& other) {
                return other.lane == row.lane && other.work == row.work;
            });
            if (same != rows.end()) {
                same->bytes += row.bytes;
                same->seconds += row.seconds;
            } else if (row.seconds > 0.0) {
                rows.push_back(std::move(row));
            }
        }
    };
    for (const auto& chain : flows.chains())
        add(chain);
    add(flows.serial);
    return rows;
}

/// Of each lane that carries bytes, from its longest flow, at the stock clock. Writes have no roof: nothing
/// is computed on them.
std::vector<LinkRoof> linkRoofs(const StepBreakdown& step, const LaneNames& names) {
    std::vector<LinkRoof> roofs;
    for (const auto lane : {Lane::Csd, Lane::Host, Lane::Storage, Lane::Uplink, Lane::Pcie}) {
        const FlowRow* longest = nullptr;
        for (const auto& flow : step.flows)
            if (flow.lane == lane && flow.bytes > 0.0 && (!longest || flow.seconds > longest->seconds))
                longest = &flow;
        if (!longest)
            continue;
        const auto& [title, place] = names[static_cast<std::size_t>(lane)];
        const bool link = lane == Lane::Uplink || lane == Lane::Pcie; // whose type says what it is
        auto label = link && !place.empty() ? place : title;
        if (!link && !place.empty())
            label.append(", ").append(place);
        roofs.push_back({lane, label, step.stretch * longest->bytes / longest->seconds});
    }
    return roofs;
}

/// "Attention, window 128" where groups of layers attend differently.
std::string labelOf(const Operator& op, const Model& model) {
    std::string label(op.label);
    if (op.group && model.groups.size() > 1 && !op.group->mark.empty())
        label.append(", ").append(op.group->mark);
    return label;
}

} // namespace

StepBreakdown breakdown(const Scenario& scenario, const NodeId& id, Phase phase) {
    const auto* node = scenario.findNode(id);
    if (!node || !isAccelerator(node->device.kind) || !node->runtime)
        throw Error(ErrorCode::NotFound, "nodes." + id.value, "no accelerator with a runtime",
                    "Name a GPU, NPU or FPGA node");
    const CompiledPool pool(scenario, static_cast<std::size_t>(node - scenario.nodes.data()));
    const auto compiled = pool.phase(phase);
    const auto& graph = compiled.graph();
    const auto& machine = compiled.machine();
    const double context = representativeContext(scenario.workload, phase);
    std::array<OperatorTime, OperatorGraph::kCapacity> times;
    compiled.step().operatorTimes(context, times);

    const auto& timing = compiled.step().timing();
    const bool seesL2 = timing.l2Roof() > 0.0;
    StepBreakdown result{id, phase, 0.0, stepStretch(scenario, pool.index(), phase), {}, {}};
    if (pool.offloading())
        result.flows =
            flowRows(scenario.model, *pool.offloading(), pool.devices(), phase, context, result.stretch);
    for (std::size_t i = 0; i < graph.operators().size(); ++i) {
        const auto& op = graph.operators()[i];
        times[i].seconds *= result.stretch;
        OperatorRow row{std::string(op.key),
                        labelOf(op, scenario.model),
                        op.repeat,
                        op.repeat * op.flops.at(context),
                        op.repeat * timing.bytesOf(i).at(context),
                        times[i].seconds,
                        times[i].bound};
        row.segment = op.segment;
        row.collectiveBytes = op.repeat * op.payload * machine.activationBytes;
        row.prefetched = op.prefetched;
        if (op.prefetched) {
            row.prefetchBytes =
                op.storedWeights() * machine.weightBytes + op.kv.at(context) * machine.kvBytes;
            row.l2Bytes = op.storedWeights() * machine.weightBytes + op.kvAllocated * machine.kvBytes;
            row.l2Left = op.l2Left;
        }
        const auto peak = timing.peakOf(i);
        row.peakFlops = peak.flops;
        row.precision = peak.precision;
        row.memoryTraffic = row.bytes;
        if (seesL2) {
            const auto traffic = timing.traffic(op);
            row.memoryTraffic = op.repeat * traffic.memory.at(context);
            row.l2Traffic = op.repeat * traffic.l2.at(context);
        }
        result.operators.push_back(std::move(row));
        result.seconds += times[i].seconds;
    }
    const auto add = [&](Work work, std::string key, double seconds, Bound bound) {
        if (!(seconds > 0.0))
            return;
        OperatorRow row{std::move(key), std::string(workLabel(work)), 1.0, 0.0, 0.0, seconds, bound};
        row.segment = Segment::Head;
        row.peakFlops = machine.peakFlops;
        result.operators.push_back(std::move(row));
        result.seconds += seconds;
    };
    add(Work::Host, "host", result.stretch * compiled.step().hostSeconds(context), Bound::LaunchFloor);
    const auto leader = leaderOf(scenario, pool.index());
    const double waits =
        leader == pool.index()
            ? result.stretch * compiled.step().waitSeconds(context)
            : stepStretch(scenario, leader, phase) *
                      CompiledPool(scenario, leader).phase(phase).step().cost(context, context).at(context) -
                  result.seconds;
    add(Work::Waiting, "waiting", waits, Bound::None);
    return result;
}

std::vector<Roofline> rooflines(const Scenario& scenario) {
    std::vector<Roofline> result;
    if (hasErrors(validate(scenario)))
        return result;
    const auto evaluation = evaluate(scenario);
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i) {
        const auto& node = scenario.nodes[i];
        const auto& metrics = evaluation.nodes[i];
        if (metrics.role == Role::Fabric)
            continue;
        const CompiledPool pool(scenario, i);
        const auto& machine = pool.machine();
        for (const auto phase : {Phase::Prefill, Phase::Decode}) {
            const bool runs = metrics.role == Role::Both ||
                              (metrics.role == Role::Prefill) == (phase == Phase::Prefill) ||
                              (metrics.role == Role::Prefill && scenario.techniques.isOn(gpuAssist()));
            if (!runs)
                continue;
            result.push_back({node.id,
                              node.shownName(),
                              node.device.kind,
                              phase,
                              machine.peakFlops,
                              machine.peakBandwidth,
                              machine.peakFlops * machine.computeEfficiency(phase),
                              machine.peakBandwidth * machine.memoryEfficiency(phase),
                              phase == Phase::Prefill ? metrics.prefill : metrics.decode,
                              breakdown(scenario, node.id, phase),
                              node.runtime->activationBits.value <= 8.0,
                              pool.phase(phase).step().timing().l2Roof(),
                              {}});
            if (phase == Phase::Decode)
                result.back().links = linkRoofs(result.back().detail, laneNames(scenario, node));
        }
    }
    return result;
}

std::string leftOfRidge(const Roofline& roofline) {
    if (roofline.step.bound != Bound::Compute || !(roofline.step.intensity() < roofline.ridge()))
        return {};
    const auto step = roofline.name + ", " + std::string(phaseName(roofline.phase)) +
                      ": bound by compute at " + shortText(roofline.step.intensity()) +
                      " FLOP/B, left of the ridge at " + shortText(roofline.ridge()) + " FLOP/B. ";
    const auto bySeconds = [](const auto& a, const auto& b) { return a.seconds < b.seconds; };
    const auto ofPeak = [&roofline](double rate) {
        const std::string unit = roofline.integerPeak ? " TOP/s" : " TFLOP/s";
        return shortText(rate / units::tera) + unit + ", " + shortText(100.0 * rate / roofline.peakFlops) +
               " % of the peak's " + shortText(roofline.peakFlops / units::tera) + unit;
    };
    const auto& flows = roofline.detail.flows;
    if (const auto flow = std::max_element(flows.begin(), flows.end(), bySeconds); flow != flows.end())
        return step + flow->label + " takes longest, " +
               (flow->lane == Lane::Compute ? "at " + ofPeak(flow->flops / flow->seconds) + "."
                                            : std::string("in another device."));
    double flops = 0.0;
    double seconds = 0.0;
    const OperatorRow* longest = nullptr;
    for (const auto& row : roofline.detail.operators) {
        if (row.bound != Bound::Compute)
            continue;
        flops += row.flops;
        seconds += row.seconds;
        if (!longest || bySeconds(*longest, row))
            longest = &row;
    }
    if (!longest || !(seconds > 0.0))
        return {};
    const double rate = flops / seconds;
    return step + "What waits for compute, " + longest->label + " longest, reaches " + ofPeak(rate) +
           "; at that rate the ridge is at " + shortText(rate / roofline.reachableBandwidth) + " FLOP/B.";
}

} // namespace heteroscape::engine
