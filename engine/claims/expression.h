// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/catalog/catalog.h"
#include "engine/scenario/scenario.h"

#include <map>
#include <string>

namespace heteroscape::engine {

/// Evaluates the expressions by which claims arrive at the model's number. An expression is one of
///   {"metric": path, "scenario": preset id, "set": {parameter path: value, ...}}   a figure (metric_path.h)
///   {"ratio": [a, b]}                                a / b
///   {"scale": number, "of": a}                       number x a
///   {"mean": a, "over": {parameter path: [values], ...}}        mean over every combination
///   {"argmin": a, "over": {parameter path: [values]}}           the value at which a is least; also "argmax"
/// "over" puts its values into every scenario below it, before the scenario's own "set".
/// Throws Error naming the place in the file.
class ExpressionEvaluator {
public:
    explicit ExpressionEvaluator(const Catalog& catalog) : m_catalog(catalog) {}

    double value(const Json& expression, const std::string& where);

private:
    using Settings = std::map<std::string, Json>;

    const Catalog& m_catalog;
    std::map<std::string, Scenario> m_presets; ///< read once
    Settings m_over;                           ///< what the enclosing "over"s set now

    double metric(JsonObject& object);
    double mean(JsonObject& object);
    double best(JsonObject& object, bool least);
    void set(Scenario& scenario, const std::string& path, const Json& value, const std::string& where) const;
};

} // namespace heteroscape::engine
