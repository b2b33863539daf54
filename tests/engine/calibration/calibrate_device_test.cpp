// SPDX-License-Identifier: GPL-3.0-or-later
// One's own silicon: constants that synthetic rows were made with come back from them, and with them a band.
#include "engine/calibration/calibrate_kernels.h"

#include "engine/calibration/calibrate_system.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/expected_error.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/timing/kernels/device_class.h"
#include "engine/timing/power.h"
#include "tests/engine/fixtures.h"
#include "tests/engine/source_tree.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// Of a maker that nobody knows.
Device own() {
    Device device;
    device.id = device.name = "own-npu";
    device.kind = DeviceKind::Npu;
    device.vendor = "Somebody";
    device.powerLimit = 600.0;
    device.powerIdle = 90.0;
    device.peakFp16 = 800e12;
    device.peakFp8 = 1600e12;
    device.memoryBandwidth = 3e12;
    return device;
}

constexpr double kNoise = 0.04;

/// W that a device with these constants draws for random work, with noise of a log.
std::string watts(const Device& truth, int rows, const std::string& names = "own") {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> share(0.0, 1.0);
    std::normal_distribution<double> normal;
    std::ostringstream out;
    out.precision(17);
    out << "device,watts,kernel_share,tb_s,tflops16,tflops8,model\n";
    for (int i = 0; i < rows; ++i) {
        PhaseRates rates;
        rates.known = true;
        rates.kernels = share(random);
        rates.memory = 2.5e12 * share(random);
        rates.flops16 = i % 2 == 0 ? 250e12 * share(random) : 0.0;
        rates.flops8 = i % 2 == 0 ? 0.0 : 500e12 * share(random);
        out << (i == 0 ? "own" : names) << ','
            << phasePower(truth, Phase::Decode, rates).total * std::exp(kNoise * normal(random)) << ','
            << rates.kernels << ',' << rates.memory / 1e12 << ',' << rates.flops16 / 1e12 << ','
            << rates.flops8 / 1e12 << ",llama\n";
    }
    return out.str();
}

struct Theta {
    double start, compute, memory;
};

std::string kernelTimes(const Device& device, const Theta& gemm, const Theta& generation) {
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    std::ostringstream out;
    out.precision(17);
    out << "device,framework,version,op,precision,m,n,k,batch,seq,heads,kv_heads,head_dim,kv_dtype,window,"
           "ranks,"
           "bytes,measured_us\n";
    const auto time = [&](const Theta& of, double flops, double bytes) {
        return (of.start + 1e6 * std::hypot(flops / device.peakFp16.value / of.compute,
                                            bytes / device.memoryBandwidth.value / of.memory)) *
               std::exp(kNoise * normal(random));
    };
    for (const double m : {1, 16, 128, 512, 2048, 8192})
        for (const double n : {512, 4096, 14336})
            for (const double k : {1024, 4096, 16384})
                out << "own,vllm,1,gemm,bfloat16," << m << ',' << n << ',' << k << ",,,,,,,,,,"
                    << time(gemm, 2 * m * n * k, 2 * (m * k + n * k + m * n)) << '\n';
    for (const double batch : {1, 8, 64, 256})
        for (const double length : {128, 1024, 4096, 32768})
            out << "own,vllm,1,attention_generation,bfloat16,,,," << batch << ',' << length
                << ",32,8,128,bfloat16,,,,"
                << time(generation, 4 * batch * length * 32 * 128,
                        batch * (2 * length * 8 * 128 * 2 + 4 * 32 * 128))
                << '\n';
    out << "own,vllm,1,cast_fp8,bfloat16,16,,1024,,,,,,,,,,3\n";
    return out.str();
}

} // namespace

TEST_CASE("own silicon: constants of power come back from watts, and their band with them") {
    auto truth = own();
    truth.powerBusy = 260.0;
    truth.powerMemory = 65e-12;
    truth.powerFlop16 = 0.9e-12;
    truth.powerFlop8 = 0.35e-12;
    CalibrationOptions options;
    options.constants = {"power_busy_w", "power_memory_pj", "power_flop16_pj", "power_flop8_pj"};
    const auto found = calibrateDevice(own(), watts(truth, 200), "lab/watts.csv", options);
    REQUIRE(found.fits.size() == 1);
    CHECK(found.fits[0].errors(true, true).rows == 50.0);
    CHECK(found.fits[0].errors(true, true).medianPercent < 4.0);
    CHECK(found.fits[0].errors(true, false).medianPercent > 5.0);
    for (const auto member :
         {&Device::powerBusy, &Device::powerMemory, &Device::powerFlop16, &Device::powerFlop8}) {
        CHECK((found.device.*member).value == doctest::Approx((truth.*member).value).epsilon(0.08));
        CHECK((found.device.*member).provenance == Provenance::Calibrated);
        CHECK(contains((found.device.*member).source.str(), "watts.csv"));
    }
    CHECK_FALSE(found.device.powerFlop4.isSet()); // no row says anything of it
    CHECK(found.device.powerBand.value == doctest::Approx(std::expm1(1.2816 * kNoise)).epsilon(0.3));
    // What was fitted is what it draws, and how sure that is.
    PhaseRates rates;
    rates.known = true;
    rates.kernels = 0.6;
    rates.memory = 1.5e12;
    const auto now = phasePower(found.device, Phase::Decode, rates);
    CHECK(now.total == doctest::Approx(phasePower(truth, Phase::Decode, rates).total).epsilon(0.03));
    CHECK(now.up == doctest::Approx(std::log1p(found.device.powerBand.value)).epsilon(1e-12));
    CHECK(phasePower(own(), Phase::Decode, rates).up == doctest::Approx(0.28));
    CHECK(readDevice(writeDevice(found.device), "again").powerBand.value ==
          doctest::Approx(found.device.powerBand.value));
}

TEST_CASE("own silicon: served rows of an H100 alone give what ships for its architecture") {
    std::istringstream all(fileText("tests/data/power_rows.csv"));
    std::string rows, line;
    while (std::getline(all, line))
        if (line.starts_with("id,") || line.find(",served,H100,") != std::string::npos)
            rows += line + '\n';
    CalibrationOptions options;
    options.constants = {"power_busy_w", "power_flop16_pj", "power_flop8_pj", "power_unpack_pj"};
    options.loss = {Loss::Huber, 0.08};
    const auto& device = catalog().device("h100-sxm", "");
    const auto found = calibrateDevice(device, rows, "power_rows.csv", options);
    REQUIRE(found.fits[0].points.size() == 136);
    const auto known = powerFigures(device);
    CHECK(found.device.powerBusy.value == doctest::Approx(known.busy).epsilon(0.2));
    CHECK(found.device.powerFlop16.value == doctest::Approx(known.flop16).epsilon(0.2));
    CHECK(found.device.powerUnpack.value == doctest::Approx(known.unpack).epsilon(0.2));
    CHECK_FALSE(found.device.powerMemory.provenance == Provenance::Calibrated);
    CHECK(found.fits[0].errors(true, true).medianPercent < 10.0); // 7.3 % of what ships, on all
    CHECK(found.device.powerBand.value < 0.25);
    options.constants = {"power_bussy_w"};
    CHECK(
        contains(errorOf([&] { calibrateDevice(device, rows, "power_rows.csv", options); }), "power_busy_w"));
}

TEST_CASE("own silicon: shares of the peaks come back from kernels") {
    const Theta gemm{14.0, 0.6, 0.7}, generation{30.0, 0.7, 0.45};
    const auto found = calibrateDevice(own(), kernelTimes(own(), gemm, generation), "lab/kernels.csv");
    REQUIRE(found.fits.size() == 2);
    CHECK(found.passed == 1);
    const auto is = [](const DeviceFit& of, const Theta& truth) {
        CAPTURE(of.title);
        CHECK(of.fit.parameters[0].value == doctest::Approx(truth.start).epsilon(0.06));
        CHECK(of.fit.parameters[2].value == doctest::Approx(truth.memory).epsilon(0.06));
        CHECK(of.errors(false, true).medianPercent < 4.0);
    };
    is(found.fits[0], gemm);
    is(found.fits[1], generation);
    CHECK(found.fits[0].fit.parameters[1].value == doctest::Approx(gemm.compute).epsilon(0.06));
    // Over those of the mean maker, of which the rule's own shares are.
    const auto& classes = shippedClasses();
    const auto& ofGemm = classes.prior(ClassKernel::Gemm16).mean;
    const auto& ofGeneration = classes.prior(ClassKernel::AttentionGeneration).mean;
    CHECK(found.device.classCompute16.value ==
          doctest::Approx(classes.step.compute[0] * gemm.compute / ofGemm.compute).epsilon(0.06));
    CHECK(found.device.classMemory.value ==
          doctest::Approx(classes.step.peaks.bytes *
                          std::sqrt(gemm.memory / ofGemm.memory * generation.memory / ofGeneration.memory))
              .epsilon(0.06));
    CHECK_FALSE(found.device.classCompute8.isSet());
    CHECK_FALSE(found.device.classBand.isSet()); // kernels say nothing of a step's host
    const auto before = classes.step.rates(classFigures(own()), StepFormat::Bf16);
    const auto after = classes.step.rates(classFigures(found.device), StepFormat::Bf16);
    CHECK(after.flops / before.flops ==
          doctest::Approx(found.device.classCompute16.value / classes.step.compute[0]).epsilon(1e-12));
    CHECK(after.bytes < before.bytes);
}

TEST_CASE("own silicon: whole runs move a device from its class to measured") {
    const auto design = presetWith("preserve/llama3-70b-8h100",
                                   {{"nodes.gpu.device", "mi300x"}, {"nodes.gpu.runtime", "class-rule"}});
    const std::string factor = "nodes.gpu.device.class_factor";
    std::mt19937_64 random(11);
    std::normal_distribution<double> normal;
    std::ostringstream rows;
    rows.precision(17);
    rows << "workload.batch,workload.prompt_tokens,tpot_s\n";
    for (const auto* batch : {"1", "4", "16", "64"})
        for (const auto* prompt : {"512", "1024", "2048", "4096", "8192"}) {
            const auto at = with(with(with(design, factor, "1.5"), "workload.batch", batch),
                                 "workload.prompt_tokens", prompt);
            rows << batch << ',' << prompt << ','
                 << evaluate(at).metric(Metric::TimePerToken) * std::exp(kNoise * normal(random)) << '\n';
        }
    std::istringstream in(rows.str());
    SystemCalibrationOptions options;
    options.parameters = {factor};
    options.bounds = {{factor, 0.2, 5.0}};
    const auto found = calibrateSystem(design, catalog(), parseSystemRows(in, "runs.csv"), options).scenario;
    const auto& device = found.nodes[0].device;
    CHECK(device.classFactor.value == doctest::Approx(1.5).epsilon(0.05));
    REQUIRE(device.classBand.isSet());
    CHECK(device.classBand.value < 0.15);
    CHECK(truthOf(design) == Truth::Class);
    CHECK(truthOf(found) == Truth::Kernels);
    const auto wide = ExpectedErrors(design, evaluate(design)).of(Metric::TimePerToken);
    const auto own = ExpectedErrors(found, evaluate(found)).of(Metric::TimePerToken);
    CHECK(wide.evidence() == Evidence::Class);
    CHECK(own.evidence() == Evidence::Interpolated);
    CHECK(own.most < 0.5 * wide.most);
    CHECK(own.most == doctest::Approx(100.0 * device.classBand.value).epsilon(0.02));
}

TEST_CASE("own silicon: what cannot be fitted is refused by name") {
    const auto refusal = [](const std::string& text, const Device& device = own()) {
        return errorOf([&] { calibrateDevice(device, text, "lab.csv"); });
    };
    CHECK(contains(refusal(watts(own(), 20, "other")), "several devices: other, own"));
    CHECK(contains(refusal("watts,tb_s\n300,fast\n"), "lab.csv:2"));
    CHECK(contains(refusal("watts,tb_s\n,1\n"), "no power was measured"));
    CHECK(contains(refusal("watts,model\n300,llama\n310,llama\n"), "no row says what the device did"));
    auto unlimited = own();
    unlimited.powerLimit = {};
    CHECK(contains(refusal(watts(own(), 20), unlimited), "power_limit_w"));
    CHECK(contains(refusal("device,op,precision,m,n,k,measured_us\nown,gemm,bfloat16,1,1,1,5\n"), "lab.csv"));
}
