// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/input.h"

#include "engine/base/error.h"
#include "engine/evaluation/decisive.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/parameters.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <iostream>
#include <tuple>

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

namespace {

/// The designs at the ends of all axes.
std::vector<Scenario> endsOf(const Study& study) {
    if (study.axes.empty())
        return {*study.base};
    PointSetter setter(study);
    std::vector<Scenario> ends{setter.at(0)};
    ends.push_back(setter.at(study.pointCount() - 1));
    return ends;
}

/// As the engine's, where it says so at each end.
std::string whyIdle(const Study& without, const Study& with, const std::string& path) {
    std::string why;
    const auto before = endsOf(without);
    const auto after = endsOf(with);
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (hasErrors(validate(before[i])) || hasErrors(validate(after[i])))
            return {};
        why = engine::whyIdle(before[i], after[i], catalog(), path);
        if (why.empty())
            return {};
    }
    return why;
}

} // namespace

void sayIdle(const Study& study, const std::string& design, const std::vector<std::string>& settings,
             const std::string& modelFile) {
    const bool simulated = study.base->serving.isSimulated();
    if (study.isList || sweepsSystems(study.axes) || (simulated && !study.axes.empty()))
        return;
    const auto say = [&](const std::string& path, const std::string& why) {
        if (!why.empty())
            std::cerr << "note: " << path << " changes no figure of "
                      << (study.axes.empty() ? "this design: " : "these designs: ") << why << '\n';
    };
    const auto pathOf = [](const std::string& setting) { return setting.substr(0, setting.find('=')); };
    const auto base = settings.empty() ? Scenario() : scenarioFrom(design, {}, modelFile);
    for (std::size_t i = 0; i < settings.size(); ++i) {
        const auto path = pathOf(settings[i]);
        try {
            auto without = base;
            for (std::size_t j = 0; j < settings.size(); ++j)
                if (const auto& other = settings[j]; j != i)
                    applyEdit(without, setEdit(without, catalog(), pathOf(other),
                                               other.substr(pathOf(other).size() + 1)));
            if (simulated && !without.serving.isSimulated() && path != "serving.arrivals") {
                without.serving.arrivals = study.base->serving.arrivals; // as the command asks for
                without.serving.batching = study.base->serving.batching;
            }
            if (textAt(without, catalog(), path) == textAt(*study.base, catalog(), path))
                continue;
            auto other = study;
            other.base = std::move(without);
            say(path, whyIdle(other, study, path));
        } catch (const Error&) { // another setting, or an axis, needs this one
        }
    }
    constexpr std::size_t kMost = 100; // values that are tried
    for (std::size_t i = 0; i < study.axes.size(); ++i) {
        const auto& [path, values] = std::tie(study.axes[i].path, study.axes[i].values);
        if (values.size() > kMost)
            continue;
        auto first = study;
        auto other = study;
        first.axes[i].values = {values.front()};
        std::string why;
        for (std::size_t at = 1; at < values.size() && (at == 1 || !why.empty()); ++at) {
            other.axes[i].values = {values[at]};
            why = whyIdle(first, other, path);
        }
        say(path, why);
    }
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
