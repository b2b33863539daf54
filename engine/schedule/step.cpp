// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/step.h"

#include "engine/schedule/draft_steps.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>

// How the times of a step come about.
namespace heteroscape::engine {

namespace {

std::string boundText(Bound bound) {
    return "bound by " + std::string(boundLabel(bound));
}

Term steps(double first, double last) {
    return Term::counted("Steps", last - first + 1.0, measures::count,
                         "contexts from " + plainText(first) + " to " + plainText(last));
}

} // namespace

Term Step::layers() const {
    return Numbers<Term>::quantity(modelFields, m_graph.model(), &Model::layers);
}

Term Step::explainSerial(double context) const {
    return (m_flows->serial.explain(context, "Of one layer, by itself") * layers())
        .named("Transfers by themselves", measures::milliseconds);
}

std::vector<Term> Step::explainChains(double context) const {
    std::vector<Term> chains;
    for (const auto& chain : m_flows->chains()) {
        std::string works;
        for (const auto& flow : chain.flows())
            if (flow.seconds.at(context) > 0.0)
                works.append(works.empty() ? "" : ", ").append(workLabel(flow.work));
        chains.push_back((chain.explain(context, works + ", one layer") * layers())
                             .named(works + ", all layers", measures::milliseconds));
    }
    return chains;
}

Term Step::explain(double context) const {
    return explainWithin({context, context}, context);
}

Term Step::explainWithin(Contexts contexts, double context) const {
    return m_host ? m_host->with(explainKernels(contexts, context)) : explainKernels(contexts, context);
}

Term Step::explainKernels(Contexts contexts, double context) const {
    if (!m_draft)
        return explainVerified(contexts, context);
    return sum("Step", measures::milliseconds,
               {explainVerified(contexts, context).named("Verification", measures::milliseconds),
                m_draft->explain(contexts, context)});
}

Term Step::explainVerified(Contexts contexts, double context) const {
    if (m_stages)
        return m_stages->explain(contexts, context)
            .remarked(boundText(verified(context, context).boundAt(context)));
    if (m_split)
        return m_split->explain(contexts, context)
            .remarked(boundText(verified(context, context).boundAt(context)));
    return m_others ? m_others->explain(explainOwn(contexts, context), contexts, context)
                          .remarked(boundText(verified(context, context).boundAt(context)))
                    : explainOwn(contexts, context);
}

Term Step::explainOwn(Contexts contexts, double context) const {
    auto operators = m_timing->explainWithin(contexts, context);
    const auto bound = boundText(ownCost(context, context).boundAt(context));
    if (!m_flows)
        return operators.remarked(bound);
    auto chains = explainChains(context);
    if (m_flows->besideOperators) {
        chains.insert(chains.begin(), operators);
        return (maximum("Longest of what runs side by side", measures::milliseconds, chains) +
                explainSerial(context))
            .named("Step", measures::milliseconds)
            .remarked(bound);
    }
    return sum("Step", measures::milliseconds,
               {operators, maximum("Longest chain of transfers", measures::milliseconds, chains),
                explainSerial(context)})
        .remarked(bound);
}

Term Step::explainDecode(double prompt, double tokens) const {
    std::vector<Term> pieces;
    const Contexts contexts{prompt + 1.0, prompt + tokens};
    cost(contexts.first, contexts.last)
        .forEachPiece(prompt, tokens, [&](std::size_t, double first, double last) {
            const double middle = 0.5 * (first + last);
            pieces.push_back((steps(first, last) *
                              explainWithin(contexts, middle)
                                  .named("Step at a context of " + plainText(middle), measures::milliseconds))
                                 .named("Steps up to a context of " + plainText(last), measures::seconds));
        });
    return sum("Decode of all output tokens", measures::seconds, pieces);
}

std::array<Term, kWorkCount> Step::explainDecodeParts(double prompt, double tokens) const {
    std::array<std::vector<Term>, kWorkCount> parts;
    std::array<Term, kWorkCount> sums;
    const Contexts contexts{prompt + 1.0, prompt + tokens};
    const auto operators = m_timing->cost(contexts.first, contexts.last);
    const auto add = [&](Work work, const Term& seconds, double first, double last) {
        parts[static_cast<std::size_t>(work)].push_back(
            (steps(first, last) * seconds)
                .named("Steps up to a context of " + plainText(last), measures::seconds));
    };
    operators.forEachPiece(prompt, tokens, [&](std::size_t, double first, double last) {
        add(Work::Operator, m_timing->explainWithin(contexts, 0.5 * (first + last)), first, last);
    });
    const auto take = [&](const FlowChain& chain, double first, double last) {
        const double middle = 0.5 * (first + last);
        for (const auto& flow : chain.flows())
            if (const auto seconds = flow.explain(middle))
                add(flow.work, (layers() * seconds).named("All layers", measures::milliseconds), first, last);
    };
    if (m_flows) {
        take(m_flows->serial, contexts.first, contexts.last);
        if (!m_flows->chains().empty())
            chainCost(prompt + 1.0)
                .forEachPiece(prompt, tokens, [&](std::size_t i, double first, double last) {
                    take(m_flows->chains()[i], first, last);
                });
    }
    if (m_host)
        add(Work::Host,
            Term::counted("Host, a step", hostSeconds(contexts.last), measures::milliseconds,
                          "the node's server, and what its runtime pays beside operators"),
            contexts.first, contexts.last);
    for (std::size_t i = 0; i < parts.size(); ++i)
        sums[i] = sum(std::string(workLabel(static_cast<Work>(i))), measures::seconds, parts[i]);
    return sums;
}

std::vector<Term> Step::operatorTerms(double context) const {
    auto terms = m_timing->operatorTerms(context);
    if (!m_flows)
        return terms;
    const auto operators = m_graph.operators();
    const auto wait =
        sum("Step", measures::milliseconds,
            {maximum("Longest chain of transfers", measures::milliseconds, explainChains(context)),
             explainSerial(context)});
    // Attention stands for all that is waited for (see operatorTimes()).
    for (std::size_t i = 0; i < operators.size(); ++i)
        if (!m_flows->besideOperators && wait.value() > 0.0 &&
            (operators[i].kind == OperatorKind::Attention || operators[i].kind == OperatorKind::Scores))
            terms[i] =
                (wait /
                 Term::counted("Times in a step", operators[i].repeat, measures::count, "operator table"))
                    .named(std::string(operators[i].label) + ", as it is waited for", measures::microseconds);
    return terms;
}

/// Where kinds of layers differ, each stands in its share of them.
Term Step::ofMeanLayer(const Operator& op, const Term& once) const {
    const double share = op.repeat / m_graph.model().layers.value;
    return share == 1.0 ? once
                        : (Term::counted("Times in a mean layer", share, measures::count,
                                         "times in a step / layers of the model") *
                           once)
                              .named(std::string(op.label) + " in a mean layer", measures::microseconds);
}

Term Step::explainLayer(double context) const {
    if (m_split)
        return m_split->explainLayer(context);
    const auto terms = operatorTerms(context);
    std::vector<Term> attention;
    std::vector<Term> ffn;
    const auto operators = m_graph.operators();
    for (std::size_t i = 0; i < operators.size(); ++i)
        if (operators[i].segment != Segment::Head && terms[i])
            (operators[i].segment == Segment::Attention ? attention : ffn)
                .push_back(ofMeanLayer(operators[i], terms[i]));
    return sum("Attention segment", measures::microseconds, attention) +
           sum("FFN segment", measures::microseconds, ffn);
}

Step::Step(const OperatorGraph& graph, const Machine& machine, Phase phase, const LayerFlows* flows,
           std::unique_ptr<const Microbatches> others, std::unique_ptr<const AttentionFfn> split,
           std::unique_ptr<const PipelineNodes> stages, std::unique_ptr<const DraftSteps> draft,
           std::optional<StepHost> host)
    : m_graph(graph), m_flows(flows), m_others(std::move(others)), m_stages(std::move(stages)),
      m_split(std::move(split)), m_draft(std::move(draft)), m_host(host) {
    timePhase(m_timing, graph, machine, phase);
}

Step::~Step() = default;

/// The chains of all layers, one line each in their order.
StepCost Step::chainCost(double context) const {
    StepCost cost;
    for (const auto& chain : m_flows->chains())
        cost.add(chain.boundAt(context), chain.seconds() * m_graph.model().layers.value);
    return cost;
}

StepCost Step::cost(double firstContext, double lastContext) const {
    auto kernels = ofKernels(firstContext, lastContext);
    return m_host ? m_host->with(std::move(kernels)) : kernels;
}

double Step::hostSeconds(double context) const {
    return m_host ? cost(context, context).at(context) - ofKernels(context, context).at(context) : 0.0;
}

StepCost Step::ofKernels(double firstContext, double lastContext) const {
    if (!m_draft)
        return verified(firstContext, lastContext);
    const auto verifies = verified(firstContext, lastContext);
    const auto guesses = m_draft->cost(firstContext, lastContext);
    return StepCost::overStretches(
        firstContext, lastContext,
        [&](double context) { return std::min(verifies.stretchEnd(context), guesses.stretchEnd(context)); },
        [&](double context) {
            const auto own = verifies.tangentAt(context);
            const auto draft = guesses.tangentAt(context);
            return std::pair(own + draft, (own.value < draft.value ? guesses : verifies).boundAt(context));
        });
}

double Step::stageSeconds(double context) const {
    if (!m_stages && !m_others)
        return cost(context, context).at(context);
    const double kernels = m_stages ? m_stages->slowestSeconds(context) : m_others->slowestSeconds(context);
    return m_host ? m_host->stageWith(kernels) : kernels;
}

StepCost Step::verified(double firstContext, double lastContext) const {
    if (m_split)
        return m_split->cost(firstContext, lastContext);
    if (m_stages)
        return m_stages->cost(firstContext, lastContext);
    auto own = ownCost(firstContext, lastContext);
    return m_others ? m_others->cost(std::move(own), firstContext, lastContext) : own;
}

StepCost Step::ownCost(double firstContext, double lastContext) const {
    auto operators = m_timing->cost(firstContext, lastContext);
    if (!m_flows)
        return operators;
    const double layers = m_graph.model().layers.value;
    const auto serial = m_flows->serial.seconds() * layers;
    if (m_flows->besideOperators) {
        for (const auto& chain : m_flows->chains())
            operators.add(chain.boundAt(firstContext), chain.seconds() * layers);
        operators.delay(serial.at(firstContext)); // weights: the same at every context
        return operators;
    }
    // The operators left on the device do not see the context: offloadAttention() took those that do.
    const double own = operators.at(firstContext);
    const auto ownBound = operators.boundAt(firstContext);
    StepCost cost;
    if (m_flows->chains().empty()) {
        const bool waits = serial.at(firstContext) > own;
        cost.add(waits ? m_flows->serial.boundAt(firstContext) : ownBound, serial + Affine{own, 0.0});
        return cost;
    }
    for (const auto& chain : m_flows->chains()) {
        const auto seconds = chain.seconds() * layers;
        cost.add(seconds.at(firstContext) > own ? chain.boundAt(firstContext) : ownBound,
                 seconds + serial + Affine{own, 0.0});
    }
    return cost;
}

WorkSeconds Step::decodeParts(double prompt, double tokens) const {
    WorkSeconds parts{};
    const auto operators = m_timing->cost(prompt + 1.0, prompt + tokens);
    parts[static_cast<std::size_t>(Work::Operator)] = operators.sumOverDecode(prompt, tokens);
    parts[static_cast<std::size_t>(Work::Host)] = tokens * hostSeconds(prompt + tokens);
    if (!m_flows)
        return parts;
    const double layers = m_graph.model().layers.value;
    const auto take = [&](const FlowChain& chain, double first, double last) {
        for (const auto& flow : chain.flows())
            parts[static_cast<std::size_t>(flow.work)] +=
                (last - first + 1.0) * layers * flow.seconds.at(0.5 * (first + last));
    };
    take(m_flows->serial, prompt + 1.0, prompt + tokens);
    if (!m_flows->chains().empty())
        chainCost(prompt + 1.0).forEachPiece(prompt, tokens, [&](std::size_t i, double first, double last) {
            take(m_flows->chains()[i], first, last);
        });
    return parts;
}

void Step::operatorTimes(double context, std::span<OperatorTime> out) const {
    ownTimes(context, out);
    if (const auto& layout = m_graph.shape().layout; !waits() && !m_draft && layout.microbatches == layout.pp)
        return;
    const double share = workSeconds(context) / ownCost(context, context).at(context);
    for (auto& time : out.first(m_graph.operators().size()))
        time.seconds *= share;
}

double Step::ofAllMicrobatches(double ownSeconds, double context) const {
    const auto& layout = m_graph.shape().layout;
    const double guesses =
        m_draft ? ofKernels(context, context).at(context) / verified(context, context).at(context) : 1.0;
    return layout.microbatches / layout.pp * ownSeconds * guesses;
}

double Step::workSeconds(double context) const {
    return ofAllMicrobatches(ownCost(context, context).at(context), context);
}

double Step::kernelSeconds(double context) const {
    return ofAllMicrobatches(m_timing->cost(context, context).at(context) - m_timing->addedToStep(), context);
}

double Step::waitSeconds(double context) const {
    return waits() ? std::max(0.0, ofKernels(context, context).at(context) - workSeconds(context)) : 0.0;
}

std::vector<StepPart> Step::parts(double context) const {
    return m_split ? m_split->parts(context) : m_stages ? m_stages->parts(context) : std::vector<StepPart>{};
}

std::size_t Step::slowestLink() const {
    return m_split    ? m_split->slowestLink()
           : m_stages ? m_stages->slowestLink()
                      : static_cast<std::size_t>(-1);
}

void Step::ownTimes(double context, std::span<OperatorTime> out) const {
    m_timing->operatorTimes(context, out);
    if (!m_flows)
        return;
    const auto operators = m_graph.operators();
    double own = 0.0;
    for (std::size_t i = 0; i < operators.size(); ++i)
        own += out[i].seconds;
    const auto whole = ownCost(context, context);
    const double wait = whole.at(context) - own;
    if (wait <= 0.0)
        return;
    for (std::size_t i = 0; i < operators.size(); ++i) {
        if (m_flows->besideOperators) { // all of them wait for what runs beside
            out[i].seconds *= 1.0 + wait / own;
            out[i].bound = whole.boundAt(context);
        } else if (operators[i].kind == OperatorKind::Attention ||
                   operators[i].kind == OperatorKind::Scores) { // stands for all of attention
            out[i] = {wait, whole.boundAt(context)};
        }
    }
}

SegmentSeconds Step::segmentSeconds(double context) const {
    if (m_split)
        return {m_split->layerSeconds(context), 0.0, m_split->headSeconds(context)};
    std::array<OperatorTime, OperatorGraph::kCapacity> times;
    ownTimes(context, times);
    SegmentSeconds seconds;
    const auto operators = m_graph.operators();
    for (std::size_t i = 0; i < operators.size(); ++i) {
        auto& part = operators[i].segment == Segment::Attention ? seconds.attention
                     : operators[i].segment == Segment::Ffn     ? seconds.ffn
                                                                : seconds.head;
        // Layers that differ: a mean one.
        part += times[i].seconds /
                (operators[i].segment == Segment::Head ? operators[i].repeat : m_graph.model().layers.value);
    }
    return seconds;
}

std::vector<ScheduleBlock> Step::blocks(double context) const {
    auto blocks = m_split   ? m_split->blocks(context)
                  : m_flows ? offloadedBlocks(context)
                            : m_timing->blocks(context);
    if (m_draft) {
        const auto guesses = m_draft->cost(context, context);
        const double one = guesses.at(context) / m_draft->guesses();
        blocks.push_back({Segment::Head,
                          m_draft->guesses(),
                          one,
                          {{Lane::Compute, Work::Draft, 0, 0.0, one, 0.0, guesses.boundAt(context)}}});
    }
    if (m_others || m_stages)
        if (const double wait =
                verified(context, context).at(context) - ownCost(context, context).at(context);
            wait > 0.0)
            blocks.push_back({Segment::Head,
                              1.0,
                              wait,
                              {{Lane::Compute, Work::Pipeline, 0, 0.0, wait, 0.0, Bound::None}}});
    if (const double host = hostSeconds(context); host > 0.0)
        blocks.push_back(
            {Segment::Head, 1.0, host, {{Lane::Host, Work::Host, 0, 0.0, host, 0.0, Bound::LaunchFloor}}});
    return blocks;
}

std::vector<StageTime> Step::stageTimes(double context) const {
    if (m_stages)
        return m_stages->stageTimes(context);
    return m_graph.shape().allStages ? heteroscape::engine::stageTimes(*m_timing, m_graph, context)
                                     : std::vector<StageTime>{};
}

/// One block a layer: operators before attention, the chains side by side, the operators after it; or all
/// operators beside the chains. What is left of the serial flows comes last.
std::vector<ScheduleBlock> Step::offloadedBlocks(double context) const {
    std::array<OperatorTime, OperatorGraph::kCapacity> times;
    m_timing->operatorTimes(context, times);
    const auto operators = m_graph.operators();
    const double layers = m_graph.model().layers.value;
    ScheduleBlock layer{Segment::Attention, layers, 0.0, {}};
    ScheduleBlock head{Segment::Head, 1.0, 0.0, {}};
    const auto runChain = [&](const FlowChain& chain, double start) {
        for (const auto& flow : chain.flows()) {
            const double end = start + flow.seconds.at(context);
            if (end > start)
                layer.segments.push_back(
                    {flow.lane, flow.work, 0, start, end, flow.bytes.at(context), flow.bound});
            start = end;
        }
        return start;
    };
    const auto runChains = [&](double start) {
        double end = start;
        for (const auto& chain : m_flows->chains())
            end = std::max(end, runChain(chain, start));
        return end;
    };
    std::size_t i = 0;
    if (!m_flows->besideOperators) {
        for (; i < operators.size() && !operators[i].offloaded; ++i)
            layer.append(operators[i], i, times[i]);
        layer.seconds = runChains(layer.seconds);
    }
    for (; i < operators.size(); ++i)
        (operators[i].segment == Segment::Head ? head : layer).append(operators[i], i, times[i]);
    if (m_flows->besideOperators)
        layer.seconds = std::max(layer.seconds, runChains(0.0));
    layer.seconds = runChain(m_flows->serial, layer.seconds);
    std::vector<ScheduleBlock> blocks{std::move(layer)};
    if (head.seconds > 0.0)
        blocks.push_back(std::move(head));
    return blocks;
}

} // namespace heteroscape::engine
