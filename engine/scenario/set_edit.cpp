// SPDX-License-Identifier: GPL-3.0-or-later
// An edit from a path and a text, as --set and axes give them.
#include "engine/base/error.h"
#include "engine/catalog/named.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/layout_choices.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/scenario/scenario_json.h"
#include "engine/units/number_text.h"

#include <algorithm>

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

} // namespace

GraphEdit setEdit(const Scenario& scenario, const Catalog& catalog, const std::string& path,
                  const std::string& text) {
    if (path == "serving.trace") {
        auto serving = scenario.serving;
        serving.setTrace({});
        if (text != "none")
            serving.setTrace({text, std::make_shared<const RequestTrace>(readRequestTrace(text)), {}});
        return SetServing{std::move(serving)};
    }
    const auto parameter = findParameter(scenario, catalog, path);
    const auto& spec = parameter.spec;
    if (parameter.kind == ParameterKind::Number) {
        if (text == "none" && !spec.required)
            return SetQuantity{path, {}};
        const auto number = parseNumber(text);
        if (!number)
            throwInvalid(path, "\"" + text.substr(0, 80) + "\" is not a number", "Give " + rangeText(spec));
        checkRange(spec, *number, path);
        return SetQuantity{path, {*number * spec.scale, Provenance::User, {}}};
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
    if (std::find(parameter.choices.begin(), parameter.choices.end(), text) == parameter.choices.end())
        throwInvalid(path, "unknown value \"" + text.substr(0, 80) + "\"",
                     "Allowed: " + joined(parameter.choices));
    if (path == "model")
        return SetModel{catalog.model(text, path)};
    if (path == "draft_model")
        return text == kNoDraft ? SetDraft{} : SetDraft{catalog.model(text, path)};
    if (path == "system") {
        auto design = loadScenario(catalog.folder + "/papers/" + text + ".json", catalog);
        return SetSystem{design.name, std::move(design.nodes), std::move(design.links), design.techniques};
    }
    if (path == "workload") {
        auto workload = catalog.workload(text, path);
        if (!workload.batch.isSet())
            workload.batch = scenario.workload.batch;
        return SetWorkload{std::move(workload)};
    }
    const auto id = path.substr(first + 1, path.find('.', first + 1) - first - 1);
    const auto key = path.substr(last + 1);
    if (path == "serving.arrivals")
        return SetArrivals{&arrivalKinds().at(text, path)};
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
        return replaceRuntime(node, catalog.runtime(text, path).on(node.device), catalog);
    return replaceDevice(node, catalog.device(text, path), catalog);
}

} // namespace heteroscape::engine
