// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/interned_text.h"
#include "engine/base/json.h"
#include "engine/base/watched_number.h"
#include "engine/units/number_text.h"

#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace heteroscape::engine {

/// Where a quantity comes from.
enum class Provenance { Datasheet, Paper, Calibrated, Assumed, User };

std::string_view provenanceName(Provenance provenance); ///< "datasheet", "paper", ...

/// One number and its source. The value is SI; NaN means "not set".
struct Quantity {
    WatchedNumber value;
    Provenance provenance = Provenance::User;
    InternedText source; ///< "GLITCHES Table II"; empty for the user's own
    /// How far the true value may lie from it, either way, as a share of it: 0.05 is ±5 %. NaN: not stated.
    double uncertainty = std::numeric_limits<double>::quiet_NaN();

    Quantity() = default;
    Quantity(double si, Provenance from = Provenance::User, InternedText of = {},
             double share = std::numeric_limits<double>::quiet_NaN())
        : value(si), provenance(from), source(of), uncertainty(share) {}

    /// Not seen by a ReadRecord: whoever watches a number has set it.
    bool isSet() const { return !std::isnan(value.unwatched()); }
    double valueOr(double fallback) const { return isSet() ? value : fallback; }

    friend bool operator==(const Quantity& a, const Quantity& b) {
        return same(a.value, b.value) && a.provenance == b.provenance && a.source == b.source &&
               same(a.uncertainty, b.uncertainty);
    }

private:
    static bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }
};

/// What is known of one numeric property: the single description from which JSON, validation,
/// parameter paths, CSV headers and the inspector are made.
struct FieldSpec {
    std::string_view key;   ///< JSON key and last step of the path; carries the unit: "memory_bandwidth_gbps"
    std::string_view label; ///< for people: "Memory bandwidth"
    std::string_view unit;  ///< as shown: "GB/s"; empty for a count or ratio
    double scale;           ///< SI = shown value x scale
    double minimum;         ///< smallest allowed, in the shown unit
    double maximum;         ///< largest allowed, in the shown unit
    bool integer;           ///< whole numbers only
    bool required;          ///< must be set
    std::string_view about; ///< one sentence
};

/// A FieldSpec bound to the member of T that holds it.
template <class T>
struct Field {
    FieldSpec spec;
    Quantity T::*member;
};

/// "from 1 to 64, a whole number": the allowed values of a field in words.
std::string rangeText(const FieldSpec& spec);

/// Checks a value in the shown unit; throws Error (InvalidInput) naming `where`, the value and the range.
void checkRange(const FieldSpec& spec, double shownValue, const std::string& where);

/// A number as people type it (parseQuantity()), in the shown unit and within the range. Throws Error
/// (InvalidInput) naming `where`, what was typed and the range.
double typedValue(const FieldSpec& spec, std::string_view text, const std::string& where,
                  Decimals decimals = Decimals::Point);

/// Reads a quantity: a number (taking the object's default provenance and source) or
/// {"value", "unit", "kind", "source"}, where the unit, if given, must be the field's.
Quantity readQuantity(const FieldSpec& spec, const Json& json, const std::string& where,
                      const Quantity& defaults);

/// Writes a quantity: a plain number for the user's own without a source, else the full object.
Json writeQuantity(const FieldSpec& spec, const Quantity& quantity);

/// The same as the member of `object` under the field's key.
void writeQuantityInto(Json& object, const FieldSpec& spec, const Quantity& quantity);

/// The provenance that an object states once for all its plain numbers: keys "kind" and "source".
Quantity readDefaultSource(JsonObject& object);

/// Reads every field of T from the object's keys. Absent fields stay unset, or throw when required.
template <class T>
void readFields(T& target, std::span<const Field<T>> fields, JsonObject& object, const Quantity& defaults) {
    for (const auto& field : fields) {
        const auto* json =
            field.spec.required ? &object.require(field.spec.key) : object.find(field.spec.key);
        if (json)
            target.*field.member = readQuantity(field.spec, *json, object.place(field.spec.key), defaults);
    }
}

template <class T>
void writeFields(const T& source, std::span<const Field<T>> fields, Json& object) {
    for (const auto& field : fields)
        if ((source.*field.member).isSet())
            writeQuantityInto(object, field.spec, source.*field.member);
}

template <class T>
const Field<T>* findField(std::span<const Field<T>> fields, std::string_view key) {
    for (const auto& field : fields)
        if (field.spec.key == key)
            return &field;
    return nullptr;
}

} // namespace heteroscape::engine
