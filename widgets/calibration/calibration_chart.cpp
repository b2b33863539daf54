// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/calibration/calibration_chart.h"

#include "widgets/validation/validation_charts.h"

#include <QCoreApplication>

namespace heteroscape::widgets {

namespace {

class CalibrationChartWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::CalibrateDialog)
};

} // namespace

Chart calibrationChart(const std::vector<CalibrationPoint>& points, const QString& unit) {
    Chart chart;
    chart.title = CalibrationChartWords::tr("Rows before and after the fit");
    chart.x.label = quantityLabel(CalibrationChartWords::tr("Measured"), unit);
    chart.y.label = quantityLabel(CalibrationChartWords::tr("Model"), unit);
    chart.x.log = chart.y.log = true;
    auto cloud = std::make_shared<CloudPoints>();
    bool held = false;
    for (const bool after : {false, true})
        for (const auto& point : points) {
            cloud->x.push_back(point.measured);
            cloud->y.push_back(after ? point.after : point.before);
            cloud->group.push_back(!after ? 0 : point.heldOut ? 2 : 1);
            held = held || point.heldOut;
        }
    cloud->xExtremes = CloudPoints::extremes(cloud->x);
    cloud->yExtremes = CloudPoints::extremes(cloud->y);
    const auto range = decadesOf(cloud->x, cloud->y);
    chart.x.range = chart.y.range = range;
    chart.cloud.emplace();
    chart.cloud->diameter = 4.0;
    chart.cloud->groups = {{CalibrationChartWords::tr("before"), ChartColor::role(ColorRole::Baseline)},
                           {CalibrationChartWords::tr("after"), ChartColor::series(0)},
                           {held ? CalibrationChartWords::tr("after, held out") : QString(),
                            ChartColor::series(1), ChartMarker::Diamond}};
    chart.cloud->points = std::move(cloud);
    addIdentity(chart, range);
    return chart;
}

} // namespace heteroscape::widgets
