// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/function_timing.h"

#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace heteroscape::python {

namespace py = pybind11;
using namespace heteroscape::engine;

namespace {

constexpr std::array<std::string_view, 19> kOperatorNames{
    "norm",       "linear",     "rope",           "positions",  "cache_append", "scores",      "softmax",
    "weighted",   "residual",   "activation",     "attention",  "index",        "convolution", "embedding",
    "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "send"};
static_assert(static_cast<std::size_t>(OperatorKind::Send) + 1 == kOperatorNames.size());

/// What is wrong with an answer of a function is raised as what the function itself raises: no place of the
/// engine takes it for a design that cannot be timed.
[[noreturn]] void refuse(const std::string& model, const std::string& what) {
    throw py::value_error("timing model \"" + model + "\": " + what);
}

Bound boundNamed(const std::string& name, const std::string& model) {
    std::string known;
    for (std::size_t i = 0; i < kBoundCount; ++i) {
        const auto bound = static_cast<Bound>(i);
        if (boundName(bound) == name)
            return bound;
        known.append(known.empty() ? "" : ", ").append(boundName(bound));
    }
    refuse(model, "no such bound: \"" + name.substr(0, 80) + "\". Allowed: " + known);
}

/// What the function of a model says of an operator, once. With Python's lock.
OperatorTime askFunction(const py::object& function, const std::string& model, const Operator& op,
                         const Machine& machine, const py::object& told, double context) {
    const py::object answer = function(TimedOperator(op, machine, context), told);
    OperatorTime time{0.0, Bound::Network};
    if (!isCollective(op.kind))
        time.bound =
            op.flops.at(context) / machine.peakFlops > machine.bytes(op).at(context) / machine.peakBandwidth
                ? Bound::Compute
                : Bound::Memory;
    py::object seconds = answer;
    if (py::isinstance<py::tuple>(answer) && py::len(answer) == 2) {
        seconds = answer[py::int_(0)];
        time.bound = boundNamed(py::str(answer[py::int_(1)]), model);
    }
    time.seconds = PyFloat_AsDouble(seconds.ptr());
    if (PyErr_Occurred())
        throw py::error_already_set();
    if (!std::isfinite(time.seconds) || time.seconds < 0.0)
        refuse(model, "says " + exactText(time.seconds) + " s of " + std::string(op.key) +
                          ". Give seconds: a number, 0 or more");
    return time;
}

} // namespace

TimedOperator::TimedOperator(const Operator& op, const Machine& machine, double keys)
    : key(op.key), kind(kOperatorNames[static_cast<std::size_t>(op.kind)]), segment(segmentName(op.segment)),
      repeat(op.repeat), context(keys), flops(op.flops.at(keys)), bytes(machine.bytes(op).at(keys)),
      weightBytes(op.storedWeights() * machine.weightBytes + op.vectorWeights * machine.activationBytes),
      kvBytes(op.kv.at(keys) * machine.kvBytes), rows(op.gemm.rows), inner(op.gemm.inner),
      columns(op.gemm.columns), experts(op.gemm.experts), payloadBytes(op.payload * machine.activationBytes),
      ranks(op.ranks > 0.0 ? op.ranks : machine.collective.devices) {}

TimedMachine::TimedMachine(const OperatorGraph& graph, const Machine& machine, Phase at)
    : phase(phaseName(at)), device(machine.device->id), peakFlops(machine.peakFlops),
      peakBandwidth(machine.peakBandwidth), weightBytes(machine.weightBytes),
      activationBytes(machine.activationBytes), kvBytes(machine.kvBytes), devices(machine.collective.devices),
      linkBandwidth(machine.collective.bandwidth), linkLatency(machine.collective.latency),
      batch(graph.shape().batch), queryTokens(graph.shape().queryTokens) {
    for (const auto& field : deviceFields())
        if (const auto& quantity = *machine.device.*field.member; quantity.isSet())
            figures[py::str(std::string(field.spec.key))] = shownValue(quantity.value, field.spec.scale);
    const auto& timing = machine.runtime->timing(at);
    const auto parameters = timing.kind->parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i)
        settings[py::str(std::string(parameters[i].spec.key))] =
            shownValue(timing.settings[i], parameters[i].spec.scale);
}

/// The timing of one phase by such a model.
class FunctionPhase final : public PhaseTiming {
public:
    FunctionPhase(const OperatorGraph& graph, const Machine& machine, Phase phase, const FunctionTiming& kind)
        : PhaseTiming(graph, machine, phase), m_kind(kind) {
        if (kind.m_asksBase)
            m_base = std::make_unique<Base>(graph, machine, phase, kind.baseTiming(settings()));
        const py::gil_scoped_acquire held;
        m_told = py::cast(TimedMachine(graph, machine, phase));
    }
    ~FunctionPhase() override {
        const py::gil_scoped_acquire held;
        m_told = py::object();
    }
    FunctionPhase(const FunctionPhase&) = delete;
    FunctionPhase& operator=(const FunctionPhase&) = delete;

    StepCost cost(double firstContext, double lastContext) const override;
    void operatorTimes(double context, std::span<OperatorTime> out) const override;
    void operatorErrors(double context, std::span<ExpectedError> out) const override {
        if (m_base)
            base().operatorErrors(context, out);
    }
    double collectiveOnce(std::size_t op) const override;
    Term explainCollective(std::size_t op) const override;

    // What a base model moves.
    Affine movedBytes() const override { return m_base ? base().movedBytes() : PhaseTiming::movedBytes(); }
    OperatorSums sums() const override { return m_base ? base().sums() : PhaseTiming::sums(); }
    Traffic traffic(const Operator& op) const override {
        return m_base ? base().traffic(op) : PhaseTiming::traffic(op);
    }
    Affine bytesOf(std::size_t op) const override {
        return m_base ? base().bytesOf(op) : PhaseTiming::bytesOf(op);
    }
    OperatorPeak peakOf(std::size_t op) const override {
        return m_base ? base().peakOf(op) : PhaseTiming::peakOf(op);
    }
    double l2Roof() const override { return m_base ? base().l2Roof() : PhaseTiming::l2Roof(); }
    double loadUtilisation() const override {
        return m_base ? base().loadUtilisation() : PhaseTiming::loadUtilisation();
    }

private:
    /// The base model at the same step, under a runtime that names it.
    struct Base {
        Runtime runtime;
        Machine machine;
        TimingRoom timing;
        Base(const OperatorGraph& graph, const Machine& of, Phase phase, Timing its)
            : runtime(*of.runtime), machine(of) {
            runtime.timing(phase) = std::move(its);
            machine.runtime = &runtime;
            timePhase(timing, graph, machine, phase);
        }
    };
    /// The step at one context.
    struct Sample {
        double context;
        double seconds;
        Bound bound; ///< of most of it
    };

    const FunctionTiming& m_kind;
    std::unique_ptr<Base> m_base;
    py::object m_told;

    const PhaseTiming& base() const { return *m_base->timing; }
    bool asks(const Operator& op) const {
        return !(isCollective(op.kind) ? m_kind.m_collective : m_kind.m_seconds).is_none();
    }
    OperatorTime ask(const Operator& op, double context) const {
        return askFunction(isCollective(op.kind) ? m_kind.m_collective : m_kind.m_seconds,
                           std::string(m_kind.id()), op, machine(), m_told, context);
    }
    Sample sampleAt(double context) const;

    /// Lines through contexts on their way.
    struct Lines {
        StepCost cost;
        bool isEmpty = true;
        double end = 0.0;
        int samples = 0;
        /// The line through both, for contexts up to the second, or up to `until`.
        void add(const Sample& first, const Sample& last, double until = 0.0);
    };
    Sample sample(Lines& lines, double context) const {
        ++lines.samples;
        return sampleAt(context);
    }
    void follow(Lines& lines, const Sample& first, const Sample& last) const;
    double offLine(Lines& lines, const Sample& first, const Sample& last) const;
    bool isKinked(Lines& lines, const Sample& first, const Sample& last) const;
};

void FunctionPhase::operatorTimes(double context, std::span<OperatorTime> out) const {
    if (m_base)
        base().operatorTimes(context, out);
    const auto operators = graph().operators();
    const py::gil_scoped_acquire held;
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const auto& op = operators[i];
        const bool alone = isCollective(op.kind) && !(machine().collective.devices > 1.0);
        if (op.offloaded || alone) {
            out[i] = {};
        } else if (asks(op)) {
            out[i] = ask(op, context);
            out[i].seconds *= op.repeat;
        } else if (!m_base) {
            out[i] = {op.repeat * machine().collectiveSeconds(op), Bound::Network};
        }
    }
}

FunctionPhase::Sample FunctionPhase::sampleAt(double context) const {
    std::array<OperatorTime, OperatorGraph::kCapacity> times;
    operatorTimes(context, times);
    std::array<double, kBoundCount> spent{};
    double seconds = 0.0;
    for (std::size_t i = 0; i < graph().operators().size(); ++i) {
        seconds += times[i].seconds;
        spent[static_cast<std::size_t>(times[i].bound)] += times[i].seconds;
    }
    const auto most = std::max_element(spent.begin(), spent.end()) - spent.begin();
    return {context, seconds, static_cast<Bound>(most)};
}

namespace {

constexpr double kExact = 1e-11; ///< what differs by less is rounding
constexpr double kSmooth = 1e-5;
constexpr int kMostSamples = 20000;

} // namespace

void FunctionPhase::Lines::add(const Sample& first, const Sample& last, double until) {
    const double apart = last.context - first.context;
    const double perKey = apart > 0.0 ? (last.seconds - first.seconds) / apart : 0.0;
    StepCost line;
    line.add(first.bound, {first.seconds - perKey * first.context, perKey});
    if (isEmpty)
        cost = line;
    else
        cost.append(end, line);
    isEmpty = false;
    end = std::max(until, last.context);
}

/// How far the step is from the line between two contexts, as a share of it: asked at two places that nothing
/// makes alike.
double FunctionPhase::offLine(Lines& lines, const Sample& first, const Sample& last) const {
    const double apart = last.context - first.context;
    double most = 0.0;
    for (const double share : {0.5, 0.27}) {
        const double part = std::max(1.0, std::floor(share * apart));
        if (part >= apart)
            continue;
        const auto there = sample(lines, first.context + part);
        const double line = first.seconds + (last.seconds - first.seconds) * (part / apart);
        if (there.seconds != line)
            most = std::max(most, std::fabs(there.seconds - line) / std::max(there.seconds, line));
    }
    return most;
}

/// Adds two lines where the step is two lines that meet.
bool FunctionPhase::isKinked(Lines& lines, const Sample& first, const Sample& last) const {
    const double apart = last.context - first.context;
    if (apart < 8.0)
        return false;
    const double rise = sample(lines, first.context + 1.0).seconds - first.seconds;
    const double lastRise = last.seconds - sample(lines, last.context - 1.0).seconds;
    const double meet = (last.seconds - first.seconds - lastRise * apart) / (rise - lastRise);
    if (!(meet >= 2.0 && meet <= apart - 2.0)) // also where the two rise alike
        return false;
    const auto isOn = [](const Sample& there, const Sample& from, double rises) {
        const double line = from.seconds + rises * (there.context - from.context);
        return std::fabs(there.seconds - line) <= 1e-8 * there.seconds; // from a rise of one key
    };
    const auto before = sample(lines, first.context + std::floor(meet));
    if (!isOn(before, first, rise))
        return false;
    const auto after = sample(lines, before.context + 1.0);
    if (!isOn(after, last, lastRise) || offLine(lines, first, before) > kExact ||
        offLine(lines, after, last) > kExact)
        return false;
    lines.add(first, before);
    lines.add(after, last);
    return true;
}

void FunctionPhase::follow(Lines& lines, const Sample& first, const Sample& last) const {
    const double apart = last.context - first.context;
    const double off = apart > 1.0 ? offLine(lines, first, last) : 0.0;
    if (off <= kExact || isKinked(lines, first, last)) {
        if (off <= kExact)
            lines.add(first, last);
        return;
    }
    const double middle = 0.5 * (first.context + last.context);
    if (off <= kSmooth || lines.samples > kMostSamples) {
        // The mean of a cubic over n contexts is that of its values at these two places.
        const double aside = std::sqrt(apart * (apart + 2.0) / 12.0);
        lines.add(sample(lines, middle - aside), sample(lines, middle + aside), last.context);
        return;
    }
    const auto half = sample(lines, first.context + std::floor(0.5 * apart));
    follow(lines, first, half);
    follow(lines, sample(lines, half.context + 1.0), last);
}

StepCost FunctionPhase::cost(double firstContext, double lastContext) const {
    Lines lines;
    const auto first = sample(lines, firstContext);
    if (lastContext > firstContext)
        follow(lines, first, sample(lines, lastContext));
    else
        lines.add(first, first);
    return lines.cost;
}

double FunctionPhase::collectiveOnce(std::size_t op) const {
    const auto& of = graph().operators()[op];
    if (asks(of) && machine().collective.devices > 1.0) {
        const py::gil_scoped_acquire held;
        return ask(of, graph().shape().context).seconds;
    }
    return m_base ? base().collectiveOnce(op) : PhaseTiming::collectiveOnce(op);
}

Term FunctionPhase::explainCollective(std::size_t op) const {
    const auto& of = graph().operators()[op];
    if (asks(of) && machine().collective.devices > 1.0)
        return Term::counted(std::string(of.label), collectiveOnce(op), measures::microseconds, modelText());
    return m_base ? base().explainCollective(op) : PhaseTiming::explainCollective(op);
}

FunctionTiming::FunctionTiming(std::string_view id, std::string_view label, std::string_view about,
                               std::span<const FunctionParameter> parameters, py::object seconds,
                               py::object collective, const TimingModel& base)
    : TimingModel(id, label, about), m_seconds(std::move(seconds)), m_collective(std::move(collective)),
      m_base(base), m_asksBase(m_seconds.is_none()) {
    if (m_asksBase)
        m_parameters.assign(base.parameters().begin(), base.parameters().end());
    for (const auto& one : parameters)
        m_parameters.push_back({{one.key, one.label, one.unit, 1.0, one.minimum, one.maximum, false,
                                 !std::isnan(one.initial), one.about},
                                one.initial});
    std::random_device random;
    m_hash = (std::uint64_t{random()} << 32U | random()) | 1U;
}

void FunctionTiming::time(TimingRoom& room, const OperatorGraph& graph, const Machine& machine,
                          Phase phase) const {
    room.emplace<FunctionPhase>(graph, machine, phase, *this);
}

Timing FunctionTiming::baseTiming(const Settings& settings) const {
    Timing timing(m_base);
    for (std::size_t i = 0; i < timing.settings.size(); ++i)
        timing.settings.quantity(i) = settings.quantity(i);
    for (std::size_t i = 0; i < m_base.options().size(); ++i)
        timing.settings.switchOn(i, settings.isOn(i));
    return timing;
}

std::span<const KindOption> FunctionTiming::options() const {
    return m_asksBase ? m_base.options() : TimingModel::options();
}
std::span<const TimingKind::DeviceNeed> FunctionTiming::deviceNeeds() const {
    return m_asksBase ? m_base.deviceNeeds() : TimingModel::deviceNeeds();
}
std::optional<TimingKind::Refusal> FunctionTiming::refusal(const Runtime& runtime) const {
    return m_asksBase ? m_base.refusal(runtime) : std::nullopt;
}
std::optional<TimingKind::Refusal> FunctionTiming::refusalOn(const Runtime& runtime,
                                                             const Device& device) const {
    return m_asksBase ? m_base.refusalOn(runtime, device) : std::nullopt;
}
std::optional<TimingKind::Refusal> FunctionTiming::refusalOf(const Model& model) const {
    return m_asksBase ? m_base.refusalOf(model) : std::nullopt;
}
std::optional<TimingKind::Refusal> FunctionTiming::refusalFor(const Runtime& runtime, const Device& device,
                                                              const Model& model) const {
    return m_asksBase ? m_base.refusalFor(runtime, device, model) : std::nullopt;
}
std::string_view FunctionTiming::constantsOn(const Device& device) const {
    return m_asksBase ? m_base.constantsOn(device) : TimingModel::constantsOn(device);
}
double FunctionTiming::devicesOfNode(const Device& device) const {
    return m_asksBase ? m_base.devicesOfNode(device) : TimingModel::devicesOfNode(device);
}
bool FunctionTiming::timesLayeredForm(const Model& model) const {
    return m_asksBase && m_base.timesLayeredForm(model);
}
double FunctionTiming::weightOverhead(const Settings& settings) const {
    return m_asksBase ? m_base.weightOverhead(baseTiming(settings).settings) : 1.0;
}
double FunctionTiming::computeShare(const Settings& settings) const {
    return m_asksBase ? m_base.computeShare(baseTiming(settings).settings) : 1.0;
}
double FunctionTiming::memoryShare(const Settings& settings) const {
    return m_asksBase ? m_base.memoryShare(baseTiming(settings).settings) : 1.0;
}

} // namespace heteroscape::python
