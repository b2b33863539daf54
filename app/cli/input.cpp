// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/input.h"

#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/catalog/hugging_face.h"
#include "engine/claims/claims.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/scenario/scenario_json.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <optional>

namespace heteroscape::cli {

using namespace heteroscape::engine;

const Catalog& catalog() {
    static const Catalog loaded = loadCatalog(findPresetsFolder());
    return loaded;
}

void addModelOption(CLI::App& command, std::string& file) {
    command.add_option("--model", file, "Serve this model: a Hugging Face config.json, or a model entry")
        ->type_name("FILE");
}

Scenario scenarioFrom(const std::string& presetOrFile, const std::vector<std::string>& settings,
                      const std::string& modelFile) {
    std::error_code ignored;
    const bool isFile = std::filesystem::exists(presetOrFile, ignored) || presetOrFile.ends_with(".hscape");
    auto scenario =
        isFile ? loadScenario(presetOrFile, catalog()) : loadPreset(catalog(), presetOrFile, "design");
    applySettings(scenario, settings, modelFile);
    return scenario;
}

namespace {

/// "nodes.gpu.runtime=mine.json": a runtime as calibrate writes it. Nothing for other settings.
std::optional<GraphEdit> runtimeFromFile(const Scenario& scenario, const std::string& path,
                                         const std::string& value) {
    constexpr std::string_view before = "nodes.", after = ".runtime";
    if (!path.starts_with(before) || !path.ends_with(after) || !value.ends_with(".json"))
        return std::nullopt;
    const auto id = path.substr(before.size(), path.size() - before.size() - after.size());
    for (const auto& node : scenario.nodes) {
        if (node.id.value != id)
            continue;
        auto runtime = readRuntime(readJsonFile(value), value);
        if (!canRun(runtime, node.device))
            throwInvalid(path, runtime.name + " does not run on " + node.device.name,
                         "Use it on devices of its kind");
        return SetDevice{node.id, node.device, std::move(runtime)};
    }
    return std::nullopt; // setEdit() says which nodes there are
}

} // namespace

void applySettings(Scenario& scenario, const std::vector<std::string>& settings,
                   const std::string& modelFile) {
    if (!modelFile.empty())
        applyEdit(scenario, takeModel(scenario, loadModelFile(modelFile)));
    for (const auto& setting : settings) {
        const auto equals = setting.find('=');
        if (equals == std::string::npos || equals == 0)
            throwInvalid("--set " + setting.substr(0, 200), "not a setting",
                         "Write it as path=value, for example workload.batch=4");
        const auto path = setting.substr(0, equals);
        const auto value = setting.substr(equals + 1);
        auto fromFile = runtimeFromFile(scenario, path, value);
        const auto edit = fromFile ? std::move(*fromFile) : setEdit(scenario, catalog(), path, value);
        if (const auto* device = edit.as<SetDevice>())
            if (const auto change = softwareChange(*scenario.findNode(device->id), *device);
                !change.empty() && !path.ends_with(".runtime"))
                std::cerr << "note: " << path << ": " << change << ".\n";
        applyEdit(scenario, edit);
    }
}

void requireValid(const Scenario& scenario) {
    for (const auto& diagnostic : validate(scenario)) {
        if (diagnostic.severity == Severity::Error)
            throwInvalid(diagnostic.subject.empty() ? "design" : diagnostic.subject, diagnostic.message,
                         diagnostic.remedy);
        std::cerr << (diagnostic.severity == Severity::Warning ? "warning: " : "note: ") << diagnostic.message
                  << ". " << diagnostic.remedy << ".\n";
    }
}

void printJson(const Json& json) {
    std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

std::string percentText(double percent) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.1f", percent);
    return buffer;
}

} // namespace heteroscape::cli
