// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/attention_ffn.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace heteroscape::engine {

namespace {

std::vector<StepCost> costsOf(const auto& parts, double first, double last) {
    std::vector<StepCost> costs;
    for (const auto& part : parts)
        costs.push_back(part.piece->timing->cost(first, last));
    return costs;
}

} // namespace

/// Of every piece, once.
struct AttentionFfn::Costs {
    std::vector<StepCost> attention;
    std::vector<StepCost> after;
    std::vector<StepCost> ffn;
    std::vector<StepCost> head;

    Costs(const AttentionFfn& of, double first, double last)
        : attention(costsOf(of.m_attention, first, last)), after(costsOf(of.m_after, first, last)),
          ffn(costsOf(of.m_ffn, first, last)), head(costsOf(of.m_head, first, last)) {}

    double stretchEnd(double context) const { ///< the first of any
        double end = std::numeric_limits<double>::infinity();
        for (const auto* parts : {&attention, &after, &ffn, &head})
            for (const auto& cost : *parts)
                end = std::min(end, cost.stretchEnd(context));
        return end;
    }
};

/// A step at one context.
struct AttentionFfn::Moment {
    Tangent seconds;
    Bound bound = Bound::None;
};

AttentionFfn::AttentionFfn(const OperatorGraph& attention, const Machine& attentionMachine,
                           const OperatorGraph& ffn, const Machine& ffnMachine, Phase phase,
                           const SplitMessage& dense, const SplitMessage& mixture,
                           std::span<const LinkType* const> links)
    : m_attentionMachine(attentionMachine), m_ffnMachine(ffnMachine), m_phase(phase),
      m_microbatches(attention.shape().layout.microbatches), m_links(links.begin(), links.end()) {
    split(attention, m_attentionMachine, true);
    split(ffn, m_ffnMachine, false);
    m_layers = 0.0; // those of what guesses tokens among them
    for (const auto& part : m_attention)
        m_layers += part.repeat;
    for (std::size_t a = 0; a < m_attention.size(); ++a)
        for (std::size_t f = 0; f < m_ffn.size(); ++f)
            m_pairs.push_back({m_attention[a].repeat * m_ffn[f].repeat / m_layers, a, f, f,
                               m_ffn[f].mixture ? mixture : dense});
}

void AttentionFfn::split(const OperatorGraph& graph, const Machine& machine, bool attention) {
    const auto operators = graph.operators();
    for (std::size_t first = 0; first < operators.size();) {
        std::size_t end = first + 1;
        while (end < operators.size() && !opensBlock(operators[end - 1], operators[end]))
            ++end;
        bool mixture = false;
        for (std::size_t i = first; i < end; ++i)
            mixture = mixture || operators[i].key == "experts" || operators[i].key == "router";
        auto& parts = operators[first].segment == Segment::Attention ? m_attention
                      : operators[first].segment == Segment::Head    ? m_head
                      : attention                                    ? m_after
                                                                     : m_ffn;
        parts.push_back({std::make_unique<const Piece>(graph, first, end - first, machine, m_phase),
                         operators[first].repeat, mixture});
        first = end;
    }
}

AttentionFfn::Moment AttentionFfn::at(const Costs& costs, double context) const {
    const double m = m_microbatches;
    Moment moment;
    double longest = 0.0;
    const auto take = [&](Tangent seconds, Bound bound) {
        moment.seconds = moment.seconds + seconds;
        if (seconds.value > longest) {
            longest = seconds.value;
            moment.bound = bound;
        }
    };
    for (const auto& pair : m_pairs) {
        const auto a =
            costs.attention[pair.attention].tangentAt(context) + costs.after[pair.after].tangentAt(context);
        const auto f = costs.ffn[pair.ffn].tangentAt(context);
        const Tangent c{pair.message.seconds, 0.0};
        const auto slowest = max(max(a, f), c);
        const auto alone = a + f + c * 2.0;
        const auto layer = max(slowest * m, alone);
        const auto bound = slowest.value == a.value   ? costs.attention[pair.attention].boundAt(context)
                           : slowest.value == f.value ? costs.ffn[pair.ffn].boundAt(context)
                                                      : Bound::Network;
        if (m_phase == Phase::Decode) {
            take(layer * pair.layers, bound);
        } else {
            take((layer * (m_layers - 1.0) + alone + slowest * (m - 1.0)) * (pair.layers / m_layers), bound);
        }
    }
    for (std::size_t i = 0; i < m_head.size(); ++i)
        take(costs.head[i].tangentAt(context) * (m * m_head[i].repeat), costs.head[i].boundAt(context));
    return moment;
}

StepCost AttentionFfn::cost(double firstContext, double lastContext) const {
    const Costs costs(*this, firstContext, lastContext);
    return StepCost::overStretches(
        firstContext, lastContext, [&](double context) { return costs.stretchEnd(context); },
        [&](double context) {
            const auto moment = at(costs, context);
            return std::pair(moment.seconds, moment.bound);
        });
}

std::vector<AttentionFfn::LayerTimes> AttentionFfn::layerTimes(double context) const {
    const Costs costs(*this, context, context);
    std::vector<LayerTimes> times;
    for (const auto& pair : m_pairs) {
        const double a = costs.attention[pair.attention].at(context) + costs.after[pair.after].at(context);
        const double f = costs.ffn[pair.ffn].at(context);
        const double c = pair.message.seconds;
        times.push_back(
            {pair.layers, a, f, c, std::max(m_microbatches * std::max({a, f, c}), a + f + 2.0 * c)});
    }
    return times;
}

double AttentionFfn::layerSeconds(double context) const {
    double seconds = 0.0;
    for (const auto& kind : layerTimes(context))
        seconds += kind.layers * kind.seconds;
    return seconds / m_layers;
}

double AttentionFfn::headSeconds(double context) const {
    double seconds = 0.0;
    for (const auto& head : m_head)
        seconds += m_microbatches * head.repeat * head.piece->timing->cost(context, context).at(context);
    return seconds;
}

std::vector<StepPart> AttentionFfn::parts(double context) const {
    const Costs costs(*this, context, context);
    const auto kinds = layerTimes(context);
    const auto crosses = [&](const Machine& machine) {
        return std::find(m_links.begin(), m_links.end(), machine.collective.link) != m_links.end();
    };
    const bool overLinks[]{crosses(m_attentionMachine), crosses(m_ffnMachine)};
    std::vector<StepPart> parts(3);
    double longestAttention = 0.0;
    double longestFfn = 0.0;
    for (std::size_t i = 0; i < m_pairs.size(); ++i) {
        const auto& pair = m_pairs[i];
        const auto take = [&](double seconds, double& longest, Bound bound, StepPart& part) {
            if (seconds > longest)
                part.bound = bound;
            longest = std::max(longest, seconds);
        };
        const auto& times = kinds[i];
        take(times.attention, longestAttention, costs.attention[pair.attention].boundAt(context), parts[0]);
        take(times.ffn, longestFfn, costs.ffn[pair.ffn].boundAt(context), parts[1]);
        const double sent[]{collectiveSeconds(*m_attention[pair.attention].piece, context),
                            collectiveSeconds(*m_ffn[pair.ffn].piece, context)};
        for (std::size_t which = 0; which < parts.size(); ++which) {
            const auto faster = [&](std::size_t of, double seconds) {
                if (of == which)
                    return seconds - 0.5 * (seconds - sent[of]);
                return which == 2 && overLinks[of] ? seconds - 0.5 * sent[of] : seconds;
            };
            parts[which].halved += stepSeconds({pair.layers, faster(0, times.attention), faster(1, times.ffn),
                                                (which == 2 ? 0.5 : 1.0) * times.message, 0.0});
        }
    }
    parts[2].bound = Bound::Network;
    const double head = headSeconds(context);
    parts[0].halved += 0.5 * head;
    parts[1].halved += head;
    parts[2].halved += head;
    return parts;
}

double AttentionFfn::collectiveSeconds(const Piece& piece, double context) {
    std::array<OperatorTime, OperatorGraph::kCapacity> times;
    piece.timing->operatorTimes(context, times);
    double seconds = 0.0;
    for (std::size_t i = 0; i < piece.graph.operators().size(); ++i)
        if (isCollective(piece.graph.operators()[i].kind))
            seconds += times[i].seconds;
    return seconds;
}

/// Of all layers of a kind, by those times of one (see the equations of the class).
double AttentionFfn::stepSeconds(const LayerTimes& kind) const {
    const double slowest = std::max({kind.attention, kind.ffn, kind.message});
    const double alone = kind.attention + kind.ffn + 2.0 * kind.message;
    const double layer = std::max(m_microbatches * slowest, alone);
    return m_phase == Phase::Decode ? kind.layers * layer
                                    : (layer * (m_layers - 1.0) + alone + slowest * (m_microbatches - 1.0)) *
                                          (kind.layers / m_layers);
}

std::size_t AttentionFfn::slowestLink() const {
    const auto longest = std::max_element(m_pairs.begin(), m_pairs.end(), [](const Pair& a, const Pair& b) {
        return a.message.seconds < b.message.seconds;
    });
    return longest == m_pairs.end() ? static_cast<std::size_t>(-1) : longest->message.link;
}

namespace {

/// Puts a stretch that starts at `start` into a block of a layer; what reaches beyond its end belongs to the
/// layer before and stands at the start.
void addRound(ScheduleBlock& block, ScheduleSegment segment, double start, double seconds) {
    if (!(seconds > 0.0))
        return;
    start = std::fmod(start, block.seconds);
    segment.start = start;
    segment.end = std::min(start + seconds, block.seconds);
    const double over = start + seconds - block.seconds;
    block.segments.push_back(segment);
    if (over > 1e-9 * block.seconds) {
        segment.start = 0.0;
        segment.end = over;
        block.segments.push_back(segment);
    }
}

} // namespace

std::vector<ScheduleBlock> AttentionFfn::blocks(double context) const {
    std::vector<ScheduleBlock> blocks;
    // The operators of an attention device of one microbatch, placed from `start`.
    const auto addOperators = [&](ScheduleBlock& block, const Piece& piece, double start) {
        for (const auto& own : piece.timing->blocks(context)) {
            for (auto segment : own.segments) {
                segment.op += piece.firstOperator;
                segment.start += start;
                segment.end += start;
                block.segments.push_back(segment);
            }
            start += own.seconds;
        }
        return start;
    };
    const auto addHead = [&](const Part& part) {
        ScheduleBlock block{Segment::Head, m_microbatches * part.repeat, 0.0, {}};
        block.seconds = addOperators(block, *part.piece, 0.0);
        blocks.push_back(std::move(block));
    };
    const Costs costs(*this, context, context);
    for (std::size_t i = 0; i + 1 < m_head.size(); ++i)
        addHead(m_head[i]);
    const auto times = layerTimes(context);
    for (std::size_t i = 0; i < m_pairs.size(); ++i) {
        const auto& pair = m_pairs[i];
        const auto& [layers, a, f, c, seconds] = times[i];
        const double alone = a + f + 2.0 * c;
        const double slowest = std::max({a, f, c});
        ScheduleBlock block{Segment::Attention, layers, seconds, {}};
        const auto work = [](Lane lane, Work what, Bound bound, double bytes) {
            return ScheduleSegment{lane, what, 0, 0.0, 0.0, bytes, bound};
        };
        for (double j = 0.0; j < m_microbatches; ++j) {
            const double start = j / m_microbatches * block.seconds;
            const double attended = addOperators(block, *m_attention[pair.attention].piece, start);
            addOperators(block, *m_after[pair.after].piece, attended);
            addRound(block, work(Lane::ToFfn, Work::Activations, Bound::Network, pair.message.bytes),
                     start + a, c);
            addRound(block, work(Lane::Ffn, Work::FfnElsewhere, costs.ffn[pair.ffn].boundAt(context), 0.0),
                     start + a + c, f);
            addRound(block, work(Lane::FromFfn, Work::Activations, Bound::Network, pair.message.bytes),
                     start + a + c + f, c);
        }
        std::stable_sort(block.segments.begin(), block.segments.end(),
                         [](const auto& x, const auto& y) { return x.start < y.start; });
        const double extra =
            m_phase == Phase::Decode
                ? 0.0
                : (alone + slowest * (m_microbatches - 1.0) - block.seconds) * (pair.layers / m_layers);
        blocks.push_back(std::move(block));
        if (extra > 0.0)
            blocks.push_back({Segment::Head, 1.0, extra, {}}); // until the last microbatch is through
    }
    if (!m_head.empty())
        addHead(m_head.back());
    return blocks;
}

Term AttentionFfn::explainPair(const Pair& pair, Contexts contexts, double context) const {
    const auto attention = (m_attention[pair.attention]
                                .piece->timing->explainWithin(contexts, context)
                                .named("Attention", measures::microseconds) +
                            m_after[pair.after]
                                .piece->timing->explainWithin(contexts, context)
                                .named("Norm, router, shared expert", measures::microseconds))
                               .named("A microbatch on the attention devices", measures::microseconds);
    const auto ffn = m_ffn[pair.ffn]
                         .piece->timing->explainWithin(contexts, context)
                         .named("A microbatch on the FFN devices", measures::microseconds);
    const auto message = Term::counted("Its activations, the larger way", pair.message.seconds,
                                       measures::microseconds, "bytes over the links between the two nodes");
    const auto m = Term::counted("Microbatches", m_microbatches, measures::count, "layout of the node");
    const auto slowest =
        maximum("The slowest of the three", measures::microseconds, {attention, ffn, message});
    const auto twice = (Term::counted("Ways", 2.0, measures::count, "there and back") * message)
                           .named("There and back", measures::microseconds);
    const auto alone =
        sum("One microbatch on its way round", measures::microseconds, {attention, ffn, twice});
    const auto layer = maximum("Layer", measures::microseconds,
                               {(m * slowest).named("All microbatches", measures::microseconds), alone});
    if (m_phase == Phase::Decode)
        return layer;
    const auto others =
        (Term::counted("Other microbatches", m_microbatches - 1.0, measures::count, "layout of the node") *
         slowest)
            .named("Those that follow", measures::microseconds);
    const auto before =
        (Term::counted("Layers before the last", m_layers - 1.0, measures::count, "the model") * layer)
            .named("Layers before the last", measures::milliseconds);
    return (sum("All layers", measures::milliseconds, {before, alone, others}) /
            Term::counted("Layers", m_layers, measures::count, "the model"))
        .named("A mean layer", measures::microseconds);
}

Term AttentionFfn::explainLayer(double context) const {
    std::vector<Term> pairs;
    for (const auto& pair : m_pairs)
        pairs.push_back(
            (Term::counted("Layers of this kind", pair.layers, measures::count, "the model's groups") *
             explainPair(pair, {context, context}, context))
                .named("Layers of this kind, all", measures::milliseconds));
    return (sum("All layers", measures::milliseconds, pairs) /
            Term::counted("Layers", m_layers, measures::count, "the model"))
        .named("A mean layer", measures::microseconds);
}

Term AttentionFfn::explainHead(Contexts contexts, double context) const {
    std::vector<Term> heads;
    for (const auto& head : m_head)
        heads.push_back((Term::counted("Times in a step", head.repeat, measures::count, "operator table") *
                         head.piece->timing->explainWithin(contexts, context))
                            .named("Embedding or head, one microbatch", measures::microseconds));
    return (Term::counted("Microbatches", m_microbatches, measures::count, "layout of the node") *
            sum("Embedding and head", measures::microseconds, heads))
        .named("Embedding and head of all", measures::milliseconds);
}

Term AttentionFfn::explain(Contexts contexts, double context) const {
    std::vector<Term> parts;
    for (const auto& pair : m_pairs)
        parts.push_back(
            (Term::counted("Layers of this kind", pair.layers, measures::count, "the model's groups") *
             explainPair(pair, contexts, context))
                .named("Layers of this kind, all", measures::milliseconds));
    parts.push_back(explainHead(contexts, context));
    return sum("Step", measures::milliseconds, parts);
}

} // namespace heteroscape::engine
