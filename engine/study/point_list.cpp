// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/point_list.h"

#include "engine/base/csv_reader.h"
#include "engine/base/error.h"
#include "engine/scenario/layout_choices.h"
#include "engine/study/study.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace heteroscape::engine {

namespace {

constexpr std::string_view kAxisForms =
    "Write path=1,2,4, path=from:to:step, path=from:to:*2, path=from:to:log7 "
    "(7 values evenly on a log scale) or path=from:to:lin5";
/// A step that comes this near to the end has met it.
constexpr double kRounding = 1e-9;

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0;;) {
        const auto end = text.find(separator, begin);
        parts.push_back(trimmed(text.substr(begin, end - begin)));
        if (end == std::string_view::npos)
            return parts;
        begin = end + 1;
    }
}

class AxisReader {
public:
    AxisReader(Axis& axis, const FieldSpec& spec) : m_axis(axis), m_spec(spec) {}

    void read(std::string_view text) {
        for (const auto piece : split(text, ',')) {
            const auto parts = split(piece, ':');
            if (parts.size() == 1)
                add(number(piece) + 0.0);
            else if (parts.size() <= 3)
                range(piece, parts);
            else
                fail(piece, "is not a range", std::string(kAxisForms));
        }
    }

private:
    Axis& m_axis;
    const FieldSpec& m_spec;

    [[noreturn]] void fail(std::string_view text, std::string_view what, std::string remedy) const {
        throwInvalid(m_axis.path, "\"" + std::string(text.substr(0, 80)) + "\" " + std::string(what),
                     std::move(remedy));
    }

    double number(std::string_view text) const {
        return parseQuantity(text, m_spec.unit, m_axis.path, Decimals::Point,
                             "Give " + rangeText(m_spec) + ". " + std::string(kAxisForms));
    }

    void add(double value) {
        checkRange(m_spec, value, m_axis.path);
        m_axis.values.push_back(value);
    }

    void range(std::string_view piece, const std::vector<std::string_view>& parts) {
        const double from = number(parts[0]);
        const double to = number(parts[1]);
        // The ends first: a range beyond the limits is refused before it is spelt out.
        checkRange(m_spec, from, m_axis.path);
        checkRange(m_spec, to, m_axis.path);
        if (parts.size() == 3 && (parts[2].starts_with("log") || parts[2].starts_with("lin"))) {
            spaced(piece, from, to, parts[2]);
            return;
        }
        const bool factor = parts.size() == 3 && parts[2].starts_with('*');
        const double step = parts.size() == 2 ? 1.0 : number(factor ? trimmed(parts[2].substr(1)) : parts[2]);
        const double steps = factor ? countFactors(piece, from, to, step) : countSteps(piece, from, to, step);
        if (steps + 1 + static_cast<double>(m_axis.values.size()) > static_cast<double>(kMaxAxisValues))
            fail(piece, "has more than 1,000,000 values", "Use a larger step");
        for (std::size_t i = 0; i <= static_cast<std::size_t>(steps); ++i) {
            const auto n = static_cast<double>(i);
            add(cleaned(i == 0 ? from : factor ? from * std::pow(step, n) : from + n * step));
        }
    }

    /// "log7", "lin5": so many values evenly apart.
    void spaced(std::string_view piece, double from, double to, std::string_view form) {
        const bool log = form.starts_with("log");
        const auto count = parseNumber(trimmed(form.substr(3)));
        if (!count || *count != std::floor(*count) || *count < 2)
            fail(piece, "does not say how many values",
                 "Write a whole number from 2 on after log or lin, as in 1:1000:log7");
        if (*count + static_cast<double>(m_axis.values.size()) > static_cast<double>(kMaxAxisValues))
            fail(piece, "has more than 1,000,000 values", "Ask for fewer");
        if (log && !(from > 0.0 && to > 0.0))
            fail(piece, "has an end that is not above 0, which a log scale does not reach",
                 "Write lin in place of log, or start above 0");
        if (from == to)
            fail(piece, "ends where it starts", "Give two different ends");
        for (const double value : spacedValues(from, to, static_cast<std::size_t>(*count),
                                               log ? Spacing::Log : Spacing::Linear, m_spec.integer))
            add(value);
    }

    double countSteps(std::string_view piece, double from, double to, double step) const {
        if (step == 0.0)
            fail(piece, "has a step of 0", "Give a step that leads from the first number to the second");
        if ((to - from) * step < 0.0)
            fail(piece, "steps away from its end", "Turn the range or the sign of the step round");
        return std::floor((to - from) / step + kRounding);
    }

    double countFactors(std::string_view piece, double from, double to, double step) const {
        if (!(from > 0.0 && to > 0.0 && step > 0.0))
            fail(piece, "multiplies numbers that are not above 0", "Use a plain step there");
        if (step == 1.0)
            fail(piece, "multiplies by 1", "Give a factor that leads from the first number to the second");
        const double steps = std::log(to / from) / std::log(step);
        if (steps < -kRounding)
            fail(piece, "steps away from its end", "Turn the range round, or use the inverse factor");
        return std::floor(steps + kRounding);
    }
};

void readChoices(Axis& axis, const Parameter& parameter, std::string_view text) {
    const bool all = text == "*" || (text == "valid" && isLayoutPath(axis.path));
    if (all && parameter.kind == ParameterKind::Boolean)
        axis.names = {"false", "true"};
    else if (all)
        axis.names = parameter.choices;
    else
        for (const auto name : split(text, ','))
            axis.names.emplace_back(name);
    if (axis.names.empty())
        throwInvalid(axis.path, "there is nothing to choose from");
    for (std::size_t i = 0; i < axis.names.size(); ++i)
        axis.values.push_back(static_cast<double>(i));
}

} // namespace

namespace {

/// Neither checked nor resolved: values may come again.
Axis readAxis(const Scenario& base, const Catalog& catalog, std::string_view text) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos)
        throwInvalid("axis \"" + std::string(text.substr(0, 80)) + "\"",
                     "there is no =", std::string(kAxisForms));
    Axis axis;
    axis.path = trimmed(text.substr(0, equals));
    if (axis.path.empty())
        throwInvalid("axis \"" + std::string(text.substr(0, 80)) + "\"",
                     "there is no path before =", std::string(kAxisForms));
    const auto values = trimmed(text.substr(equals + 1));
    if (values.empty())
        throwInvalid(axis.path, "there are no values after =", std::string(kAxisForms));
    const auto parameter = findParameter(base, catalog, axis.path);
    axis.path = parameter.path;
    if (parameter.kind == ParameterKind::Number)
        AxisReader(axis, parameter.spec).read(values);
    else
        readChoices(axis, parameter, values);
    return axis;
}

/// Of a list: each name once, values are places among them.
void nameOnce(Axis& axis) {
    std::vector<std::string> names;
    for (auto& value : axis.values) {
        const auto& name = axis.names[static_cast<std::size_t>(value)];
        const auto found = std::find(names.begin(), names.end(), name);
        value = static_cast<double>(found - names.begin());
        if (found == names.end())
            names.push_back(name);
    }
    axis.names = std::move(names);
}

} // namespace

Axis parseAxis(const Shared<Scenario>& base, const Catalog& catalog, const std::string& text) {
    auto axis = readAxis(base, catalog, text);
    resolveChoices(axis, base, catalog);
    const Study one{{}, base, {axis}};
    checkStudy(one); // values given twice, too many
    return axis;
}

void readAxes(Study& study, const Catalog& catalog, std::span<const std::string> texts) {
    std::vector<std::vector<Axis>> together;
    for (const auto& text : texts) {
        const auto parts = split(text, ';');
        auto& axes = together.emplace_back();
        if (parts.size() == 1)
            axes.push_back(parseAxis(study.base, catalog, text));
        for (std::size_t i = 0; parts.size() > 1 && i < parts.size(); ++i) {
            axes.push_back(readAxis(study.base, catalog, parts[i]));
            if (axes.back().values.size() != axes.front().values.size())
                throwInvalid(axes.back().path,
                             std::to_string(axes.back().values.size()) + " values move together with " +
                                 std::to_string(axes.front().values.size()) + " of " + axes.front().path,
                             "Give as many of each, or two axes for every combination");
        }
    }
    double count = 1.0;
    for (const auto& axes : together) {
        count *= static_cast<double>(axes.front().values.size());
        study.isList = study.isList || axes.size() > 1;
    }
    if (study.isList && count > static_cast<double>(kMaxAxisValues))
        throwInvalid("axes", "more than 1,000,000 points where values move together",
                     "Use larger steps or fewer axes");
    study.isList = study.isList && count > 1.0;
    const auto points = study.isList ? static_cast<std::size_t>(count) : 1;
    std::size_t run = points; // of points over which an axis goes through its values once
    for (auto& axes : together) {
        const auto length = axes.front().values.size();
        for (auto& axis : axes) {
            if (study.isList) {
                const auto own = std::move(axis.values);
                axis.values.clear();
                for (std::size_t i = 0; i < points; ++i)
                    axis.values.push_back(own[i / (run / length) % length]);
                if (axis.isChoice())
                    nameOnce(axis);
            }
            resolveChoices(axis, study.base, catalog);
            study.axes.push_back(std::move(axis));
        }
        run /= length;
    }
    if (study.isList)
        checkStudy(study);
}

std::vector<double> spacedValues(double from, double to, std::size_t count, Spacing spacing, bool whole) {
    std::vector<double> values;
    values.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(count - 1);
        double value =
            spacing == Spacing::Log ? from * std::pow(to / from, share) : from + (to - from) * share;
        value = whole ? std::round(value) : cleaned(value);
        if (i == 0 || i + 1 == count)
            value = i == 0 ? from : to;
        if (values.empty() || value != values.back())
            values.push_back(value);
    }
    return values;
}

namespace {

/// One column on its way to an axis.
struct PointColumnReader {
    Axis axis;
    Parameter parameter;
    std::map<std::string, std::size_t> places{}; ///< of names

    /// `once`: no value may come again.
    void add(const CsvReader& csv, std::size_t column, bool once) {
        const auto& cell = csv.cells()[column];
        if (cell.empty())
            csv.failAt(column, "it is empty", "Give a value for each path in each row");
        if (parameter.kind != ParameterKind::Number) {
            const auto name = isLayoutPath(axis.path) ? layoutWords(parseLayout(cell, axis.path)) : cell;
            const auto [place, isNew] = places.emplace(name, axis.names.size());
            if (isNew)
                axis.names.push_back(name);
            else if (once)
                csv.failAt(column, quotedPiece(cell) + " is given twice", "Give each value once");
            axis.values.push_back(static_cast<double>(place->second));
            return;
        }
        const auto value = parseNumber(cell);
        if (!value)
            csv.failAt(column, quotedPiece(cell) + " is not a number", "Give " + rangeText(parameter.spec));
        try {
            checkRange(parameter.spec, *value, axis.path);
        } catch (const Error&) {
            csv.failAt(column, quotedPiece(cell) + " is outside of its range",
                       "Give " + rangeText(parameter.spec));
        }
        axis.values.push_back(*value + 0.0);
    }
};

} // namespace

void readPoints(Study& study, const Catalog& catalog, std::istream& in, const std::string& name) {
    CsvReader csv(in, name);
    if (csv.header().size() > kMaxAxes)
        csv.fail(std::to_string(csv.header().size()) + " columns",
                 "Name at most " + std::to_string(kMaxAxes) + " parameters: set the others in the design");
    std::vector<PointColumnReader> columns;
    const auto inFile = [&](const auto& take) { // names the file
        try {
            take();
        } catch (const Error& error) {
            throw Error(error.code(), name + ":1: " + error.where(), error.message(), error.remedy());
        }
    };
    for (const auto& path : csv.header())
        inFile([&] { columns.push_back({Axis{path, {}}, findParameter(study.base, catalog, path)}); });
    csv.eachRow(kMaxAxisValues, "Write a row for each point below the names of the paths", [&] {
        for (std::size_t i = 0; i < columns.size(); ++i)
            columns[i].add(csv, i, columns.size() == 1);
    });
    study.axes.clear();
    for (auto& column : columns) {
        inFile([&] { resolveChoices(column.axis, study.base, catalog); });
        study.axes.push_back(std::move(column.axis));
    }
    study.isList = study.axes.size() > 1 && study.axes.front().values.size() > 1;
    inFile([&] { checkStudy(study); });
}

} // namespace heteroscape::engine
