// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/claims/expression.h"

#include "engine/base/error.h"
#include "engine/claims/claims.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/metric_path.h"
#include "engine/scenario/edit.h"
#include "engine/units/number_text.h"

#include <cmath>
#include <limits>

namespace heteroscape::engine {

namespace {

/// Calls visit() for every combination of the lists of an "over" object, keys in their order.
template <class Visit>
void forEachCombination(const Json& over, const std::string& where, std::map<std::string, Json>& settings,
                        Visit visit) {
    std::vector<std::pair<std::string, const Json*>> axes;
    if (!over.is_object() || over.empty())
        throwInvalid(where, "expected an object of parameter paths and lists of values");
    for (const auto& [path, values] : over.items()) {
        if (!values.is_array() || values.empty())
            throwInvalid(where + "." + path, "expected a list of values");
        axes.emplace_back(path, &values);
    }
    const auto outer = settings;
    std::vector<std::size_t> at(axes.size(), 0);
    for (bool more = true; more;) {
        for (std::size_t i = 0; i < axes.size(); ++i)
            settings[axes[i].first] = (*axes[i].second)[at[i]];
        visit();
        more = false;
        for (std::size_t i = axes.size(); i-- > 0 && !more;) {
            more = ++at[i] < axes[i].second->size();
            if (!more)
                at[i] = 0;
        }
    }
    settings = outer;
}

} // namespace

double ExpressionEvaluator::value(const Json& expression, const std::string& where) {
    JsonObject object(expression, where);
    double result = 0.0;
    if (object.has("metric")) {
        result = metric(object);
    } else if (object.has("ratio")) {
        const auto& parts = object.array("ratio");
        if (parts.size() != 2)
            throwInvalid(object.place("ratio"), "expected two expressions");
        result = value(parts[0], object.place("ratio[0]")) / value(parts[1], object.place("ratio[1]"));
    } else if (object.has("scale")) {
        const auto& factor = object.require("scale");
        if (!factor.is_number())
            throwInvalid(object.place("scale"), "expected a number");
        result = factor.get<double>() * value(object.require("of"), object.place("of"));
    } else if (object.has("mean")) {
        result = mean(object);
    } else if (object.has("argmin") || object.has("argmax")) {
        result = best(object, object.has("argmin"));
    } else {
        throwInvalid(where, "not an expression", "Use metric, ratio, scale, mean, argmin or argmax");
    }
    object.finish();
    return result;
}

double ExpressionEvaluator::metric(JsonObject& object) {
    const auto id = object.text("scenario");
    auto preset = m_presets.find(id);
    if (preset == m_presets.end())
        preset = m_presets.emplace(id, loadPreset(m_catalog, id, object.place("scenario"))).first;
    auto scenario = preset->second;
    for (const auto& [path, setting] : m_over)
        set(scenario, path, setting, object.where());
    if (object.has("set")) {
        for (const auto& [path, setting] : object.require("set").items())
            set(scenario, path, setting, object.place("set"));
    }
    return findMetric(scenario, evaluate(scenario), object.text("metric")).value;
}

double ExpressionEvaluator::mean(JsonObject& object) {
    double sum = 0.0;
    double count = 0.0;
    const auto& inner = object.require("mean");
    forEachCombination(object.require("over"), object.place("over"), m_over, [&] {
        sum += value(inner, object.place("mean"));
        ++count;
    });
    return sum / count;
}

double ExpressionEvaluator::best(JsonObject& object, bool least) {
    const std::string key = least ? "argmin" : "argmax";
    const auto& inner = object.require(key);
    const auto& over = object.require("over");
    if (!over.is_object() || over.size() != 1)
        throwInvalid(object.place("over"), "expected exactly one parameter path");
    double bestValue = std::numeric_limits<double>::infinity();
    double bestAt = std::numeric_limits<double>::quiet_NaN();
    forEachCombination(over, object.place("over"), m_over, [&] {
        const double here = (least ? 1.0 : -1.0) * value(inner, object.place(key));
        const auto& at = m_over.at(over.begin().key());
        if (here < bestValue && at.is_number()) {
            bestValue = here;
            bestAt = at.get<double>();
        }
    });
    return bestAt;
}

void ExpressionEvaluator::set(Scenario& scenario, const std::string& path, const Json& setting,
                              const std::string& where) const {
    std::string text;
    if (setting.is_number())
        text = exactText(setting.get<double>());
    else if (setting.is_boolean())
        text = setting.get<bool>() ? "true" : "false";
    else if (setting.is_string())
        text = setting.get<std::string>();
    else
        throwInvalid(where + "." + path, "expected a number, a string, true or false");
    applyEdit(scenario, setEdit(scenario, m_catalog, path, text));
}

} // namespace heteroscape::engine
