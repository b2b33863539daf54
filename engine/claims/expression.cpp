// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/claims/expression.h"

#include "engine/base/error.h"
#include "engine/claims/claims.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/metric_path.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

constexpr std::array<std::string_view, 5> kReductions{"mean", "harmonic_mean", "sum", "min", "max"};

std::string textOf(const Json& setting, const std::string& where) {
    if (setting.is_number())
        return exactText(setting.get<double>());
    if (setting.is_boolean())
        return setting.get<bool>() ? "true" : "false";
    if (setting.is_string())
        return setting.get<std::string>();
    throwInvalid(where, "expected a number, a string, true or false");
}

double numberOf(JsonObject& object, std::string_view key) {
    const auto& json = object.require(key);
    if (!json.is_number())
        throwInvalid(object.place(key), "expected a number");
    return json.get<double>();
}

double shareOf(JsonObject& object, std::string_view key) {
    const double share = numberOf(object, key);
    if (!(share >= 0.0))
        throwInvalid(object.place(key), "must not be negative", "Give a share: 0.05 is 5 %");
    return share;
}

} // namespace

double ExpressionEvaluator::value(const Json& expression, const std::string& where) {
    if (expression.is_number())
        return expression.get<double>();
    JsonObject object(expression, where);
    double result = 0.0;
    const auto reduction = std::find_if(kReductions.begin(), kReductions.end(),
                                        [&](std::string_view key) { return object.has(key); });
    if (object.has("metric")) {
        result = metric(object);
    } else if (object.has("ratio")) {
        const auto parts = operands(object, "ratio", 2, 2);
        result = parts[0] / parts[1];
    } else if (object.has("minus")) {
        const auto parts = operands(object, "minus", 2, 2);
        result = parts[0] - parts[1];
    } else if (object.has("largest")) {
        const auto parts = operands(object, "largest", 1, 64);
        result = *std::max_element(parts.begin(), parts.end());
    } else if (object.has("smallest")) {
        const auto parts = operands(object, "smallest", 1, 64);
        result = *std::min_element(parts.begin(), parts.end());
    } else if (object.has("product")) {
        result = 1.0;
        for (const double part : operands(object, "product", 1, 64))
            result *= part;
    } else if (object.has("quantity")) {
        result = quantity(object);
    } else if (object.has("scale")) {
        result = numberOf(object, "scale") * value(object.require("of"), object.place("of"));
    } else if (reduction != kReductions.end()) {
        result = reduce(object, std::string(*reduction));
    } else if (object.has("argmin") || object.has("argmax")) {
        result = best(object, object.has("argmin"));
    } else if (object.has("settles")) {
        result = settles(object);
    } else if (object.has("order")) {
        result = order(object);
    } else if (object.has("saturates")) {
        result = saturates(object);
    } else if (object.has("crosses")) {
        result = crosses(object);
    } else if (object.has("count")) {
        result = count(object);
    } else {
        throwInvalid(where, "not an expression",
                     "Use a number, metric, quantity, ratio, minus, product, scale, largest, smallest, mean, "
                     "harmonic_mean, sum, min, max, "
                     "argmin, argmax, settles, order, saturates, crosses or count");
    }
    object.finish();
    return result;
}

ExpressionEvaluator::Settings ExpressionEvaluator::settingsOf(const Json& leaf) const {
    const auto own = leaf.find("set");
    return withOwn(own == leaf.end() ? nullptr : &*own);
}

ExpressionEvaluator::Settings ExpressionEvaluator::withOwn(const Json* own) const {
    auto settings = m_over;
    if (own)
        for (const auto& [path, setting] : own->items())
            settings[path] = setting;
    return settings;
}

Scenario ExpressionEvaluator::scenarioOf(const Json& leaf, const std::string& where) {
    JsonObject object(leaf, where);
    return designOf(object);
}

Scenario ExpressionEvaluator::designOf(JsonObject& object) {
    const auto id = object.text("scenario");
    auto found = m_presets.find(id);
    if (found == m_presets.end())
        found = m_presets.emplace(id, Preset{loadPreset(m_catalog, id, object.place("scenario")), {}}).first;
    auto& preset = found->second;
    auto scenario = preset.scenario;
    const auto settings = withOwn(object.find("set"));
    for (const bool numbers : {false, true}) // a choice would take numbers of its part back
        for (const auto& [path, setting] : settings)
            if (setting.is_number() == numbers)
                set(preset, scenario, path, setting, object.where());
    return scenario;
}

double ExpressionEvaluator::quantity(JsonObject& object) {
    const auto scenario = designOf(object);
    const auto resolved = resolveQuantity(scenario, object.text("quantity"));
    return toEdge(resolved.in(scenario).value, resolved.spec.scale);
}

double ExpressionEvaluator::metric(JsonObject& object) {
    // Claims ask for the same design again and again: it is neither made nor hashed a second time.
    auto told = object.text("scenario");
    for (const auto& [path, setting] : withOwn(object.find("set")))
        told.append("\n").append(path).append("=").append(setting.dump());
    auto asked = m_asked.find(told);
    if (asked == m_asked.end()) {
        const auto scenario = designOf(object);
        const auto key = scenarioKey(scenario);
        auto known = m_evaluated.find(key);
        if (known == m_evaluated.end())
            known = m_evaluated.emplace(key, evaluate(scenario)).first;
        asked = m_asked.emplace(std::move(told), &known->second).first;
    }
    const auto path = object.text("metric");
    if (const auto* spec = findMetric(path)) // the quick way: no list of every node's metrics
        return toEdge(asked->second->metric(spec->metric), spec->scale);
    return findMetric(designOf(object), *asked->second, path).value;
}

std::vector<double> ExpressionEvaluator::operands(JsonObject& object, const std::string& key,
                                                  std::size_t least, std::size_t most) {
    const auto& parts = object.array(key);
    if (parts.size() < least || parts.size() > most)
        throwInvalid(object.place(key), least == most ? "expected " + std::to_string(least) + " expressions"
                                                      : "expected some expressions");
    std::vector<double> values;
    for (std::size_t i = 0; i < parts.size(); ++i)
        values.push_back(value(parts[i], object.place(key + "[" + std::to_string(i) + "]")));
    return values;
}

void ExpressionEvaluator::forEach(JsonObject& object, const std::string& key,
                                  const std::function<void(double, const Json&)>& visit) {
    const auto& inner = object.require(key);
    const auto& over = object.require("over");
    const auto where = object.place("over");
    if (!over.is_object() || over.empty())
        throwInvalid(where, "expected an object of parameter paths and lists of values");
    std::vector<std::pair<std::string, const Json*>> axes;
    for (const auto& [path, values] : over.items()) {
        if (!values.is_array() || values.empty())
            throwInvalid(where + "." + path, "expected a list of values");
        axes.emplace_back(path, &values);
    }
    const auto outer = m_over;
    std::vector<std::size_t> at(axes.size(), 0);
    for (bool more = true; more;) {
        for (std::size_t i = 0; i < axes.size(); ++i)
            m_over[axes[i].first] = (*axes[i].second)[at[i]];
        visit(value(inner, object.place(key)), (*axes.front().second)[at.front()]);
        more = false;
        for (std::size_t i = axes.size(); i-- > 0 && !more;) {
            more = ++at[i] < axes[i].second->size();
            if (!more)
                at[i] = 0;
        }
    }
    m_over = outer;
}

double ExpressionEvaluator::reduce(JsonObject& object, const std::string& key) {
    const bool harmonic = key == "harmonic_mean";
    double sum = 0.0;
    double number = 0.0;
    double least = std::numeric_limits<double>::quiet_NaN();
    double largest = least;
    forEach(object, key, [&](double here, const Json&) {
        sum += harmonic ? 1.0 / here : here;
        ++number;
        least = std::fmin(least, here); // fmin and fmax leave out NaN
        largest = std::fmax(largest, here);
    });
    if (key == "min")
        return least;
    if (key == "max")
        return largest;
    return key == "sum" ? sum : harmonic ? number / sum : sum / number;
}

void ExpressionEvaluator::requireOneAxis(JsonObject& object, std::size_t values) {
    const auto& over = object.require("over");
    if (!over.is_object() || over.size() != 1)
        throwInvalid(object.place("over"), "expected exactly one parameter path");
    if (over.front().size() < values)
        throwInvalid(object.place("over"), "expected at least " + std::to_string(values) + " values");
}

std::vector<double> ExpressionEvaluator::along(JsonObject& object, const std::string& key) {
    requireOneAxis(object, 2);
    std::vector<double> values;
    forEach(object, key, [&](double here, const Json&) { values.push_back(here); });
    return values;
}

double ExpressionEvaluator::order(JsonObject& object) {
    const auto values = operands(object, "order", 2, 64);
    if (std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); }))
        return kUnset;
    return std::adjacent_find(values.begin(), values.end(), std::less_equal<>()) == values.end() ? 1.0 : 0.0;
}

double ExpressionEvaluator::saturates(JsonObject& object) {
    const double within = shareOf(object, "within");
    const auto values = along(object, "saturates");
    bool holds = true;
    for (const double value : values) {
        const double change = std::fabs(value / values.front() - 1.0);
        if (std::isnan(change))
            return kUnset;
        holds = holds && change <= within;
    }
    return holds ? 1.0 : 0.0;
}

double ExpressionEvaluator::crosses(JsonObject& object) {
    const auto values = along(object, "crosses");
    const double first = values.front(), last = values.back();
    if (std::isnan(first) || std::isnan(last))
        return kUnset;
    return (first < 0.0 && last > 0.0) || (first > 0.0 && last < 0.0) ? 1.0 : 0.0;
}

double ExpressionEvaluator::best(JsonObject& object, bool least) {
    requireOneAxis(object);
    double bestValue = std::numeric_limits<double>::infinity();
    double bestAt = std::numeric_limits<double>::quiet_NaN();
    forEach(object, least ? "argmin" : "argmax", [&](double found, const Json& at) {
        const double here = (least ? 1.0 : -1.0) * found;
        if (here < bestValue && at.is_number()) {
            bestValue = here;
            bestAt = at.get<double>();
        }
    });
    return bestAt;
}

double ExpressionEvaluator::settles(JsonObject& object) {
    requireOneAxis(object);
    const double within = shareOf(object, "within");
    std::vector<std::pair<double, double>> found; // value of the axis, of the expression
    forEach(object, "settles", [&](double here, const Json& at) {
        found.emplace_back(at.is_number() ? at.get<double>() : std::numeric_limits<double>::quiet_NaN(),
                           here);
    });
    // Where the last value is 0 or none (a design that cannot run), nothing lies within a share of it.
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const double last = found.empty() ? kNone : found.back().second;
    const auto at = std::find_if(found.begin(), found.end(), [&](const auto& one) {
        return std::fabs(one.second / last - 1.0) <= within;
    });
    return at == found.end() ? kNone : at->first;
}

double ExpressionEvaluator::count(JsonObject& object) {
    const auto& among = object.array("among");
    double number = 0.0;
    forEach(object, "count", [&](double here, const Json&) {
        number +=
            std::any_of(among.begin(), among.end(),
                        [here](const Json& one) { return one.is_number() && one.get<double>() == here; })
                ? 1.0
                : 0.0;
    });
    return number;
}

void ExpressionEvaluator::set(Preset& preset, Scenario& scenario, const std::string& path,
                              const Json& setting, const std::string& where) {
    auto known = preset.setters.find(path);
    if (known == preset.setters.end()) {
        Setter setter;
        if (const auto parameter = findParameter(preset.scenario, m_catalog, path);
            parameter.kind == ParameterKind::Number) {
            setter.access = resolveQuantity(preset.scenario, path).access;
            setter.spec = parameter.spec;
        }
        known = preset.setters.emplace(path, std::move(setter)).first;
    }
    auto& setter = known->second;
    if (setter.access && setting.is_number()) {
        checkRange(setter.spec, setting.get<double>(), where + "." + path);
        setter.access(scenario) = {setting.get<double>() * setter.spec.scale, Provenance::User, {}};
        return;
    }
    const auto text = textOf(setting, where + "." + path);
    auto edit = setter.edits.find(text);
    if (edit == setter.edits.end())
        edit = setter.edits.emplace(text, setEdit(preset.scenario, m_catalog, path, text)).first;
    applyEdit(scenario, edit->second);
}

} // namespace heteroscape::engine
