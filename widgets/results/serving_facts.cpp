// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/results/serving_facts.h"

#include "engine/plotting/ticks.h"
#include "engine/units/number_text.h"
#include "widgets/document/duration_text.h"
#include "widgets/inspector/value_text.h"
#include "widgets/plots/chart.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <cmath>

namespace heteroscape::widgets {

namespace {

using engine::Metric;

class ServingFactsWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::ServingPanel)
};

QString count(double value) {
    return QString::fromStdString(engine::tickText(value));
}
QString count(std::uint64_t value) {
    return count(static_cast<double>(value));
}

QString tip(Metric metric) {
    const auto about = engine::metricSpec(metric).about;
    return QString::fromUtf8(about);
}

QString shown(const SimulationRun& run, Metric metric) {
    const auto& spec = engine::metricSpec(metric);
    return withUnit(shortNumber(run.evaluation.metric(metric) / spec.scale), QString::fromUtf8(spec.unit));
}

ServingFact requests(const SimulationRun& run) {
    const auto& result = run.serving.result;
    ServingFact fact{ServingFactsWords::tr("Requests"),
                     ServingFactsWords::tr("%1 done").arg(count(result.done)),
                     {},
                     false};
    if (result.running > 0)
        fact.value += ServingFactsWords::tr(", %1 running").arg(count(result.running));
    if (result.queued > 0)
        fact.value += ServingFactsWords::tr(", %1 queued").arg(count(result.queued));
    fact.value += ServingFactsWords::tr(", %1 refused").arg(count(result.refused));
    fact.warns = result.refused > 0 || result.queued > 0;
    fact.tip =
        ServingFactsWords::tr("At the end of the simulation. Refused: %1").arg(tip(Metric::RequestsRefused));
    return fact;
}

/// "366 tok/s" and its share of the closed form.
ServingFact served(const SimulationRun& run, const QString& name, Metric simulated, Metric closed) {
    ServingFact fact{name, shown(run, simulated), {}, false};
    const double most = run.evaluation.metric(closed);
    if (run.evaluation.feasible && most > 0.0)
        fact.value += ServingFactsWords::tr(" of %1, %2")
                          .arg(shown(run, closed), shareText(run.evaluation.metric(simulated) / most));
    fact.tip = ServingFactsWords::tr(
                   "%1 Beside it what the closed form gives: a system that always has another request "
                   "waiting.")
                   .arg(tip(simulated));
    return fact;
}

ServingFact goodput(const SimulationRun& run) {
    const auto& serving = run.scenario.serving;
    const auto& result = run.serving.result;
    ServingFact fact{ServingFactsWords::tr("Goodput"), shown(run, Metric::Goodput), tip(Metric::Goodput),
                     false};
    if (!serving.ttftLimit.isSet() && !serving.tpotLimit.isSet())
        fact.value += ServingFactsWords::tr(", no limits set");
    else if (result.done > 0)
        fact.value +=
            ServingFactsWords::tr(", %1 within limits")
                .arg(shareText(static_cast<double>(result.good) / static_cast<double>(result.done)));
    return fact;
}

} // namespace

std::vector<ServingFact> servingFacts(const SimulationRun& run) {
    std::vector<ServingFact> facts;
    facts.push_back(requests(run));
    facts.push_back(
        served(run, ServingFactsWords::tr("Tokens"), Metric::ServedThroughput, Metric::Throughput));
    facts.push_back(served(run, ServingFactsWords::tr("Rate"), Metric::ServedRequests, Metric::RequestRate));
    facts.push_back(goodput(run));
    const double power = run.evaluation.metric(Metric::ServedPower);
    facts.push_back(
        {ServingFactsWords::tr("Power"),
         std::isnan(power)
             ? ServingFactsWords::tr("\u2013, not every device has one")
             : ServingFactsWords::tr("%1, %2").arg(wattsText(power), shown(run, Metric::ServedEnergy)),
         QStringLiteral("%1 %2").arg(tip(Metric::ServedPower), tip(Metric::ServedEnergy)), false});
    return facts;
}

QString servingHeadline(const SimulationRun& run) {
    const auto& serving = run.scenario.serving;
    const auto& result = run.serving.result;
    const auto number = count(result.arrived + result.refused);
    const auto time = durationText(result.end);
    return ServingFactsWords::tr("%1: done in %2")
        .arg(QString::fromStdString(serving.arrivals->describe(serving, number.toStdString())), time);
}

} // namespace heteroscape::widgets
