// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/ready_group.h"

#include "engine/base/error.h"
#include "engine/catalog/named.h"
#include "engine/scenario/scenario_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

ReadyGroup loadGroup(const Catalog& catalog, const std::string& id) {
    if (std::find(catalog.groups.begin(), catalog.groups.end(), id) == catalog.groups.end())
        throw Error(ErrorCode::NotFound, "group", "unknown group \"" + id.substr(0, 80) + "\"",
                    "Allowed: " + joined(catalog.groups));
    const auto path = catalog.folder + "/groups/" + id + ".json";
    const auto json = readJsonFile(path);
    JsonObject object(json, path);
    ReadyGroup group;
    group.id = readId(object, "id");
    if (group.id != id)
        throwInvalid(object.place("id"), "\"" + group.id + "\" is not the file's name",
                     "Name the file after the group");
    group.name = object.text("name");
    group.about = object.text("about");
    Scenario scenario;
    readSystem(scenario, object, catalog);
    object.finish();
    if (scenario.nodes.empty())
        throwInvalid(object.place("nodes"), "holds no node", "A group has at least one");
    group.clip = {std::move(scenario.nodes), std::move(scenario.links), {}};
    for (auto& node : group.clip.nodes)
        if (isAccelerator(node.device.kind) && !node.runtime)
            if (const auto* runtime = catalog.defaultRuntime(node.device))
                node.runtime = runtime->on(node.device);
    return group;
}

std::vector<ReadyGroup> loadGroups(const Catalog& catalog) {
    std::vector<ReadyGroup> groups;
    for (const auto& id : catalog.groups)
        groups.push_back(loadGroup(catalog, id));
    return groups;
}

} // namespace heteroscape::engine
