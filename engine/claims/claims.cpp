// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/claims/claims.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/catalog/named.h"
#include "engine/claims/expression.h"
#include "engine/scenario/scenario_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

constexpr std::array<std::string_view, 6> kClaimKindNames{"count",     "calibrated", "chosen",
                                                          "predicted", "computed",   "trend"};

class Counter {
public:
    void add(const ClaimResult& result) {
        auto& kind = m_kinds[static_cast<std::size_t>(result.claim.kind)];
        ++kind.claims;
        for (std::size_t i = 0; i < kSummaryWithin.size(); ++i)
            kind.within[i] += std::fabs(result.error) <= kSummaryWithin[i] ? 1 : 0; // NaN is within nothing
    }

    std::vector<KindSummary> summary() const {
        std::vector<KindSummary> found;
        for (std::size_t i = 0; i < m_kinds.size(); ++i)
            if (m_kinds[i].claims > 0) {
                found.push_back(m_kinds[i]);
                found.back().kind = static_cast<ClaimKind>(i);
            }
        return found;
    }

private:
    std::array<KindSummary, kClaimKindNames.size()> m_kinds{};
};

} // namespace

std::vector<KindSummary> summarise(std::span<const ClaimResult> results) {
    Counter counter;
    for (const auto& result : results)
        counter.add(result);
    return counter.summary();
}

std::vector<KindSummary> summarise(std::span<const PaperComparison> comparisons) {
    Counter counter;
    for (const auto& comparison : comparisons)
        for (const auto& result : comparison.results)
            counter.add(result);
    return counter.summary();
}

std::string summaryText(std::span<const KindSummary> summary) {
    std::string text;
    for (const auto& kind : summary) {
        std::string name(claimKindName(kind.kind));
        name.front() = static_cast<char>(name.front() - 'a' + 'A');
        text += (text.empty() ? "" : " ") + name + ": ";
        for (std::size_t i = 0; i < kSummaryWithin.size(); ++i) {
            if (i > 0 && kind.within[i] == kind.within[i - 1])
                continue;
            text += i == 0 ? std::to_string(kind.within[i]) + " of " + std::to_string(kind.claims)
                           : ", " + std::to_string(kind.within[i]);
            text += kind.kind == ClaimKind::Trend
                        ? " hold"
                        : " within " + std::to_string(std::lround(100.0 * kSummaryWithin[i])) + " %";
        }
        text += '.';
    }
    return text;
}

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 3> kRelationNames{"equal", "at_most", "at_least"};

std::string claimsFile(const Catalog& catalog, const std::string& paper) {
    return catalog.paper(paper, "paper").path + "/claims.json";
}

Claim readClaim(const Json& json, const std::string& where) {
    JsonObject object(json, where);
    Claim claim;
    claim.id = readId(object, "id");
    claim.quantity = object.text("quantity");
    claim.condition = object.text("condition", "");
    claim.unit = object.text("unit", "");
    claim.kind = static_cast<ClaimKind>(readName(object, "kind", kClaimKindNames));
    claim.paper = 1.0; // a trend holds
    if (claim.kind != ClaimKind::Trend) {
        const auto& paper = object.require("paper");
        if (!paper.is_number() || paper.get<double>() == 0.0)
            throwInvalid(object.place("paper"), "expected the paper's number, not zero");
        claim.paper = paper.get<double>();
    }
    claim.headline = object.boolean("headline", false);
    claim.where = object.text("where");
    claim.note = object.text("note", "");
    claim.scenario = object.text("scenario");
    if (object.has("relation"))
        claim.relation = static_cast<ClaimRelation>(readName(object, "relation", kRelationNames));
    if (const auto* above = object.find("misfit_above")) {
        if (!above->is_number() || !(above->get<double>() > 0.0))
            throwInvalid(object.place("misfit_above"), "expected a share above 0, such as 0.05");
        claim.misfitAbove = above->get<double>();
    }
    claim.model = std::make_shared<const Json>(object.require("model"));
    if (object.has("parts")) {
        const auto& parts = object.array("parts");
        for (std::size_t i = 0; i < parts.size(); ++i) {
            JsonObject part(parts[i], object.place("parts[" + std::to_string(i) + "]"));
            claim.parts.push_back({part.text("label"), part.text("unit", ""),
                                   std::make_shared<const Json>(part.require("model"))});
            part.finish();
        }
    }
    claim.variants = readTexts(object, "variants");
    object.finish();
    return claim;
}

ClaimVariant readVariant(const Json& json, const std::string& where) {
    JsonObject object(json, where);
    ClaimVariant variant;
    variant.id = readId(object, "id");
    variant.label = object.text("label");
    const auto& settings = object.require("set");
    if (!settings.is_object())
        throwInvalid(object.place("set"), "expected an object of parameter paths and values");
    variant.settings = std::make_shared<const Json>(settings);
    object.finish();
    return variant;
}

const ClaimVariant& variantOf(const Paper& paper, const std::string& id, const std::string& where) {
    for (const auto& variant : paper.variants)
        if (variant.id == id)
            return variant;
    throwInvalid(where, "the paper has no variant \"" + id.substr(0, 80) + "\"");
}

double errorOf(const Claim& claim, double model) {
    const double error = model / claim.paper - 1.0;
    const bool holds = (claim.relation == ClaimRelation::AtMost && error <= 0.0) ||
                       (claim.relation == ClaimRelation::AtLeast && error >= 0.0);
    return holds ? 0.0 : error;
}

ClaimValue valueOf(ExpressionEvaluator& evaluator, const Claim& claim, const std::string& where) {
    ClaimValue value;
    value.model = evaluator.value(*claim.model, where);
    value.error = errorOf(claim, value.model);
    for (const auto& part : claim.parts)
        value.parts.push_back(evaluator.value(*part.model, where + "." + part.label));
    return value;
}

std::vector<std::string> scenarioIds(const Catalog& catalog, const std::string& paper) {
    std::vector<std::string> ids;
    for (const auto& id : catalog.systems)
        if (id.starts_with(paper + "/"))
            ids.push_back(id);
    return ids;
}

} // namespace

std::string_view claimKindName(ClaimKind kind) {
    return kClaimKindNames[static_cast<std::size_t>(kind)];
}

std::string_view claimRelationName(ClaimRelation relation) {
    return kRelationNames[static_cast<std::size_t>(relation)];
}

std::vector<std::string> listPapers(const Catalog& catalog) {
    std::vector<std::string> ids;
    for (const auto& paper : catalog.papers)
        if (fs::exists(claimsFile(catalog, paper.id)))
            ids.push_back(paper.id);
    return ids;
}

Paper loadPaper(const Catalog& catalog, const std::string& id) {
    const auto ids = listPapers(catalog);
    if (std::find(ids.begin(), ids.end(), id) == ids.end())
        throw Error(ErrorCode::NotFound, "paper", "unknown paper \"" + id.substr(0, 80) + "\"",
                    "Allowed: " + joined(ids));
    const auto path = claimsFile(catalog, id);
    const auto json = readJsonFile(path);
    JsonObject object(json, path);
    Paper paper;
    paper.file = path;
    paper.id = object.text("id");
    paper.name = object.text("name");
    paper.title = object.text("title");
    paper.about = object.text("about", "");
    if (object.has("variants")) {
        const auto& variants = object.array("variants");
        for (std::size_t i = 0; i < variants.size(); ++i)
            paper.variants.push_back(
                readVariant(variants[i], object.place("variants[" + std::to_string(i) + "]")));
    }
    const auto& claims = object.array("claims");
    for (std::size_t i = 0; i < claims.size(); ++i)
        paper.claims.push_back(readClaim(claims[i], path + ".claims[" + std::to_string(i) + "]"));
    object.finish();
    paper.scenarios = scenarioIds(catalog, id);
    return paper;
}

std::vector<Paper> loadPapers(const Catalog& catalog) {
    std::vector<Paper> papers;
    for (const auto& id : listPapers(catalog))
        papers.push_back(loadPaper(catalog, id));
    return papers;
}

Scenario loadPreset(const Catalog& catalog, const std::string& id, const std::string& where) {
    return loadScenario(catalog.designFile(id, where), catalog);
}

std::vector<PresetInfo> listPresets(const Catalog& catalog) {
    std::vector<PresetInfo> presets;
    for (const auto& id : catalog.systems) {
        const auto scenario = loadPreset(catalog, id, id);
        presets.push_back({id, scenario.name, scenario.about});
    }
    return presets;
}

namespace {

/// Of a claim whose expression has no answer.
ClaimValue noValue(const Claim& claim) {
    return {kUnset, kUnset, std::vector<double>(claim.parts.size(), kUnset)};
}

ClaimResult notComputed(const Claim& claim, const Error& error, const std::string& where) {
    // Some errors name a path or a metric alone.
    const bool isPlaced = error.where().find(where) != std::string::npos;
    return {claim,
            kUnset,
            kUnset,
            true,
            noValue(claim).parts,
            std::vector<ClaimValue>(claim.variants.size(), noValue(claim)),
            Truth::Modelled,
            (isPlaced ? "" : where + ": ") + error.what()};
}

ClaimResult resultOf(ExpressionEvaluator& evaluator, const Paper& paper, const Claim& claim,
                     const std::string& where) {
    auto value = valueOf(evaluator, claim, where);
    ClaimResult result{claim, value.model,     value.error, false, std::move(value.parts),
                       {},    Truth::Modelled, {}};
    for (const auto& id : claim.variants) {
        const auto& variant = variantOf(paper, id, where + ".variants");
        evaluator.assume(variant.settings->get<ExpressionEvaluator::Settings>());
        result.variants.push_back(valueOf(evaluator, claim, where));
        evaluator.assume({});
    }
    // A number that is none is a misfit too.
    result.misfit = !(std::fabs(result.error) <= claim.misfitAbove);
    return result;
}

} // namespace

PaperComparison compare(const Catalog& catalog, const Paper& paper, const std::stop_token& stop) {
    PaperComparison comparison{paper, {}, 0.0, 0};
    ExpressionEvaluator evaluator(catalog);
    double predicted = 0.0;
    std::map<std::string, Truth> truths; // of scenarios
    for (const auto& claim : paper.claims) {
        const auto where = (paper.file.empty() ? paper.id : paper.file) + "." + claim.id;
        if (stop.stop_requested())
            throw Error(ErrorCode::Cancelled, where, "cancelled");
        ClaimResult result;
        try {
            result = resultOf(evaluator, paper, claim, where);
            if (!truths.contains(claim.scenario))
                truths.emplace(claim.scenario,
                               truthOf(loadPreset(catalog, claim.scenario, where + ".scenario")));
            result.truth = truths.at(claim.scenario);
        } catch (const Error& error) {
            result = notComputed(claim, error, where);
            evaluator.assume({}); // what it stopped within
        }
        comparison.misfits += result.misfit ? 1 : 0;
        if (claim.kind == ClaimKind::Predicted && result.problem.empty()) {
            comparison.meanPredictedError += std::fabs(result.error);
            ++predicted;
        }
        comparison.results.push_back(std::move(result));
    }
    if (predicted > 0)
        comparison.meanPredictedError /= predicted;
    return comparison;
}

} // namespace heteroscape::engine
