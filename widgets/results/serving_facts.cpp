// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/results/serving_facts.h"

#include "engine/plotting/ticks.h"
#include "widgets/document/metric_text.h"
#include "widgets/inspector/value_text.h"
#include "widgets/plots/chart.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QCoreApplication>
#include <QGridLayout>

#include <cmath>
#include <optional>

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
    ServingFact fact{name, shown(run, simulated), tip(simulated), false};
    const double most = run.evaluation.metric(closed);
    // The closed form is of the workload's batch; a server takes as many requests as fit.
    if (!run.evaluation.feasible || !(most > 0.0) || run.scenario.serving.batching->isServer())
        return fact;
    fact.value += ServingFactsWords::tr(" of %1, %2")
                      .arg(shown(run, closed), shareText(run.evaluation.metric(simulated) / most));
    fact.tip = ServingFactsWords::tr(
                   "%1 Beside it what the closed form gives: a system that always has another request "
                   "waiting.")
                   .arg(fact.tip);
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

/// How full KV caches are in mean; nothing where no request was recorded or no room is known.
std::optional<ServingFact> kvCache(const SimulationRun& run) {
    const auto& result = run.serving.result;
    double room = 0.0, tokens = 0.0, running = 0.0;
    for (const auto& node : run.serving.nodes)
        if (node.decodeBusy > 0.0)
            room += node.kvTokens * node.replicas;
    if (result.requests.empty() || result.depth.size() == 0 || !(room > 0.0))
        return std::nullopt;
    for (const auto& served : result.requests)
        tokens += (served.request.prompt + 0.5 * served.request.output) /
                  static_cast<double>(result.requests.size());
    for (std::size_t i = 0; i < result.depth.size(); ++i)
        running += result.depth.mean(i).running / static_cast<double>(result.depth.size());
    return ServingFact{
        ServingFactsWords::tr("KV cache"),
        ServingFactsWords::tr("about %1 of %2 tokens")
            .arg(shareText(running * tokens / room), shortNumber(room)),
        ServingFactsWords::tr(
            "Requests under way in mean, each with its prompt and half of its output, over the room that "
            "there is for KV caches.")};
}

} // namespace

std::vector<ServingFact> servingFacts(const SimulationRun& run) {
    std::vector<ServingFact> facts;
    facts.push_back(requests(run));
    facts.push_back(
        served(run, ServingFactsWords::tr("Tokens"), Metric::ServedThroughput, Metric::Throughput));
    facts.push_back(served(run, ServingFactsWords::tr("Rate"), Metric::ServedRequests, Metric::RequestRate));
    facts.push_back(goodput(run));
    if (auto fact = kvCache(run))
        facts.push_back(std::move(*fact));
    if (std::isfinite(run.evaluation.metric(Metric::ServedCost)))
        facts.push_back(
            {ServingFactsWords::tr("Cost"), shown(run, Metric::ServedCost), tip(Metric::ServedCost), false});
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

FactList::FactList(QWidget* parent) : QWidget(parent), m_grid(new QGridLayout(this)) {
    m_grid->setContentsMargins({});
    m_grid->setHorizontalSpacing(10);
    m_grid->setVerticalSpacing(1);
    m_grid->setColumnStretch(1, 1);
}

void FactList::setFacts(const std::vector<ServingFact>& facts, bool isOld) {
    while (m_rows.size() < facts.size()) {
        const int row = static_cast<int>(m_rows.size());
        auto* name = new TextLabel(TextSize::Caption, ColorRole::Muted, this);
        auto* value = new TextLabel(TextSize::Caption, ColorRole::Text, this);
        value->setWordWrap(true);
        value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_grid->addWidget(name, row, 0, Qt::AlignTop);
        m_grid->addWidget(value, row, 1);
        m_rows.emplace_back(name, value);
    }
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        auto [name, value] = m_rows[i];
        const auto fact = i < facts.size() ? facts[i] : ServingFact();
        name->setText(fact.name);
        value->setText(fact.value);
        value->setRole(isOld ? ColorRole::Muted : fact.warns ? ColorRole::Warning : ColorRole::Text);
        for (auto* label : {name, value}) {
            label->setToolTip(plainTip(fact.tip));
            label->setVisible(i < facts.size());
        }
    }
}

} // namespace heteroscape::widgets

#include "moc_serving_facts.cpp"
