// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/field.h"

#include "engine/base/error.h"
#include "engine/units/number_text.h"

#include <array>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

constexpr std::array<std::string_view, 5> kProvenanceNames{"datasheet", "paper", "calibrated", "assumed",
                                                           "user"};

Provenance readProvenance(const std::string& text, const std::string& where) {
    for (std::size_t i = 0; i < kProvenanceNames.size(); ++i)
        if (kProvenanceNames[i] == text)
            return static_cast<Provenance>(i);
    throwInvalid(where, "unknown kind of source \"" + text + "\"",
                 "Allowed: datasheet, paper, calibrated, assumed, user");
}

double readNumber(const FieldSpec& spec, const Json& json, const std::string& where) {
    if (!json.is_number())
        throwInvalid(where, "expected a number, found " + std::string(jsonTypeName(json)),
                     "Give " + rangeText(spec));
    const double shown = json.get<double>();
    checkRange(spec, shown, where);
    return shown * spec.scale + 0.0; // no -0
}

} // namespace

std::string_view provenanceName(Provenance provenance) {
    return kProvenanceNames[static_cast<std::size_t>(provenance)];
}

std::string rangeText(const FieldSpec& spec) {
    std::string text = spec.integer ? "a whole number from " : "a number from ";
    text += exactText(spec.minimum) + " to " + exactText(spec.maximum);
    if (!spec.unit.empty())
        text += " " + std::string(spec.unit);
    return text;
}

void checkRange(const FieldSpec& spec, double shownValue, const std::string& where) {
    const bool inside = shownValue >= spec.minimum && shownValue <= spec.maximum; // false for NaN
    if (!inside || (spec.integer && shownValue != std::floor(shownValue)))
        throwInvalid(where, exactText(shownValue) + " is not allowed", "Give " + rangeText(spec));
}

double typedValue(const FieldSpec& spec, std::string_view text, const std::string& where, Decimals decimals) {
    const double value = parseQuantity(text, spec.unit, where, decimals, "Give " + rangeText(spec));
    checkRange(spec, value, where);
    return value;
}

Quantity readQuantity(const FieldSpec& spec, const Json& json, const std::string& where,
                      const Quantity& defaults) {
    Quantity quantity = defaults;
    if (!json.is_object()) {
        quantity.value = readNumber(spec, json, where);
        return quantity;
    }
    JsonObject object(json, where);
    quantity.value = readNumber(spec, object.require("value"), object.place("value"));
    if (object.has("unit")) {
        const auto unit = object.text("unit");
        if (unit != spec.unit)
            throwInvalid(object.place("unit"), "found \"" + unit + "\"",
                         spec.unit.empty() ? "This figure has no unit: leave the key out"
                                           : "Give the value in " + std::string(spec.unit));
    }
    if (object.has("kind")) {
        quantity.provenance = readProvenance(object.text("kind"), object.place("kind"));
        quantity.source = object.text("source", "");
    } else if (object.has("source")) {
        quantity.source = object.text("source");
    }
    if (object.has("uncertainty_percent")) {
        const auto& percent = object.require("uncertainty_percent");
        if (!percent.is_number() || !(percent.get<double>() > 0.0 && percent.get<double>() <= 100.0))
            throwInvalid(object.place("uncertainty_percent"), "expected a number above 0, at most 100",
                         "Give how far the value may lie from the true one, in %");
        quantity.uncertainty = percent.get<double>() * 0.01;
    }
    object.finish();
    return quantity;
}

Json writeQuantity(const FieldSpec& spec, const Quantity& quantity) {
    const double shown = shownValue(quantity.value, spec.scale);
    Json number = shown;
    if (spec.integer && shown == std::floor(shown) && std::fabs(shown) < 9e15)
        number = static_cast<long long>(shown);
    const bool uncertain = !std::isnan(quantity.uncertainty);
    if (quantity.provenance == Provenance::User && quantity.source.empty() && !uncertain)
        return number;
    Json object = {{"value", number}, {"kind", provenanceName(quantity.provenance)}};
    if (!quantity.source.empty())
        object["source"] = quantity.source;
    if (!spec.unit.empty())
        object["unit"] = spec.unit;
    if (uncertain)
        object["uncertainty_percent"] = shownValue(quantity.uncertainty, 0.01);
    return object;
}

void writeQuantityInto(Json& object, const FieldSpec& spec, const Quantity& quantity) {
    object[std::string(spec.key)] = writeQuantity(spec, quantity);
}

Quantity readDefaultSource(JsonObject& object) {
    Quantity defaults;
    if (object.has("kind"))
        defaults.provenance = readProvenance(object.text("kind"), object.place("kind"));
    defaults.source = object.text("source", "");
    return defaults;
}

} // namespace heteroscape::engine
