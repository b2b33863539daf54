// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/exporters/claims_csv.h"

#include "engine/exporters/csv.h"
#include "engine/units/number_text.h"

#include <cmath>

namespace heteroscape::engine {

namespace {

std::string numberField(double value) {
    return std::isfinite(value) ? exactText(value) : std::string();
}

class ClaimsCsv {
public:
    std::string text =
        "paper,claim,part,variant,quantity,condition,unit,relation,paper_value,model_value,error,"
        "kind,misfit,where,scenario,note\n";

    void add(const std::string& paper, const ClaimResult& result) {
        const auto& claim = result.claim;
        addValue(paper, result, {}, {result.model, result.error, result.parts});
        for (std::size_t i = 0; i < claim.variants.size(); ++i)
            addValue(paper, result, claim.variants[i], result.variants[i]);
    }

private:
    void addValue(const std::string& paper, const ClaimResult& result, const std::string& variant,
                  const ClaimValue& value) {
        const auto& claim = result.claim;
        addRow({paper, claim.id, "", variant, claim.quantity, claim.condition, claim.unit,
                std::string(claimRelationName(claim.relation)), numberField(claim.paper),
                numberField(value.model), numberField(value.error), std::string(claimKindName(claim.kind)),
                variant.empty() ? (result.misfit ? "yes" : "no") : "", claim.where, claim.scenario,
                claim.note});
        for (std::size_t i = 0; i < claim.parts.size(); ++i)
            addRow({paper, claim.id, claim.parts[i].label, variant, claim.quantity, claim.condition,
                    claim.parts[i].unit, "", "", numberField(value.parts[i]), "", "", "", claim.where,
                    claim.scenario, ""});
    }

    void addRow(const std::vector<std::string>& fields) {
        for (std::size_t i = 0; i < fields.size(); ++i)
            text.append(i == 0 ? "" : ",").append(csvField(fields[i]));
        text += '\n';
    }
};

} // namespace

std::string claimsCsv(std::span<const PaperComparison> comparisons) {
    ClaimsCsv csv;
    for (const auto& comparison : comparisons)
        for (const auto& result : comparison.results)
            csv.add(comparison.paper.id, result);
    return std::move(csv.text);
}

} // namespace heteroscape::engine
