// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/decisive.h"

#include "engine/base/error.h"
#include "engine/evaluation/breakdown.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/metric_path.h"
#include "engine/evaluation/simulate.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/parameters.h"
#include "engine/scenario/split_pool.h"
#include "engine/scenario/technique_targets.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace heteroscape::engine {

std::vector<TechniqueGain> techniqueGains(const Scenario& scenario) {
    std::vector<TechniqueGain> gains;
    auto without = scenario;
    const auto with = evaluate(scenario, Detail::Metrics);
    for (const auto* kind : techniqueKinds().all()) {
        auto& enabled = without.techniques[*kind].enabled;
        if (!enabled)
            continue;
        enabled = false;
        const auto base = evaluate(without, Detail::Metrics);
        TechniqueGain gain;
        gain.id = kind->id();
        gain.label = kind->label();
        gain.comparable = with.feasible && base.feasible;
        if (!gain.comparable)
            gain.reason = evaluate(with.feasible ? without : scenario).reason;
        enabled = true;
        if (gain.comparable) {
            const auto ratio = [](const Evaluation& over, const Evaluation& under, Metric metric) {
                return over.metric(metric) / under.metric(metric);
            };
            gain.throughput = ratio(with, base, Metric::Throughput);
            gain.latency = ratio(base, with, Metric::Latency);
            gain.timePerToken = ratio(base, with, Metric::TimePerToken);
        }
        gains.push_back(std::move(gain));
    }
    return gains;
}

std::string gainText(const TechniqueGain& gain) {
    if (!gain.comparable)
        return gain.label + ": nothing to compare with. " + gain.reason;
    if (gain.throughput == 1.0 && gain.latency == 1.0 && gain.timePerToken == 1.0)
        return gain.label + ": changes nothing here";
    const auto times = [](double ratio) {
        return ratio == 1.0  ? std::string("unchanged")
               : ratio > 1.0 ? shortText(ratio, 4) + " \u00d7 better"
                             : shortText(1.0 / ratio, 4) + " \u00d7 worse";
    };
    return gain.label + ", against without: throughput " + times(gain.throughput) + ", latency " +
           times(gain.latency) + ", time per token " + times(gain.timePerToken);
}

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

/// The node that spends the largest part of its time on a phase.
std::size_t busiest(const Evaluation& evaluation, Phase phase) {
    std::size_t found = kNone;
    double most = 0.0;
    for (std::size_t i = 0; i < evaluation.nodes.size(); ++i) {
        const auto& node = evaluation.nodes[i];
        const double busy = phase == Phase::Prefill ? node.prefillBusy : node.decodeBusy;
        const auto& own = phase == Phase::Prefill ? node.prefill : node.decode;
        if (busy > most && own.seconds > 0.0) { // a host that is offloaded to has no steps of its own
            most = busy;
            found = i;
        }
    }
    return found;
}

bool hangsOnPrefill(Metric metric) {
    return metric == Metric::TimeToFirstToken || metric == Metric::KvTransfer || metric == Metric::WaitMean ||
           (metric >= Metric::FirstTokenMean && metric <= Metric::FirstTokenP99) ||
           metric == Metric::FirstTokenFirstWave || metric == Metric::FirstTokenLater;
}

bool hangsOnDecode(Metric metric) {
    return metric == Metric::TimePerToken || (metric >= Metric::LayerTime && metric <= Metric::FfnRead) ||
           (metric >= Metric::DecodeAccelerator && metric <= Metric::DecodeXCache) ||
           (metric >= Metric::TokenMean && metric <= Metric::TokenP99) || metric == Metric::UserRate;
}

bool hangsOnNothing(Metric metric) {
    switch (metric) {
    case Metric::Price:
    case Metric::Area:
    case Metric::AttentionFootprint:
    case Metric::FfnFootprint:
    case Metric::RequestsDone:
    case Metric::RequestsRefused:
    case Metric::WithinLimits:
    case Metric::Evictions:
        return true;
    default:
        return metric >= Metric::KvHostShare && metric <= Metric::StorageTraffic;
    }
}

struct Place {
    std::size_t node = kNone;
    Phase phase = Phase::Decode;
};

Place placeOf(const Evaluation& evaluation, Metric metric) {
    if (hangsOnPrefill(metric))
        return {busiest(evaluation, Phase::Prefill), Phase::Prefill};
    if (hangsOnDecode(metric))
        return {busiest(evaluation, Phase::Decode), Phase::Decode};
    if (metric == Metric::Latency || (metric >= Metric::EndToEndMean && metric <= Metric::EndToEndP99)) {
        const double prefill = evaluation.metric(Metric::TimeToFirstToken);
        const auto phase =
            prefill > evaluation.metric(Metric::Latency) - prefill ? Phase::Prefill : Phase::Decode;
        return {busiest(evaluation, phase), phase};
    }
    return {evaluation.bound.node, evaluation.bound.phase};
}

BatchPart::Kind kindOf(const OperatorRow& row) {
    if (row.collectiveBytes > 0.0)
        return BatchPart::Kind::AllReduce;
    if (row.key == "waiting")
        return BatchPart::Kind::Waiting;
    if (row.key == "host")
        return BatchPart::Kind::Host;
    switch (row.segment) {
    case Segment::Attention:
        return BatchPart::Kind::Attention;
    case Segment::Ffn:
        return BatchPart::Kind::FeedForward;
    case Segment::Head:
        break;
    }
    return BatchPart::Kind::Head;
}

/// Decode of a node that offloads: its waits, as the metrics of their names have them.
void addWaits(const OffloadEvaluation& offload, double seconds, std::vector<BatchPart>& parts) {
    constexpr std::array kWaits{
        std::pair{Work::WeightTransfer, Metric::DecodeWeights},
        std::pair{Work::KvRead, Metric::DecodeKvRead},
        std::pair{Work::KvWrite, Metric::DecodeKvWrite},
        std::pair{Work::HostAttention, Metric::DecodeHostAttention},
        std::pair{Work::NearStorageAttention, Metric::DecodeCsdAttention},
        std::pair{Work::QkvTransfer, Metric::DecodeQkv},
        std::pair{Work::XTransfer, Metric::DecodeXCache},
    };
    const auto of = [&](Work work) { return offload.decode[static_cast<std::size_t>(work)]; };
    double whole = 0.0;
    for (const double part : offload.decode)
        whole += part;
    if (!(whole > 0.0))
        return;
    const double scale = seconds / whole;
    double waits = 0.0;
    const auto add = [&](Metric metric, double part) {
        const auto& spec = metricSpec(metric);
        if (part > 0.0)
            parts.push_back({BatchPart::Kind::Offload, std::string(spec.key), std::string(spec.label),
                             part * scale, metric});
        waits += part;
    };
    const auto accelerator = parts.size();
    for (const auto& [work, metric] : kWaits)
        add(metric, of(work) + (work == Work::XTransfer ? of(Work::Regenerate) : 0.0));
    // The rest is the accelerator's own.
    if (whole - waits > 1e-12 * whole) {
        const auto& spec = metricSpec(Metric::DecodeAccelerator);
        parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(accelerator),
                     {BatchPart::Kind::Offload, std::string(spec.key), std::string(spec.label),
                      (whole - waits) * scale, Metric::DecodeAccelerator});
    }
}

/// Decode of a node whose operators take all of its time.
void addOperators(const StepBreakdown& step, double seconds, std::vector<BatchPart>& parts) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kNames{
        {{"decode_attention", "Decode: attention"},
         {"decode_ffn", "Decode: FFN"},
         {"decode_allreduce", "Decode: allreduce"},
         {"decode_head", "Decode: head"},
         {"decode_host", "Decode: host and fixed times"},
         {"decode_waiting", "Decode: waiting for others"}}};
    std::array<double, kNames.size()> sums{};
    const auto first = static_cast<std::size_t>(BatchPart::Kind::Attention);
    for (const auto& row : step.operators)
        sums[static_cast<std::size_t>(kindOf(row)) - first] += row.seconds;
    if (!(step.seconds > 0.0))
        return;
    for (std::size_t i = 0; i < sums.size(); ++i)
        if (sums[i] > 0.0)
            parts.push_back({static_cast<BatchPart::Kind>(first + i), std::string(kNames[i].first),
                             std::string(kNames[i].second), seconds * sums[i] / step.seconds,
                             Metric::TimePerToken});
}

} // namespace

std::optional<DecisivePart> decisivePart(const Scenario& scenario, const Evaluation& evaluation,
                                         Metric metric, std::size_t most) {
    if (!evaluation.feasible || hangsOnNothing(metric))
        return std::nullopt;
    const auto [index, phase] = placeOf(evaluation, metric);
    if (index >= scenario.nodes.size() || !scenario.nodes[index].runtime ||
        !isAccelerator(scenario.nodes[index].device.kind))
        return std::nullopt;
    const auto& node = scenario.nodes[index];
    const auto& metrics = evaluation.nodes[index];
    const auto detail = breakdown(scenario, node.id, phase);
    DecisivePart part{node.id,        node.shownName(),
                      phase,          (phase == Phase::Prefill ? metrics.prefill : metrics.decode).bound,
                      detail.seconds, {}};
    for (const auto& row : detail.operators)
        if (row.seconds > 0.0)
            part.works.push_back({row.label, row.seconds, row.seconds / detail.seconds, row.bound});
    std::stable_sort(part.works.begin(), part.works.end(),
                     [](const DecisiveWork& a, const DecisiveWork& b) { return a.seconds > b.seconds; });
    if (part.works.size() > most)
        part.works.resize(most);
    return part;
}

std::vector<BatchPart> batchParts(const Scenario& scenario, const Evaluation& evaluation) {
    const double latency = evaluation.metric(Metric::Latency);
    if (!evaluation.feasible || !std::isfinite(latency))
        return {};
    std::vector<BatchPart> parts;
    const double prefill = evaluation.metric(Metric::TimeToFirstToken);
    const double transfer = evaluation.metric(Metric::KvTransfer);
    parts.push_back({BatchPart::Kind::Prefill, "prefill", "Prefill", prefill, Metric::TimeToFirstToken});
    if (transfer > 0.0)
        parts.push_back(
            {BatchPart::Kind::KvTransfer, "kv_transfer", "KV transfer", transfer, Metric::KvTransfer});
    const double decode = latency - prefill - (transfer > 0.0 ? transfer : 0.0);
    const auto index = busiest(evaluation, Phase::Decode);
    if (index == kNone)
        return parts;
    if (const auto& offload = evaluation.nodes[index].offload; offload.active)
        addWaits(offload, decode, parts);
    else
        addOperators(breakdown(scenario, scenario.nodes[index].id, Phase::Decode), decode, parts);
    return parts;
}

namespace {

/// All figures of a design, whether it runs and what is said of it; numbers as bits, so that what is not set
/// equals itself.
struct Answer {
    std::vector<std::uint64_t> figures;
    std::string words;
    bool operator==(const Answer&) const = default;
};

Answer answerOf(const Scenario& scenario, const Evaluation& evaluation) {
    Answer answer{{evaluation.feasible ? 1U : 0U}, evaluation.reason};
    const auto add = [&](double value) { answer.figures.push_back(std::bit_cast<std::uint64_t>(value)); };
    for (const auto& metric : listMetrics(scenario, evaluation))
        add(metric.value);
    for (const auto& link : evaluation.links)
        add(link.busy());
    for (const auto& found : validate(scenario))
        answer.words += found.subject + found.message;
    return answer;
}

/// The same where requests are simulated, but for what the steady state alone has.
std::vector<std::uint64_t> servedAnswerOf(const Scenario& scenario) {
    auto evaluation = evaluate(scenario);
    simulateInto(scenario, evaluation);
    return answerOf(scenario, evaluation).figures;
}

/// Whether anything of an evaluation reads the number; true of what is no number.
bool isRead(const Scenario& scenario, const std::string& path) {
    auto watched = scenario;
    WatchedNumber* number = nullptr;
    try {
        number = &resolveQuantity(watched, path).access(watched).value;
    } catch (const Error&) {
        return true;
    }
    char seen = 0;
    const ReadRecord record({&number, 1}, {&seen, 1});
    listMetrics(watched, evaluate(watched));
    return seen != 0;
}

/// Why a technique that is set does nothing; empty where it acts.
std::string whyIdle(const Scenario& scenario, const Technique& technique) {
    const auto label = std::string(technique.label());
    if (!scenario.techniques.isOn(technique))
        return label + " is off";
    if (const auto* needed = technique.needs(); needed && !scenario.techniques.isOn(*needed))
        return label + " does nothing while " + std::string(needed->label()) + " is off";
    const TechniqueTargets targets(scenario);
    std::string refusal;
    for (const auto& node : scenario.nodes) {
        const auto why = targets.refusal(technique, node.id);
        if (why.empty())
            return {};
        if (refusal.empty() || (node.runtime && technique.concerns(*node.runtime)))
            refusal = why;
    }
    return label + " acts nowhere: " + refusal;
}

/// What of the design the path belongs to, and why that has no part; empty where it has.
std::string whyOwnerIdles(const Scenario& scenario, const Evaluation& evaluation, const std::string& path) {
    for (const auto* kind : techniqueKinds().all())
        if (path.starts_with("techniques." + std::string(kind->id()) + "."))
            return whyIdle(scenario, *kind);
    if (path.starts_with("serving."))
        return "requests are there whenever there is room for them, and none is simulated: serving.arrivals "
               "decides";
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i) {
        const auto& node = scenario.nodes[i];
        if (path.starts_with("nodes." + node.id.value + ".") && evaluation.nodes[i].role == Role::Fabric &&
            leaderOf(scenario, i) == i &&
            std::none_of(scenario.nodes.begin(), scenario.nodes.end(), offloads))
            return node.shownName() + " computes nothing here: the links at it decide";
    }
    for (std::size_t l = 0; l < scenario.links.size(); ++l)
        if (path.starts_with("links." + scenario.links[l].id.value + ".") &&
            evaluation.links[l].busy() == 0.0)
            return "nothing goes over " + scenario.links[l].type.name + " here";
    return {};
}

/// Who would read it.
std::string readerOf(const Scenario& scenario, const std::string& path) {
    for (const auto& node : scenario.nodes)
        if (path.starts_with("nodes." + node.id.value + "."))
            return node.runtime ? "that " + node.runtime->name + " does on " + node.shownName() + " "
                                : "of what reaches " + node.shownName() + " ";
    for (const auto& link : scenario.links)
        if (path.starts_with("links." + link.id.value + "."))
            return "that goes over " + link.type.name + " ";
    return path.starts_with("cost.") ? "whose other figures are set " : "";
}

/// What decides in the place of an idle setting, found by trying: what would have to be set, left out or
/// switched for it to count. So many are tried that a design of a thousand nodes is answered soon.
class Decider {
public:
    Decider(const Scenario& without, const Scenario& with, const Catalog& catalog, const std::string& path)
        : m_without(without), m_with(with), m_catalog(catalog), m_path(path),
          m_parameters(listParameters(with, catalog)) {}

    /// Among figures that go with it: those of the same owner whose keys begin alike (power_...,
    /// chassis_...), the same figure of other owners, as a sum is known where all its parts are, and of money
    /// all costs.
    std::string figure() const {
        const auto stem = [](const std::string& path) { return path.substr(0, path.find('_')); };
        const auto key = [](const std::string& path) { return path.substr(path.rfind('.') + 1); };
        const bool isMoney = key(m_path).find("usd") != std::string::npos;
        for (const auto& other : m_parameters)
            if (other.kind == ParameterKind::Number && other.path != m_path &&
                (stem(other.path) == stem(m_path) || key(other.path) == key(m_path) ||
                 (isMoney && other.path.starts_with("cost."))))
                if (auto why = tried(other); !why.empty())
                    return why;
        return {};
    }

    bool isOfMoneyOrPower() const {
        const auto own = std::find_if(m_parameters.begin(), m_parameters.end(),
                                      [&](const Parameter& one) { return one.path == m_path; });
        return m_path.starts_with("cost.") ||
               (own != m_parameters.end() && (own->spec.unit == "$" || own->spec.unit == "W"));
    }

    /// Among switches.
    std::string switches() const {
        for (const auto& other : m_parameters)
            if (other.kind == ParameterKind::Boolean)
                if (auto why = tried(other); !why.empty())
                    return why;
        return {};
    }

    /// What is set, where it comes to what holds without it.
    std::string same() const {
        const auto own = std::find_if(m_parameters.begin(), m_parameters.end(),
                                      [&](const Parameter& one) { return one.path == m_path; });
        if (own == m_parameters.end())
            return {};
        const auto before = parameterText(m_without, *own);
        if (own->kind == ParameterKind::Choice)
            return "it comes to the same here as " + (before.empty() ? "none" : before);
        if (!before.empty() || own->kind != ParameterKind::Number)
            return {};
        for (const double end : {own->spec.minimum, own->spec.maximum})
            if (differ(m_without, withNumber(m_with, *own, end)))
                return "it comes to the same as where it is not set";
        return {};
    }

private:
    const Scenario& m_without;
    const Scenario& m_with;
    const Catalog& m_catalog;
    const std::string& m_path;
    std::vector<Parameter> m_parameters;
    mutable int m_triesLeft = 64;

    static bool differ(const Scenario& one, const Scenario& other) {
        return !hasErrors(validate(one)) && !hasErrors(validate(other)) &&
               answerOf(one, evaluate(one)).figures != answerOf(other, evaluate(other)).figures;
    }

    static Scenario withNumber(Scenario design, const Parameter& parameter, double value) {
        resolveQuantity(design, parameter.path).access(design) = {
            value * parameter.spec.scale, Provenance::User, {}};
        return design;
    }

    /// Says that the setting counts with another parameter set, left out or switched over; empty where not.
    std::string tried(const Parameter& other) const {
        constexpr double kSome = 10.0;
        if (m_triesLeft-- <= 0)
            return {};
        const auto own = parameterText(m_with, other);
        const double least = other.spec.minimum;
        const double some = 0.5 * (least + std::min(other.spec.maximum, least + kSome));
        const bool isSwitch = other.kind == ParameterKind::Boolean;
        const std::string now = isSwitch       ? own == "true" ? "false" : "true"
                                : !own.empty() ? "none"
                                               : exactText(other.spec.integer ? std::round(some) : some);
        try {
            auto without = m_without, with = m_with;
            for (auto* design : {&without, &with})
                applyEdit(*design, setEdit(*design, m_catalog, other.path, now));
            if (!differ(without, with))
                return {};
        } catch (const Error&) { // it cannot be so
            return {};
        }
        return isSwitch       ? "it counts once " + other.path + " is " + now
               : !own.empty() ? other.path + " decides in its place"
                              : "it counts once " + other.path + " is set";
    }
};

} // namespace

std::string whyIdle(const Scenario& without, const Scenario& with, const Catalog& catalog,
                    const std::string& path) {
    if (with.serving.isSimulated()) {
        if (path.starts_with("serving."))
            return {}; // what the arrivals do not read is refused before
        auto steadyWith = with, steadyWithout = without;
        for (auto* design : {&steadyWith, &steadyWithout})
            design->serving.arrivals = arrivalsNamed("steady");
        auto why = whyIdle(steadyWithout, steadyWith, catalog, path);
        return why.empty() || servedAnswerOf(with) != servedAnswerOf(without) ? std::string() : why;
    }
    const auto now = evaluate(with);
    if (answerOf(with, now) != answerOf(without, evaluate(without)))
        return {};
    const Decider decider(without, with, catalog, path);
    if (auto why = decider.figure(); !why.empty())
        return why;
    if (auto why = whyOwnerIdles(with, now, path); !why.empty())
        return why;
    if (!isRead(with, path))
        return "nothing " + readerOf(with, path) + "reads it";
    if (auto why = decider.switches(); !why.empty())
        return why;
    if (auto why = decider.same(); !why.empty())
        return why;
    if (decider.isOfMoneyOrPower()) // a bound of time decides neither
        return "what it is taken together with is not set here";
    return "the limit is elsewhere: " + (now.feasible ? boundLabel(with, now) : now.reason);
}

} // namespace heteroscape::engine
