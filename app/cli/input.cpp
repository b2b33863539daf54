// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/input.h"

#include "engine/base/error.h"
#include "engine/claims/claims.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/scenario_json.h"

#include <cmath>
#include <filesystem>
#include <iostream>

namespace heteroscape::cli {

using namespace heteroscape::engine;

const Catalog& catalog() {
    static const Catalog loaded = loadCatalog(findPresetsFolder());
    return loaded;
}

Scenario scenarioFrom(const std::string& presetOrFile, const std::vector<std::string>& settings) {
    std::error_code ignored;
    const bool isFile = std::filesystem::exists(presetOrFile, ignored) || presetOrFile.ends_with(".hscape");
    auto scenario =
        isFile ? loadScenario(presetOrFile, catalog()) : loadPreset(catalog(), presetOrFile, "design");
    for (const auto& setting : settings) {
        const auto equals = setting.find('=');
        if (equals == std::string::npos || equals == 0)
            throwInvalid("--set " + setting.substr(0, 200), "not a setting",
                         "Write it as path=value, for example workload.batch=4");
        applyEdit(scenario,
                  setEdit(scenario, catalog(), setting.substr(0, equals), setting.substr(equals + 1)));
    }
    return scenario;
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

} // namespace heteroscape::cli
