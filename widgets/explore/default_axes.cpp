// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/default_axes.h"

#include "engine/evaluation/evaluate.h"
#include "engine/scenario/layout_choices.h"
#include "engine/scenario/parameters.h"
#include "engine/study/point_list.h"
#include "engine/units/number_text.h"
#include "widgets/document/document.h"
#include "widgets/document/serving_view.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

namespace heteroscape::widgets {

QString parameterName(const engine::Scenario& scenario, const std::string& path,
                      const engine::FieldSpec& spec) {
    const auto label = QString::fromUtf8(spec.label);
    const auto first = path.find('.');
    const auto second = path.find('.', first + 1);
    const auto id = path.substr(first + 1, second == std::string::npos ? second : second - first - 1);
    std::string owner;
    if (path.starts_with("nodes.")) {
        if (const auto* node = scenario.findNode({id}))
            owner = node->shownName();
    } else if (path.starts_with("links."))
        if (const auto* link = scenario.findLink({id}))
            owner = link->type.name;
    return owner.empty() ? label : QStringLiteral("%1: %2").arg(QString::fromStdString(owner), label);
}

namespace {

/// 1, 2 or 5 times a power of ten, the largest not above `value`.
double niceStep(double value) {
    const double ten = std::pow(10.0, std::floor(std::log10(value)));
    for (const double factor : {5.0, 2.0})
        if (factor * ten <= value)
            return engine::cleaned(factor * ten);
    return engine::cleaned(ten);
}

std::string joined(double from, double to, const std::string& rest) {
    return from < to ? engine::exactText(from) + ":" + engine::exactText(to) + ":" + rest : std::string();
}

std::string halfSameTwice(const engine::FieldSpec& spec, double now) {
    std::vector<double> values;
    for (const double factor : {0.5, 1.0, 2.0}) {
        double value = std::clamp(engine::cleaned(now * factor), spec.minimum, spec.maximum);
        if (spec.integer)
            value = std::round(value);
        if (std::find(values.begin(), values.end(), value) == values.end())
            values.push_back(value);
    }
    std::string text;
    for (const double value : values)
        text += (text.empty() ? "" : ",") + engine::exactText(value);
    return values.size() < 2 ? std::string() : text;
}

std::string powersOfTwo(const engine::FieldSpec& spec, double now) {
    const double near = std::floor(std::log2(now));
    double low = near - 2, high = std::ceil(std::log2(now)) + 2;
    if (const double least = std::max(spec.minimum, spec.integer ? 1.0 : 0.0); least > 0)
        low = std::max(low, std::ceil(std::log2(least)));
    high = std::min(high, std::floor(std::log2(spec.maximum)));
    return joined(std::exp2(low), std::exp2(high), "*2");
}

std::string range(const engine::FieldSpec& spec, double now) {
    double step = niceStep(now / 4);
    if (spec.integer)
        step = std::max(1.0, step);
    double from = step * std::ceil(now / 2 / step - 1e-9);
    double to = std::max(step * std::floor(2 * now / step + 1e-9), from + 4 * step);
    if (from < spec.minimum)
        from = spec.minimum;
    to = std::min(to, spec.maximum);
    return joined(engine::cleaned(from), engine::cleaned(to), engine::exactText(step));
}

std::string logSteps(const engine::FieldSpec& spec, double now) {
    double from = rounded(now / 10, 2), to = rounded(now * 10, 2);
    if (spec.integer) {
        from = std::max(1.0, std::round(from));
        to = std::round(to);
    }
    if (from < spec.minimum)
        from = spec.minimum;
    to = std::min(to, spec.maximum);
    return from > 0 ? joined(from, to, "log7") : std::string();
}

} // namespace

double rounded(double value, int digits) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    return std::strtod(text, nullptr);
}

std::string valueForm(ValueForm form, const engine::FieldSpec& spec, double now) {
    if (!(now > 0)) // not set, or at the zero that no factor leads away from
        now = spec.minimum > 0 ? spec.minimum : std::min(1.0, spec.maximum);
    if (!(now > 0) || !std::isfinite(now))
        return {};
    switch (form) {
    case ValueForm::HalfSameTwice:
        return halfSameTwice(spec, now);
    case ValueForm::PowersOfTwo:
        return powersOfTwo(spec, now);
    case ValueForm::Range:
        return range(spec, now);
    case ValueForm::LogSteps:
        return logSteps(spec, now);
    }
    return {};
}

namespace {

constexpr std::size_t kShortestRun = 4; // fewer values are as short written out

/// The end (past the last) of the stretch from `from` that goes on as its first two values do.
std::size_t runEnd(const std::vector<double>& values, std::size_t from, bool doubling) {
    std::size_t end = std::min(from + 2, values.size());
    const double step = end == from + 2 ? engine::cleaned(values[from + 1] - values[from]) : 0.0;
    while (end < values.size() &&
           (doubling ? values[end] == 2 * values[end - 1]
                     : values[end] == engine::cleaned(values[from] + static_cast<double>(end - from) * step)))
        ++end;
    return end;
}

/// Whether the values lie evenly on a log scale, so that they read back the same whether or not the
/// parameter is whole.
bool isLogSpaced(const std::vector<double>& values) {
    return values.size() >= kShortestRun && values.front() > 0 && values.back() > 0 &&
           values == engine::spacedValues(values.front(), values.back(), values.size(), engine::Spacing::Log,
                                          false);
}

} // namespace

AxisText axisText(const engine::Axis& axis) {
    std::string text;
    const auto add = [&text](const std::string& piece) { text += (text.empty() ? "" : ",") + piece; };
    for (const auto& name : axis.names)
        add(name);
    const bool doubles = axis.values.size() > 1 && runEnd(axis.values, 0, true) == axis.values.size();
    if (axis.names.empty() && !doubles && isLogSpaced(axis.values))
        return {axis.path, engine::exactText(axis.values.front()) + ":" +
                               engine::exactText(axis.values.back()) + ":log" +
                               std::to_string(axis.values.size())};
    for (std::size_t i = 0; axis.names.empty() && i < axis.values.size();) {
        const auto& values = axis.values;
        const auto steps = runEnd(values, i, false);
        const bool mayDouble = i + 1 < values.size() && values[i + 1] == 2 * values[i];
        const auto doublings = mayDouble ? runEnd(values, i, true) : i;
        const auto end = std::max(steps, doublings);
        if (end - i < kShortestRun) {
            add(engine::exactText(values[i++]));
            continue;
        }
        auto run = engine::exactText(values[i]) + ":" + engine::exactText(values[end - 1]);
        if (end == doublings)
            run += ":*2";
        else if (const double step = engine::cleaned(values[i + 1] - values[i]); step != 1)
            run += ":" + engine::exactText(step);
        add(run);
        i = end;
    }
    return {axis.path, text};
}

namespace {

/// Doublings up to the present count, then it and twice it: as many as leave every copy whole.
std::string sharedCounts(const engine::Node& node) {
    const double now = node.count.value, copies = engine::replicas(node);
    std::vector<double> counts;
    for (double count = 1; count < now; count *= 2)
        counts.push_back(count);
    counts.insert(counts.end(), {now, 2 * now});
    std::string text;
    for (const double count : counts)
        if (std::fmod(count, copies) == 0)
            text += (text.empty() ? "" : ",") + engine::exactText(count);
    return text;
}

/// Request rates from a fifth of what the closed form serves to a fifth above it.
std::string rates(const engine::Scenario& scenario) {
    const auto evaluation = engine::evaluate(scenario);
    const double most = evaluation.metric(engine::Metric::RequestRate);
    if (!evaluation.feasible || !(most > 0.0))
        return {};
    const double tenth = rounded(0.1 * most, 2);
    const auto text = [](double value) { return engine::exactText(rounded(value, 12)); };
    return text(2 * tenth) + ":" + text(12 * tenth) + ":" + text(tenth);
}

/// A limit around the same time without waiting, seconds.
std::string limits(const engine::Scenario& scenario, engine::Metric metric) {
    const auto evaluation = engine::evaluate(scenario);
    const double time = evaluation.metric(metric);
    if (!evaluation.feasible || !(time > 0.0))
        return {};
    std::string text;
    for (const double factor : {1.0, 1.5, 2.0, 5.0, 10.0, 20.0})
        text += (text.empty() ? "" : ",") + engine::exactText(rounded(1.05 * factor * time, 2));
    return text;
}

template <class Kinds>
std::string idsOf(const Kinds& kinds) {
    std::string text;
    for (const auto* kind : kinds)
        text.append(text.empty() ? "" : ",").append(kind->id());
    return text;
}

/// What is worth sweeping of how requests come in and are served; empty: nothing in particular.
std::string servingValues(const engine::Scenario& scenario, const std::string& path) {
    for (const auto* kind : engine::arrivalKinds().all())
        if (!kind->rateKey().empty() && path == "serving." + std::string(kind->rateKey()))
            return rates(scenario);
    if (path == "serving.seed")
        return "1:5:1";
    if (path == "serving.chunk_tokens")
        return "128:1024:*2";
    if (path == "serving.ttft_limit_s")
        return limits(scenario, engine::Metric::TimeToFirstToken);
    if (path == "serving.tpot_limit_s")
        return limits(scenario, engine::Metric::TimePerToken);
    if (path == "serving.e2e_limit_s")
        return limits(scenario, engine::Metric::Latency);
    if (path == "serving.arrivals")
        return idsOf(readyArrivals());
    if (path == "serving.batching")
        return idsOf(engine::batchingKinds().all());
    return {};
}

/// What the technique that a path belongs to says of it.
std::string techniqueValues(const std::string& path) {
    for (const auto* kind : engine::techniqueKinds().all())
        for (std::size_t i = 0; i < kind->parameters().size(); ++i)
            if (path ==
                "techniques." + std::string(kind->id()) + "." + std::string(kind->parameters()[i].spec.key))
                return std::string(kind->studyValues(i));
    return {};
}

} // namespace

engine::Shared<engine::Scenario> baseOfStudies(const Document& document) {
    auto base = document.shared();
    if (base->keepsAny())
        base.change([](engine::Scenario& design) { design.dropKept(); });
    return base;
}

std::vector<AxisText> defaultAxes(const engine::Scenario& scenario) {
    std::vector<AxisText> axes;
    const engine::Node* swept = nullptr;
    for (const auto& node : scenario.nodes) {
        const auto role = engine::effectiveRole(scenario, node);
        const bool decodes = role == engine::Role::Decode || role == engine::Role::Both;
        if (decodes && engine::isAccelerator(node.device.kind) && (!swept || role == engine::Role::Decode)) {
            swept = &node;
            if (role == engine::Role::Decode)
                break;
        }
    }
    if (!swept)
        return axes;
    const auto count = "nodes." + swept->id.value + ".count";
    if (engine::tensorParallel(*swept) > 1)
        axes.push_back({count, sharedCounts(*swept)});
    else
        axes.push_back({count, "1:" + engine::exactText(std::max(7.0, swept->count.valueOr(1))) + ":1"});
    for (const auto* kind : engine::techniqueKinds().all())
        if (const auto axis = kind->studyAxis(scenario, *swept); !axis.key.empty())
            axes.push_back({"techniques." + std::string(kind->id()) + "." + std::string(axis.key),
                            std::string(axis.values)});
    return axes;
}

std::string startingValues(const engine::Scenario& scenario, const engine::Catalog& catalog,
                           const std::string& path) {
    const auto parameter = engine::findParameter(scenario, catalog, path);
    if (auto text = servingValues(scenario, path); !text.empty())
        return text;
    if (auto text = techniqueValues(path); !text.empty())
        return text;
    if (parameter.kind == engine::ParameterKind::Boolean)
        return "false,true";
    if (engine::isLayoutPath(path))
        return kValidLayouts;
    if (parameter.kind == engine::ParameterKind::Choice)
        return engine::parameterText(scenario, parameter);
    const auto quantity = engine::resolveQuantity(scenario, path);
    const auto& now = quantity.in(scenario);
    const double shown = now.isSet() ? engine::shownValue(now.value, quantity.spec.scale)
                                     : std::numeric_limits<double>::quiet_NaN();
    const auto values = valueForm(ValueForm::HalfSameTwice, quantity.spec, shown);
    return values.empty() ? engine::exactText(now.isSet() ? shown : quantity.spec.minimum) : values;
}

} // namespace heteroscape::widgets
