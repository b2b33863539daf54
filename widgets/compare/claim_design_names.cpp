// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/claim_design_names.h"

#include "engine/evaluation/metric.h"
#include "widgets/compare/claim_text.h"
#include "widgets/document/difference_name.h"
#include "widgets/document/metric_text.h"
#include "widgets/plots/chart.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <set>

namespace heteroscape::widgets {

namespace {

struct ClaimDesignWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::ClaimsPage)
};

/// A claim may change its model and lengths from design to design.
constexpr std::size_t kMostDifferences = 3;

/// Whether each says something, and no two the same.
bool tellApart(const std::vector<QString>& texts) {
    return std::set<QString>(texts.begin(), texts.end()).size() == texts.size() &&
           std::find(texts.begin(), texts.end(), QString()) == texts.end();
}

std::vector<QString> ownNames(const std::vector<engine::ClaimDesign>& designs) {
    std::vector<engine::Scenario> scenarios;
    std::vector<QString> presets, counted;
    for (const auto& design : designs) {
        scenarios.push_back(design.scenario);
        presets.push_back(QString::fromStdString(design.scenario.name));
        counted.push_back(ClaimDesignWords::tr("design %1 of %2").arg(scenarios.size()).arg(designs.size()));
    }
    const auto differences = differenceNames(scenarios, kMostDifferences);
    return tellApart(differences) ? differences : tellApart(presets) ? presets : counted;
}

} // namespace

std::vector<ClaimDesignName> claimDesignNames(const engine::Claim& claim, const QString& paper,
                                              const std::vector<engine::ClaimDesign>& designs) {
    const auto own = designs.size() > 1 ? ownNames(designs) : std::vector<QString>(designs.size());
    std::vector<ClaimDesignName> names;
    for (const auto& one : own) {
        QStringList parts{QString::fromStdString(claim.quantity), QString::fromStdString(claim.condition),
                          one};
        parts.removeAll(QString());
        names.push_back({one, ClaimDesignWords::tr("%1 (%2)").arg(parts.join(QStringLiteral(", ")), paper)});
    }
    return names;
}

QString claimDesignValue(const engine::ClaimDesign& design) {
    const auto* spec = engine::findMetric(design.metric);
    if (!spec)
        return QString::fromStdString(design.metric) + u' ' + claimNumber(design.value, 4);
    const auto unit = metricUnit(*spec, design.value);
    return QString::fromUtf8(spec->label) + u' ' +
           withUnit(claimNumber(design.value * unit.factor, 4), unit.name);
}

} // namespace heteroscape::widgets
