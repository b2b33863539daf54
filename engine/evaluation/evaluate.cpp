// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/evaluate.h"

#include "engine/base/error.h"
#include "engine/evaluation/evaluation.h"
#include "engine/evaluation/offload.h"
#include "engine/evaluation/service_tables.h"
#include "engine/evaluation/step_cache.h"
#include "engine/evaluation/system_equations.h"
#include "engine/evaluation/system_terms.h"
#include "engine/scenario/split_pool.h"
#include "engine/schedule/compiled_pool.h"
#include "engine/schedule/draft_steps.h"
#include "engine/schedule/kv_transfer.h"
#include "engine/serving/link_limit.h"
#include "engine/techniques/built_in.h"

#include <algorithm>
#include <array>

namespace heteroscape::engine {

namespace {

constexpr auto kNoNode = static_cast<std::size_t>(-1);

/// One evaluation. Keeps its storage from call to call, so that sweeps do not allocate.
class Evaluator {
public:
    void run(const Scenario& scenario, Evaluation& out, Detail detail, StepCache* cache) {
        m_waiting = 0.0;
        runBatch(scenario, out, detail, cache);
        if (!(out.atOnce < scenario.workload.batch.value))
            return;
        const auto [most, full] = std::pair(out.atOnce, out.cacheIsFull);
        m_fewer = atOnce(scenario, out);
        m_waiting = scenario.workload.batch.value - most;
        runBatch(*m_fewer, out, detail, nullptr);
        out.atOnce = most;
        out.cacheIsFull = full;
    }

private:
    void runBatch(const Scenario& scenario, Evaluation& out, Detail detail, StepCache* cache) {
        m_detail = detail;
        m_cache = cache;
        m_scenario = &scenario;
        m_out = &out;
        out.feasible = false;
        out.reason.clear();
        out.metrics.fill(kUnset);
        out.bound = {};
        out.limited.clear();
        out.atOnce = kUnset;
        out.wholeRun = kUnset;
        out.cacheIsFull = false;
        out.nodes.assign(scenario.nodes.size(), {});
        out.links.assign(scenario.links.size(), {});
        m_pools.assign(scenario.nodes.size(), {});
        m_loads.assign(scenario.nodes.size(), {});
        m_compiled.clear();
        m_compiled.resize(scenario.nodes.size());
        m_drawn.resize(scenario.nodes.size());
        out.shortNode = kNoNode;
        placePools();
        if (letsInFewer())
            return; // of so many again
        try {
            costPhases();
        } catch (const Error& error) {
            return refuse(error);
        }
        checkMemory();
        setPriceAndArea();
        if (out.shortNode != kNoNode)
            return;
        out.feasible = true;
        receive();
        m_state = closedForm(m_pools, m_scenario->techniques.isOn(gpuAssist()), m_loads);
        applyLoads();
        findBottleneck();
        limitByLinks();
        setMetrics();
    }

    const Scenario* m_scenario = nullptr;
    std::optional<Scenario> m_fewer; ///< of what a server works on at once
    double m_waiting = 0.0;          ///< requests of a batch behind these
    std::vector<bool> m_letsIn;      ///< parallel to the nodes: what does not fit at once is let in later
    Evaluation* m_out = nullptr;
    Detail m_detail = Detail::Full;
    StepCache* m_cache = nullptr;
    std::vector<SteadyPool> m_pools;
    std::vector<PoolLoad> m_loads;
    std::vector<std::optional<CompiledPool>> m_compiled; ///< accelerators that run something
    std::vector<double> m_linkBytes;                     ///< B/s on each of the parallel links
    TierMap m_tiers;
    std::vector<Hop> m_hops;
    std::vector<std::size_t>
        m_slowest; ///< parallel to the nodes: link over which most of a KV cache's time goes
    std::vector<BusyShares> m_busy;
    std::vector<DrawnPower> m_drawn; ///< parallel to the nodes
    KvPaths m_paths;                 ///< where anything is transferred
    SteadyState m_state;
    SystemPartsOf<double> m_parts;
    double m_exposed = 0.0; // mean exposed KV transfer of what is transferred, s

    double& metric(Metric which) { return m_out->metrics[static_cast<std::size_t>(which)]; }
    std::size_t size() const { return m_scenario->nodes.size(); }
    const Node& node(std::size_t i) const { return m_scenario->nodes[i]; }

    /// Steps that nothing was measured of, which may hang on numbers of the design (its batch).
    void refuse(const Error& error) {
        m_out->reason = unmeasuredText(error);
        for (std::size_t i = 0; i < size(); ++i) {
            m_out->nodes[i] = {};
            m_out->nodes[i].role = effectiveRole(*m_scenario, node(i));
        }
    }

    void placePools() {
        if (std::any_of(m_scenario->nodes.begin(), m_scenario->nodes.end(), offloads))
            m_tiers.reset(*m_scenario); // nobody else asks for them
        for (std::size_t i = 0; i < size(); ++i) {
            auto& result = m_out->nodes[i];
            result.role = effectiveRole(*m_scenario, node(i));
            if (!isAccelerator(node(i).device.kind) || !node(i).runtime)
                continue;
            result.devices = tensorParallel(node(i));
            m_compiled[i].emplace(*m_scenario, i, m_tiers);
        }
    }

    void costPhases() {
        for (std::size_t i = 0; i < size(); ++i) {
            if (!m_compiled[i])
                continue;
            auto& result = m_out->nodes[i];
            if (const auto* offloaded = m_compiled[i]->offloading(); offloaded && offloaded->plan.shortfall)
                continue; // its times would mean nothing
            costSteps(*m_compiled[i], result);
            m_pools[i] = {result.role, activeReplicas(i), result.prefill.totalSeconds,
                          result.decode.totalSeconds};
        }
        for (std::size_t i = 0; i < size(); ++i)
            if (const auto leader = leaderOf(*m_scenario, i); leader != i && m_compiled[leader]) {
                follow(m_out->nodes[leader].prefill, m_out->nodes[i].prefill);
                follow(m_out->nodes[leader].decode, m_out->nodes[i].decode);
            }
    }

    /// A node that has a part in another's step: the step is as long as that one's.
    static void follow(const PhaseEvaluation& leader, PhaseEvaluation& own) {
        own.seconds = leader.seconds;
        own.totalSeconds = leader.totalSeconds;
    }

    const Offloading* offloading(std::size_t i) const {
        return m_compiled[i] ? m_compiled[i]->offloading() : nullptr;
    }
    double activeReplicas(std::size_t i) const {
        return m_compiled[i] ? m_compiled[i]->activeReplicas() : replicas(node(i));
    }

    /// The steps of a node and what they need of its memory: computed, or as they are known.
    void costSteps(const CompiledPool& pool, NodeEvaluation& result) {
        const bool kept = m_cache && readsOnlyDeclared(*m_scenario, pool.node());
        StepInputs inputs;
        if (kept) {
            inputs = {pool.devices(), pool.machine().collective, result.role, m_detail == Detail::Full};
            if (const auto* known = m_cache->find(pool.index(), inputs)) {
                result.prefill = known->prefill;
                result.decode = known->decode;
                result.layer = known->layer;
                result.weightBytes = known->weightBytes;
                result.kvBytes = known->kvBytes;
                setPower(pool, result);
                return;
            }
        }
        for (const auto phase : {Phase::Prefill, Phase::Decode}) {
            const CompiledPhase* known = nullptr;
            if (kept)
                known = m_cache->phase(*m_scenario, pool.index(), phase, pool.machine(), inputs);
            if (known)
                costPhase(pool, *known, result);
            else
                costPhase(pool, pool.phase(phase), result);
        }
        setPower(pool, result);
        if (!pool.offloading() &&
            (result.role != Role::Fabric || leaderOf(*m_scenario, pool.index()) != pool.index()))
            needMemory(pool, result);
        if (kept)
            m_cache->keep(pool.index(), inputs,
                          {result.prefill, result.decode, result.layer, result.weightBytes, result.kvBytes});
    }

    void setPower(const CompiledPool& pool, NodeEvaluation& result) {
        const auto& device = pool.node().device;
        auto& drawn = m_drawn[pool.index()];
        drawn = {phasePower(device, Phase::Prefill, result.prefill.rates),
                 phasePower(device, Phase::Decode, result.decode.rates)};
        result.prefill.watts = pool.devices() * drawn[0].total;
        result.decode.watts = pool.devices() * drawn[1].total;
    }

    void needMemory(const CompiledPool& pool, NodeEvaluation& result) const {
        const auto& workload = m_scenario->workload;
        const double tokens = workload.promptTokens.value +
                              (result.role == Role::Prefill && !m_scenario->techniques.isOn(gpuAssist())
                                   ? 0.0
                                   : workload.outputTokens.value);
        result.weightBytes = pool.weightBytes();
        result.kvBytes = pool.kvBytes(tokens);
    }

    void costPhase(const CompiledPool& pool, const CompiledPhase& compiled, NodeEvaluation& result) const {
        const auto phase = compiled.phase();
        auto& out = phase == Phase::Prefill ? result.prefill : result.decode;
        setPhase(compiled, out);
        if (compiled.step().waits() || leaderOf(*m_scenario, pool.index()) != pool.index())
            setShare(compiled, out);
        const auto& device = pool.node().device;
        if (hasPowerModel(device)) {
            out.rates = phaseRates(compiled, representativeContext(m_scenario->workload, phase), out);
            if (device.powerCap.isSet() || device.powerClock.isSet())
                slowDown(phasePower(device, phase, out.rates).stretch, out);
        }
        // The metrics of a layer are about a node that decodes.
        if (phase == Phase::Decode && (m_detail == Detail::Full || result.role != Role::Prefill))
            result.layer = evaluateLayer(compiled, m_scenario->workload, m_detail, out.stretch);
        if (phase == Phase::Decode && pool.offloading())
            result.offload.decode = compiled.step().decodeParts(m_scenario->workload.promptTokens.value,
                                                                m_scenario->workload.outputTokens.value);
    }

    /// By a power cap or a slower clock.
    static void slowDown(double stretch, PhaseEvaluation& out) {
        out.stretch = stretch;
        out.seconds *= stretch;
        out.totalSeconds *= stretch;
        out.workSeconds *= stretch;
        for (double& gain : out.gains)
            gain *= stretch;
    }

    /// What the steps of a draft model do, for one token.
    static void addGuesses(const DraftSteps& draft, double context, double tokensAStep,
                           PhaseEvaluation& out) {
        draft.one().at(context, [&](const CompiledPhase& guess) {
            const auto sums = guess.graph().sums();
            const double share = draft.guesses() / tokensAStep * guess.deviceShare();
            out.flops += share * sums.flops.at(context);
            out.bytes += share * guess.machine().bytes(sums).at(context);
            out.movedBytes += share * guess.step().timing().movedBytes().at(context);
        });
    }

    /// Of a step; of a decode the mean, as its time is: where windows fill up on the way each stretch of
    /// contexts has a graph of its own.
    double movedBytes(const CompiledPhase& compiled, const StepCost& cost) const {
        const auto& workload = m_scenario->workload;
        const auto of = [](const CompiledPhase& part, double context) {
            return part.step().timing().movedBytes().at(context);
        };
        const double first = workload.promptTokens.value + 1.0;
        const double last = workload.promptTokens.value + workload.outputTokens.value;
        if (compiled.phase() == Phase::Prefill || cost.stretchEnd(first) >= last)
            return of(compiled, representativeContext(workload, compiled.phase()));
        double bytes = 0.0;
        for (double from = first; from <= last;) {
            const double to = std::min(last, cost.stretchEnd(from));
            compiled.at(from, [&](const CompiledPhase& part) {
                bytes += (to - from + 1.0) * of(part, 0.5 * (from + to));
            });
            from = to + 1.0;
        }
        return bytes / workload.outputTokens.value;
    }

    /// FLOP/s at which the operators of a step would run at the peaks of what each multiplies in.
    static double peakOf(const CompiledPhase& compiled, double context) {
        const auto operators = compiled.graph().operators();
        const auto& timing = compiled.step().timing();
        const double usual = compiled.machine().peakFlops;
        std::array<double, OperatorGraph::kCapacity> peaks;
        bool differs = false;
        for (std::size_t i = 0; i < operators.size(); ++i) {
            peaks[i] = timing.peakOf(i).flops;
            differs = differs || peaks[i] != usual;
        }
        if (!differs) // nearly always
            return usual;
        double flops = 0.0, seconds = 0.0;
        for (std::size_t i = 0; i < operators.size(); ++i) {
            const double own = operators[i].repeat * operators[i].flops.at(context);
            flops += own;
            seconds += own > 0.0 ? own / peaks[i] : 0.0;
        }
        return flops > 0.0 ? flops / seconds : usual;
    }

    void setPhase(const CompiledPhase& compiled, PhaseEvaluation& out) const {
        const auto& workload = m_scenario->workload;
        const bool prefill = compiled.phase() == Phase::Prefill;
        const auto& machine = compiled.machine();
        const auto cost = compiled.cost(workload);
        const double context = representativeContext(workload, compiled.phase());
        out.totalSeconds = compiled.totalSeconds(cost, workload);
        out.seconds = prefill ? out.totalSeconds : out.totalSeconds / workload.outputTokens.value;
        const auto sums = compiled.step().timing().sums();
        const double share = compiled.deviceShare();
        out.flops = share * sums.flops.at(context);
        out.bytes = share * machine.bytes(sums).at(context);
        out.movedBytes = share * movedBytes(compiled, cost);
        if (const auto* draft = compiled.step().draft())
            addGuesses(*draft, context, compiled.graph().shape().tokensAStep, out);
        out.peakFlops = peakOf(compiled, context);
        out.peakBandwidth = machine.peakBandwidth;
        out.collectiveBytes = compiled.collectiveBytes();
        out.requests = workload.batch.value;
        out.byBound =
            cost.secondsByBound(workload.promptTokens.value, prefill ? 0.0 : workload.outputTokens.value);
        out.bound = largestOf(out.byBound);
    }

    /// What a step of several devices or nodes is for one of them.
    void setShare(const CompiledPhase& compiled, PhaseEvaluation& out) const {
        const auto& step = compiled.step();
        const double context = representativeContext(m_scenario->workload, compiled.phase());
        out.workSeconds = step.workSeconds(context) / compiled.graph().shape().tokensAStep;
        const auto parts = step.parts(context);
        if (parts.empty())
            return;
        out.byBound = {};
        out.bound = parts.front().bound;
        const double whole = step.cost(context, context).at(context);
        for (const auto& part : parts)
            out.gains.push_back((1.0 - part.halved / whole) * out.totalSeconds);
        out.slowestLink = step.slowestLink();
    }

    void checkMemory() {
        for (std::size_t i = 0; i < size(); ++i) {
            auto& result = m_out->nodes[i];
            const bool works = result.role != Role::Fabric || leaderOf(*m_scenario, i) != i;
            if (!works || !node(i).runtime)
                continue;
            if (const auto* offloaded = offloading(i))
                placeOffloaded(*offloaded, node(i), result);
            else
                placeOnDevice(*m_compiled[i], m_letsIn[i], result);
            if (result.shortfall && m_out->shortNode == kNoNode) {
                m_out->shortNode = i;
                if (m_detail == Detail::Full)
                    m_out->reason = shortfallText(*m_scenario, i, result);
            }
        }
    }

    /// Finds the nodes whose servers let in requests as they fit, and whether these are fewer than the batch
    /// at once: before any step is costed, as those of the whole batch are never taken then.
    bool letsInFewer() {
        m_letsIn.assign(size(), false);
        for (std::size_t i = 0; i < size() && m_detail != Detail::Steps; ++i) {
            if (!m_compiled[i])
                continue;
            const auto most = servedAtOnce(*m_scenario, *m_compiled[i], m_out->nodes[i].role);
            m_letsIn[i] = most.requests >= 1.0 && most.requests < std::numeric_limits<double>::infinity();
            if (m_letsIn[i] && most.requests < m_scenario->workload.batch.value &&
                !(m_out->atOnce <= most.requests)) {
                m_out->atOnce = most.requests;
                m_out->cacheIsFull = most.cacheIsFull;
            }
        }
        return m_out->atOnce < m_scenario->workload.batch.value;
    }

    static void placeOnDevice(const CompiledPool& pool, bool letsIn, NodeEvaluation& result) {
        result.memoryCapacity = pool.node().deviceMemory();
        result.keptBytes = pool.keptBytes();
        const double needed = result.neededBytes();
        result.fits = needed <= result.memoryCapacity;
        const double room = pool.node().server ? pool.kvRoomBytes() : 1.0;
        if (room > 0.0 && letsIn) {
            result.fits = true;
            result.kvBytes = std::min(result.kvBytes, room);
        } else if (room <= 0.0) {
            result.fits = false;
            result.shortfall = {Tier::Device, result.memoryCapacity - room + result.kvBytes,
                                result.memoryCapacity, "weights, KV cache and what its server keeps"};
        } else if (!result.fits)
            result.shortfall = {Tier::Device, needed, result.memoryCapacity,
                                result.keptBytes > 0.0 ? "weights, KV cache, working space and reserve"
                                                       : "weights and KV cache"};
    }

    /// The shares of time that the loads take, and what they put on the links.
    void applyLoads() {
        for (std::size_t i = 0; i < size(); ++i) {
            auto& result = m_out->nodes[i];
            const double share = result.role == Role::Fabric ? 0.0 : activeReplicas(i) / replicas(node(i));
            result.prefillBusy = share * m_loads[i].prefillBusy;
            result.decodeBusy = share * m_loads[i].decodeBusy;
        }
        for (std::size_t i = 0; i < size(); ++i)
            if (const auto leader = leaderOf(*m_scenario, i); leader != i) {
                m_out->nodes[i].prefillBusy = m_out->nodes[leader].prefillBusy;
                m_out->nodes[i].decodeBusy = m_out->nodes[leader].decodeBusy;
            }
        for (auto& result : m_out->nodes) {
            result.prefillBusy *= result.prefill.working();
            result.decodeBusy *= result.decode.working();
        }
        for (std::size_t l = 0; l < m_scenario->links.size(); ++l)
            m_out->links[l] = {0.0, m_scenario->links[l].type.bandwidth.value};
        transfer();
        addTraffic();
    }

    /// Takes back what the links cannot carry (see LinkLimit).
    void limitByLinks() {
        constexpr double kRounding = 1e-10;
        auto& links = m_out->links;
        if (std::none_of(links.begin(), links.end(),
                         [](const LinkEvaluation& link) { return link.busy() > 1.0 + kRounding; }))
            return;
        std::vector<double> capacities;
        capacities.reserve(links.size());
        for (const auto& link : links)
            capacities.push_back(link.capacity);
        const LinkLimit limit(m_pools, m_scenario->techniques.isOn(gpuAssist()), capacities,
                              [&](std::span<const PoolLoad> loads, double transferred) {
                                  m_loads.assign(loads.begin(), loads.end());
                                  m_state.transferred = transferred;
                                  applyLoads();
                                  LinkLimit::Traffic traffic{{}, m_exposed};
                                  for (const auto& link : links)
                                      traffic.links.push_back({link.bytesPerSecond, link.starting});
                                  return traffic;
                              });
        m_state = limit.state();
        m_loads = limit.loads();
        m_out->limited = limit.ways();
        applyLoads();
        for (std::size_t l = 0; l < links.size(); ++l)
            links[l] = {limit.links()[l].bytesPerSecond, capacities[l], limit.links()[l].starting};
        m_exposed = limit.exposed();
        if (limit.link() == LinkLimit::kNone)
            return;
        m_out->bound.link = limit.link();
        for (auto& node : m_out->nodes)
            node.bottleneck = false;
    }

    /// The pool that would raise the throughput if it were faster; of several, the one that serves most.
    void findBottleneck() {
        double most = 0.0;
        for (std::size_t i = 0; i < size(); ++i) {
            const auto role = m_out->nodes[i].role;
            const bool limits = role == Role::Both || (role == Role::Prefill && m_state.prefillLimits) ||
                                (role == Role::Decode && !m_state.prefillLimits);
            const auto& load = m_loads[i];
            const double rate = load.wholeRate + load.prefillRate + load.decodeRate;
            if (!limits || rate <= most)
                continue;
            most = rate;
            const bool decodes =
                role == Role::Decode || (role == Role::Both && load.decodeBusy >= load.prefillBusy);
            m_out->bound = {i, decodes ? Phase::Decode : Phase::Prefill, Bound::None};
        }
        if (m_out->bound.node >= size())
            return;
        blameOfSeveral();
        if (const auto& pool = m_pools[m_out->bound.node]; pool.receiveSeconds > pool.decodeSeconds)
            m_out->bound.link = m_slowest[m_out->bound.node];
        auto& result = m_out->nodes[m_out->bound.node];
        result.bottleneck = m_out->bound.link == LinkLimit::kNone;
        m_out->bound.bound = (m_out->bound.phase == Phase::Decode ? result.decode : result.prefill).bound;
        if (result.role == Role::Both && result.decode.gains.empty())
            blameOfBothPhases(result);
    }

    /// Of a node that does both phases, what takes most of a batch, and the phase that has more of it.
    void blameOfBothPhases(const NodeEvaluation& result) {
        auto& bound = m_out->bound;
        const auto &prefill = result.prefill.byBound, &decode = result.decode.byBound;
        BoundSeconds both;
        for (std::size_t i = 0; i < kBoundCount; ++i)
            both[i] = prefill[i] + decode[i];
        bound.bound = largestOf(both);
        const auto named = static_cast<std::size_t>(bound.bound);
        bound.phase = prefill[named] > decode[named] ? Phase::Prefill : Phase::Decode;
    }

    /// Of several nodes that do a step together, the one that would save most by being faster, or the links.
    void blameOfSeveral() {
        auto& bound = m_out->bound;
        const auto& leader = m_out->nodes[bound.node];
        const auto parts = leader.decode.gains.size();
        if (parts == 0)
            return;
        const auto gain = [&](Phase phase, std::size_t part) {
            return leader.role == Role::Both || phase == bound.phase
                       ? (phase == Phase::Decode ? leader.decode : leader.prefill).gains[part]
                       : 0.0;
        };
        std::size_t most = 0;
        for (std::size_t i = 1; i < parts; ++i)
            if (gain(Phase::Prefill, i) + gain(Phase::Decode, i) >
                gain(Phase::Prefill, most) + gain(Phase::Decode, most))
                most = i;
        bound.phase = gain(Phase::Prefill, most) > gain(Phase::Decode, most) ? Phase::Prefill : Phase::Decode;
        if (most + 1 == parts)
            bound.link = leader.decode.slowestLink;
        else if (const auto split = splitPoolOf(*m_scenario, node(bound.node)))
            bound.node = most == 0 ? split->attention : split->ffn;
        else
            bound.node = stagePoolOf(*m_scenario)[most].node;
    }

    bool shareTiers(std::size_t p, std::size_t d) const { return m_compiled[p]->sharesTiers(*m_compiled[d]); }

    /// How long KV caches hold what decodes, and the links that take longest for them.
    void receive() {
        m_slowest.assign(size(), LinkLimit::kNone);
        if (std::none_of(m_pools.begin(), m_pools.end(),
                         [](const SteadyPool& pool) { return pool.role == Role::Prefill; }))
            return; // nothing is transferred
        m_paths.reset(*m_scenario);
        const auto same = [&](std::size_t p, std::size_t d) { return shareTiers(p, d); };
        setReceiving<double>(*m_scenario, m_pools, m_paths, same,
                             [&](std::size_t p, std::size_t d, std::span<const std::size_t> path) {
                                 const auto transfer = promptTransfer(*m_scenario, node(p), node(d));
                                 hopsOf(*m_scenario, path, m_hops);
                                 double longest = 0.0;
                                 for (std::size_t h = 0; h < path.size(); ++h)
                                     if (const double seconds = transfer.layerSeconds(m_hops[h]);
                                         seconds > longest) {
                                         longest = seconds;
                                         m_slowest[d] = path[h];
                                     }
                                 return transfer.exposedSeconds(m_hops, 0.0);
                             });
    }

    /// KV caches from every prefill to every decode node, in proportion to their rates.
    void transfer() {
        m_exposed = 0.0;
        if (m_state.transferred <= 0.0)
            return;
        const auto same = [&](std::size_t p, std::size_t d) { return shareTiers(p, d); };
        forTransfers<double>(
            m_loads, m_state.transferred, m_paths, same, [&](std::size_t p, std::size_t d, double share) {
                const double bytes =
                    promptKvLayerBytes(*m_scenario, node(d)) * m_scenario->model.layers.value;
                const auto transfer = promptTransfer(*m_scenario, node(p), node(d));
                const auto& path = m_paths.linksTo(d);
                hopsOf(*m_scenario, path, m_hops);
                for (std::size_t h = 0; h < path.size(); ++h) {
                    auto& link = m_out->links[path[h]];
                    const double parallel = m_paths.graph().parallel(path[h]);
                    link.bytesPerSecond += share * m_state.transferred * bytes / parallel;
                    link.starting += share * m_state.transferred * transferWidth(node(p), node(d)) *
                                     transfer.startSeconds(m_hops[h]) / parallel;
                }
                if (!m_hops.empty())
                    m_exposed += share * transfer.exposedSeconds(m_hops, m_pools[p].prefillSeconds);
            });
    }

    /// Batches a second through a pool.
    CompiledPool::Work workOf(std::size_t i) const {
        const auto& load = m_loads[i];
        return {load.wholeRate + load.prefillRate, load.wholeRate + load.decodeRate,
                m_out->nodes[i].prefill.collectiveBytes, m_out->nodes[i].decode.collectiveBytes};
    }

    /// What collectives move, and what offloading moves between host and device, and host and storage.
    void addTraffic() {
        m_linkBytes.resize(m_scenario->links.size());
        for (std::size_t l = 0; l < m_linkBytes.size(); ++l)
            m_linkBytes[l] = m_out->links[l].bytesPerSecond;
        for (const auto& pool : m_compiled)
            if (pool)
                pool->addCollectiveTraffic(workOf(pool->index()), m_linkBytes);
        for (const auto& pool : m_compiled) {
            if (!pool || !pool->offloading())
                continue;
            const auto work = workOf(pool->index());
            if (work.prefills + work.decodes <= 0.0)
                continue;
            const auto traffic = pool->offloadTraffic();
            m_out->nodes[pool->index()].offload.storageTraffic = traffic.decode.storage + traffic.decode.near;
            pool->addOffloadTraffic(work, m_tiers, m_linkBytes);
            useTiers(*pool);
        }
        for (std::size_t l = 0; l < m_linkBytes.size(); ++l)
            m_out->links[l].bytesPerSecond = m_linkBytes[l];
    }

    void useTiers(const CompiledPool& pool) {
        const auto use = [&](std::size_t tier) {
            auto& result = m_out->nodes[tier];
            BusyShares busy{result.prefillBusy, result.decodeBusy};
            useTier<double>(busy, m_loads[pool.index()]);
            result.prefillBusy = busy.prefill;
            result.decodeBusy = busy.decode;
        };
        use(pool.offloading()->tiers.host);
        for (const auto storage : m_tiers.storageNodes())
            use(storage);
    }

    void setLayerMetrics() {
        const auto index = mostDecoding<double>(m_out->nodes, m_loads);
        if (index == size())
            return;
        const auto* shown = &m_out->nodes[index];
        const auto& layer = shown->layer;
        metric(Metric::LayerTime) = layer.fullSeconds;
        metric(Metric::AllReduceTime) = layer.allReduceSeconds;
        metric(Metric::AttentionRead) = layer.attentionReadSeconds;
        metric(Metric::FfnRead) = layer.ffnReadSeconds;
        metric(Metric::AttentionFootprint) = layer.attentionFootprint;
        metric(Metric::FfnFootprint) = layer.ffnFootprint;
        if (shown->offload.active)
            setOffloadMetrics(shown->offload);
    }

    void setOffloadMetrics(const OffloadEvaluation& offload) {
        const auto part = [&](Work work) { return offload.decode[static_cast<std::size_t>(work)]; };
        metric(Metric::DecodeAccelerator) = part(Work::Operator) + part(Work::DeviceAttention);
        metric(Metric::DecodeWeights) = part(Work::WeightTransfer);
        metric(Metric::DecodeKvRead) = part(Work::KvRead);
        metric(Metric::DecodeKvWrite) = part(Work::KvWrite);
        metric(Metric::DecodeHostAttention) = part(Work::HostAttention);
        metric(Metric::DecodeCsdAttention) = part(Work::NearStorageAttention);
        metric(Metric::DecodeQkv) = part(Work::QkvTransfer);
        metric(Metric::DecodeXCache) = part(Work::XTransfer) + part(Work::Regenerate);
        metric(Metric::KvHostShare) = offload.kv.host;
        metric(Metric::KvStorageShare) = offload.kv.storage;
        metric(Metric::XCacheShare) = offload.kv.x;
        double weights = 0.0;
        for (const auto& tier : offload.tiers)
            weights += tier.weights;
        metric(Metric::Weights) = weights;
        metric(Metric::WeightsStorage) = offload.tier(Tier::Storage).weights;
        metric(Metric::KvCache) = offload.kvBytes;
        metric(Metric::MemoryDevice) = offload.tier(Tier::Device).used();
        metric(Metric::MemoryHost) = offload.tier(Tier::Host).used();
        metric(Metric::MemoryStorage) = offload.tier(Tier::Storage).used();
        metric(Metric::StorageTraffic) = offload.storageTraffic;
    }

    void setMetrics() {
        setLayerMetrics();
        m_busy.clear();
        for (const auto& result : m_out->nodes)
            m_busy.push_back({result.prefillBusy, result.decodeBusy});
        for (std::size_t i = 0; i < size(); ++i)
            if (!m_compiled[i] && m_busy[i].prefill + m_busy[i].decode > 0.0) { // works for others
                const auto& device = node(i).device;
                m_drawn[i] = {phasePower(device, Phase::Prefill, {}), phasePower(device, Phase::Decode, {})};
            }
        PowerParts parts;
        metric(Metric::Power) = meanPower(*m_scenario, m_drawn, m_busy, parts);
        setSystemMetrics<double>(*m_scenario,
                                 {m_pools, m_loads, m_state, m_exposed, metric(Metric::Price),
                                  metric(Metric::Area), metric(Metric::Power), m_parts.dies, parts,
                                  m_waiting},
                                 [&](Metric which, double value) { return metric(which) = value; });
    }

    void setPriceAndArea() {
        m_parts = systemParts<double>(*m_scenario);
        metric(Metric::Price) = m_parts.price > 0.0 ? m_parts.price : kUnset;
        metric(Metric::Area) = m_parts.area > 0.0 ? m_parts.area : kUnset;
    }
};

} // namespace

void evaluateInto(const Scenario& validScenario, Evaluation& out, Detail detail) {
    thread_local Evaluator evaluator;
    evaluator.run(validScenario, out, detail, nullptr);
}

void evaluateInto(const Scenario& validScenario, Evaluation& out, StepCache& cache, Detail detail) {
    thread_local Evaluator evaluator;
    evaluator.run(validScenario, out, detail, &cache);
}

double stepStretch(const Scenario& scenario, std::size_t node, Phase phase) {
    if (!isSlowed(scenario.nodes[node].device))
        return 1.0;
    const auto evaluation = evaluate(scenario, Detail::Metrics);
    const auto& of = evaluation.nodes[node];
    return phase == Phase::Prefill ? of.prefill.stretch : of.decode.stretch;
}

Evaluation evaluate(const Scenario& scenario, Detail detail) {
    Evaluation out;
    const auto diagnostics = validate(scenario);
    for (const auto& diagnostic : diagnostics) {
        if (diagnostic.severity != Severity::Error)
            continue;
        out.metrics.fill(kUnset);
        out.nodes.assign(scenario.nodes.size(), {});
        out.links.assign(scenario.links.size(), {});
        out.reason = diagnostic.message + ". " + diagnostic.remedy + ".";
        return out;
    }
    evaluateInto(scenario, out, detail);
    return out;
}

} // namespace heteroscape::engine
