// SPDX-License-Identifier: GPL-3.0-or-later
// An edit from a path and a text, as --set and axes give them.
#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/catalog/hugging_face.h"
#include "engine/catalog/named.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/layout_choices.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/scenario/scenario_json.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

/// A server comes with the runtime whose kernels it runs where the node's is not timed by kernels.
GraphEdit serverEdit(const Node& node, const std::string& id, const Catalog& catalog,
                     const std::string& path) {
    if (id == kNoServer)
        return SetServer{node.id};
    if (node.server && node.server->id == id)
        return SetServer{node.id, node.server};
    const auto& server = catalog.server(id, path);
    EditList list{{SetServer{node.id, server}}, "Serve as " + server.name + " on " + node.shownName()};
    if (!node.runtime || !timedByKernels(*node.runtime))
        if (auto runtime = servedRuntime(server, node.runtime, node.device, catalog))
            list.edits.push_back(SetDevice{node.id, node.device, std::move(runtime)});
    return list.edits.size() == 1 ? list.edits.front() : GraphEdit(std::move(list));
}

/// A part by its id: of those that the design brings, as they were meant for it, else of the catalogue.
template <class Part, class Find>
Part ownOr(const std::vector<Part>& own, const std::string& id, Find find) {
    const auto found = std::find_if(own.begin(), own.end(), [&](const Part& part) { return part.id == id; });
    return found == own.end() ? find(id) : *found;
}

/// Whether parts of one's own can stand there.
bool takesFile(std::string_view key) {
    return key == "model" || key == "draft_model" || key == "workload" || key == "device" ||
           key == "runtime" || key == "type";
}

/// What a refusal says of files.
std::string_view fileHint(std::string_view key) {
    if (key == "system")
        return "; or a design of your own: FILE.hscape";
    return takesFile(key) ? "; or a file of your own: FILE.json" : "";
}

/// The last step of a path that takes parts.
std::string keyOf(const std::string& path) {
    return path.substr(path.rfind('.') + 1); // all of it where there is no dot
}
std::string idOf(const std::string& path) {
    const auto first = path.find('.');
    return path.substr(first + 1, path.find('.', first + 1) - first - 1);
}

/// What stands in place of an id: one that the design brings.
bool isOwnChoice(const Scenario& scenario, std::string_view key, const std::string& text) {
    const auto has = [&](const auto& parts) {
        return std::any_of(parts.begin(), parts.end(), [&](const auto& part) { return part.id == text; });
    };
    if (key == "model" || key == "draft_model")
        return has(scenario.own.models) || scenario.model.id == text;
    if (key == "workload")
        return has(scenario.own.workloads);
    return key == "device" && (has(scenario.own.devices) ||
                               std::any_of(scenario.nodes.begin(), scenario.nodes.end(),
                                           [&](const Node& node) { return node.device.id == text; }));
}

Model modelOf(const Scenario& scenario, const Catalog& catalog, const std::string& text,
              const std::string& path) {
    return ownOr(scenario.own.models, text, [&](const std::string& id) {
        const auto& all = catalog.models;
        const bool known =
            std::any_of(all.begin(), all.end(), [&](const Model& one) { return one.id == id; });
        return !known && scenario.model.id == id ? Model(scenario.model) : catalog.model(id, path);
    });
}

Device deviceOf(const Scenario& scenario, const Catalog& catalog, const std::string& text,
                const std::string& path) {
    return ownOr(scenario.own.devices, text, [&](const std::string& id) {
        const auto& all = catalog.devices;
        const auto has = [&](const Device& one) { return one.id == id; };
        if (std::none_of(all.begin(), all.end(), has))
            for (const auto& node : scenario.nodes)
                if (node.device.id == id)
                    return Device(node.device);
        return catalog.device(id, path);
    });
}

GraphEdit modelEdit(const std::string& key, Model model) {
    return key == "model" ? GraphEdit(SetModel{std::move(model)}) : SetDraft{std::move(model)};
}

GraphEdit workloadEdit(const Scenario& scenario, Workload workload) {
    if (!workload.batch.isSet())
        workload.batch = scenario.workload.batch;
    return SetWorkload{std::move(workload)};
}

/// A part that its JSON tells, of whatever takes one; `where`: what is named in errors of it.
GraphEdit toldEdit(const Scenario& scenario, const Catalog& catalog, const std::string& path,
                   const Json& part, const std::string& where) {
    const auto key = keyOf(path);
    if (key == "model" || key == "draft_model")
        return modelEdit(key, readModelText(part.dump(), where));
    if (key == "workload")
        return workloadEdit(scenario, readWorkload(part, where));
    if (key == "type")
        return SetLinkType{LinkId{idOf(path)}, readLinkType(part, where)};
    const auto& node = *scenario.findNode(NodeId{idOf(path)});
    if (key == "device")
        return replaceDevice(node, readDevice(part, where), catalog);
    auto runtime = readRuntime(part, where);
    if (!canRun(runtime, node.device))
        throwInvalid(path, runtime.name + " does not run on " + node.device.name,
                     "Use it on devices of its kind");
    return replaceRuntime(node, keepsAsReleased(std::move(runtime), node.device, scenario.model), catalog);
}

} // namespace

GraphEdit setEdit(const Scenario& scenario, const Catalog& catalog, const std::string& told,
                  const std::string& text) {
    const auto path = currentPath(told);
    if (path == "serving.trace") {
        auto serving = scenario.serving;
        serving.setTrace({});
        if (text != "none")
            serving.setTrace({text, std::make_shared<const RequestTrace>(readRequestTrace(text)), {}});
        serving.batching = &batchingUnder(scenario, *serving.arrivals);
        return SetServing{std::move(serving)};
    }
    const auto parameter = findParameter(scenario, catalog, path);
    const auto& spec = parameter.spec;
    if (parameter.kind == ParameterKind::Number) {
        if (text == "none" && !spec.required)
            return SetQuantity{path, {}};
        return SetQuantity{path, {typedValue(spec, text, path) * spec.scale, Provenance::User, {}}};
    }
    const auto first = path.find('.');
    const auto last = path.rfind('.');
    if (parameter.kind == ParameterKind::Boolean) {
        if (text != "true" && text != "false")
            throwInvalid(path, "\"" + text.substr(0, 80) + "\" is not a switch", "Give true or false");
        const auto key = path.substr(last + 1);
        return SetTechnique{path.substr(first + 1, last - first - 1), text == "true",
                            key == "enabled" ? std::string() : key};
    }
    if (isWorkersPath(path))
        return workersEdit(*scenario.findNode(NodeId{path.substr(first + 1, last - first - 1)}), text);
    if (isLayoutPath(path)) { // in any order and spacing
        const auto& node = *scenario.findNode(NodeId{path.substr(first + 1, last - first - 1)});
        const auto layout = parseLayout(text, path);
        try {
            return layoutEdit(node, layout);
        } catch (const Error& error) {
            const auto nearest = nearestLayouts(scenario.model, node, layout);
            throw Error(error.code(), error.where(), error.message(),
                        nearest.empty() ? error.remedy() : "The nearest that do: " + nearest);
        }
    }
    const auto key = keyOf(path);
    if (text.ends_with(".json") && takesFile(key)) // a model's may have another file beside it
        return key.ends_with("model") ? modelEdit(key, loadModelFile(text))
                                      : toldEdit(scenario, catalog, path, readJsonFile(text), text);
    if (std::find(parameter.choices.begin(), parameter.choices.end(), text) == parameter.choices.end() &&
        !isOwnChoice(scenario, key, text) && !(key == "system" && text.ends_with(".hscape")))
        throwInvalid(path, "unknown value \"" + text.substr(0, 80) + "\"",
                     allowedText(parameter.choices, text) + std::string(fileHint(key)));
    if (path == "draft_model" && text == kNoDraft)
        return SetDraft{};
    if (path == "model" || path == "draft_model")
        return modelEdit(path, modelOf(scenario, catalog, text, path));
    if (path == "system") {
        auto design =
            loadScenario(text.ends_with(".hscape") ? text : catalog.designFile(text, path), catalog);
        return SetSystem{design.name, std::move(design.nodes), std::move(design.links), design.techniques};
    }
    if (path == "workload")
        return workloadEdit(scenario, ownOr(scenario.own.workloads, text, [&](const std::string& id) {
                                return catalog.workload(id, path);
                            }));
    const auto id = idOf(path);
    if (path == "serving.arrivals")
        return arrivalsEdit(scenario, arrivalKinds().at(text, path));
    if (path == "serving.batching")
        return SetBatching{&batchingKinds().at(text, path)};
    if (path.starts_with("links."))
        return SetLinkType{LinkId{id}, catalog.linkType(text, path)};
    const auto& node = *scenario.findNode(NodeId{id});
    if (key == "allreduce") {
        auto runtime = node.runtime;
        runtime->allReduce =
            static_cast<AllReduceConvention>(indexOfName(text, allReduceConventionNames(), path));
        return SetDevice{node.id, node.device, std::move(runtime)};
    }
    if (key == "role")
        return SetRole{node.id, static_cast<Role>(indexOfName(text, roleNames(), path))};
    if (key == "server")
        return serverEdit(node, text, catalog, path);
    if (key == "runtime")
        return replaceRuntime(
            node, keepsAsReleased(catalog.runtime(text, path).on(node.device), node.device, scenario.model),
            catalog);
    return replaceDevice(node, deviceOf(scenario, catalog, text, path), catalog);
}

GraphEdit partEdit(const Scenario& scenario, const Catalog& catalog, const std::string& told,
                   const Json& part) {
    const auto path = currentPath(told);
    const auto parameter = findParameter(scenario, catalog, path);
    if (parameter.kind != ParameterKind::Choice || !takesFile(keyOf(path)))
        throwInvalid(path, "takes no part of one's own", "Give it a value");
    return toldEdit(scenario, catalog, path, part, path);
}

} // namespace heteroscape::engine
