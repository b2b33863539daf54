// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/input.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <iostream>

namespace heteroscape::cli {

using namespace heteroscape::engine;

const Catalog& catalog() {
    return userCatalog([](const std::string& line) { tell("heteroscape-cli: " + line); });
}

void tell(const std::string& line) {
    std::cerr << line << '\n';
}

void addModelOption(CLI::App& command, std::string& file) {
    command.add_option("--model", file, "Serve this model: a Hugging Face config.json, or a model entry")
        ->type_name("FILE");
}

Scenario scenarioFrom(const std::string& presetOrFile, const std::vector<std::string>& settings,
                      const std::string& modelFile) {
    auto scenario = openDesign(catalog(), presetOrFile);
    putSettings(scenario, catalog(), settings, modelFile, tell);
    return scenario;
}

void applySettings(Scenario& scenario, const std::vector<std::string>& settings,
                   const std::string& modelFile) {
    putSettings(scenario, catalog(), settings, modelFile, tell);
}

void requireValid(const Scenario& scenario) {
    requireValid(scenario, tell);
}

void printJson(const Json& json) {
    std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

std::string percentText(double percent) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.1f", percent);
    return buffer;
}

} // namespace heteroscape::cli
