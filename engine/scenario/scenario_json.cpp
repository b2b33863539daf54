// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/scenario_json.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/json.h"
#include "engine/catalog/named.h"
#include "engine/scenario/node_fields.h"
#include "engine/scenario/notes.h"
#include "engine/scenario/scenario.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <unordered_set>

namespace heteroscape::engine {

/// The member "searches" of a design: {"name", "found"} each, and none where there are none. What was found
/// is read by engine/search when somebody looks at it, so that a design opens whatever is wrong there. Throws
/// Error naming the key.
void readSearches(Scenario& scenario, JsonObject& object);
void writeSearches(Json& object, const std::vector<KeptSearch>& searches);

/// The member "frontier", likewise an object that engine/frontier reads; none where none is kept.
void readKeptFrontier(Scenario& scenario, JsonObject& object);
void writeKeptFrontier(Json& object, const KeptFrontier& frontier);

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

namespace {

constexpr std::string_view kFormat = "heteroscape-scenario";

std::string indexed(const std::string& where, std::string_view list, std::size_t index) {
    return where + "." + std::string(list) + "[" + std::to_string(index) + "]";
}

double readCoordinate(JsonObject& object, std::string_view key) {
    const auto* json = object.find(key);
    if (!json)
        return 0.0;
    const double value = json->is_number() ? json->get<double>() : NAN;
    checkCoordinate(value, object.place(key));
    return value;
}

/// A copy of a shipped device that says nothing of measurements has those of the shipped one.
Device withMeasurements(Device device, const Catalog& catalog) {
    const auto shipped =
        std::find_if(catalog.devices.begin(), catalog.devices.end(), [&](const Device& other) {
            return other.id == device.id && other.name == device.name && other.kind == device.kind;
        });
    if (shipped == catalog.devices.end() || !device.kernels.empty())
        return device;
    device.kernels = shipped->kernels;
    if (!device.memoryReported.isSet())
        device.memoryReported = shipped->memoryReported;
    return device;
}

Node readNode(const Json& json, const Catalog& catalog, const std::string& where) {
    JsonObject object(json, where);
    Node node;
    node.id.value = readId(object, "id");
    node.name = object.text("name", "");
    const auto& device = object.require("device");
    node.device = device.is_string() ? catalog.device(device.get<std::string>(), object.place("device"))
                                     : withMeasurements(readDevice(device, object.place("device")), catalog);
    readFields<Node>(node, nodeFields(), object, {});
    node.role = static_cast<Role>(readName(object, "role", roleNames()));
    if (!canHaveRole(node.device.kind, node.role))
        throwInvalid(object.place("role"),
                     "a " + std::string(deviceKindLabel(node.device.kind)) + " cannot have the role " +
                         std::string(roleName(node.role)),
                     "The role of what only carries or keeps data is fabric");
    if (const auto* runtime = object.find("runtime"))
        node.runtime =
            runtime->is_string()
                ? catalog.runtime(runtime->get<std::string>(), object.place("runtime")).on(node.device)
                : readRuntime(*runtime, object.place("runtime"));
    if (const auto* server = object.find("server"))
        node.server = server->is_string() ? catalog.server(server->get<std::string>(), object.place("server"))
                                          : readServer(*server, object.place("server"));
    node.position = {readCoordinate(object, "x"), readCoordinate(object, "y")};
    object.finish();
    return node;
}

Link readLink(const Json& json, const Catalog& catalog, const std::string& where) {
    JsonObject object(json, where);
    Link link;
    link.id.value = readId(object, "id");
    link.from.value = readId(object, "from");
    link.to.value = readId(object, "to");
    const auto& type = object.require("type");
    link.type = type.is_string() ? catalog.linkType(type.get<std::string>(), object.place("type"))
                                 : readLinkType(type, object.place("type"));
    object.finish();
    return link;
}

void readTechniques(Techniques& techniques, JsonObject object) {
    for (const auto* kind : techniqueKinds().all()) {
        const auto* json = object.find(kind->id());
        if (const auto former = formerName(kind->id()); !json && !former.empty())
            json = object.find(former);
        if (!json)
            continue;
        JsonObject one(*json, object.place(kind->id()));
        techniques[*kind].enabled = one.boolean("enabled", false);
        readSettings(*kind, techniques[*kind], one, {});
        one.finish();
    }
    object.finish();
}

void readCost(Economics& cost, JsonObject& object) {
    for (const auto& field : economicsFields())
        if (const auto* json = object.find(field.spec.key))
            cost.*field.member = readQuantity(field.spec, *json, object.place(field.spec.key), {});
    object.finish();
}

template <class Part, class Read>
std::vector<Part> readParts(JsonObject& object, std::string_view key, Read read) {
    std::vector<Part> parts;
    if (!object.has(key))
        return parts;
    const auto& list = object.array(key);
    checkSize(list.size(), kMaxOwnParts, object.place(key));
    for (std::size_t i = 0; i < list.size(); ++i) {
        const auto place = object.place(key) + "[" + std::to_string(i) + "]";
        parts.push_back(read(list[i], place));
        const auto same = [&](const Part& part) { return part.id == parts.back().id; };
        if (std::find_if(parts.begin(), parts.end() - 1, same) != parts.end() - 1)
            throwInvalid(place + ".id", "\"" + parts.back().id + "\" is used twice",
                         "Give every part its own id");
    }
    return parts;
}

OwnParts readOwnParts(JsonObject object) {
    OwnParts own;
    own.devices = readParts<Device>(object, "devices", readDevice);
    own.models = readParts<Model>(object, "models", readServedModel);
    own.workloads = readParts<Workload>(object, "workloads", readWorkload);
    object.allow({"devices", "models", "workloads"});
    object.finish();
    return own;
}

Json writeOwnParts(const OwnParts& own) {
    Json json = Json::object();
    for (const auto& device : own.devices)
        json["devices"].push_back(writeDevice(device));
    for (const auto& model : own.models)
        json["models"].push_back(writeModel(model));
    for (const auto& workload : own.workloads)
        json["workloads"].push_back(writeWorkload(workload));
    return json;
}

constexpr int kFormatOneBefore = 7; ///< what format 1 was called until its numbers began anew

void readHeader(JsonObject& object) {
    const auto format = object.text("format");
    if (format != kFormat)
        throwInvalid(object.place("format"), "found \"" + format.substr(0, 80) + "\"",
                     "A design says \"" + std::string(kFormat) + "\" here");
    const auto version = object.integer("formatVersion", 1, 1 << 30);
    if (version > kScenarioFormatVersion && version != kFormatOneBefore)
        throwInvalid(object.place("formatVersion"),
                     "version " + std::to_string(version) + " is newer than this program knows (" +
                         std::to_string(kScenarioFormatVersion) + ")",
                     "Open it with a newer Heteroscape");
}

} // namespace

void readSystem(Scenario& scenario, JsonObject& object, const Catalog& catalog) {
    const auto& nodes = object.array("nodes");
    checkSize(nodes.size(), kMaxNodes, object.place("nodes"));
    std::unordered_set<std::string> nodeIds, linkIds; // a search for each would take quadratic time
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        auto node = readNode(nodes[i], catalog, indexed(object.where(), "nodes", i));
        if (!nodeIds.insert(node.id.value).second)
            throwInvalid(indexed(object.where(), "nodes", i) + ".id",
                         "\"" + node.id.value + "\" is used twice", "Give every node its own id");
        scenario.nodes.push_back(std::move(node));
    }
    if (object.has("links")) {
        const auto& links = object.array("links");
        checkSize(links.size(), kMaxLinks, object.place("links"));
        for (std::size_t i = 0; i < links.size(); ++i) {
            auto link = readLink(links[i], catalog, indexed(object.where(), "links", i));
            if (!linkIds.insert(link.id.value).second)
                throwInvalid(indexed(object.where(), "links", i) + ".id",
                             "\"" + link.id.value + "\" is used twice", "Give every link its own id");
            for (const auto* end : {&link.from, &link.to})
                if (!nodeIds.contains(end->value))
                    throwInvalid(indexed(object.where(), "links", i), "no node \"" + end->value + "\"",
                                 "Link two nodes of this file");
            if (link.from == link.to)
                throwInvalid(indexed(object.where(), "links", i),
                             "links \"" + link.from.value + "\" to itself", "Link two different nodes");
            scenario.links.push_back(std::move(link));
        }
    }
}

Scenario readScenario(const Json& json, const Catalog& catalog, const std::string& where) {
    JsonObject object(json, where);
    readHeader(object);
    Scenario scenario;
    scenario.name = object.text("name", "");
    scenario.about = object.text("about", "");
    const auto& model = object.require("model");
    scenario.model = model.is_string() ? catalog.model(model.get<std::string>(), object.place("model"))
                                       : readServedModel(model, object.place("model"));
    if (const auto* draft = object.find("draft_model"))
        scenario.draft = draft->is_string()
                             ? catalog.model(draft->get<std::string>(), object.place("draft_model"))
                             : readServedModel(*draft, object.place("draft_model"));
    const auto& workload = object.require("workload");
    scenario.workload = workload.is_string()
                            ? catalog.workload(workload.get<std::string>(), object.place("workload"))
                            : readWorkload(workload, object.place("workload"));
    if (!scenario.workload.batch.isSet())
        scenario.workload.batch = {1.0, Provenance::User, {}};
    readSystem(scenario, object, catalog);
    if (object.has("techniques"))
        readTechniques(scenario.techniques, object.object("techniques"));
    if (object.has("serving"))
        scenario.serving = readServing(object.object("serving"));
    if (object.has("cost")) {
        auto cost = object.object("cost");
        readCost(scenario.cost, cost);
    }
    if (object.has("own"))
        scenario.own = readOwnParts(object.object("own"));
    readNotes(scenario, object);
    readSearches(scenario, object);
    readKeptFrontier(scenario, object);
    object.allow({"draft_model", "nodes", "links", "techniques", "serving", "cost", "own", "notes",
                  "searches", "frontier"});
    object.finish();
    return scenario;
}

void writeSystem(Json& object, const std::vector<Node>& nodes, const std::vector<Link>& links) {
    Json listed = Json::array();
    for (const auto& node : nodes) {
        Json json = {{"id", node.id.value},
                     {"device", writeDevice(node.device)},
                     {"role", roleName(node.role)},
                     {"x", node.position.x},
                     {"y", node.position.y}};
        writeText(json, "name", node.name);
        writeFields<Node>(node, nodeFields(), json);
        if (node.runtime)
            json["runtime"] = writeRuntime(*node.runtime);
        if (node.server)
            json["server"] = writeServer(*node.server);
        listed.push_back(std::move(json));
    }
    Json wires = Json::array();
    for (const auto& link : links)
        wires.push_back({{"id", link.id.value},
                         {"from", link.from.value},
                         {"to", link.to.value},
                         {"type", writeLinkType(link.type)}});
    object["nodes"] = std::move(listed);
    object["links"] = std::move(wires);
}

Json writeScenario(const Scenario& scenario) {
    Json techniques = Json::object();
    for (const auto* kind : techniqueKinds().all()) {
        const auto& settings = scenario.techniques[*kind];
        Json one = {{"enabled", settings.enabled}};
        writeSettings(*kind, settings, one);
        techniques[std::string(kind->id())] = std::move(one);
    }
    Json cost = Json::object();
    writeFields(scenario.cost, economicsFields(), cost);
    Json json = {{"format", kFormat},
                 {"formatVersion", kScenarioFormatVersion},
                 {"model", writeModel(scenario.model)},
                 {"workload", writeWorkload(scenario.workload)},
                 {"techniques", std::move(techniques)},
                 {"serving", writeServing(scenario.serving)},
                 {"cost", std::move(cost)}};
    if (scenario.draft)
        json["draft_model"] = writeModel(*scenario.draft);
    if (!scenario.own.empty())
        json["own"] = writeOwnParts(scenario.own);
    writeSystem(json, scenario.nodes, scenario.links);
    writeNotes(json, scenario.notes);
    writeSearches(json, scenario.searches);
    writeKeptFrontier(json, scenario.frontier);
    writeText(json, "name", scenario.name);
    writeText(json, "about", scenario.about);
    return json;
}

Scenario loadScenario(const std::string& path, const Catalog& catalog) {
    auto scenario = readScenario(readJsonFile(path), catalog, path);
    loadTrace(scenario.serving, designFolder(path));
    return scenario;
}

std::string designFolder(const std::string& path) {
    const auto folder = std::filesystem::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
}

std::string scenarioText(const Scenario& scenario) {
    return writeScenario(scenario).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void saveScenario(const Scenario& scenario, const std::string& path) {
    const auto text = scenarioText(scenario);
    readScenario(parseJson(text, path), Catalog{},
                 path); // what cannot be opened again does not replace a file
    writeFileAtomically(path, text);
}

} // namespace heteroscape::engine
