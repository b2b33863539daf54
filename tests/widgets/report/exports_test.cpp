// SPDX-License-Identifier: GPL-3.0-or-later

// Every number of an exported plot of points stands at its own place and is that of the store and of
// evaluate(), to the last digit. Designs that are evaluated again: exports_designs_test.cpp.

#include "engine/evaluation/evaluate.h"
#include "engine/plotting/cut.h"
#include "engine/plotting/ticks.h"
#include "engine/study/sensitivity.h"
#include "tests/widgets/report/stored_study.h"
#include "tests/widgets/widget_test.h"
#include "widgets/report/design_pictures.h"

#include <QImage>
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

using namespace heteroscape;
using namespace heteroscape::widgets;
using namespace heteroscape::widgets::test;
using engine::PlotKind;

namespace {

Picture pictureOf(const StoredStudy& study, const engine::StudyPlot& plot) {
    auto pictures = studyPictures(study.loaded, {plot});
    if (pictures.size() != 1)
        throw std::runtime_error("one plot gives one picture");
    return pictures.front();
}

CsvTable csvOf(const StoredStudy& study, const engine::StudyPlot& plot) {
    return readCsv(pictureOf(study, plot).csv());
}

/// The value of an axis as a name: "4,096".
QString named(double value) {
    return QString::fromStdString(engine::tickText(value));
}

/// Curves over x: each cell from its row.
using Value = std::function<double(double x, double curve)>;
CsvTable linesTable(const StoredStudy& study, const QString& label, const Value& value) {
    CsvTable table{{study.label(study.x())}, {}};
    for (const double curve : study.values(study.curve()))
        table.header << label + QStringLiteral(", ") + named(curve);
    for (const double x : study.values(study.x())) {
        QStringList row{exact(x)};
        for (const double curve : study.values(study.curve()))
            row << exact(value(x, curve));
        table.rows.push_back(row);
    }
    return table;
}

/// Adds a column to each row.
void append(CsvTable& table, const QString& name, const std::function<QString(std::size_t row)>& cell) {
    table.header << name;
    for (std::size_t row = 0; row < table.rows.size(); ++row)
        table.rows[row] << cell(row);
}

} // namespace

class ExportsTest : public QObject {
    Q_OBJECT

    std::unique_ptr<StoredStudies> m_studies;

    const StoredStudy& study() const { return m_studies->fetched(); }
    /// Where the third axis is held: the first or another of its values.
    static At at(const StoredStudy& study, double x, double curve, double held) {
        return {{study.x(), x}, {study.curve(), curve}, {study.held(), held}};
    }
    static double first(const StoredStudy& study) { return study.loaded->axis(study.held())->values.front(); }
    static double last(const StoredStudy& study) { return study.loaded->axis(study.held())->values.back(); }

    /// How many of the points that are held there are infeasible.
    static std::size_t gaps(const StoredStudy& study, double held) {
        std::size_t count = 0;
        for (std::size_t row = 0; row < study.table().rows(); ++row)
            count += study.table().find(study.held())->at(row) == held && !study.evaluated(row).feasible;
        return count;
    }

private slots:
    void initTestCase() {
        m_studies = std::make_unique<StoredStudies>();
        const auto& infeasible = m_studies->at(QStringLiteral("infeasible"));
        QVERIFY(gaps(infeasible, first(infeasible)) > 0);
        QVERIFY(gaps(infeasible, first(infeasible)) < 9);
        QVERIFY(gaps(infeasible, last(infeasible)) > 0);
    }

    void curvesStandAtTheirPoints_data() { addStudies(); }
    void curvesStandAtTheirPoints() {
        const auto& one = study();
        auto plot = plotOf(PlotKind::Lines, one, {"latency_s"});
        const auto held = [&](const std::string& metric, double where) {
            return [&one, metric, where](double x, double curve) {
                return one.value(metric, at(one, x, curve, where));
            };
        };
        const auto table = csvOf(one, plot);
        QCOMPARE(
            difference(table, linesTable(one, QStringLiteral("Latency (s)"), held("latency_s", first(one)))),
            QString());
        const auto points = one.values(one.x()).size() * one.values(one.curve()).size();
        QCOMPARE(numbersIn(table), points - gaps(one, first(one)) + table.rows.size());
        // Held elsewhere.
        plot.query.fixed = {{one.held(), last(one)}};
        QCOMPARE(difference(csvOf(one, plot),
                            linesTable(one, QStringLiteral("Latency (s)"), held("latency_s", last(one)))),
                 QString());
    }

    void twoMetricsAndARightAxisHaveColumnsOfTheirOwn_data() { addStudies(); }
    void twoMetricsAndARightAxisHaveColumnsOfTheirOwn() {
        const auto& one = study();
        auto plot = plotOf(PlotKind::Lines, one, {"latency_s", "ttft_s"});
        plot.rightMetrics = {"throughput_tok_s"};
        const auto both = QStringLiteral("Latency, Time to first token (s), ");
        CsvTable expected{{one.label(one.x())}, {}};
        for (const auto* quantity : {"Latency", "Time to first token"})
            for (const double curve : one.values(one.curve()))
                expected.header << both + QString::fromLatin1(quantity) + QStringLiteral(", ") + named(curve);
        expected.header << QStringLiteral("Throughput (tok/s)");
        for (const double x : one.values(one.x())) {
            QStringList row{exact(x)};
            for (const auto* metric : {"latency_s", "ttft_s"})
                for (const double curve : one.values(one.curve()))
                    row << one.cell(metric, at(one, x, curve, first(one)));
            row << one.cell("throughput_tok_s", at(one, x, one.values(one.curve()).back(), first(one)));
            expected.rows.push_back(row);
        }
        QCOMPARE(difference(csvOf(one, plot), expected), QString());
    }

    void gainsAreTakenPointByPoint_data() { addStudies(); }
    void gainsAreTakenPointByPoint() {
        const auto& one = study();
        auto plot = plotOf(PlotKind::Lines, one, {"latency_s"});
        plot.query.gain = {one.held(), first(one)};
        plot.query.fixed = {{one.held(), last(one)}};
        const auto gain = [&](const std::string& metric, bool lessIsBetter) {
            return [&one, metric, lessIsBetter](double x, double curve) {
                const double base = one.value(metric, at(one, x, curve, first(one)));
                const double value = one.value(metric, at(one, x, curve, last(one)));
                return lessIsBetter ? base / value : value / base;
            };
        };
        QCOMPARE(difference(csvOf(one, plot),
                            linesTable(one, QStringLiteral("Speed-up (×)"), gain("latency_s", true))),
                 QString());
        plot.metrics = {"throughput_tok_s"};
        QCOMPARE(difference(csvOf(one, plot),
                            linesTable(one, QStringLiteral("Gain (×)"), gain("throughput_tok_s", false))),
                 QString());
    }

    void ratiosAreToTheBaseline_data() { addStudies(); }
    void ratiosAreToTheBaseline() {
        const auto& one = study();
        auto plot = plotOf(PlotKind::Lines, one, {"throughput_tok_s"});
        const double base = one.value("throughput_tok_s", 0);
        QVERIFY(base > 0);
        plot.query.baseline = std::make_shared<engine::Baseline>(
            engine::Baseline{"A (\"first\")", {{"throughput_tok_s", base}}});
        auto expected =
            linesTable(one, QStringLiteral("Throughput (× of A [\"first\"])"), [&](double x, double curve) {
                return one.value("throughput_tok_s", at(one, x, curve, first(one))) / base;
            });
        append(expected, QStringLiteral("A (\"first\")"), [](std::size_t) { return QStringLiteral("1"); });
        const auto table = csvOf(one, plot);
        QCOMPARE(difference(table, expected), QString());
        QCOMPARE(table.rows.front()[1], QStringLiteral("1")); // the baseline over itself
    }

    void meansAreOverWholePoints_data() { addStudies(); }
    void meansAreOverWholePoints() {
        const auto& one = study();
        auto plot = plotOf(PlotKind::Lines, one, {"latency_s"});
        plot.query.meanOver = {one.held()};
        const auto both = [&one](double x, double curve) {
            return std::pair(one.value("latency_s", at(one, x, curve, first(one))),
                             one.value("latency_s", at(one, x, curve, last(one))));
        };
        QCOMPARE(difference(csvOf(one, plot), linesTable(one, QStringLiteral("Latency, mean (s)"),
                                                         [&](double x, double curve) {
                                                             const auto [a, b] = both(x, curve);
                                                             return (a + b) / 2;
                                                         })),
                 QString());
        plot.query.mean = engine::MeanKind::Harmonic;
        QCOMPARE(difference(csvOf(one, plot), linesTable(one, QStringLiteral("Latency, harmonic mean (s)"),
                                                         [&](double x, double curve) {
                                                             const auto [a, b] = both(x, curve);
                                                             return 2 / (1 / a + 1 / b);
                                                         })),
                 QString());
        plot.query.mean = engine::MeanKind::Sum;
        QCOMPARE(difference(csvOf(one, plot), linesTable(one, QStringLiteral("Latency, sum (s)"),
                                                         [&](double x, double curve) {
                                                             const auto [a, b] = both(x, curve);
                                                             return a + b;
                                                         })),
                 QString());
    }

    void bandsStandBesideTheirCurve_data() { addStudies(); }
    void bandsStandBesideTheirCurve() {
        const auto& one = study();
        auto plot = plotOf(PlotKind::Lines, one, {"latency_s"});
        plot.bands = true;
        auto query = plot.query;
        query.fixed = {{one.held(), first(one)}};
        const auto bands = engine::seriesBands(one.loaded->definition, query);
        const auto curves = one.values(one.curve()), across = one.values(one.x());
        QCOMPARE(bands.size(), curves.size());
        CsvTable expected{{one.label(one.x())}, {}};
        for (const double x : across)
            expected.rows.push_back({exact(x)});
        std::size_t wide = 0;
        for (std::size_t k = 0; k < curves.size(); ++k) {
            const auto label = QStringLiteral("Latency (s), ") + named(curves[k]);
            append(expected, label, [&](std::size_t i) {
                return one.cell("latency_s", at(one, across[i], curves[k], first(one)));
            });
            append(expected, label + QStringLiteral(", least"),
                   [&](std::size_t i) { return exact(bands[k].low[i]); });
            append(expected, label + QStringLiteral(", most"),
                   [&](std::size_t i) { return exact(bands[k].high[i]); });
            for (std::size_t i = 0; i < across.size(); ++i) {
                const double value = one.value("latency_s", at(one, across[i], curves[k], first(one)));
                QCOMPARE(std::isnan(bands[k].low[i]), std::isnan(value));
                wide += bands[k].low[i] < value && value < bands[k].high[i] ? 1 : 0;
            }
        }
        // Without calibrated constants both ends are the value.
        QFETCH(QString, name);
        QCOMPARE(wide > 0, name != QStringLiteral("preserve"));
        QCOMPARE(wide > 0, !engine::calibratedInputs(one.loaded->definition.base).empty());
        QCOMPARE(difference(csvOf(one, plot), expected), QString());
    }

    void barsAreStackedFromTheirPoints_data() { addStudies(); }
    void barsAreStackedFromTheirPoints() {
        const auto& one = study();
        auto plot = plotOf(PlotKind::Bars, one, {"ttft_s", "tpot_s", "latency_s"});
        const auto bars = [&](const QString& label, const std::function<double(double, double)>& shown) {
            const auto curves = one.values(one.curve());
            CsvTable table{{one.label(one.x())}, {}};
            for (const auto* part : {"Time to first token", "Time per token", "Latency", "Together"})
                for (const double curve : curves)
                    table.header << label + QStringLiteral(", %1, %2 %3")
                                                .arg(QString::fromLatin1(part), one.label(one.curve()),
                                                     named(curve));
            for (const double x : one.values(one.x())) {
                QStringList row{exact(x)};
                std::vector<double> whole;
                for (const double curve : curves) {
                    double sum = 0;
                    for (const auto& metric : plot.metrics)
                        sum += one.value(metric, at(one, x, curve, first(one)));
                    whole.push_back(sum);
                }
                std::vector<double> together(curves.size(), 0.0);
                for (const auto& metric : plot.metrics)
                    for (std::size_t k = 0; k < curves.size(); ++k) {
                        const double value =
                            shown(one.value(metric, at(one, x, curves[k], first(one))), whole[k]);
                        together[k] += value;
                        row << exact(value);
                    }
                for (const double sum : together)
                    row << exact(sum);
                table.rows.push_back(row);
            }
            return table;
        };
        QCOMPARE(difference(csvOf(one, plot),
                            bars(QStringLiteral("Time (s)"), [](double v, double) { return v; })),
                 QString());
        plot.shares = true;
        QCOMPARE(difference(csvOf(one, plot), bars(QStringLiteral("Share of: time (%)"),
                                                   [](double v, double sum) { return v * (100 / sum); })),
                 QString());
        plot.shares = false;
        plot.metrics = {"latency_s"};
        auto plain = linesTable(one, QStringLiteral("Latency (s)"), [&](double x, double curve) {
            return one.value("latency_s", at(one, x, curve, first(one)));
        });
        QCOMPARE(difference(csvOf(one, plot), plain), QString());
    }

    void cellsOfAHeatMapStandAtTheirPoints_data() { addStudies(); }
    void cellsOfAHeatMapStandAtTheirPoints() {
        const auto& one = study();
        auto plot = plotOf(PlotKind::HeatMap, one, {"latency_s"});
        plot.contours = true;
        CsvTable expected{{one.label(one.x()), one.label(one.curve()), QStringLiteral("Latency (s)"),
                           QStringLiteral("Not available because")},
                          {}};
        for (const double curve : one.values(one.curve()))
            for (const double x : one.values(one.x())) {
                const auto row = one.rowAt(at(one, x, curve, first(one)));
                expected.rows.push_back({exact(x), exact(curve), exact(one.value("latency_s", row)),
                                         QString::fromStdString(one.evaluated(row).reason)});
                QCOMPARE(expected.rows.back()[3].isEmpty(), one.evaluated(row).feasible);
            }
        QCOMPARE(difference(csvOf(one, plot), expected), QString());
    }

    void everyFeasiblePointIsInAScatterPlot_data() { addStudies(); }
    void everyFeasiblePointIsInAScatterPlot() {
        const auto& one = study();
        auto plot = plotOf(PlotKind::Scatter, one, {"latency_s", "throughput_tok_s", "tpot_s"});
        plot.pareto = true;
        const auto value = [&](std::size_t row) {
            // Each so that more is better.
            return std::array{-one.value("latency_s", row), one.value("throughput_tok_s", row),
                              -one.value("tpot_s", row)};
        };
        std::vector<std::size_t> rows;
        for (std::size_t row = 0; row < one.table().rows(); ++row)
            if (one.evaluated(row).feasible)
                rows.push_back(row);
        CsvTable expected{{QStringLiteral("Row"), QStringLiteral("Latency (s)"),
                           QStringLiteral("Throughput (tok/s)"), QStringLiteral("Time per token (s)"),
                           one.label(one.curve()), QStringLiteral("Kept"), QStringLiteral("Pareto front")},
                          {}};
        std::size_t front = 0;
        for (const auto row : rows) {
            const auto mine = value(row);
            const bool beaten = std::any_of(rows.begin(), rows.end(), [&](std::size_t other) {
                const auto its = value(other);
                const bool asGood = its[0] >= mine[0] && its[1] >= mine[1] && its[2] >= mine[2];
                return asGood && (its != mine || other < row); // of equals the first stands for all
            });
            front += beaten ? 0 : 1;
            expected.rows.push_back({QString::number(row), exact(-mine[0]), exact(mine[1]), exact(-mine[2]),
                                     exact(one.table().find(one.curve())->at(row)), QStringLiteral("1"),
                                     beaten ? QStringLiteral("0") : QStringLiteral("1")});
        }
        QVERIFY(front > 0);
        QVERIFY(front < rows.size());
        QCOMPARE(difference(csvOf(one, plot), expected), QString());
    }

    void parallelCoordinatesHaveEveryRow_data() { addStudies(); }
    void parallelCoordinatesHaveEveryRow() {
        const auto& one = study();
        auto metrics = one.table().info.nodeMetrics;
        metrics.insert(metrics.begin(), {"latency_s", "throughput_tok_s"});
        CsvTable expected;
        for (const auto& axis : one.table().info.axes)
            expected.header << one.label(axis.path);
        for (const auto& metric : metrics)
            expected.header << one.label(metric);
        for (std::size_t row = 0; row < one.table().rows(); ++row) {
            QStringList cells;
            for (const auto& axis : one.table().info.axes) {
                const double value = one.table().find(axis.path)->at(row);
                cells << (axis.isChoice()
                              ? QString::fromStdString(axis.names.at(static_cast<std::size_t>(value)))
                              : exact(value));
            }
            for (const auto& metric : metrics)
                cells << exact(one.value(metric, row));
            expected.rows.push_back(cells);
        }
        QCOMPARE(difference(csvOf(one, plotOf(PlotKind::Parallel, one, metrics)), expected), QString());
    }

    void everyKindIsDrawn_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("kind");
        static constexpr std::array kinds{"lines",   "bars",     "heat_map",  "timeline",
                                          "scatter", "parallel", "breakdown", "roofline"};
        for (const auto* name : {"preserve", "infeasible", "offloaded"})
            for (std::size_t i = 0; i < kinds.size(); ++i)
                QTest::addRow("%s %s", name, kinds[i]) << QString::fromLatin1(name) << static_cast<int>(i);
    }
    void everyKindIsDrawn() {
        QFETCH(int, kind);
        const auto picture = pictureOf(study(), plotOf(static_cast<PlotKind>(kind), study(),
                                                       {"latency_s", "throughput_tok_s", "ttft_s"}));
        constexpr double kWidth = 150, kDpi = 100;
        const ImageSize size{.widthMm = kWidth, .dpi = kDpi};
        const auto png = QImage::fromData(picture.render(ImageFormat::Png, size));
        QVERIFY(std::abs(png.width() - kWidth / 25.4 * kDpi) <= 2);
        std::set<QRgb> colors;
        for (int y = 0; y < png.height(); y += 2)
            for (int x = 0; x < png.width(); x += 2)
                colors.insert(png.pixel(x, y));
        QVERIFY(colors.size() > 8);
        QCOMPARE(png.pixelColor(0, 0), QColor(Qt::white));
        QVERIFY(picture.render(ImageFormat::Svg, size).contains("<svg"));
        QVERIFY(picture.render(ImageFormat::Pdf, size).startsWith("%PDF"));
    }
};

WIDGET_TEST(ExportsTest)
#include "exports_test.moc"
