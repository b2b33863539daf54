// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/measured_for.h"

#include "engine/base/error.h"
#include "engine/catalog/named.h"
#include "engine/units/number_text.h"

#include <nlohmann/json.hpp>

namespace heteroscape::engine {

std::string MeasuredFor::text() const {
    return model + ", batch " + plainText(batch) + ", contexts of " + plainText(shortest) + " to " +
           plainText(longest) + " tokens, " + plainText(devices) + " x " + device;
}

MeasuredFor readMeasuredFor(JsonObject object) {
    constexpr long long kMost = 1LL << 24;
    MeasuredFor measured;
    measured.model = readId(object, "model");
    measured.device = readId(object, "device");
    measured.devices = static_cast<double>(object.integer("devices", 1, kMost));
    measured.batch = static_cast<double>(object.integer("batch", 1, kMost));
    const auto& range = object.array("context_tokens");
    const auto place = object.place("context_tokens");
    if (range.size() != 2 || !range[0].is_number_integer() || !range[1].is_number_integer() ||
        range[0].get<double>() < 1.0 || range[1].get<double>() < range[0].get<double>())
        throwInvalid(place, "not a range", "Give the fewest and the most tokens, as in [1000, 1100]");
    measured.shortest = range[0].get<double>();
    measured.longest = range[1].get<double>();
    object.finish();
    return measured;
}

Json writeMeasuredFor(const MeasuredFor& measured) {
    return {{"model", measured.model},
            {"device", measured.device},
            {"devices", static_cast<long long>(measured.devices)},
            {"batch", static_cast<long long>(measured.batch)},
            {"context_tokens",
             {static_cast<long long>(measured.shortest), static_cast<long long>(measured.longest)}}};
}

} // namespace heteroscape::engine
