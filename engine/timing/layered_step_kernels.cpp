// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/layered_step_kernels.h"

#include "engine/base/error.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace heteroscape::engine {

namespace {

double figureOf(const LayerGroup& group, std::string_view key, double unset = 0.0) {
    const int index = group.attention->indexOf(key);
    return index < 0 ? unset : group.figures.quantity(static_cast<std::size_t>(index)).valueOr(unset);
}

/// The module as which the attention of a group was measured; none: kernel by kernel, or not at all.
std::optional<ModuleWidths> moduleOf(const LayerGroup& group, double hidden) {
    const auto figure = [&](std::string_view key) { return figureOf(group, key); };
    if (group.attention->id() == "mla" && figure("index_keys") > 0.0 && figure("q_rank") > 0.0)
        return DsaWidths{hidden,
                         figure("q_rank"),
                         {figure("kv_rank"), figure("rope_dim"), figure("nope_dim"), figure("v_dim")},
                         figure("index_heads"),
                         figure("index_dim"),
                         figure("index_keys")};
    // DeepSeek-V4's. What compresses entries is part of the input's projections, beside queries and keys.
    constexpr double kEntry = 512.0, kHeavy = 1024.0, kIndexed = 2048.0 + 576.0;
    const double ratio = figureOf(group, "ratio", 1.0), index = figure("index_heads") * figure("index_dim");
    const bool csa = ratio == 4.0 && index == 64.0 * 128.0 && figure("kept") > 0.0;
    const bool others = index == 0.0 && figure("kept") == 0.0 && (ratio == 128.0 || ratio == 0.0);
    if (group.attention->id() != "sparse" || figure("kv_heads") != 1.0 || figure("entry") != kEntry ||
        figure("score") != 2.0 * kEntry || figure("window") != 128.0 || (!csa && !others))
        return std::nullopt;
    const double compressing = csa ? kIndexed : ratio > 0.0 ? kHeavy : 0.0;
    return CompressedWidths{hidden, figure("projected") - kEntry - compressing, ratio, figure("kept")};
}

LayerFigures figuresOf(const LayerGroup& group, double hidden) {
    constexpr std::array<std::pair<std::string_view, double LayerFigures::*>, 11> kFigures{
        {{"heads", &LayerFigures::heads},
         {"kv_heads", &LayerFigures::kvHeads},
         {"head_dim", &LayerFigures::headDim},
         {"v_dim", &LayerFigures::vDim},
         {"window", &LayerFigures::window},
         {"kv_rank", &LayerFigures::kvRank},
         {"rope_dim", &LayerFigures::ropeDim},
         {"nope_dim", &LayerFigures::nopeDim},
         {"v_heads", &LayerFigures::vHeads},
         {"k_heads", &LayerFigures::kHeads},
         {"k_dim", &LayerFigures::kDim}}};
    LayerFigures figures;
    figures.of = &group;
    const auto id = group.attention->id();
    const auto module = moduleOf(group, hidden);
    const bool picks = figureOf(group, "index_keys") > 0.0;
    figures.kernels = module                  ? AttentionKernels::Module
                      : id == "gqa"           ? AttentionKernels::Grouped
                      : id == "mla" && !picks ? AttentionKernels::Latent
                      : id == "gdn"           ? AttentionKernels::Delta
                                              : AttentionKernels::None;
    figures.module = module.value_or(ModuleWidths{});
    for (const auto& [key, figure] : kFigures)
        figures.*figure = figureOf(group, key);
    return figures;
}

/// The linear layer of which an operator of a layered graph is one.
LinearRole layeredRole(const Operator& op) {
    if (op.segment == Segment::Attention)
        return op.key == "o_proj" ? LinearRole::Output : LinearRole::Qkv;
    return op.key == "down_proj" || op.key == "shared_down" ? LinearRole::Down : LinearRole::GateUp;
}

/// The format with kernels of its own in place of one that differs from it in groups, zero points or blocks.
std::string_view measuredFormat(std::string_view id) {
    if (id.starts_with("fp8_b"))
        return "fp8_block";
    if (id.starts_with("int8") || id.starts_with("int7") || id.starts_with("int6") || id.starts_with("int5"))
        return "int8";
    if (id.starts_with("int4_g32"))
        return "int4_g32";
    return id.starts_with("int") || id.starts_with("nf4") ? "int4_g128" : id;
}

/// The format of experts that a recipe of linear layers goes with; empty where none was measured.
std::string_view expertFormat(std::string_view recipe) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 7> formats{
        {{"bf16", "bf16"},
         {"fp8", "fp8"},
         {"fp8_static", "fp8"},
         {"fp8_block", "fp8_block"},
         {"int8_wo", "int8"},
         {"int4_wo", "int4_g128"},
         {"nvfp4", "nvfp4"}}};
    for (const auto& [known, format] : formats)
        if (known == recipe)
            return format;
    return {};
}

class LayeredComposer {
public:
    LayeredComposer(const OperatorGraph& graph, LayeredServing& serving, const StepShape& shape,
                    StepKernels& out)
        : m_graph(graph), m_serving(serving), m_catalog(*serving.catalog), m_gpu(*serving.gpu),
          m_figures(serving.gpu->figures), m_framework(serving.dense.framework),
          m_collectives(graph, *serving.catalog, *serving.gpu), m_out(out) {
        const auto& layout = shape.layout;
        m_decodes = shape.phase == Phase::Decode;
        const double requests =
            std::max(std::min(1.0, shape.batch), shape.batch / (layout.dp * layout.microbatches));
        m_split = m_decodes ? 1.0 : layout.cp;
        m_rows = requests * shape.queryTokens / m_split;
        m_groupRows = shape.batch / layout.microbatches * shape.queryTokens;
        m_alike = {requests, shape.queryTokens, shape.pastTokens, m_decodes};
        m_sequences = {&m_alike, 1};
        if (!shape.sequences.empty())
            takeSequences(shape);
    }

    void compose(const OperatorSet& which) {
        const auto operators = m_graph.operators();
        for (std::size_t i = 0; i < operators.size(); ++i)
            m_out.operators.add();
        which.forEach([&](std::size_t i) { add(i, operators[i]); });
    }

private:
    const OperatorGraph& m_graph;
    LayeredServing& m_serving;
    const KernelCatalog& m_catalog;
    const Gpu& m_gpu;
    const GpuFigures& m_figures;
    std::string_view m_framework;
    LayeredCollectives m_collectives;
    StepKernels& m_out;
    double m_rows = 1.0, m_groupRows = 1.0, m_split = 1.0;
    StepSequences m_alike;                      ///< of a step whose requests are
    std::span<const StepSequences> m_sequences; ///< of the step
    bool m_decodes = false;

    void takeSequences(const StepShape& shape) {
        m_sequences = shape.sequences;
        m_groupRows = shape.groupRows;
        m_rows = 0.0;
        for (const auto& one : m_sequences)
            m_rows += one.count * one.queryTokens / (one.decodes ? 1.0 : m_split);
    }

    /// Rows that a rank routes.
    double routedRows() const {
        for (const auto& op : m_graph.operators())
            if (op.key == "router")
                return op.gemm.rows;
        return 0.0;
    }
    bool sendsToAll() const {
        const auto operators = m_graph.operators();
        return std::any_of(operators.begin(), operators.end(),
                           [](const Operator& op) { return op.kind == OperatorKind::AllToAll; });
    }

    const Model& model() const { return m_graph.model(); }
    const Layout& layout() const { return m_graph.shape().layout; }
    double hidden() const { return model().hidden.value; }

    const WeightFormat* formatOf(ModelPart part) const {
        return model().weights ? &model().weights->of(part) : nullptr;
    }

    struct PartRecipe {
        std::string_view id;
        double weightBytes = 0.0; ///< of weights that are unpacked; 0: as the recipe has it
    };
    PartRecipe recipeOf(ModelPart part) const {
        if (part == ModelPart::Router || part == ModelPart::Head || part == ModelPart::Embedding)
            return {"bf16"};
        const auto* format = formatOf(part);
        if (!format)
            return {m_serving.dense.recipe};
        const auto id = measuredFormat(format->id);
        if (id == "fp8")
            return {m_serving.staticScales ? "fp8_static" : "fp8"};
        if (id == "bf16" || id == "fp8_block" || (id == "nvfp4" && multipliesFp4()))
            return {id};
        if (id == "mxfp8")
            throw Error(ErrorCode::NotFound, m_catalog.gemm.where, "no GEMMs in MXFP8 were measured",
                        "Choose weights in fp8, fp8_block or bf16");
        return {id == "int8" ? "int8_wo" : "int4_wo", format->bytes};
    }
    bool multipliesFp4() const { return m_catalog.architecture(m_gpu.arch).multiplies(Rate::Fp4); }

    const ServedKernels& served(ModelPart part) {
        const auto& kernels = m_serving.served[static_cast<std::size_t>(part)];
        return kernels ? *kernels : made(part);
    }
    const ServedKernels& made(ModelPart part) {
        auto& kernels = m_serving.served[static_cast<std::size_t>(part)];
        const auto recipe = recipeOf(part);
        auto serving = m_serving.dense;
        serving.recipe = recipe.id;
        serving.weightBytes = recipe.weightBytes;
        serving.ranks = layout().tp;
        kernels = keptKernels(m_catalog, m_gpu, serving, isGrouped());
        return *kernels;
    }

    LayerFigures& figures(const LayerGroup& group) const {
        auto& known = m_serving.figures;
        const auto found = std::find_if(known.begin(), known.end(),
                                        [&](const LayerFigures& figures) { return figures.of == &group; });
        return found != known.end() ? *found : known.emplace_back(figuresOf(group, hidden()));
    }

    bool isGrouped() const {
        for (const auto& group : model().groups)
            if (group.attention->id() == "gqa")
                return figureOf(group, "heads") != figureOf(group, "kv_heads");
        return true;
    }

    void add(std::size_t i, const Operator& op) {
        auto& out = m_out.operators[i];
        switch (op.kind) {
        case OperatorKind::Linear:
            addLinear(i, op);
            break;
        case OperatorKind::Norm:
            addNorm(out, op);
            break;
        case OperatorKind::Activation:
            out.add(served(ModelPart::Dense)
                        .activation(m_rows, model().ffn.value / layout().tp, model().isGated()));
            break;
        case OperatorKind::Embedding:
            out.add(served(ModelPart::Embedding).streamed(2 * m_rows * hidden(), 2 * m_rows * hidden()));
            break;
        case OperatorKind::Convolution:
            addDelta(out, *op.group, LinearAttentionOp::DeltaConvolution);
            break;
        case OperatorKind::Attention:
            addAttention(i, op);
            break;
        case OperatorKind::Index:
            if (isModule(op))
                break;
            throw Error(ErrorCode::NotFound, m_catalog.attentionModule.where,
                        "no kernels of an index of sparse attention were measured but DeepSeek's and GLM's");
        default:
            if (isCollective(op.kind))
                addCollective(out, op);
        }
    }

    // --- linears

    /// Whether `second` is part of the GEMM that `first` begins.
    static bool areOneGemm(const Operator& first, const Operator& second) {
        if (second.kind != OperatorKind::Linear || first.block != second.block ||
            first.group != second.group || first.segment != second.segment || first.inputs != second.inputs)
            return false;
        return first.key == "q_proj" ? second.key == "k_proj" || second.key == "v_proj"
                                     : first.key == "q_down" && second.key == "kv_down";
    }

    void addLinear(std::size_t i, const Operator& op) {
        auto& out = m_out.operators[i];
        if (op.part == ModelPart::Experts)
            return addExperts(out, op);
        if (op.part == ModelPart::Attention && isModule(op))
            return; // with its attention
        if (op.part == ModelPart::Attention && addOfAttention(i, op))
            return;
        const double rows = op.key == "kv_up" ? knownTokens() : op.gemm.rows;
        addGemm(out, op, {std::ceil(rows), std::ceil(op.gemm.columns), std::ceil(op.gemm.inner)});
    }

    /// Linears of attention that are no GEMM of their own; false: it is one.
    bool addOfAttention(std::size_t i, const Operator& op) {
        auto& out = m_out.operators[i];
        if (op.key == "k_proj" || op.key == "v_proj" || (op.key == "kv_down" && out.launches > 0.0))
            return true; // with the one that begins their GEMM
        if (op.key == "q_absorb" || op.key == "v_absorb") {
            out.add(absorption(*op.group, op.key == "q_absorb", true));
            return true;
        }
        if (op.key == "kv_up" && unfoldsNothing()) {
            out.add(absorption(*op.group, true, false));
            out.add(absorption(*op.group, false, false));
            return true;
        }
        if (op.key != "q_proj" && op.key != "q_down")
            return false;
        const auto operators = m_graph.operators();
        double columns = op.gemm.columns;
        OperatorSet parts{i};
        for (std::size_t j = i + 1; j < operators.size(); ++j)
            if (areOneGemm(op, operators[j])) {
                columns += operators[j].gemm.columns;
                parts.insert(j);
            }
        OperatorKernels whole;
        addGemm(whole, op, {std::ceil(op.gemm.rows), std::ceil(columns), std::ceil(op.gemm.inner)});
        m_out.shareOut(m_graph, whole, parts);
        return true;
    }

    void addGemm(OperatorKernels& whole, const Operator& op, const GemmShape& shape) {
        const auto& kernels = served(op.part);
        if (op.part == ModelPart::Head) {
            whole.add(kernels.streamed(4 * shape.m * hidden(), 4 * shape.m * hidden())); // the final norm
            whole.add(kernels.head(shape));
            whole.add(kernels.streamed(2 * shape.m * model().vocab.value, 4 * shape.m)); // the choice
            return;
        }
        const auto role = layeredRole(op);
        whole.add(kernels.cast(role, shape));
        whole.add(kernels.linear(role, shape));
        whole.rate = kernels.linearRate();
    }

    void addNorm(OperatorKernels& out, const Operator& op) {
        const auto part = op.segment == Segment::Attention ? ModelPart::Attention
                          : op.key == "ffn_norm"           ? ModelPart::Dense
                                                           : ModelPart::Router;
        if (op.key == "qk_norm")
            out.add(served(part).streamed(op.activations.constant, op.activations.constant)); // half of 2 B
        else
            out.add(served(part).norm(m_rows, hidden(),
                                      part == ModelPart::Attention ? LinearRole::Qkv : LinearRole::GateUp));
    }

    // --- experts

    /// The kernel of the experts, and what it is served with.
    const LayeredServing::Experts& experts() {
        auto& known = m_serving.experts[m_decodes ? 1 : 0];
        if (known.row)
            return known;
        const auto* format = formatOf(ModelPart::Experts);
        const auto id = format ? measuredFormat(format->id) : expertFormat(m_serving.dense.recipe);
        if (id.empty())
            throw Error(ErrorCode::NotFound, m_catalog.moe.where,
                        "FP8 is not native on " + m_catalog.architecture(m_gpu.arch).name +
                            ", and no kernels of experts with INT8 activations were measured",
                        "Choose activations of 16 bits");
        const bool toAll = sendsToAll();
        const auto& row = m_catalog.moeFor(m_gpu, m_framework, id,
                                           !toAll      ? std::string_view()
                                           : m_decodes ? std::string_view("decode")
                                                       : std::string_view("prefill"));
        known.format = m_catalog.moeFormat(row.constants.format);
        // A borrowed kernel keeps the bytes of what it serves.
        known.format.weightBytes = format ? format->bytes : m_catalog.moeFormat(id).weightBytes;
        requirePeak(m_gpu, known.format.rate);
        known.ownRouting = (toAll && !isBehindAllToAll(row)) || row.constants.onlyReceived;
        known.trust = trustIn(row.heldOut, m_gpu);
        // Borrowed: of another format or architecture, or of a framework whose own kernel was not measured.
        if (row.constants.format != id || row.names[0] != m_gpu.arch ||
            !row.names[1].starts_with(m_framework))
            known.trust = known.trust.standIn();
        known.row = &row;
        return known;
    }

    void addExperts(OperatorKernels& out, const Operator& op) {
        const auto& known = experts();
        MoeShape shape;
        shape.hidden = hidden();
        shape.width = op.gemm.columns / 3.0;
        shape.localExperts = model().experts.value / layout().ep;
        shape.pairs = op.gemm.rows;
        shape.touched = op.gemm.experts;
        shape.seen = known.ownRouting ? shape.pairs : m_groupRows * model().expertsPerToken.value;
        out.rate = known.format.rate;
        out.add(known.trust.of(moeTime(m_figures, known.row->constants, known.format, shape)));
    }

    bool isBehindAllToAll(const FittedConstants<MoeConstants>& row) const {
        return std::any_of(
            m_catalog.moeBehindAllToAll.begin(), m_catalog.moeBehindAllToAll.end(),
            [&](const auto& choice) { return choice.arch == row.names[0] && choice.kernel == row.names[1]; });
    }

    // --- attention

    void addAttention(std::size_t i, const Operator& op) {
        auto& figures = this->figures(*op.group);
        switch (figures.kernels) {
        case AttentionKernels::Grouped:
            return addGrouped(i, figures);
        case AttentionKernels::Latent:
            return addLatent(i, op, figures);
        case AttentionKernels::Module:
            return addModule(i, figures);
        case AttentionKernels::Delta:
            return addDelta(m_out.operators[i], *op.group, LinearAttentionOp::DeltaRule);
        case AttentionKernels::None:
            throw Error(ErrorCode::NotFound, m_catalog.attentionGeneration.where,
                        "no kernels of " + std::string(op.group->attention->label()) + " were measured");
        }
    }

    /// The attention of all prompts of the step, one kernel. Of a rank that has a share of a prompt: as many
    /// pairs for each.
    template <class Time>
    KernelTime overPromptsOfRank(Time timeOf) const {
        return overPrompts(m_sequences, [&](double batch, double queries, double past) {
            return timeOf(batch, queries / m_split, past + 0.5 * (queries - queries / m_split));
        });
    }
    /// The same; what prompts alike take is asked for once.
    template <class Time>
    KernelTime overKnownPrompts(LayerFigures& figures, Time timeOf) const {
        return overPromptsOfRank([&](double batch, double queries, double past) {
            if (const auto* known = figures.prompts.find({batch, queries, past}))
                return *known;
            const KernelTime time = timeOf(batch, queries, past);
            figures.prompts.keep({batch, queries, past}, time);
            return time;
        });
    }
    /// Calls visit(sequences) for those that decode in a step with prompts.
    template <class Visit>
    void forDecodesBeside(Visit visit) const {
        for (const auto& one : m_sequences)
            if (one.decodes && !m_decodes)
                visit(one);
    }

    void addGrouped(std::size_t i, LayerFigures& figures) {
        const auto& kernels = served(ModelPart::Attention);
        auto& out = m_out.operators[i];
        const double key = figures.headDim, value = figures.vDim > 0.0 ? figures.vDim : key;
        const double heads = std::ceil(figures.heads / layout().tp);
        const double kvHeads = std::ceil(figures.kvHeads / layout().tp);
        const double limit = figures.window;
        if (model().rotaryShare() > 0.0)
            out.add(kernels.rotary(m_rows, heads * key, kvHeads * key));
        out.add(kernels.queryCast(m_rows, heads * key));
        const auto setGeneration = [&](AttentionGenerationShape& shape, const StepSequences& one) {
            shape.batch = one.count;
            shape.heads = heads;
            shape.kvHeads = kvHeads;
            shape.headSize = 0.5 * (key + value);
            shape.window = limit > 0.0 ? limit + (one.queryTokens - 1.0) : 0.0;
        };
        if (m_decodes) {
            auto kernel = kernels.generationKernel();
            setGeneration(kernel.shape, m_alike);
            m_out.contexts.add({i, out.time.us, kernel});
            return;
        }
        out.add(overKnownPrompts(figures, [&](double batch, double queries, double cached) {
            AttentionContextShape shape;
            shape.batch = batch;
            shape.tokens = queries;
            shape.cached = cached;
            shape.heads = heads;
            shape.kvHeads = kvHeads;
            shape.headSize = 0.5 * (key + value);
            shape.window = limit;
            return kernels.context(shape);
        }));
        forDecodesBeside([&](const StepSequences& one) {
            AttentionGenerationShape shape;
            setGeneration(shape, one);
            shape.cached = one.keys();
            out.add(kernels.generation(shape));
        });
        out.rate = kernels.contextRate();
    }

    bool fp8Cache() const { return m_serving.dense.fp8Cache; }
    /// Whether prefill was measured absorbed: then keys and values are not unfolded.
    bool unfoldsNothing() const { return latentPrompts().row->constants.absorbed; }
    const KnownEntry<MlaPrefillConstants>& latentPrompts() const {
        return entry(
            m_serving.latentPrompts, [&]() -> auto& {
                return m_catalog.mlaPrefillFor(m_gpu, m_framework, fp8Cache());
            });
    }
    double latentHeads(const LayerGroup& group) const {
        return std::ceil(figures(group).heads / layout().tp);
    }
    LatentWidths latentWidths(const LayerGroup& group) const {
        const auto& of = figures(group);
        return {of.kvRank, of.ropeDim, of.nopeDim, of.vDim};
    }

    /// Tokens of all prompts, with those before them.
    double knownTokens() const {
        double tokens = 0.0;
        for (const auto& one : m_sequences)
            tokens += one.decodes ? 0.0 : one.count * (one.pastTokens + one.queryTokens);
        return tokens;
    }

    /// Of the rows of all prompts, or of all that decodes. Always bf16 (section 9.5).
    KernelTime absorption(const LayerGroup& group, bool before, bool decodes) const {
        MlaAbsorptionShape shape;
        shape.tokens = 0.0;
        for (const auto& one : m_sequences)
            if (one.decodes == decodes)
                shape.tokens += one.count * one.queryTokens / (decodes ? 1.0 : m_split);
        shape.heads = latentHeads(group);
        shape.rank = figures(group).kvRank;
        shape.head = before ? figures(group).nopeDim : figures(group).vDim;
        const auto& known = entry(
            m_serving.absorption[before ? 0 : 1], [&]() -> auto& {
                return m_catalog.mlaAbsorptionFor(m_gpu, m_framework, before ? "pre" : "post");
            });
        return known.trust.of(mlaAbsorptionTime(m_figures, known.row->constants, shape));
    }

    void addLatent(std::size_t i, const Operator& op, LayerFigures& figures) {
        const auto& group = *op.group;
        if (m_decodes) {
            m_out.contexts.add({i, 0.0, latentKernel(group, m_alike)});
            return;
        }
        auto& out = m_out.operators[i];
        if (op.key == "absorbed")
            return forDecodesBeside(
                [&](const StepSequences& one) { out.add(latentKernel(group, one).at(one.keys(), false)); });
        const auto& known = latentPrompts();
        out.add(overKnownPrompts(figures, [&](double batch, double queries, double cached) {
            const MlaPrefillShape shape{
                batch, queries, cached, latentHeads(group), cacheBytes(), latentWidths(group)};
            // Rows have no tokens before them.
            return known.trust.of(mlaPrefillTime(m_figures, known.row->constants, shape),
                                  !(shape.cached > 0.0));
        }));
    }

    double cacheBytes() const { return fp8Cache() ? 1.0 : 2.0; }

    LatentKernel latentKernel(const LayerGroup& group, const StepSequences& one) const {
        LatentKernel latent;
        latent.gpu = m_figures;
        latent.shape = {one.count, 1.0, latentHeads(group) * one.queryTokens, cacheBytes(),
                        latentWidths(group)};
        auto& serial = m_serving.latentSerial;
        if (!serial) {
            const auto* row = m_catalog.mlaSerialFor(m_gpu, fp8Cache());
            serial.emplace(KnownEntry<MlaSerialConstants>{row, row ? trustOf(*row) : KernelTrust()});
        }
        latent.isSerial = serial->row != nullptr;
        if (latent.isSerial) {
            latent.serial = serial->row->constants;
            latent.trust = serial->trust;
        } else {
            const auto& known = entry(
                m_serving.latentDecodes, [&]() -> auto& {
                    return m_catalog.mlaDecodeFor(m_gpu, m_framework, fp8Cache());
                });
            latent.constants = known.row->constants;
            latent.trust = known.trust;
        }
        return latent;
    }

    // --- attention as a module, from the layer's input to its output

    bool isModule(const Operator& op) const {
        return op.group && figures(*op.group).kernels == AttentionKernels::Module;
    }
    /// Attention of prompts and of what decodes may be two operators of a graph.
    bool isFirstOfLayer(std::size_t i, const LayerGroup& group) const {
        const auto operators = m_graph.operators();
        return std::none_of(
            operators.begin(), operators.begin() + static_cast<std::ptrdiff_t>(i),
            [&](const Operator& op) { return op.kind == OperatorKind::Attention && op.group == &group; });
    }

    const KnownEntry<ModuleConstants>& moduleEntry(LayerFigures& figures, const ModuleStep& step) const {
        const auto name = moduleName(figures.module);
        auto& known = figures.modules[step.decodes ? 1 : step.dense ? 2 : 0];
        if (known.row)
            return known;
        entry(
            known, [&]() -> auto& {
                return step.dense ? *m_catalog.denseModuleFor(m_gpu, m_framework, name)
                                  : m_catalog.moduleFor(m_gpu, m_framework, name, fp8Cache(),
                                                        step.decodes ? "generation" : "context");
            });
        // Of layers without an index of their own SGLang's were measured, of windows alone none.
        const auto* latent = std::get_if<DsaWidths>(&figures.module);
        if (latent ? latent->indexHeads == 0.0 && m_framework != "sglang"
                   : std::get<CompressedWidths>(figures.module).ratio == 0.0)
            known.trust = known.trust.standIn();
        return known;
    }

    /// Throws for what was not measured, the device first.
    ModuleStep moduleStep(LayerFigures& figures, bool decodes, double batch, double tokens,
                          double cached) const {
        const auto& where = m_catalog.attentionModule.where;
        const auto* latent = std::get_if<DsaWidths>(&figures.module);
        ModuleStep step;
        step.decodes = decodes;
        step.dense = !decodes && latent && cached + tokens <= latent->kept &&
                     m_catalog.denseModuleFor(m_gpu, m_framework, moduleName(figures.module));
        moduleEntry(figures, step);
        const auto recipe = recipeOf(ModelPart::Attention).id;
        const bool fp8 = recipe.starts_with("fp8"), fp4 = recipe == "nvfp4";
        if (!fp8 && !fp4 && recipe != "bf16")
            throw Error(ErrorCode::InvalidInput, where,
                        "no sparse attention was measured with weights that are unpacked",
                        "Choose weights of attention in bf16, fp8, fp8_block or, on Blackwell, nvfp4");
        if (!fp8Cache() && !latent)
            throw Error(ErrorCode::InvalidInput, where,
                        "compressed attention was measured with a KV cache in FP8 alone",
                        "Choose 8 bits for the KV cache");
        constexpr double kNvfp4 = 0.5 + 1.0 / 16.0;
        step.batch = batch;
        step.tokens = tokens;
        step.cached = cached;
        step.heads = std::ceil(figures.heads / layout().tp);
        step.kvBytes = cacheBytes();
        step.rate = fp8 ? Rate::Fp8 : fp4 ? Rate::Fp4 : Rate::Bf16;
        step.weightBytes = fp8 ? 1.0 : fp4 ? kNvfp4 : 2.0;
        checkModuleStep(step, where);
        return step;
    }

    ModuleKernel moduleKernel(LayerFigures& figures, const StepSequences& one) const {
        const auto step = moduleStep(figures, true, one.count * one.queryTokens, 1.0, 0.0);
        const auto& known = moduleEntry(figures, step);
        return {m_figures, known.row->constants, figures.module, step, known.trust};
    }

    void addModule(std::size_t i, LayerFigures& figures) {
        if (!isFirstOfLayer(i, *figures.of))
            return;
        if (m_decodes) {
            m_out.contexts.add({i, 0.0, moduleKernel(figures, m_alike)});
            return;
        }
        auto& out = m_out.operators[i];
        out.add(overKnownPrompts(figures, [&](double batch, double queries, double cached) {
            // The end of a prompt that is cut takes what the shortest measured prompt takes.
            const auto step =
                moduleStep(figures, false, batch, std::max(queries, kFewestModuleTokens), cached);
            const auto& known = moduleEntry(figures, step);
            return known.trust.of(moduleTime(m_figures, known.row->constants, figures.module, step),
                                  queries >= kFewestModuleTokens);
        }));
        forDecodesBeside(
            [&](const StepSequences& one) { out.add(moduleKernel(figures, one).at(one.keys())); });
    }

    // --- the gated delta rule

    KernelTime deltaTime(LinearAttentionOp op, const LayerGroup& group, bool decodes, double requests,
                         double tokens) const {
        const auto& of = figures(group);
        if (of.kDim != 128.0 || of.vDim != 128.0)
            throw Error(ErrorCode::NotFound, m_catalog.linearAttention.where,
                        "the gated delta rule was measured with heads of 128 alone");
        const auto& known = entry(
            m_serving.linear[(op == LinearAttentionOp::DeltaRule ? 0 : 2) + (decodes ? 1 : 0)],
            [&]() -> auto& { return m_catalog.linearAttentionFor(m_gpu, m_framework, op, decodes); });
        LinearAttentionShape shape;
        shape.requests = requests;
        shape.tokens = tokens;
        shape.valueHeads = std::ceil(of.vHeads / layout().tp);
        shape.keyHeads = std::ceil(of.kHeads / layout().tp);
        return known.trust.of(linearAttentionTime(m_figures, known.row->constants, op, decodes, shape));
    }

    void addDelta(OperatorKernels& out, const LayerGroup& group, LinearAttentionOp op) const {
        if (!m_decodes)
            out.add(overPromptsOfRank([&](double batch, double queries, double) {
                return deltaTime(op, group, false, batch, queries);
            }));
        for (const auto& one : m_sequences)
            if (one.decodes)
                out.add(deltaTime(op, group, true, one.count, 1.0));
    }

    /// Of an entry of an architecture and a framework: another's stands in.
    template <class Constants>
    KernelTrust trustOf(const FittedConstants<Constants>& row) const {
        const auto trust = trustIn(row.heldOut, m_gpu);
        return row.names[0] == m_gpu.arch && row.names[1] == m_framework ? trust : trust.standIn();
    }

    /// The entry that `find` gives, asked for once.
    template <class Constants, class Find>
    const KnownEntry<Constants>& entry(KnownEntry<Constants>& known, Find find) const {
        if (!known.row) {
            const auto& row = find();
            known = {&row, trustOf(row)};
        }
        return known;
    }

    // --- collectives

    void addCollective(OperatorKernels& out, const Operator& op) {
        const double ranks = op.ranks > 0.0 ? op.ranks : layout().stageDevices();
        const double bytes = 2.0 * op.payload;
        if (ranks <= 1.0)
            return;
        if (op.kind == OperatorKind::Send)
            out.add(m_collectives.send(bytes));
        else if (op.kind == OperatorKind::AllToAll)
            out.add(m_collectives.exchange(op, routedRows(), ranks, bytes));
        else if (op.kind == OperatorKind::AllReduce)
            out.add(served(ModelPart::Router).allReduce(bytes, ranks));
        else
            out.add(m_collectives.nccl(op.kind == OperatorKind::AllGather ? NcclOperation::AllGather
                                                                          : NcclOperation::ReduceScatter,
                                       ranks, bytes));
    }
};

} // namespace

StepKernels layeredStepKernels(const OperatorGraph& graph, LayeredServing& serving, const StepShape& step,
                               const OperatorSet& which) {
    StepKernels kernels;
    LayeredComposer(graph, serving, step, kernels).compose(which);
    return kernels;
}

} // namespace heteroscape::engine
