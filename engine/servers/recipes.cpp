// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/servers/recipes.h"

#include "engine/base/error.h"
#include "engine/catalog/named.h"
#include "engine/timing/kernels/constants_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

struct LabelText {
    std::string_view key;
    std::string RecipeLabels::*member;
};
constexpr std::array<LabelText, 10> kLabelTexts{{{"model", &RecipeLabels::model},
                                                 {"system", &RecipeLabels::system},
                                                 {"arch", &RecipeLabels::arch},
                                                 {"backend", &RecipeLabels::backend},
                                                 {"precision", &RecipeLabels::precision},
                                                 {"dense_format", &RecipeLabels::denseFormat},
                                                 {"expert_format", &RecipeLabels::expertFormat},
                                                 {"mode", &RecipeLabels::mode},
                                                 {"lengths", &RecipeLabels::lengths},
                                                 {"script", &RecipeLabels::script}}};

struct RecipeNumber {
    std::string_view key;
    double Recipe::*member;
    double most;
};
constexpr std::array<RecipeNumber, 6> kRecipeNumbers{{{"budget", &Recipe::budget, 1e7},
                                                      {"reserve", &Recipe::reserve, 1},
                                                      {"look", &Recipe::look, 1e4},
                                                      {"wait_share", &Recipe::waitShare, 1},
                                                      {"wait_steps", &Recipe::waitSteps, 1e6},
                                                      {"balance", &Recipe::balance, 1e6}}};
constexpr std::array<std::string_view, 2> kCacheFormats{"bf16", "fp8"};
constexpr std::array<std::string_view, 7> kLinearFormats{"row",   "bfloat16",  "fp8", "fp8_block",
                                                         "nvfp4", "int4_g128", "int8"};
constexpr std::array<std::string_view, 10> kExpertFormats{
    "row", "bf16", "fp8", "fp8_block", "mxfp4", "mxfp4a8", "int4_g128", "nvfp4", "int4_g32", "int8"};

/// A format as rows label it, as linears and as experts name it.
std::string linearFormat(const std::string& label) {
    return label == "bf16" ? "bfloat16" : label == "fp4" ? "nvfp4" : label;
}
std::string expertsFormat(const std::string& label) {
    return label == "bfloat16" ? "bf16" : label == "fp4" ? "nvfp4" : label;
}

} // namespace

Recipes::Recipes(const std::string& presetsFolder) : m_where(presetsFolder + "/measured/recipes.json") {
    const auto json = readJsonFile(m_where);
    JsonObject object(json, m_where);
    for (const auto* key : {"id", "name", "about", "kind", "source"})
        object.text(key);
    for (const auto& entry : object.array("devices")) {
        JsonObject device(entry, object.place("devices"));
        m_devices.push_back({readRowName(device, "system"),
                             device.has("device") ? readRowName(device, "device") : std::string(),
                             device.boolean("big_domain", false)});
        device.finish();
    }
    for (const auto& entry : object.array("models")) {
        JsonObject model(entry, object.place("models"));
        m_models.push_back({lowered(readRowName(model, "match")), readRowName(model, "model")});
        model.finish();
    }
    std::size_t ordinal = 0;
    for (const auto& entry : object.array("rules")) {
        JsonObject json_rule(entry, object.place("rules") + "[" + std::to_string(ordinal++) + "]");
        Rule rule;
        if (json_rule.has("when")) {
            auto when = json_rule.object("when");
            for (const auto& label : kLabelTexts)
                if (when.has(label.key))
                    rule.texts[std::string(label.key)] = readTexts(when, label.key);
            for (const auto* key : {"isl", "osl"})
                if (when.has(key))
                    for (const auto& number : when.array(key))
                        rule.numbers[key].push_back(number.is_number() ? number.get<double>() : -1.0);
            for (const auto* key : {"gpus_below", "users_from"})
                if (when.has(key))
                    rule.numbers[key] = {readConstant(when, key, 0, 1e9)};
            if (when.has("date_to"))
                rule.texts["date_to"] = {when.text("date_to")};
            when.finish();
        }
        auto set = json_rule.object("set");
        for (const auto& number : kRecipeNumbers)
            if (set.has(number.key))
                rule.values[std::string(number.key)] = readConstant(set, number.key, 0, number.most);
        for (const auto* key : {"budget_prompts", "budget_filled_from"})
            if (set.has(key))
                rule.values[key] = readConstant(set, key, 0, 1e7);
        if (set.has("memory_share"))
            rule.values["memory_share"] = readConstant(set, "memory_share", 0.01, 1);
        if (set.has("rest_gb"))
            rule.values["rest_gb"] = readConstant(set, "rest_gb", 0, 1e4);
        for (const auto* key : {"memory_of_free", "static_scales"})
            if (set.has(key))
                rule.values[key] = set.boolean(key, false) ? 1.0 : 0.0;
        if (const auto* seqs = set.find("seqs")) {
            if (seqs->is_string() && *seqs == "users")
                rule.textValues["seqs"] = "users";
            else
                rule.values["seqs"] = readConstant(set, "seqs", 1, 1e7);
        }
        if (set.has("kv"))
            rule.textValues["kv"] = kCacheFormats[readName(set, "kv", kCacheFormats)];
        for (const auto* key : {"attention", "dense"})
            if (set.has(key))
                rule.textValues[key] = kLinearFormats[readName(set, key, kLinearFormats)];
        if (set.has("experts"))
            rule.textValues["experts"] = kExpertFormats[readName(set, "experts", kExpertFormats)];
        set.finish();
        json_rule.finish();
        m_rules.push_back(std::move(rule));
    }
    object.finish();
}

const RecipeModel& Recipes::model(std::string_view name) const {
    const auto lower = lowered(name);
    std::vector<std::string> there;
    for (const auto& model : m_models) {
        if (lower.find(model.match) != lower.npos)
            return model;
        there.push_back(model.match);
    }
    throw Error(ErrorCode::NotFound, m_where, "no model is known as \"" + lower.substr(0, 80) + "\"",
                "Known: " + joined(there));
}

const RecipeDevice* Recipes::findDevice(std::string_view system, std::string_view device) const {
    const auto at = std::find_if(m_devices.begin(), m_devices.end(), [&](const RecipeDevice& one) {
        return one.system == system && (device.empty() || one.device.empty() || one.device == device);
    });
    return at == m_devices.end() ? nullptr : &*at;
}

const RecipeDevice& Recipes::device(std::string_view system) const {
    if (const auto* found = findDevice(system, {}))
        return *found;
    std::vector<std::string> there;
    for (const auto& device : m_devices)
        there.push_back(device.system);
    throw Error(ErrorCode::NotFound, m_where, "no server of \"" + std::string(system.substr(0, 80)) + "\"",
                "There are: " + joined(there));
}

bool Recipes::Rule::holds(const RecipeLabels& labels) const {
    for (const auto& label : kLabelTexts)
        if (const auto at = texts.find(label.key); at != texts.end())
            if (std::find(at->second.begin(), at->second.end(), labels.*label.member) == at->second.end())
                return false;
    if (const auto at = texts.find("date_to"); at != texts.end())
        if (labels.date.empty() || labels.date > at->second.front())
            return false;
    const auto among = [&](std::string_view key, double value) {
        const auto at = numbers.find(key);
        return at == numbers.end() ||
               std::find(at->second.begin(), at->second.end(), value) != at->second.end();
    };
    if (!among("isl", labels.isl) || !among("osl", labels.osl))
        return false;
    if (const auto at = numbers.find("gpus_below"); at != numbers.end() && labels.gpus >= at->second.front())
        return false;
    const auto at = numbers.find("users_from");
    return at == numbers.end() || labels.users >= at->second.front();
}

void Recipes::apply(const Rule& rule, const RecipeLabels& labels, Recipe& recipe) {
    for (const auto& number : kRecipeNumbers)
        if (const auto at = rule.values.find(number.key); at != rule.values.end())
            recipe.*number.member = at->second;
    for (const auto& [key, value] : rule.values) {
        if (key == "budget_prompts")
            recipe.budget = value * labels.isl;
        else if (key == "budget_filled_from") // room for all users' tokens beside one prompt
            recipe.budget = std::max(value, std::floor((labels.users + labels.isl + 127) / 64) * 64);
        else if (key == "memory_share")
            recipe.memory.share = value;
        else if (key == "rest_gb")
            recipe.memory.rest = value * 1e9;
        else if (key == "memory_of_free")
            recipe.memory.ofFree = value > 0;
        else if (key == "static_scales")
            recipe.formats.staticScales = value > 0;
        else if (key == "seqs")
            recipe.sequences = value;
    }
    for (const auto& [key, value] : rule.textValues) {
        const bool ofRow = value == "row";
        if (key == "seqs")
            recipe.sequences = labels.users;
        else if (key == "kv")
            recipe.formats.cacheBytes = value == "fp8" ? 1 : 2;
        else if (key == "attention")
            recipe.formats.attention = ofRow ? linearFormat(labels.denseFormat) : value;
        else if (key == "dense")
            recipe.formats.dense = ofRow ? linearFormat(labels.denseFormat) : value;
        else if (key == "experts")
            recipe.formats.experts = ofRow ? expertsFormat(labels.expertFormat) : value;
    }
}

Recipe Recipes::of(const RecipeLabels& labels) const {
    Recipe recipe;
    for (const auto& rule : m_rules)
        if (rule.holds(labels))
            apply(rule, labels, recipe);
    const auto check = [](const std::string& format, std::span<const std::string_view> known) {
        if (std::find(known.begin(), known.end(), format) == known.end())
            throwInvalid("precision", "no server has weights of \"" + format.substr(0, 80) + "\"",
                         "Allowed: " + joined(known.subspan(1))); // but "row"
    };
    check(recipe.formats.attention, kLinearFormats);
    check(recipe.formats.dense, kLinearFormats);
    if (!recipe.formats.experts.empty())
        check(recipe.formats.experts, kExpertFormats);
    return recipe;
}

} // namespace heteroscape::engine
