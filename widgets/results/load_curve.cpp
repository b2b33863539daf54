// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/results/load_curve.h"

#include "engine/evaluation/metric.h"
#include "engine/plotting/crossover.h"
#include "engine/study/point_list.h"
#include "engine/study_run/evaluate_study.h"
#include "engine/units/number_text.h"
#include "widgets/inspector/value_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace heteroscape::widgets {

using engine::Metric;

namespace {

constexpr std::size_t kRates = 13;
constexpr double kLeastUsers = 256.0; ///< that curves reach to

struct LoadWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::LoadPanel)
};

} // namespace

std::vector<double> loadsFor(const engine::FieldSpec& spec, double load, double capacity) {
    const bool isKnown = std::isfinite(capacity) && capacity > 0.0;
    const double most =
        spec.integer ? std::max(kLeastUsers, 2.0 * load) : 1.5 * std::max(isKnown ? capacity : load, load);
    const double upper = std::min(std::exp2(std::ceil(std::log2(most))), spec.maximum);
    if (!spec.integer)
        return engine::spacedValues(upper / 64.0, upper, kRates, engine::Spacing::Log, false);
    std::vector<double> users{1.0};
    for (double two = 2.0; two < upper; two *= 2.0)
        users.insert(users.end(), {two, 1.5 * two});
    users.push_back(upper);
    return users;
}

LoadCurve simulatedLoads(const engine::Scenario& design, const std::string& path, std::vector<double> loads,
                         const std::stop_token& stop) {
    engine::Study study;
    study.name = design.name;
    study.base = design;
    study.axes = {{path, std::move(loads)}};
    LoadCurve curve;
    const std::pair<Metric, std::vector<double>*> wanted[] = {{Metric::FirstTokenP50, &curve.ttft50},
                                                              {Metric::FirstTokenP99, &curve.ttft99},
                                                              {Metric::TokenP50, &curve.tpot50},
                                                              {Metric::TokenP99, &curve.tpot99},
                                                              {Metric::ServedThroughput, &curve.tokens}};
    std::vector<std::string> keys;
    for (const auto& [metric, values] : wanted)
        keys.emplace_back(engine::metricSpec(metric).key);
    const auto table = engine::evaluateStudy(study, stop, keys);
    curve.loads = study.axes.front().values;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto* column = table.find(keys[i]);
        for (std::size_t row = 0; row < curve.loads.size(); ++row)
            wanted[i].second->push_back(column ? column->at(row) : std::numeric_limits<double>::quiet_NaN());
    }
    return curve;
}

Chart loadChart(const LoadCurve* curve, const engine::FieldSpec& spec,
                const std::vector<engine::Limit>& limits) {
    Chart chart;
    chart.title = LoadWords::tr("Waits and tokens over the load");
    chart.x.label = quantityLabel(QString::fromUtf8(spec.label), QString::fromUtf8(spec.unit));
    chart.x.log = true;
    chart.x.base = spec.integer ? 2 : 10;
    chart.y.label = quantityLabel(LoadWords::tr("Time"), QStringLiteral("s"));
    chart.y.log = true;
    chart.right.emplace();
    chart.right->label = quantityLabel(LoadWords::tr("Throughput"), QStringLiteral("tok/s"));
    chart.emptyText = LoadWords::tr("Simulating other loads\u2026");
    for (const auto& limit : limits) {
        const bool first = limit.column == engine::metricSpec(Metric::FirstTokenP99).key;
        chart.references.push_back({first ? LoadWords::tr("TTFT limit") : LoadWords::tr("TPOT limit"),
                                    limit.most, ChartColor::series(first ? 1 : 2), ChartDash::Dotted});
    }
    if (!curve)
        return chart;
    chart.emptyText = LoadWords::tr("No load could be simulated");
    const auto add = [&](const QString& name, const std::vector<double>& y, int series, ChartDash dash) {
        ChartLine line;
        line.name = name;
        line.x = curve->loads;
        line.y = y;
        line.color = ChartColor::series(series);
        line.dash = dash;
        line.marker = ChartMarker::Circle;
        chart.lines.push_back(std::move(line));
    };
    add(LoadWords::tr("TTFT, p50"), curve->ttft50, 1, ChartDash::Dashed);
    add(LoadWords::tr("TTFT, p99"), curve->ttft99, 1, ChartDash::Solid);
    add(LoadWords::tr("TPOT, p50"), curve->tpot50, 2, ChartDash::Dashed);
    add(LoadWords::tr("TPOT, p99"), curve->tpot99, 2, ChartDash::Solid);
    add(LoadWords::tr("Throughput"), curve->tokens, 3, ChartDash::Solid);
    chart.lines.back().onRight = true;
    if (const auto knee = engine::kneeIndex({curve->loads, curve->tokens, true, false}, 1))
        chart.references.push_back(
            {LoadWords::tr("knee: %1").arg(QString::fromStdString(engine::plainText(curve->loads[*knee], 3))),
             curve->loads[*knee], ChartColor::role(ColorRole::Muted), ChartDash::Dotted, true});
    return chart;
}

} // namespace heteroscape::widgets
