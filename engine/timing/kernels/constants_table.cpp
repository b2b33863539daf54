// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/kernels/constants_table.h"

#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

double readConstant(JsonObject& object, std::string_view key, double minimum, double maximum) {
    const auto& json = object.require(key);
    if (!json.is_number())
        throwInvalid(object.place(key), "expected a number, found " + std::string(jsonTypeName(json)));
    const auto value = json.get<double>();
    if (!(value >= minimum && value <= maximum))
        throwInvalid(object.place(key), exactText(value) + " is out of range",
                     "Allowed: from " + exactText(minimum) + " to " + exactText(maximum));
    return value;
}

std::string readRowName(JsonObject& object, std::string_view key) {
    auto name = object.text(key);
    if (name.size() > 64 ||
        !std::all_of(name.begin(), name.end(), [](char c) { return c >= ' ' && c < 127; }))
        throwInvalid(object.place(key), "not a name", "Use 1 to 64 printable ASCII characters");
    return name;
}

std::vector<HeldOutError> readHeldOut(JsonObject& object) {
    static constexpr std::array<std::string_view, 3> kinds{"shapes", "sizes", "device"};
    std::vector<HeldOutError> errors;
    if (!object.has("held_out"))
        return errors;
    for (const auto& json : object.array("held_out")) {
        JsonObject entry(json, object.place("held_out"));
        HeldOutError error;
        error.device = readRowName(entry, "device");
        if (entry.has("of"))
            error.of = readRowName(entry, "of");
        error.what = kinds[readName(entry, "what", kinds)];
        if (entry.has("rows"))
            error.rows = readConstant(entry, "rows", 1, 1e9);
        error.medianPercent = readConstant(entry, "median_percent", 0, 1e6);
        error.p90Percent = readConstant(entry, "p90_percent", error.medianPercent, 1e6);
        entry.finish();
        errors.push_back(std::move(error));
    }
    return errors;
}

} // namespace heteroscape::engine
