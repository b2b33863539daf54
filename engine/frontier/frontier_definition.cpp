// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/frontier/frontier_definition.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/json.h"
#include "engine/catalog/named.h"
#include "engine/units/number_text.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kMostFrontierValues = 1000; ///< values of a list
constexpr double kMostUsers = 100000;

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

FrontierSystem readSystem(JsonObject object) {
    FrontierSystem system;
    system.name = object.text("name");
    if (object.has("design")) {
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
        system.gpu = object.text("gpu");
        system.devices = static_cast<double>(object.integer("devices", 1, 4096));
        system.servers = readTexts(object, "servers");
        system.precisions = readTexts(object, "precisions");
        if (system.servers.empty() || system.precisions.empty())
            throwInvalid(object.where(), "a GPU system needs servers and precisions",
                         "Name at least one of each, such as vllm and fp8");
        system.apart = readApart(object);
    }
    object.finish();
    return system;
}

} // namespace

FrontierDefinition readFrontier(const std::string& path) {
    const auto json = readJsonFile(path);
    JsonObject object(json, path);
    FrontierDefinition frontier;
    frontier.id = readId(object, "id");
    frontier.name = object.text("name");
    frontier.about = object.text("about", "");
    frontier.model = object.text("model");
    frontier.prompt = static_cast<double>(object.integer("prompt_tokens", 1, 1 << 22));
    frontier.output = static_cast<double>(object.integer("output_tokens", 1, 1 << 22));
    if (object.has("length_ratio"))
        frontier.ratio = frontierNumber(object, "length_ratio", 0, 1);
    if (object.has("budget_usd"))
        frontier.budget = frontierNumber(object, "budget_usd", 1, 1e12);
    if (object.has("ttft_limit_s"))
        frontier.ttftLimit = frontierNumber(object, "ttft_limit_s", 0, 1e6);
    frontier.users = wholeNumbers(object, "users", kMostUsers);
    std::size_t ordinal = 0;
    for (const auto& entry : object.array("systems"))
        frontier.systems.push_back(
            readSystem({entry, object.place("systems") + "[" + std::to_string(ordinal++) + "]"}));
    if (frontier.systems.empty())
        throwInvalid(object.place("systems"), "there is no system", "Give at least one");
    object.finish();
    return frontier;
}

std::vector<std::string> shippedFrontiers(const std::string& presetsFolder) {
    std::vector<std::string> ids;
    const auto folder = presetsFolder + "/frontiers/";
    for (const auto& path : listFiles(folder, ".json"))
        ids.push_back(path.substr(folder.size(), path.size() - folder.size() - 5));
    return ids;
}

FrontierDefinition findFrontier(const std::string& presetsFolder, const std::string& idOrFile) {
    const auto there = shippedFrontiers(presetsFolder);
    for (const auto& id : there)
        if (id == idOrFile)
            return readFrontier(presetsFolder + "/frontiers/" + id + ".json");
    if (idOrFile.ends_with(".json"))
        return readFrontier(idOrFile);
    throw Error(ErrorCode::NotFound, "frontier", "unknown id \"" + idOrFile.substr(0, 80) + "\"",
                "There are: " + joined(there) + "; or name a .json file");
}

} // namespace heteroscape::engine
