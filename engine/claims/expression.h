// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/catalog/catalog.h"
#include "engine/evaluation/evaluation.h"
#include "engine/scenario/edit.h"

#include <functional>
#include <map>
#include <string>
#include <unordered_map>

namespace heteroscape::engine {

/// Evaluates the expressions by which claims arrive at the model's number. An expression is one of
///   12.5                                             itself
///   {"metric": path, "scenario": preset id, "set": {parameter path: value, ...}}   a metric (metric_path.h)
///   {"ratio": [a, b]}   {"minus": [a, b]}            a / b,   a - b
///   {"scale": number, "of": a}                       number x a
///   {"quantity": parameter path, "scenario": preset id, "set": {...}}   a property of a design, in its shown
///   unit
///   {"largest" | "smallest": [a, b, ...]}            of several
///   {"product": [a, b, ...]}
///   {"mean" | "harmonic_mean" | "sum" | "min" | "max": a, "over": {parameter path: [values], ...}}
///                                                    over every combination; min and max leave out what
///                                                    has no value (a design that cannot run)
///   {"argmin" | "argmax": a, "over": {parameter path: [values]}}   the value at which a is least or largest
///   {"settles": a, "within": share, "over": {parameter path: [values]}}
///                                                    the first value at which a is within a share of its
///                                                    last
/// Trends, which are 1 where they hold and 0 where not, and no number where a value is none:
///   {"order": [a, b, ...]}                           each larger than the next
///   {"saturates": a, "within": share, "over": {parameter path: [values]}}
///                                                    all values of a within a share of the first
///   {"crosses": a, "over": {parameter path: [values]}}   a has one sign at the first value, the other at the
///                                                    last: of a {"minus": ...} who is ahead has changed
/// And
///   {"count": a, "among": [numbers], "over": {...}}  how many combinations give one of the numbers
/// "over" puts its values into every scenario below it, before the scenario's own "set". Quantities of a
/// design are evaluated once, however often they are asked for. Throws Error naming the place in the file.
class ExpressionEvaluator {
public:
    explicit ExpressionEvaluator(const Catalog& catalog) : m_catalog(catalog) {}
    ExpressionEvaluator(const ExpressionEvaluator&) = delete; // it knows places in itself
    ExpressionEvaluator& operator=(const ExpressionEvaluator&) = delete;

    using Settings = std::map<std::string, Json>;

    /// Settings put into every scenario before any other, until the next call.
    void assume(Settings settings) { m_over = std::move(settings); }

    double value(const Json& expression, const std::string& where);

    /// What a "metric" or "quantity" expression is evaluated on: its preset with the settings of
    /// settingsOf().
    Scenario scenarioOf(const Json& leaf, const std::string& where);
    /// Those settings: what is assumed, and over it the expression's own "set".
    Settings settingsOf(const Json& leaf) const;

private:
    /// One parameter of one preset, resolved once.
    struct Setter {
        QuantityAccess access; ///< numbers
        FieldSpec spec{};
        std::map<std::string, GraphEdit> edits; ///< choices and switches, by their text
    };
    struct Preset {
        Scenario scenario;
        std::map<std::string, Setter> setters; ///< by path
    };

    const Catalog& m_catalog;
    std::map<std::string, Preset> m_presets;                    ///< read once
    std::map<std::string, Evaluation> m_evaluated;              ///< by scenario key
    std::unordered_map<std::string, const Evaluation*> m_asked; ///< of those, by preset and settings
    Settings m_over; ///< what is assumed, and what the enclosing "over"s set now

    double metric(JsonObject& object);
    double quantity(JsonObject& object);
    Scenario designOf(JsonObject& object);
    Settings withOwn(const Json* own) const; ///< `own`: a "set", or null
    double reduce(JsonObject& object, const std::string& key);
    double best(JsonObject& object, bool least);
    double settles(JsonObject& object);
    double order(JsonObject& object);
    double saturates(JsonObject& object);
    double crosses(JsonObject& object);
    double count(JsonObject& object);
    std::vector<double> operands(JsonObject& object, const std::string& key, std::size_t least,
                                 std::size_t most);
    /// visit(value of the expression, first axis's value) for every combination.
    void forEach(JsonObject& object, const std::string& key,
                 const std::function<void(double, const Json&)>& visit);
    void requireOneAxis(JsonObject& object, std::size_t values = 1);
    /// Of an expression over one axis, value by value.
    std::vector<double> along(JsonObject& object, const std::string& key);
    void set(Preset& preset, Scenario& scenario, const std::string& path, const Json& value,
             const std::string& where);
};

} // namespace heteroscape::engine
