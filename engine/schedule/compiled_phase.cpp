// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/compiled_phase.h"

#include "engine/catalog/power_constants.h"
#include "engine/operators/layer_memory.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/scenario/split_pool.h"
#include "engine/schedule/draft_steps.h"
#include "engine/techniques/built_in.h"
#include "engine/techniques/graph_pass.h"
#include "engine/techniques/speculation.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

/// The graph itself, after its techniques: a step is timed with them.
const OperatorGraph& afterTechniques(OperatorGraph& graph, const Scenario& scenario, const Node& node) {
    applyTechniques(graph, scenario, node, graph.shape().phase);
    return graph;
}

/// The stages of a pipeline: null for a batch that is one microbatch.
std::unique_ptr<const Microbatches> othersOf(const Scenario& scenario, const Node& node, const Model& model,
                                             StepShape shape, const Machine& machine) {
    const double count = shape.layout.microbatches;
    const bool others = count > 1.0 || !shape.sequences.empty(); // steps of servers follow each other
    if (!shape.allStages || !others || !stagePoolOf(scenario).empty())
        return nullptr;
    shape.allStages = false;
    OperatorGraph stage(model, shape);
    return std::make_unique<const Microbatches>(afterTechniques(stage, scenario, node), machine, shape.phase,
                                                count);
}

LayerMessages messagesOf(const Scenario& scenario, const Model& model, const StepShape& shape,
                         const Node& ffn, bool mixture) {
    const auto networks = layoutOf(ffn);
    auto messages =
        layerMessages(model, shape.layout, networks, shape.rows(), mixture, shape.phase == Phase::Decode);
    const double busiest =
        mixture ? busiestRankFactor(scenario, model, shape.rows() * shape.layout.dp, networks.ep) : 1.0;
    messages.there.ffn *= busiest;
    messages.back.ffn *= busiest;
    return messages;
}

/// What a node pays to send to another, s.
double sendCost(const Node& node) {
    Operator send;
    send.kind = OperatorKind::Send;
    return addedSeconds(*node.runtime, send);
}

/// The way of the larger of the two that takes longest on any of the links.
SplitMessage messageOf(const Scenario& scenario, const SplitPool& pool, const LayerMessages& messages) {
    SplitMessage slowest;
    double latency = 0.0;
    for (const auto link : pool.links) {
        const auto& type = scenario.links[link].type;
        latency += type.latency.value;
        for (const auto& way : {messages.there, messages.back}) {
            const double bytes = splitLinkBytes(scenario, pool, link, way.attention, way.ffn);
            if (const double seconds = bytes / type.bandwidth.value; seconds > slowest.seconds)
                slowest = {seconds, bytes, link};
        }
    }
    slowest.seconds +=
        latency + std::max(sendCost(scenario.nodes[pool.attention]), sendCost(scenario.nodes[pool.ffn]));
    return slowest;
}

/// The other half of a node that attends alone; null for a node that does whole layers.
std::unique_ptr<const AttentionFfn> splitOf(const Scenario& scenario, const Node& node, const Model& model,
                                            const OperatorGraph& attention, const Machine& machine) {
    auto shape = attention.shape();
    if (shape.layout.side != LayerSide::Attention)
        return nullptr;
    const auto pool = splitPoolOf(scenario, node);
    if (!pool)
        return nullptr;
    const auto& other = scenario.nodes[pool->ffn];
    const bool mixes = model.isMixture();
    const auto mixture =
        mixes ? messageOf(scenario, *pool, messagesOf(scenario, model, shape, other, true)) : SplitMessage{};
    const auto dense = messageOf(scenario, *pool, messagesOf(scenario, model, shape, other, false));
    const double microbatches = shape.layout.microbatches;
    shape.layout = layoutOf(other);
    shape.layout.microbatches = microbatches;
    shape.devices = shape.layout.devices();
    shape.style = other.runtime->operators;
    shape.weightBytes = other.runtime->weightBits.value / 8.0;
    shape.kvBytes = other.runtime->kvBits.value / 8.0;
    OperatorGraph ffn(model, shape);
    afterTechniques(ffn, scenario, other);
    std::vector<const LinkType*> links;
    for (const auto link : pool->links)
        links.push_back(&scenario.links[link].type);
    return std::make_unique<const AttentionFfn>(attention, machine, ffn, machineOf(scenario, other),
                                                shape.phase, dense, mixture, links);
}

/// Of a microbatch on its way from one node to the next, by the slowest way of all: s, and its narrowest
/// link.
std::pair<double, std::size_t> stageSend(const Scenario& scenario, const std::vector<StageNode>& pool,
                                         const StepShape& shape) {
    constexpr double kBf16 = 2.0; // B
    std::pair slowest{0.0, static_cast<std::size_t>(-1)};
    for (const auto& stage : pool) {
        const auto layout = layoutOf(scenario.nodes[stage.node]);
        const double rows = shape.sequences.empty()
                                ? shape.batch / (layout.dp * shape.layout.microbatches) * shape.queryTokens
                                : shape.rows() * shape.layout.dp / layout.dp;
        const double bytes = rows * scenario.model.hidden.value * kBf16 / layout.tp;
        double seconds = sendCost(scenario.nodes[stage.node]);
        std::pair narrowest{0.0, static_cast<std::size_t>(-1)};
        for (const auto link : stage.links) {
            const auto& type = scenario.links[link].type;
            seconds += type.latency.value;
            if (const double crossing = bytes / type.bandwidth.value; crossing > narrowest.first)
                narrowest = {crossing, link};
        }
        if (seconds + narrowest.first > slowest.first)
            slowest = {seconds + narrowest.first, narrowest.second};
    }
    return slowest;
}

/// The pipeline that the node is the first of; null for any other.
std::unique_ptr<const PipelineNodes> stagesOf(const Scenario& scenario, const Node& node,
                                              const StepShape& shape) {
    const auto pool = stagePoolOf(scenario);
    if (pool.empty() || &scenario.nodes[pool.front().node] != &node)
        return nullptr;
    const auto [send, link] = stageSend(scenario, pool, shape);
    auto stages = std::make_unique<PipelineNodes>(shape.phase, shape.layout.microbatches, send, link);
    for (const auto& stage : pool) {
        const auto& at = scenario.nodes[stage.node];
        auto own = shape;
        own.layout = layoutOf(at);
        own.layout.microbatches = shape.layout.microbatches;
        own.allStages = own.layout.pp > 1.0;
        own.devices = own.layout.devices();
        own.style = at.runtime->operators;
        own.weightBytes = at.runtime->weightBits.value / 8.0;
        own.kvBytes = at.runtime->kvBits.value / 8.0;
        if (own.layout.dp != shape.layout.dp)
            own.sequences = stages->dealt(shape.sequences, shape.layout.dp / own.layout.dp);
        const auto model = servedModel(scenario, at);
        OperatorGraph through(*model, own);
        afterTechniques(through, scenario, at);
        own.allStages = false;
        OperatorGraph fullest(*model, own);
        afterTechniques(fullest, scenario, at);
        stages->add(at.shownName(), model, through, fullest, machineOf(scenario, at));
    }
    return stages;
}

/// The guesses of a decode by a model of its own; null where there is none.
std::unique_ptr<const DraftSteps> draftOf(const Scenario& scenario, const Node& node, Phase phase) {
    return phase == Phase::Decode && hasDraft(scenario, node)
               ? std::make_unique<const DraftSteps>(scenario, node)
               : nullptr;
}

const LayerFlows* flowsOf(const Offloading* offloading, Phase phase) {
    return offloading ? &offloading->flows(phase) : nullptr;
}

void connect(Collective& collective, const CollectiveLinks& links) {
    const auto& near = links.near;
    const auto& far = links.far;
    if (!near.widest)
        return;
    collective.link = &near.widest->type;
    collective.start = &near.quickest->type;
    collective.bandwidth = collective.link->bandwidth.value;
    collective.latency = collective.start->latency.value;
    collective.energy = collective.link->energy.valueOr(shippedPower().link);
    if (isPcie(*collective.link))
        collective.peer = collective.link->peer.valueOr(collective.peer);
    if (!far.widest)
        return;
    collective.network = {links.domain,
                          far.widest->type.bandwidth.value,
                          far.quickest->type.latency.value,
                          &far.widest->type,
                          &far.quickest->type,
                          far.widest->type.energy.valueOr(shippedPower().link)};
}

} // namespace

Machine machineOf(const Scenario& scenario, const Node& node) {
    Collective collective;
    collective.devices = tensorParallel(node);
    collective.stage = collective.devices / node.pp.valueOr(1.0);
    collective.convention = node.runtime->allReduce;
    if (collective.devices > 1.0)
        connect(collective, collectiveLinks(scenario, node));
    Machine machine(node.device, *node.runtime, collective);
    machine.server = node.server ? &*node.server : nullptr;
    return machine;
}

double phaseMaxTokens(const Workload& workload) {
    return workload.promptTokens.value + workload.outputTokens.value;
}

StepShape phaseShape(const Scenario& scenario, const Node& node, Phase phase) {
    const auto& workload = scenario.workload;
    StepShape shape;
    shape.phase = phase;
    shape.queryTokens = phase == Phase::Prefill ? workload.promptTokens.value : 1.0;
    shape.batch = workload.batch.value;
    shape.maxTokens = phaseMaxTokens(workload);
    shape.devices = tensorParallel(node);
    shape.style = node.runtime->operators;
    if (phase == Phase::Decode && speculates(scenario, node)) {
        const auto speculation = speculationOf(scenario);
        shape.queryTokens = 1.0 + speculation.guesses;
        shape.tokensAStep = speculation.tokensAStep;
    }
    const auto stages = stagePoolOf(scenario);
    if (isLayered(scenario.model, node) || !stages.empty()) {
        shape.layout = layoutOf(node);
        shape.allStages = shape.layout.pp > 1.0;
        // No microbatch is without a request of each rank.
        auto& microbatches = shape.layout.microbatches;
        const auto pool = shape.layout.side == LayerSide::Ffn ? splitPoolOf(scenario, node) : std::nullopt;
        const auto attends = pool ? layoutOf(scenario.nodes[pool->attention]) : shape.layout;
        microbatches = attends.microbatches;
        double ranks = attends.dp;
        if (!stages.empty()) {
            double parts = 0.0;
            for (const auto& stage : stages) {
                parts += layoutOf(scenario.nodes[stage.node]).pp;
                ranks = std::max(ranks, layoutOf(scenario.nodes[stage.node]).dp);
            }
            microbatches = scenario.nodes[stages.front().node].microbatches.valueOr(parts);
        } else if (shape.layout.pp <= 1.0 && shape.layout.side == LayerSide::Whole) {
            microbatches = 1.0;
        }
        microbatches = std::min(microbatches, std::max(1.0, std::floor(shape.batch / ranks)));
        shape.context = representativeContext(workload, phase);
        shape.weightBytes = node.runtime->weightBits.value / 8.0;
        shape.kvBytes = node.runtime->kvBits.value / 8.0;
    }
    return shape;
}

namespace {

/// The layers of a model that lie on one node of a pipeline: of every kind their share.
Model stretchOf(Model model, double layers, bool first, bool last) {
    const double share = layers / model.layers.value;
    for (auto& group : model.groups)
        group.count *= share;
    if (model.denseLayers.isSet())
        model.denseLayers.value *= share;
    model.layers.value = layers;
    if (!last)
        model.vocab.value = 0.0; // no head
    if (!first)
        model.embeddings.value = 0.0;
    return model;
}

/// The model as its layers lie on the node.
std::shared_ptr<const Model> laidOut(const Scenario& scenario, const Node& node) {
    const auto pool = stagePoolOf(scenario);
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (&scenario.nodes[pool[i].node] == &node)
            return std::make_shared<const Model>(
                stretchOf(scenario.model.isUniform() ? layeredForm(scenario.model) : scenario.model,
                          pool[i].layers, i == 0, i + 1 == pool.size()));
    if (scenario.model.isUniform() && isLayered(scenario.model, node))
        return std::make_shared<const Model>(layeredForm(scenario.model));
    return {std::shared_ptr<void>{}, &scenario.model};
}

} // namespace

std::shared_ptr<const Model> servedModel(const Scenario& scenario, const Node& node) {
    auto model = laidOut(scenario, node);
    const auto* weights = servedWeights(*model, node);
    if (weights == model->weights)
        return model;
    auto other = std::make_shared<Model>(*model);
    other->weights = weights;
    return other;
}

std::optional<StepHost> hostOf(const Scenario& scenario, const Node& node, const StepShape& shape) {
    const double layers = scenario.model.layers.value;
    std::vector<PayingNode> payers;
    const auto add = [&](const Node& at, double own) {
        if (at.runtime->costs)
            payers.push_back({&*at.runtime, own, layoutOf(at).pp});
    };
    double stages = 0.0;
    for (const auto& stage : stagePoolOf(scenario)) {
        stages += layoutOf(scenario.nodes[stage.node]).pp;
        add(scenario.nodes[stage.node], stage.layers);
    }
    if (stages == 0.0) {
        add(node, layers);
        if (shape.layout.side == LayerSide::Attention)
            if (const auto pool = splitPoolOf(scenario, node))
                add(scenario.nodes[pool->ffn], layers);
    }
    if (!node.server && payers.empty())
        return {};
    return StepHost(node.server ? &*node.server : nullptr, scenario.model, shape, layers,
                    stages > 0.0 ? stages : layoutOf(node).pp, std::move(payers));
}

std::unique_ptr<StepTimes> stepTimesOf(const Scenario& scenario, const Node& node, const StepShape& shape,
                                       const Machine& machine) {
    const auto& layout = shape.layout;
    if (layout.side != LayerSide::Whole || layout.pp > 1.0 || layout.cp > 1.0 ||
        !stagePoolOf(scenario).empty() || (shape.phase == Phase::Decode && hasDraft(scenario, node)))
        return nullptr;
    return stepTimes(
        [&scenario, &node, model = servedModel(scenario, node)](const StepShape& step) {
            OperatorGraph graph(*model, step);
            afterTechniques(graph, scenario, node);
            return graph;
        },
        machine, shape.phase);
}

namespace {

/// Calls visit(first, last) for runs of contexts within which no window of the model fills up.
template <class Visit>
void forWindows(const Model& model, double firstContext, double lastContext, Visit visit) {
    for (double first = firstContext; first <= lastContext;) {
        double last = lastContext;
        for (const auto& group : model.groups)
            if (const double limit = group.attention->limit(group.figures); limit >= first && limit < last)
                last = std::floor(limit);
        visit(first, last);
        first = last + 1.0;
    }
}

/// Of runs of contexts one after the other.
void appendRun(StepCost& whole, double before, const StepCost& run) {
    if (before > 0.0)
        whole.append(before, run);
    else
        whole = run;
}

/// Of a step, its share for one of the tokens that it is expected to yield.
StepCost ofToken(StepCost steps, double tokensAStep) {
    if (tokensAStep != 1.0)
        steps.scale(1.0 / tokensAStep);
    return steps;
}

StepShape about(StepShape shape, double context) {
    shape.context = context;
    return shape;
}

} // namespace

StepCost decodeCost(const Scenario& scenario, const Node& node, StepTimes& steps, double firstContext,
                    double lastContext) {
    const auto shape = phaseShape(scenario, node, Phase::Decode);
    StepCost cost;
    double end = 0.0;
    forWindows(scenario.model, firstContext, lastContext, [&](double first, double last) {
        appendRun(cost, end, steps.cost(about(shape, first), first, last));
        end = last;
    });
    if (const auto host = hostOf(scenario, node, shape))
        cost = host->with(std::move(cost));
    return ofToken(std::move(cost), shape.tokensAStep);
}

double representativeContext(const Workload& workload, Phase phase) {
    const double prompt = workload.promptTokens.value;
    return phase == Phase::Prefill ? prompt : prompt + 0.5 * (workload.outputTokens.value + 1.0);
}

CompiledPhase::CompiledPhase(const Scenario& scenario, const Node& node, Phase phase, const Machine& machine,
                             const Offloading* offloading)
    : CompiledPhase(scenario, node, phaseShape(scenario, node, phase), machine, offloading) {}

CompiledPhase::CompiledPhase(const Scenario& scenario, const Node& node, const StepShape& shape,
                             const Machine& machine, const Offloading* offloading)
    : m_scenario(&scenario), m_node(&node), m_model(servedModel(scenario, node)), m_graph(*m_model, shape),
      m_machine(machine),
      m_step(afterTechniques(m_graph, scenario, node), machine, shape.phase, flowsOf(offloading, shape.phase),
             othersOf(scenario, node, *m_model, shape, machine),
             splitOf(scenario, node, *m_model, m_graph, machine), stagesOf(scenario, node, shape),
             draftOf(scenario, node, shape.phase), hostOf(scenario, node, shape)) {}

CompiledPhase::CompiledPhase(const OperatorGraph& graph, const Machine& machine, const Offloading* offloading)
    : m_graph(graph), m_machine(machine), m_step(m_graph, machine, phase(), flowsOf(offloading, phase())) {}

/// Layered models are not offloaded.
CompiledPhase::CompiledPhase(const CompiledPhase& other, double context)
    : CompiledPhase(*other.m_scenario, *other.m_node, about(other.m_graph.shape(), context),
                    other.m_machine) {}

StepCost CompiledPhase::cost(const Workload& workload) const {
    const double prompt = workload.promptTokens.value;
    return phase() == Phase::Prefill ? m_step.cost(prompt, prompt)
                                     : cost(prompt + 1.0, prompt + workload.outputTokens.value);
}

template <class Visit>
void CompiledPhase::forContexts(double firstContext, double lastContext, Visit visit) const {
    const auto& model = m_graph.model();
    if (model.isUniform() || !m_scenario) {
        visit(*this, firstContext, lastContext);
        return;
    }
    forWindows(model, firstContext, lastContext, [&](double first, double last) {
        at(first, [&](const CompiledPhase& phase) { visit(phase, first, last); });
    });
}

bool CompiledPhase::holdsAt(double context) const {
    const double own = m_graph.shape().context;
    if (!m_scenario || phase() == Phase::Prefill)
        return true; // as it was made
    const auto& groups = m_graph.model().groups;
    return std::all_of(groups.begin(), groups.end(), [&](const LayerGroup& group) {
        const double limit = group.attention->limit(group.figures);
        return (context <= limit) == (own <= limit);
    });
}

StepCost CompiledPhase::cost(double firstContext, double lastContext) const {
    return ofToken(stepCost(firstContext, lastContext), m_graph.shape().tokensAStep);
}

StepCost CompiledPhase::stepCost(double firstContext, double lastContext) const {
    StepCost cost;
    double end = 0.0;
    forContexts(firstContext, lastContext, [&](const CompiledPhase& part, double first, double last) {
        appendRun(cost, end, part.m_step.cost(first, last));
        end = last;
    });
    return cost;
}

SegmentSeconds CompiledPhase::segmentSeconds(double context) const {
    SegmentSeconds seconds;
    at(context, [&](const CompiledPhase& part) { seconds = part.m_step.segmentSeconds(context); });
    return seconds;
}

double CompiledPhase::totalSeconds(const StepCost& cost, const Workload& workload) const {
    const double prompt = workload.promptTokens.value;
    return phase() == Phase::Prefill ? cost.at(prompt)
                                     : cost.sumOverDecode(prompt, workload.outputTokens.value);
}

double CompiledPhase::totalSeconds(const Workload& workload) const {
    return totalSeconds(cost(workload), workload);
}

Term CompiledPhase::explainTotal(const Workload& workload) const {
    const double prompt = workload.promptTokens.value;
    if (phase() == Phase::Prefill)
        return m_step.explain(prompt);
    std::vector<Term> stretches;
    forContexts(prompt + 1.0, prompt + workload.outputTokens.value,
                [&](const CompiledPhase& part, double first, double last) {
                    stretches.push_back(part.m_step.explainDecode(first - 1.0, last - first + 1.0));
                });
    auto steps = stretches.size() == 1 ? stretches.front()
                                       : sum("Decode of all output tokens", measures::seconds, stretches);
    if (const auto& shape = m_graph.shape(); shape.tokensAStep != 1.0)
        return (steps.named("One step for each output token", measures::seconds) /
                explainSpeculatedTokens(*m_scenario))
            .named("Decode of all output tokens", measures::seconds);
    return steps;
}

double CompiledPhase::deviceShare() const {
    const auto& shape = m_graph.shape();
    return shape.layout.microbatches / shape.layout.pp / shape.tokensAStep;
}

double CompiledPhase::collectiveBytes(const Operator& op) const {
    return op.payload * m_machine.activationBytes * m_machine.collective.trafficFactor(op);
}

SentBytes CompiledPhase::collectiveBytes() const {
    SentBytes bytes;
    if (m_machine.collective.devices > 1.0)
        for (const auto& op : m_graph.operators()) {
            if (!isCollective(op.kind))
                continue;
            const auto sent = m_machine.collective.sent(op, 1.0);
            const double payload = op.repeat * op.payload * m_machine.activationBytes;
            bytes.near += payload * sent.near;
            bytes.far += payload * sent.far;
        }
    const double share = deviceShare();
    SentBytes sent{share * bytes.near, share * bytes.far};
    if (const auto* draft = m_step.draft()) {
        const auto guess = draft->one().collectiveBytes();
        const double guesses = draft->guesses() / m_graph.shape().tokensAStep;
        sent.near += guesses * guess.near;
        sent.far += guesses * guess.far;
    }
    return sent;
}

std::vector<LinkBytes> CompiledPhase::activationBytes() const {
    std::vector<LinkBytes> out;
    const auto& shape = m_graph.shape();
    const auto pool = m_node && shape.layout.side == LayerSide::Attention ? splitPoolOf(*m_scenario, *m_node)
                                                                          : std::nullopt;
    if (!pool)
        return out;
    const auto& model = m_graph.model();
    const double mixed = model.mixtureLayers();
    for (const auto link : pool->links) {
        double there = 0.0;
        double back = 0.0;
        const auto add = [&](bool mixture, double layers) {
            if (layers <= 0.0)
                return;
            const auto messages =
                messagesOf(*m_scenario, model, shape, m_scenario->nodes[pool->ffn], mixture);
            const auto bytes = [&](const LayerMessage& way) {
                return layers * shape.layout.microbatches *
                       splitLinkBytes(*m_scenario, *pool, link, way.attention, way.ffn);
            };
            there += bytes(messages.there);
            back += bytes(messages.back);
        };
        add(false, model.plainLayers());
        add(true, mixed);
        out.push_back({link, std::max(there, back) / shape.tokensAStep});
    }
    return out;
}

} // namespace heteroscape::engine
