// SPDX-License-Identifier: GPL-3.0-or-later
// What a design is offered does what it says, over all shipped designs: an ideal runtime is a bound, a better
// part is never slower, and a setting changes a number or it is said what decides.
#include "engine/evaluation/decisive.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/expected_error.h"
#include "engine/evaluation/explain.h"
#include "engine/operators/experts.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/parameters.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/schedule/compiled_pool.h"
#include "engine/techniques/graph_pass.h"
#include "engine/units/number_text.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <regex>
#include <set>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// The design with another runtime of the catalogue on a node, nothing where it does not run there.
std::optional<Scenario> served(const Scenario& design, const Node& node, const std::string& runtime) {
    try {
        return with(design, "nodes." + node.id.value + ".runtime", runtime);
    } catch (const Error&) {
        return std::nullopt;
    }
}

const NodeEvaluation& at(const Evaluation& evaluation, const Scenario& design, const NodeId& id) {
    return evaluation.nodes[static_cast<std::size_t>(design.findNode(id) - design.nodes.data())];
}

std::string finding(const Scenario& design, const std::string& code) {
    for (const auto& found : validate(design))
        if (found.code == code)
            return found.message;
    return {};
}

} // namespace

TEST_CASE("ideal: no runtime passes it in either phase, on any device of any shipped design") {
    std::mt19937 random(45);
    std::size_t held = 0;
    for (const auto& id : catalog().systems)
        for (int trial = 0; trial < rounds(20, 2); ++trial) {
            auto design = preset(id);
            if (trial > 0) {
                const auto drawn = [&](std::initializer_list<double> values) {
                    return values.begin()[random() % values.size()];
                };
                design.workload.batch.value = drawn({1, 8, 64, 256});
                design.workload.promptTokens.value = drawn({1, 128, 2048, 16384});
                design.workload.outputTokens.value = drawn({1, 64, 1024});
            }
            for (const auto& node : design.nodes) {
                if (!node.runtime)
                    continue;
                for (const auto& entry : catalog().runtimes) {
                    const auto other = served(design, node, entry.base.id);
                    // By their papers' accounting a step without LM head, or without communication.
                    if (entry.base.operators == OperatorStyle::Matrices ||
                        entry.base.prefill.kind->id() == "ascend910b_prefill")
                        continue;
                    auto ideal = other ? served(*other, node, "ideal") : std::nullopt;
                    if (!ideal || offloads(*other->findNode(node.id)))
                        continue;
                    auto& runtime = *ideal->findNode(node.id)->runtime;
                    for (const auto bits : {&Runtime::weightBits, &Runtime::activationBits, &Runtime::kvBits})
                        runtime.*bits = (*other->findNode(node.id)->runtime).*bits;
                    const auto figures = evaluate(*other);
                    if (const auto fewer = atOnce(*other, figures)) // of a batch behind a server
                        ideal->workload.batch = fewer->workload.batch;
                    const auto bound = evaluate(*ideal);
                    const auto& real = at(figures, *other, node.id);
                    const auto& least = at(bound, *ideal, node.id);
                    CAPTURE(id);
                    CAPTURE(trial);
                    CAPTURE(entry.base.id);
                    CAPTURE(node.id.value);
                    if (!(real.decode.seconds > 0.0) || !(least.decode.seconds > 0.0))
                        continue; // it does not run there
                    ++held;
                    CHECK(least.prefill.seconds <= real.prefill.seconds * (1.0 + 1e-9));
                    CHECK(least.decode.seconds <= real.decode.seconds * (1.0 + 1e-9));
                }
            }
        }
    CHECK(held > scaled(2000));
}

namespace {

/// Another value that a parameter may have; empty where there is none. Numbers go to an end of their range
/// at `end` -1 or 1, somewhere between at 0.
std::string otherValue(const Scenario& design, const Parameter& parameter, int end, std::mt19937& random) {
    const auto own = parameterText(design, parameter);
    if (parameter.kind == ParameterKind::Boolean)
        return own == "true" ? "false" : "true";
    if (parameter.kind == ParameterKind::Choice) {
        if (parameter.choices.empty())
            return {};
        const auto& other = parameter.choices[random() % parameter.choices.size()];
        return other == own ? std::string() : other;
    }
    const auto& spec = parameter.spec;
    const double value = resolveQuantity(design, parameter.path).in(design).valueOr(8.0 * spec.scale);
    double other = end < 0 ? spec.minimum : end > 0 ? spec.maximum : 2.0 * value / spec.scale;
    other = std::clamp(spec.integer ? std::round(other) : other, spec.minimum, spec.maximum);
    return exactText(other);
}

/// The design with that value; nothing where it cannot have it, does not run with it, or is simulated.
std::optional<Scenario> changed(const Scenario& design, const Parameter& parameter, const std::string& text) {
    if (text.empty())
        return std::nullopt;
    try {
        auto other = with(design, parameter.path, text);
        if (hasErrors(validate(other)) || other.serving.isSimulated() ||
            parameterText(other, parameter) == parameterText(design, parameter))
            return std::nullopt;
        return other;
    } catch (const Error&) {
        return std::nullopt;
    }
}

} // namespace

TEST_CASE("settings: every parameter of every shipped design changes a number or says what decides") {
    std::mt19937 random(47);
    std::size_t idle = 0, told = 0;
    for (const auto& id : catalog().systems) {
        CAPTURE(id);
        const auto base = preset(id);
        if (base.serving.isSimulated())
            continue;
        const auto label = boundLabel(base, evaluate(base));
        const auto parameters = listParameters(base, catalog());
        for (auto i = random() % stride(); i < parameters.size(); i += stride()) {
            const auto& parameter = parameters[i];
            const auto other = changed(base, parameter, otherValue(base, parameter, 0, random));
            if (!other)
                continue;
            ++told;
            const auto why = whyIdle(base, *other, catalog(), parameter.path);
            if (why.empty())
                continue;
            CAPTURE(parameter.path);
            CAPTURE(why);
            ++idle;
            CHECK(evaluate(*other).metric(Metric::Throughput) == evaluate(base).metric(Metric::Throughput));
            // What limits is never said to be decided by itself.
            if (contains(why, label) && contains(label, "memory"))
                CHECK_FALSE(contains(parameter.path, "memory_bandwidth_gbps"));
            // What nothing reads changes nothing at the ends of its range either.
            if (contains(why, "reads it") && parameter.kind == ParameterKind::Number)
                for (const int end : {-1, 1})
                    if (const auto far = changed(base, parameter, otherValue(base, parameter, end, random)))
                        CHECK_FALSE(whyIdle(base, *far, catalog(), parameter.path).empty());
            // A bound of time decides no price, cost or power.
            const auto& unit = parameter.spec.unit;
            if (unit == "$" || unit == "W" || parameter.path.starts_with("cost."))
                CHECK_FALSE(contains(why, "the limit is elsewhere"));
        }
    }
    CHECK(idle > 50);
    CHECK(told > 2 * idle / 3);
}

TEST_CASE("settings: what decides is told by name") {
    const auto why = [](const char* id, const char* path, const char* value) {
        return whyIdle(preset(id), presetWith(id, {{path, value}}), catalog(), path);
    };
    CHECK(why("glitches/8a100", "workload.prompt_tokens", "100").empty());
    CHECK(contains(why("glitches/8a100", "techniques.load_merging.ratio", "8"), "Load merging is off"));
    CHECK(contains(why("glitches/8a100", "nodes.gpu.device.peak_fp4_tflops", "100"), "nothing that "));
    CHECK(contains(why("glitches/8a100", "serving.requests", "7"), "serving.arrivals decides"));
    CHECK(contains(why("served/deepseek-v3-32h100-dp32-ep32", "nodes.quantum.device.memory_gb", "10"),
                   "the links at it decide"));
    // What is read and does not count: what is missing beside it, or stands in its place.
    CHECK(why("glitches/8a100", "cost.server_loss", "1.1") == "it counts once cost.server_host_w is set");
    CHECK(why("glitches/8a100", "nodes.gpu.chassis_host_w", "900") ==
          "it counts once nodes.gpu.chassis_loss is set");
    CHECK(why("inf2/opt-30b-a100-16csd", "nodes.gpu.role", "prefill") == "it comes to the same here as both");
    CHECK(why("glitches/8a100", "model.embeddings", "2") == "it comes to the same as where it is not set");
    CHECK(contains(why("inf2/opt-30b-a100-16csd", "nodes.gpu.device.power_limit_w", "500"),
                   "decides in its place"));
}

TEST_CASE("ideal: a bound of fused operators whose activations stay on the chip") {
    const auto design = presetWith("preserve/llama3-70b-8h100", {{"techniques.l2_prefetch.enabled", "false"},
                                                                 {"workload.batch", "256"},
                                                                 {"workload.prompt_tokens", "4096"},
                                                                 {"workload.output_tokens", "64"},
                                                                 {"nodes.gpu.device.memory_gb", "1000"}});
    const auto ideal = with(design, "nodes.gpu.runtime", "ideal");
    const auto decode = evaluate(ideal).nodes.front().decode;
    CHECK(decode.seconds <
          evaluate(with(design, "nodes.gpu.runtime", "fused-fp16")).nodes.front().decode.seconds);
    // By hand: an eighth of 70.6 billion weights less the embedding in 2 B, 256 x 4,128.5 tokens of 40,960 B
    // each, at 3.35 TB/s.
    const double bytes =
        2.0 * (ideal.model.parameters() - 128256.0 * 8192.0) / 8.0 + 256.0 * 4128.5 * 40960.0;
    CHECK(off(decode.seconds, bytes / 3.35e12) < 2e-3);
    CHECK(decode.bound == Bound::Memory);
    CHECK(decode.memoryUtilisation() <= 1.0 + 1e-12);
    for (const auto* metric : {"tpot_s", "ttft_s"})
        CHECK(off(explain(ideal, metric).value(), evaluate(ideal).metric(findMetric(metric)->metric)) < 1e-9);
}

TEST_CASE("weights: a width set by hand takes the place of what the checkpoint quantizes, and is said") {
    const auto base = presetWith("served/deepseek-v3-8h200-tp8",
                                 {{"nodes.gpu.runtime", "ideal"}, {"nodes.gpu.device.memory_gb", "1000"}});
    const auto weights = [&](const Scenario& design) { return evaluate(design).nodes.front().weightBytes; };
    const auto at = [&](const char* bits) { return with(base, "nodes.gpu.runtime.weight_bits", bits); };
    CHECK(finding(base, "weights_by_hand").empty());
    CHECK(weights(at("8")) == weights(base)); // as the checkpoint has it, scales included
    // What stays in BF16: router, embedding, head. The rest by its width.
    const auto& model = base.model;
    double kept = 0.0, quantized = 0.0;
    for (const auto part : {ModelPart::Attention, ModelPart::Dense, ModelPart::Experts, ModelPart::Shared})
        quantized += model.elements(part);
    for (const auto part : {ModelPart::Router, ModelPart::Embedding, ModelPart::Head})
        kept += model.elements(part);
    double before = 0.0;
    for (const auto* bits : {"2", "4", "4.5", "6", "16"}) {
        CAPTURE(bits);
        const auto design = at(bits);
        const double now = evaluate(design).metric(Metric::TimePerToken);
        CHECK(now > before);
        before = now;
        const auto said = finding(design, "weights_by_hand");
        CHECK(contains(said, "experts"));
        CHECK(contains(said, "as in the checkpoint: router, embedding, LM head"));
        auto whole = design;
        whole.model.weights = servedWeights(model, design.nodes.front());
        CHECK(off(whole.model.weightBytes(2.0), 2.0 * kept + std::stod(bits) / 8.0 * quantized) < 1e-12);
    }
    // Kernels were measured in the checkpoint's formats.
    const auto measured = with(preset("served/deepseek-v3-8h200-tp8"), "nodes.gpu.runtime.weight_bits", "16");
    CHECK(contains(finding(measured, "weights_decided"), "change nothing"));
    CHECK(evaluate(measured).metric(Metric::TimePerToken) ==
          evaluate(preset("served/deepseek-v3-8h200-tp8")).metric(Metric::TimePerToken));
    // Elements are told as they are.
    const auto text = termText(explain(with(at("6"), "workload.batch", "1"), "nodes.gpu.decode_gib"));
    CAPTURE(text);
    CHECK_FALSE(std::regex_search(text, std::regex("Elements[a-z ]* = [0-9]+\\.[0-9]")));
}

TEST_CASE("uneven experts: popularity, imbalance and redundant slots are parameters of a design") {
    const auto base =
        presetWith("served/deepseek-v3-32h100-dp32-ep32", {{"nodes.gpu.runtime", "ideal-operators"}});
    const auto on = with(with(base, "techniques.uneven_experts.enabled", "true"),
                         "techniques.uneven_experts.imbalance", "0");
    const auto even = evaluate(base).nodes.front();
    CHECK(evaluate(on).nodes.front().decode.seconds == even.decode.seconds);
    // The experts' operator by hand: 32 requests a rank, 1,024 tokens of 8 of 256 experts on 32 ranks.
    const auto experts = [](const Scenario& design) {
        const CompiledPool pool(design, 0);
        const auto phase = pool.phase(Phase::Decode);
        for (const auto& op : phase.graph().operators())
            if (op.key == "experts")
                return op;
        FAIL("no experts");
        return Operator{};
    };
    const auto skewed = with(on, "techniques.uneven_experts.skew", "1.2");
    CHECK(off(experts(skewed).gemm.experts, distinctExpertsSkewed(256, 8, 1024, 1.2) / 32) < 1e-12);
    CHECK(off(experts(skewed).weights / experts(base).weights,
              distinctExpertsSkewed(256, 8, 1024, 1.2) / distinctExperts(256, 8, 1024)) < 1e-12);
    CHECK(evaluate(skewed).nodes.front().decode.bytes < even.decode.bytes);
    const auto uneven = with(on, "techniques.uneven_experts.imbalance", "1");
    CHECK(off(experts(uneven).gemm.rows, busiestRankPairs(256, 8, 1024, 32, 1.0)) < 1e-12);
    CHECK(off(experts(uneven).flops.constant / experts(base).flops.constant,
              busiestRankPairs(256, 8, 1024, 32, 1.0) / busiestRankPairs(256, 8, 1024, 32, 0.0)) < 1e-12);
    CHECK(evaluate(uneven).nodes.front().prefill.seconds > even.prefill.seconds);
    const auto slots = evaluate(with(on, "techniques.uneven_experts.redundant", "32")).nodes.front();
    const double bytes = base.model.weights->of(ModelPart::Experts).bytes;
    CHECK(off(slots.weightBytes - even.weightBytes,
              32.0 / 32.0 / 256.0 * base.model.elements(ModelPart::Experts) * bytes) < 1e-9);
    // Measured kernels take them too; the pass is held to what it says.
    const auto served =
        with(preset("served/deepseek-v3-32h100-dp32-ep32"), "techniques.uneven_experts.enabled", "true");
    CHECK(evaluate(served).nodes.front().prefill.seconds >
          evaluate(preset("served/deepseek-v3-32h100-dp32-ep32")).nodes.front().prefill.seconds);
    for (const auto* pass : passesOn({served, served.nodes.front(), Phase::Decode})) {
        const auto plain = preset("served/deepseek-v3-32h100-dp32-ep32");
        const CompiledPool pool(plain, 0);
        auto graph = pool.phase(Phase::Decode).graph();
        CHECK_NOTHROW(applyChecked(*pass, graph, {served, served.nodes.front(), Phase::Decode}));
    }
    CHECK(finding(uneven, "idle_experts").empty());
    CHECK(contains(
        finding(presetWith("preserve/llama3-70b-8h100", {{"techniques.uneven_experts.enabled", "true"}}),
                "idle_experts"),
        "no experts"));
    CHECK(contains(
        finding(presetWith("served/deepseek-v3-8h200-tp8", {{"techniques.uneven_experts.enabled", "true"},
                                                            {"techniques.uneven_experts.redundant", "32"}}),
                "idle_experts"),
        "no node deals experts"));
}

TEST_CASE("a better part is never slower, in any shipped design") {
    std::mt19937 random(46);
    const auto rate = [](const Scenario& design) { return evaluate(design).metric(Metric::Throughput); };
    for (const auto& id : catalog().systems) {
        const auto base = preset(id);
        const double before = rate(base);
        if (!(before > 0.0) || base.serving.isSimulated())
            continue;
        CAPTURE(id);
        for (const auto& node : base.nodes)
            for (const auto* key :
                 {"memory_bandwidth_gbps", "peak_fp16_tflops", "peak_int8_tops", "peak_fp8_tflops",
                  "peak_fp4_tflops", "memory_gb", "host_memory_gib", "write_bandwidth_gbps",
                  "p2p_bandwidth_gbps", "kernel_gbps", "sms", "clock_mhz"}) {
                const auto path = "nodes." + node.id.value + ".device." + key;
                const auto* field = findField(deviceFields(), key);
                REQUIRE(field);
                const auto& own = node.device.*field->member;
                if (!own.isSet())
                    continue;
                CAPTURE(path);
                const double factor = std::exp(std::uniform_real_distribution<double>(0.0, 3.0)(random));
                auto more = base;
                auto& value = more.findNode(node.id)->device.*field->member;
                value.value = std::min(own.value * factor, field->spec.maximum * field->spec.scale);
                if (field->spec.integer)
                    value.value = std::round(value.value);
                CAPTURE(factor);
                CHECK(rate(more) >= before * (1.0 - 1e-9));
            }
    }
}

namespace {

/// Other lengths, batches and, where `rates`, other rates of all that works, each by its own factor.
Scenario redrawn(Scenario design, bool rates, std::mt19937& random) {
    std::uniform_real_distribution<double> power(-1.0, 1.0);
    const auto vary = [&](auto& quantity, double decades) {
        if (quantity.isSet())
            quantity.value = quantity.value * std::pow(10.0, decades * power(random));
    };
    design.workload.batch.value = std::floor(std::pow(2.0, 4.0 + 4.0 * power(random)));
    design.workload.promptTokens.value = std::floor(std::pow(2.0, 8.0 + 5.0 * power(random)));
    design.workload.outputTokens.value = std::floor(std::pow(2.0, 6.0 + 4.0 * power(random)));
    for (auto& node : design.nodes)
        for (const auto rate : {&Device::memoryBandwidth, &Device::peakFp16, &Device::hostMemory})
            if (rates)
                vary(node.device.*rate, 0.7);
    for (auto& link : design.links)
        if (rates)
            vary(link.type.bandwidth, 0.7);
    return design;
}

} // namespace

TEST_CASE("automatic choices are never worse than what can be asked for in their place") {
    std::mt19937 random(48);
    std::size_t held = 0;
    for (const auto& id : catalog().systems)
        for (int trial = 0; trial < rounds(20, 3); ++trial) {
            const auto base = trial == 0 ? preset(id) : redrawn(preset(id), true, random);
            for (const auto* kind : techniqueKinds().all())
                for (std::size_t i = 0; base.techniques.isOn(*kind) && i < kind->parameters().size(); ++i) {
                    if (kind->unsetValue(i).word.empty())
                        continue;
                    auto own = base;
                    own.techniques[*kind].quantity(i) = {};
                    const auto chosen = evaluate(own);
                    const auto& spec = kind->parameters()[i].spec;
                    for (const double share : {0.0, 0.3, 0.7, 1.0}) {
                        auto asked = own;
                        asked.techniques[*kind].quantity(i).value =
                            (spec.minimum + share * (spec.maximum - spec.minimum)) * spec.scale;
                        const auto other = evaluate(asked);
                        if (!other.feasible)
                            continue;
                        ++held;
                        CAPTURE(id);
                        CAPTURE(trial);
                        CAPTURE(std::string(kind->id()));
                        CAPTURE(share);
                        CHECK(chosen.metric(Metric::Throughput) >=
                              other.metric(Metric::Throughput) * (1.0 - 1e-9));
                    }
                }
        }
    CHECK(held > scaled(200));
}

TEST_CASE("weights that lie on storage are read in every step, whoever offloads them") {
    const auto design =
        presetWith("inf2/opt-30b-h100-accelerate", {{"model", "opt-175b"},
                                                    {"workload.batch", "2"},
                                                    {"workload.prompt_tokens", "512"},
                                                    {"nodes.host.device.host_memory_gib", "64"},
                                                    {"nodes.storage.device.memory_bandwidth_gbps", "0.1"}});
    const auto e = evaluate(design);
    REQUIRE(e.feasible);
    const auto& node = at(e, design, NodeId{"gpu"});
    const double onStorage = node.offload.tier(Tier::Storage).weights;
    CHECK(onStorage > 290e9);
    const double tokens = design.workload.outputTokens.value;
    CHECK(node.offload.storageTraffic >= onStorage * tokens * (1.0 - 1e-12));
    const double rate = 0.1e9 * design.findNode(NodeId{"storage"})->count.value;
    CHECK(node.decode.seconds >= onStorage / rate * (1.0 - 1e-12));
}

TEST_CASE("a shipped device that a design has brought along is as shipped: measured kernels run on it") {
    for (const auto* runtime : {"vllm", "trtllm"}) {
        const auto own = presetWith("preserve/llama3-70b-8h100", {{"nodes.gpu.runtime", runtime}});
        CHECK_FALSE(hasErrors(validate(own)));
        const auto placed = with(with(own, "nodes.gpu.device", "h100-sxm"), "nodes.gpu.runtime", runtime);
        CHECK(evaluate(own).nodes.front().decode.seconds == evaluate(placed).nodes.front().decode.seconds);
    }
}

TEST_CASE("what is named as the limit helps when it is twice as fast, in shipped and in random designs") {
    std::mt19937 random(49);
    std::size_t held = 0;
    for (const auto& id : catalog().systems)
        for (int trial = 0; trial < rounds(30, 3); ++trial) {
            const auto base = trial == 0 ? preset(id) : redrawn(preset(id), true, random);
            const auto before = evaluate(base);
            if (!before.feasible || base.serving.isSimulated() ||
                id == "preserve/llama3-70b-4npu-measured") // its layers are as measured, whatever the device
                continue;
            CAPTURE(id);
            CAPTURE(trial);
            const auto label = boundLabel(base, before);
            CAPTURE(label);
            auto twice = base;
            auto& device = twice.nodes[before.bound.node].device;
            if (before.bound.link < base.links.size())
                twice.links[before.bound.link].type.bandwidth.value *= 2.0;
            else if (before.bound.bound == Bound::Memory)
                device.memoryBandwidth.value *= 2.0;
            else if (before.bound.bound == Bound::Compute)
                for (const auto peak : {&Device::peakFp16, &Device::peakInt8, &Device::peakFp8,
                                        &Device::peakFp4, &Device::clock})
                    (device.*peak).value *= 2.0;
            else
                continue;
            ++held;
            CHECK(evaluate(twice).metric(Metric::Throughput) >
                  before.metric(Metric::Throughput) * (1.0 + 1e-6));
        }
    CHECK(held > scaled(300));
}

TEST_CASE("more devices that cut experts by width: slower, and it is said why") {
    const auto base = preset("served/deepseek-v3-32h100-dp32-ep32");
    const auto rate = [](const Scenario& design) { return evaluate(design).metric(Metric::Throughput); };
    const auto twice = with(base, "nodes.gpu.count", "64");
    CHECK(finding(base, "experts_cut").empty());
    CHECK(rate(twice) < rate(base));
    CHECK(contains(finding(twice, "experts_cut"), "cut each expert by width in 2"));
    const auto whole = with(with(twice, "nodes.gpu.dp", "64"), "nodes.gpu.ep", "64");
    CHECK(finding(whole, "experts_cut").empty());
    CHECK(rate(whole) > rate(base));
}

TEST_CASE("a card with far fewer tensor cores than those that were measured has the band of what was not") {
    auto design = presetWith("preserve/llama3-70b-8h100", {{"nodes.gpu.device", "h20"},
                                                           {"nodes.gpu.runtime", "vllm"},
                                                           {"nodes.gpu.server", "none"},
                                                           {"techniques.l2_prefetch.enabled", "false"},
                                                           {"workload.batch", "1"}});
    const auto own = evaluate(design);
    REQUIRE(own.feasible);
    CHECK(own.nodes.front().decode.bound == Bound::Memory); // rows that fill no tile are no compute
    const auto error = ExpectedErrors(design, own).of("nodes.gpu.decode_ms");
    CHECK(error.evidence() == Evidence::Beyond);
    design = with(with(design, "nodes.gpu.device", "h200-sxm"), "nodes.gpu.server", "none");
    const auto sibling = ExpectedErrors(design, evaluate(design)).of("nodes.gpu.decode_ms");
    CHECK(error.percent > 1.5 * sibling.percent);
    // Nor is a whole system of such cards surer than their kernels are.
    const auto served = [](const char* device) {
        return presetWith("served/gpt-oss-120b-h100",
                          {{"model", "qwen3-8b"}, {"nodes.gpu.device", device}, {"workload.batch", "1"}});
    };
    const auto bandOf = [](const Scenario& system) {
        return ExpectedErrors(system, evaluate(system)).of(Metric::TimePerToken);
    };
    const auto few = bandOf(served("h20")), many = bandOf(served("h200-sxm"));
    CHECK(few.most / few.percent == doctest::Approx(many.most / many.percent));
    CHECK(few.percent > 1.2 * many.percent);
    // Fewer cores are never faster.
    double before = 0.0;
    for (const auto* peak : {"2000", "989", "960", "940", "600", "300", "148", "60", "10"}) {
        const auto edited = with(design, "nodes.gpu.device.peak_fp16_tflops", peak);
        const double now = evaluate(edited).nodes.front().decode.seconds;
        CHECK(now >= before * (1.0 - 1e-9));
        before = now;
    }
}
