// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/power_constants.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/json.h"
#include "engine/catalog/catalog.h"
#include "engine/catalog/named.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

constexpr double kPico = 1e-12;

double readFrom0(JsonObject& object, std::string_view key) {
    const auto& json = object.require(key);
    if (!json.is_number() || !(json.get<double>() >= 0.0))
        throwInvalid(object.place(key), "not a number from 0", "Write one");
    return json.get<double>();
}

PowerConstants::Class readClass(const Json& json, const std::string& where) {
    JsonObject object(json, where);
    PowerConstants::Class one{};
    one.id = readId(object, "class");
    one.kernels = readTexts(object, "kernels");
    one.figures.limit = readFrom0(object, "limit_w");
    one.figures.busy = readFrom0(object, "busy_w");
    one.figures.flop16 = kPico * readFrom0(object, "flop16_pj");
    one.figures.flop8 = kPico * readFrom0(object, "flop8_pj");
    one.figures.flop4 = kPico * readFrom0(object, "flop4_pj");
    one.figures.unpack = kPico * readFrom0(object, "unpack_pj_per_byte");
    one.figures.slow = kPico * readFrom0(object, "slow_pj_per_byte");
    one.figures.down = readFrom0(object, "band_down");
    one.figures.up = readFrom0(object, "band_up");
    object.finish();
    return one;
}

PowerConstants::Rule readRule(JsonObject object) {
    PowerConstants::Rule rule{};
    rule.busyOfLimit = readFrom0(object, "busy_of_limit");
    rule.flop16 = readFrom0(object, "flop16_peak_of_limit");
    rule.flop8Of16 = readFrom0(object, "flop8_of_flop16");
    rule.flop4Of16 = readFrom0(object, "flop4_of_flop16");
    rule.unpackOfMemory = readFrom0(object, "unpack_of_memory");
    rule.down = readFrom0(object, "band_down");
    rule.up = readFrom0(object, "band_up");
    object.finish();
    return rule;
}

} // namespace

const PowerConstants::Class* PowerConstants::findClass(std::string_view kernels) const {
    for (const auto& one : classes)
        if (std::find(one.kernels.begin(), one.kernels.end(), kernels) != one.kernels.end())
            return &one;
    return nullptr;
}

PowerConstants readPowerConstants(const std::string& path) {
    const auto json = readJsonFile(path);
    JsonObject object(json, path);
    object.allow({"id", "name", "about", "kind", "source"});
    PowerConstants all{};
    all.hash = contentHash(readFile(path));
    all.memory = kPico * readFrom0(object, "memory_pj_per_byte");
    all.link = kPico * readFrom0(object, "link_pj_per_byte");
    all.slack = readFrom0(object, "kernel_slack");
    all.knee = readFrom0(object, "knee");
    all.margin = readFrom0(object, "margin");
    all.clockExponent = readFrom0(object, "clock_exponent");
    all.clockFloor = readFrom0(object, "clock_floor");
    all.rooflineBand = readFrom0(object, "roofline_band");
    all.idleOfLimit = readFrom0(object, "idle_of_limit");
    for (const auto& entry : object.array("classes"))
        all.classes.push_back(readClass(entry, object.place("classes")));
    all.other = readRule(object.object("other"));
    object.finish();
    return all;
}

const PowerConstants& shippedPower() {
    static const PowerConstants constants = readPowerConstants(findPresetsFolder() + "/power/constants.json");
    return constants;
}

} // namespace heteroscape::engine
