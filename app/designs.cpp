// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designs.h"

#include "engine/base/error.h"
#include "engine/catalog/hugging_face.h"
#include "engine/catalog/library.h"
#include "engine/claims/claims.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/parameters.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/scenario/scenario_json.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

/// As the window has it: the user's own parts stand with those that are shipped, or in their place.
Catalog catalogOfUser(const Tell& tell) {
    auto shipped = loadCatalog(findPresetsFolder());
    const auto folder = userFolder();
    if (folder.empty())
        return shipped;
    const auto library = loadLibrary(folder + "/library");
    for (const auto& problem : library.problems)
        tell("left aside: " + problem);
    return withParts(std::move(shipped), library.devices, library.models, library.workloads);
}

} // namespace

const Catalog& userCatalog(const Tell& tell) {
    static const Catalog loaded = catalogOfUser(tell);
    return loaded;
}

Scenario openDesign(const Catalog& catalog, const std::string& presetOrFile) {
    std::error_code ignored;
    const bool isFile = std::filesystem::exists(presetOrFile, ignored) || presetOrFile.ends_with(".hscape");
    const auto& models = catalog.models;
    const auto named = [&](const Model& model) { return model.id == presetOrFile; };
    if (!isFile && std::any_of(models.begin(), models.end(), named))
        throw Error(ErrorCode::NotFound, presetOrFile, "is a model, not a design",
                    "Name a design that serves it: served/gpt-oss-120b-h100 --set model=" + presetOrFile +
                        " (list presets)");
    return isFile ? loadScenario(presetOrFile, catalog) : loadPreset(catalog, presetOrFile, "design");
}

void putSetting(Scenario& scenario, const Catalog& catalog, const std::string& path, const std::string& value,
                const Tell& tell) {
    const auto edit = setEdit(scenario, catalog, path, value);
    if (const auto* device = edit.as<SetDevice>())
        if (const auto change = softwareChange(*scenario.findNode(device->id), *device);
            !change.empty() && !path.ends_with(".runtime"))
            tell("note: " + path + ": " + change + ".");
    applyEdit(scenario, edit);
}

void putSettings(Scenario& scenario, const Catalog& catalog, const std::vector<std::string>& settings,
                 const std::string& modelFile, const Tell& tell) {
    if (!modelFile.empty())
        applyEdit(scenario, takeModel(scenario, loadModelFile(modelFile)));
    std::vector<std::optional<std::string>> stood; // as each was just after it was set
    for (const auto& setting : settings) {
        const auto equals = setting.find('=');
        if (equals == std::string::npos || equals == 0)
            throwInvalid("--set " + setting.substr(0, 200), "not a setting",
                         "Write it as path=value, for example workload.batch=4");
        const auto path = setting.substr(0, equals);
        putSetting(scenario, catalog, path, setting.substr(equals + 1), tell);
        stood.push_back(textAt(scenario, catalog, path));
    }
    for (std::size_t i = 0; i < settings.size(); ++i) {
        const auto path = settings[i].substr(0, settings[i].find('='));
        const auto again = [&](const std::string& later) { return later.starts_with(path + "="); };
        if (std::any_of(settings.begin() + static_cast<std::ptrdiff_t>(i) + 1, settings.end(), again))
            continue;
        if (const auto now = textAt(scenario, catalog, path); now != stood[i])
            tell("note: " + settings[i] + " does not stand: a later setting " +
                 (now && !now->empty() ? "makes it " + *now : "takes it away") + ". Give it after that one.");
    }
    for (const auto& setting : settings)
        for (const auto& node : scenario.nodes)
            if (const auto prefix = "nodes." + node.id.value + ".runtime.";
                setting.starts_with(prefix + "weight_bits=") && node.runtime &&
                timedByKernels(*node.runtime) && node.runtime->weightBits.value == 8.0 &&
                node.runtime->activationBits.value == 16.0)
                tell("note: " + prefix + "weight_bits: activations stay at 16 bits, so that kernels " +
                     "unpack the weights. For FP8 (INT8 on Ampere) set " + prefix + "activation_bits=8 too.");
}

void requireValid(const Scenario& scenario, const Tell& tell) {
    for (const auto& diagnostic : validate(scenario)) {
        if (diagnostic.severity == Severity::Error)
            throwInvalid(diagnostic.subject.empty() ? "design" : diagnostic.subject, diagnostic.message,
                         diagnostic.remedy);
        tell((diagnostic.severity == Severity::Warning ? "warning: " : "note: ") + diagnostic.message + ". " +
             diagnostic.remedy + ".");
    }
}

} // namespace heteroscape::cli
