// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/input.h"
#include "app/documents/catalog_document.h"
#include "app/text_table.h"

#include "engine/base/error.h"
#include "engine/catalog/hugging_face.h"
#include "engine/catalog/named.h"
#include "engine/claims/claims.h"
#include "engine/scenario/parameters.h"
#include "engine/scenario/scenario_json.h"
#include "engine/units/number_text.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

void printParameters(const Scenario& scenario) {
    TextTable table({"path", "value", "unit", "allowed", "source"});
    for (const auto& parameter : listParameters(scenario, catalog())) {
        const auto value = parameterText(scenario, parameter);
        if (parameter.kind == ParameterKind::Number) {
            const auto& spec = parameter.spec;
            const auto& quantity = resolveQuantity(scenario, parameter.path).in(scenario);
            table.add(
                {parameter.path, value.empty() ? "not set" : value, std::string(spec.unit),
                 exactText(spec.minimum) + " to " + exactText(spec.maximum) + (spec.integer ? ", whole" : ""),
                 quantity.isSet() ? sourceText(quantity) : ""});
        } else {
            table.add({parameter.path, value.empty() ? "own" : value, "",
                       parameter.kind == ParameterKind::Boolean ? "true, false" : joined(parameter.choices),
                       ""});
        }
    }
    table.print(std::cout);
}

/// Attention groups, and what a model's figures add up to.
void printModel(const Model& model) {
    if (!model.groups.empty()) {
        std::cout << '\n';
        TextTable groups({"layers", "attention", "figures"});
        for (const auto& group : model.groups)
            groups.add({exactText(group.count), std::string(group.attention->label()),
                        group.attention->words(group.figures)});
        groups.print(std::cout);
    }
    std::cout << '\n';
    TextTable sums({"together", "value", "unit"});
    constexpr double kBillion = 1e9;
    sums.add({"parameters", shortText(model.parameters() / kBillion), "billion"});
    sums.add({"active for a token", shortText(model.activeParameters() / kBillion), "billion"});
    const auto weights = model.weights ? "weights as released, " + std::string(model.weights->label)
                                       : std::string("weights in BF16");
    sums.add({weights, shortText(model.weightBytes(2.0) / kBillion), "GB"});
    const auto kv = model.kvBits.isSet() ? exactText(model.kvBits.value) + " bit" : std::string("BF16");
    const auto cache = cacheOf(model);
    sums.add({"KV cache of one more token at a long context, " + kv, exactText(cache.later), "B"});
    if (cache.first != cache.later)
        sums.add({"KV cache of one more token within every window, " + kv, exactText(cache.first), "B"});
    if (cache.fixed > 0.0)
        sums.add({"state of a request, whatever its context", exactText(cache.fixed), "B"});
    sums.print(std::cout);
}

void printHead(const std::string& name, const std::string& about) {
    std::cout << name << '\n';
    if (!about.empty())
        std::cout << about << '\n';
    std::cout << '\n';
}

void showEntry(const std::string& kind, const std::string& id, bool json) {
    if (json)
        return printJson(entryJson(catalog(), kind, id));
    const auto entry = entryWords(catalog(), kind, id);
    printHead(entry.name, entry.about);
    TextTable table({"figure", "value", "unit", "source"});
    for (const auto& [key, value, unit, source] : entry.figures)
        table.add({key, value.empty() ? "not set" : value, unit, source});
    table.print(std::cout);
    for (const auto& note : entry.notes)
        std::cout << note << '\n';
    if (kind == "model")
        printModel(modelNamed(catalog(), id));
}

void showPreset(const std::string& id, bool json) {
    const auto scenario = scenarioFrom(id, {});
    if (json)
        return printJson({{"id", id},
                          {"scenario", writeScenario(scenario)},
                          {"parameters", parametersJson(scenario, catalog())}});
    printHead(scenario.name, scenario.about);
    printParameters(scenario);
}

} // namespace

void addShow(CLI::App& app) {
    struct Options {
        std::string kind;
        std::string id;
        bool json = false;
    };
    auto options = std::make_shared<Options>();
    auto kinds = entryKinds();
    kinds.emplace_back("preset");
    auto* command =
        app.add_subcommand("show", "Show one entry; for a preset every parameter path with unit and range");
    command->add_option("kind", options->kind, "Kind of entry")->required()->check(CLI::IsMember(kinds));
    command
        ->add_option("id", options->id,
                     "Its id; for a preset also a .hscape file, for a model a config.json or its folder")
        ->required();
    command->add_flag("--json", options->json, "One JSON document");
    command->callback([options] {
        if (options->kind == "preset")
            showPreset(options->id, options->json);
        else
            showEntry(options->kind, options->id, options->json);
    });
}

} // namespace heteroscape::cli
