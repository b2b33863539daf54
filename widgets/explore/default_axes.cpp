// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/default_axes.h"

#include "engine/evaluation/evaluate.h"
#include "engine/scenario/layout_choices.h"
#include "engine/scenario/parameters.h"
#include "engine/units/number_text.h"
#include "widgets/document/document.h"
#include "widgets/document/serving_view.h"
#include "widgets/explore/value_forms.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heteroscape::widgets {

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
    const double shown = now.isSet() ? engine::toEdge(now.value, quantity.spec.scale)
                                     : std::numeric_limits<double>::quiet_NaN();
    const auto values = valueForm(ValueForm::HalfSameTwice, quantity.spec, shown);
    return values.empty() ? engine::exactText(now.isSet() ? shown : quantity.spec.minimum) : values;
}

} // namespace heteroscape::widgets
