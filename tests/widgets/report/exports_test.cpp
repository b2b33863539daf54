// SPDX-License-Identifier: GPL-3.0-or-later

// The numbers in every export are those of the store and of evaluate(), to the last digit.

#include "engine/base/error.h"
#include "engine/claims/claims.h"
#include "engine/claims/figure_study.h"
#include "engine/evaluation/evaluate.h"
#include "engine/exporters/csv.h"
#include "engine/store/run_study.h"
#include "engine/units/number_text.h"
#include "widgets/explore/parallel_view.h"
#include "widgets/report/design_pictures.h"
#include "widgets/report/design_report.h"
#include "widgets/report/report_dialog.h"
#include "widgets/report/study_pictures.h"
#include "widgets/roofline/roofline_points.h"
#include "widgets/theme/theme.h"

#include <QListWidget>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <set>

using namespace heteroscape;
using namespace heteroscape::widgets;

namespace {

/// The cells of a CSV without quoted commas; the first row apart.
struct Csv {
    QStringList header;
    std::vector<QStringList> rows;
};

QStringList cellsOf(const QString& line) {
    QStringList cells(QString{});
    bool quoted = false;
    for (const auto c : line)
        if (c == u'"')
            quoted = !quoted;
        else if (c == u',' && !quoted)
            cells << QString();
        else
            cells.back() += c;
    return cells;
}

Csv parsed(const QString& text) {
    Csv csv;
    for (const auto& line : text.split(u'\n', Qt::SkipEmptyParts))
        if (csv.header.isEmpty())
            csv.header = cellsOf(line);
        else
            csv.rows.push_back(cellsOf(line));
    return csv;
}

QString exact(double value) {
    return QString::fromStdString(engine::exactText(value));
}

engine::StudyPlot plotOf(engine::PlotKind kind, const std::string& x, const std::string& curve,
                         std::vector<std::string> metrics) {
    engine::StudyPlot plot;
    plot.kind = kind;
    plot.query.x = x;
    plot.query.curve = curve;
    plot.query.metric = metrics.empty() ? std::string() : metrics.front();
    plot.metrics = std::move(metrics);
    return plot;
}

} // namespace

class ExportsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::shared_ptr<const engine::Catalog> m_catalog;
    std::shared_ptr<const LoadedStudy> m_study;

    static constexpr auto kCount = "nodes.npu.count";
    static constexpr auto kBatch = "workload.batch";

private slots:
    void initTestCase() {
        Theme::instance().install(*qApp);
        m_catalog = std::make_shared<engine::Catalog>(engine::loadCatalog(TEST_PRESETS));
        engine::Study study{"exports", engine::loadPreset(*m_catalog, "preserve/llama3-405b-32", "test"), {}};
        for (const auto* axis : {"nodes.npu.count=8:64:*2", "workload.batch=1,4,16",
                                 "techniques.l2_prefetch.enabled=false,true"})
            study.axes.push_back(engine::parseAxis(study.base, *m_catalog, axis));
        study.figures = {"nodes.npu.decode_ms"};
        engine::Store store(m_folder.filePath(QStringLiteral("s.sqlite")).toStdString());
        const auto id = engine::runStudy(study, store, {}).study.id;
        m_study = readStudy(store, id, *m_catalog);
    }

    void theStoreHoldsWhatEvaluateSays() {
        const auto& table = m_study->table;
        QCOMPARE(table.rows(), std::size_t{24});
        for (std::size_t row = 0; row < table.rows(); ++row) {
            const auto evaluation = engine::evaluate(m_study->scenarioOf(row));
            for (const auto& spec : engine::metricSpecs()) {
                const double stored = table.find(std::string(spec.key))->at(row);
                const double shown = engine::toEdge(evaluation.metric(spec.metric), spec.scale);
                QVERIFY(stored == shown || (std::isnan(stored) && std::isnan(shown)));
            }
        }
    }

    void everyKindOfPlotWritesTheStoredNumbers_data() {
        QTest::addColumn<int>("kind");
        const auto names = engine::plotKindNames();
        for (std::size_t i = 0; i < names.size(); ++i)
            QTest::newRow(std::string(names[i]).c_str()) << static_cast<int>(i);
    }
    void everyKindOfPlotWritesTheStoredNumbers() {
        QFETCH(int, kind);
        const auto which = static_cast<engine::PlotKind>(kind);
        auto plot = plotOf(which, kCount, kBatch, {"latency_s", "throughput_tok_s", "ttft_s"});
        if (which == engine::PlotKind::Lines || which == engine::PlotKind::HeatMap)
            plot.metrics = {"latency_s"};
        const auto pictures = studyPictures(m_study, {plot});
        QCOMPARE(pictures.size(), std::size_t{1});
        const auto csv = parsed(pictures.front().csv());
        QVERIFY(!csv.header.isEmpty());
        QVERIFY(!csv.rows.empty());
        std::set<QString> known;
        for (const auto& column : m_study->table.columns)
            for (const double value : column.values)
                known.insert(exact(value));
        if (which == engine::PlotKind::Roofline || which == engine::PlotKind::Breakdown ||
            which == engine::PlotKind::Timeline) {
            checkEvaluated(which, csv);
            return;
        }
        std::size_t numbers = 0;
        for (const auto& row : csv.rows) {
            QCOMPARE(row.size(), csv.header.size()); // one table: any program reads it
            for (int i = 0; i < row.size(); ++i) {
                const auto& cell = row[i];
                bool isNumber = false;
                cell.toDouble(&isNumber);
                if (!isNumber || isOwn(csv.header[i]))
                    continue;
                ++numbers;
                QVERIFY2(known.contains(cell), qPrintable(cell));
            }
        }
        QVERIFY(numbers >= csv.rows.size());
        for (const auto format : {ImageFormat::Png, ImageFormat::Svg, ImageFormat::Pdf})
            QVERIFY(pictures.front().render(format, {.dpi = 100}).size() > 1000);
    }

    void aCurveStandsAtItsPoints() {
        const auto csv =
            parsed(studyPictures(m_study, {plotOf(engine::PlotKind::Lines, kCount, kBatch, {"latency_s"})})
                       .front()
                       .csv());
        QCOMPARE(csv.rows.size(), std::size_t{4});
        const auto& table = m_study->table;
        std::size_t found = 0;
        for (std::size_t row = 0; row < table.rows(); ++row) {
            if (table.find("techniques.l2_prefetch.enabled")->at(row) != 0)
                continue;
            const auto count = exact(table.find(kCount)->at(row));
            const auto batch = exact(table.find(kBatch)->at(row));
            for (const auto& cells : csv.rows)
                for (int i = 1; i < csv.header.size(); ++i)
                    if (cells[0] == count && csv.header[i].endsWith(QStringLiteral(", ") + batch)) {
                        QCOMPARE(cells[i], exact(table.find("latency_s")->at(row)));
                        ++found;
                    }
        }
        QCOMPARE(found, std::size_t{12});
    }

    void theStudyAsCsvIsTheStore() {
        const auto csv = parsed(QString::fromStdString(engine::studyCsv(m_study->table)));
        QCOMPARE(csv.rows.size(), std::size_t{24});
        for (const auto& column : m_study->table.columns) {
            const auto at = csv.header.indexOf(QString::fromStdString(column.name));
            QVERIFY(at >= 0);
            if (column.isChoice())
                continue;
            for (std::size_t row = 0; row < 24; ++row)
                QCOMPARE(csv.rows[row][at], std::isnan(column.at(row)) ? QString() : exact(column.at(row)));
        }
    }

    void aReportHoldsTheMetricsExactlyAndNeedsNothingElse() {
        const auto design = engine::loadPreset(*m_catalog, "glitches/a100-7u280", "test");
        const auto report = designReport(
            design, studyPictures(m_study, {plotOf(engine::PlotKind::Lines, kCount, kBatch, {"latency_s"})}));
        const auto html = htmlReport(report);
        const auto evaluation = engine::evaluate(design);
        for (const auto& spec : engine::metricSpecs())
            if (const double value = evaluation.metric(spec.metric); !std::isnan(value))
                QVERIFY2(html.contains(u'>' + exact(engine::toEdge(value, spec.scale)) + u'<'),
                         spec.key.data());
        QCOMPARE(html.count(QStringLiteral("src=\"data:image/svg+xml;base64,")),
                 static_cast<int>(report.pictures.size()));
        QVERIFY(!html.contains(QStringLiteral("http")));
        QVERIFY(!html.contains(QStringLiteral("<script")));
        const auto pdf = pdfReport(report);
        QVERIFY(pdf.startsWith("%PDF"));
        QVERIFY(pdf.size() > 20000);
        auto broken = design;
        broken.nodes.clear();
        broken.links.clear();
        bool refused = false;
        try {
            designReport(broken);
        } catch (const engine::Error& error) {
            refused = QString::fromUtf8(error.what()).contains(QStringLiteral("cannot be drawn"));
        }
        QVERIFY(refused);
    }

    void theDialogWritesWhatIsTicked() {
        const auto design = engine::loadPreset(*m_catalog, "glitches/a100-7u280", "test");
        ReportDialog dialog(designReport(design), m_folder.path(), nullptr);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        auto* list = dialog.list();
        const auto all = dialog.chosen();
        QCOMPARE(list->count(), static_cast<int>(all.tables.size() + all.pictures.size()));
        list->setFocus();
        list->setCurrentRow(0);
        QTest::keyClick(list, Qt::Key_Space);
        QCOMPARE(dialog.chosen().tables.size(), all.tables.size() - 1);
        for (int row = 1; row < list->count(); ++row) {
            list->setCurrentRow(row);
            QTest::keyClick(list, Qt::Key_Space);
        }
        for (auto* button : dialog.findChildren<QPushButton*>())
            if (button->text().contains(QStringLiteral("HTML")))
                QVERIFY(!button->isEnabled()); // nothing is ticked
        list->setCurrentRow(2);
        QTest::keyClick(list, Qt::Key_Space);
        const auto path = m_folder.filePath(QStringLiteral("r.html"));
        QVERIFY(dialog.writeTo(path));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains("throughput_tok_s"));
        QVERIFY(!dialog.writeTo(QStringLiteral("/nowhere/r.html")));
        QVERIFY(!dialog.writeTo(m_folder.filePath(QStringLiteral("r.doc"))));
        QVERIFY(!QFile::exists(m_folder.filePath(QStringLiteral("r.doc"))));
    }

private:
    /// Columns that no figure is stored for: sums of a stack, places and marks.
    static bool isOwn(const QString& header) {
        static const QStringList own{QStringLiteral("Row"), QStringLiteral("Kept"),
                                     QStringLiteral("Pareto front")};
        return own.contains(header) || header.contains(QStringLiteral("Together"));
    }

    void checkEvaluated(engine::PlotKind kind, const Csv& csv) {
        for (const auto& row : csv.rows)
            QCOMPARE(row.size(), csv.header.size());
        if (kind == engine::PlotKind::Roofline) {
            std::set<QString> known;
            for (std::size_t row = 0; row < m_study->table.rows(); ++row)
                for (const auto& point : rooflinePoints(engine::rooflines(m_study->scenarioOf(row))))
                    known.insert(exact(point.intensity));
            std::size_t points = 0;
            for (const auto& row : csv.rows)
                if (row[1] == QStringLiteral("point")) {
                    ++points;
                    QVERIFY2(known.contains(row[2]), qPrintable(row.join(u' ')));
                }
            QVERIFY(points > 0);
        }
        if (kind == engine::PlotKind::Breakdown) { // the last column is the whole bar
            const auto& latencies = m_study->table.find("latency_s")->values;
            for (const auto& row : csv.rows) {
                const double sum = row.back().toDouble();
                QVERIFY(sum > 0);
                QVERIFY2(std::any_of(latencies.begin(), latencies.end(),
                                     [&](double one) { return std::abs(sum / one - 1) < 1e-12; }),
                         qPrintable(row.back()));
            }
        }
    }
};

QTEST_MAIN(ExportsTest)
#include "exports_test.moc"
