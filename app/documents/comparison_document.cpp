// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/comparison_document.h"

#include "app/documents/number.h"

#include "engine/units/number_text.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

Json partsJson(const Claim& claim, const std::vector<double>& values) {
    Json parts = Json::array();
    for (std::size_t i = 0; i < claim.parts.size(); ++i)
        parts.push_back(
            {{"label", claim.parts[i].label}, {"unit", claim.parts[i].unit}, {"model", number(values[i])}});
    return parts;
}

Json claimsJson(const std::vector<KindSummary>& summary) {
    Json kinds = Json::array();
    for (const auto& kind : summary) {
        Json one = {{"kind", claimKindName(kind.kind)}, {"claims", kind.claims}};
        for (std::size_t i = 0; i < kSummaryWithin.size(); ++i)
            one["within_" + exactText(100.0 * kSummaryWithin[i]) + "_percent"] = kind.within[i];
        kinds.push_back(std::move(one));
    }
    return kinds;
}

} // namespace

std::string statedText(const Claim& claim) {
    constexpr std::array<const char*, 3> relations{"", "\u2264 ", "\u2265 "};
    return claim.kind == ClaimKind::Trend
               ? "holds"
               : relations[static_cast<std::size_t>(claim.relation)] + exactText(claim.paper);
}

std::string computedText(const Claim& claim, double model) {
    if (claim.kind == ClaimKind::Trend && std::isfinite(model))
        return model == claim.paper ? "holds" : "does not hold";
    return shortText(model, 5);
}

std::string deviationText(const ClaimResult& result) {
    if (!std::isfinite(result.error))
        return "\u2013";
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%+.2f%%", 100.0 * result.error);
    return result.claim.kind == ClaimKind::Trend ? "" : buffer;
}

std::string markText(const ClaimResult& result) {
    const std::string misfit = !result.problem.empty() ? "not computed" : result.misfit ? "misfit" : "";
    return result.truth != Truth::Ideal ? misfit : misfit.empty() ? "ideal" : misfit + ", ideal";
}

Json comparisonJson(const PaperComparison& comparison) {
    Json claims = Json::array();
    for (const auto& result : comparison.results) {
        const auto& claim = result.claim;
        Json one = {{"id", claim.id},
                    {"quantity", claim.quantity},
                    {"condition", claim.condition},
                    {"unit", claim.unit},
                    {"paper", claim.paper},
                    {"model", number(result.model)},
                    {"error", number(result.error)},
                    {"kind", claimKindName(claim.kind)},
                    {"misfit", result.misfit},
                    {"where", claim.where},
                    {"scenario", claim.scenario},
                    {"note", claim.note}};
        if (claim.relation != ClaimRelation::Equal)
            one["relation"] = claimRelationName(claim.relation);
        if (!result.problem.empty())
            one["problem"] = result.problem;
        if (result.truth == Truth::Ideal)
            one["truth"] = truthName(result.truth);
        if (!claim.parts.empty())
            one["parts"] = partsJson(claim, result.parts);
        for (std::size_t i = 0; i < claim.variants.size(); ++i) {
            const auto& value = result.variants[i];
            auto& variant = one["variants"][claim.variants[i]];
            variant = {{"model", number(value.model)}, {"error", number(value.error)}};
            if (!claim.parts.empty())
                variant["parts"] = partsJson(claim, value.parts);
        }
        claims.push_back(std::move(one));
    }
    return {{"paper", comparison.paper.id},
            {"title", comparison.paper.title},
            {"misfits", comparison.misfits},
            {"mean_predicted_error", comparison.meanPredictedError},
            {"summary", claimsJson(summarise(comparison.results))},
            {"claims", std::move(claims)}};
}

Json designsJson(const std::vector<Scenario>& designs, const ComparedDesigns& compared) {
    const auto nameOf = [](Truth truth) { return truthName(truth); };
    Json json = {{"designs", Json::array()}, {"metrics", Json::object()}};
    for (std::size_t i = 0; i < designs.size(); ++i)
        json["designs"].push_back({{"name", designs[i].name}, {"truth", nameOf(compared.truths[i])}});
    if (compared.alike)
        json["compared_by"] = nameOf(*compared.alike);
    json["unlike"] = compared.unlike;
    for (const auto& metric : compared.metrics) {
        auto& one = json["metrics"][std::string(metricSpec(metric.metric).key)];
        for (std::size_t i = 0; i < designs.size(); ++i) {
            one["own"].push_back(number(metric.own[i] / metricSpec(metric.metric).scale));
            if (!metric.alike.empty())
                one["alike"].push_back(number(metric.alike[i] / metricSpec(metric.metric).scale));
            one["ratio"].push_back(number(metric.held()[i] / metric.held().front()));
            one["no_result"].push_back(compared.saysNothing(metric, i));
        }
    }
    return json;
}

} // namespace heteroscape::cli
