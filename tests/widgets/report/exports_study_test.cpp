// SPDX-License-Identifier: GPL-3.0-or-later

// A study as CSV, from the table of points and as a store of its own holds what is stored, which is what
// evaluate() says; names keep their commas and quotes.

#include "engine/evaluation/evaluate.h"
#include "engine/scenario/scenario_key.h"
#include "engine/store/sqlite.h"
#include "tests/widgets/report/stored_study.h"
#include "tests/widgets/widget_test.h"
#include "widgets/explore/parallel_view.h"
#include "widgets/explore/points_table.h"
#include "widgets/explore/study_export.h"
#include "widgets/explore/tornado_chart.h"
#include "widgets/plots/export_button.h"

#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QPushButton>
#include <QTest>

#include <cmath>

using namespace heteroscape;
using namespace heteroscape::widgets;
using namespace heteroscape::widgets::test;

class ExportsStudyTest : public QObject {
    Q_OBJECT

    std::unique_ptr<StoredStudies> m_studies;

    const StoredStudy& study() const { return m_studies->fetched(); }

private slots:
    void initTestCase() { m_studies = std::make_unique<StoredStudies>(); }

    void theStoreHoldsWhatEvaluateSays_data() { addStudies(); }
    void theStoreHoldsWhatEvaluateSays() {
        const auto& one = study();
        std::size_t values = 0;
        for (std::size_t row = 0; row < one.table().rows(); ++row) {
            const auto evaluation = engine::evaluate(one.loaded->scenarioOf(row));
            QCOMPARE(one.table().find("feasible")->at(row) == 1.0, evaluation.feasible);
            for (const auto& spec : engine::metricSpecs()) {
                const double stored = one.table().find(std::string(spec.key))->at(row);
                const double now = engine::toEdge(evaluation.metric(spec.metric), spec.scale);
                QVERIFY2(stored == now || (std::isnan(stored) && std::isnan(now)), spec.key.data());
                values += evaluation.feasible && !std::isnan(stored) ? 1 : 0;
            }
            for (const auto& figure : one.table().info.nodeMetrics) {
                const double stored = one.table().find(figure)->at(row);
                const bool same =
                    evaluation.feasible
                        ? stored == engine::findMetric(one.loaded->scenarioOf(row), evaluation, figure).value
                        : std::isnan(stored);
                QVERIFY2(same, figure.c_str());
            }
        }
        QVERIFY(values > 100);
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
        QCOMPARE(difference(readCsv(QString::fromUtf8(bytesOf(csv))), expected), QString());

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
        QCOMPARE(difference(readCsv(QString::fromUtf8(bytesOf(saved))), expected), QString());
        QGuiApplication::clipboard()->clear();
        for (auto* button : points.findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Copy as CSV"))
                QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(difference(readCsv(QGuiApplication::clipboard()->text()), expected), QString());

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

WIDGET_TEST(ExportsStudyTest)
#include "exports_study_test.moc"
