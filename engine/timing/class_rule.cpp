// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/timing/built_in.h"
#include "engine/units/units.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr double kReducedBytes = 2.0; // of an element that a collective carries

StepFormat formatOf(const WeightFormat& format) {
    if (format.id == "bf16")
        return StepFormat::Bf16;
    if (format.id == "nvfp4")
        return StepFormat::Fp4;
    return format.id.starts_with("fp8") || format.id == "mxfp8" || format.id == "int8" ? StepFormat::EightBit
                                                                                       : StepFormat::Unpacked;
}

StepFormat formatOf(const Runtime& runtime) {
    const double weights = runtime.weightBits.value, activations = runtime.activationBits.value;
    if (activations <= 4.0)
        return StepFormat::Fp4;
    if (activations <= 8.0)
        return StepFormat::EightBit;
    return weights < activations ? StepFormat::Unpacked : StepFormat::Bf16;
}

/// That of the linear operators which take most of the arithmetic.
StepFormat formatOf(const OperatorGraph& graph, const Machine& machine, const ClassFigures& figures) {
    const auto* recipe = graph.model().weights;
    if (!recipe)
        return formatOf(*machine.runtime);
    std::array<double, kStepFormats> flops{};
    for (const auto& op : graph.operators())
        if (op.kind == OperatorKind::Linear && op.weights > 0.0)
            flops[static_cast<std::size_t>(formatOf(recipe->of(op.part)))] +=
                op.repeat * op.flops.at(graph.shape().context);
    const auto most = static_cast<StepFormat>(std::max_element(flops.begin(), flops.end()) - flops.begin());
    return figures.peak(most) == figures.peak(most) ? most : StepFormat::Unpacked;
}

bool attends(const Operator& op) {
    return op.kind == OperatorKind::Attention || op.kind == OperatorKind::Index;
}

double decoding(const StepShape& shape) {
    if (shape.sequences.empty())
        return shape.phase == Phase::Decode ? shape.rows() / shape.queryTokens : 0.0;
    double count = 0.0;
    for (const auto& one : shape.sequences)
        count += one.decodes ? one.count : 0.0;
    return count;
}

/// How many times longer a maker's own kernels take than those of the mean maker, where they do.
struct Slower {
    double compute, memory, startSeconds;
};
Slower slowerThanMean(const ClassPrior& prior, std::string_view classId) {
    const auto* own = prior.find(classId);
    if (!own)
        return {1.0, 1.0, 0.0};
    return {std::max(1.0, prior.mean.compute / own->compute), std::max(1.0, prior.mean.memory / own->memory),
            std::max(0.0, own->startUs - prior.mean.startUs) * units::micro};
}

} // namespace

ClassRuleTiming::ClassRuleTiming(const OperatorGraph& graph, const Machine& machine, Phase phase)
    : PhaseTiming(graph, machine, phase), m_classes(shippedClasses()),
      m_class(m_classes.of(*machine.device)) {
    const auto figures = classFigures(*machine.device);
    m_format = formatOf(graph, machine, figures);
    m_rates = m_classes.step.rates(figures, m_format);
    m_factor = machine.device->classFactor.valueOr(m_classes.step.factor(m_class));
    const auto operators = graph.operators();
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const auto& op = operators[i];
        if (op.segment == Segment::Attention && (i == 0 || opensBlock(operators[i - 1], op)))
            m_layers += op.repeat;
        if (isCollective(op.kind)) {
            m_collectives += op.repeat * once(op);
            continue;
        }
        (attends(op) ? m_attentionFlops : m_flops) += op.flops * (op.repeat / m_rates.flops);
        (attends(op) ? m_attentionBytes : m_bytes) +=
            weightAndCacheBytes(op, machine) * (op.repeat / m_rates.bytes);
    }
    const double sequences = decoding(graph.shape());
    m_prompts = sequences <= 0.0;
    m_host = m_rates.host(m_layers, sequences, phase == Phase::Prefill ? graph.shape().rows() : 0.0);
}

double ClassRuleTiming::once(const Operator& op) const {
    const double transfer = machine().collective.transferSeconds(op, op.payload * kReducedBytes);
    return transfer > 0.0 ? m_rates.collectiveSeconds(transfer) : 0.0;
}

Tangent ClassRuleTiming::joined(Tangent flops, Tangent bytes) const {
    if (m_prompts)
        return max(flops, bytes);
    const double whole = std::hypot(flops.value, bytes.value);
    return {whole, whole > 0.0 ? (flops.value * flops.perKey + bytes.value * bytes.perKey) / whole : 0.0};
}

Tangent ClassRuleTiming::at(double context) const {
    const auto flops = m_flops + m_attentionFlops, bytes = m_bytes + m_attentionBytes;
    const auto work = joined({flops.at(context), flops.perKey}, {bytes.at(context), bytes.perKey});
    return (work + Tangent{m_host + m_collectives, 0.0}) * m_factor;
}

Bound ClassRuleTiming::boundAt(double context) const {
    const std::array<std::pair<double, Bound>, 4> spent{
        {{(m_flops + m_attentionFlops).at(context), Bound::Compute},
         {(m_bytes + m_attentionBytes).at(context), Bound::Memory},
         {m_host, Bound::LaunchFloor},
         {m_collectives, Bound::Network}}};
    return std::max_element(spent.begin(), spent.end(),
                            [](const auto& a, const auto& b) { return a.first < b.first; })
        ->second;
}

StepCost ClassRuleTiming::cost(double firstContext, double lastContext) const {
    // Convex: the largest of its tangents, which lie the closer the longer it grows by the square of a
    // stretch. Twelve, evenly apart on a log scale, are within 0.05 % from 1 key to 100,000.
    constexpr int kTangents = 12;
    StepCost cost;
    const auto add = [&](double context) {
        const auto tangent = at(context);
        cost.add(boundAt(context), {tangent.value - tangent.perKey * context, tangent.perKey});
    };
    const double low = std::max(1.0, firstContext);
    if (!(lastContext > low) || at(lastContext).perKey == at(firstContext).perKey) {
        add(firstContext);
        return cost;
    }
    for (int i = 0; i < kTangents; ++i)
        add(low * std::pow(lastContext / low, i / (kTangents - 1.0)));
    return cost;
}

void ClassRuleTiming::timesOf(const StepCost& step, double context, std::span<OperatorTime> out) const {
    const auto operators = graph().operators();
    double own = 0.0;
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const auto& op = operators[i];
        if (isCollective(op.kind)) {
            const double seconds = m_factor * op.repeat * once(op);
            out[i] = {seconds, seconds > 0.0 ? Bound::Network : Bound::None};
            continue;
        }
        const double flops = op.flops.at(context) / m_rates.flops,
                     bytes = weightAndCacheBytes(op, machine()).at(context) / m_rates.bytes;
        out[i] = {op.repeat * std::hypot(flops, bytes), flops > bytes ? Bound::Compute : Bound::Memory};
        own += out[i].seconds;
    }
    const double rest = step.at(context) - m_factor * m_collectives; // the host's time goes with the work
    for (std::size_t i = 0; own > 0.0 && i < operators.size(); ++i)
        if (!isCollective(operators[i].kind))
            out[i].seconds *= rest / own;
}

void ClassRuleTiming::operatorTimes(double context, std::span<OperatorTime> out) const {
    timesOf(cost(context, context), context, out);
}

Term ClassRuleTiming::explainWithin(Contexts contexts, double context) const {
    std::array<OperatorTime, OperatorGraph::kCapacity> times;
    timesOf(cost(contexts.first, contexts.last), context, times);
    return sum("Operators", measures::milliseconds, ofStep(termsOf(context, times)));
}

double ClassRuleTiming::collectiveOnce(std::size_t op) const {
    return m_factor * once(graph().operators()[op]);
}

Term ClassRuleTiming::explainCollective(std::size_t op) const {
    const double seconds = collectiveOnce(op);
    if (!(seconds > 0.0))
        return {};
    return Term::counted(std::string(graph().operators()[op].label), seconds, measures::microseconds,
                         modelText() + ", bound by " + std::string(boundLabel(Bound::Network)))
        .expecting(errorAt(graph().shape().context));
}

OperatorPeak ClassRuleTiming::peakOf(std::size_t op) const {
    const auto& device = *machine().device;
    const double peak = classFigures(device).peak(m_format);
    const std::array<std::string_view, kStepFormats> names{"FP16", device.peakFp8.isSet() ? "FP8" : "INT8",
                                                           "FP4", "FP16"};
    return peak == machine().peakFlops ? PhaseTiming::peakOf(op)
                                       : OperatorPeak{peak, names[static_cast<std::size_t>(m_format)]};
}

double ClassRuleTiming::slower(double context) const {
    const auto& device = *machine().device;
    if (m_classes.step.knows(m_class) || device.classFactor.isSet() || device.classMemory.isSet())
        return 1.0; // whole runs, or its own kernels, have them in
    const bool narrow = m_format == StepFormat::EightBit || m_format == StepFormat::Fp4;
    const auto products =
        slowerThanMean(m_classes.prior(narrow ? ClassKernel::Gemm8 : ClassKernel::Gemm16), m_class);
    const auto attention =
        slowerThanMean(m_classes.prior(phase() == Phase::Prefill ? ClassKernel::AttentionContext
                                                                 : ClassKernel::AttentionGeneration),
                       m_class);
    // Which of the two bounds an attention kernel the sums of a step do not say.
    const double attending = std::max(attention.compute, attention.memory);
    const auto own =
        joined({m_flops.at(context) * products.compute + m_attentionFlops.at(context) * attending, 0.0},
               {m_bytes.at(context) * products.memory + m_attentionBytes.at(context) * attending, 0.0});
    const double rest = m_host + m_collectives;
    return (own.value + rest + m_layers * attention.startSeconds) * m_factor / at(context).value;
}

ExpectedError ClassRuleTiming::errorAt(double context) const {
    if (const auto& own = machine().device->classBand; own.isSet())
        return ExpectedError::within(std::log1p(own.value));
    const double apart = kBandWidth * m_classes.step.sd(m_class);
    return ExpectedError::byRule(apart, apart + std::log(std::max(1.0, slower(context))));
}

void ClassRuleTiming::operatorErrors(double context, std::span<ExpectedError> out) const {
    const auto error = errorAt(context);
    for (std::size_t i = 0; i < graph().operators().size(); ++i)
        out[i] = error;
}

namespace {

class ClassRuleModel final : public TimingModel {
public:
    ClassRuleModel()
        : TimingModel(
              "class_rule", "Rule of its class",
              "What steps took on other accelerators, as shares of their peaks and host time, with the "
              "factor of the maker: of devices that nobody measured. 80 % of whole runs of makers that "
              "were left out lay within 1.6 times, either way.") {}
    bool isByClass() const override { return true; }
    bool timesLayeredForm(const Model& model) const override { return model.isMixture(); }
    std::uint64_t constantsHash() const override { return shippedClasses().fingerprint; }
    std::string_view constantsOn(const Device& device) const override { return shippedClasses().of(device); }

    std::optional<Refusal> refusal(const Runtime& runtime) const override {
        shippedClasses(); // read now, not when a step is timed
        return refusalUnlessFused(*this, runtime);
    }
    std::optional<Refusal> refusalOn(const Runtime& runtime, const Device& device) const override {
        const double peak = classFigures(device).peak(formatOf(runtime));
        if (peak == peak)
            return std::nullopt;
        return Refusal{"peak_fp16_tflops", device.name + " has no published peak in this precision",
                       "Set its peak, or choose 16-bit activations"};
    }
    void time(TimingRoom& room, const OperatorGraph& graph, const Machine& machine,
              Phase phase) const override {
        room.emplace<ClassRuleTiming>(graph, machine, phase);
    }
};

} // namespace

const TimingModel& classRuleModel() {
    static const ClassRuleModel model;
    return model;
}

} // namespace heteroscape::engine
