// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/kernel_constants.h"

#include "engine/base/error.h"
#include "engine/units/number_text.h"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kMostEntries = 1000, kMostConstants = 64;

double numberOf(JsonObject& object, const std::string& key, double minimum, double maximum) {
    const auto& json = object.require(key);
    if (!json.is_number())
        throwInvalid(object.place(key), "expected a number, found " + std::string(jsonTypeName(json)));
    const auto value = json.get<double>();
    if (!(value >= minimum && value <= maximum))
        throwInvalid(object.place(key), exactText(value) + " is out of range",
                     "Allowed: from " + exactText(minimum) + " to " + exactText(maximum));
    return value;
}

KernelConstants::Errors readErrors(JsonObject object) {
    KernelConstants::Errors errors;
    errors.rows = numberOf(object, "rows", 0, 1e9);
    errors.medianPercent = numberOf(object, "median_percent", 0, 1e6);
    errors.p90Percent = numberOf(object, "p90_percent", errors.medianPercent, 1e6);
    errors.heldOut = object.boolean("held_out", false);
    object.finish();
    return errors;
}

Json writeErrors(const KernelConstants::Errors& errors) {
    return {{"rows", errors.rows},
            {"median_percent", errors.medianPercent},
            {"p90_percent", errors.p90Percent},
            {"held_out", errors.heldOut}};
}

/// The keys of an object, whatever they are.
std::vector<std::string> keysOf(const Json& json, const std::string& where) {
    if (!json.is_object() || json.empty() || json.size() > kMostConstants)
        throwInvalid(where, "expected an object of 1 to 64 keys, found " + std::string(jsonTypeName(json)));
    std::vector<std::string> keys;
    for (const auto& [key, value] : json.items())
        keys.push_back(key);
    return keys;
}

KernelConstants::Entry readEntry(JsonObject object) {
    KernelConstants::Entry entry;
    entry.family = object.text("family");
    auto names = object.object("names");
    for (const auto& key : keysOf(object.require("names"), object.place("names")))
        entry.names[key] = names.text(key);
    auto values = object.object("values");
    for (const auto& key : keysOf(object.require("values"), object.place("values")))
        entry.values[key] = numberOf(values, key, -1e300, 1e300);
    entry.errors = readErrors(object.object("errors"));
    object.finish();
    return entry;
}

/// FNV-1a, with the length so that texts do not run together.
void mix(std::uint64_t& hash, std::string_view text) {
    const auto byte = [&](std::uint64_t value) { hash = (hash ^ value) * 1099511628211ULL; };
    byte(text.size());
    for (const char c : text)
        byte(static_cast<unsigned char>(c));
}

} // namespace

std::string KernelConstants::text() const {
    char percent[32];
    std::snprintf(percent, sizeof percent, "%.1f", errors.medianPercent);
    return "calibrated on " + calibratedOn + ", " + plainText(rows) + (rows == 1.0 ? " row" : " rows") +
           ", \u00b1" + percent + " %";
}

std::uint64_t KernelConstants::hash() const {
    std::uint64_t hash = 14695981039346656037ULL;
    for (const auto& entry : entries) {
        mix(hash, entry.family);
        for (const auto& [key, name] : entry.names) {
            mix(hash, key);
            mix(hash, name);
        }
        for (const auto& [key, value] : entry.values) {
            mix(hash, key);
            mix(hash, exactText(value));
        }
    }
    return hash;
}

OwnKernels::OwnKernels(KernelConstants constants)
    : m_constants(std::make_shared<const KernelConstants>(std::move(constants))),
      m_hash(m_constants->hash()) {}

bool OwnKernels::operator==(const OwnKernels& other) const {
    return m_constants == other.m_constants ||
           (m_constants && other.m_constants && *m_constants == *other.m_constants);
}

KernelConstants readKernelConstants(JsonObject object) {
    KernelConstants constants;
    constants.calibratedOn = object.text("calibrated_on");
    constants.rows = numberOf(object, "rows", 1, 1e9);
    constants.errors = readErrors(object.object("errors"));
    const auto& entries = object.array("entries");
    if (entries.empty() || entries.size() > kMostEntries)
        throwInvalid(object.place("entries"), "there are " + std::to_string(entries.size()) + " entries",
                     "Give 1 to 1000");
    for (const auto& entry : entries)
        constants.entries.push_back(readEntry(JsonObject(
            entry, object.place("entries") + "[" + std::to_string(constants.entries.size()) + "]")));
    object.finish();
    return constants;
}

Json writeKernelConstants(const KernelConstants& constants) {
    Json entries = Json::array();
    for (const auto& entry : constants.entries)
        entries.push_back({{"family", entry.family},
                           {"names", entry.names},
                           {"values", entry.values},
                           {"errors", writeErrors(entry.errors)}});
    return {{"calibrated_on", constants.calibratedOn},
            {"rows", constants.rows},
            {"errors", writeErrors(constants.errors)},
            {"entries", std::move(entries)}};
}

} // namespace heteroscape::engine
