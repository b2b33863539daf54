// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/timeline.h"

#include "engine/base/error.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/system_terms.h"
#include "engine/scenario/split_pool.h"
#include "engine/scenario/tiers.h"
#include "engine/schedule/compiled_pool.h"
#include "engine/schedule/pipeline.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kNoLink = static_cast<std::size_t>(-1);

std::string counted(const Node& node, double devices) {
    const auto count = std::lround(devices);
    return count > 1 ? std::to_string(count) + " \u00d7 " + node.shownName() : node.shownName();
}

/// "SmartSSD, 2 × NVMe SSD": of the nodes at these indices, CSDs alone where wanted.
std::string joinedNames(const Scenario& scenario, std::span<const std::size_t> nodes, bool nearOnly) {
    std::string text;
    for (const auto i : nodes)
        if (const auto& node = scenario.nodes[i]; !nearOnly || attendsNearStorage(node))
            text += (text.empty() ? "" : ", ") + counted(node, node.count.valueOr(1.0));
    return text;
}

/// The link that takes longest for its share of what crosses to storage.
std::size_t narrowest(const Scenario& scenario, const TierMap& map, bool nearOnly) {
    std::size_t found = kNoLink;
    double longest = 0.0;
    for (std::size_t i = 0; i < scenario.links.size(); ++i) {
        const auto& link = scenario.links[i];
        const double seconds =
            map.linkShare(i, nearOnly) / (link.type.bandwidth.value * parallelLinks(scenario, link));
        if (seconds > longest) {
            longest = seconds;
            found = i;
        }
    }
    return found;
}

std::string linkName(const Scenario& scenario, std::size_t link) {
    return link == kNoLink ? std::string() : scenario.links[link].type.name;
}

} // namespace

LaneNames laneNames(const Scenario& scenario, const Node& node) {
    LaneNames names;
    for (std::size_t i = 0; i < kLaneCount; ++i)
        names[i].title = laneLabel(static_cast<Lane>(i));
    if (const auto pool = splitPoolOf(scenario, node)) {
        const auto& other = scenario.nodes[pool->ffn];
        names[static_cast<std::size_t>(Lane::Ffn)].place = counted(other, tensorParallel(other));
        for (const auto lane : {Lane::ToFfn, Lane::FromFfn})
            names[static_cast<std::size_t>(lane)].place = linkName(scenario, pool->links.front());
    }
    if (!offloads(node))
        return names;
    const auto at = [&names](Lane lane) -> LaneName& { return names[static_cast<std::size_t>(lane)]; };
    at(Lane::Compute) = {std::string(deviceKindLabel(node.device.kind)), counted(node, tensorParallel(node))};
    TierMap map;
    const auto& tiers = map.find(scenario, static_cast<std::size_t>(&node - scenario.nodes.data()));
    // What several replicas share is divided evenly: rates are those of one replica.
    const auto shared = [&](const std::string& place) {
        return tiers.activeReplicas > 1.0 && !place.empty()
                   ? place + " for " + std::to_string(std::lround(tiers.activeReplicas)) + " replicas"
                   : place;
    };
    if (tiers.host != Tiers::kNone) {
        const auto& host = scenario.nodes[tiers.host];
        at(Lane::Host).place = shared(counted(host, host.count.valueOr(1.0)));
    }
    std::size_t slowest = kNoLink;
    for (std::size_t i = 0; i < scenario.links.size(); ++i)
        if (map.deviceShare(i) > 0.0 &&
            (slowest == kNoLink ||
             scenario.links[i].type.bandwidth.value < scenario.links[slowest].type.bandwidth.value))
            slowest = i;
    at(Lane::Pcie).place = linkName(scenario, slowest);
    const bool near = tiers.near.devices > 0.0;
    at(Lane::Uplink).place = shared(linkName(scenario, narrowest(scenario, map, near)));
    at(Lane::Csd).place = shared(joinedNames(scenario, map.storageNodes(), true));
    at(Lane::Storage).place = shared(joinedNames(scenario, map.storageNodes(), false));
    at(Lane::StorageWrite).place = at(Lane::Storage).place;
    return names;
}

namespace {

const Node& acceleratorOf(const Scenario& scenario, const NodeId& id) {
    const auto* node = scenario.findNode(id);
    if (!node || !isAccelerator(node->device.kind) || !node->runtime)
        throw Error(ErrorCode::NotFound, "nodes." + id.value, "no accelerator with a runtime",
                    "Name a GPU, NPU or FPGA node");
    return *node;
}

class StepUnroller {
public:
    StepUnroller(const Scenario& scenario, const Node& node, Phase phase, double context)
        : m_pool(scenario, static_cast<std::size_t>(&node - scenario.nodes.data())),
          m_phase(m_pool.phase(phase)), m_keys(context),
          m_stretch(stepStretch(scenario, m_pool.index(), phase)) {
        m_timeline.node = node.id;
        m_timeline.name = node.shownName();
        m_timeline.kind = node.device.kind;
        m_timeline.phase = phase;
        m_timeline.context = context;
        m_timeline.layers = scenario.model.layers.value;
        m_timeline.offloads = m_pool.offloading() != nullptr;
        m_timeline.lanes = laneNames(scenario, node);
        m_isLaterStage = isLaterStage(scenario, node);
    }

    StepTimeline run() {
        const auto blocks = m_phase.step().blocks(m_keys);
        for (const auto& block : blocks) // of a mean layer, where they differ
            if (block.segment != Segment::Head)
                m_timeline.layerSeconds += block.repeat / m_timeline.layers * block.seconds;
        const bool embeds = !blocks.empty() && blocks.front().segment == Segment::Head;
        for (double left = embeds ? blocks.front().repeat : 0.0; left > 0.5; --left)
            add(blocks.front(), -1);
        const auto layers = static_cast<int>(m_timeline.layers);
        const auto send = sendOf(blocks);
        const double stages = m_phase.graph().shape().layout.pp;
        std::vector<double> placed(blocks.size(), 0.0);
        for (int layer = 0; layer < layers; ++layer) {
            for (const auto segment : {Segment::Attention, Segment::Ffn})
                addNext(blocks, segment, layer, placed);
            const double passed = std::floor(stages * (layer + 1.0) / layers);
            if (send < blocks.size() && passed > placed[send] && passed < stages) {
                add(blocks[send], layer);
                placed[send] = passed;
            }
        }
        addShares(blocks, placed);
        for (std::size_t i = embeds ? 1 : 0; i < blocks.size(); ++i)
            if (blocks[i].segment == Segment::Head)
                for (double left = blocks[i].repeat - placed[i]; left > 0.5; --left)
                    add(blocks[i], -1);
        std::stable_sort(
            m_timeline.segments.begin(), m_timeline.segments.end(),
            [](const TimelineSegment& a, const TimelineSegment& b) { return a.start < b.start; });
        addStages();
        stretch();
        return std::move(m_timeline);
    }

private:
    CompiledPool m_pool;
    CompiledPhase m_phase;
    double m_keys;
    double m_stretch;            // by a power cap and a slower clock
    bool m_isLaterStage = false; // of a pipeline over nodes: the first one shows it
    StepTimeline m_timeline;

    void stretch() {
        const auto longer = [this](std::vector<TimelineSegment>& segments) {
            for (auto& segment : segments) {
                segment.start *= m_stretch;
                segment.end *= m_stretch;
            }
        };
        longer(m_timeline.segments);
        for (auto& stage : m_timeline.stages)
            longer(stage.segments);
        m_timeline.seconds *= m_stretch;
        m_timeline.layerSeconds *= m_stretch;
    }

    void addStages() {
        const auto& step = m_phase.step();
        const auto stages = step.stageTimes(m_keys);
        if (stages.empty() || m_isLaterStage)
            return;
        const auto count = static_cast<std::size_t>(m_phase.graph().shape().layout.microbatches);
        const auto turns =
            stageTurns(stages, std::max<std::size_t>(1, count), m_timeline.phase == Phase::Decode,
                       step.verified(m_keys, m_keys).at(m_keys));
        for (std::size_t i = 0; i < stages.size(); ++i) {
            StageLane lane{"Stage " + std::to_string(i + 1), stages[i].name, stages[i].layers, 0.0, {}};
            for (const auto& turn : turns)
                if (turn.stage == i)
                    addTurn(lane, turn);
            fill(lane, m_timeline.seconds);
            m_timeline.stages.push_back(std::move(lane));
        }
    }

    static TimelineSegment ofStage(Work work, double start, double end, int microbatch = -1) {
        TimelineSegment segment{Lane::Compute, work, workName(work), workLabel(work), start, end};
        segment.microbatch = microbatch;
        return segment;
    }

    static void fill(StageLane& lane, double until) {
        const double from = lane.segments.empty() ? 0.0 : lane.segments.back().end;
        if (until - from > 1e-9 * until)
            lane.segments.push_back(ofStage(Work::Waiting, from, until));
    }

    void addTurn(StageLane& lane, const StageTurn& turn) const {
        const double from = lane.segments.empty() ? 0.0 : lane.segments.back().end;
        const double start = std::max(turn.start, from); // but for rounding the turn's
        if (turn.end <= start)
            return;
        fill(lane, start);
        lane.segments.push_back(ofStage(turn.sends ? Work::Activations : Work::Microbatch, start, turn.end,
                                        static_cast<int>(turn.microbatch)));
        lane.busy += (turn.end - start) / m_timeline.seconds;
    }

    /// What a stage of a pipeline sends to the next.
    std::size_t sendOf(const std::vector<ScheduleBlock>& blocks) const {
        const auto found = std::find_if(blocks.begin(), blocks.end(), [&](const ScheduleBlock& block) {
            return std::any_of(block.segments.begin(), block.segments.end(),
                               [&](const ScheduleSegment& segment) {
                                   return !isFlow(segment.work) &&
                                          m_phase.graph().operators()[segment.op].kind == OperatorKind::Send;
                               });
        });
        return static_cast<std::size_t>(found - blocks.begin());
    }

    /// Layers that differ alternate: the next is of the blocks the one that lags most behind its share.
    void addNext(const std::vector<ScheduleBlock>& blocks, Segment segment, int layer,
                 std::vector<double>& placed) {
        std::size_t next = blocks.size();
        double most = 0.0;
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            if (blocks[i].segment != segment || placed[i] + 1.0 > blocks[i].repeat * (1.0 + 1e-9))
                continue;
            const double lag = (layer + 1.0) * blocks[i].repeat / m_timeline.layers - placed[i];
            if (next == blocks.size() || lag > most) {
                next = i;
                most = lag;
            }
        }
        if (next == blocks.size())
            return;
        ++placed[next];
        add(blocks[next], layer);
    }

    /// What is left of blocks that stand in the step no whole number of times.
    void addShares(const std::vector<ScheduleBlock>& blocks, const std::vector<double>& placed) {
        double seconds = 0.0;
        for (std::size_t i = 0; i < blocks.size(); ++i)
            if (blocks[i].segment != Segment::Head)
                seconds += (blocks[i].repeat - placed[i]) * blocks[i].seconds;
        if (!(seconds > 1e-9 * m_timeline.seconds))
            return;
        const double start = m_timeline.seconds;
        m_timeline.seconds += seconds;
        m_timeline.segments.push_back({Lane::Compute, Work::Shares, workName(Work::Shares),
                                       workLabel(Work::Shares), start, m_timeline.seconds, 0.0, false, -1,
                                       Bound::None});
    }

    void add(const ScheduleBlock& block, int layer) {
        for (const auto& segment : block.segments) {
            if (isFlow(segment.work)) {
                m_timeline.segments.push_back({segment.lane, segment.work, workName(segment.work),
                                               workLabel(segment.work), m_timeline.seconds + segment.start,
                                               m_timeline.seconds + segment.end, segment.bytes, false, layer,
                                               segment.bound});
                continue;
            }
            const auto& op = m_phase.graph().operators()[segment.op];
            const double bytes = isSent(segment.work) ? m_phase.collectiveBytes(op)
                                 : segment.work == Work::Operator
                                     ? 0.0
                                     : op.storedWeights() * m_phase.machine().weightBytes +
                                           op.kv.at(m_keys) * m_phase.machine().kvBytes;
            m_timeline.segments.push_back(
                {segment.lane, segment.work, op.key, op.label, m_timeline.seconds + segment.start,
                 m_timeline.seconds + segment.end, bytes, segment.work == Work::Operator && op.prefetched,
                 layer, segment.bound});
        }
        m_timeline.seconds += block.seconds;
    }
};

class RequestUnroller {
public:
    explicit RequestUnroller(const Scenario& scenario)
        : m_scenario(scenario), m_evaluation(evaluate(scenario)) {
        if (!m_evaluation.feasible)
            throwInvalid(scenario.name, m_evaluation.reason, "A timeline needs a design that can run");
    }

    RequestTimeline run() {
        const auto& workload = m_scenario.workload;
        const double prompt = workload.promptTokens.value;
        const double output = workload.outputTokens.value;
        const auto& prefills = busiest(Phase::Prefill);
        const auto& decodes = busiest(Phase::Decode);
        addStep(prefills, Phase::Prefill, prompt);
        const double exposed = m_evaluation.metric(Metric::KvTransfer);
        if (prefills.id != decodes.id && exposed > 0.0)
            addStretch(RequestPart::Kind::KvTransfer, decodes, Phase::Decode, exposed, 0.0);
        const auto start = m_timeline.seconds;
        const double total = m_evaluation.nodes[indexOf(decodes)].decode.totalSeconds;
        addStep(decodes, Phase::Decode, prompt + 1.0);
        if (output > 1.0) {
            auto last = stepTimeline(m_scenario, decodes.id, Phase::Decode, prompt + output);
            const double between = start + total - m_timeline.seconds - last.seconds;
            if (output > 2.0)
                addStretch(RequestPart::Kind::MergedSteps, decodes, Phase::Decode, between, output - 2.0);
            addPart(std::move(last));
        }
        m_timeline.latency = m_evaluation.metric(Metric::Latency);
        return std::move(m_timeline);
    }

private:
    const Scenario& m_scenario;
    Evaluation m_evaluation;
    RequestTimeline m_timeline;

    std::size_t indexOf(const Node& node) const {
        return static_cast<std::size_t>(&node - m_scenario.nodes.data());
    }

    const Node& busiest(Phase phase) const {
        std::size_t best = 0;
        double most = -1.0;
        for (std::size_t i = 0; i < m_scenario.nodes.size(); ++i) {
            const auto& metrics = m_evaluation.nodes[i];
            const double busy = (phase == Phase::Prefill ? metrics.prefillBusy : metrics.decodeBusy) *
                                m_scenario.nodes[i].count.value;
            if (metrics.role != Role::Fabric && busy > most) {
                most = busy;
                best = i;
            }
        }
        return m_scenario.nodes[best];
    }

    void addStep(const Node& node, Phase phase, double context) {
        addPart(stepTimeline(m_scenario, node.id, phase, context));
    }

    void addPart(StepTimeline step) {
        const double start = m_timeline.seconds;
        m_timeline.seconds += step.seconds;
        m_timeline.parts.push_back(
            {RequestPart::Kind::Step, start, m_timeline.seconds, 1.0, std::move(step)});
    }

    void addStretch(RequestPart::Kind kind, const Node& node, Phase phase, double seconds, double steps) {
        RequestPart part;
        part.kind = kind;
        part.start = m_timeline.seconds;
        part.end = m_timeline.seconds += seconds;
        part.steps = steps;
        part.step.node = node.id;
        part.step.name = node.shownName();
        part.step.kind = node.device.kind;
        part.step.phase = phase;
        part.step.offloads = offloads(node);
        part.step.lanes = laneNames(m_scenario, node);
        m_timeline.parts.push_back(std::move(part));
    }
};

} // namespace

StepTimeline stepTimeline(const Scenario& scenario, const NodeId& id, Phase phase, double context) {
    const auto& node = acceleratorOf(scenario, id);
    const auto leader = leaderOf(scenario, static_cast<std::size_t>(&node - scenario.nodes.data()));
    return StepUnroller(scenario, scenario.nodes[leader], phase, context).run();
}

StepTimeline stepTimeline(const Scenario& scenario, const NodeId& id, Phase phase) {
    return stepTimeline(scenario, id, phase, representativeContext(scenario.workload, phase));
}

namespace {

/// Whether a stretch is work of the accelerator that no operator stands for.
bool isOtherWork(Work work) {
    return work == Work::Shares || work == Work::Pipeline || work == Work::Draft ||
           work == Work::Regenerate || work == Work::DeviceAttention;
}

} // namespace

void addPower(const Scenario& scenario, const Evaluation& evaluation, StepTimeline& step) {
    const auto& node = acceleratorOf(scenario, step.node);
    const CompiledPool pool(scenario, static_cast<std::size_t>(&node - scenario.nodes.data()));
    const auto& metrics = evaluation.nodes[pool.index()];
    const auto& of = step.phase == Phase::Prefill ? metrics.prefill : metrics.decode;
    const auto power = phasePower(node.device, step.phase, of.rates);
    const double idle = idlePower(node.device);
    if (!(power.total >= idle && step.seconds > 0.0)) // or one is not known
        return;
    struct Spent {
        double joules = 0.0, seconds = 0.0;
    };
    std::map<std::string_view, Spent> operators; // by key
    double other = 0.0;
    for (const auto& segment : step.segments)
        if (!isFlow(segment.work))
            operators[segment.key].seconds += segment.end - segment.start;
        else if (isOtherWork(segment.work))
            other += segment.end - segment.start;
    const auto compiled = pool.phase(step.phase);
    const auto shares = powerShares(compiled, step.context);
    for (std::size_t i = 0; i < shares.size(); ++i)
        if (const auto found = operators.find(compiled.graph().operators()[i].key); found != operators.end())
            for (std::size_t term = 0; term < kPowerTerms; ++term)
                found->second.joules += power.watts[term] * shares[i][term];
    Spent all;
    for (const auto& [key, spent] : operators) {
        all.joules += spent.joules;
        all.seconds += spent.seconds;
    }
    const double working = all.seconds + other;
    const double joules = (power.total - idle) * of.working() * step.seconds;
    std::map<double, double> changes; // W, at their time
    const auto draw = [&](const TimelineSegment& segment, double watts) {
        changes[segment.start] += watts;
        changes[segment.end] -= watts;
    };
    for (const auto& segment : step.segments)
        if (isOtherWork(segment.work)) {
            draw(segment, joules / working);
        } else if (!isFlow(segment.work) && all.joules > 0.0) {
            const auto& [own, seconds] = operators[segment.key];
            draw(segment, joules * all.seconds / working * (own / all.joules) / seconds);
        }
    changes[step.seconds] += 0.0;
    double start = 0.0, watts = 0.0;
    TimelineSegment next{Lane::Power, Work::Power, workName(Work::Power), workLabel(Work::Power)};
    for (const auto& [time, change] : changes) {
        next.watts = idle + std::max(0.0, watts);
        next.start = start;
        next.end = time;
        watts += change;
        if (!(time - start > 1e-12 * step.seconds))
            continue;
        step.segments.push_back(next);
        start = time;
    }
    std::stable_sort(step.segments.begin(), step.segments.end(),
                     [](const TimelineSegment& a, const TimelineSegment& b) { return a.start < b.start; });
    step.powerLimit = node.device.powerLimit.value;
    step.lanes[static_cast<std::size_t>(Lane::Power)].place = "of " + shortText(step.powerLimit, 4) + " W";
}

RequestTimeline requestTimeline(const Scenario& scenario) {
    return RequestUnroller(scenario).run();
}

std::vector<std::string_view> scheduleTechniques(const Scenario& scenario, const NodeId& id) {
    std::vector<std::string_view> found;
    const auto* node = scenario.findNode(id);
    if (!node || !node->runtime)
        return found;
    for (const auto* kind : techniqueKinds().all())
        if (scenario.techniques.isOn(*kind) && kind->changesStepOf(scenario, *node))
            found.push_back(kind->id());
    return found;
}

Scenario withoutTechnique(Scenario scenario, std::string_view technique) {
    for (const auto* kind : techniqueKinds().all())
        if (kind->changesSteps() && (technique.empty() || kind->id() == technique))
            scenario.techniques[*kind].enabled = false;
    return scenario;
}

} // namespace heteroscape::engine
