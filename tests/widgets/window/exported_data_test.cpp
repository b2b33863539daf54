// SPDX-License-Identifier: GPL-3.0-or-later
// Studies and plots as data, written by the window's menus: which design each number is of, and what became
// of those without one.
#include "engine/evaluation/evaluate.h"
#include "engine/exporters/study_csv.h"
#include "engine/plotting/series.h"
#include "engine/scenario/scenario_key.h"
#include "engine/study_run/evaluate_study.h"
#include "tests/widgets/report/csv_reader.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/study_fixture.h"

#include <QRegularExpression>

#include <cmath>
#include <map>
#include <set>

using namespace heteroscape;
using namespace heteroscape::widgets;
using test::CsvTable;

class ExportedDataTest : public StudyWindowFixture {
    Q_OBJECT

    static constexpr const char* kCount = "nodes.fpga.count";
    static constexpr const char* kBatch = "workload.batch";
    static constexpr const char* kPrompt = "workload.prompt_tokens";

    CsvTable readTable(const char* name) const {
        auto text = QString::fromUtf8(m_test->read(name));
        if (text.startsWith(QChar(0xfeff)))
            text.remove(0, 1);
        return test::readCsv(text);
    }
    /// The design of a place of the study, made by typing its values.
    engine::Scenario designAt(const QStringList& values) const {
        engine::Scenario design = *m_test->marks()->study()->definition.base;
        for (std::size_t axis = 0; axis < m_test->points().info.axes.size(); ++axis)
            engine::applyEdit(design, engine::setEdit(design, *shippedCatalog(),
                                                      m_test->points().info.axes[axis].path,
                                                      values[static_cast<qsizetype>(axis)].toStdString()));
        return design;
    }
    static QString keyOf(const engine::Scenario& design) {
        return QString::fromStdString(engine::keyText(engine::scenarioKeyBytes(design)));
    }
    std::vector<QString> keys() const {
        std::vector<QString> texts;
        for (const auto& key : engine::studyKeys(m_test->points(), m_test->marks()->study()->definition))
            texts.push_back(QString::fromStdString(engine::keyText(key)));
        return texts;
    }
    QString statusOf(std::size_t row) const {
        return QString::fromUtf8(
            engine::pointStatusName(engine::pointStatus(m_test->points(), row, m_test->marks()->limits())));
    }
    /// A run that is cancelled when some of it is done, of which some designs do not fit and others are
    /// limited away.
    void runInPart() {
        m_test->setup()->setAxes({{kPrompt, "1:6400"}, {kBatch, "1,2,4,4096"}, {kCount, "1:4"}});
        click(m_test->named<QPushButton>("run"));
        static const QRegularExpression under(QStringLiteral("[1-9][\\d,]* of 102,400 points"));
        QTRY_VERIFY2_WITH_TIMEOUT(under.match(words(m_test->setup())).hasMatch(),
                                  qPrintable(words(m_test->setup())), 60000);
        click(m_test->named<QPushButton>("cancel"));
        QTRY_VERIFY_WITH_TIMEOUT(words(m_test->setup()).contains(QStringLiteral("Cancelled: ")), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(!m_test->explore().isRunning() && m_test->marks()->study(), 60000);
        const auto& points = m_test->points();
        QTRY_COMPARE(points.rows(), m_test->store().pointCount());
        QVERIFY(points.rows() > 100 && points.rows() < 102400);
        retype(m_test->named<QLineEdit>("typedLimit"),
               QStringLiteral("throughput_tok_s>=%1").arg(points.find("throughput_tok_s")->at(0)));
        QCOMPARE(m_test->marks()->limits().size(), std::size_t{1});
    }

private slots:
    void init() {
        StudyWindowFixture::init();
        m_test->goTo(Workspace::Explore);
    }

    void aStudysCsvTellsFilteredInfeasibleAndNotComputedApart() {
        runInPart();
        if (QTest::currentTestFailed())
            return;
        m_test->exportBy(m_test->named<ExportButton>("exportStudy"), "The study as CSV", "study.csv");
        const auto table = readTable("study.csv");
        const auto& points = m_test->points();
        QCOMPARE(table.rows.size(), std::size_t{102400});
        const int status = table.column(QStringLiteral("status")), key = table.column(QStringLiteral("key")),
                  throughput = table.column(QStringLiteral("throughput_tok_s"));
        QVERIFY(status > 0 && key > 0 && throughput > 0);
        const auto keys = this->keys();
        std::map<QString, int> seen;
        std::size_t row = 0;
        for (std::size_t at = 0; at < table.rows.size(); ++at) {
            const auto& cells = table.rows[at];
            const bool computed = row < points.rows() && points.ordinal(row) == at;
            QCOMPARE(cells[status], computed ? statusOf(row) : QStringLiteral("not computed"));
            QCOMPARE(cells[key], computed ? keys[row] : QString());
            const int before = seen[cells[status]]++;
            row += computed ? 1 : 0;
            if (!computed || before % 2000 > 1)
                continue;
            const auto design = designAt(cells); // evaluated by itself
            const auto evaluation = engine::evaluate(design);
            QCOMPARE(cells[key], keyOf(design));
            QCOMPARE(evaluation.feasible, cells[status] != QStringLiteral("infeasible"));
            if (!evaluation.feasible)
                continue;
            const double value = evaluation.metric(engine::Metric::Throughput);
            QVERIFY(std::fabs(cells[throughput].toDouble() / value - 1) < 1e-12);
            QCOMPARE(cells[status] == QStringLiteral("ok"), value >= m_test->marks()->limits().front().least);
        }
        QCOMPARE(row, points.rows());
        for (const auto* word : {"ok", "filtered", "infeasible", "not computed"})
            QVERIFY2(seen[QLatin1String(word)] > 0, word);
        QCOMPARE(seen.size(), std::size_t{4});
    }

    void aPlotsCsvTellsThemApartToo() {
        runInPart();
        if (QTest::currentTestFailed())
            return;
        auto* tile = m_test->tile(0);
        QCOMPARE(tile->query().x, std::string(kPrompt));
        QCOMPARE(tile->query().curve, std::string(kBatch));
        m_test->chooseIn(tile->exportButton(), "The whole");
        m_test->exportBy(tile->exportButton(), "Data of this plot (CSV)", "plot.csv");
        const auto table = readTable("plot.csv");
        QCOMPARE(table.rows.size(), std::size_t{6400});
        const auto& points = m_test->points();
        const auto& lines = tile->view()->chart().lines;
        const auto series = engine::studySeries(points, tile->query());
        QCOMPARE(series.size(), std::size_t{4});
        const auto keys = this->keys();
        std::map<QString, int> seen;
        for (std::size_t i = 0; i < series.size(); ++i) {
            const auto name = QStringLiteral("Throughput (tok/s), ") + lines[i].name;
            const int value = table.column(name), status = table.column(name + QStringLiteral(", status")),
                      key = table.column(name + QStringLiteral(", key"));
            QVERIFY2(value > 0 && status > 0 && key > 0, qPrintable(table.header.join(u'|')));
            std::size_t next = 0;
            for (const auto& cells : table.rows) {
                const bool computed = next < series[i].x.size() && series[i].x[next] == cells[0].toDouble();
                const auto row = computed ? series[i].rows[next] : 0;
                QCOMPARE(cells[value], test::exact(computed ? series[i].y[next] : std::nan("")));
                QCOMPARE(cells[status], computed ? statusOf(row) : QStringLiteral("not computed"));
                QCOMPARE(cells[key], computed ? keys[row] : QString());
                ++seen[cells[status]];
                next += computed ? 1 : 0;
            }
            QCOMPARE(next, series[i].x.size());
        }
        for (const auto* word : {"ok", "filtered", "infeasible", "not computed"})
            QVERIFY2(seen[QLatin1String(word)] > 0, word);
    }

    void theDataOfEveryPlotHasTheKeysOfItsDesigns_data() {
        QTest::addColumn<QString>("entry");
        for (const char* entry :
             {"Bars", "Heat map", "Scatter", "Parallel coordinates", "Breakdown of time", "Roofline"})
            QTest::newRow(entry) << QString::fromLatin1(entry);
    }
    void theDataOfEveryPlotHasTheKeysOfItsDesigns() {
        QFETCH(QString, entry);
        m_test->run();
        auto* tile = m_test->addPlot(entry.toLatin1().constData());
        QVERIFY(tile);
        QTRY_VERIFY(tile->isVisible() && !tile->isBusy());
        m_test->exportBy(tile->exportButton(), "Data of this plot (CSV)", "plot.csv");
        const auto text = QString::fromUtf8(m_test->read("plot.csv"));
        const auto keys = this->keys();
        std::map<QString, std::size_t> rowOf;
        for (std::size_t row = 0; row < keys.size(); ++row)
            rowOf[keys[row]] = row;
        // Each line has the key of the design whose values it has.
        const auto& points = m_test->points();
        std::set<std::size_t> told;
        const auto table = test::readCsv(text.section(QStringLiteral("\n\n"), 0, 0));
        for (int column = 0; column < table.header.size(); ++column) {
            const auto& name = table.header[column];
            if (name != QStringLiteral("Key") && !name.endsWith(QStringLiteral(", key")))
                continue;
            for (const auto& cells : table.rows) {
                if (cells[column].isEmpty())
                    continue; // a roof is of no one design
                QVERIFY2(rowOf.contains(cells[column]), qPrintable(cells[column]));
                const auto row = rowOf[cells[column]];
                told.insert(row);
                const auto* throughput = points.find("throughput_tok_s");
                if (entry == QStringLiteral("Bars"))
                    QCOMPARE(cells[column - 2], test::exact(throughput->at(row)));
                if (entry == QStringLiteral("Heat map"))
                    QCOMPARE(cells[2], test::exact(throughput->at(row)));
                if (entry == QStringLiteral("Scatter"))
                    QCOMPARE(cells[0].toULongLong(), row);
                if (entry == QStringLiteral("Parallel coordinates"))
                    for (int axis = 0; axis < 2; ++axis)
                        QCOMPARE(cells[axis].toDouble(),
                                 points.columns[static_cast<std::size_t>(axis)].at(row));
            }
        }
        const bool ofDesigns =
            entry == QStringLiteral("Roofline") || entry == QStringLiteral("Breakdown of time");
        QCOMPARE(told.size(), ofDesigns ? std::size_t{7} : points.rows());
    }
};

WIDGET_TEST(ExportedDataTest)
#include "exported_data_test.moc"
