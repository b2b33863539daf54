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

/// Rows of parts that have a name and say what they are.
template <class Parts, class About>
std::vector<CatalogRow> rowsOf(const Parts& parts, const About& about) {
    std::vector<CatalogRow> rows;
    for (const auto& part : parts)
        rows.push_back({part.id, part.name, about(part)});
    return rows;
}

struct RowsOfKind {
    std::string_view kind;
    std::vector<CatalogRow> (*rows)(const Catalog& catalog);
};
const std::array<RowsOfKind, 9> kRows{{
    {"devices",
     [](const Catalog& catalog) {
         return rowsOf(catalog.devices, [](const Device& device) {
             return std::string(deviceKindLabel(device.kind)) + ". " + device.about.str();
         });
     }},
    {"models",
     [](const Catalog& catalog) {
         return rowsOf(catalog.models, [](const Model& model) { return model.about; });
     }},
    {"runtimes",
     [](const Catalog& catalog) {
         std::vector<CatalogRow> rows;
         for (const auto& entry : catalog.runtimes)
             rows.push_back({entry.base.id, entry.base.name, entry.base.about});
         return rows;
     }},
    {"servers",
     [](const Catalog& catalog) {
         return rowsOf(catalog.servers,
                       [](const Server& server) { return server.software + ". " + server.about.str(); });
     }},
    {"workloads",
     [](const Catalog& catalog) {
         return rowsOf(catalog.workloads, [](const Workload&) { return std::string(); });
     }},
    {"links",
     [](const Catalog& catalog) {
         return rowsOf(catalog.linkTypes, [](const LinkType&) { return std::string(); });
     }},
    {"groups",
     [](const Catalog& catalog) {
         return rowsOf(loadGroups(catalog), [](const auto& group) { return group.about; });
     }},
    {"presets",
     [](const Catalog& catalog) {
         return rowsOf(listPresets(catalog), [](const PresetInfo& preset) { return preset.about; });
     }},
    {"papers",
     [](const Catalog& catalog) {
         return rowsOf(loadPapers(catalog), [](const Paper& paper) { return paper.title; });
     }},
}};

EntryFigure figureOf(std::string_view key, const FieldSpec& spec, const Quantity& quantity) {
    const bool isSet = quantity.isSet();
    return {std::string(key), isSet ? exactText(shownValue(quantity.value, spec.scale)) : std::string(),
            std::string(spec.unit), isSet ? sourceText(quantity) : std::string()};
}

template <class T>
EntryWords wordsOf(const T& entry, std::string name, std::string about, std::span<const Field<T>> fields) {
    EntryWords words{std::move(name), std::move(about), {}, {}};
    for (const auto& field : fields)
        words.figures.push_back(figureOf(field.spec.key, field.spec, entry.*field.member));
    return words;
}

EntryWords runtimeWords(const RuntimeEntry& entry) {
    EntryWords words{entry.base.name, entry.base.about, {}, {}};
    const auto quantities = runtimeQuantities(entry.base);
    for (const auto& [path, spec, quantity] : quantities)
        words.figures.push_back(figureOf(path, spec, *quantity));
    for (const auto& [device, calibrated] : entry.calibrations)
        for (const auto& [path, spec, quantity] : quantities)
            if (const auto at = calibrated.find(path); at != calibrated.end())
                words.notes.push_back("on " + device + ": " + path + " = " +
                                      exactText(shownValue(at->second.value, spec.scale)) + "  [" +
                                      sourceText(at->second) + "]");
    return words;
}

struct EntryOfKind {
    std::string_view kind;
    Json (*json)(const Catalog& catalog, const std::string& id, const std::string& where);
    EntryWords (*words)(const Catalog& catalog, const std::string& id, const std::string& where);
};
const std::array<EntryOfKind, 6> kEntries{{
    {"device",
     [](const Catalog& of, const std::string& id, const std::string& where) {
         return writeDevice(of.device(id, where));
     },
     [](const Catalog& of, const std::string& id, const std::string& where) {
         const auto& device = of.device(id, where);
         return wordsOf(device, device.name, device.about, deviceFields());
     }},
    {"model",
     [](const Catalog& of, const std::string& id, const std::string&) {
         return modelJson(modelNamed(of, id));
     },
     [](const Catalog& of, const std::string& id, const std::string&) {
         const auto model = modelNamed(of, id);
         return wordsOf<Model>(model, model.name, model.about, modelFields(model));
     }},
    {"runtime",
     [](const Catalog& of, const std::string& id, const std::string& where) {
         return writeRuntime(of.runtime(id, where).base);
     },
     [](const Catalog& of, const std::string& id, const std::string& where) {
         return runtimeWords(of.runtime(id, where));
     }},
    {"server",
     [](const Catalog& of, const std::string& id, const std::string& where) {
         return writeServer(of.server(id, where));
     },
     [](const Catalog& of, const std::string& id, const std::string& where) {
         const auto& server = of.server(id, where);
         return wordsOf(server, server.name + " (" + server.software + ", " + server.date + ")", server.about,
                        serverFields());
     }},
    {"workload",
     [](const Catalog& of, const std::string& id, const std::string& where) {
         return writeWorkload(of.workload(id, where));
     },
     [](const Catalog& of, const std::string& id, const std::string& where) {
         const auto& workload = of.workload(id, where);
         return wordsOf(workload, workload.name, {}, workloadFields());
     }},
    {"link",
     [](const Catalog& of, const std::string& id, const std::string& where) {
         return writeLinkType(of.linkType(id, where));
     },
     [](const Catalog& of, const std::string& id, const std::string& where) {
         const auto& type = of.linkType(id, where);
         return wordsOf(type, type.name, {}, linkTypeFields());
     }},
}};

template <class Table>
std::vector<std::string> kindsOf(const Table& table) {
    std::vector<std::string> kinds;
    for (const auto& row : table)
        kinds.emplace_back(row.kind);
    return kinds;
}

/// The row of a kind. Throws Error (NotFound) naming those that there are.
template <class Table>
const auto& rowOf(const Table& table, std::string_view kind, const std::string& where) {
    for (const auto& row : table)
        if (row.kind == kind)
            return row;
    throw Error(ErrorCode::NotFound, where, "there is no kind \"" + std::string(kind.substr(0, 80)) + "\"",
                "Allowed: " + joined(kindsOf(table)));
}

} // namespace

std::vector<std::string> catalogKinds() {
    return kindsOf(kRows);
}

std::vector<CatalogRow> catalogRows(const Catalog& catalog, std::string_view kind) {
    return rowOf(kRows, kind, "list").rows(catalog);
}

std::vector<std::string> entryKinds() {
    return kindsOf(kEntries);
}

Json entryJson(const Catalog& catalog, std::string_view kind, const std::string& id) {
    return rowOf(kEntries, kind, "show").json(catalog, id, "show " + std::string(kind));
}

EntryWords entryWords(const Catalog& catalog, std::string_view kind, const std::string& id) {
    return rowOf(kEntries, kind, "show").words(catalog, id, "show " + std::string(kind));
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
