// SPDX-License-Identifier: GPL-3.0-or-later

// Every number of an exported plot of points, and of a study as CSV, from the table of points and as a store
// of its own, stands at its own place and is that of the store and of evaluate(), to the last digit; names
// keep their commas and quotes. Designs that are evaluated again: exports_designs_test.cpp.

#include "engine/evaluation/evaluate.h"
#include "engine/plotting/ticks.h"
#include "engine/scenario/scenario_key.h"
#include "engine/store/sqlite.h"
#include "tests/widgets/report/stored_study.h"
#include "tests/widgets/widget_test.h"
#include "widgets/explore/parallel_view.h"
#include "widgets/explore/points_table.h"
#include "widgets/explore/study_export.h"
#include "widgets/explore/tornado_chart.h"
#include "widgets/plots/export_button.h"
#include "widgets/report/design_pictures.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QImage>

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

    void theStudyIsTheStoreInEveryForm_data() { addStudies(); }
    void theStudyIsTheStoreInEveryForm() {
        const auto& one = study();
        const auto& table = one.table();
        CsvTable expected;
        std::vector<const engine::StudyColumn*> columns;
        for (const auto& column : table.columns) {
            columns.push_back(&column);
            expected.header << QString::fromStdString(column.name);
        }
        expected.header << QStringLiteral("bound") << QStringLiteral("status") << QStringLiteral("key");
        std::size_t empty = 0;
        for (std::size_t row = 0; row < table.rows(); ++row) {
            QStringList cells;
            for (const auto* column : columns) {
                if (column->isChoice())
                    cells << QString::fromStdString(
                        column->names.at(static_cast<std::size_t>(column->values[row])));
                else
                    cells << exact(column->at(row));
            }
            for (std::size_t i = 0; !one.evaluated(row).feasible && i < columns.size(); ++i)
                empty += cells[static_cast<int>(i)].isEmpty() ? 1 : 0;
            cells << QString::fromStdString(
                engine::boundKey(one.loaded->scenarioOf(row), one.evaluated(row)));
            cells << (one.evaluated(row).feasible ? QStringLiteral("ok") : QStringLiteral("infeasible"))
                  << QString::fromStdString(
                         engine::keyText(engine::scenarioKeyBytes(one.loaded->scenarioOf(row))));
            expected.rows.push_back(cells);
        }
        QFETCH(QString, name);
        QCOMPARE(empty > 0, name == QStringLiteral("infeasible"));

        const auto csv = m_studies->folder.filePath(name + QStringLiteral(".csv"));
        exportStudy(m_studies->path, one.id, QStringLiteral("csv"), csv, *shippedCatalog());
        auto marked = expected; // a file that leaves the window says that all of it is ideal
        if (one.loaded->truths.only() == engine::Truth::Ideal) {
            const auto at = static_cast<int>(columns.size());
            marked.header.insert(at, QStringLiteral("truth"));
            for (auto& cells : marked.rows)
                cells.insert(at, QStringLiteral("ideal"));
        }
        QCOMPARE(difference(readCsv(QString::fromUtf8(bytesOf(csv))), marked), QString());

        // The table of points: a file, and the clipboard.
        StudyMarks marks;
        marks.setStudy(one.loaded);
        PointsTable points(&marks);
        points.showStudy({"latency_s"});
        expose(points, {1000, 400});
        auto* save = points.findChild<ExportButton*>(QStringLiteral("exportStudy"));
        QVERIFY(save);
        const auto saved = m_studies->folder.filePath(name + QStringLiteral("-table.csv"));
        QVERIFY(save->exportTo(saved));
        QCOMPARE(difference(readCsv(QString::fromUtf8(bytesOf(saved))), marked), QString());
        QGuiApplication::clipboard()->clear();
        QTest::mouseClick(buttonSaying(&points, QStringLiteral("Copy as CSV")), Qt::LeftButton);
        QCOMPARE(difference(readCsv(QGuiApplication::clipboard()->text()), marked), QString());

        // A store of its own, by plain SQL.
        const auto sqlite = m_studies->folder.filePath(name + QStringLiteral(".sqlite"));
        exportStudy(m_studies->path, one.id, QStringLiteral("sqlite"), sqlite, *shippedCatalog());
        engine::Database database(sqlite.toStdString());
        QCOMPARE(database.text("PRAGMA integrity_check"), std::string("ok"));
        QCOMPARE(database.number("SELECT count(*) FROM studies"), 1);
        std::string sql = "SELECT ";
        for (const auto* column : columns)
            sql += '"' + column->name + "\", ";
        sql += "bound FROM \"" + database.text("SELECT view FROM studies") + '"';
        engine::Statement select(database, sql);
        constexpr int kOfCsvAlone = 2; // status and key follow from the others
        expected.header.remove(expected.header.size() - kOfCsvAlone, kOfCsvAlone);
        for (auto& cells : expected.rows)
            cells.remove(cells.size() - kOfCsvAlone, kOfCsvAlone);
        CsvTable found{expected.header, {}};
        while (select.step()) {
            QStringList cells;
            for (std::size_t i = 0; i < columns.size(); ++i)
                cells << (columns[i]->isChoice()
                              ? QString::fromStdString(std::string(select.text(static_cast<int>(i))))
                              : exact(select.real(static_cast<int>(i))));
            cells << QString::fromStdString(std::string(select.text(static_cast<int>(columns.size()))));
            found.rows.push_back(cells);
        }
        QCOMPARE(difference(found, expected), QString());
    }

    void namesWithCommasAndQuotesAreQuoted() {
        TornadoChart chart;
        TornadoPicture picture;
        picture.metric = QStringLiteral("Throughput, \"net\"");
        picture.unit = QStringLiteral("tok/s");
        engine::UncertainInput input{"a.b", "Board \"fast\", 2nd", "GB/s", 2, 1.5, 2.5, true};
        picture.tornado = {100, {{input, 90.1, std::nan("")}}};
        chart.setPicture(picture);
        const CsvTable tornado{
            {QStringLiteral("path"), QStringLiteral("input"), QStringLiteral("unit"), QStringLiteral("value"),
             QStringLiteral("low"), QStringLiteral("high"), QStringLiteral("stated"),
             QStringLiteral("Throughput, \"net\" (tok/s) at low"),
             QStringLiteral("Throughput, \"net\" (tok/s) at value"),
             QStringLiteral("Throughput, \"net\" (tok/s) at high")},
            {{QStringLiteral("a.b"), QStringLiteral("Board \"fast\", 2nd"), QStringLiteral("GB/s"),
              QStringLiteral("2"), QStringLiteral("1.5"), QStringLiteral("2.5"), QStringLiteral("yes"),
              QStringLiteral("90.1"), QStringLiteral("100"), QString()}}};
        QCOMPARE(difference(readCsv(chart.csv()), tornado), QString());

        const auto made = std::make_shared<LoadedStudy>();
        auto& table = made->table;
        table.info.axes = {{"model", {0, 1}, {"small, \"7B\"", "large"}}};
        table.columns = {{"model", "Model, \"name\"", "", true, {0, 1, 0}, {"small, \"7B\"", "large"}},
                         {"feasible", "Feasible", "", false, {1, 1, 0}},
                         {"latency_s", "Latency", "s", false, {1.5, 2.5, 3.5}}};
        table.boundNames = {"none"};
        table.bounds.assign(3, 0);
        made->findUnits();
        made->definition.axes = table.info.axes;
        made->choices = {{QStringLiteral("Small"), QStringLiteral("Large")}};
        StudyMarks marks;
        marks.setStudy(made);
        ParallelView view(&marks);
        view.setColumns({"model", "latency_s"});
        const CsvTable parallel{{QStringLiteral("Model, \"name\""), QStringLiteral("Latency (s)")},
                                {{QStringLiteral("small, \"7B\""), QStringLiteral("1.5")},
                                 {QStringLiteral("large"), QStringLiteral("2.5")},
                                 {QStringLiteral("small, \"7B\""), QString()}}};
        QCOMPARE(difference(readCsv(view.csv()), parallel), QString());
    }
};

WIDGET_TEST(ExportsTest)
#include "exports_test.moc"
