// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/system_terms.h"

#include "engine/evaluation/offload.h"
#include "engine/evaluation/system_equations.h"
#include "engine/scenario/split_pool.h"
#include "engine/schedule/kv_transfer.h"
#include "engine/serving/link_limit.h"
#include "engine/techniques/built_in.h"

#include <array>
#include <optional>

namespace heteroscape::engine {

namespace {

/// Bytes of one layer on one device.
template <class V>
struct LayerBytesOf {
    V attentionFootprint{};
    V ffnFootprint{};
    V attentionRead{}; ///< at the mean context
    V prefetched{};
};

template <class V>
LayerBytesOf<V> layerBytes(const OperatorGraph& graph, const V& weight, const V& kvElement, double mean) {
    using N = Numbers<V>;
    const auto size = [](std::string_view name, double elements, const V& element, std::string_view of) {
        return N::named(N::counted("Elements", elements, measures::count, "operator table") * element, name,
                        measures::megabytes, of);
    };
    LayerBytesOf<V> bytes;
    for (const auto& op : graph.operators()) {
        if (op.segment == Segment::Head)
            continue;
        const double share = op.repeat / graph.model().layers.value; // of a mean layer, where they differ
        const V weights = size("Weights", share * op.storedWeights(), weight, op.label);
        const V allocated = size("KV cache as allocated", share * op.kvAllocated, kvElement, op.label);
        const V held = N::named(weights + allocated, op.label, measures::megabytes);
        if (op.prefetched)
            bytes.prefetched = bytes.prefetched + held;
        if (op.segment == Segment::Attention) {
            const V kv = size("KV cache at the mean context", share * op.kv.at(mean), kvElement, op.label);
            bytes.attentionFootprint = bytes.attentionFootprint + held;
            bytes.attentionRead = bytes.attentionRead + N::named(weights + kv, op.label, measures::megabytes);
        } else {
            bytes.ffnFootprint = bytes.ffnFootprint + weights;
        }
    }
    return bytes;
}

/// What a power cap or a slower clock makes of a time.
Term stretched(const Term& seconds, double stretch) {
    return stretch == 1.0 ? seconds
                          : seconds.named("At the stock clock", measures::milliseconds) *
                                Term::counted("Longer by power cap and clock", stretch, measures::count,
                                              "power_cap_w, power_clock of the device");
}

/// The last collective of a layer, as its ordinal; none where there is no link to cross.
std::optional<std::size_t> layerCollective(const OperatorGraph& graph) {
    const auto operators = graph.operators();
    for (std::size_t i = operators.size(); i-- > 0;)
        if (operators[i].segment != Segment::Head && isCollective(operators[i].kind))
            return i;
    return {};
}

} // namespace

LayerEvaluation evaluateLayer(const CompiledPhase& decode, const Workload& workload, Detail detail,
                              double stretch) {
    const auto& machine = decode.machine();
    const double mean = representativeContext(workload, Phase::Decode);
    const double full = workload.promptTokens.value + workload.outputTokens.value;
    const auto atFull = decode.segmentSeconds(full);
    LayerEvaluation layer;
    if (detail == Detail::Full) {
        const auto atMean = decode.segmentSeconds(mean);
        layer.attentionSeconds = stretch * atMean.attention;
        layer.ffnSeconds = stretch * atMean.ffn;
    }
    layer.fullSeconds = stretch * (atFull.attention + atFull.ffn);
    layer.allReduceSeconds = 0.0;
    if (const auto op = layerCollective(decode.graph()))
        layer.allReduceSeconds = decode.step().timing().collectiveOnce(*op);
    const auto bytes = layerBytes<double>(decode.graph(), machine.weightBytes, machine.kvBytes, mean);
    layer.attentionFootprint = bytes.attentionFootprint;
    layer.ffnFootprint = bytes.ffnFootprint;
    layer.prefetched = bytes.prefetched;
    const double bandwidth = machine.peakBandwidth * machine.memoryEfficiency(Phase::Decode);
    layer.attentionReadSeconds = bytes.attentionRead / bandwidth;
    layer.ffnReadSeconds = layer.ffnFootprint / bandwidth;
    return layer;
}

LayerTerms explainLayer(const CompiledPhase& decode, const Workload& workload, double stretch) {
    const auto& machine = decode.machine();
    const auto bytes =
        layerBytes<Term>(decode.graph(), machine.explainElement(&Runtime::weightBits, "Bytes of a weight"),
                         machine.explainElement(&Runtime::kvBits, "Bytes of a K or V element"),
                         representativeContext(workload, Phase::Decode));
    LayerTerms layer;
    layer.fullSeconds = stretched(
        decode.step().explainLayer(workload.promptTokens.value + workload.outputTokens.value), stretch);
    if (const auto op = layerCollective(decode.graph()))
        layer.allReduceSeconds = decode.step().timing().explainCollective(*op);
    const auto bandwidth = machine.explainByteRate(Phase::Decode);
    layer.attentionFootprint = bytes.attentionFootprint;
    layer.ffnFootprint = bytes.ffnFootprint;
    layer.attentionReadSeconds =
        bytes.attentionRead.named("Read by the attention segment", measures::megabytes) / bandwidth;
    layer.ffnReadSeconds =
        bytes.ffnFootprint.named("Read by the FFN segment", measures::megabytes) / bandwidth;
    return layer;
}

SystemTerms::SystemTerms(const Scenario& scenario, const Evaluation& evaluation)
    : m_fewer(atOnce(scenario, evaluation)), m_scenario(m_fewer ? *m_fewer : scenario),
      m_evaluation(evaluation), m_compiled(scenario.nodes.size()), m_pools(scenario.nodes.size()),
      m_loads(scenario.nodes.size()), m_busy(scenario.nodes.size()) {
    m_tiers.reset(m_scenario);
    timePools();
    receive();
    if (evaluation.limited.empty()) {
        m_state = closedForm(m_pools, m_scenario.techniques.isOn(gpuAssist()), m_loads);
    } else {
        for (const auto& way : evaluation.limited)
            m_ways.push_back(
                {way.from, way.to,
                 Term::counted(wayName(way), way.rate, measures::batchRate,
                               "fair rates at which no link or pool is used for more than it is")});
        m_state = explainLimited(m_pools, m_ways, m_loads);
    }
    share();
    const auto shown = mostDecoding<Term>(evaluation.nodes, m_loads);
    if (shown < m_scenario.nodes.size() && m_compiled[shown]) {
        setLayer(shown);
        if (m_compiled[shown]->offloading())
            setOffload(*m_compiled[shown]);
    }
    const auto exposedTerm = exposed();
    const auto price = set(Metric::Price, explainPrice(m_scenario));
    const auto area = set(Metric::Area, explainArea(m_scenario));
    const auto rates = ratesOf(evaluation.nodes);
    const auto power = set(Metric::Power, meanPower(m_scenario, rates, m_busy));
    const auto parts = systemParts<Term>(m_scenario);
    std::vector<BusyShares> busy;
    for (const auto& share : m_busy)
        busy.push_back({share.prefill.value(), share.decode.value()});
    PowerParts watts;
    meanPower(m_scenario, rates, busy, &watts);
    std::array<Term, kPowerTerms> drawn;
    for (std::size_t i = 0; i < kPowerTerms; ++i)
        drawn[i] = Numbers<Term>::counted(powerTermLabel(static_cast<PowerTerm>(i)), watts[i],
                                          measures::watts, "what the power is made of");
    setSystemMetrics<Term>(m_scenario,
                           {m_pools, m_loads, m_state, exposedTerm, price, area, power, parts.dies, drawn,
                            scenario.workload.batch.value - m_scenario.workload.batch.value},
                           [&](Metric which, const Term& term) { return set(which, term); });
}

Term SystemTerms::set(Metric which, const Term& term) {
    const auto& spec = metricSpec(which);
    return m_metrics[static_cast<std::size_t>(which)] =
               term.named(std::string(spec.label), {spec.unit, spec.scale});
}

void SystemTerms::timePools() {
    const auto& workload = m_scenario.workload;
    for (std::size_t i = 0; i < m_compiled.size(); ++i) {
        const auto& node = m_scenario.nodes[i];
        const auto& known = m_evaluation.nodes[i];
        if (!isAccelerator(node.device.kind) || !node.runtime)
            continue;
        m_compiled[i].emplace(m_scenario, i, m_tiers, offloads(node) ? known.offload.activeReplicas : 0.0);
        const auto& pool = *m_compiled[i];
        if (pool.offloading() && pool.offloading()->plan.shortfall)
            continue;
        auto activeReplicas =
            Numbers<Term>::quantity(nodeFields, node, node.replicas.isSet() ? &Node::replicas : &Node::count);
        if (activeReplicas.value() != pool.activeReplicas())
            activeReplicas =
                Term::counted("Copies of the model at work", pool.activeReplicas(), measures::count,
                              "as many as give the highest rate where they share host and storage");
        m_pools[i] = {known.role, activeReplicas,
                      stretched(pool.phase(Phase::Prefill).explainTotal(workload), known.prefill.stretch)
                          .named("Prefill on " + node.shownName(), measures::milliseconds)
                          .remarked(node.runtime->name),
                      stretched(pool.phase(Phase::Decode).explainTotal(workload), known.decode.stretch)
                          .named("Decode on " + node.shownName(), measures::seconds)
                          .remarked(node.runtime->name),
                      node.shownName()};
    }
    for (std::size_t i = 0; i < m_pools.size(); ++i)
        if (const auto leader = leaderOf(m_scenario, i); leader != i && m_compiled[i]) {
            m_pools[i].prefillSeconds = m_pools[leader].prefillSeconds;
            m_pools[i].decodeSeconds = m_pools[leader].decodeSeconds;
        }
}

void SystemTerms::share() {
    for (std::size_t i = 0; i < m_busy.size(); ++i) {
        const auto& node = m_scenario.nodes[i];
        if (m_evaluation.nodes[i].role == Role::Fabric)
            continue;
        const double at = m_pools[i].replicas.value() / replicas(node);
        const auto part = [&](const Term& busy, const char* name) {
            return at == 1.0 || !busy ? busy
                                      : (Term::counted("Share of the replicas at work", at, measures::percent,
                                                       "replicas at work / all") *
                                         busy)
                                            .named(name, measures::percent);
        };
        m_busy[i] = {part(m_loads[i].prefillBusy, "Share of time in prefill, all replicas"),
                     part(m_loads[i].decodeBusy, "Share of time in decode, all replicas")};
    }
    for (std::size_t i = 0; i < m_busy.size(); ++i)
        if (const auto leader = leaderOf(m_scenario, i); leader != i)
            m_busy[i] = m_busy[leader];
    for (std::size_t i = 0; i < m_busy.size(); ++i) {
        const auto working = [](const PhaseEvaluation& phase, Term& busy) {
            if (const double share = phase.working(); share < 1.0 && busy)
                busy = (busy * Term::counted("Share of a step at work", share, measures::percent,
                                             "the schedule of the step: the rest it waits for others"))
                           .named("Share of time at work", measures::percent);
        };
        working(m_evaluation.nodes[i].prefill, m_busy[i].prefill);
        working(m_evaluation.nodes[i].decode, m_busy[i].decode);
    }
    for (std::size_t i = 0; i < m_busy.size(); ++i) {
        const auto& load = m_loads[i];
        const bool works = load.wholeRate.value() + load.prefillRate.value() + load.decodeRate.value() > 0.0;
        if (!m_compiled[i] || !m_compiled[i]->offloading() || !works)
            continue;
        m_tiers.at(m_scenario, i, m_compiled[i]->activeReplicas());
        useTier<Term>(m_busy[m_compiled[i]->offloading()->tiers.host], load);
        for (const auto storage : m_tiers.storageNodes())
            useTier<Term>(m_busy[storage], load);
    }
}

void SystemTerms::receive() {
    KvPaths paths;
    paths.reset(m_scenario);
    const auto same = [&](std::size_t p, std::size_t d) {
        return m_compiled[p]->sharesTiers(*m_compiled[d]);
    };
    setReceiving<Term>(
        m_scenario, m_pools, paths, same,
        [&](std::size_t p, std::size_t d, std::span<const std::size_t> path) {
            std::vector<HopOf<Term>> hops;
            hopsOf(m_scenario, path, hops);
            return explainTransfer(m_scenario, m_scenario.nodes[p], m_scenario.nodes[d], hops, {})
                .named("KV cache on its way to " + m_scenario.nodes[d].shownName(), measures::milliseconds);
        });
}

Term SystemTerms::exposed() {
    Term exposed;
    if (!(m_state.transferred.value() > 0.0))
        return exposed;
    KvPaths paths;
    paths.reset(m_scenario);
    const auto same = [&](std::size_t p, std::size_t d) {
        return m_compiled[p]->sharesTiers(*m_compiled[d]);
    };
    const auto add = [&](std::size_t p, std::size_t d, const Term& part) {
        std::vector<HopOf<Term>> hops;
        hopsOf(m_scenario, paths.linksTo(d), hops);
        const auto& from = m_scenario.nodes[p];
        const auto& to = m_scenario.nodes[d];
        if (!hops.empty())
            exposed =
                exposed +
                (part * explainTransfer(m_scenario, from, to, hops, m_pools[p].prefillSeconds))
                    .named("From " + from.shownName() + " to " + to.shownName(), measures::milliseconds);
    };
    if (m_ways.empty())
        forTransfers<Term>(m_loads, m_state.transferred, paths, same, add);
    for (const auto& way : m_ways)
        if (way.from != way.to && !same(way.from, way.to)) {
            paths.searchFrom(way.from);
            add(way.from, way.to,
                (way.rate / m_state.transferred).named("Share of what is transferred", measures::percent));
        }
    return exposed.named("Exposed, of what is transferred", measures::milliseconds);
}

std::string SystemTerms::wayName(const WayOf<double>& way) const {
    const auto& from = m_scenario.nodes[way.from].shownName();
    return way.from == way.to ? "Batches served whole, " + from
                              : "Batches from " + from + " to " + m_scenario.nodes[way.to].shownName();
}

void SystemTerms::setLayer(std::size_t node) {
    const auto layer = explainLayer(m_compiled[node]->phase(Phase::Decode), m_scenario.workload,
                                    m_evaluation.nodes[node].decode.stretch);
    set(Metric::LayerTime, layer.fullSeconds);
    set(Metric::AllReduceTime, layer.allReduceSeconds);
    set(Metric::AttentionRead, layer.attentionReadSeconds);
    set(Metric::FfnRead, layer.ffnReadSeconds);
    set(Metric::AttentionFootprint, layer.attentionFootprint);
    set(Metric::FfnFootprint, layer.ffnFootprint);
}

void SystemTerms::setOffload(const CompiledPool& pool) {
    const auto& workload = m_scenario.workload;
    const auto& offloading = *pool.offloading();
    const auto parts = pool.phase(Phase::Decode)
                           .step()
                           .explainDecodeParts(workload.promptTokens.value, workload.outputTokens.value);
    const auto part = [&](Work work) { return parts[static_cast<std::size_t>(work)]; };
    set(Metric::DecodeAccelerator, part(Work::Operator) + part(Work::DeviceAttention));
    set(Metric::DecodeWeights, part(Work::WeightTransfer));
    set(Metric::DecodeKvRead, part(Work::KvRead));
    set(Metric::DecodeKvWrite, part(Work::KvWrite));
    set(Metric::DecodeHostAttention, part(Work::HostAttention));
    set(Metric::DecodeCsdAttention, part(Work::NearStorageAttention));
    set(Metric::DecodeQkv, part(Work::QkvTransfer));
    set(Metric::DecodeXCache, part(Work::XTransfer) + part(Work::Regenerate));
    const auto placed = explainPlaced(m_scenario, pool.node(), pool.machine(), offloading);
    set(Metric::KvHostShare, placed.hostShare);
    set(Metric::KvStorageShare, placed.storageShare);
    set(Metric::XCacheShare, placed.xShare);
    set(Metric::Weights, placed.weights);
    set(Metric::WeightsStorage, placed.weightsStorage);
    set(Metric::KvCache, placed.kv);
    set(Metric::MemoryDevice, placed.device);
    set(Metric::MemoryHost, placed.host);
    set(Metric::MemoryStorage, placed.storage);
    set(Metric::StorageTraffic, pool.explainStorageTraffic());
}

namespace {

/// What a price is of.
std::string pricedParts(const Scenario& scenario) {
    std::string with;
    bool all = true;
    for (const auto& node : scenario.nodes) {
        if (!isAccelerator(node.device.kind))
            continue;
        all = all && node.chassisPrice.isSet();
        if (node.chassisPrice.isSet())
            with += (with.empty() ? "" : ", ") + node.shownName();
    }
    const std::string around = "the servers around them (host, network cards, fans, power supplies, chassis)";
    if (with.empty())
        return "devices only: " + around + " have no price here (nodes.ID.chassis_price_usd)";
    return "devices and " + around + (all ? "" : " of " + with + " alone");
}

} // namespace

std::string metricNote(const Scenario& scenario, Metric which) {
    switch (which) {
    case Metric::CostPerToken:
    case Metric::ServedCost:
        return isRented(scenario) ? "rent of the devices, with server, power and building"
                                  : pricedParts(scenario);
    case Metric::Price:
    case Metric::ThroughputPerPrice:
    case Metric::ServedPerPrice:
        return pricedParts(scenario);
    case Metric::Power:
    case Metric::ThroughputPerPower:
    case Metric::EnergyPerToken:
    case Metric::ServedPower:
    case Metric::ServedPerPower:
    case Metric::ServedEnergy:
        return facilityOf<double>(scenario, 0.0)
                   ? "devices only: hosts, network cards, fans and losses are in facility_w and "
                     "served_facility_w"
                   : "devices only: what the servers around them draw is not known (nodes.ID.chassis_host_w "
                     "and chassis_loss, or cost.server_host_w and server_loss)";
    default:
        return {};
    }
}

Term explainPrice(const Scenario& scenario) {
    return systemParts<Term>(scenario).price;
}

Term explainArea(const Scenario& scenario) {
    return systemParts<Term>(scenario).area;
}

Term asMetric(const Term& term, Metric which) {
    const auto& spec = metricSpec(which);
    const Measure measure{spec.unit, spec.scale};
    return term ? term.named(std::string(spec.label), measure)
                : Term::counted(std::string(spec.label), 0.0, measure, "none in this design");
}

namespace {

/// The bits that an operator multiplies in: those of the peak it is held against, whose name ends with them
/// ("FP8"), else the runtime's.
double multipliedBits(const OperatorPeak& peak, const Runtime& runtime) {
    if (peak.precision.empty())
        return runtime.activationBits.value;
    return peak.precision.ends_with("4") ? 4.0 : peak.precision.ends_with("8") ? 8.0 : 16.0;
}

/// B of an operator's weights that are unpacked first. Formats of four bits have no units but FP4's; eight
/// bits all devices multiply.
double packedBytes(const Operator& op, double bits, const Machine& machine) {
    return bits > 4.0 && machine.weightBytes * op.weightScale < 0.75
               ? op.repeat * op.storedWeights() * machine.weightBytes
               : 0.0;
}

/// Share of the time that a slower clock stretches: all but what waits for memory or links.
double clockedShare(const CompiledPhase& compiled, double context, double kernelSeconds) {
    if (compiled.phase() == Phase::Prefill)
        return 1.0;
    std::array<OperatorTime, OperatorGraph::kCapacity> times;
    compiled.step().operatorTimes(context, times);
    double all = 0.0, clocked = 0.0;
    for (std::size_t i = 0; i < compiled.graph().operators().size(); ++i) {
        const auto bound = times[i].bound;
        all += times[i].seconds;
        if (bound == Bound::Compute || bound == Bound::L2 || bound == Bound::Waves ||
            bound == Bound::Latency || bound == Bound::LaunchFloor)
            clocked += times[i].seconds;
    }
    return all > 0.0 ? std::min(1.0, kernelSeconds * clocked / all) : 0.0;
}

} // namespace

PhaseRates phaseRates(const CompiledPhase& compiled, double context, const PhaseEvaluation& of) {
    const auto& graph = compiled.graph();
    const auto& machine = compiled.machine();
    const auto& timing = compiled.step().timing();
    const double seconds = of.workSeconds == of.workSeconds ? of.workSeconds : of.seconds;
    PhaseRates rates;
    if (!(seconds > 0.0))
        return rates;
    rates.known = true;
    rates.kernels = compiled.step().kernelSeconds(context) / graph.shape().tokensAStep / seconds;
    rates.roofline = !machine.runtime->timing(compiled.phase()).kind->takesKernelConstants();
    rates.memory = of.movedBytes / seconds;
    double flops = 0.0, flops8 = 0.0, flops4 = 0.0, packed = 0.0;
    const auto operators = graph.operators();
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const auto& op = operators[i];
        if (op.offloaded)
            continue;
        const double bits = multipliedBits(timing.peakOf(i), *machine.runtime);
        const double own = op.repeat * op.flops.at(context);
        flops += own;
        flops8 += bits == 8.0 ? own : 0.0;
        flops4 += bits == 4.0 ? own : 0.0;
        packed += packedBytes(op, bits, machine);
    }
    if (flops > 0.0) {
        rates.flops8 = of.flops / seconds * (flops8 / flops);
        rates.flops4 = of.flops / seconds * (flops4 / flops);
        rates.flops16 = of.flops / seconds - rates.flops8 - rates.flops4;
    }
    rates.unpacked = compiled.deviceShare() * packed / seconds;
    const auto& [near, far] = of.collectiveBytes;
    rates.sent = (near + far) / seconds;
    if (rates.sent > 0.0)
        rates.linkEnergy =
            (near * machine.collective.energy + far * machine.collective.network.energy) / (near + far);
    const auto& device = *machine.device;
    const bool countsL2 = device.powerL2.isSet() && timing.l2Roof() > 0.0;
    const bool countsHops = device.powerHop.isSet();
    for (std::size_t i = 0; (countsL2 || countsHops) && i < operators.size(); ++i) {
        const auto& op = operators[i];
        const double times = compiled.deviceShare() * op.repeat / seconds;
        if (countsL2)
            rates.l2 += times * timing.traffic(op).l2.at(context);
        if (countsHops && machine.collective.trafficFactor(op) > 0.0)
            rates.hops += times;
    }
    if (device.powerCap.isSet() || device.powerClock.isSet())
        rates.clocked = clockedShare(compiled, context, rates.kernels);
    return rates;
}

std::vector<PowerParts> powerShares(const CompiledPhase& compiled, double context) {
    const auto& machine = compiled.machine();
    const auto& timing = compiled.step().timing();
    const auto operators = compiled.graph().operators();
    std::array<OperatorTime, OperatorGraph::kCapacity> times;
    compiled.step().operatorTimes(context, times);
    const auto figures = powerFigures(*machine.device);
    std::vector<PowerParts> parts(operators.size());
    PowerParts sums{};
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const auto& op = operators[i];
        if (op.offloaded)
            continue;
        const double bits = multipliedBits(timing.peakOf(i), *machine.runtime);
        const double moved =
            timing.l2Roof() > 0.0 ? timing.traffic(op).memory.at(context) : timing.bytesOf(i).at(context);
        parts[i] = {0.0,
                    times[i].seconds,
                    op.repeat * moved,
                    op.repeat * op.flops.at(context) *
                        (bits == 8.0   ? figures.flop8
                         : bits == 4.0 ? figures.flop4
                                       : figures.flop16),
                    packedBytes(op, bits, machine),
                    isCollective(op.kind) ? op.repeat * compiled.collectiveBytes(op) : 0.0,
                    times[i].seconds};
        for (std::size_t term = 0; term < kPowerTerms; ++term)
            sums[term] += parts[i][term];
    }
    for (auto& part : parts)
        for (std::size_t term = 0; term < kPowerTerms; ++term)
            part[term] = sums[term] > 0.0 ? part[term] / sums[term] : 0.0;
    return parts;
}

} // namespace heteroscape::engine
