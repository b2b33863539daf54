// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/evaluate.h"

#include "engine/claims/claims.h"
#include "engine/evaluation/breakdown.h"
#include "engine/evaluation/metric_path.h"
#include "engine/units/number_text.h"
#include "tests/engine/fixtures.h"

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

double throughput(const std::string& id, const std::string& prompt, const std::string& output,
                  const std::string& assist = "false") {
    const auto scenario = presetWith(id, {{"workload.prompt_tokens", prompt},
                                          {"workload.output_tokens", output},
                                          {"techniques.gpu_assist.enabled", assist}});
    return evaluate(scenario).metric(Metric::Throughput);
}

} // namespace

TEST_CASE("GLITCHES section 4: closed form of [512, 512]") {
    CHECK(throughput("glitches/a100-7u280", "512", "512") == doctest::Approx(452.1).epsilon(0.0002));
    CHECK(throughput("glitches/a100-7u280", "512", "512", "true") == doctest::Approx(491.0).epsilon(0.0002));
}

TEST_CASE("the whole answer for the preset is consistent") {
    const auto scenario = preset("glitches/a100-7u280");
    const auto e = evaluate(scenario);
    REQUIRE(e.feasible);
    CHECK(e.reason.empty());
    // At M = 4 the MV instructions just outlast the merged loads; at M = 1 the loads do by far.
    CHECK(boundKey(scenario, e) == "fpga decode compute");
    const auto single = with(scenario, "techniques.load_merging.ratio", "1");
    CHECK(boundKey(single, evaluate(single)) == "fpga decode memory");
    CHECK(e.metric(Metric::Price) == 73000);
    CHECK(std::isnan(e.metric(Metric::Area))); // the U280's die area is not published
    CHECK(std::isnan(e.metric(Metric::ThroughputPerArea)));
    CHECK(off(e.metric(Metric::Latency), e.metric(Metric::TimeToFirstToken) + e.metric(Metric::KvTransfer) +
                                             512 * e.metric(Metric::TimePerToken)) < 1e-12);
    CHECK(e.metric(Metric::KvTransfer) == doctest::Approx(1.65e-3).epsilon(0.005));
    CHECK(off(e.metric(Metric::EnergyPerToken) * e.metric(Metric::ThroughputPerPower), 1.0) < 1e-12);
    // Power by hand: GPU prefilling its share of time, idle otherwise; FPGAs always decode.
    const double busy = e.nodes[0].prefillBusy;
    CHECK(off(e.metric(Metric::Power), busy * 256.6 + (1 - busy) * 50 + 7 * 46) < 1e-12);
    // Traffic by hand: 262144 B of int8 KV cache a prompt token.
    const double bytes = 262144.0 * 1536 * e.metric(Metric::RequestRate);
    CHECK(off(e.links[0].bytesPerSecond, bytes) < 1e-12);
    CHECK(off(e.links[1].bytesPerSecond, bytes / 7) < 1e-12);
}

TEST_CASE("device memory: who only prefills keeps prompts, who decodes keeps outputs too") {
    // 32 layers of keys and values, 32 heads of 128 elements, FP16 on the GPU and int8 on the FPGAs, each of
    // which is a copy with a batch of its own.
    const double elements = 2.0 * 32 * 32 * 128;
    for (const bool assists : {false, true}) {
        const auto scenario = presetWith("glitches/a100-7u280",
                                         {{"workload.prompt_tokens", "300"},
                                          {"workload.output_tokens", "70"},
                                          {"workload.batch", "3"},
                                          {"techniques.gpu_assist.enabled", assists ? "true" : "false"}});
        const auto e = evaluate(scenario);
        REQUIRE(e.feasible);
        CAPTURE(assists);
        CHECK(e.nodes[0].kvBytes == 3 * (assists ? 370 : 300) * elements * 2);
        for (std::size_t i = 0; i < e.nodes.size(); ++i)
            if (e.nodes[i].role == Role::Decode)
                CHECK(e.nodes[i].kvBytes == 3 * 370 * elements);
    }
}

TEST_CASE("what does not fit is a valid answer that says what is missing") {
    const auto scenario = with(preset("glitches/a100-7u280"), "model", "llama2-13b");
    const auto wide = with(scenario, "workload.output_tokens", "4096");
    const auto e = evaluate(wide);
    CHECK_FALSE(e.feasible);
    CHECK(e.reason.find("Alveo U280 needs") == 0);
    CHECK(e.reason.find("but has 8.00 GB") != std::string::npos);
    CHECK(std::isnan(e.metric(Metric::Throughput)));
    CHECK(e.metric(Metric::Price) == 73000);
    CHECK(boundKey(wide, e) == "none");
    CHECK_FALSE(e.nodes[2].fits);
    CHECK(e.nodes[0].fits);
}

TEST_CASE("an invalid scenario answers with its first error") {
    auto scenario = preset("glitches/a100-7u280");
    scenario.links.clear();
    const auto e = evaluate(scenario);
    CHECK_FALSE(e.feasible);
    CHECK(e.reason.find("No path of links from A100 80GB to Alveo U280") == 0);
    scenario.nodes.clear();
    CHECK(evaluate(scenario).reason.find("No device can run the model") == 0);
}

TEST_CASE("without the split every accelerator serves whole requests") {
    const auto scenario = with(preset("glitches/a100-7u280"), "techniques.disaggregation.enabled", "false");
    const auto e = evaluate(scenario);
    double rate = 0;
    for (const auto i : {0, 2}) {
        const auto& node = e.nodes[static_cast<std::size_t>(i)];
        rate += scenario.nodes[static_cast<std::size_t>(i)].count.value /
                (node.prefill.totalSeconds + node.decode.totalSeconds);
    }
    CHECK(off(e.metric(Metric::RequestRate), rate) < 1e-12);
    CHECK(e.metric(Metric::KvTransfer) == 0.0);
}

TEST_CASE("a missing price hides what needs it; a host's does not") {
    const auto scenario = with(preset("glitches/a100-7u280"), "nodes.fpga.device.price_usd", "none");
    CHECK(std::isnan(evaluate(scenario).metric(Metric::ThroughputPerPrice)));
    CHECK(evaluate(scenario).feasible);
    CHECK_FALSE(preset("glitches/a100-7u280").findNode({"host"})->device.price.isSet());
}

TEST_CASE("breakdowns add up to the step") {
    for (const auto* id : {"glitches/8a100", "glitches/8u280", "glitches/a100-7u280"}) {
        const auto scenario = preset(id);
        for (const auto& roof : rooflines(scenario)) {
            double sum = 0;
            for (const auto& op : roof.detail.operators) {
                sum += op.seconds;
                if (op.seconds == 0.0)
                    continue;                                                // hidden behind others
                CHECK(op.flops <= op.seconds * roof.peakFlops * (1 + 1e-9)); // nothing passes a roof
                if (roof.phase == Phase::Prefill)
                    CHECK(op.bytes <= op.seconds * roof.peakBandwidth * (1 + 1e-9));
            }
            CHECK(off(sum, roof.detail.seconds) < 1e-12);
            CHECK(off(sum, roof.step.seconds) <
                  1e-9); // affine in context: the mean step is the step at the mean
        }
    }
}

TEST_CASE("rooflines cover the phases that run") {
    CHECK(rooflines(preset("glitches/a100-7u280")).size() == 2);
    CHECK(rooflines(preset("glitches/8a100")).size() == 2);
    CHECK(rooflines(with(preset("glitches/a100-7u280"), "techniques.gpu_assist.enabled", "true")).size() ==
          3);
}

TEST_CASE("a step bound by compute left of the ridge says at which rate that compute runs") {
    int explained = 0;
    for (const auto& info : listPresets(catalog()))
        for (const auto& roof : rooflines(preset(info.id.c_str()))) {
            const auto why = leftOfRidge(roof);
            CAPTURE(info.id);
            CAPTURE(why);
            if (roof.step.bound != Bound::Compute || roof.step.intensity() >= roof.ridge()) {
                CHECK(why.empty());
                continue;
            }
            if (!roof.detail.flows.empty()) {
                const auto longest =
                    std::max_element(roof.detail.flows.begin(), roof.detail.flows.end(),
                                     [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
                CHECK(why.find(longest->label + " takes longest, ") != std::string::npos);
                continue;
            }
            double flops = 0, seconds = 0;
            for (const auto& op : roof.detail.operators)
                if (op.bound == Bound::Compute) {
                    flops += op.flops;
                    seconds += op.seconds;
                }
            CHECK(why.starts_with(roof.name));
            const double rate = flops / seconds;
            CHECK(why.find(
                      "reaches " + shortText(rate / 1e12) + (roof.integerPeak ? " TOP/s, " : " TFLOP/s, ") +
                      shortText(100 * rate / roof.peakFlops) + " % of the peak's ") != std::string::npos);
            CHECK(why.find("ridge at " + shortText(roof.ridge()) + " FLOP/B") != std::string::npos);
            CHECK(flops / seconds < roof.peakFlops);
            ++explained;
        }
    CHECK(explained > 0);
}

TEST_CASE("per-device efficiencies count every request of the batch") {
    const auto scenario = with(preset("glitches/8a100"), "workload.batch", "4");
    const auto e = evaluate(scenario);
    CHECK(off(findMetric(scenario, e, "nodes.gpu.decode_tok_s_per_w").value,
              4.0 / e.nodes[0].decode.seconds / 167.3) < 1e-12);
    // Eight cards that decode and prefill in turn: their throughput by hand.
    CHECK(off(e.metric(Metric::Throughput),
              8 * 4 * 512 / (e.nodes[0].prefill.totalSeconds + e.nodes[0].decode.totalSeconds)) < 1e-12);
}

TEST_CASE("metric paths") {
    const auto scenario = preset("glitches/a100-7u280");
    const auto e = evaluate(scenario);
    CHECK(findMetric(scenario, e, "nodes.gpu.prefill_ms").value == doctest::Approx(175.83).epsilon(1e-4));
    CHECK(errorOf([&] { findMetric(scenario, e, "nodes.gpu.prefill"); }).find("nodes.gpu.prefill_ms") !=
          std::string::npos);
}
