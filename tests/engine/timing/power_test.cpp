// SPDX-License-Identifier: GPL-3.0-or-later
// What devices draw: figures that an independent prototype gave, a second implementation, properties, and
// rows of measured powers.

#include "engine/base/csv_reader.h"
#include "engine/evaluation/breakdown.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/timeline.h"
#include "engine/timing/power.h"
#include "tests/engine/fixtures.h"
#include "tests/places.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <random>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

constexpr double kTera = 1e12;

Quantity given(double value) {
    Quantity quantity;
    quantity.value = value;
    return quantity;
}

/// `kernels`: "h100_sxm", "b200_sxm"; none: no class. pJ for a byte.
Device device(const std::string& kernels, double limit, double idle, double memory = 40.0) {
    Device device;
    device.kernels = kernels;
    device.powerLimit = given(limit);
    if (idle > 0.0)
        device.powerIdle = given(idle);
    device.powerMemory = given(memory * 1e-12);
    return device;
}

/// TB/s and TFLOP/s.
struct Doing {
    double k, b = 0, f16 = 0, f8 = 0, f4 = 0, q = 0, z = 0, n = 0;
};

PhaseRates ratesOf(const Doing& work, double clocked = 1.0) {
    PhaseRates rates;
    rates.known = true;
    rates.kernels = work.k;
    rates.memory = work.b * kTera;
    rates.flops16 = work.f16 * kTera;
    rates.flops8 = work.f8 * kTera;
    rates.flops4 = work.f4 * kTera;
    rates.unpacked = work.q * kTera;
    rates.slow = work.z * kTera;
    rates.sent = work.n * kTera;
    rates.linkEnergy = 10e-12;
    rates.clocked = clocked;
    return rates;
}

PhasePower drawn(const Device& device, const Doing& work, double clocked = 1.0) {
    return phasePower(device, Phase::Decode, ratesOf(work, clocked));
}

Device v100() {
    auto device = ::device("", 300, 53, 60);
    device.peakFp16 = given(125e12);
    return device;
}

Device unnamed() {
    auto device = ::device("", 500, 0);
    device.peakFp16 = given(600e12);
    return device;
}

const Doing kPrefill{0.95, 0.5, 650}, kDecode{0.8, 2.2, 40};

/// W, stretch, clock by equations that were written from the specification alone: watts, TB/s, TFLOP/s.
struct Second {
    double idle, limit, sm, mem, f16, f8, f4, unpack, slow, link;

    double demand(const Doing& w) const {
        return idle + sm * std::fmin(1.0, 1.5 * w.k) + mem * w.b + f16 * w.f16 + f8 * w.f8 + f4 * w.f4 +
               unpack * w.q + slow * w.z + link * w.n;
    }
    double power(const Doing& w) const {
        const double x = demand(w), c = 0.985 * limit;
        // m / (1 + (m / M)^12)^(1/12) is the 12-norm of the inverses, turned over.
        const double soft = 1.0 / std::exp(std::log(std::pow(1 / x, 12) + std::pow(1 / c, 12)) / 12.0);
        return soft > idle ? soft : idle;
    }
    std::array<double, 2> capped(const Doing& w, double phi, double cap, double clock) const {
        const double p = power(w), s = std::fmin(mem * w.b + link * w.n, p - idle), d = p - idle - s;
        const auto tau = [&](double f) { return 1.0 + phi * (1.0 - f) / f; };
        const auto at = [&](double f) { return idle + (s + d * std::pow(f, 1.3)) / tau(f); };
        const double most = 0.985 * cap, floor = std::fmin(0.3, clock);
        if (!(cap < limit) || at(clock) <= most)
            return {at(clock), tau(clock)};
        if (at(floor) >= most)
            return {most, tau(floor) * (at(floor) - idle) / (most - idle)};
        double a = floor, b = clock;
        while (b - a > 1e-14)
            (at(0.5 * (a + b)) > most ? b : a) = 0.5 * (a + b);
        return {at(a), tau(a)};
    }
};

Second hopper(double limit, double idle, double mem) {
    return {idle, limit, 252 * std::fmin(1.0, limit / 700), mem, 0.69, 0.38, 0.69, 159, 135, 10};
}
Second blackwell(double limit, double idle, double mem) {
    return {idle, limit, 308 * std::fmin(1.0, limit / 1000), mem, 0.66, 0.61, 0.23, 4, 151, 10};
}
Second other(double limit, double idle, double mem, double peak) {
    const double f16 = 1.2 * limit / peak;
    return {idle, limit, 0.335 * limit, mem, f16, 0.75 * f16, 0.35 * f16, 4 * mem, 0, 10};
}

struct Random {
    std::mt19937_64 engine{44};
    double operator()(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(engine);
    }
    Doing work() {
        auto& r = *this;
        return {r(0, 1.2), r(0, 8), r(0, 900), r(0, 900), r(0, 900), r(0, 2), r(0, 1), r(0, 0.9)};
    }
};

double quantile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    const double at = share * static_cast<double>(values.size() - 1);
    const auto low = static_cast<std::size_t>(at);
    return values[low] + (at - std::floor(at)) * (values[std::min(low + 1, values.size() - 1)] - values[low]);
}

} // namespace

TEST_CASE("power: figures of the prototype") {
    const auto h = device("h100_sxm", 700, 115), b = device("b200_sxm", 1000, 220);
    const auto n = device("h100_pcie", 350, 50, 50), v = v100(), x = unnamed();
    struct Case {
        const char* name;
        const Device& device;
        Doing work;
        double watts;
    };
    const std::array<Case, 16> cases{{{"h-idle", h, {0}, 115.0},
                                      {"h-decode", h, kDecode, 482.0},
                                      {"h-decode-slow", h, {0.3, 0.8, 15}, 270.7},
                                      {"h-prefill", h, kPrefill, 684.1},
                                      {"h-prefill-fp8", h, {0.95, 0.5, 0, 900}, 666.1},
                                      {"h-mxfp4", h, {0.9, 1.5, 60, 0, 0, 1.2}, 634.4},
                                      {"h-link", h, {0.7, 1.0, 100, 0, 0, 0, 0, 0.1}, 476.5},
                                      {"b-idle", b, {0}, 220.0},
                                      {"b-decode", b, {0.6, 4.0, 60}, 695.9},
                                      {"b-host-bound", b, {0.2, 1.0, 8}, 357.7},
                                      {"b-prefill", b, {1.0, 1.0, 1300}, 984.0},
                                      {"b-fp4", b, {0.9, 2.0, 0, 0, 2000}, 959.0},
                                      {"n-decode", n, {0.8, 1.4, 25}, 262.4},
                                      {"v-decode", v, {0.6, 0.43, 0.4}, 170.4},
                                      {"x-decode", x, {0.5, 1.5, 30}, 310.5},
                                      {"x-prefill", x, {1.0, 0.3, 450}, 492.1}}};
    for (const auto& one : cases) {
        CAPTURE(one.name);
        const auto power = drawn(one.device, one.work);
        CHECK(std::fabs(power.total - one.watts) < 0.0501); // its last digit
        double sum = 0.0;
        for (const double watts : power.watts)
            sum += watts;
        CHECK(sum == doctest::Approx(power.total).epsilon(1e-12));
        CHECK(explainPhasePower(one.device, Phase::Decode, ratesOf(one.work)).value() ==
              doctest::Approx(power.total).epsilon(1e-12));
    }
    const auto capped = [&](double cap, double clock, const Doing& work, double phi) {
        auto device = h;
        if (cap > 0.0)
            device.powerCap = given(cap);
        if (clock < 1.0)
            device.powerClock = given(clock);
        return drawn(device, work, phi);
    };
    const auto at500 = capped(500, 1, kPrefill, 1), at350 = capped(350, 1, kPrefill, 1);
    CHECK(at500.total == doctest::Approx(492.5).epsilon(1e-4));
    CHECK(at500.stretch == doctest::Approx(1.200).epsilon(4e-4));
    CHECK(at500.clock == doctest::Approx(0.8332).epsilon(1e-4));
    CHECK(at350.total == doctest::Approx(344.7).epsilon(2e-4));
    CHECK(at350.stretch == doctest::Approx(1.499).epsilon(4e-4));
    CHECK(at350.clock == doctest::Approx(0.6671).epsilon(1e-4));
    const auto slower = capped(0, 0.7, kDecode, 0.2), at300 = capped(300, 1, kDecode, 0.2);
    CHECK(slower.total == doctest::Approx(357.7).epsilon(1e-4));
    CHECK(slower.stretch == doctest::Approx(1.086).epsilon(4e-4));
    CHECK(at300.total == doctest::Approx(295.5).epsilon(1e-4));
    CHECK(at300.stretch == doctest::Approx(1.174).epsilon(4e-4));
    CHECK(at300.clock == doctest::Approx(0.5353).epsilon(1e-4));
    // 25 % of the time in prefill, 60 % in decode, at 1500 tok/s; its band.
    const auto decode = drawn(h, kDecode);
    const double mean = 0.25 * drawn(h, kPrefill).total + 0.6 * decode.total + 0.15 * idlePower(h);
    CHECK(mean == doctest::Approx(477.5).epsilon(1e-4));
    CHECK((1286 + 8 * mean) * 1.079 == doctest::Approx(5509).epsilon(1e-4));
    CHECK(decode.sigma == doctest::Approx(0.7637).epsilon(1e-4));
    CHECK(drawn(b, {0.2, 1.0, 8}).sigma == doctest::Approx(0.8734).epsilon(1e-4));
    const double energy = decode.total / 1500;
    CHECK(energy == doctest::Approx(0.3214).epsilon(2e-4));
    const PowerBand band{decode.sigma, decode.down, decode.up};
    CHECK(energy * std::exp(-band.energyDown(0.15)) == doctest::Approx(0.2508).epsilon(2e-4));
    CHECK(energy * std::exp(band.energyUp(0.20)) == doctest::Approx(0.3954).epsilon(2e-4));
}

TEST_CASE("power: a second implementation agrees, and limits hold") {
    Random random;
    for (int i = 0; i < 1000; ++i) {
        const double limit = random(200, 1500), idle = random(0.05, 0.4) * limit, mem = random(20, 100);
        const double peak = random(100, 2500), phi = random(0, 1), clock = random(0.2, 1);
        const double cap = random((idle + 1) / 0.985, 1.2 * limit);
        const auto work = random.work();
        const std::array<std::pair<const char*, Second>, 3> all{{{"h200_sxm", hopper(limit, idle, mem)},
                                                                 {"gb200", blackwell(limit, idle, mem)},
                                                                 {"", other(limit, idle, mem, peak)}}};
        for (const auto& [kernels, second] : all) {
            CAPTURE(kernels);
            CAPTURE(i);
            auto device = ::device(kernels, limit, idle, mem);
            device.peakFp16 = given(peak * kTera);
            const auto power = drawn(device, work, phi);
            CHECK(power.total == doctest::Approx(second.power(work)).epsilon(1e-9));
            CHECK(power.total >= idle);
            CHECK(power.total <= std::max(idle, 0.985 * limit) * (1 + 1e-12));
            CHECK(power.stretch == 1.0);
            CHECK(power.sigma >= 0.0);
            CHECK(power.sigma <= 1.0);
            auto more = work;
            for (double Doing::*member : {&Doing::k, &Doing::b, &Doing::f16, &Doing::f8, &Doing::f4,
                                          &Doing::q, &Doing::z, &Doing::n}) {
                more = work;
                more.*member *= 1.1;
                CHECK(drawn(device, more, phi).total >= power.total * (1 - 1e-12));
            }
            auto larger = device;
            larger.powerLimit = given(1.1 * limit);
            CHECK(drawn(larger, work, phi).total >= power.total * (1 - 1e-12));
            device.powerCap = given(cap);
            device.powerClock = given(clock);
            const auto slow = drawn(device, work, phi);
            const auto [watts, stretch] = second.capped(work, phi, std::min(cap, limit), clock);
            CHECK(slow.total == doctest::Approx(watts).epsilon(1e-6));
            CHECK(slow.stretch == doctest::Approx(stretch).epsilon(1e-6));
            CHECK(slow.total >= idle * (1 - 1e-12));
            CHECK(slow.total <= std::max(idle, 0.985 * std::min(cap, limit)) * (1 + 1e-9));
            CHECK(slow.stretch >= 1.0);
            device.powerCap = given(std::min(1.1 * cap, limit));
            const auto freer = drawn(device, work, phi);
            CHECK(freer.total >= slow.total * (1 - 1e-9));
            CHECK(freer.stretch <= slow.stretch * (1 + 1e-9));
        }
    }
}

namespace {

/// A row of a table of powers (Calibration's: engine/calibration/calibrate_kernels.h).
struct PowerRow {
    std::map<std::string, std::string> cells;

    const std::string& text(const char* name) const { return cells.at(name); }
    double number(const char* name) const { return std::stod(text(name)); }
    Doing work() const {
        return {
            number("kernel_share"), number("tb_s"),        number("tflops16"),  number("tflops8"),
            number("tflops4"),      number("unpack_tb_s"), number("slow_tb_s"), 1e-3 * number("link_gb_s")};
    }
};

std::vector<PowerRow> powerRows(const std::string& path) {
    std::ifstream file(path);
    CsvReader csv(file, path);
    std::vector<PowerRow> rows;
    while (csv.next()) {
        auto& row = rows.emplace_back();
        for (std::size_t i = 0; i < csv.header().size(); ++i)
            row.cells[csv.header()[i]] = csv.cells()[i];
    }
    return rows;
}

/// How far the model is off what was measured.
struct PowerErrors {
    std::vector<double> off; ///< |predicted / measured - 1|
    std::size_t inside = 0;  ///< within the 80 % band

    void add(const PhasePower& power, double watts) {
        const double ratio = std::log(watts / power.total);
        off.push_back(std::fabs(std::expm1(-ratio)));
        inside += ratio >= -power.down && ratio <= power.up ? 1 : 0;
    }
    double share() const { return static_cast<double>(inside) / static_cast<double>(off.size()); }
};

} // namespace

TEST_CASE("power: rows of measured powers") {
    struct Group : PowerErrors {
        std::vector<double> energyOff;
    };
    std::map<std::string, Group> groups;
    for (const auto& row : powerRows(std::string(heteroscape::places::kTestData) + "/power_rows.csv")) {
        const auto one = device(row.text("class") == "hopper" ? "h100_sxm" : "b200_sxm",
                                row.number("limit_w"), row.number("idle_w"));
        const auto power = drawn(one, row.work());
        const bool served = row.text("kind") == "served";
        auto& group = groups[row.text(served ? "device" : "kind")];
        group.add(power, row.number("watts"));
        if (served)
            group.energyOff.push_back(std::fabs(
                power.total * row.number("gpus") / row.number("tok_s") / row.number("j_per_token") - 1.0));
    }
    struct Expected {
        const char* group;
        std::size_t rows;
        double median, most;
    };
    for (const auto& [name, rows, median, most] :
         {Expected{"H100", 136, 0.073, 0.157}, Expected{"B200", 139, 0.059, 0.152},
          Expected{"kernel", 57, 0.020, 0.145}}) {
        CAPTURE(name);
        const auto& group = groups[name];
        REQUIRE(group.off.size() == rows);
        CHECK(quantile(group.off, 0.5) == doctest::Approx(median).epsilon(0.03));
        CHECK(quantile(group.off, 0.9) == doctest::Approx(most).epsilon(0.01));
        CHECK(group.share() > 0.8);
        CHECK(group.share() < 0.9);
        if (!group.energyOff.empty())
            CHECK(quantile(group.energyOff, 0.5) == doctest::Approx(median).epsilon(0.03));
    }
}

TEST_CASE("power: the H100 that we measured, which nothing was fitted to") {
    const auto& h100 = catalog().device("h100-sxm", "test");
    std::map<std::string, PowerErrors> groups;
    for (const auto& row :
         powerRows(std::string(heteroscape::places::kPresetsFolder) + "/measured/power/h100_own.csv")) {
        auto group = row.text("kind");
        if (contains(row.text("op"), "zeros"))
            group += ", zeros";
        if (group == "decode" && contains(row.text("source"), "flash attention"))
            group += ", flash attention";
        const auto phase = group == "prefill" ? Phase::Prefill : Phase::Decode;
        groups[group].add(phasePower(h100, phase, ratesOf(row.work())), row.number("watts"));
    }
    struct Expected {
        const char* group;
        std::size_t rows, inside;
        double median, most; ///< per cent, as presets/README.md has them
        bool misfit;         ///< fewer than 75 % in the band of 80
    };
    std::size_t all = 0;
    for (const auto& [name, rows, inside, median, most, misfit] :
         {Expected{"idle", 4, 3, 9.0, 13.4, false}, Expected{"spin", 8, 0, 127.9, 177.1, true},
          Expected{"memory", 12, 12, 9.2, 15.7, false}, Expected{"memory, zeros", 2, 2, 22.7, 23.9, false},
          Expected{"gemm", 10, 10, 1.9, 8.7, false}, Expected{"gemm, zeros", 4, 0, 49.1, 66.8, true},
          Expected{"attention", 8, 0, 19.5, 20.8, true}, Expected{"unpack", 4, 3, 9.9, 14.7, false},
          Expected{"decode", 5, 5, 5.6, 12.8, false},
          Expected{"decode, flash attention", 6, 2, 26.4, 31.1, true},
          Expected{"prefill", 12, 12, 3.6, 13.7, false}}) {
        CAPTURE(name);
        const auto& group = groups[name];
        REQUIRE(group.off.size() == rows);
        CHECK(group.inside == inside);
        CHECK((group.share() < 0.75) == misfit);
        CHECK(std::fabs(100 * quantile(group.off, 0.5) - median) < 0.0501); // its last digit
        CHECK(std::fabs(100 * quantile(group.off, 1.0) - most) < 0.0501);
        all += rows;
    }
    std::size_t there = 0;
    for (const auto& [name, group] : groups)
        there += group.off.size();
    CHECK(all == there);
}

TEST_CASE("power: who states it, who lacks a figure, own constants") {
    auto stated = device("h100_sxm", 700, 115);
    stated.powerDecode = given(333);
    CHECK(drawn(stated, kDecode).total == 333);
    CHECK(drawn(stated, kDecode).up == 0.0);
    CHECK(phasePower(stated, Phase::Prefill, ratesOf(kPrefill)).total ==
          doctest::Approx(684.1).epsilon(1e-4));
    auto none = device("", 500, 100);
    CHECK(std::isnan(drawn(none, kDecode).total));
    CHECK(powerLacks(none) == "peak_fp16_tflops");
    CHECK(std::isnan(phasePower(device("h100_sxm", 700, 115), Phase::Decode, {}).total)); // nothing counted
    auto fpga = device("h100_sxm", 700, 115);
    fpga.kind = DeviceKind::Fpga;
    fpga.powerMemory = {}; // it states no energies
    CHECK(std::isnan(drawn(fpga, kDecode).total));
    CHECK(idlePower(unnamed()) == doctest::Approx(95));
    auto own = device("h100_sxm", 700, 115);
    own.powerBusy = given(100);
    own.powerFlop16 = given(2e-12);
    own.powerLink = given(100e-12);
    const Doing work{1, 1, 50, 0, 0, 0, 0, 0.1};
    CHECK(drawn(own, work).demand == doctest::Approx(115 + 100 + 40 + 100 + 10));
}

TEST_CASE("power: an accelerator that states energies of operations draws them, without limit or class") {
    Device own;
    own.kind = DeviceKind::Fpga;
    own.powerIdle = given(30);
    own.powerMemory = given(20e-12);
    own.powerFlop16 = given(2e-12);
    own.powerL2 = given(1e-12);
    own.powerHop = given(5e-9);
    PhaseRates rates = ratesOf(Doing{0.5, 0.4, 3, 2, 0, 0, 0, 0.01});
    rates.linkEnergy = 60e-12;
    rates.l2 = 2e12;
    rates.hops = 1e6;
    const double share8 = shippedPower().other.flop8Of16;
    const auto power = phasePower(own, Phase::Decode, rates);
    const auto of = [&](PowerTerm term) { return power.watts[static_cast<std::size_t>(term)]; };
    CHECK(of(PowerTerm::Idle) == 30);
    CHECK(of(PowerTerm::Busy) == 0.0);
    CHECK(of(PowerTerm::Memory) == doctest::Approx(0.4 * 20 + 2 * 1));
    CHECK(of(PowerTerm::Products) == doctest::Approx(3 * 2 + 2 * 2 * share8));
    CHECK(of(PowerTerm::Links) == doctest::Approx(0.01 * 60 + 5e-9 * 1e6));
    CHECK(power.total == doctest::Approx(30 + 10 + 6 + 4 * share8 + 0.6 + 0.005));
    const auto term = explainPhasePower(own, Phase::Decode, rates);
    CHECK(term.value() == doctest::Approx(power.total).epsilon(1e-12));
    CHECK(contains(termText(term), "Energy of a hop"));
    CHECK(contains(termText(term), "Energy of a byte of L2"));
    auto limited = own; // under a limit as any other
    limited.powerLimit = given(40);
    CHECK(phasePower(limited, Phase::Decode, rates).total < 40);
    own.powerIdle = {};
    CHECK(std::isnan(phasePower(own, Phase::Decode, rates).total));
    CHECK(powerLacks(own) == "power_idle_w");
}

TEST_CASE("power: energies of operations of an FPGA add up in a design, with hops and links") {
    auto plain = preset("glitches/8u280");
    auto& device = plain.findNode({"fpga"})->device;
    device.powerPrefill = device.powerDecode = device.powerLimit = {};
    plain =
        with(with(plain, "nodes.fpga.device.power_memory_pj", "50"), "nodes.fpga.device.power_flop8_pj", "3");
    const auto evaluation = evaluate(plain);
    REQUIRE_MESSAGE(evaluation.feasible, evaluation.reason);
    const auto& decode = evaluation.nodes[1].decode; // INT8
    CHECK(decode.watts == doctest::Approx(30 + 50e-12 * decode.movedBytes / decode.seconds +
                                          3e-12 * decode.flops / decode.seconds)
                              .epsilon(1e-9));
    CHECK(evaluation.metric(Metric::EnergyMemory) > 0.0);
    CHECK(evaluation.metric(Metric::EnergyProducts) > 0.0);
    const auto base = presetWith("preserve/llama3-70b-8h100",
                                 {{"nodes.gpu.device", "h100-sxm"}, {"nodes.gpu.runtime", "trtllm"}});
    const auto hops = evaluate(with(base, "nodes.gpu.device.power_hop_nj", "1000000"));
    CHECK(hops.metric(Metric::EnergyLinks) > evaluate(base).metric(Metric::EnergyLinks));
}

TEST_CASE("power: of a design, by what draws it") {
    const auto design = presetWith("preserve/llama3-70b-8h100",
                                   {{"nodes.gpu.device", "h100-sxm"}, {"nodes.gpu.runtime", "trtllm"}});
    const auto plain = evaluate(design);
    REQUIRE(plain.feasible);
    double sum = 0.0;
    for (std::size_t i = 0; i < kPowerTerms; ++i)
        sum += plain.metric(static_cast<Metric>(static_cast<std::size_t>(Metric::EnergyIdle) + i));
    CHECK(sum == doctest::Approx(plain.metric(Metric::EnergyPerToken)).epsilon(1e-12));
    CHECK(plain.metric(Metric::Power) < 8 * 0.985 * 700);
    CHECK(plain.metric(Metric::Power) > 8 * 115);
    CHECK(plain.metric(Metric::EnergyMemory) > 0.0);
    CHECK(std::isnan(plain.metric(Metric::FacilityPower)));
    // A cap takes power and time; each is told.
    const auto capped = evaluate(with(design, "nodes.gpu.device.power_cap_w", "300"));
    CHECK(capped.metric(Metric::Power) <= 8 * 0.985 * 300 * (1 + 1e-9));
    CHECK(capped.metric(Metric::TimeToFirstToken) > plain.metric(Metric::TimeToFirstToken));
    CHECK(capped.metric(Metric::Throughput) < plain.metric(Metric::Throughput));
    const auto less = evaluate(with(design, "nodes.gpu.device.power_cap_w", "90"));
    CHECK_FALSE(less.feasible);
    CHECK(contains(less.reason, "power_cap_w"));
    auto building = with(design, "cost.server_host_w", "1286");
    building = with(building, "cost.server_loss", "1.079");
    building = with(building, "cost.pue", "1.25");
    building = with(building, "cost.carbon_kg_per_kwh", "0.35");
    const auto facility = evaluate(building);
    const double wall = (1286 + plain.metric(Metric::Power)) * 1.079 * 1.25;
    CHECK(facility.metric(Metric::FacilityPower) == doctest::Approx(wall).epsilon(1e-12));
    CHECK(facility.metric(Metric::Carbon) ==
          doctest::Approx(wall / plain.metric(Metric::Throughput) / 3.6e6 * 0.35).epsilon(1e-12));
}

TEST_CASE("power: what is drawn of a step is as long as the metrics say, under a cap and a slower clock") {
    const auto design = presetWith("preserve/llama3-70b-8h100",
                                   {{"nodes.gpu.device", "h100-sxm"}, {"nodes.gpu.runtime", "trtllm"}});
    for (const auto* setting : {"power_cap_w=300", "power_clock=0.6"}) {
        const std::string text(setting);
        const auto at = text.find('=');
        const auto slow = with(design, "nodes.gpu.device." + text.substr(0, at), text.substr(at + 1));
        const auto told = evaluate(slow), stock = evaluate(design);
        for (const auto phase : {Phase::Prefill, Phase::Decode}) {
            CAPTURE(text);
            const auto& step = phase == Phase::Prefill ? told.nodes[0].prefill : told.nodes[0].decode;
            const auto& plain = phase == Phase::Prefill ? stock.nodes[0].prefill : stock.nodes[0].decode;
            REQUIRE(step.stretch > 1.005); // a decode waits for memory
            const auto drawn = stepTimeline(slow, {"gpu"}, phase);
            const auto before = stepTimeline(design, {"gpu"}, phase);
            CHECK(drawn.seconds / before.seconds ==
                  doctest::Approx(step.seconds / plain.seconds).epsilon(1e-12));
            if (phase == Phase::Prefill)
                CHECK(drawn.seconds == doctest::Approx(step.seconds).epsilon(1e-9));
            CHECK(drawn.segments.back().end == doctest::Approx(drawn.seconds).epsilon(1e-9));
            CHECK(breakdown(slow, {"gpu"}, phase).seconds == doctest::Approx(drawn.seconds).epsilon(1e-9));
        }
        const auto request = requestTimeline(slow);
        CHECK(request.seconds == doctest::Approx(request.latency).epsilon(1e-9));
    }
}

TEST_CASE("power: the lane of a timeline draws what the phase draws") {
    const auto design = presetWith("preserve/llama3-70b-8h100",
                                   {{"nodes.gpu.device", "h100-sxm"}, {"nodes.gpu.runtime", "trtllm"}});
    for (const auto& shown : {design, with(design, "nodes.gpu.device.power_cap_w", "400"),
                              with(design, "nodes.gpu.device.power_decode_w", "500"),
                              with(design, "nodes.gpu.layout", "tp4 pp2")}) {
        const auto told = evaluate(shown);
        for (const auto phase : {Phase::Prefill, Phase::Decode}) {
            const auto& of = phase == Phase::Prefill ? told.nodes[0].prefill : told.nodes[0].decode;
            auto step = stepTimeline(shown, {"gpu"}, phase);
            const auto without = step.segments.size();
            addPower(shown, told, step);
            CHECK(step.segments.size() > without + 10);
            double joules = 0.0, end = 0.0, least = HUGE_VAL, most = 0.0;
            for (const auto& segment : step.segments)
                if (segment.lane == Lane::Power) {
                    CHECK(segment.start == end); // without gaps
                    end = segment.end;
                    joules += segment.watts * (segment.end - segment.start);
                    least = std::min(least, segment.watts);
                    most = std::max(most, segment.watts);
                }
            CHECK(end == step.seconds);
            const double drawn = phasePower(shown.nodes[0].device, phase, of.rates).total;
            const double mean = of.working() * drawn + (1.0 - of.working()) * 115.0;
            CHECK(joules / step.seconds == doctest::Approx(mean).epsilon(1e-6));
            CHECK(least >= 115.0 - 1e-9);
            CHECK(most > 1.02 * mean); // it is no even draw
        }
    }
    auto none = stepTimeline(design, {"gpu"}, Phase::Decode);
    auto unknown = design;
    unknown.nodes[0].device.powerLimit = {};
    addPower(unknown, evaluate(unknown), none);
    CHECK(std::none_of(none.segments.begin(), none.segments.end(),
                       [](const TimelineSegment& one) { return one.lane == Lane::Power; }));
}
