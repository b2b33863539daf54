// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/step_kernels.h"

#include "engine/timing/kernels/mla.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr double kTurn = 1024.0; ///< tokens, where attention's latency bends

bool startsBlock(double first) {
    return std::fmod(first - 1.0, kLatentKeyBlock) == 0.0;
}

/// The end of a stretch from `first` on that is all in one block of keys, or of whole blocks; the time of
/// a split grows up to 256 keys.
double wholeBlocks(double first, double last) {
    constexpr double split = 256.0;
    if (first <= split)
        last = std::min(last, split);
    const double end = std::ceil(first / kLatentKeyBlock) * kLatentKeyBlock;
    if (!startsBlock(first) || last < end)
        return std::min(last, end);
    return std::floor(last / kLatentKeyBlock) * kLatentKeyBlock;
}

} // namespace

ContextStretch ContextStretch::from(double first, double last, bool stepped) {
    last = std::min(last, std::max(first, std::floor(1.5 * (first + kTurn) - kTurn)));
    return {first, stepped ? wholeBlocks(first, last) : last, stepped};
}

bool ContextStretch::ofBlocks() const {
    return stepped && startsBlock(first) && std::fmod(last - first + 1.0, kLatentKeyBlock) == 0.0;
}

double ContextStretch::apart() const {
    const double one = ofBlocks() ? kLatentKeyBlock : 1.0;
    const double count = last - first + 1.0;
    return one * std::sqrt((count / one * (count / one) - 1.0) / 12.0);
}

namespace {

/// The linear layer that operators are part of, by the key of the first.
LinearRole roleOf(const Operator& op) {
    if (op.key == "q_proj")
        return LinearRole::Qkv;
    if (op.key == "o_proj")
        return LinearRole::Output;
    return op.key == "down_proj" ? LinearRole::Down : LinearRole::GateUp;
}

class StepComposer {
public:
    StepComposer(const OperatorGraph& graph, const ServedKernels& kernels, const StepShape& shape,
                 StepKernels& out)
        : m_graph(graph), m_kernels(kernels), m_shape(shape), m_tokens(shape.rows()), m_out(out) {}

    void compose(const OperatorSet& which) {
        const auto operators = m_graph.operators();
        for (std::size_t i = 0; i < operators.size(); ++i)
            m_out.operators.add();
        for (std::size_t i = 0; i < operators.size();)
            i = !which.contains(i)                          ? i + 1
                : operators[i].kind == OperatorKind::Linear ? linears(i)
                                                            : single(i);
    }

private:
    const OperatorGraph& m_graph;
    const ServedKernels& m_kernels;
    const StepShape& m_shape;
    double m_tokens;
    StepKernels& m_out;

    const StepShape& step() const { return m_shape; }
    double tokens() const { return m_tokens; }
    double hidden() const { return m_graph.model().hidden.value; }
    bool parallel() const { return m_kernels.ranks() > 1.0; }

    /// Those that read the same rows, from `first` on. Gives the one behind the last.
    std::size_t linears(std::size_t first) {
        const auto operators = m_graph.operators();
        std::size_t end = first;
        double columns = 0.0;
        OperatorSet parts;
        for (; end < operators.size() && operators[end].kind == OperatorKind::Linear &&
               operators[end].inputs == operators[first].inputs;
             ++end) {
            columns += operators[end].gemm.columns;
            parts.insert(end);
        }
        const auto& gemm = operators[first].gemm;
        const GemmShape shape{gemm.rows, std::ceil(columns), gemm.inner};
        OperatorKernels whole;
        if (operators[first].key == "lm_head") {
            addHead(whole, shape);
        } else {
            whole.add(m_kernels.cast(roleOf(operators[first]), shape));
            whole.add(m_kernels.linear(roleOf(operators[first]), shape));
            whole.rate = m_kernels.linearRate();
        }
        m_out.shareOut(m_graph, whole, parts);
        return end;
    }

    void addHead(OperatorKernels& whole, const GemmShape& shape) const {
        const double logits = 2 * shape.m * m_graph.model().vocab.value;
        whole.add(m_kernels.head(shape));
        if (parallel())
            whole.add(m_kernels.gather(logits));
        whole.add(m_kernels.streamed(logits, 4 * shape.m));
    }

    std::size_t single(std::size_t i) {
        const auto& op = m_graph.operators()[i];
        auto& out = m_out.operators[i];
        if (op.kind == OperatorKind::AllReduce)
            out.add(m_kernels.allReduce(2 * tokens() * hidden()));
        else if (op.kind == OperatorKind::Norm)
            addNorm(out, op);
        else if (op.kind == OperatorKind::Activation)
            out.add(m_kernels.activation(tokens(), m_graph.shard().ffn, m_graph.model().isGated()));
        else if (op.kind == OperatorKind::Attention && !op.offloaded)
            addAttention(i, out);
        return i + 1;
    }

    void addNorm(OperatorKernels& out, const Operator& op) const {
        if (op.segment != Segment::Head) {
            out.add(m_kernels.norm(tokens(), hidden(),
                                   op.segment == Segment::Attention ? LinearRole::Qkv : LinearRole::GateUp));
            return;
        }
        const double rows = step().sequences.empty() ? step().batch : step().logits();
        out.add(m_kernels.streamed(2 * tokens() * hidden(), 2 * tokens() * hidden()));
        out.add(m_kernels.streamed(4 * rows * hidden(), 4 * rows * hidden()));
    }

    void addAttention(std::size_t i, OperatorKernels& out) {
        const auto& shard = m_graph.shard();
        const double size = m_graph.model().headDim.value;
        const double heads = shard.heads, kvHeads = std::ceil(shard.kvHeads);
        if (m_graph.model().rotaryShare() > 0.0)
            out.add(m_kernels.rotary(tokens(), heads * size, kvHeads * size));
        out.add(m_kernels.queryCast(tokens(), heads * size));
        const auto generation = [&](double batch) {
            auto kernel = m_kernels.generationKernel();
            kernel.shape.batch = batch;
            kernel.shape.heads = heads;
            kernel.shape.kvHeads = kvHeads;
            kernel.shape.headSize = size;
            return kernel;
        };
        if (step().phase == Phase::Decode) {
            m_out.contexts.add({i, out.time.us, generation(tokens())});
            return;
        }
        const StepSequences alike{step().batch, step().queryTokens, step().pastTokens};
        const auto sequences = step().sequences.empty() ? std::span(&alike, 1) : step().sequences;
        out.add(overPrompts(sequences, [&](double batch, double queries, double cached) {
            AttentionContextShape shape;
            shape.batch = batch;
            shape.tokens = queries;
            shape.cached = cached;
            shape.heads = heads;
            shape.kvHeads = kvHeads;
            shape.headSize = size;
            return m_kernels.context(shape);
        }));
        for (const auto& one : sequences)
            if (one.decodes)
                out.add(generation(one.count * one.queryTokens).at(one.keys()));
        out.rate = m_kernels.contextRate();
    }
};

} // namespace

void StepKernels::shareOut(const OperatorGraph& graph, const OperatorKernels& whole,
                           const OperatorSet& parts) {
    const auto all = graph.operators();
    const auto read = [&](std::size_t i) { return all[i].gemm.rows * all[i].gemm.inner; };
    double flops = 0.0, reads = 0.0;
    parts.forEach([&](std::size_t i) {
        flops += all[i].flops.constant;
        reads += read(i);
    });
    parts.forEach([&](std::size_t i) {
        const double share = all[i].flops.constant / flops;
        operators[i] = whole;
        operators[i].scale(share);
        operators[i].readApart = share * reads - read(i);
    });
}

void OperatorKernels::add(const KernelTime& kernel) {
    if (!(kernel.us > 0.0))
        return;
    if (kernel.us > longest) {
        longest = kernel.us;
        time.bound = kernel.bound;
    }
    time.us += kernel.us;
    launches += 1.0;
    if (kernel.errorPercent == kernel.errorPercent) {
        knownUs += kernel.us;
        errorUs += kernel.us * kernel.errorPercent;
    }
    if (kernel.evidence == Evidence::AnotherDevice)
        otherDeviceUs += kernel.us;
    else if (kernel.evidence == Evidence::Beyond)
        beyondUs += kernel.us;
}

void OperatorKernels::scale(double share) {
    launches *= share;
    scaleTime(share);
}

void OperatorKernels::scaleTime(double share) {
    time.us *= share;
    knownUs *= share;
    errorUs *= share;
    otherDeviceUs *= share;
    beyondUs *= share;
}

ExpectedError OperatorKernels::expectedError(const KernelTime& besides) const {
    auto all = *this;
    all.add(besides);
    if (!(all.time.us > 0.0))
        return {};
    return {all.errorUs / all.knownUs, all.otherDeviceUs / all.time.us, all.beyondUs / all.time.us};
}

KernelTime LatentKernel::at(double cached, bool smooth) const {
    auto whole = shape;
    whole.cached = cached;
    if (isSerial)
        return trust.of(mlaSerialDecodeTime(gpu, serial, whole));
    return trust.of(smooth ? mlaDecodeTime(gpu, constants, whole, cached + 0.5 * (kLatentKeyBlock - 1.0))
                           : mlaDecodeTime(gpu, constants, whole));
}

KernelTime ModuleKernel::at(double context) const {
    auto whole = step;
    whole.cached = std::max(0.0, context - 1.0);
    return trust.of(moduleTime(gpu, constants, widths, whole));
}

bool ContextKernel::isStepped() const {
    const auto* latent = std::get_if<LatentKernel>(&kernel);
    return latent && !latent->isSerial;
}

double ContextKernel::last(double first) const {
    const auto* module = std::get_if<ModuleKernel>(&kernel);
    return module ? nextModuleTurn(module->widths, first) - 1.0 : std::numeric_limits<double>::infinity();
}

KernelTime ContextKernel::at(double cached, bool smooth) const {
    if (const auto* latent = std::get_if<LatentKernel>(&kernel))
        return latent->at(cached, smooth);
    if (const auto* module = std::get_if<ModuleKernel>(&kernel))
        return module->at(cached);
    return std::get<GenerationKernel>(kernel).at(cached);
}

StepPart stepPart(const Operator& op) {
    if (op.kind == OperatorKind::Attention || op.kind == OperatorKind::Convolution)
        return StepPart::Sequences;
    if (op.key == "lm_head" || op.key == "logits_gather")
        return StepPart::Logits;
    if (op.key == "experts" || op.key == "expert_gather" || op.key == "expert_scatter")
        return StepPart::GroupRows;
    const bool told = op.key == "kv_up" || op.key == "q_absorb" || op.key == "v_absorb" ||
                      op.key == "final_norm" || op.key == "head_allreduce";
    return told ? StepPart::Sequences : StepPart::Rows;
}

StepKernels::StepKernels(const OperatorGraph& graph, const ServedKernels& kernels, const StepShape& shape,
                         const OperatorSet& which) {
    StepComposer(graph, kernels, shape, *this).compose(which);
}

} // namespace heteroscape::engine
