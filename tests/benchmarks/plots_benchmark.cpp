// SPDX-License-Identifier: GPL-3.0-or-later
// Milliseconds to draw a scatter plot of a million points, to point at one, to filter them and to find their
// Pareto front.

#include "tests/widgets/explore/small_study.h"
#include "widgets/plots/plot_view.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QImage>
#include <QMouseEvent>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <vector>

using namespace heteroscape;
using namespace heteroscape::widgets;

namespace {

constexpr std::size_t kSide = 100; // of a grid of three axes: a million points

std::shared_ptr<LoadedStudy> largeStudy() {
    std::vector<double> steps;
    for (std::size_t i = 1; i <= kSide; ++i)
        steps.push_back(static_cast<double>(i));
    const std::size_t count = kSide * kSide * kSide;
    std::vector<double> throughput(count), latency(count);
    for (std::size_t row = 0; row < count; ++row) {
        const double a = steps[row / (kSide * kSide)], b = steps[row / kSide % kSide], c = steps[row % kSide];
        throughput[row] = 1000 * std::log1p(a * b / (1 + 0.05 * c)) + 30 * std::sin(c);
        latency[row] = 0.01 * (1 + b * b / (a + c)) + 0.001 * c;
    }
    return test::studyOf({{"a.x", "a.x", steps}, {"b.x", "b.x", steps}, {"c.x", "c.x", steps}},
                         {{"throughput_tok_s", "Throughput", "tok/s", std::move(throughput)},
                          {"latency_s", "Latency", "s", std::move(latency)}});
}

class Clock {
public:
    Clock() { m_timer.start(); }
    double ms() const { return static_cast<double>(m_timer.nsecsElapsed()) * 1e-6; }

private:
    QElapsedTimer m_timer;
};

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void report(const char* what, double ms) {
    std::printf("%-44s %9.2f ms\n", what, ms);
}

} // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    try {
        Theme::instance().install(application);
        const auto study = largeStudy();
        engine::StudyPlot plot;
        plot.kind = engine::PlotKind::Scatter;
        plot.metrics = {"latency_s", "throughput_tok_s"};
        plot.query.curve = "a.x";
        plot.pareto = plot.optimum = true;
        plot = test::settled(plot, *study);
        Clock making;
        auto drawn = studyChart(*study, plot);
        report("make the chart of 1,000,000 points", making.ms());

        PlotView view;
        view.resize(760, 480);
        view.show();
        QImage image(view.size(), QImage::Format_RGB32);
        Clock first;
        view.setChart(drawn.chart);
        QCoreApplication::processEvents();
        view.render(&image);
        report("first drawing", first.ms());

        auto* plotWidget = view.findChild<QCustomPlot*>();
        std::vector<double> zooms, hovers, paints, brushes;
        for (int i = 0; i < 20; ++i) {
            Clock clock;
            view.zoom(i % 2 ? 1.25 : 0.8);
            plotWidget->replot(QCustomPlot::rpImmediateRefresh);
            zooms.push_back(clock.ms());
        }
        report("draw another view, median", median(zooms));
        for (int i = 0; i < 200; ++i) {
            const QPointF at(90 + 3.1 * i, 60 + 1.7 * i);
            QMouseEvent move(QEvent::MouseMove, at, plotWidget->mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                             Qt::NoModifier);
            Clock clock;
            QCoreApplication::sendEvent(plotWidget, &move);
            hovers.push_back(clock.ms());
            view.render(&image);
            paints.push_back(clock.ms());
        }
        report("point at one after that (finds its cells)", hovers.front());
        report("point at one, median", median(hovers));
        report("point at one, most", *std::max_element(hovers.begin() + 1, hovers.end()));
        report("point at one and paint all, median", median(paints));
        engine::RowMask kept(study->table.rows(), 1);
        for (int i = 0; i < 10; ++i) {
            for (std::size_t row = 0; row < kept.size(); ++row)
                kept[row] = row % 10 != static_cast<std::size_t>(i) ? 1 : 0;
            Clock clock;
            refilter(drawn, *study, plot, &kept);
            view.setChart(drawn.chart, true);
            plotWidget->replot(QCustomPlot::rpImmediateRefresh);
            brushes.push_back(clock.ms());
        }
        report("filter, find the front, draw, median", median(brushes));
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
