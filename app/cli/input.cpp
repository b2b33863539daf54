// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/input.h"

#include "engine/base/error.h"
#include "engine/catalog/hugging_face.h"
#include "engine/catalog/library.h"
#include "engine/claims/claims.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/scenario/scenario_json.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

/// As the window has it: the user's own parts stand with those that are shipped, or in their place.
Catalog catalogOfUser() {
    auto shipped = loadCatalog(findPresetsFolder());
    const auto folder = userFolder();
    if (folder.empty())
        return shipped;
    const auto library = loadLibrary(folder + "/library");
    for (const auto& problem : library.problems)
        std::cerr << "heteroscape-cli: left aside: " << problem << '\n';
    return withParts(std::move(shipped), library.devices, library.models, library.workloads);
}

} // namespace

const Catalog& catalog() {
    static const Catalog loaded = catalogOfUser();
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
    const auto& models = catalog().models;
    const auto named = [&](const Model& model) { return model.id == presetOrFile; };
    if (!isFile && std::any_of(models.begin(), models.end(), named))
        throw Error(ErrorCode::NotFound, presetOrFile, "is a model, not a design",
                    "Name a design that serves it: served/gpt-oss-120b-h100 --set model=" + presetOrFile +
                        " (list presets)");
    auto scenario =
        isFile ? loadScenario(presetOrFile, catalog()) : loadPreset(catalog(), presetOrFile, "design");
    applySettings(scenario, settings, modelFile);
    return scenario;
}

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
        const auto edit = setEdit(scenario, catalog(), path, value);
        if (const auto* device = edit.as<SetDevice>())
            if (const auto change = softwareChange(*scenario.findNode(device->id), *device);
                !change.empty() && !path.ends_with(".runtime"))
                std::cerr << "note: " << path << ": " << change << ".\n";
        applyEdit(scenario, edit);
    }
    for (const auto& setting : settings)
        for (const auto& node : scenario.nodes)
            if (const auto prefix = "nodes." + node.id.value + ".runtime.";
                setting.starts_with(prefix + "weight_bits=") && node.runtime &&
                timedByKernels(*node.runtime) && node.runtime->weightBits.value == 8.0 &&
                node.runtime->activationBits.value == 16.0)
                std::cerr << "note: " << prefix
                          << "weight_bits: activations stay at 16 bits, so that kernels "
                          << "unpack the weights. For FP8 (INT8 on Ampere) set " << prefix
                          << "activation_bits=8 too.\n";
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
