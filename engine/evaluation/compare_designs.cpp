// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/compare_designs.h"

#include "engine/evaluation/evaluate.h"
#include "engine/scenario/edit.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr Metric kCompared[] = {
    Metric::Throughput,     Metric::TimeToFirstToken, Metric::TimePerToken, Metric::Latency,
    Metric::EnergyPerToken, Metric::CostPerToken,     Metric::Power,        Metric::Price};

std::vector<double> figures(std::span<const Evaluation> evaluations, Metric metric) {
    std::vector<double> values;
    for (const auto& evaluation : evaluations)
        values.push_back(evaluation.feasible ? evaluation.metric(metric) : kUnset);
    return values;
}

std::vector<Evaluation> evaluated(std::span<const Scenario> designs) {
    std::vector<Evaluation> evaluations;
    for (const auto& design : designs)
        evaluations.push_back(evaluate(design));
    return evaluations;
}

} // namespace

bool isNoResult(Truth truth, Metric metric, double ratio) {
    constexpr double kWithin = 1.5;
    const auto unit = metricSpec(metric).unit; // a time, a rate, or what is told per token
    const bool ofSpeed = unit.ends_with("s") || unit.find("tok") != unit.npos;
    return truth == Truth::Class && ofSpeed && ratio < kWithin && ratio > 1.0 / kWithin;
}

bool ComparedDesigns::saysNothing(const ComparedMetric& metric, std::size_t design) const {
    return design > 0 && isNoResult(alike.value_or(*std::min_element(truths.begin(), truths.end())),
                                    metric.metric, metric.held()[design] / metric.held().front());
}

ComparedDesigns compareDesigns(std::span<const Scenario> designs, const Catalog& catalog) {
    ComparedDesigns compared;
    Truths truths;
    for (const auto& design : designs) {
        compared.truths.push_back(truthOf(design));
        truths.add(compared.truths.back());
    }
    const auto own = evaluated(designs);
    std::vector<Evaluation> alike;
    if (truths.areMixed()) {
        const auto edits = likeForLike(designs, catalog);
        compared.unlike = edits.empty();
        std::vector<Scenario> made(designs.begin(), designs.end());
        for (std::size_t i = 0; i < edits.size(); ++i)
            applyEdit(made[i], edits[i]);
        if (!edits.empty()) {
            compared.alike = truthOf(made.front());
            alike = evaluated(made);
        }
    }
    for (const auto metric : kCompared)
        compared.metrics.push_back({metric, figures(own, metric), figures(alike, metric)});
    return compared;
}

} // namespace heteroscape::engine
