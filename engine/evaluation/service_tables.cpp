// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/service_tables.h"

#include "engine/evaluation/step_cache.h"
#include "engine/scenario/scenario_key.h"
#include "engine/scenario/split_pool.h"

#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kKnown = 4096; // a power of two

std::uint32_t whole(double value) {
    return static_cast<std::uint32_t>(value);
}

} // namespace

std::size_t ServiceTables::ShapeHash::operator()(const Shape& shape) const {
    std::uint64_t mixed = (std::uint64_t{shape.prompt} << 32 | shape.output) * 0x9E3779B97F4A7C15U;
    mixed ^= std::rotl(mixed, 29) + shape.requests;
    return static_cast<std::size_t>(mixed * 0xBF58476D1CE4E5B9U >> 8);
}

StepTimes* AlikeSteps::of(Phase phase) {
    auto& times = m_times[static_cast<std::size_t>(phase)];
    if (!times) {
        const auto& node = m_scenario.nodes[m_node];
        times = stepTimesOf(m_scenario, node, phaseShape(m_scenario, node, phase), m_machine);
    }
    return times->get();
}

ServiceTables::ServiceTables(const Scenario& scenario, std::size_t node, const RequestLengths& lengths,
                             double activeReplicas, std::shared_ptr<AlikeSteps> steps)
    : m_scenario(scenario), m_node(node), m_machine(machineOf(m_scenario, this->node())), m_lengths(lengths),
      m_replicas(activeReplicas), m_offloads(offloads(scenario.nodes[node])), m_steps(std::move(steps)) {
    m_scenario.serving = {}; // the trace is not needed
    m_tiers.reset(m_scenario);
}

void ServiceTables::setWorkload(double requests, double prompt, double output) {
    auto& workload = m_scenario.workload;
    workload.batch.value = requests;
    workload.promptTokens.value = prompt;
    workload.outputTokens.value = output;
}

void ServiceTables::setDecodeWorkload(double requests) {
    setWorkload(requests, m_lengths.longestPrompt, m_lengths.longest - m_lengths.longestPrompt);
}

CompiledPool ServiceTables::pool() {
    return {m_scenario, m_node, m_tiers, m_replicas};
}

StepCost ServiceTables::stepCost(Phase phase, double firstContext, double lastContext) {
    const auto compiled = pool();
    return compiled.phase(phase).cost(firstContext, lastContext);
}

void ServiceTables::addOffloadTraffic(double requests, double prompt, double output,
                                      const CompiledPool::Work& work, std::span<double> links) {
    setWorkload(requests, prompt, output);
    pool().addOffloadTraffic(work, m_tiers, links);
}

bool ServiceTables::fits(double requests, double prompt, double output) {
    if (!m_offloads)
        return true;
    setWorkload(requests, prompt, output);
    return !pool().offloading()->plan.shortfall;
}

double ServiceTables::prefill(double requests, double prompt, double output) {
    const Shape shape{whole(requests), whole(prompt), m_offloads ? whole(output) : 0};
    if (const auto found = m_prefills.find(shape); found != m_prefills.end())
        return found->second;
    setWorkload(requests, prompt, m_offloads ? output : std::max(1.0, m_lengths.longest - prompt));
    const double seconds = stepCost(Phase::Prefill, prompt, prompt).at(prompt);
    return m_prefills.emplace(shape, seconds).first->second;
}

/// A microbatch is a step of its prompts alone.
double ServiceTables::prefillStage(double requests, double prompt, double output) {
    if (!(stages() > 1.0))
        return prefill(requests, prompt, output);
    const Shape asked{whole(requests), whole(prompt), 0};
    if (const auto found = m_prefillStages.find(asked); found != m_prefillStages.end())
        return found->second;
    setWorkload(requests, prompt, std::max(1.0, m_lengths.longest - prompt));
    auto shape = phaseShape(m_scenario, node(), Phase::Prefill);
    const double parts = std::exchange(shape.layout.microbatches, 1.0);
    const double own = std::max(std::min(1.0, requests), requests / (shape.layout.dp * parts));
    m_sequences.assign(1, {own, prompt});
    shape.groupRows = requests / parts * prompt;
    return m_prefillStages.emplace(asked, parts * timed(shape).stage).first->second;
}

const StepCost& ServiceTables::decodeCost(const DecodeBatch& batch) {
    if (m_offloads) {
        const double prompt = batch.prompt > 0.0 ? batch.prompt : m_lengths.longestPrompt;
        const double output = batch.prompt > 0.0 ? batch.output : m_lengths.longest - prompt;
        const Shape shape{whole(batch.requests), whole(prompt), whole(output)};
        const auto found = m_offloadedDecodes.find(shape);
        if (found != m_offloadedDecodes.end())
            return found->second;
        setWorkload(batch.requests, prompt, output);
        return m_offloadedDecodes.emplace(shape, stepCost(Phase::Decode, prompt + 1.0, prompt + output))
            .first->second;
    }
    const auto requests = static_cast<std::size_t>(batch.requests);
    if (m_decodes.size() <= requests)
        m_decodes.resize(requests + 1);
    auto& cost = m_decodes[requests];
    if (!cost) {
        auto* times = alike().decodeTimes;
        setDecodeWorkload(batch.requests);
        const double first = m_lengths.shortestPrompt + 1.0, last = m_lengths.longest;
        cost = std::make_unique<StepCost>(times ? engine::decodeCost(m_scenario, node(), *times, first, last)
                                                : stepCost(Phase::Decode, first, last));
    }
    return *cost;
}

double ServiceTables::decode(const DecodeBatch& batch, double steps) {
    if (m_offloads)
        return decodeCost(batch).sumOverDecode(batch.context, steps);
    if (steps == 1.0)
        return decodeCost(batch).at(batch.context + 1.0);
    if (m_known.empty())
        m_known.resize(kKnown);
    const auto mixed =
        std::bit_cast<std::uint64_t>(batch.context * 0.6180339887 + steps) * 0x9E3779B97F4A7C15U;
    auto& known = m_known[(mixed >> 40 ^ whole(batch.requests)) % kKnown];
    if (known.context != batch.context || known.steps != steps || known.requests != batch.requests)
        known = {batch.requests, batch.context, steps, decodeCost(batch).sumOverDecode(batch.context, steps)};
    return known.seconds;
}

double ServiceTables::stages() const {
    const auto pool = stagePoolOf(m_scenario);
    double stages = pool.empty() ? layoutOf(node()).pp : 0.0;
    for (const auto& stage : pool)
        stages += layoutOf(m_scenario.nodes[stage.node]).pp;
    return stages;
}

const ServiceTables::Alike& ServiceTables::alike() {
    setDecodeWorkload(1.0);
    if (!m_alike) {
        if (!m_steps)
            m_steps = std::make_shared<AlikeSteps>(m_scenario, m_node);
        m_alike.emplace(Alike{phaseShape(m_scenario, node(), Phase::Prefill),
                              phaseShape(m_scenario, node(), Phase::Decode), m_steps->of(Phase::Prefill),
                              passesReadLengths(m_scenario) ? nullptr : m_steps->of(Phase::Decode), stages(),
                              hostOf(m_scenario, node(), phaseShape(m_scenario, node(), Phase::Prefill))});
    }
    return *m_alike;
}

/// The step of the rank that has most to do; `decodes` sequences of all ranks at `context` tokens.
PieceSeconds ServiceTables::step(std::span<const PromptPiece> prompts, double decodes, double context) {
    const auto& all = alike();
    const double queries = all.decodes.queryTokens;
    auto shape = all.prompts;
    m_dealt.resize(static_cast<std::size_t>(std::max(1.0, shape.layout.dp)));
    const bool dealt = m_dealt.size() > 1;
    std::size_t fullest = 0;
    if (dealt) {
        dealOut(prompts, m_dealt, m_rankOf);
        fullest =
            static_cast<std::size_t>(std::max_element(m_dealt.begin(), m_dealt.end()) - m_dealt.begin());
    }
    m_sequences.clear();
    shape.groupRows = decodes * queries;
    for (std::size_t i = 0; i < prompts.size(); ++i) {
        const auto& piece = prompts[i];
        shape.groupRows += piece.tokens;
        if (dealt && m_rankOf[i] != fullest)
            continue;
        const StepSequences one{1.0, piece.tokens, piece.done, false, piece.ends ? 1.0 : 0.0};
        const bool alike = !m_sequences.empty() && m_sequences.back().queryTokens == one.queryTokens &&
                           m_sequences.back().pastTokens == one.pastTokens &&
                           m_sequences.back().logits == one.logits;
        if (alike)
            m_sequences.back().count += 1.0;
        else
            m_sequences.push_back(one);
    }
    if (decodes > 0.0) {
        const double own = std::ceil(decodes / static_cast<double>(m_dealt.size()));
        m_sequences.push_back({own, queries, context, true, queries});
    }
    double sequences = 0.0;
    for (const auto& one : m_sequences)
        sequences += one.count;
    auto& parts = shape.layout.microbatches;
    parts = shape.layout.side == LayerSide::Whole
                ? 1.0 // stages have the next steps
                : std::min(layoutOf(node()).microbatches, std::max(1.0, std::floor(sequences)));
    for (auto& one : m_sequences)
        one.count /= parts;
    shape.groupRows /= parts;
    return timed(shape);
}

PieceSeconds ServiceTables::timed(StepShape& shape) {
    shape.sequences = m_sequences;
    if (m_alike && m_alike->times) {
        double seconds = m_alike->times->seconds(shape);
        if (auto& host = m_alike->host) {
            host->take(shape);
            seconds = host->with(seconds);
        }
        return {seconds, seconds};
    }
    const CompiledPhase compiled(m_scenario, node(), shape, m_machine);
    const double context = m_sequences.front().keys();
    return {compiled.step().cost(context, context).at(context), compiled.step().stageSeconds(context)};
}

PieceSeconds ServiceTables::pieces(std::span<const PromptPiece> prompts, const DecodeBatch& batch) {
    if (m_offloads) {
        double prompt = 1.0;
        for (const auto& piece : prompts)
            prompt = std::max(prompt, piece.done + piece.tokens);
        double seconds =
            prefill(static_cast<double>(prompts.size()), prompt, std::max(1.0, m_lengths.longest - prompt));
        if (batch.requests > 0.0)
            seconds += decode(batch, 1.0);
        return {seconds, seconds};
    }
    if (batch.requests < 1.0)
        return step(prompts, 0.0, 0.0);
    auto seconds = step(prompts, batch.requests, batch.context);
    const double yielded = m_alike->decodes.tokensAStep;
    if (yielded != 1.0) { // what the decodes add yields several tokens
        const auto without = step(prompts, 0.0, 0.0);
        seconds.whole = without.whole + (seconds.whole - without.whole) / yielded;
        seconds.stage = without.stage + (seconds.stage - without.stage) / yielded;
    }
    seconds.whole = std::max(seconds.whole, decode(batch, 1.0));
    return seconds;
}

namespace {

/// The last few that were asked for, by a key.
template <class T>
class Recent {
public:
    template <class Make>
    std::shared_ptr<T> at(std::string_view key, Make make) {
        constexpr std::size_t kMost = 40; // layouts of workers of both kinds that a frontier goes through
        auto found =
            std::find_if(m_kept.begin(), m_kept.end(), [&](const auto& one) { return one.first == key; });
        if (found == m_kept.end()) {
            auto made = make();
            if (m_kept.size() == kMost)
                m_kept.pop_back();
            found = m_kept.emplace(m_kept.end(), key, std::move(made));
        }
        std::rotate(m_kept.begin(), found, found + 1);
        return m_kept.front().second;
    }

private:
    std::vector<std::pair<std::string, std::shared_ptr<T>>> m_kept; ///< the last first
};

} // namespace

std::shared_ptr<ServiceTables> keptTables(const Scenario& scenario, std::size_t node,
                                          const RequestLengths& lengths, double activeReplicas) {
    thread_local Recent<ServiceTables> tables;
    thread_local Recent<AlikeSteps> nodes;
    thread_local std::string key;
    key.clear();
    const auto append = [&](double value) {
        key.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    const auto& own = scenario.nodes[node];
    if (readsOnlyDeclared(scenario, own)) { // another system may have the same node
        appendNodeStepBytes(scenario, own, key);
        const auto collective = machineOf(scenario, own).collective;
        const auto& network = collective.network;
        append(network.domain);
        for (const auto* type : {collective.link, collective.start, network.link, network.start}) {
            append(type ? 1.0 : 0.0);
            if (type)
                appendLinkTypeBytes(*type, key);
        }
    } else {
        appendStepBytes(scenario, key);
        append(static_cast<double>(node));
        append(activeReplicas);
    }
    const auto steps = key.size();
    for (const double value : {lengths.shortestPrompt, lengths.longestPrompt, lengths.longest})
        append(value);
    return tables.at(key, [&] {
        std::shared_ptr<AlikeSteps> alike;
        if (!passesReadLengths(scenario))
            alike = nodes.at(std::string_view(key).substr(0, steps),
                             [&] { return std::make_shared<AlikeSteps>(scenario, node); });
        return std::make_shared<ServiceTables>(scenario, node, lengths, activeReplicas, std::move(alike));
    });
}

} // namespace heteroscape::engine
