// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/compiled_pool.h"

#include "engine/operators/layer_memory.h"
#include "engine/operators/operator_graph.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/scenario/split_pool.h"
#include "engine/schedule/draft_steps.h"
#include "engine/schedule/kv_transfer.h"
#include "engine/techniques/built_in.h"
#include "engine/techniques/speculation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

namespace heteroscape::engine {

namespace {

TierMap mapOf(const Scenario& scenario) {
    TierMap map;
    map.reset(scenario);
    return map;
}

/// Adds what one layer's flows move in `steps` steps at a mean `context`.
void addFlows(OffloadTraffic::Phase& out, const FlowChain& chain, bool near, double context, double steps) {
    for (const auto& flow : chain.flows()) {
        const double bytes = steps * flow.bytes.at(context);
        switch (flow.lane) {
        case Lane::Pcie:
            out.device += bytes;
            break;
        case Lane::Storage:
            out.storage += bytes;
            break;
        case Lane::Uplink:
            out.near += bytes;
            break;
        case Lane::StorageWrite:
            (near ? out.near : out.storage) += bytes;
            break;
        default:
            break;
        }
    }
}

OffloadTraffic trafficOf(const Scenario& scenario, const Offloading& offloading) {
    const auto& workload = scenario.workload;
    const double layers = scenario.model.layers.value;
    const double mean = representativeContext(workload, Phase::Decode);
    OffloadTraffic traffic;
    for (const auto phase : {Phase::Prefill, Phase::Decode}) {
        const auto& flows = offloading.flows(phase);
        const bool decode = phase == Phase::Decode;
        auto& out = decode ? traffic.decode : traffic.prefill;
        const double steps = layers * (decode ? workload.outputTokens.value : 1.0);
        addFlows(out, flows.serial, offloading.near, mean, steps);
        for (const auto& chain : flows.chains())
            addFlows(out, chain, offloading.near, mean, steps);
    }
    return traffic;
}

/// What work on batches moves over a link, on each of the parallel ones.
double linkBytes(const OffloadTraffic& traffic, double prefills, double decodes, const TierMap& map,
                 std::size_t link) {
    const double device = prefills * traffic.prefill.device + decodes * traffic.decode.device;
    const double storage = prefills * traffic.prefill.storage + decodes * traffic.decode.storage;
    const double near = prefills * traffic.prefill.near + decodes * traffic.decode.near;
    return (device * map.deviceShare(link) + storage * map.linkShare(link, false) +
            near * map.linkShare(link, true)) /
           map.graph().parallel(link);
}

/// Seconds from one batch of a replica to the next, of the phases that the node runs: what they
/// take, or what the links take that all replicas share, whichever is longer.
class BatchTimer {
public:
    /// `map` is asked as it is after finding what is timed.
    BatchTimer(const Scenario& scenario, const Node& node, const Machine& machine, const TierMap& map)
        : m_scenario(scenario), m_node(node), m_machine(machine), m_map(map) {}

    double operator()(const Offloading& offloading) {
        compile();
        const double prompt = m_scenario.workload.promptTokens.value;
        double seconds = 0.0;
        for (const auto phase : {Phase::Prefill, Phase::Decode}) {
            if (!of(phase))
                continue;
            const Step step(of(phase)->graph(), m_machine, phase, &offloading.flows(phase));
            const bool prefill = phase == Phase::Prefill;
            const auto cost = step.cost(prefill ? prompt : prompt + 1.0,
                                        prefill ? prompt : prompt + m_scenario.workload.outputTokens.value);
            seconds += of(phase)->totalSeconds(cost, m_scenario.workload);
        }
        const auto traffic = trafficOf(m_scenario, offloading);
        for (std::size_t l = 0; l < m_scenario.links.size(); ++l)
            seconds = std::max(seconds, offloading.activeReplicas *
                                            linkBytes(traffic, of(Phase::Prefill) ? 1.0 : 0.0,
                                                      of(Phase::Decode) ? 1.0 : 0.0, m_map, l) /
                                            m_scenario.links[l].type.bandwidth.value);
        return seconds;
    }

private:
    const Scenario& m_scenario;
    const Node& m_node;
    const Machine& m_machine;
    const TierMap& m_map;
    bool m_isCompiled = false; // only once it is asked: where nothing is left to choose it never is
    std::array<std::unique_ptr<CompiledPhase>, 2> m_phases;

    void compile() {
        if (std::exchange(m_isCompiled, true))
            return;
        const auto role = effectiveRole(m_scenario, m_node);
        for (const auto phase : {Phase::Prefill, Phase::Decode})
            if (role != (phase == Phase::Prefill ? Role::Decode : Role::Prefill))
                of(phase) = std::make_unique<CompiledPhase>(m_scenario, m_node, phase, m_machine, nullptr);
    }

    std::unique_ptr<CompiledPhase>& of(Phase phase) { return m_phases[static_cast<std::size_t>(phase)]; }
};

} // namespace

CompiledPool::CompiledPool(const Scenario& scenario, std::size_t node, TierMap& map, double activeReplicas)
    : m_scenario(&scenario), m_index(node), m_machine(machineOf(scenario, scenario.nodes[node])) {
    if (!offloads(scenario.nodes[node]))
        return;
    if (activeReplicas <= 0.0) {
        chooseReplicas(map);
        return;
    }
    BatchTimer timer(scenario, scenario.nodes[node], m_machine, map);
    m_offloading = std::make_unique<Offloading>(
        offloadingOf(scenario, node, m_machine, activeReplicas, map, std::ref(timer)));
}

CompiledPool::CompiledPool(const Scenario& scenario, std::size_t node)
    : m_scenario(&scenario), m_index(node), m_machine(machineOf(scenario, scenario.nodes[node])) {
    if (!offloads(scenario.nodes[node]))
        return;
    auto map = mapOf(scenario);
    chooseReplicas(map);
}

void CompiledPool::chooseReplicas(TierMap& map) {
    const double all = replicas(node());
    BatchTimer timer(*m_scenario, node(), m_machine, map);
    m_offloading = std::make_unique<Offloading>(
        offloadingOf(*m_scenario, m_index, m_machine, 1.0, map, std::ref(timer)));
    if (all <= 1.0)
        return;
    constexpr double kTriedOneByOne = 64.0;
    const auto rate = [&](const Offloading& tried) {
        return tried.plan.shortfall ? 0.0 : tried.activeReplicas / timer(tried);
    };
    double highest = rate(*m_offloading);
    for (double activeReplicas = 2.0; activeReplicas <= all;) {
        const auto tried =
            offloadingOf(*m_scenario, m_index, m_machine, activeReplicas, map, std::ref(timer));
        if (const double here = rate(tried); here > highest) {
            highest = here;
            *m_offloading = tried;
        }
        const double next =
            activeReplicas < kTriedOneByOne ? activeReplicas + 1.0 : std::ceil(activeReplicas * 1.25);
        activeReplicas = activeReplicas < all ? std::min(next, all) : next;
    }
}

std::shared_ptr<const Model> CompiledPool::layered() const {
    return isLayered(m_scenario->model, node()) || !stagePoolOf(*m_scenario).empty()
               ? servedModel(*m_scenario, node())
               : nullptr;
}

/// `bytes(pool)` of the pool that serves the model that guesses tokens; none without one.
template <class Bytes>
double CompiledPool::ofDraft(Bytes bytes) const {
    if (!hasDraft(*m_scenario, node()))
        return 0.0;
    const auto design = draftDesign(*m_scenario, node());
    return bytes(CompiledPool(design, m_index));
}

double CompiledPool::draftModelBytes() const {
    return ofDraft([](const CompiledPool& pool) { return pool.weightBytes(); });
}

double CompiledPool::keptBytes() const {
    if (!node().reserve.isSet() || m_offloading)
        return 0.0;
    const bool decodes = effectiveRole(*m_scenario, node()) != Role::Prefill;
    return workingBytes(m_scenario->model) + dispatchBytes(m_scenario->model, layoutOf(node()), decodes) +
           node().reserve.value;
}

double CompiledPool::weightBytes() const {
    const auto& runtime = *node().runtime;
    if (m_scenario->draft && hasDraft(*m_scenario, node()))
        return ownWeightBytes() + draftModelBytes();
    return ownWeightBytes() +
           draftWeightBytes() * runtime.decode.kind->weightOverhead(runtime.decode.settings);
}

/// The layer that guesses, dealt to all devices of a stage. Source: moe_parallel, section 6.
double CompiledPool::draftWeightBytes() const {
    if (!speculates(*m_scenario, node()) || node().role == Role::Ffn)
        return 0.0;
    const auto model = m_scenario->model.isUniform() && m_scenario->model.hasLayers()
                           ? std::make_shared<const Model>(layeredForm(m_scenario->model))
                           : servedModel(*m_scenario, node());
    const double element = node().runtime->weightBits.value / 8.0;
    const auto part = model->isMixture() ? ModelPart::Experts : ModelPart::Dense;
    return model->mtpParameters() * (model->weights ? model->weights->of(part).bytes : element) /
           (devices() / layoutOf(node()).pp);
}

/// The first node of a pipeline has the embedding table and not the head.
double CompiledPool::firstStageEmbedding() const {
    const auto pool = stagePoolOf(*m_scenario);
    if (pool.empty() || pool.front().node != m_index)
        return 0.0;
    const auto* weights = servedWeights(m_scenario->model, node());
    return m_scenario->model.elements(ModelPart::Head) / layoutOf(node()).tp *
           (weights ? weights->of(ModelPart::Embedding).bytes : node().runtime->weightBits.value / 8.0);
}

double CompiledPool::ownWeightBytes() const {
    const auto& runtime = *node().runtime;
    if (const auto model = layered()) {
        const auto layout = layoutOf(node());
        const double element = runtime.weightBits.value / 8.0;
        const double twice = redundantShare(*m_scenario, *model, layout);
        const double redundant =
            twice > 0.0 ? twice * rankElements(*model, layout, ModelPart::Experts) *
                              (model->weights ? model->weights->of(ModelPart::Experts).bytes : element)
                        : 0.0;
        return (rankWeightBytes(*model, layout, element) + redundant + firstStageEmbedding()) *
               runtime.decode.kind->weightOverhead(runtime.decode.settings);
    }
    return Shard(m_scenario->model, devices()).parameters(m_scenario->model) * runtime.weightBits.value /
           8.0 * runtime.decode.kind->weightOverhead(runtime.decode.settings);
}

double CompiledPool::kvTokenBytes() const {
    const double own = ownTokenBytes();
    return m_scenario->draft ? own + ofDraft([](const CompiledPool& pool) { return pool.kvTokenBytes(); })
                             : own;
}

double CompiledPool::ownTokenBytes() const {
    if (const auto model = layered()) { // windows fill up: the mean of a request of the workload
        const double tokens =
            m_scenario->workload.promptTokens.value + m_scenario->workload.outputTokens.value;
        const auto layout = layoutOf(node());
        return rankCacheBytes(*model, layout, layout.dp, tokens, node().runtime->kvBits.value / 8.0) /
               tokens / layout.dp;
    }
    return Shard(m_scenario->model, devices()).kvElementsPerToken(m_scenario->model) *
           node().runtime->kvBits.value / 8.0;
}

double CompiledPool::kvBytes(double tokens) const {
    const double own = ownCacheBytes(tokens);
    return m_scenario->draft
               ? own + ofDraft([tokens](const CompiledPool& pool) { return pool.kvBytes(tokens); })
               : own;
}

double CompiledPool::ownCacheBytes(double tokens) const {
    const double requests = m_scenario->workload.batch.value;
    if (const auto model = layered())
        return rankCacheBytes(*model, layoutOf(node()), requests, tokens, node().runtime->kvBits.value / 8.0);
    return requests * tokens * ownTokenBytes();
}

double CompiledPool::kvRoomBytes() const {
    const double memory = node().deviceMemory(), beside = memory - weightBytes() - keptBytes();
    return node().server && !m_offloading ? std::min(kvRoom(*node().server, memory, weightBytes()), beside)
                                          : beside;
}

double CompiledPool::kvTokens() const {
    double tokens = std::floor(kvRoomBytes() / kvTokenBytes());
    if (const auto pool = stagePoolOf(*m_scenario); !pool.empty() && pool.front().node == m_index)
        for (std::size_t i = 1; i < pool.size(); ++i) // the cache lies on all of them
            tokens = std::min(tokens, CompiledPool(*m_scenario, pool[i].node).kvTokens());
    return tokens;
}

/// Activations that cross to the other node of a split pool, and what its devices send each other.
void CompiledPool::addSplitTraffic(const Work& work, std::span<double> links) const {
    const auto pool = node().role == Role::Attention ? splitPoolOf(*m_scenario, node()) : std::nullopt;
    if (!pool)
        return;
    const CompiledPool other(*m_scenario, pool->ffn);
    auto ofFfn = work;
    for (const auto phase : {Phase::Prefill, Phase::Decode}) {
        const bool prefill = phase == Phase::Prefill;
        const double steps = prefill ? work.prefills : work.decodes * m_scenario->workload.outputTokens.value;
        for (const auto& [link, bytes] : this->phase(phase).activationBytes())
            links[link] += steps * bytes / replicas(node());
        (prefill ? ofFfn.prefillCollective : ofFfn.decodeCollective) = other.phase(phase).collectiveBytes();
    }
    other.addCollectiveTraffic(ofFfn, links);
}

/// Activations from node to node of a pipeline, and what the devices of the later ones send each other.
void CompiledPool::addStageTraffic(const Work& work, std::span<double> links) const {
    const auto pool = stagePoolOf(*m_scenario);
    if (pool.empty() || pool.front().node != m_index)
        return;
    const auto& workload = m_scenario->workload;
    std::vector<Work> ofNodes(pool.size(), work);
    for (const auto phase : {Phase::Prefill, Phase::Decode}) {
        const bool prefill = phase == Phase::Prefill;
        const auto own = this->phase(phase);
        const auto& shape = own.graph().shape();
        constexpr double kBf16 = 2.0; // B
        const double bytes = shape.batch * shape.queryTokens * m_scenario->model.hidden.value * kBf16 /
                             shape.tokensAStep *
                             (prefill ? work.prefills : work.decodes * workload.outputTokens.value);
        for (std::size_t i = 0; i < pool.size(); ++i) {
            for (const auto link : pool[i].links)
                if (!prefill || i + 1 < pool.size())
                    links[link] += bytes / parallelLinks(*m_scenario, m_scenario->links[link]);
            if (i == 0)
                continue;
            const CompiledPool other(*m_scenario, pool[i].node);
            (prefill ? ofNodes[i].prefillCollective : ofNodes[i].decodeCollective) =
                other.phase(phase).collectiveBytes();
        }
    }
    for (std::size_t i = 1; i < pool.size(); ++i)
        CompiledPool(*m_scenario, pool[i].node).addCollectiveTraffic(ofNodes[i], links);
}

void CompiledPool::addCollectiveTraffic(const Work& work, std::span<double> links) const {
    if (splitsLayers(node()))
        addSplitTraffic(work, links);
    addStageTraffic(work, links);
    const auto* link = devices() > 1.0 ? collectiveLink(*m_scenario, node()) : nullptr;
    if (!link)
        return;
    const auto add = [&](const Link* over, double prefill, double decode) {
        const double bytes =
            prefill * work.prefills + decode * m_scenario->workload.outputTokens.value * work.decodes;
        links[static_cast<std::size_t>(over - m_scenario->links.data())] += bytes / replicas(node());
    };
    add(link, work.prefillCollective.near, work.decodeCollective.near);
    const auto& [prefill, decode] = std::pair(work.prefillCollective.far, work.decodeCollective.far);
    if (const auto* network = prefill + decode > 0.0 ? networkLink(*m_scenario, node()) : nullptr)
        add(network, prefill, decode);
}

void CompiledPool::addOffloadTraffic(const Work& work, TierMap& map, std::span<double> links) const {
    map.at(*m_scenario, m_index, activeReplicas());
    const auto traffic = offloadTraffic();
    for (std::size_t l = 0; l < links.size(); ++l)
        links[l] += linkBytes(traffic, work.prefills, work.decodes, map, l);
}

OffloadTraffic CompiledPool::offloadTraffic() const {
    return trafficOf(*m_scenario, *m_offloading);
}

Term CompiledPool::explainStorageTraffic() const {
    const auto& workload = m_scenario->workload;
    const double mean = representativeContext(workload, Phase::Decode);
    const auto times = (Numbers<Term>::quantity(modelFields, m_scenario->model, &Model::layers) *
                        Numbers<Term>::quantity(workloadFields, workload, &Workload::outputTokens))
                           .named("Layers of all steps", measures::count);
    std::vector<Term> terms;
    const auto add = [&](const FlowChain& chain) {
        for (const auto& flow : chain.flows())
            if (const double bytes = flow.bytes.at(mean);
                bytes > 0.0 &&
                (flow.lane == Lane::Storage || flow.lane == Lane::Uplink || flow.lane == Lane::StorageWrite))
                terms.push_back(
                    (times * Term::counted("Bytes of a layer", bytes, measures::megabytes,
                                           "memory plan and split of the KV cache, mean context"))
                        .named(std::string(workLabel(flow.work)) + ", " + std::string(laneLabel(flow.lane)),
                               measures::gigabytes));
    };
    const auto& flows = m_offloading->flows(Phase::Decode);
    add(flows.serial);
    for (const auto& chain : flows.chains())
        add(chain);
    return sum("Traffic", measures::gigabytes, terms);
}

bool CompiledPool::sharesTiers(const CompiledPool& other) const {
    return m_offloading && other.m_offloading && m_offloading->tiers.host == other.m_offloading->tiers.host;
}

DraftSteps::DraftSteps(const Scenario& scenario, const Node& node)
    : m_design(draftDesign(scenario, node)), m_node(*m_design.findNode(node.id)),
      m_machine(machineOf(m_design, m_node)), m_phase(m_design, m_node, Phase::Decode, m_machine, nullptr),
      m_guesses(speculationOf(scenario).guesses) {}

StepCost DraftSteps::cost(double firstContext, double lastContext) const {
    auto cost = m_phase.cost(firstContext, lastContext);
    cost.scale(m_guesses);
    return cost;
}

Term DraftSteps::explain(Contexts contexts, double context) const {
    Term guess;
    m_phase.at(context,
               [&](const CompiledPhase& phase) { guess = phase.step().explainWithin(contexts, context); });
    return (Term::counted("Guesses", m_guesses, measures::count, "techniques.speculation.guesses") *
            guess.named("A step of " + m_design.model.name, measures::milliseconds))
        .named("Guesses of the draft model", measures::milliseconds);
}

} // namespace heteroscape::engine
