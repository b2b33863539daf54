// SPDX-License-Identifier: GPL-3.0-or-later
// SMs, clock and rates per clock as figures of a device, and the kernels that are timed with them.

#include "engine/evaluation/evaluate.h"
#include "engine/scenario/scenario_key.h"
#include "engine/timing/kernels/gpu.h"
#include "engine/timing/machine.h"
#include "tests/engine/fixtures.h"

#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

Device h100() {
    return catalog().device("h100-sxm", "");
}

Scenario design() {
    return presetWith("preserve/llama3-70b-8h100", {{"nodes.gpu.device", "h100-sxm"},
                                                    {"nodes.gpu.runtime", "trtllm"},
                                                    {"techniques.l2_prefetch.enabled", "false"}});
}

Evaluation evaluated(const std::string& path, const std::string& text) {
    return evaluate(with(design(), "nodes.gpu.device." + path, text));
}

Quantity byHand(double value) {
    Quantity quantity;
    quantity.value = value;
    return quantity;
}

double fp16(const Device& device) {
    return devicePeak(device, &Device::peakFp16);
}

} // namespace

TEST_CASE("peaks follow SMs, clock and rates per clock, and stay where they are set by hand") {
    const auto plain = h100();
    const auto& measured = measuredGpu(plain)->figures;
    CHECK(fp16(plain) == plain.peakFp16.value); // to the last bit
    auto edited = plain;
    edited.sms = byHand(264);
    CHECK(off(fp16(edited), 2 * plain.peakFp16.value) < 1e-14);
    CHECK(off(devicePeak(edited, &Device::peakInt8), 2 * plain.peakInt8.value) < 1e-14);
    edited.clock = byHand(0.5 * measured.clockGhz * 1e9);
    CHECK(off(fp16(edited), plain.peakFp16.value) < 1e-14);
    CHECK(explainDevicePeak(edited, &Device::peakFp16).value() == fp16(edited));
    edited.fp16PerClock = byHand(8192); // a peak that is made anew
    CHECK(off(fp16(edited), 264 * 8192 * edited.clock.value) < 1e-14);
    CHECK(explainDevicePeak(edited, &Device::peakFp16).value() == fp16(edited));
    CHECK(off(devicePeak(edited, &Device::peakInt8), plain.peakInt8.value) < 1e-14);
    edited.peakFp16 = byHand(500e12);
    CHECK(fp16(edited) == 500e12);
    CHECK(fp16(edited) == Machine(edited, catalog().runtime("ideal", "").on(edited)).peakFlops);

    // Without a GPU that was measured all three make a peak; less of them change none.
    auto unknown = plain;
    unknown.kernels.clear();
    unknown.sms = byHand(264);
    CHECK(fp16(unknown) == plain.peakFp16.value);
    unknown.clock = byHand(1e9);
    unknown.fp16PerClock = byHand(4096);
    CHECK(off(fp16(unknown), 264 * 4096e9) < 1e-14);
    // The clock of an FPGA's logic is none of peaks.
    const auto fpga = catalog().device("u280", "");
    CHECK(fpga.clock.isSet());
    CHECK(devicePeak(fpga, &Device::peakInt8) == fpga.peakInt8.value);
}

TEST_CASE("kernels are timed with the figures of the edited device: more is never slower") {
    const auto plain = evaluate(design());
    REQUIRE(plain.feasible);
    // What the measured GPU has changes nothing.
    for (const auto& [path, text] : {std::pair{"sms", "132"}, {"exp_per_clock", "16"}}) {
        CAPTURE(path);
        const auto same = evaluated(path, text);
        for (const auto metric : {Metric::TimeToFirstToken, Metric::TimePerToken})
            CHECK(off(same.metric(metric), plain.metric(metric)) < 1e-12);
    }
    const std::pair<const char*, const char*> more[] = {
        {"sms", "264"},          {"clock_mhz", "2500"},      {"memory_bandwidth_gbps", "6000"},
        {"l2_mb", "512"},        {"fp16_per_clock", "8192"}, {"peak_fp16_tflops", "1500"},
        {"exp_per_clock", "32"}, {"peak_fp8_tflops", "4000"}};
    for (const auto& [path, text] : more) {
        CAPTURE(path);
        const auto edited = evaluated(path, text);
        REQUIRE(edited.feasible);
        CHECK(edited.metric(Metric::TimeToFirstToken) <=
              plain.metric(Metric::TimeToFirstToken) * (1 + 1e-12));
        CHECK(edited.metric(Metric::TimePerToken) <= plain.metric(Metric::TimePerToken) * (1 + 1e-12));
    }
    for (const auto* path : {"sms", "clock_mhz", "fp16_per_clock", "exp_per_clock"}) {
        CAPTURE(path); // prefill is bound by these
        const auto* text = std::string(path) == "sms"             ? "264"
                           : std::string(path) == "clock_mhz"     ? "2500"
                           : std::string(path) == "exp_per_clock" ? "32"
                                                                  : "8192";
        CHECK(evaluated(path, text).metric(Metric::TimeToFirstToken) <
              0.999 * plain.metric(Metric::TimeToFirstToken));
    }
    CHECK(evaluated("memory_bandwidth_gbps", "6000").metric(Metric::TimePerToken) <
          0.8 * plain.metric(Metric::TimePerToken));
    CHECK(evaluated("sms", "66").metric(Metric::TimeToFirstToken) >
          1.5 * plain.metric(Metric::TimeToFirstToken));
    // A peak that is set by hand stays, whatever the SMs are.
    const auto both = evaluate(
        with(with(design(), "nodes.gpu.device.peak_fp16_tflops", "989.5"), "nodes.gpu.device.sms", "264"));
    CHECK(both.metric(Metric::TimeToFirstToken) >
          1.2 * evaluated("sms", "264").metric(Metric::TimeToFirstToken));
}

TEST_CASE("keys of designs tell edited figures apart, and are as they were without any") {
    const auto key = scenarioKey(design());
    CHECK(scenarioKey(with(design(), "nodes.gpu.device.sms", "264")) != key);
    auto unset = with(design(), "nodes.gpu.device.sms", "264");
    unset.nodes.front().device.sms = {};
    CHECK(scenarioKey(unset) == key);
}

TEST_CASE("a hypothetical device starts from a real one: a copy under another name") {
    auto json = writeDevice(h100());
    json["id"] = "h100-next";
    json["name"] = "H100 next";
    json["sms"] = 160;
    json["l2_mb"] = 100;
    auto scenario = design();
    for (auto& node : scenario.nodes)
        if (node.id.value == "gpu") {
            node.device = readDevice(json, "device");
            CHECK(node.device.kernels == "h100_sxm");
        }
    const auto made = evaluate(scenario);
    REQUIRE(made.feasible);
    // Its peak may be left out where its rate per clock says it.
    json.erase("peak_fp16_tflops");
    json["fp16_per_clock"] = 4096;
    auto without = scenario;
    without.findNode({"gpu"})->device = readDevice(json, "device");
    CHECK(off(evaluate(without).metric(Metric::TimeToFirstToken), made.metric(Metric::TimeToFirstToken)) <
          2e-3); // 989.0 of the measured GPU, not the 989.5 of the datasheet
    const auto edited =
        evaluate(with(with(design(), "nodes.gpu.device.sms", "160"), "nodes.gpu.device.l2_mb", "100"));
    CHECK(made.metric(Metric::TimePerToken) == edited.metric(Metric::TimePerToken));
    CHECK(made.metric(Metric::TimeToFirstToken) == edited.metric(Metric::TimeToFirstToken));
}
