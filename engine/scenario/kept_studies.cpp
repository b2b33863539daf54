// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/kept_studies.h"

#include "engine/base/error.h"

#include <nlohmann/json.hpp>
#include <unordered_set>

namespace heteroscape::engine {

void readSearches(Scenario& scenario, JsonObject& object) {
    if (!object.has("searches"))
        return;
    const auto& list = object.array("searches");
    checkSize(list.size(), kMaxSearches, object.place("searches"));
    std::unordered_set<std::string> names;
    for (std::size_t i = 0; i < list.size(); ++i) {
        JsonObject one(list[i], object.place("searches") + "[" + std::to_string(i) + "]");
        KeptSearch search;
        search.name = one.text("name");
        if (!names.insert(search.name).second)
            throwInvalid(one.place("name"), "\"" + search.name.substr(0, 80) + "\" is used twice",
                         "Give every search its own name");
        const auto& found = one.require("found");
        if (!found.is_object())
            throwInvalid(one.place("found"), "is no object", "Take the search out of the file");
        search.found = std::make_shared<const std::string>(found.dump());
        one.finish();
        scenario.searches.push_back(std::move(search));
    }
}

void writeSearches(Json& object, const std::vector<KeptSearch>& searches) {
    for (const auto& search : searches)
        object["searches"].push_back({{"name", search.name}, {"found", Json::parse(*search.found)}});
}

void readKeptFrontier(Scenario& scenario, JsonObject& object) {
    const auto* kept = object.find("frontier");
    if (!kept)
        return;
    if (!kept->is_object())
        throwInvalid(object.place("frontier"), "is no object", "Take the frontier out of the file");
    scenario.frontier = KeptFrontier{std::make_shared<const std::string>(kept->dump())};
}

void writeKeptFrontier(Json& object, const KeptFrontier& frontier) {
    if (frontier)
        object["frontier"] = Json::parse(*frontier.definition);
}

} // namespace heteroscape::engine
