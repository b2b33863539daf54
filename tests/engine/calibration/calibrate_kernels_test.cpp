// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/calibration/calibrate_kernels.h"

#include "engine/validation/row_detail.h"
#include "tests/engine/fixtures.h"
#include "tests/engine/timing/kernels/kernel_fixtures.h"
#include "tests/places.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <sstream>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

MeasuredTable table(const std::string& rows, const std::string& name = "folder/mine.csv") {
    std::istringstream in(kKernelColumns + rows);
    return parseMeasured(in, name);
}

std::string cast(int m, int k, double us) {
    return "h100_sxm,trtllm,1,cast_fp8,bfloat16," + std::to_string(m) + ",," + std::to_string(k) +
           ",,,,,,,,,," + std::to_string(us) + "\n";
}

/// Casts of many sizes at a tenth of the memory's rate, three percent up and down.
std::string casts(int from = 1, int to = 16384) {
    std::string rows;
    for (int m = from; m <= to; m *= 2)
        for (const int k : {2048, 8192})
            rows += cast(m, k, 4.0 + 3e-5 * m * k * (k == 2048 ? 1.03 : 0.97));
    return rows;
}

Calibration calibrated(const MeasuredTable& of, const CalibrationOptions& options = {}) {
    return calibrateKernels(kernels(), std::span(&of, 1), options);
}

std::string refusal(const std::string& rows, const CalibrationOptions& options = {}) {
    return errorOf([&] { calibrated(table(rows), options); });
}

const FittedParameter& constant(const Calibration& of, const std::string& name) {
    for (const auto& parameter : of.entries.front().fit.parameters)
        if (parameter.name == name)
            return parameter;
    FAIL("no constant " << name);
    return of.entries.front().fit.parameters.front();
}

} // namespace

TEST_CASE("every family has usual constants, and they are its own") {
    for (const auto& family : kernelFamilies()) {
        CAPTURE(family.family);
        CHECK(!usualConstants(family.family).empty());
        for (const auto usual : usualConstants(family.family)) {
            CAPTURE(usual);
            CHECK(std::any_of(family.constants.begin(), family.constants.end(),
                              [&](const auto& of) { return of.key == usual; }));
        }
    }
    CHECK(usualConstants("nothing").empty());
}

TEST_CASE("a row's constants are found by the same rule as its time") {
    for (const auto& path : shippedMeasured(heteroscape::places::kPresetsFolder)) {
        const auto measured = readMeasured(path);
        for (const auto& row : measured.rows) {
            const auto place = constantsPlace(kernels(), row);
            auto moved = kernels();
            for (const auto& value : constantsOf(moved, place.family, place.answers))
                *value.value *= value.maximum == 2.0 ? 0.5 : 1.5;
            if (row.line() % 17 == 0) // copies of a catalogue take their time
                CHECK(predictRow(moved, row).us != predictRow(kernels(), row).us);
        }
        break;
    }
}

TEST_CASE("held-out rows change nothing of what is fitted") {
    CalibrationOptions options;
    options.heldOutShare = 0.3;
    const auto first = table(casts());
    const auto before = calibrated(first, options);
    const auto& entry = before.entries.front();
    std::string rows;
    std::size_t held = 0;
    for (const auto& row : entry.rows) {
        held += row.heldOut ? 1 : 0;
        rows += cast(static_cast<int>(row.row->number("m")), static_cast<int>(row.row->number("k")),
                     row.measuredUs * (row.heldOut ? 2.0 : 1.0));
    }
    CHECK(held == 9); // of 30
    const auto second = table(rows);
    const auto after = calibrated(second, options);
    CHECK(after.entries.front().fit.values() == entry.fit.values());
    CHECK(after.errors(true, true).medianPercent > 30);
    CHECK(before.errors(true, true).rows == 9);
    CHECK(before.constants.rows == 21);
    options.seed = 2;
    CHECK(calibrated(first, options).entries.front().fit.values() != entry.fit.values());
}

TEST_CASE("the same rows give the same constants, and errors get smaller") {
    const auto rows = table(casts());
    const auto one = calibrated(rows), other = calibrated(rows);
    CHECK(one.constants == other.constants);
    CHECK(writeKernelConstants(one.constants).dump() == writeKernelConstants(other.constants).dump());
    CHECK(one.errors(true, true).medianPercent < 0.2 * one.errors(true, false).medianPercent);
    CHECK(one.constants.errors.heldOut);
    CHECK(contains(one.constants.text(), "calibrated on mine.csv, 23 rows, \u00b1"));
    CHECK(constant(one, "t_0").value == doctest::Approx(4.0).epsilon(0.15));
}

TEST_CASE("constants that a runtime carries time rows as the fit did") {
    const auto rows = table(casts());
    const auto found = calibrated(rows);
    const auto json = writeKernelConstants(found.constants);
    const auto again = readKernelConstants(JsonObject(json, "file"));
    CHECK(again == found.constants);
    auto catalog = kernels();
    putInPlace(catalog, again);
    for (const auto& row : found.entries.front().rows)
        CHECK(predictRow(catalog, *row.row).us == row.afterUs);
    CHECK(kernelsWith(OwnKernels(again)) == kernelsWith(OwnKernels(found.constants)));
    CHECK(kernelsWith(OwnKernels(again))->fingerprint != shippedKernels().fingerprint);
}

TEST_CASE("constants of a framework that another stands in for become its own") {
    auto without = kernels();
    std::erase_if(without.gemm.rows, [](const auto& row) { return row.names[1] == "sglang"; });
    std::string rows;
    for (const int m : {1, 8, 64, 512, 4096})
        for (const int n : {1024, 8192})
            rows += "h100_sxm,sglang,1,gemm,bfloat16," + std::to_string(m) + "," + std::to_string(n) +
                    ",4096,,,,,,,,,," + std::to_string(8.0 + 2e-8 * m * n * 4096.0) + "\n";
    const auto of = table(rows);
    const auto found = calibrateKernels(without, std::span(&of, 1));
    const auto& entry = found.entries.front();
    CHECK(entry.names == std::vector<std::string>{"hopper", "sglang", "bfloat16"});
    CHECK(entry.started == std::vector<std::string>{"hopper", "trtllm", "bfloat16"});
    CHECK(found.constants.entries.front().names.at("framework") == "sglang");
}

TEST_CASE("constants are chosen by name and held within bounds") {
    const auto rows = table(casts());
    CalibrationOptions options;
    options.constants = {"t_0", "elementwise.e_m"};
    CHECK(calibrated(rows, options).entries.front().fit.parameters.size() == 2);
    options.constants = {"all"};
    CHECK(calibrated(rows, options).entries.front().fit.parameters.size() == 4);
    options.constants = {};
    options.bounds = {{"elementwise.t_0", 1.0, 2.0}};
    const auto bound = calibrated(rows, options);
    CHECK(constant(bound, "t_0").value == doctest::Approx(2.0));
    CHECK(constant(bound, "t_0").standing == Standing::AtBound);

    options = {};
    options.constants = {"e_z"};
    CHECK(contains(refusal(casts(), options), "constant: unknown name \"e_z\". Allowed: "));
    options.constants = {"gem.e_c"};
    CHECK(contains(refusal(casts(), options), "family: unknown name \"gem\". Allowed: gemm, "));
    options.constants = {"gemm.e_c"};
    CHECK(contains(refusal(casts(), options), "none of the constants that were named is one of elementwise"));
    options = {};
    options.bounds = {{"e_m", 0.5, 5.0}};
    CHECK(contains(refusal(casts(), options), "bounds of e_m: 0.5 to 5 are wider than"));
    options.bounds = {{"e_m", 1.0, 0.5}};
    CHECK(
        contains(refusal(casts(), options), "bounds of e_m: 1 to 0.5 are not two positive numbers in order"));
    options = {};
    options.heldOutShare = 1.0;
    CHECK(contains(refusal(casts(), options), "held-out share: 1 is out of range"));
}

TEST_CASE("too few rows are refused with their place") {
    const auto one = refusal(cast(64, 4096, 5));
    CHECK(contains(one, "folder/mine.csv:2: no constant could be fitted: elementwise of hopper: "));
    CHECK(contains(one, "1 row does not determine 3 constants"));
    CHECK(contains(one, "Give more rows that differ in shape, or name fewer constants"));
    CHECK(
        contains(refusal("h100_sxm,trtllm,1,conv,bfloat16,1,,1,,,,,,,,,,5\n"), "unknown operation \"conv\""));
    CHECK(contains(refusal("h9000,trtllm,1,gemm,bfloat16,1,1,1,,,,,,,,,,5\n"), "unknown name \"h9000\""));
    CHECK(contains(refusal("h100_sxm,mine,1,gemm,bfloat16,1,1,1,,,,,,,,,,5\n"), "column framework"));
}

TEST_CASE("rows of one shape leave constants open, and it is said") {
    std::string rows;
    for (int i = 0; i < 20; ++i)
        rows += cast(4096, 4096, 60.0 + i % 3);
    const auto found = calibrated(table(rows));
    const auto& fit = found.entries.front().fit;
    REQUIRE(fit.undetermined.size() == 2); // one number cannot tell three constants
    for (const auto& open : fit.undetermined) {
        CHECK(!open.direction.empty());
        CHECK(constant(found, open.kept).standing == Standing::Undetermined);
        CHECK(constant(found, open.kept).value == constant(found, open.kept).start);
        CHECK(contains(open.text(), open.kept + " up by 1.00 %"));
    }
    CHECK(found.errors(false, true).medianPercent < 2);
}

TEST_CASE("one entry with too few rows does not stop another") {
    const auto rows = table(casts() + "l40s,trtllm,1,cast_fp8,bfloat16,64,,4096,,,,,,,,,,9\n" +
                            "h100_sxm,trtllm,1,gemm,nvfp4,64,128,256,,,,,,,,,,9\n");
    const auto found = calibrated(rows);
    REQUIRE(found.entries.size() == 2);
    CHECK(contains(found.entries[0].why, "1 row does not determine 3 constants")); // ada
    CHECK(found.entries[1].fitted());
    CHECK(found.constants.entries.size() == 1);
    REQUIRE(found.passed.size() == 1);
    CHECK(contains(found.passed[0].why, "FP4 is not native on Hopper"));
}

TEST_CASE("constants of a file that fit no kernel are refused by name") {
    const auto found = calibrated(table(casts()));
    const auto refused = [&](auto change) {
        auto own = found.constants;
        change(own.entries.front());
        return errorOf([&] {
            auto catalog = kernels();
            putInPlace(catalog, own);
        });
    };
    using Entry = KernelConstants::Entry;
    CHECK(contains(refused([](Entry& entry) { entry.family = "gem"; }), "unknown name \"gem\""));
    CHECK(contains(refused([](Entry& entry) { entry.names.clear(); }), "entries[0].names: there is no arch"));
    CHECK(contains(refused([](Entry& entry) { entry.names["more"] = "x"; }), "more names than entries of"));
    CHECK(contains(refused([](Entry& entry) { entry.values.erase("e_m"); }), "values: there is no e_m"));
    CHECK(contains(refused([](Entry& entry) { entry.values["e_z"] = 1; }), "e_z: unknown constant"));
    CHECK(contains(refused([](Entry& entry) { entry.values["e_m"] = 3; }), "e_m: 3 is out of range"));
}
