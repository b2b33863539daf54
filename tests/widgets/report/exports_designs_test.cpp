// SPDX-License-Identifier: GPL-3.0-or-later

// What is exported of designs that are evaluated again stands at its own place and is what the engine says of
// that design: where the time goes, rooflines, timelines, and the report of a design.

#include "engine/base/error.h"
#include "engine/evaluation/breakdown.h"
#include "engine/evaluation/decisive.h"
#include "engine/evaluation/timeline.h"
#include "tests/widgets/report/dialog_writes.h"
#include "tests/widgets/report/stored_study.h"
#include "tests/widgets/widget_test.h"
#include "widgets/report/design_pictures.h"
#include "widgets/report/design_report.h"
#include "widgets/roofline/roofline_chart.h"

#include <QFile>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QTest>

#include <array>
#include <cmath>
#include <set>

using namespace heteroscape;
using namespace heteroscape::widgets;
using namespace heteroscape::widgets::test;
using engine::Phase;
using engine::PlotKind;

namespace {

bool near(double found, double expected) {
    return std::abs(found - expected) <= 1e-12 * std::abs(expected);
}

} // namespace

class ExportsDesignsTest : public QObject {
    Q_OBJECT

    std::unique_ptr<StoredStudies> m_studies;

    const StoredStudy& study() const { return m_studies->fetched(); }
    /// Across, all else held at its last value: there some of "infeasible" do not run.
    static engine::StudyPlot acrossPlot(PlotKind kind, const StoredStudy& study) {
        auto plot = plotOf(kind, study, {"latency_s"});
        plot.query.curve.clear();
        for (const auto& axis : {study.curve(), study.held()})
            plot.query.fixed.emplace_back(axis, heldAt(study, axis));
        return plot;
    }
    static double heldAt(const StoredStudy& study, const std::string& axis) { return study.values(axis)[1]; }
    static std::vector<std::size_t> rowsAcross(const StoredStudy& study) {
        std::vector<std::size_t> rows;
        for (const double x : study.values(study.x()))
            rows.push_back(study.rowAt({{study.x(), x},
                                        {study.curve(), heldAt(study, study.curve())},
                                        {study.held(), heldAt(study, study.held())}}));
        return rows;
    }
    static CsvTable csvOf(const StoredStudy& study, const engine::StudyPlot& plot) {
        const auto pictures = studyPictures(study.loaded, {plot});
        if (pictures.size() != 1)
            throw std::runtime_error("one plot gives one picture");
        return readCsv(pictures.front().csv());
    }

private slots:
    void initTestCase() { m_studies = std::make_unique<StoredStudies>(); }

    void theTimeOfEachDesignGoesToItsParts_data() { addStudies(); }
    void theTimeOfEachDesignGoesToItsParts() {
        const auto& one = study();
        const auto table = csvOf(one, acrossPlot(PlotKind::Breakdown, one));
        QCOMPARE(table.header.front(), one.label(one.x()));
        const auto label = QStringLiteral("Time of a batch (s), ");
        QCOMPARE(table.header.back(), label + QStringLiteral("Together"));
        const auto rows = rowsAcross(one);
        QCOMPARE(table.rows.size(), rows.size());
        std::size_t checked = 0, empty = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto& cells = table.rows[i];
            QCOMPARE(cells.front(), exact(one.table().find(one.x())->at(rows[i])));
            const auto& evaluation = one.evaluated(rows[i]);
            if (!evaluation.feasible) {
                for (int k = 1; k < cells.size(); ++k)
                    QVERIFY(cells[k].isEmpty());
                ++empty;
                continue;
            }
            // What a batch is made of, by its operators and what it waits for, adds up to its latency.
            std::map<QString, double> parts;
            double sum = 0;
            for (const auto& part : engine::batchParts(one.loaded->scenarioOf(rows[i]), evaluation)) {
                parts[QString::fromStdString(part.label)] += part.seconds;
                sum += part.seconds;
            }
            const double latency = one.value("latency_s", rows[i]);
            QVERIFY(near(sum, latency));
            std::size_t numbers = 0;
            for (int k = 1; k + 1 < cells.size(); ++k) {
                QVERIFY2(table.header[k].startsWith(label), qPrintable(table.header[k]));
                const auto part = table.header[k].mid(label.size());
                QCOMPARE(cells[k], exact(parts[part])); // 0 where this design has no such part
                if (part == QStringLiteral("Prefill"))
                    QCOMPARE(cells[k], exact(one.value("ttft_s", rows[i])));
                parts.erase(part);
                ++numbers;
            }
            for (const auto& [part, seconds] : parts) // has no column: takes no time in any design
                QVERIFY2(seconds == 0.0, qPrintable(part));
            QVERIFY(numbers >= 3);
            QVERIFY(near(cells.back().toDouble(), latency));
            ++checked;
        }
        QFETCH(QString, name);
        QVERIFY(checked > 0);
        QCOMPARE(empty > 0, name == QStringLiteral("infeasible"));
    }

    void everyDesignHasItsPlaceUnderItsRoofs_data() { addStudies(); }
    void everyDesignHasItsPlaceUnderItsRoofs() {
        const auto& one = study();
        const auto table = csvOf(one, acrossPlot(PlotKind::Roofline, one));
        const auto performance = table.header.value(3);
        QVERIFY(performance.startsWith(QStringLiteral("Performance (TFLOP/s")));
        QCOMPARE(table.header, QStringList({QStringLiteral("Name"), QStringLiteral("Kind"),
                                            QStringLiteral("Operational intensity (FLOP/B)"), performance}));
        CsvTable expected{table.header, {}};
        std::vector<std::pair<double, double>> roofs; // FLOP/s, B/s
        const auto& x = *one.table().find(one.x());
        for (const auto row : rowsAcross(one)) {
            if (!one.evaluated(row).feasible)
                continue; // reaches no roof
            const auto design = one.loaded->scenarioOf(row);
            const auto all = engine::rooflines(design);
            const auto ceilings = rooflineCeilings(design, all);
            for (std::size_t i = 0; i < all.size(); ++i) {
                const auto& roof = all[i];
                roofs.emplace_back(roof.peakFlops, roof.peakBandwidth);
                roofs.emplace_back(roof.reachableFlops, roof.reachableBandwidth);
                if (roof.l2Bandwidth > 0)
                    roofs.emplace_back(roof.peakFlops, roof.l2Bandwidth);
                for (const auto& link : roof.links)
                    roofs.emplace_back(roof.peakFlops, link.bandwidth);
                for (const auto& ceiling : ceilings[i])
                    roofs.emplace_back(ceiling.flops > 0 ? ceiling.flops : roof.peakFlops,
                                       ceiling.bandwidth > 0 ? ceiling.bandwidth : roof.peakBandwidth);
                const double intensity = roof.step.flops / roof.step.bytes;
                const double achieved = roof.step.flops / roof.step.seconds;
                if (!(intensity > 0) || !(achieved > 0))
                    continue;
                expected.rows.push_back({QStringLiteral("%1: Whole step, %2 on %3")
                                             .arg(one.loaded->textWithUnit(x, x.at(row)),
                                                  roof.phase == Phase::Decode ? QStringLiteral("decode")
                                                                              : QStringLiteral("prefill"),
                                                  QString::fromStdString(roof.name)),
                                         QStringLiteral("point"), exact(intensity), exact(achieved / 1e12)});
            }
        }
        QVERIFY(expected.rows.size() >= 3);
        CsvTable points{table.header, {}};
        std::set<std::pair<QString, QString>> corners;
        std::size_t lines = 0;
        for (const auto& row : table.rows) {
            if (row[1] == QStringLiteral("point")) {
                QCOMPARE(lines, std::size_t{0}); // points first
                points.rows.push_back(row);
                continue;
            }
            QCOMPARE(row[1], QStringLiteral("line"));
            ++lines;
            corners.insert({row[2], row[3]});
            const double at = row[2].toDouble(), high = row[3].toDouble() * 1e12;
            const bool onRoof = std::any_of(roofs.begin(), roofs.end(), [&](const auto& roof) {
                return near(high, roof.first) || near(high, at * roof.second);
            });
            QVERIFY2(onRoof, qPrintable(row.join(u' ')));
        }
        QCOMPARE(difference(points, expected), QString());
        for (const auto row : rowsAcross(one)) // where the roofs of each device bend
            for (const auto& roof : engine::rooflines(one.loaded->scenarioOf(row)))
                QVERIFY(corners.contains(
                    {exact(roof.peakFlops / roof.peakBandwidth), exact(roof.peakFlops / 1e12)}));
    }

    void everyOperatorHasItsPlace_data() { addStudies(); }
    void everyOperatorHasItsPlace() {
        const auto design = *study().loaded->definition.base;
        const auto pictures = designPictures(design);
        const auto table = readCsv(findPicture(pictures, QStringLiteral("roofline"), "design").csv());
        CsvTable expected{table.header, {}};
        for (const auto& roof : engine::rooflines(design)) {
            const auto phase =
                roof.phase == Phase::Decode ? QStringLiteral("decode") : QStringLiteral("prefill");
            const auto add = [&](const QString& name, double flops, double bytes, double seconds) {
                if (flops > 0 && bytes > 0 && seconds > 0)
                    expected.rows.push_back(
                        {name, QStringLiteral("point"), exact(flops / bytes), exact(flops / seconds / 1e12)});
            };
            const auto onDevice = [&](const std::string& name) {
                return QStringLiteral("%1, %2 on %3")
                    .arg(QString::fromStdString(name), phase, QString::fromStdString(roof.name));
            };
            for (const auto& row : roof.detail.operators)
                add(onDevice(row.label), row.flops, row.bytes, row.seconds);
            for (const auto& flow : roof.detail.flows)
                add(QStringLiteral("%1, %2").arg(QString::fromStdString(flow.label), phase), flow.flops,
                    flow.bytes, flow.seconds);
            add(onDevice("Whole step"), roof.step.flops, roof.step.bytes, roof.step.seconds);
        }
        QVERIFY(expected.rows.size() > 5);
        const auto all = engine::rooflines(design); // whose ceilings are drawn here as in the window
        for (const auto& ceilings : rooflineCeilings(design, all))
            for (const auto& ceiling : ceilings)
                if (ceiling.flops > 0)
                    QVERIFY(std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
                        return row[1] == QStringLiteral("line") && row[3] == exact(ceiling.flops / 1e12);
                    }));
        CsvTable points{table.header, {}};
        for (const auto& row : table.rows)
            if (row[1] == QStringLiteral("point"))
                points.rows.push_back(row);
        QCOMPARE(difference(points, expected), QString());
    }

    void everySegmentOfATimelineHasItsRow_data() { addStudies(); }
    void everySegmentOfATimelineHasItsRow() {
        const auto& one = study();
        const auto table = csvOf(one, plotOf(PlotKind::Timeline, one, {"latency_s"}));
        const auto& design = *one.loaded->definition.base;
        std::optional<engine::NodeId> node;
        for (const auto& roof : engine::rooflines(design))
            if (roof.phase == Phase::Decode && !node)
                node = roof.node;
        QVERIFY(node);
        // The only technique is named, of several all are taken away.
        static const std::map<QString, QString> kOnly{
            {QStringLiteral("preserve"), QStringLiteral("L2 prefetch")},
            {QStringLiteral("infeasible"), QStringLiteral("load merging")}};
        QFETCH(QString, name);
        const auto only = kOnly.find(name);
        QCOMPARE(engine::scheduleTechniques(design, *node).size() > 1, only == kOnly.end());
        const auto technique = only == kOnly.end() ? QStringLiteral("any technique") : only->second;
        const auto drawn = [&](const engine::Scenario& of) {
            auto step = engine::stepTimeline(of, *node, Phase::Decode);
            engine::addPower(of, engine::evaluate(of), step);
            return step;
        };
        const std::vector<std::pair<QString, engine::StepTimeline>> steps{
            {only == kOnly.end() ? QStringLiteral("As designed") : QStringLiteral("With ") + technique,
             drawn(design)},
            {QStringLiteral("Without ") + technique, drawn(engine::withoutTechnique(design))}};
        const auto operands = table.column(QStringLiteral("operands"));
        QVERIFY(operands > 0);
        CsvTable expected{table.header, {}}, found{table.header, table.rows};
        for (const auto& [track, step] : steps)
            for (std::size_t lane = 0; lane < engine::kLaneCount; ++lane)
                for (const auto& segment : step.segments) {
                    if (static_cast<std::size_t>(segment.lane) != lane)
                        continue;
                    const double rate = segment.bytes / (segment.end - segment.start) / 1e9;
                    const auto words = [](std::string_view text) {
                        return QString::fromStdString(std::string(text));
                    };
                    expected.rows.push_back(
                        {track, words(engine::laneName(segment.lane)), words(engine::workName(segment.work)),
                         words(segment.key),
                         segment.layer < 0 ? QStringLiteral("head") : QString::number(segment.layer),
                         exact(segment.start / 1e-6), exact(segment.end / 1e-6), exact(segment.bytes),
                         segment.hit ? QStringLiteral("hit") : QString(), exact(rate),
                         words(engine::boundName(segment.bound)),
                         segment.lane == engine::Lane::Power ? exact(segment.watts) : QString()});
                }
        QVERIFY(expected.rows.size() > 100);
        for (auto& row : found.rows) // which the engine does not say
            if (row[operands] == QStringLiteral("missed"))
                row[operands].clear();
        QCOMPARE(
            table.header.join(u','),
            QStringLiteral(
                "timeline,lane,work,operator,layer,start_us,end_us,bytes,operands,gb_per_s,bound,watts"));
        QCOMPARE(difference(found, expected), QString());
    }

    void aReportHoldsTheMetricsInTheirOwnRows_data() { addStudies(); }
    void aReportHoldsTheMetricsInTheirOwnRows() {
        const auto& one = study();
        const auto& design = *one.loaded->definition.base;
        const auto report =
            designReport(design, studyPictures(one.loaded, {plotOf(PlotKind::Lines, one, {"latency_s"})}));
        static const QRegularExpression kMade(QStringLiteral(", design [0-9a-f]{32}$"));
        QVERIFY2(report.made.contains(kMade), qPrintable(report.made));
        const auto html = QString::fromUtf8(fileOf(report, ReportFormat::Html));
        const auto evaluation = engine::evaluate(design);
        CsvTable expected{{QStringLiteral("Metric"), QStringLiteral("Value"), QStringLiteral("Unit"),
                           QStringLiteral("Key")},
                          {}};
        const auto words = [](std::string_view text) { return QString::fromStdString(std::string(text)); };
        for (const auto& spec : engine::metricSpecs())
            if (const double value = evaluation.metric(spec.metric); !std::isnan(value))
                expected.rows.push_back({words(spec.label), exact(engine::toEdge(value, spec.scale)),
                                         words(spec.unit), words(spec.key)});
        QVERIFY(expected.rows.size() > 10);
        QCOMPARE(difference(tableOf(html, QStringLiteral("Metrics")), expected), QString());
        // Its pictures are within it, each as it is drawn; it needs nothing else.
        static const QRegularExpression kImage(
            QStringLiteral("src=\"data:image/svg\\+xml;base64,([^\"]*)\""));
        std::size_t images = 0;
        for (auto at = kImage.globalMatch(html); at.hasNext(); ++images)
            QVERIFY(QByteArray::fromBase64(at.next().captured(1).toLatin1()).contains("<svg"));
        QCOMPARE(images, report.pictures.size());
        auto plain = html;
        plain.remove(kImage);
        QVERIFY(!plain.contains(QStringLiteral("http")));
        QVERIFY(!plain.contains(QStringLiteral("<script")));
        const auto pdf = fileOf(report, ReportFormat::Pdf);
        QVERIFY(pdf.startsWith("%PDF"));
        QVERIFY(pdf.size() > 20000);
    }

    void whatCannotRunIsRefused() {
        auto broken = *m_studies->at(QStringLiteral("infeasible")).loaded->definition.base;
        broken.nodes.clear();
        broken.links.clear();
        QString refusal;
        try {
            designReport(broken);
        } catch (const engine::Error& error) {
            refusal = QString::fromUtf8(error.what());
        }
        QVERIFY2(refusal.contains(QStringLiteral("cannot be drawn")), qPrintable(refusal));
    }

    void theDialogWritesWhatIsTicked() {
        const auto& design = *m_studies->at(QStringLiteral("infeasible")).loaded->definition.base;
        const auto& folder = m_studies->folder;
        ReportDialog dialog(designReport(design), folder.path(), nullptr);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        auto* list = child<QListWidget>(&dialog);
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
        std::size_t buttons = 0;
        for (auto* button : dialog.findChildren<QPushButton*>())
            if (button->text().contains(QStringLiteral("HTML"))) {
                QVERIFY(!button->isEnabled()); // nothing is ticked
                ++buttons;
            }
        QCOMPARE(buttons, std::size_t{1});
        list->setCurrentRow(2);
        QTest::keyClick(list, Qt::Key_Space);
        const auto path = folder.filePath(QStringLiteral("r.html"));
        QVERIFY(writes(dialog, path));
        const auto html = bytesOf(path);
        QVERIFY(html.contains("throughput_tok_s"));
        QCOMPARE(html.count("<table>"), 1);
        QCOMPARE(html.count("<img"), 0);
        QVERIFY(!writes(dialog, QStringLiteral("/nowhere/r.html")));
        QVERIFY(!writes(dialog, folder.filePath(QStringLiteral("r.doc"))));
        QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("r.doc"))));
    }

private:
    static QByteArray fileOf(const DesignReport& report, ReportFormat format) {
        std::vector<QByteArray> drawings;
        for (const auto& picture : report.pictures)
            drawings.push_back(reportDrawing(picture, format));
        return reportFile(report, format, drawings);
    }
    /// The table under a heading of a page.
    static CsvTable tableOf(const QString& html, const QString& heading) {
        static const QRegularExpression kRow(QStringLiteral("<tr>(.*?)</tr>")),
            kCell(QStringLiteral("<t([hd])[^>]*>(.*?)</t[hd]>"));
        const auto from = html.indexOf(QStringLiteral("<h2>%1</h2>").arg(heading));
        const auto end = html.indexOf(QStringLiteral("</table>"), from);
        CsvTable table;
        if (from < 0 || end < 0)
            return table;
        for (auto rows = kRow.globalMatch(html.mid(from, end - from)); rows.hasNext();) {
            QStringList cells;
            bool isHeader = false;
            for (auto at = kCell.globalMatch(rows.next().captured(1)); at.hasNext();) {
                const auto cell = at.next();
                isHeader = cell.captured(1) == QStringLiteral("h");
                cells << cell.captured(2);
            }
            if (isHeader)
                table.header = cells;
            else
                table.rows.push_back(cells);
        }
        return table;
    }
};

WIDGET_TEST(ExportsDesignsTest)
#include "exports_designs_test.moc"
