// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/catalog_document.h"

#include "app/documents/number.h"

#include "engine/base/error.h"
#include "engine/catalog/hugging_face.h"
#include "engine/catalog/named.h"
#include "engine/claims/claims.h"
#include "engine/scenario/clip.h"
#include "engine/scenario/parameters.h"
#include "engine/units/number_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

constexpr std::array<std::string_view, 9> kCatalogKinds{
    "devices", "models", "runtimes", "servers", "workloads", "links", "groups", "presets", "papers"};
constexpr std::array<std::string_view, 6> kEntryKinds{"device", "model",    "runtime",
                                                      "server", "workload", "link"};

Json modelJson(const Model& model) {
    auto json = writeModel(model);
    const auto cache = cacheOf(model);
    json["together"] = {{"parameters", model.parameters()},
                        {"active_parameters", model.activeParameters()},
                        {"weight_bytes", model.weightBytes(2.0)},
                        {"kv_bytes_per_token", cache.later},
                        {"kv_bytes_per_token_within_windows", cache.first},
                        {"state_bytes_per_request", cache.fixed}};
    return json;
}

Json parameterJson(const Scenario& scenario, const Parameter& parameter) {
    Json one = {{"path", parameter.path}, {"label", parameter.spec.label}, {"about", parameter.spec.about}};
    if (parameter.kind == ParameterKind::Number) {
        const auto& quantity = resolveQuantity(scenario, parameter.path).in(scenario);
        one["value"] = number(shownValue(quantity.value, parameter.spec.scale));
        one["unit"] = parameter.spec.unit;
        one["minimum"] = parameter.spec.minimum;
        one["maximum"] = parameter.spec.maximum;
        one["integer"] = parameter.spec.integer;
        one["source"] = sourceText(quantity);
    } else if (parameter.kind == ParameterKind::Boolean) {
        one["value"] = parameterText(scenario, parameter) == "true";
    } else {
        one["value"] = parameterText(scenario, parameter);
        one["allowed"] = parameter.choices;
    }
    return one;
}

} // namespace

std::span<const std::string_view> catalogKinds() {
    return kCatalogKinds;
}

std::vector<CatalogRow> catalogRows(const Catalog& catalog, std::string_view kind) {
    std::vector<CatalogRow> rows;
    if (kind == "devices")
        for (const auto& d : catalog.devices)
            rows.push_back({d.id, d.name, std::string(deviceKindLabel(d.kind)) + ". " + d.about.str()});
    else if (kind == "models")
        for (const auto& m : catalog.models)
            rows.push_back({m.id, m.name, m.about});
    else if (kind == "runtimes")
        for (const auto& r : catalog.runtimes)
            rows.push_back({r.base.id, r.base.name, r.base.about});
    else if (kind == "servers")
        for (const auto& s : catalog.servers)
            rows.push_back({s.id, s.name, s.software + ". " + s.about.str()});
    else if (kind == "workloads")
        for (const auto& w : catalog.workloads)
            rows.push_back({w.id, w.name, ""});
    else if (kind == "links")
        for (const auto& l : catalog.linkTypes)
            rows.push_back({l.id, l.name, ""});
    else if (kind == "groups")
        for (const auto& g : loadGroups(catalog))
            rows.push_back({g.id, g.name, g.about});
    else if (kind == "presets")
        for (const auto& p : listPresets(catalog))
            rows.push_back({p.id, p.name, p.about});
    else if (kind == "papers")
        for (const auto& p : loadPapers(catalog))
            rows.push_back({p.id, p.name, p.title});
    else
        throw Error(ErrorCode::NotFound, "list", "there are no " + std::string(kind.substr(0, 80)),
                    "Allowed: " + joined(kCatalogKinds));
    return rows;
}

std::span<const std::string_view> entryKinds() {
    return kEntryKinds;
}

Json entryJson(const Catalog& catalog, std::string_view kind, const std::string& id) {
    const auto where = "show " + std::string(kind.substr(0, 80));
    if (kind == "device")
        return writeDevice(catalog.device(id, where));
    if (kind == "model")
        return modelJson(modelNamed(catalog, id));
    if (kind == "runtime")
        return writeRuntime(catalog.runtime(id, where).base);
    if (kind == "server")
        return writeServer(catalog.server(id, where));
    if (kind == "workload")
        return writeWorkload(catalog.workload(id, where));
    if (kind == "link")
        return writeLinkType(catalog.linkType(id, where));
    throw Error(ErrorCode::NotFound, where, "there is no such kind of entry",
                "Allowed: " + joined(kEntryKinds));
}

Model modelNamed(const Catalog& catalog, const std::string& id) {
    const auto& models = catalog.models;
    const bool known =
        std::any_of(models.begin(), models.end(), [&](const Model& model) { return model.id == id; });
    std::error_code ignored;
    return !known && std::filesystem::exists(id, ignored) ? loadModelFile(id)
                                                          : catalog.model(id, "show model");
}

CacheBytes cacheOf(const Model& model) {
    constexpr double kLong = 1 << 21; // more than any window or index leaves
    const auto bytes = [&](double tokens) { return model.cacheBytes(tokens, model.releasedKvElement()); };
    return {bytes(kLong + 1.0) - bytes(kLong), bytes(1.0) - bytes(0.0), bytes(0.0)};
}

std::string sourceText(const Quantity& quantity) {
    std::string text(provenanceName(quantity.provenance));
    return quantity.source.empty() ? text : text + ": " + quantity.source.str();
}

Json parametersJson(const Scenario& scenario, const Catalog& catalog) {
    Json list = Json::array();
    for (const auto& parameter : listParameters(scenario, catalog))
        list.push_back(parameterJson(scenario, parameter));
    return list;
}

Json parameterJson(const Scenario& scenario, const Catalog& catalog, const std::string& path) {
    return parameterJson(scenario, findParameter(scenario, catalog, path));
}

} // namespace heteroscape::cli
