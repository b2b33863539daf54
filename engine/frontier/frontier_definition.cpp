// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/frontier/frontier_definition.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/json.h"
#include "engine/catalog/named.h"
#include "engine/scenario/scenario_json.h"
#include "engine/units/number_text.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <cstdint>

namespace heteroscape::engine {

namespace {

constexpr std::array<std::string_view, 2> kLoads{"batch", "users"};
constexpr std::array<std::string_view, 5> kFrontierAxes{"device", "usd", "watt", "total", "budget"};
constexpr std::array<std::string_view, 3> kAlongs{"speed", "ttft", "price"};
constexpr double kMostSeconds = 1e6, kMostDollars = 1e12;

/// The numbers that a definition may have, by their key.
struct FrontierNumber {
    const char* key;
    double& (*of)(FrontierDefinition&);
    double least, most;
};
constexpr FrontierNumber kFrontierNumbers[]{
    {"length_ratio", [](FrontierDefinition& f) -> double& { return f.ratio; }, 0, 1},
    {"budget_usd", [](FrontierDefinition& f) -> double& { return f.budget; }, 1, kMostDollars},
    {"ttft_limit_s", [](FrontierDefinition& f) -> double& { return f.shown.limits.ttft; }, 0, kMostSeconds},
    {"tpot_limit_s", [](FrontierDefinition& f) -> double& { return f.shown.limits.timePerToken; }, 0,
     kMostSeconds},
    {"price_limit_usd", [](FrontierDefinition& f) -> double& { return f.shown.limits.price; }, 0,
     kMostDollars},
    {"tpot_goal_s", [](FrontierDefinition& f) -> double& { return f.shown.goal; }, 0, kMostSeconds}};

double frontierNumber(JsonObject& object, std::string_view key, double least, double most) {
    const auto& json = object.require(key);
    const double value = json.is_number() ? json.get<double>() : std::nan("");
    if (!(value >= least && value <= most))
        throwInvalid(object.place(key), "not a number that is allowed here",
                     "Allowed: from " + std::to_string(static_cast<long long>(least)) + " to " +
                         std::to_string(static_cast<long long>(most)));
    return value;
}

std::vector<double> wholeNumbers(JsonObject& object, std::string_view key, double most) {
    std::vector<double> numbers;
    for (const auto& json : object.array(key)) {
        if (!json.is_number_unsigned() || json < 1 || json > most)
            throwInvalid(object.place(key), "not a whole number from 1 to " + exactText(most));
        numbers.push_back(json.get<double>());
    }
    if (numbers.empty() || numbers.size() > kMostFrontierValues)
        throwInvalid(object.place(key), "there are none, or more than 1000",
                     "Give a few, such as [1, 8, 64]");
    return numbers;
}

std::optional<FrontierApart> readApart(JsonObject& object) {
    constexpr double kMostWorkers = 1024, kMostRanks = 4096;
    if (!object.has("prefill_workers") && !object.has("decode_workers"))
        return {};
    FrontierApart apart;
    apart.prefillWorkers = wholeNumbers(object, "prefill_workers", kMostWorkers);
    apart.decodeWorkers = wholeNumbers(object, "decode_workers", kMostWorkers);
    if (object.has("prefill_devices"))
        apart.prefillDevices = wholeNumbers(object, "prefill_devices", kMostRanks);
    if (object.has("decode_devices"))
        apart.decodeDevices = wholeNumbers(object, "decode_devices", kMostRanks);
    return apart;
}

FrontierSystem readFrontierSystem(JsonObject object, const Catalog& catalog) {
    FrontierSystem system;
    system.name = object.text("name");
    if (const auto* design = object.find("design")) {
        if (design->is_object())
            system.open =
                std::make_shared<const Scenario>(readScenario(*design, catalog, object.place("design")));
        else
            system.design = object.text("design");
        if (object.has("set"))
            for (const auto& setting : readTexts(object, "set")) {
                const auto equals = setting.find('=');
                if (equals == std::string::npos || equals == 0)
                    throwInvalid(object.place("set"), "\"" + setting.substr(0, 80) + "\" is not a setting",
                                 "Write it as path=value");
                system.settings.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
            }
    } else {
        if (object.has("ready")) {
            system.ready = object.text("ready");
            system.counts = wholeNumbers(object, "counts", kMostReady);
        } else {
            system.gpu = object.text("gpu");
            system.devices = static_cast<double>(object.integer("devices", 1, 4096));
        }
        system.servers = readTexts(object, "servers");
        system.precisions = readTexts(object, "precisions");
        if (system.servers.empty() || system.precisions.empty())
            throwInvalid(object.where(), "a GPU system needs servers and precisions",
                         "Name at least one of each, such as vllm and fp8");
        if (!system.isReady())
            system.apart = readApart(object);
    }
    object.finish();
    return system;
}

Json writeFrontierSystem(const FrontierSystem& system) {
    Json json = {{"name", system.name}};
    if (system.isDesign()) {
        json["design"] = system.open ? writeScenario(*system.open) : Json(system.design);
        for (const auto& [path, value] : system.settings)
            json["set"].push_back(path + "=" + value);
        return json;
    }
    const auto counts = [&json](const char* key, const std::vector<double>& values) {
        for (const double value : values)
            json[key].push_back(static_cast<std::uint64_t>(value));
    };
    if (system.isReady()) {
        json["ready"] = system.ready;
        counts("counts", system.counts);
    } else {
        json["gpu"] = system.gpu;
        json["devices"] = static_cast<long long>(system.devices);
    }
    json["servers"] = system.servers;
    json["precisions"] = system.precisions;
    if (const auto& apart = system.apart) {
        counts("prefill_workers", apart->prefillWorkers);
        counts("decode_workers", apart->decodeWorkers);
        counts("prefill_devices", apart->prefillDevices);
        counts("decode_devices", apart->decodeDevices);
    }
    return json;
}

/// One of some names, the first where the key is left out.
std::size_t frontierName(JsonObject& object, std::string_view key, std::span<const std::string_view> names) {
    return object.has(key) ? indexOfName(object.text(key), names, object.place(key)) : 0;
}

} // namespace

std::span<const std::string_view> frontierLoadNames() {
    return kLoads;
}

std::span<const std::string_view> frontierAxisNames() {
    return kFrontierAxes;
}

std::span<const std::string_view> frontierAlongNames() {
    return kAlongs;
}

FrontierDefinition readFrontier(const Json& json, const std::string& where, const Catalog& catalog) {
    JsonObject object(json, where);
    FrontierDefinition frontier;
    frontier.where = where;
    frontier.id = readId(object, "id");
    frontier.name = object.text("name");
    frontier.about = object.text("about", "");
    frontier.model = object.text("model");
    frontier.prompt = frontierNumber(object, "prompt_tokens", 1, kMostFrontierTokens);
    frontier.output = frontierNumber(object, "output_tokens", 1, kMostFrontierTokens);
    for (const auto& one : kFrontierNumbers)
        if (object.has(one.key))
            one.of(frontier) = frontierNumber(object, one.key, one.least, one.most);
    frontier.users = wholeNumbers(object, "users", kMostFrontierUsers);
    frontier.rented = object.boolean("rented", false);
    frontier.load = static_cast<FrontierLoad>(frontierName(object, "design_load", kLoads));
    frontier.shown.axis = static_cast<FrontierAxis>(frontierName(object, "per", kFrontierAxes));
    frontier.shown.along = static_cast<FrontierAlong>(frontierName(object, "against", kAlongs));
    if (object.has("put_away"))
        for (auto& name : readTexts(object, "put_away"))
            frontier.shown.off.insert(std::move(name));
    std::set<std::string> names;
    for (const auto& entry : object.array("systems")) {
        JsonObject one(entry, object.place("systems") + "[" + std::to_string(names.size()) + "]");
        frontier.systems.push_back(readFrontierSystem(one, catalog));
        if (!names.insert(frontier.systems.back().name).second)
            throwInvalid(one.place("name"),
                         "\"" + frontier.systems.back().name.substr(0, 80) + "\" is used twice",
                         "Give every system its own name");
    }
    if (frontier.systems.empty())
        throwInvalid(object.place("systems"), "there is no system", "Give at least one");
    object.finish();
    return frontier;
}

Json writeFrontier(const FrontierDefinition& definition) {
    Json json = {{"id", definition.id},
                 {"name", definition.name},
                 {"model", definition.model},
                 {"prompt_tokens", static_cast<long long>(definition.prompt)},
                 {"output_tokens", static_cast<long long>(definition.output)}};
    if (!definition.about.empty())
        json["about"] = definition.about;
    auto written = definition;
    FrontierDefinition plain;
    for (const auto& one : kFrontierNumbers)
        if (one.of(written) != one.of(plain))
            json[one.key] = one.of(written);
    if (definition.rented)
        json["rented"] = true;
    for (const double users : definition.users)
        json["users"].push_back(static_cast<std::uint64_t>(users));
    const auto name = [&json](const char* key, std::size_t at, std::span<const std::string_view> names) {
        if (at > 0)
            json[key] = names[at];
    };
    name("design_load", static_cast<std::size_t>(definition.load), kLoads);
    name("per", static_cast<std::size_t>(definition.shown.axis), kFrontierAxes);
    name("against", static_cast<std::size_t>(definition.shown.along), kAlongs);
    if (!definition.shown.off.empty())
        json["put_away"] = definition.shown.off;
    for (const auto& system : definition.systems)
        json["systems"].push_back(writeFrontierSystem(system));
    return json;
}

std::optional<FrontierDefinition> keptFrontier(const Scenario& design, const Catalog& catalog) {
    if (!design.frontier)
        return {};
    const auto where = (design.name.empty() ? std::string("design") : design.name) + ".frontier";
    return readFrontier(parseJson(*design.frontier.definition, where), where, catalog);
}

KeptFrontier keepFrontier(const FrontierDefinition& definition) {
    return {std::make_shared<const std::string>(writeFrontier(definition).dump())};
}

std::vector<std::string> shippedFrontiers(const std::string& presetsFolder) {
    std::vector<std::string> ids;
    const auto folder = presetsFolder + "/frontiers/";
    for (const auto& path : listFiles(folder, ".json"))
        ids.push_back(path.substr(folder.size(), path.size() - folder.size() - 5));
    return ids;
}

FrontierDefinition findFrontier(const Catalog& catalog, const std::string& idOrFile) {
    const auto there = shippedFrontiers(catalog.folder);
    for (const auto& id : there)
        if (id == idOrFile)
            return findFrontier(catalog, catalog.folder + "/frontiers/" + id + ".json");
    if (!idOrFile.ends_with(".json") && !idOrFile.ends_with(".hscape"))
        throw Error(ErrorCode::NotFound, "frontier", "unknown id \"" + idOrFile.substr(0, 80) + "\"",
                    "There are: " + joined(there) + "; or name a .json file, or a design that keeps one");
    const auto json = readJsonFile(idOrFile);
    if (!json.is_object() || !json.contains("formatVersion"))
        return readFrontier(json, idOrFile, catalog);
    auto kept = keptFrontier(readScenario(json, catalog, idOrFile), catalog);
    if (!kept)
        throw Error(ErrorCode::NotFound, idOrFile, "this design keeps no frontier",
                    "Change one on the page Frontier with it open and save it, or name a frontier: " +
                        joined(there));
    return *std::move(kept);
}

} // namespace heteroscape::engine
