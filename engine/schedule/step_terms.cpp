// SPDX-License-Identifier: GPL-3.0-or-later
// How the times of a step come about.
#include "engine/schedule/draft_steps.h"
#include "engine/schedule/step.h"

#include "engine/units/number_text.h"

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

Term Step::explainSerial(double keys) const {
    return (m_flows->serial.explain(keys, "Of one layer, by itself") * layers())
        .named("Transfers by themselves", measures::milliseconds);
}

std::vector<Term> Step::explainChains(double keys) const {
    std::vector<Term> chains;
    for (const auto& chain : m_flows->chains()) {
        std::string works;
        for (const auto& flow : chain.flows())
            if (flow.seconds.at(keys) > 0.0)
                works.append(works.empty() ? "" : ", ").append(workLabel(flow.work));
        chains.push_back((chain.explain(keys, works + ", one layer") * layers())
                             .named(works + ", all layers", measures::milliseconds));
    }
    return chains;
}

Term Step::explain(double keys) const {
    return explainWithin({keys, keys}, keys);
}

Term Step::explainWithin(Contexts contexts, double keys) const {
    if (!m_draft)
        return explainVerified(contexts, keys);
    return sum("Step", measures::milliseconds,
               {explainVerified(contexts, keys).named("Verification", measures::milliseconds),
                m_draft->explain(contexts, keys)});
}

Term Step::explainVerified(Contexts contexts, double keys) const {
    if (m_stages)
        return m_stages->explain(contexts, keys).remarked(boundText(verified(keys, keys).boundAt(keys)));
    if (m_split)
        return m_split->explain(contexts, keys).remarked(boundText(verified(keys, keys).boundAt(keys)));
    return m_others ? m_others->explain(explainOwn(contexts, keys), contexts, keys)
                          .remarked(boundText(verified(keys, keys).boundAt(keys)))
                    : explainOwn(contexts, keys);
}

Term Step::explainOwn(Contexts contexts, double keys) const {
    auto operators = m_timing->explainWithin(contexts, keys);
    const auto bound = boundText(ownCost(keys, keys).boundAt(keys));
    if (!m_flows)
        return operators.remarked(bound);
    auto chains = explainChains(keys);
    if (m_flows->besideOperators) {
        chains.insert(chains.begin(), operators);
        return (maximum("Longest of what runs side by side", measures::milliseconds, chains) +
                explainSerial(keys))
            .named("Step", measures::milliseconds)
            .remarked(bound);
    }
    return sum("Step", measures::milliseconds,
               {operators, maximum("Longest chain of transfers", measures::milliseconds, chains),
                explainSerial(keys)})
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
    for (std::size_t i = 0; i < parts.size(); ++i)
        sums[i] = sum(std::string(workLabel(static_cast<Work>(i))), measures::seconds, parts[i]);
    return sums;
}

std::vector<Term> Step::operatorTerms(double keys) const {
    auto terms = m_timing->operatorTerms(keys);
    if (!m_flows)
        return terms;
    const auto operators = m_graph.operators();
    const auto wait = sum("Step", measures::milliseconds,
                          {maximum("Longest chain of transfers", measures::milliseconds, explainChains(keys)),
                           explainSerial(keys)});
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

Term Step::explainLayer(double keys) const {
    if (m_split)
        return m_split->explainLayer(keys);
    const auto terms = operatorTerms(keys);
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

} // namespace heteroscape::engine
