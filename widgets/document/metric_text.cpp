// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/metric_text.h"

#include "engine/evaluation/rates.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/units/number_text.h"
#include "widgets/document/document.h"
#include "widgets/document/offload_view.h"
#include "widgets/document/serving_view.h"
#include "widgets/document/simulation_runner.h"
#include "widgets/glossary/glossary.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace heteroscape::widgets {

namespace {

struct UpperBoundWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::MetricsStrip)
};

} // namespace

bool isUpperBound(const engine::Scenario& scenario, engine::Metric metric) {
    const auto unit = engine::metricSpec(metric).unit;
    const bool hasTime = unit == "s" || unit.find("/s") != std::string_view::npos ||
                         unit.find("tok") != std::string_view::npos;
    return hasTime && engine::truthOf(scenario) == engine::Truth::Ideal;
}

QString upperBoundText() {
    return UpperBoundWords::tr("Ideal: upper bound");
}

QString upperBoundTip() {
    return UpperBoundWords::tr("The runtime reaches every peak: real servers are slower, often by 2 to 7 "
                               "times. Its efficiencies are in the inspector.");
}

QString bandText(const engine::ExpectedError& error) {
    const auto [below, above] = error.band();
    const auto percent = [](double share) { return std::max(1L, std::lround(100.0 * share)); };
    if (!(below > 0.0 && above > 0.0))
        return {};
    if (!error.byClass)
        return QStringLiteral("±%1\u202f%").arg(percent(std::expm1(above)));
    return QStringLiteral("\u2212%1 +%2\u202f%")
        .arg(percent(-std::expm1(-below)))
        .arg(percent(std::expm1(above)));
}

Pill* upperBoundPill(QWidget* parent) {
    auto* pill = new Pill(upperBoundText(), parent);
    pill->setToolTip(plainTip(upperBoundTip()));
    setTerm(pill, "ideal");
    pill->hide();
    return pill;
}

DurationUnit durationUnit(double seconds) {
    const double size = std::abs(seconds);
    if (size >= 18000.0)
        return {QStringLiteral("h"), 3600.0};
    if (size >= 300.0)
        return {QStringLiteral("min"), 60.0};
    if (size >= 1.0 || size == 0.0 || std::isnan(size))
        return {QStringLiteral("s"), 1.0};
    if (size >= 1e-3)
        return {QStringLiteral("ms"), 1e-3};
    return {QStringLiteral("\u00b5s"), 1e-6};
}

QString durationText(double seconds) {
    if (std::isnan(seconds))
        return QStringLiteral("\u2013");
    const auto unit = durationUnit(seconds);
    return QString::fromStdString(engine::shortText(seconds / unit.seconds)) + QStringLiteral("\u202f") +
           unit.name;
}

bool isTokenTime(std::string_view metric) {
    if (engine::isRatePath(metric))
        metric.remove_prefix(engine::kRatePrefix.size());
    return metric.starts_with("ttft") || metric.starts_with("tpot");
}

MetricUnit metricUnit(const engine::MetricSpec& spec, double value) {
    const auto shown = engine::shownUnit(spec.unit, value);
    return {QString::fromStdString(shown.name), shown.factor};
}

double decidesUnit(std::string_view metric, double one, double other) {
    return isTokenTime(metric) ? std::fmin(one, other) : std::fmax(one, other);
}

QString powerPartsText(engine::Metric metric, const engine::Evaluation& evaluation,
                       const SimulationRun* run) {
    using engine::Metric;
    engine::PowerParts parts{};
    if (run && (metric == Metric::ServedEnergy || metric == Metric::ServedPower))
        parts = run->serving.powerParts;
    else if (metric == Metric::EnergyPerToken || metric == Metric::Power)
        for (std::size_t i = 0; i < parts.size(); ++i)
            parts[i] = evaluation.metric(engine::partsOf(Metric::EnergyPerToken)[i]);
    const double all = std::accumulate(parts.begin(), parts.end(), 0.0);
    if (!(all > 0.0)) // or not known
        return {};
    std::vector<std::pair<double, QString>> told;
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (const double share = parts[i] / all; share >= 0.005)
            told.emplace_back(-share,
                              UpperBoundWords::tr("%1 %2\u202f%")
                                  .arg(QString::fromUtf8(engine::powerTermLabel(engine::PowerTerm(i))))
                                  .arg(std::lround(100.0 * share)));
    std::sort(told.begin(), told.end());
    QStringList lines;
    for (const auto& [share, text] : told)
        lines << text;
    return UpperBoundWords::tr("By what draws it: %1").arg(lines.join(QStringLiteral(", ")).toLower());
}

MetricText metricText(const engine::MetricSpec& spec, double value) {
    const auto unit = metricUnit(spec, value);
    return {std::isnan(value) ? QStringLiteral("\u2013")
                              : QString::fromStdString(engine::shortText(value * unit.factor)),
            unit.name};
}

std::optional<std::string> missingQuantity(const Document& document, engine::Metric metric) {
    for (const auto& node : document.results().scenario->nodes) {
        const auto prefix = "nodes." + node.id.value + ".device.";
        const auto& device = node.device;
        if (metric == engine::Metric::ThroughputPerArea && engine::isAccelerator(device.kind) &&
            !device.dieArea.isSet())
            return prefix + "die_area_mm2";
        const bool costs = metric == engine::Metric::CostPerToken;
        if ((costs || metric == engine::Metric::ThroughputPerPrice) && !engine::isFabric(device.kind) &&
            !device.price.isSet())
            return prefix + "price_usd";
        const auto* use = document.results().node(node.id);
        if ((!costs && metric != engine::Metric::ThroughputPerPower) || !use)
            continue;
        if (use->prefillBusy > 0.0 && !engine::hasPowerModel(device) && !device.powerPrefill.isSet())
            return prefix + "power_prefill_w";
        if (use->decodeBusy > 0.0 && !engine::hasPowerModel(device) && !device.powerDecode.isSet())
            return prefix + "power_decode_w";
        if (use->busy() < 1.0 && !engine::isFabric(device.kind) && !engine::powerFollowsLimit(device) &&
            !device.powerIdle.isSet())
            return prefix + "power_idle_w";
    }
    return std::nullopt;
}

} // namespace heteroscape::widgets
