// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/built_in.h"

#include "engine/base/error.h"
#include "engine/timing/kernels/own_constants.h"
#include "engine/timing/layered_step_kernels.h"
#include "engine/timing/machine.h"
#include "engine/timing/step_kernels.h"
#include "engine/units/units.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace heteroscape::engine {

namespace {

enum : std::size_t { kHostLaunch };
enum Option : std::size_t { kStaticScales, kBlockScales };

/// Constants of the installation, or with those of the runtime in their place.
class Constants {
public:
    explicit Constants(const Runtime& runtime)
        : m_own(runtime.ownKernels ? kernelsWith(runtime.ownKernels) : nullptr) {}
    const KernelCatalog& operator*() const { return m_own ? *m_own : shippedKernels(); }

private:
    std::shared_ptr<const KernelCatalog> m_own;
};

std::string_view recipeFor(const Runtime& runtime, const Settings& settings, std::string_view arch) {
    const double weights = runtime.weightBits.value;
    const double activations = runtime.activationBits.value;
    if (weights == 16.0 && activations == 16.0)
        return "bf16";
    if (weights == 8.0 && activations == 16.0)
        return "int8_wo";
    if (weights == 8.0 && activations == 8.0)
        return arch == "ampere"               ? "sq"
               : settings.isOn(kBlockScales)  ? "fp8_block"
               : settings.isOn(kStaticScales) ? "fp8_static"
                                              : "fp8";
    if (weights == 4.0 && activations == 16.0)
        return "int4_wo";
    if (weights == 4.0 && activations == 4.0)
        return "nvfp4";
    throw Error(
        ErrorCode::InvalidInput, "runtime.weight_bits", "no kernels of this precision were measured",
        "Set weight_bits and activation_bits to 16 and 16, 8 and 16, 8 and 8 (FP8, or INT8 on Ampere), 4 "
        "and 16, or 4 and 4");
}

constexpr std::string_view kThroughHost = "pcie4", kPeers = "pcie5"; ///< families of PCIe

/// Link family of a type of link whose constants are known; empty for others.
std::string_view familyOf(const LinkType& link) {
    struct Family {
        std::string_view start, id;
    };
    constexpr std::array<Family, 7> families{{{"nvlink3", "nvlink3"},
                                              {"nvlink4", "nvlink4"},
                                              {"nvlink5", "nvlink5"},
                                              {"pcie-gen3", kThroughHost},
                                              {"pcie-gen4", kThroughHost},
                                              {"pcie-gen5", kPeers},
                                              {"pcie-gen6", kPeers}}};
    for (const auto& family : families)
        if (std::string_view(link.id).starts_with(family.start))
            return family.id;
    return {};
}

/// Whether a figure is another than the measured GPU's: roundings of datasheets are not.
bool differs(double figure, double measured) {
    constexpr double kRounding = 0.03;
    return std::fabs(figure - measured) > kRounding * measured;
}

/// FP8 and FP4 follow FP16, SMs and clock: peak_int8_tops is no FP8 rate where a chip has cut its INT8.
double peakOr(const Device& device, Quantity Device::*peak, Quantity Device::*rate, double following) {
    if (!(device.*peak).isSet() && !(device.*rate).isSet())
        return following;
    const double own = devicePeak(device, peak);
    return own == own ? own / units::tera : following;
}

/// The measured GPU that the device names, with the device's own figures.
Gpu gpuOf(const KernelCatalog& catalog, const Device& device, const Collective& collective) {
    const auto& measured = catalog.gpu(device.kernels);
    auto gpu = measured;
    auto& figures = gpu.figures;
    double ratio = device.peakFp16.value / units::tera / figures.peak(Rate::Bf16);
    const bool cores = device.sms.isSet() || device.clock.isSet() || device.fp16PerClock.isSet();
    if (cores) {
        const double fp16 = devicePeak(device, &Device::peakFp16) / units::tera;
        figures.sms = device.sms.valueOr(figures.sms);
        figures.clockGhz = device.clock.isSet() ? device.clock.value / units::giga : figures.clockGhz;
        const bool ownPeak = !device.peakFp16.isSet() || fp16 == device.peakFp16.value / units::tera;
        const double scale =
            figures.sms / measured.figures.sms * (figures.clockGhz / measured.figures.clockGhz);
        ratio = ownPeak ? scale : ratio * scale;
        for (auto& peak : figures.tflops)
            peak *= ratio;
        figures.tflops[static_cast<std::size_t>(Rate::Bf16)] = fp16;
    } else {
        for (auto& peak : figures.tflops)
            peak *= ratio;
    }
    auto& fp8 = figures.tflops[static_cast<std::size_t>(Rate::Fp8)];
    auto& fp4 = figures.tflops[static_cast<std::size_t>(Rate::Fp4)];
    fp8 = peakOr(device, &Device::peakFp8, &Device::fp8PerClock, fp8);
    fp4 = peakOr(device, &Device::peakFp4, &Device::fp4PerClock, fp4);
    figures.mufuClk = device.expPerClock.valueOr(figures.mufuClk);
    figures.hbmTbs = device.memoryBandwidth.value / units::tera;
    figures.l2Mb = device.l2Capacity.isSet() ? device.l2Capacity.value / units::MB : figures.l2Mb;
    for (const auto figure : {&GpuFigures::sms, &GpuFigures::clockGhz, &GpuFigures::hbmTbs, &GpuFigures::l2Mb,
                              &GpuFigures::mufuClk})
        gpu.edited = gpu.edited || differs(figures.*figure, measured.figures.*figure);
    for (std::size_t rate = 0; rate < kRates; ++rate)
        gpu.edited = gpu.edited || differs(figures.tflops[rate], measured.figures.tflops[rate]);
    if (collective.devices > 1.0 && collective.bandwidth > 0.0) {
        if (collective.link)
            if (const auto family = familyOf(*collective.link); !family.empty())
                gpu.link = family;
        const bool pcie = gpu.link == kThroughHost || gpu.link == kPeers;
        if (pcie && collective.peer >= 0.0)
            gpu.link = collective.peer > 0.0 ? kPeers : kThroughHost;
        constexpr double kCarried = 0.75; // of PCIe's raw rate, in which its constants count
        figures.linkGbs = collective.bandwidth / units::giga / (pcie ? kCarried : 1.0);
        figures.linkUs = collective.latency / units::micro;
        if (collective.network.bandwidth > 0.0) {
            figures.networkGbs = collective.network.bandwidth / units::giga;
            figures.networkUs = collective.network.latency / units::micro;
            gpu.perNode = std::min(gpu.perNode, collective.network.domain);
        }
        gpu.linkEdited = gpu.link != measured.link || differs(figures.linkGbs, measured.figures.linkGbs);
    }
    return gpu;
}

DenseServing servingOf(const Runtime& runtime, const Settings& settings, std::string_view framework,
                       std::string_view arch, double ranks) {
    DenseServing serving;
    serving.framework = framework;
    serving.recipe = recipeFor(runtime, settings, arch);
    serving.fp8Cache = runtime.kvBits.value == 8.0;
    serving.ranks = ranks;
    return serving;
}

Bound boundOf(KernelBound bound) {
    constexpr std::array<Bound, kKernelBounds> bounds{Bound::LaunchFloor, Bound::Compute, Bound::Compute,
                                                      Bound::L2,          Bound::Memory,  Bound::Waves,
                                                      Bound::Latency,     Bound::Network, Bound::Network};
    return bounds[static_cast<std::size_t>(bound)];
}

/// The kernels of a runtime on a device, of each of its frameworks, for graphs of one model and layout.
class RuntimeKernels {
public:
    RuntimeKernels(const Runtime& runtime, const Settings& settings, const Device& device,
                   const Collective& collective, std::span<const std::string_view> frameworks)
        : m_runtime(runtime), m_settings(settings), m_constants(runtime),
          m_gpu(gpuOf(*m_constants, device, collective)), m_frameworks(frameworks) {}
    RuntimeKernels(const Machine& machine, Phase phase, std::span<const std::string_view> frameworks)
        : RuntimeKernels(*machine.runtime, machine.runtime->timing(phase).settings, *machine.device,
                         machine.collective, frameworks) {}
    RuntimeKernels(const RuntimeKernels&) = delete;
    RuntimeKernels& operator=(const RuntimeKernels&) = delete;

    const Gpu& gpu() const { return m_gpu; }
    std::size_t frameworks() const { return m_frameworks.size(); }

    /// Calls visit(StepKernels) for each framework; see there.
    template <class Visit>
    void forFrameworks(const OperatorGraph& graph, const StepShape& shape, const OperatorSet& which,
                       Visit visit) {
        for (std::size_t i = 0; i < m_frameworks.size(); ++i)
            visit(graph.model().isUniform() ? StepKernels(graph, dense(i, graph), shape, which)
                                            : layeredStepKernels(graph, layered(i, graph), shape, which));
    }

private:
    const Runtime& m_runtime;
    const Settings& m_settings;
    Constants m_constants;
    Gpu m_gpu;
    std::span<const std::string_view> m_frameworks;
    std::array<std::shared_ptr<const ServedKernels>, kKernelFrameworks.size()> m_dense;
    std::array<std::optional<LayeredServing>, kKernelFrameworks.size()> m_layered;

    DenseServing serving(std::size_t framework, double ranks) const {
        return servingOf(m_runtime, m_settings, m_frameworks[framework], m_gpu.arch, ranks);
    }
    const ServedKernels& dense(std::size_t framework, const OperatorGraph& graph) {
        auto& kernels = m_dense[framework];
        if (!kernels)
            kernels = keptKernels(*m_constants, m_gpu, serving(framework, graph.shape().devices),
                                  graph.shard().heads != graph.shard().kvHeads);
        return *kernels;
    }
    LayeredServing& layered(std::size_t framework, const OperatorGraph& graph) {
        auto& serving = m_layered[framework];
        if (!serving)
            serving.emplace(LayeredServing{&*m_constants, &m_gpu,
                                           this->serving(framework, graph.shape().layout.tp),
                                           m_settings.isOn(kStaticScales)});
        return *serving;
    }
};

OperatorSet allOf(const OperatorGraph& graph) {
    OperatorSet all;
    for (std::size_t i = 0; i < graph.operators().size(); ++i)
        all.insert(i);
    return all;
}

/// What a server makes of the kernels of each operator (see Server).
using ServerFactors = SmallList<double, 32>;

ServerFactors inServer(const OperatorGraph& graph, const Server* server) {
    ServerFactors factors;
    for (const auto& op : graph.operators()) {
        auto& factor = factors.add(1.0);
        if (!server || op.segment == Segment::Head)
            continue;
        factor = server->kernels.value;
        if (op.key == "experts")
            factor *= server->experts.value;
        if (graph.shape().phase == Phase::Prefill && graph.shape().layout.dp > 1.0)
            factor *= server->parallelPrompts.value;
    }
    return factors;
}

/// Once each, of the fastest framework so far, and what they are in a server.
using OnceKernels = SmallList<OperatorKernels, 32>;

void takeFaster(OnceKernels& once, StepKernels& step, const OperatorSet& which,
                const ServerFactors& factors) {
    which.forEach([&](std::size_t i) { step.operators[i].scaleTime(factors[i]); });
    if (once.size() == 0) {
        once = step.operators;
        return;
    }
    which.forEach([&](std::size_t i) {
        if (step.operators[i].time.us < once[i].time.us)
            once[i] = step.operators[i];
    });
}

/// Of the operators that hang on one part of a step, all repeats.
struct PartSum {
    double seconds = 0.0;
    double launches = 0.0; ///< kernels

    void add(const Operator& op, const OperatorKernels& once) {
        launches += op.repeat * once.launches;
        seconds += op.repeat * once.time.us * units::micro;
    }
};
using PartSums = std::array<PartSum, kStepParts>;

/// One order for all, so that a step comes to the same however its parts are known.
PartSum total(const PartSums& parts) {
    PartSum sum;
    for (const auto& part : parts) {
        sum.seconds += part.seconds;
        sum.launches += part.launches;
    }
    return sum;
}

/// A step by its context: all of it but the attention of a decode summed up, and that as kernels.
class StepOverContexts {
public:
    /// `once`: what the operators are, parallel to the graph's.
    StepOverContexts(const OperatorGraph& graph, const Machine& machine, Phase phase, RuntimeKernels& kernels,
                     OnceKernels& once)
        : m_host(machine.runtime->timing(phase).settings[kHostLaunch]) {
        const auto all = allOf(graph);
        const auto factors = inServer(graph, machine.server);
        kernels.forFrameworks(graph, graph.shape(), all, [&](StepKernels step) {
            takeFaster(once, step, all, factors);
            for (const auto& context : step.contexts.span()) {
                const auto& op = graph.operators()[context.op];
                if (!find(context.op))
                    m_attending.add({context.op, op.repeat, factors[context.op]});
                m_contexts.add(context);
                m_stepped = m_stepped || context.isStepped();
            }
        });
        sumUp(graph, once);
    }

    struct Attending { ///< an operator that attends
        std::size_t op;
        double repeat;
        double inServer;
    };
    const Attending* find(std::size_t op) const { ///< null: another operator
        for (const auto& one : m_attending.span())
            if (one.op == op)
                return &one;
        return nullptr;
    }

    struct Fastest {
        const ContextKernel* kernel = nullptr;
        KernelTime time{std::numeric_limits<double>::infinity()};
    };
    /// The attention of one operator, once, of the fastest framework there.
    Fastest fastest(const Attending& one, double context, bool smooth) const {
        Fastest best;
        for (const auto& known : m_contexts.span()) {
            if (known.op != one.op)
                continue;
            auto time = known.at(context, smooth);
            time.us = (time.us + known.before) * one.inServer;
            if (time.us < best.time.us)
                best = {&known, time};
        }
        return best;
    }

    ContextStretch stretchFrom(double first, double last) const {
        for (const auto& context : m_contexts.span())
            last = std::min(last, std::max(first, context.last(first)));
        return decodes() ? ContextStretch::from(first, last, m_stepped) : ContextStretch{first, last};
    }

    StepCost lineOver(const ContextStretch& stretch) const {
        const double middle = stretch.middle(), apart = stretch.apart();
        const bool blocks = stretch.ofBlocks();
        StepCost cost;
        if (apart > 0.0 && decodes()) {
            const double low = attentionSeconds(middle - apart, blocks),
                         high = attentionSeconds(middle + apart, blocks);
            const double perKey = (high - low) / (2.0 * apart);
            cost.add(boundAt(middle), {m_fixed + 0.5 * (low + high) - perKey * middle, perKey});
        } else {
            cost.add(boundAt(middle), {m_fixed + attentionSeconds(middle, blocks), 0.0});
        }
        if (m_host > 0.0)
            cost.add(Bound::LaunchFloor, {m_launches * m_host, 0.0});
        return cost;
    }

    StepCost cost(double firstContext, double lastContext) const {
        StepCost whole;
        for (double first = firstContext, before = 0.0; first <= lastContext; first = before + 1.0) {
            const auto stretch = stretchFrom(first, lastContext);
            if (before > 0.0)
                whole.append(before, lineOver(stretch));
            else
                whole = lineOver(stretch);
            before = stretch.last;
        }
        return whole;
    }

private:
    double m_host;                          ///< s of a launch
    SmallList<ContextKernel, 1> m_contexts; ///< of a decode: of each framework
    SmallList<Attending, 1> m_attending;
    bool m_stepped = false; ///< some of them in blocks of keys
    double m_fixed = 0.0;   ///< s of a step without them
    double m_launches = 0.0;
    std::array<double, kBoundCount> m_boundSeconds{};

    bool decodes() const { return m_contexts.size() > 0; }

    void sumUp(const OperatorGraph& graph, const OnceKernels& once) {
        const auto operators = graph.operators();
        PartSums parts;
        for (std::size_t i = 0; i < operators.size(); ++i) {
            const auto& op = operators[i];
            auto& part = parts[static_cast<std::size_t>(stepPart(op))];
            if (find(i)) {
                part.launches += op.repeat * (once[i].launches + 1.0);
                continue;
            }
            part.add(op, once[i]);
            m_boundSeconds[static_cast<std::size_t>(boundOf(once[i].time.bound))] +=
                op.repeat * once[i].time.us * units::micro;
        }
        const auto whole = total(parts);
        m_fixed = whole.seconds;
        m_launches = whole.launches;
    }

    double attentionSeconds(double context, bool smooth) const {
        double seconds = 0.0;
        for (const auto& one : m_attending.span())
            seconds += one.repeat * fastest(one, context, smooth).time.us * units::micro;
        return seconds;
    }

    Bound boundAt(double context) const {
        auto seconds = m_boundSeconds;
        for (const auto& one : m_attending.span()) {
            const auto time = fastest(one, context, false).time;
            seconds[static_cast<std::size_t>(boundOf(time.bound))] += one.repeat * time.us * units::micro;
        }
        return static_cast<Bound>(std::max_element(seconds.begin(), seconds.end()) - seconds.begin());
    }
};

class GpuKernelTiming final : public PhaseTiming {
public:
    GpuKernelTiming(const OperatorGraph& graph, const Machine& machine, Phase phase, RuntimeKernels& kernels)
        : PhaseTiming(graph, machine, phase), m_tflops(kernels.gpu().figures.tflops),
          m_step(graph, machine, phase, kernels, m_once) {}

    StepCost cost(double firstContext, double lastContext) const override {
        return m_step.cost(firstContext, lastContext);
    }

    void operatorTimes(double context, std::span<OperatorTime> out) const override {
        timesOnLine(m_step.stretchFrom(context, context), context, out);
    }

    Term explainWithin(Contexts contexts, double context) const override {
        auto stretch = m_step.stretchFrom(contexts.first, contexts.last);
        while (stretch.last < std::min(context, contexts.last))
            stretch = m_step.stretchFrom(stretch.last + 1.0, contexts.last);
        std::array<OperatorTime, OperatorGraph::kCapacity> times;
        timesOnLine(stretch, context, times);
        return sum("Operators", measures::milliseconds, ofStep(termsOf(context, times)));
    }

    OperatorPeak peakOf(std::size_t op) const override {
        constexpr std::array<std::string_view, kRates> names{"FP16", "FP8", "FP4"};
        const auto rate = static_cast<std::size_t>(m_once[op].rate);
        const double peak = m_tflops[rate] * units::tera;
        return differs(peak, machine().peakFlops) ? OperatorPeak{peak, names[rate]} : PhaseTiming::peakOf(op);
    }

    Affine bytesOf(std::size_t op) const override {
        auto bytes = PhaseTiming::bytesOf(op);
        bytes.constant += m_once[op].readApart * machine().activationBytes;
        return bytes;
    }

    double collectiveOnce(std::size_t op) const override { return m_once[op].time.us * units::micro; }

    Term explainCollective(std::size_t op) const override {
        const auto& one = graph().operators()[op];
        return Term::counted(std::string(one.label), collectiveOnce(op), measures::microseconds,
                             modelText() + ", bound by " +
                                 std::string(boundLabel(boundOf(m_once[op].time.bound))))
            .expecting(m_once[op].expectedError());
    }

    void operatorErrors(double context, std::span<ExpectedError> out) const override {
        for (std::size_t i = 0; i < graph().operators().size(); ++i) {
            const auto* attending = m_step.find(i);
            if (!attending) {
                out[i] = m_once[i].expectedError();
                continue;
            }
            const auto best = m_step.fastest(*attending, context, false);
            auto time = best.time;
            time.us -= best.kernel->before * attending->inServer;
            out[i] = m_once[i].expectedError(time);
        }
    }

private:
    std::array<double, kRates> m_tflops; ///< peaks by Rate
    OnceKernels m_once;                  ///< filled by the next
    StepOverContexts m_step;

    /// What lineOver() of the same stretch has at `context`, shared out.
    void timesOnLine(const ContextStretch& stretch, double context, std::span<OperatorTime> out) const {
        const double middle = stretch.middle(), apart = stretch.apart();
        const auto operators = graph().operators();
        for (std::size_t i = 0; i < operators.size(); ++i) {
            const auto* attending = m_step.find(i);
            const auto attention = [&](double at, bool smooth) {
                return m_step.fastest(*attending, at, smooth).time;
            };
            auto once = attending ? attention(context, false) : m_once[i].time;
            if (attending && stretch.first < stretch.last) {
                const bool blocks = stretch.ofBlocks();
                const double low = attention(middle - apart, blocks).us,
                             high = attention(middle + apart, blocks).us;
                const double perKey = apart > 0.0 ? (high - low) / (2.0 * apart) : 0.0; // else one block
                once.us = 0.5 * (low + high) + perKey * (context - middle);
            }
            out[i] = {operators[i].repeat * once.us * units::micro,
                      once.us > 0.0 ? boundOf(once.bound) : Bound::None};
        }
        fitToStep(m_step.lineOver(stretch), context, out);
    }
};

/// Keeps the sums of operators that hang on rows alone by the rows, of the group's and the head's by theirs;
/// what attends to sequences is composed for each step, on a graph that has the same operators. Of requests
/// that are alike all but their context hangs on their number.
class GpuStepTimes final : public StepTimes {
public:
    GpuStepTimes(std::function<OperatorGraph(const StepShape&)> graphOf, const Machine& machine, Phase phase,
                 std::span<const std::string_view> frameworks)
        : m_graphOf(std::move(graphOf)), m_machine(machine), m_phase(phase),
          m_host(machine.runtime->timing(phase).settings[kHostLaunch]),
          m_kernels(machine, phase, frameworks) {}

    double seconds(const StepShape& shape) override {
        const auto& like = graphLike(shape);
        const std::array<double, kStepParts - 1> keys{shape.rows(), shape.groupRows, shape.logits()};
        PartSums parts;
        std::array<bool, kStepParts> unknown{};
        unknown.back() = true;
        auto asked = like.parts.back();
        const auto sumUp = [](PartSum& sum, std::span<const Operator> operators, const OperatorSet& which,
                              const OnceKernels& once) {
            which.forEach([&](std::size_t i) { sum.add(operators[i], once[i]); });
        };
        for (std::size_t p = 0; p < keys.size(); ++p) {
            const auto* known = m_known[p].find({keys[p]});
            unknown[p] = !known;
            if (known)
                parts[p] = *known;
            else
                like.parts[p].forEach([&](std::size_t i) { asked.insert(i); });
        }
        if (asked == like.parts.back()) {
            compose(like.attending, shape, like.allAttending, like.factorsAttending,
                    [&](const OnceKernels& once) {
                        sumUp(parts.back(), like.attending.operators(), like.allAttending, once);
                    });
        } else {
            const auto graph = m_graphOf(shape);
            compose(graph, shape, asked, like.factors, [&](const OnceKernels& once) {
                for (std::size_t p = 0; p < kStepParts; ++p)
                    if (unknown[p])
                        sumUp(parts[p], graph.operators(), like.parts[p], once);
            });
        }
        for (std::size_t p = 0; p < keys.size(); ++p)
            if (unknown[p])
                m_known[p].keep({keys[p]}, parts[p]);
        const auto whole = total(parts);
        return std::max(whole.seconds, whole.launches * m_host);
    }

    StepCost cost(const StepShape& shape, double firstContext, double lastContext) override {
        auto& step = m_alike[shape.batch];
        if (!step) {
            OnceKernels once;
            step = std::make_unique<StepOverContexts>(m_graphOf(shape), m_machine, m_phase, m_kernels, once);
        }
        return step->cost(firstContext, lastContext);
    }

private:
    /// Of all steps that have the same operators.
    struct Like {
        std::array<OperatorSet, kStepParts> parts;
        OperatorGraph attending; ///< the operators of the last part alone
        OperatorSet allAttending;
        ServerFactors factors, factorsAttending;

        Like(const OperatorGraph& graph, const Server* server)
            : attending(graph, 0, 0), factors(inServer(graph, server)) {
            for (std::size_t i = 0; i < graph.operators().size(); ++i) {
                const auto& op = graph.operators()[i];
                parts[static_cast<std::size_t>(stepPart(op))].insert(i);
                if (parts.back().contains(i))
                    attending.add(op);
            }
            allAttending = allOf(attending);
            factorsAttending = inServer(attending, server);
        }
    };

    std::function<OperatorGraph(const StepShape&)> m_graphOf;
    const Machine& m_machine;
    Phase m_phase;
    double m_host; ///< s of a launch
    RuntimeKernels m_kernels;
    std::array<std::unique_ptr<Like>, 8> m_like;
    std::array<KnownBy<1, PartSum, 16384>, kStepParts - 1> m_known;        ///< by rows
    std::unordered_map<double, std::unique_ptr<StepOverContexts>> m_alike; ///< by requests

    /// Calls use(kernels) with those of the operators, in the server.
    template <class Use>
    void compose(const OperatorGraph& graph, const StepShape& shape, const OperatorSet& which,
                 const ServerFactors& factors, Use use) {
        OnceKernels fastest;
        m_kernels.forFrameworks(graph, shape, which, [&](StepKernels step) {
            if (m_kernels.frameworks() > 1)
                return takeFaster(fastest, step, which, factors);
            which.forEach([&](std::size_t i) { step.operators[i].scaleTime(factors[i]); });
            use(step.operators);
        });
        if (m_kernels.frameworks() > 1)
            use(fastest);
    }

    const Like& graphLike(const StepShape& shape) {
        std::size_t kinds = shape.logits() > 0.0 ? 1 : 0;
        for (const auto& one : shape.sequences)
            kinds |= one.decodes ? 2 : 4;
        auto& like = m_like[kinds];
        if (!like)
            like = std::make_unique<Like>(m_graphOf(shape), m_machine.server);
        return *like;
    }
};

constexpr std::string_view kRoofline = "Choose a runtime that is timed by its roofline, such as Ideal";

/// What to do where constants are missing, or what the device cannot do.
std::string remedyOf(const Error& error) {
    return error.code() == ErrorCode::InvalidInput && !error.remedy().empty() ? error.remedy()
                                                                              : std::string(kRoofline);
}

class GpuKernelsModel final : public TimingModel {
public:
    GpuKernelsModel(std::string_view id, std::string_view label, std::string_view about,
                    std::span<const std::string_view> frameworks)
        : TimingModel(id, label, about), m_frameworks(frameworks) {}

    std::span<const KindParameter> parameters() const override {
        static const std::array<KindParameter, 1> table{
            {{{"host_launch_us", "Host time of a launch", "\u00b5s", units::micro, 0, 1e6, false, true,
               "Time of the host for each kernel that it launches; 0 where a CUDA graph does."},
              0.0}}};
        return table;
    }
    std::span<const KindOption> options() const override {
        static const std::array<KindOption, 2> table{
            {{"static_scales", "Scales in the checkpoint",
              "FP8: activations are scaled by figures of the checkpoint, not by their own.", true},
             {"block_scales", "Scales of blocks", "FP8: every block of weights has a scale of its own.",
              false}}};
        return table;
    }
    bool takesKernelConstants() const override { return true; }
    double devicesOfNode(const Device& device) const override {
        for (const auto& gpu : shippedKernels().gpus)
            if (gpu.id == device.kernels)
                return gpu.perNode;
        return TimingModel::devicesOfNode(device);
    }
    std::uint64_t constantsHash() const override { return shippedKernels().fingerprint; }

    std::optional<Refusal> refusal(const Runtime& runtime) const override {
        try {
            *Constants(runtime); // read now, not when a step is timed
        } catch (const Error& error) {
            if (!runtime.ownKernels)
                throw;
            return Refusal{"kernel_constants", error.where() + ": " + error.message(),
                           "Calibrate again with this version, or take them out"};
        }
        return refusalUnlessFused(*this, runtime);
    }
    std::optional<Refusal> refusalOn(const Runtime& runtime, const Device& device) const override {
        if (device.kernels.empty())
            return Refusal{"kernels", "no kernels were measured on " + device.name, std::string(kRoofline)};
        for (const auto phase : {Phase::Prefill, Phase::Decode})
            if (runtime.timing(phase).kind == this)
                try {
                    check(runtime, runtime.timing(phase).settings, device);
                } catch (const Error& error) {
                    return Refusal{"kernels", device.name + ": " + error.message(), remedyOf(error)};
                }
        return std::nullopt;
    }
    std::optional<Refusal> refusalOf(const Model& model) const override {
        if (!model.isUniform() || !model.isMixture() || model.hasLayers())
            return std::nullopt;
        return Refusal{
            "model",
            "a step of " + model.name +
                " is not composed of measured kernels: no experts without a gate, nor with learned "
                "positions, were measured",
            std::string(kRoofline)};
    }
    bool timesLayeredForm(const Model& model) const override { return model.isMixture(); }
    std::optional<Refusal> refusalFor(const Runtime& runtime, const Device& device,
                                      const Model& model) const override {
        if ((model.isUniform() && !timesLayeredForm(model)) || device.kernels.empty())
            return std::nullopt;
        for (const auto phase : {Phase::Prefill, Phase::Decode})
            if (runtime.timing(phase).kind == this)
                try {
                    compose(runtime, runtime.timing(phase).settings, device, model, phase);
                } catch (const Error& error) {
                    return Refusal{"kernels",
                                   "a step of " + model.name + " on " + device.name +
                                       " is not composed of measured kernels: " + error.message(),
                                   remedyOf(error)};
                }
        return std::nullopt;
    }
    void time(TimingRoom& room, const OperatorGraph& graph, const Machine& machine,
              Phase phase) const override {
        RuntimeKernels kernels(machine, phase, m_frameworks);
        room.emplace<GpuKernelTiming>(graph, machine, phase, kernels);
    }
    std::unique_ptr<StepTimes> stepTimes(std::function<OperatorGraph(const StepShape&)> graphOf,
                                         const Machine& machine, Phase phase) const override {
        return std::make_unique<GpuStepTimes>(std::move(graphOf), machine, phase, m_frameworks);
    }

private:
    std::span<const std::string_view> m_frameworks;

    /// A step of one request on one device; throws as below.
    void compose(const Runtime& runtime, const Settings& settings, const Device& device, const Model& model,
                 Phase phase) const {
        RuntimeKernels kernels(runtime, settings, device, {}, m_frameworks);
        StepShape shape;
        shape.phase = phase;
        shape.style = runtime.operators;
        shape.weightBytes = runtime.weightBits.value / 8.0;
        shape.kvBytes = runtime.kvBits.value / 8.0;
        const auto layered = model.isUniform() ? layeredForm(model) : model;
        const OperatorGraph graph(layered, shape);
        kernels.forFrameworks(graph, shape, allOf(graph), [](const StepKernels&) {});
    }

    /// Throws Error for what has no constants.
    void check(const Runtime& runtime, const Settings& settings, const Device& device) const {
        const Constants constants(runtime);
        const auto& catalog = *constants;
        const auto gpu = gpuOf(catalog, device, {});
        for (const auto framework : m_frameworks)
            for (const bool grouped : {true, false})
                keptKernels(catalog, gpu, servingOf(runtime, settings, framework, gpu.arch, 1.0), grouped);
    }
};

constexpr std::span<const std::string_view> kAll(kKernelFrameworks);

} // namespace

std::optional<TimingKind::Refusal> refusalUnlessFused(const TimingModel& model, const Runtime& runtime) {
    if (runtime.operators != OperatorStyle::Fused)
        return TimingKind::Refusal{"operators", std::string(model.id()) + " times fused operators",
                                   "Write \"operators\": \"fused\""};
    if (runtime.offload)
        return TimingKind::Refusal{"offload", std::string(model.id()) + " does not offload",
                                   "Use roofline, launch_floor or instruction_stream"};
    return std::nullopt;
}

const TimingModel& gpuKernelsTrtllm() {
    static const GpuKernelsModel model("gpu_kernels_trtllm", "Kernels of TensorRT-LLM",
                                       "A step as the sum of its kernels, as measured of TensorRT-LLM.",
                                       kAll.subspan(0, 1));
    return model;
}

const TimingModel& gpuKernelsVllm() {
    static const GpuKernelsModel model("gpu_kernels_vllm", "Kernels of vLLM",
                                       "A step as the sum of its kernels, as measured of vLLM.",
                                       kAll.subspan(1, 1));
    return model;
}

const TimingModel& gpuKernelsSglang() {
    static const GpuKernelsModel model("gpu_kernels_sglang", "Kernels of SGLang",
                                       "A step as the sum of its kernels, as measured of SGLang.",
                                       kAll.subspan(2, 1));
    return model;
}

const TimingModel& gpuKernelsBest() {
    static const GpuKernelsModel model("gpu_kernels_best", "Fastest kernels",
                                       "A step as the sum of its kernels, of each operator the fastest of "
                                       "TensorRT-LLM, vLLM and SGLang.",
                                       kAll);
    return model;
}

} // namespace heteroscape::engine
