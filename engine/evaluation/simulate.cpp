// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/simulate.h"

#include "engine/base/error.h"
#include "engine/evaluation/offload.h"
#include "engine/evaluation/service_tables.h"
#include "engine/evaluation/system_equations.h"
#include "engine/scenario/split_pool.h"
#include "engine/schedule/compiled_pool.h"
#include "engine/schedule/kv_transfer.h"
#include "engine/serving/closed_form.h"
#include "engine/serving/fair_share.h"
#include "engine/serving/service_times.h"
#include "engine/techniques/built_in.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace heteroscape::engine {

namespace {

class Simulation {
public:
    Simulation(const Scenario& scenario, const Evaluation& evaluation)
        : m_scenario(scenario), m_evaluation(evaluation) {}

    ServingEvaluation run(SimulationOptions options) {
        m_out.nodes.resize(m_scenario.nodes.size());
        m_out.links.resize(m_scenario.links.size());
        m_lengths = m_scenario.serving.arrivals->lengths(m_scenario.serving, m_scenario.workload);
        m_tiers.reset(m_scenario);
        addPools();
        if (!m_out.ran())
            return std::move(m_out);
        groupPrefills();
        addRoutes();
        addLinks();
        const auto& techniques = m_scenario.techniques;
        m_system.assist = techniques.isOn(gpuAssist());
        m_system.preempt = techniques[gpuAssist()].isOn(kPreempt);
        const auto& stage = techniques[disaggregation()].quantity(kStageDepth);
        m_system.stage = stage.isSet() ? static_cast<std::uint32_t>(stage.value) : defaultStage(m_system);
        m_out.stage = m_system.stage;
        const auto& serving = m_scenario.serving;
        options.ttftLimit = serving.ttftLimit.valueOr(kEndless);
        options.tpotLimit = serving.tpotLimit.valueOr(kEndless);
        options.latencyLimit = serving.latencyLimit.valueOr(kEndless);
        m_out.reason = setServers(m_scenario, m_out.poolNodes, m_system);
        if (!m_out.ran())
            return std::move(m_out);
        m_out.result = simulateServing(m_system, RequestStream(serving, m_scenario.workload), options);
        m_out.result.limited =
            options.ttftLimit < kEndless || options.tpotLimit < kEndless || options.latencyLimit < kEndless;
        keepToOffered();
        addLoads();
        addTraffic();
        return std::move(m_out);
    }

private:
    static constexpr std::string_view kSwing = "rate_swing";

    const Scenario& m_scenario;
    const Evaluation& m_evaluation;
    ServingEvaluation m_out;
    RequestLengths m_lengths;
    ServingSystem m_system;
    TierMap m_tiers;
    std::vector<CompiledPool> m_compiled; // parallel to the system's pools, as the next
    std::vector<std::shared_ptr<ServiceTables>> m_tables;
    std::vector<std::unique_ptr<StretchedTimes>> m_stretched;
    std::map<std::size_t, std::size_t> m_areas; // staging areas by node

    const Node& node(std::size_t i) const { return m_scenario.nodes[i]; }

    /// Some hundred requests at random come sooner, now and then, than at their rate. They count for the time
    /// in which so many come at it, so that no more is served than is offered.
    void keepToOffered() {
        const auto& serving = m_scenario.serving;
        auto& result = m_out.result;
        const double most = serving.arrivals->meanRate(serving) * (1.0 + serving[kSwing].valueOr(0.0));
        const double least = result.ratedRequests / most; // NaN: they have no rate
        if (!(result.ratedSeconds > 0.0 && least > result.ratedSeconds))
            return;
        result.ratedSeconds = least;
        result.tokenRate = result.ratedTokens / least;
        result.requestRate = result.ratedRequests / least;
    }

    void addPools() {
        for (std::size_t i = 0; i < m_scenario.nodes.size() && m_out.ran(); ++i) {
            const auto role = m_evaluation.nodes[i].role;
            if (role == Role::Fabric || !node(i).runtime)
                continue;
            addPool(i, role);
        }
    }

    void addPool(std::size_t i, Role role) {
        const auto& techniques = m_scenario.techniques;
        const auto& serving = m_scenario.serving;
        const auto& known = m_evaluation.nodes[i];
        const bool offloaded = offloads(node(i));
        if (offloaded && known.shortfall) {
            m_out.reason = shortfallText(m_scenario, i, known);
            return;
        }
        const double activeReplicas = offloaded ? known.offload.activeReplicas : replicas(node(i));
        m_compiled.emplace_back(m_scenario, i, m_tiers, activeReplicas);
        m_tables.push_back(keptTables(m_scenario, i, m_lengths, activeReplicas));
        ServingPool pool;
        pool.role = role;
        pool.replicas = static_cast<std::uint32_t>(activeReplicas);
        pool.times = m_tables.back().get();
        if (known.prefill.stretch > 1.0 || known.decode.stretch > 1.0) {
            m_stretched.push_back(
                std::make_unique<StretchedTimes>(*pool.times, known.prefill.stretch, known.decode.stretch));
            pool.times = m_stretched.back().get();
        }
        pool.batch = static_cast<std::uint32_t>(m_scenario.workload.batch.value);
        const auto& batching = offloaded ? batchingOffloaded(*serving.batching) : *serving.batching;
        const auto policy = batching.policy(serving);
        pool.grouped = policy.grouped;
        const bool mixes = role == Role::Both || (role == Role::Prefill && techniques.isOn(gpuAssist()) &&
                                                  techniques[gpuAssist()].isOn(kPreempt));
        pool.chunk = mixes ? policy.chunk : 0;
        pool.countsGroups = offloaded;
        pool.memory = offloaded ? offloadedTokens(*m_tables.back()) : m_compiled.back().kvTokens();
        m_out.nodes[i].replicas = pool.replicas;
        m_out.nodes[i].kvTokens = pool.memory;
        if (!(pool.memory >= 1.0)) {
            m_out.reason = known.shortfall ? shortfallText(m_scenario, i, known)
                                           : node(i).shownName() + " has no memory left for KV cache";
            return;
        }
        m_system.pools.push_back(pool);
        m_out.poolNodes.push_back(i);
    }

    /// What decodes in static batches is prefilled in them.
    void groupPrefills() {
        const bool grouped =
            std::any_of(m_system.pools.begin(), m_system.pools.end(),
                        [](const ServingPool& pool) { return pool.role == Role::Decode && pool.grouped; });
        for (auto& pool : m_system.pools)
            if (grouped && pool.role == Role::Prefill) {
                pool.grouped = true;
                pool.chunk = 0;
            }
    }

    /// Tokens that fit as a full batch of equal requests, to a part in a thousand.
    double offloadedTokens(ServiceTables& tables) const {
        const double batch = m_scenario.workload.batch.value;
        const auto fits = [&](double tokens) { return tables.fits(batch, std::max(1.0, tokens - 1.0), 1.0); };
        double low = m_scenario.workload.promptTokens.value + m_scenario.workload.outputTokens.value;
        double high = low;
        const double most = std::max(m_lengths.longest, low);
        while (high < most && fits(std::min(2.0 * high, most)))
            high = std::min(2.0 * high, most);
        low = high;
        high = std::min(2.0 * high, most);
        while (high - low > 1e-3 * low) {
            const double middle = std::floor(0.5 * (low + high));
            (fits(middle) ? low : high) = middle;
        }
        return low >= most ? kEndless : batch * low;
    }

    void addRoutes() {
        const auto pools = m_system.pools.size();
        m_system.routes.resize(pools * pools);
        KvPaths paths;
        paths.reset(m_scenario);
        for (std::size_t p = 0; p < pools; ++p) {
            if (m_system.pools[p].role != Role::Prefill)
                continue;
            paths.searchFrom(m_out.poolNodes[p]);
            for (std::size_t d = 0; d < pools; ++d)
                if (m_system.pools[d].role == Role::Decode)
                    addRoute(paths, p, d);
        }
    }

    void addRoute(KvPaths& paths, std::size_t p, std::size_t d) {
        const auto from = m_out.poolNodes[p];
        const auto to = m_out.poolNodes[d];
        auto& route = m_system.routes[p * m_system.pools.size() + d];
        route.layers = m_scenario.model.layers.value;
        const double bytesPerToken = kvTokenBytes(m_scenario, node(to));
        route.bytesPerToken = bytesPerToken / transferWidth(node(from), node(to));
        if (m_compiled[p].sharesTiers(m_compiled[d]))
            return;
        const auto& links = paths.linksTo(to);
        route.bytesOnLinks = bytesPerToken;
        for (const auto l : links) {
            const auto& type = m_scenario.links[l].type;
            route.hops.push_back({type.bandwidth.value, type.latency.value});
            route.crossings.push_back({l, transferWidth(node(from), node(to)) / m_tiers.graph().parallel(l) *
                                              KvTransfer{route.layers, 0.0}.startSeconds(route.hops.back())});
        }
        const auto* keeper = stagingNode(m_scenario, node(from), links);
        if (!keeper)
            return;
        route.stagedHops = 1;
        const auto area =
            m_areas.emplace(static_cast<std::size_t>(keeper - m_scenario.nodes.data()), m_areas.size());
        if (area.second)
            m_system.staging.push_back(
                keeper->device.hostMemory.isSet()
                    ? std::floor(keeper->device.hostMemory.value * keeper->count.value / bytesPerToken)
                    : kEndless);
        m_system.pools[p].staging = area.first->second;
    }

    /// What the links have for KV caches beside the steps that cross them.
    void addLinks() {
        const auto pools = m_system.pools.size();
        std::vector<LinkShares::Link> links(m_scenario.links.size());
        std::vector<double> perBatch(links.size(), 0.0); // B of steps for one batch, over all parallel links
        for (std::size_t l = 0; l < links.size(); ++l) {
            links[l].capacity = m_scenario.links[l].type.bandwidth.value * m_tiers.graph().parallel(l);
            links[l].steps.assign(pools, 0.0);
        }
        for (std::size_t p = 0; p < pools; ++p)
            for (const auto phase : {Phase::Prefill, Phase::Decode}) {
                const auto role = m_system.pools[p].role;
                if (role == (phase == Phase::Prefill ? Role::Decode : Role::Prefill) && !m_system.assist)
                    continue;
                const auto bytes = stepBytes(p, phase);
                const auto& known = m_evaluation.nodes[m_out.poolNodes[p]];
                const double seconds = (phase == Phase::Prefill ? known.prefill : known.decode).totalSeconds;
                for (std::size_t l = 0; l < links.size(); ++l) {
                    perBatch[l] += bytes[l];
                    links[l].steps[p] =
                        std::max(links[l].steps[p], m_system.pools[p].replicas * bytes[l] / seconds);
                }
            }
        for (std::size_t r = 0; r < m_system.routes.size(); ++r)
            for (const auto& [l, startSeconds] : m_system.routes[r].crossings) {
                const auto& workload = m_scenario.workload;
                const double bytes =
                    m_system.routes[r].bytesOnLinks * workload.batch.value * workload.promptTokens.value;
                auto& part = links[l].transferredPart;
                part = std::max(part, bytes / (bytes + perBatch[l]));
            }
        const LinkShares shares(links);
        for (std::size_t l = 0; l < links.size(); ++l)
            m_system.links.push_back(shares.forCaches[l]);
        for (std::size_t p = 0; p < shares.stretch.size(); ++p)
            if (shares.stretch[p] > 1.0) {
                m_stretched.push_back(std::make_unique<StretchedTimes>(*m_system.pools[p].times,
                                                                       shares.stretch[p], shares.stretch[p]));
                m_system.pools[p].times = m_stretched.back().get();
            }
    }

    CompiledPool::Work workOf(std::size_t pool, double prefills, double decodes) const {
        const auto& known = m_evaluation.nodes[m_out.poolNodes[pool]];
        return {prefills, decodes, known.prefill.collectiveBytes, known.decode.collectiveBytes};
    }

    /// What a phase of one full batch of a pool moves over each link, all parallel ones together.
    std::vector<double> stepBytes(std::size_t pool, Phase phase) {
        const bool prefill = phase == Phase::Prefill;
        const auto work = workOf(pool, prefill ? 1.0 : 0.0, prefill ? 0.0 : 1.0);
        std::vector<double> bytes(m_scenario.links.size(), 0.0);
        m_compiled[pool].addCollectiveTraffic(work, bytes);
        if (m_compiled[pool].offloading())
            m_compiled[pool].addOffloadTraffic(work, m_tiers, bytes);
        for (std::size_t l = 0; l < bytes.size(); ++l)
            bytes[l] *= m_tiers.graph().parallel(l);
        return bytes;
    }

    void addLoads() {
        const double seconds = m_out.result.seconds();
        if (!(seconds > 0.0))
            return;
        for (std::size_t p = 0; p < m_system.pools.size(); ++p) {
            const auto i = m_out.poolNodes[p];
            const auto& work = m_out.result.pools[p];
            const double time = seconds * replicas(node(i)); // idle copies count
            auto& load = m_out.nodes[i];
            load.prefillBusy = work.prefillSeconds / time;
            load.decodeBusy = work.decodeSeconds / time;
            load.transferBusy = work.transferSeconds / (time * m_system.pools[p].batch);
            if (!m_compiled[p].offloading())
                continue;
            useTier(m_tiers.at(m_scenario, i).host, load);
            for (const auto storage : m_tiers.storageNodes())
                useTier(storage, load);
        }
        for (std::size_t i = 0; i < m_scenario.nodes.size(); ++i)
            if (const auto leader = leaderOf(m_scenario, i); leader != i) {
                m_out.nodes[i].prefillBusy = m_out.nodes[leader].prefillBusy;
                m_out.nodes[i].decodeBusy = m_out.nodes[leader].decodeBusy;
            }
        const auto stages = stagePoolOf(m_scenario);
        for (std::size_t i = 0; i < m_scenario.nodes.size(); ++i) {
            if (m_system.bySteps() && (layoutOf(node(i)).pp > 1.0 || !stages.empty()))
                continue; // a server keeps stages full: its steps follow each other
            m_out.nodes[i].prefillBusy *= m_evaluation.nodes[i].prefill.working();
            m_out.nodes[i].decodeBusy *= m_evaluation.nodes[i].decode.working();
        }
        std::vector<BusyShares> busy;
        for (const auto& load : m_out.nodes)
            busy.push_back({load.prefillBusy, load.decodeBusy});
        m_out.rates = ratesOf(m_evaluation.nodes);
        for (std::size_t p = 0; p < m_system.pools.size(); ++p)
            if (hasPowerModel(node(m_out.poolNodes[p]).device))
                m_out.rates[m_out.poolNodes[p]] = ratesUnderLoad(p);
        m_out.power = meanPower(m_scenario, m_out.rates, busy, &m_out.powerParts);
        if (const double price = systemParts<double>(m_scenario).price; price > 0.0)
            m_out.price = price;
        m_out.bill = billOf<double>(m_scenario, m_out.price, m_out.power);
    }

    /// Decode steps of as many requests as were in one on average; steps with prompts, which took
    /// `prefillSeconds` in all, with the prompts and what other tokens were made.
    NodeRates ratesUnderLoad(std::size_t p) const {
        const auto i = m_out.poolNodes[p];
        const auto& did = m_out.result.pools[p];
        const auto& workload = m_scenario.workload;
        const auto& tpot = m_out.result.tpot;
        const double seconds = did.prefillSeconds + did.decodeSeconds;
        const double together =
            tpot.count() > 0 && seconds > 0.0
                ? did.outputTokens * tpot.sum() / static_cast<double>(tpot.count()) / seconds
                : workload.batch.value;
        auto mean = m_scenario;
        const double most = workload.batch.value;
        mean.workload.batch.value = std::clamp(std::round(together), 1.0, most);
        Evaluation at;
        evaluateInto(mean, at, Detail::Steps);
        const auto& prefill = at.nodes[i].prefill;
        const auto& decode = at.nodes[i].decode;
        NodeRates rates{prefill.rates, decode.rates};
        if (!(did.prefillSeconds > 0.0))
            return rates;
        const double batch = mean.workload.batch.value;
        const double prompts = did.promptTokens / (batch * workload.promptTokens.value) * prefill.seconds;
        const double tokens = std::max(0.0, did.outputTokens / batch * decode.seconds - did.decodeSeconds);
        rates.prefill.add(prompts / did.prefillSeconds, rates.prefill, tokens / did.prefillSeconds,
                          rates.decode);
        return rates;
    }

    /// Hosts and storage work while one of those that offload to them does.
    void useTier(std::size_t tier, const ServingNode& user) {
        auto& load = m_out.nodes[tier];
        load.prefillBusy = std::max(load.prefillBusy, user.prefillBusy);
        load.decodeBusy = std::min(std::max(load.decodeBusy, user.decodeBusy), 1.0 - load.prefillBusy);
    }

    void addTraffic() {
        const double seconds = m_out.result.seconds();
        for (std::size_t l = 0; l < m_scenario.links.size(); ++l)
            m_out.links[l].capacity = m_scenario.links[l].type.bandwidth.value;
        if (!(seconds > 0.0))
            return;
        std::vector<double> bytes(m_scenario.links.size(), 0.0); // on each of the parallel links
        const auto pools = m_system.pools.size();
        for (std::size_t r = 0; r < m_system.routes.size(); ++r)
            for (const auto& [l, startSeconds] : m_system.routes[r].crossings)
                bytes[l] += m_out.result.routeTokens[r] *
                            kvTokenBytes(m_scenario, node(m_out.poolNodes[r % pools])) /
                            m_tiers.graph().parallel(l);
        for (std::size_t p = 0; p < pools; ++p) {
            const auto& done = m_out.result.pools[p];
            const auto& workload = m_scenario.workload;
            m_compiled[p].addCollectiveTraffic(
                workOf(p, done.promptTokens / (workload.batch.value * workload.promptTokens.value),
                       done.outputTokens / (workload.batch.value * workload.outputTokens.value)),
                bytes);
            // What is offloaded is laid out anew for what is worked on together.
            for (const auto& [shape, group] : done.groups)
                m_tables[p]->addOffloadTraffic(shape.requests, shape.prompt, shape.output,
                                               workOf(p, group.prefills, group.decodes), bytes);
        }
        for (std::size_t l = 0; l < bytes.size(); ++l)
            m_out.links[l].bytesPerSecond = bytes[l] / seconds;
    }
};

} // namespace

ServingEvaluation simulate(const Scenario& scenario, const Evaluation& evaluation,
                           const SimulationOptions& options) {
    try {
        return Simulation(scenario, evaluation).run(options);
    } catch (const Error& error) { // steps that nothing was measured of
        ServingEvaluation none;
        none.reason = unmeasuredText(error);
        none.nodes.resize(scenario.nodes.size());
        none.links.resize(scenario.links.size());
        return none;
    }
}

ServingLaneName servingLaneName(const Scenario& scenario, const ServingEvaluation& serving,
                                std::size_t lane) {
    const auto& at = serving.result.lanes[lane];
    const auto node = serving.poolNodes[at.pool];
    ServingLaneName name{scenario.nodes[node].shownName(), {}};
    if (serving.nodes[node].replicas > 1)
        name.title += " " + std::to_string(at.replica);
    const auto& lanes = serving.result.lanes;
    const bool alone = std::count_if(lanes.begin(), lanes.end(), [&](const ServingLane& other) {
                           return other.pool == at.pool && other.replica == at.replica;
                       }) == 1;
    if (!alone)
        name.place = at.slot == 0 ? "prefill" : "slot " + std::to_string(at.slot);
    return name;
}

} // namespace heteroscape::engine
