// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/service_tables.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

namespace heteroscape::engine {

KvWay kvWayOf(const KvRoute& route) {
    KvWay way;
    for (const auto& hop : route.hops) {
        way.latency += hop.latency;
        way.token = std::max(way.token, route.bytesPerToken / hop.bandwidth);
    }
    for (const auto& crossing : route.crossings)
        way.uses.push_back({crossing.link, route.bytesOnLinks / way.token});
    return way;
}

std::uint32_t freeSlot(std::vector<double>& slots, double start, double end) {
    const auto free = std::find_if(slots.begin(), slots.end(), [&](double until) { return until <= start; });
    const auto slot = static_cast<std::uint32_t>(free - slots.begin());
    if (free == slots.end())
        slots.push_back(end);
    else
        *free = end;
    return slot;
}

void recordSplit(Recorder& recorder, const ServingSystem& system, std::span<const std::size_t> prefillPools,
                 std::span<const std::size_t> decodePools, const ServedRun& run,
                 std::vector<SplitSpan> spans) {
    std::vector<ServingLane> workers; // of prefill, numbered through
    for (const auto pool : prefillPools)
        for (std::uint32_t replica = 0; replica < system.pools[pool].replicas; ++replica)
            workers.push_back({static_cast<std::uint32_t>(pool), replica, 0});
    std::stable_sort(spans.begin(), spans.end(), [](const SplitSpan& a, const SplitSpan& b) {
        return std::tie(a.start, a.index, a.what) < std::tie(b.start, b.index, b.what);
    });
    std::map<std::pair<std::uint32_t, double>, double> handedOver; // end by request and start
    for (const auto& span : spans)
        if (span.what == SplitSpan::What::Transfer)
            handedOver[{span.index, span.start}] = span.end;
    std::vector<std::vector<double>> prefillSlots(workers.size()), decodeSlots(decodePools.size());
    std::map<std::uint32_t, ServingLane> prefillLane; // of each request
    std::map<std::uint32_t, double> before;           // end of its span before
    for (const auto& [start, end, index, worker, what] : spans) {
        const auto known = before.find(index);
        const double since = known == before.end() ? run.answers[index].arrival : known->second;
        const double waited = std::max(0.0, start - since);
        before[index] = end;
        ServingLane lane;
        auto phase = ServingPhase::Decode;
        auto reason = WaitReason::DecodeBusy;
        if (what == SplitSpan::What::Prefill) {
            phase = ServingPhase::Prefill;
            reason = WaitReason::Queue;
            const auto moved = handedOver.find({index, end});
            const double until = moved == handedOver.end() ? end : moved->second;
            lane = workers[worker];
            lane.slot = freeSlot(prefillSlots[worker], start, until) + 1;
            prefillLane[index] = lane;
        } else if (what == SplitSpan::What::Transfer) {
            phase = ServingPhase::HandOver;
            lane = prefillLane[index];
        } else {
            const auto pool = decodePools[worker];
            const auto replicas = std::max(1u, system.pools[pool].replicas);
            const auto slot = freeSlot(decodeSlots[worker], start, end);
            lane = {static_cast<std::uint32_t>(pool), slot % replicas, slot / replicas + 1};
        }
        recorder.add(lane,
                     {start, end, waited, index, 1, 0, phase, waited > 0.0 ? reason : WaitReason::None});
    }
}

namespace {

constexpr std::size_t kKnown = 4096; // a power of two

std::uint32_t whole(double value) {
    return static_cast<std::uint32_t>(value);
}

/// The operator of `graph` that stands for `other` of the other phase: a uniform model has the same ones in
/// the same order, a layered one may lack it.
Operator* counterpart(OperatorGraph& graph, std::size_t index, const Operator& other) {
    const auto all = graph.operators();
    const auto same = [&](const Operator& op) {
        return op.key == other.key && op.segment == other.segment && op.block == other.block;
    };
    if (index < all.size() && same(all[index]))
        return &all[index];
    const auto found = std::find_if(all.begin(), all.end(), same);
    return found == all.end() ? nullptr : &*found;
}

/// The operators of a decode step and of a chunk of a prompt as one step at given contexts. Weights that both
/// need are read once.
OperatorGraph joined(const OperatorGraph& chunk, double chunkKeys, const OperatorGraph& decode,
                     double decodeKeys) {
    auto graph = chunk;
    for (auto& op : graph.operators()) {
        op.flops = {op.flops.at(chunkKeys), 0.0};
        op.activations = {op.activations.at(chunkKeys), 0.0};
        op.kv = {op.kv.at(chunkKeys), 0.0};
    }
    const auto others = decode.operators();
    for (std::size_t i = 0; i < others.size(); ++i) {
        auto other = others[i];
        other.flops = {other.flops.at(decodeKeys), 0.0};
        other.activations = {other.activations.at(decodeKeys), 0.0};
        other.kv = {other.kv.at(decodeKeys), 0.0};
        auto* op = counterpart(graph, i, other);
        if (!op) {
            other.inputs = {};
            graph.add(other);
            continue;
        }
        op->flops += other.flops;
        op->activations += other.activations;
        op->kv += other.kv;
        op->gemm.rows += other.gemm.rows;
        op->payload += other.payload;
        op->kvAllocated += other.kvAllocated;
    }
    return graph;
}

} // namespace

std::size_t ServiceTables::ShapeHash::operator()(const Shape& shape) const {
    std::uint64_t mixed = (std::uint64_t{shape.prompt} << 32 | shape.output) * 0x9E3779B97F4A7C15U;
    mixed ^= std::rotl(mixed, 29) + shape.requests;
    return static_cast<std::size_t>(mixed * 0xBF58476D1CE4E5B9U >> 8);
}

ServiceTables::ServiceTables(const Scenario& scenario, std::size_t node, const RequestLengths& lengths,
                             double activeReplicas)
    : m_scenario(scenario), m_node(node), m_machine(machineOf(m_scenario, this->node())), m_lengths(lengths),
      m_replicas(activeReplicas), m_offloads(offloads(scenario.nodes[node])), m_known(kKnown) {
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

StepCost ServiceTables::stepCost(Phase phase, double firstKeys, double lastKeys) {
    const auto compiled = pool();
    return compiled.phase(phase).cost(firstKeys, lastKeys);
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
    const auto [found, isNew] =
        m_prefills.try_emplace({whole(requests), whole(prompt), m_offloads ? whole(output) : 0}, 0.0);
    if (isNew) {
        setWorkload(requests, prompt, m_offloads ? output : std::max(1.0, m_lengths.longest - prompt));
        found->second = stepCost(Phase::Prefill, prompt, prompt).at(prompt);
    }
    return found->second;
}

const StepCost& ServiceTables::decodeCost(const DecodeBatch& batch) {
    if (m_offloads) {
        const Shape shape{whole(batch.requests), whole(batch.prompt), whole(batch.output)};
        const auto found = m_offloadedDecodes.find(shape);
        if (found != m_offloadedDecodes.end())
            return found->second;
        setWorkload(batch.requests, batch.prompt, batch.output);
        return m_offloadedDecodes
            .emplace(shape, stepCost(Phase::Decode, batch.prompt + 1.0, batch.prompt + batch.output))
            .first->second;
    }
    const auto requests = static_cast<std::size_t>(batch.requests);
    if (m_decodes.size() <= requests)
        m_decodes.resize(requests + 1);
    auto& cost = m_decodes[requests];
    if (!cost) {
        setDecodeWorkload(batch.requests);
        cost = std::make_unique<StepCost>(
            stepCost(Phase::Decode, m_lengths.shortestPrompt + 1.0, m_lengths.longest));
    }
    return *cost;
}

double ServiceTables::decode(const DecodeBatch& batch, double steps) {
    if (m_offloads)
        return decodeCost(batch).sumOverDecode(batch.context, steps);
    const auto mixed =
        std::bit_cast<std::uint64_t>(batch.context * 0.6180339887 + steps) * 0x9E3779B97F4A7C15U;
    auto& known = m_known[(mixed >> 40 ^ whole(batch.requests)) % kKnown];
    if (known.context != batch.context || known.steps != steps || known.requests != batch.requests)
        known = {batch.requests, batch.context, steps, decodeCost(batch).sumOverDecode(batch.context, steps)};
    return known.seconds;
}

const CompiledPhase& ServiceTables::besideChunk(double requests) {
    const auto index = static_cast<std::size_t>(requests);
    if (m_besideChunks.size() <= index)
        m_besideChunks.resize(index + 1);
    auto& decode = m_besideChunks[index];
    if (!decode) {
        setDecodeWorkload(requests);
        decode = std::make_unique<const CompiledPhase>(m_scenario, node(), Phase::Decode, m_machine, nullptr);
    }
    return *decode;
}

double ServiceTables::chunk(double tokens, double done, const DecodeBatch& batch) {
    const PromptPiece piece{done, tokens, false};
    return pieces(std::span(&piece, 1), batch);
}

double ServiceTables::pieces(std::span<const PromptPiece> prompts, const DecodeBatch& batch) {
    const double context = batch.context + 1.0;
    const auto alone = [](const CompiledPhase& compiled, double at) {
        return compiled.step().cost(at, at).at(at);
    };
    const auto decoded = phaseShape(m_scenario, node(), Phase::Decode);
    double rows = batch.requests * decoded.queryTokens;
    for (const auto& piece : prompts)
        rows += piece.tokens;
    const auto compiled = [&](const PromptPiece& piece) {
        setWorkload(1.0, piece.tokens, std::max(1.0, m_lengths.longest - piece.tokens));
        auto shape = phaseShape(m_scenario, node(), Phase::Prefill);
        shape.pastTokens = piece.done;
        shape.besideRows = rows - piece.tokens;
        return CompiledPhase(m_scenario, node(), shape, m_machine);
    };
    const auto part = compiled(prompts.front());
    const double keys = prompts.front().done + prompts.front().tokens;
    const bool only = prompts.size() == 1;
    if (batch.requests < 1.0 && only)
        return alone(part, keys);
    if (part.step().split()) { // they are no one step: attention and networks lie on different devices
        double seconds = alone(part, keys);
        for (const auto& piece : prompts.subspan(1))
            seconds += alone(compiled(piece), piece.done + piece.tokens);
        return batch.requests < 1.0 ? seconds : seconds + decode(batch, 1.0);
    }
    auto graph = part.graph();
    double known = keys; // contexts are put in where two are joined
    for (const auto& piece : prompts.subspan(1)) {
        graph = joined(graph, known, compiled(piece).graph(), piece.done + piece.tokens);
        known = 0.0;
    }
    const auto promptsAlone = [&] {
        return only ? alone(part, keys) : alone(CompiledPhase(graph, m_machine), keys);
    };
    if (batch.requests < 1.0)
        return promptsAlone();
    const auto both = [&](const CompiledPhase& decode) {
        return alone(CompiledPhase(joined(graph, known, decode.graph(), context), m_machine), keys);
    };
    double seconds = 0.0;
    besideChunk(batch.requests).at(context, [&](const CompiledPhase& decode) { seconds = both(decode); });
    if (decoded.tokensAStep != 1.0) { // what the decodes add yields several tokens
        const double without = promptsAlone();
        seconds = without + (seconds - without) / decoded.tokensAStep;
    }
    return std::max(seconds, decode(batch, 1.0));
}

} // namespace heteroscape::engine
