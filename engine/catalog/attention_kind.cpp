// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/attention_kind.h"

#include "engine/base/error.h"

#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

constexpr long long kMostLayers = 1024;

} // namespace

LayerGroup readLayerGroup(const Json& json, const std::string& where, const Quantity& defaults) {
    JsonObject object(json, where);
    LayerGroup group;
    group.count = static_cast<double>(object.integer("count", 1, kMostLayers));
    group.network = object.boolean("network", true);
    auto attention = object.object("attention");
    group.attention = &attentionKinds().at(attention.text("kind"), attention.place("kind"));
    group.figures = Settings(*group.attention);
    readSettings(*group.attention, group.figures, attention, defaults);
    attention.finish();
    object.finish();
    if (const auto mistake = group.attention->mistake(group.figures); !mistake.what.empty())
        throwInvalid(attention.place(mistake.key), mistake.what, mistake.remedy);
    group.mark = group.attention->mark(group.figures);
    return group;
}

Json writeLayerGroup(const LayerGroup& group) {
    Json attention = {{"kind", group.attention->id()}};
    writeSettings(*group.attention, group.figures, attention);
    Json json = {{"count", static_cast<long long>(group.count)}, {"attention", std::move(attention)}};
    if (!group.network)
        json["network"] = false;
    return json;
}

} // namespace heteroscape::engine
