// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/claims/claims.h"
#include "engine/units/number_text.h"
#include "tests/shipped_catalog.h"
#include "tests/widgets/widget_test.h"
#include "widgets/document/document.h"
#include "widgets/document/metric_text.h"
#include "widgets/document/serving_view.h"
#include "widgets/document/simulation_runner.h"
#include "widgets/explain/explanation_popup.h"
#include "widgets/inspector/stack_bar.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/plot_view.h"
#include "widgets/results/latency_table.h"
#include "widgets/results/serving_facts.h"
#include "widgets/results/serving_panel.h"
#include "widgets/results/use_list.h"
#include "widgets/window/metrics_strip.h"

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

#include <algorithm>
#include <cmath>

using namespace heteroscape;
using namespace heteroscape::widgets;
using engine::Metric;

/// What is shown of a simulation, in the panel and above the canvas.
class ServingPanelTest : public QObject {
    Q_OBJECT

    std::unique_ptr<Document> m_document;
    std::unique_ptr<ServingPanel> m_panel;
    SimulationRunner* m_runner = nullptr;

    void edit(void (*change)(engine::Serving&)) {
        auto serving = m_document->scenario().serving;
        change(serving);
        QVERIFY(m_document->perform(engine::SetServing{serving}));
    }
    void simulate(void (*change)(engine::Serving&)) {
        edit(change);
        QTRY_VERIFY_WITH_TIMEOUT(!m_runner->isBusy(), 30000);
        QVERIFY2(m_runner->run() != nullptr, qPrintable(m_runner->reason()));
    }
    static void poisson(engine::Serving& serving) {
        serving.arrivals = engine::arrivalsNamed("poisson");
        serving["rate_req_s"].value = 0.5;
        serving["requests"].value = 400;
    }
    const engine::ServingResult& result() const { return m_runner->run()->serving.result; }
    QString factValue(const QString& name) const {
        for (const auto& fact : m_panel->facts())
            if (fact.name == name)
                return fact.value;
        return {};
    }
    QString cell(int row, int column) const {
        return child<LatencyTable>(m_panel)->item(row, column)->text();
    }

private slots:
    void init() {
        m_document = std::make_unique<Document>(shippedCatalog());
        m_document->openPreset("glitches/a100-7u280");
        m_runner = simulationOf(m_document.get());
        QCOMPARE(simulationOf(m_document.get()), m_runner); // one for all
        m_panel = std::make_unique<ServingPanel>(m_runner, m_document.get());
        expose(*m_panel, {1000, 220});
    }
    void cleanup() {
        m_panel.reset();
        m_document.reset();
    }

    void timesTakeTheUnitThatFits_data() {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("text");
        QTest::newRow("us") << 12e-6 << QString::fromUtf8("12.0\u202f\u00b5s");
        QTest::newRow("ms") << 0.0189 << QString::fromUtf8("18.9\u202fms");
        QTest::newRow("s") << 299.0 << QString::fromUtf8("299\u202fs");
        QTest::newRow("min") << 300.0 << QString::fromUtf8("5.00\u202fmin");
        QTest::newRow("h") << 18000.0 << QString::fromUtf8("5.00\u202fh");
        QTest::newRow("none") << std::nan("") << QString::fromUtf8("\u2013");
    }
    void timesTakeTheUnitThatFits() {
        QFETCH(double, seconds);
        QFETCH(QString, text);
        QCOMPARE(durationText(seconds), text);
    }

    void steadyArrivalsOfferABacklog() {
        QVERIFY(m_panel->reason().contains(QStringLiteral("steady")));
        auto* button = m_panel->findChild<QPushButton*>(QStringLiteral("backlog"));
        QVERIFY(button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(m_document->scenario().serving.arrivals, engine::arrivalsNamed("backlog"));
        QTRY_VERIFY_WITH_TIMEOUT(m_runner->run(), 30000);
        QVERIFY(m_panel->reason().isEmpty());
        QVERIFY(factValue("Requests").startsWith(QStringLiteral("1,000 done")));
        QCOMPARE(m_document->undoStack()->count(), 1);
        m_document->undoStack()->undo();
        QTRY_VERIFY(m_panel->reason().contains(QStringLiteral("steady")));
        QVERIFY(button->isVisible());
    }

    void poissonIsOfferedWithARate() {
        QTest::mouseClick(m_panel->findChild<QPushButton*>(QStringLiteral("poisson")), Qt::LeftButton);
        QCOMPARE(m_document->scenario().serving.arrivals, engine::arrivalsNamed("poisson"));
        QVERIFY(m_document->scenario().serving["rate_req_s"] == proposedRate(*m_document));
    }

    void theTableTellsTheDistributions() {
        simulate(poisson);
        const engine::Distribution* rows[] = {&result().wait, &result().ttft, &result().tpot,
                                              &result().latency};
        for (int row = 0; row < 4; ++row) {
            const auto unit = durationUnit(rows[row]->largest());
            QCOMPARE(cell(row, 0), unit.name);
            const double values[] = {rows[row]->mean(), rows[row]->quantile(0.5), rows[row]->quantile(0.9),
                                     rows[row]->quantile(0.99), rows[row]->largest()};
            for (int column = 0; column < 5; ++column)
                QCOMPARE(cell(row, column + 1),
                         QString::fromStdString(engine::shortText(values[column] / unit.seconds)));
        }
        QVERIFY(cell(3, 1) != cell(3, 5));
        QTest::keyClick(child<LatencyTable>(m_panel), Qt::Key_C, Qt::ControlModifier);
        const auto copied = QApplication::clipboard()->text();
        QCOMPARE(copied.count(QLatin1Char('\n')), 5);
        QVERIFY(copied.contains(cell(1, 4)));
    }

    void aLatencyExplainsItself() {
        simulate(poisson);
        auto* table = child<LatencyTable>(m_panel);
        QCOMPARE(LatencyTable::metricAt(1, 4), std::optional(Metric::FirstTokenP99));
        QCOMPARE(LatencyTable::metricAt(3, 1), std::optional(Metric::EndToEndMean));
        for (const auto& [row, column] : {std::pair{0, 2}, {1, 0}, {1, 5}})
            QVERIFY(!LatencyTable::metricAt(row, column));
        table->setCurrentCell(2, 3);
        QTest::keyClick(table, Qt::Key_E);
        auto* popup = m_panel->findChild<ExplanationPopup*>();
        QVERIFY(popup);
        QTRY_VERIFY(child<QTreeWidget>(popup)->topLevelItemCount() == 1); // simulated once more, elsewhere
        QCOMPARE(child<QTreeWidget>(popup)->topLevelItem(0)->text(0), QStringLiteral("TPOT, p90"));
        popup->close();
    }

    void simulatedMetricsStandBesideTheClosedForm() {
        simulate(poisson);
        const auto& evaluation = m_runner->run()->evaluation;
        const auto tokens = factValue("Tokens");
        QVERIFY2(tokens.contains(
                     QString::fromStdString(engine::shortText(evaluation.metric(Metric::ServedThroughput)))),
                 qPrintable(tokens));
        QVERIFY2(
            tokens.contains(QString::fromStdString(engine::shortText(evaluation.metric(Metric::Throughput)))),
            qPrintable(tokens));
        QVERIFY(factValue("Goodput").contains(QStringLiteral("no limits")));
        QVERIFY(factValue("Power").contains(QStringLiteral("J/tok")));
        simulate([](engine::Serving& serving) { serving.ttftLimit.value = 0.2; });
        const auto share =
            std::lround(100.0 * static_cast<double>(result().good) / static_cast<double>(result().done));
        QVERIFY(share > 0 && share < 100);
        QVERIFY2(factValue("Goodput").contains(QString::number(share)), qPrintable(factValue("Goodput")));
        // The longest of all went beyond the limit, the shortest half did not.
        QVERIFY(
            child<LatencyTable>(m_panel)->item(1, 5)->toolTip().contains(QStringLiteral("Beyond the limit")));
        QVERIFY(!child<LatencyTable>(m_panel)->item(1, 2)->toolTip().contains(
            QStringLiteral("Beyond the limit")));
        QVERIFY(child<LatencyTable>(m_panel)->item(1, 5)->foreground() !=
                child<LatencyTable>(m_panel)->item(1, 2)->foreground());
    }

    void everyNodeAndLinkHasABar() {
        simulate(poisson);
        const auto& scenario = m_document->scenario();
        const auto* use = child<UseList>(m_panel);
        int working = 0;
        for (const auto& node : m_runner->run()->serving.nodes)
            working += node.replicas > 0 ? 1 : 0;
        QCOMPARE(working, 2);
        QCOMPARE(use->rows(), working + static_cast<int>(scenario.links.size()));
        for (int row = 0; row < use->rows(); ++row) {
            double sum = 0.0;
            for (const auto& part : use->bar(row)->parts())
                sum += part.share;
            QVERIFY(std::abs(sum - 1.0) < 1e-9);
        }
        int row = 0; // nodes come first, those that carry data only are left out
        for (std::size_t i = 0; i < scenario.nodes.size(); ++i) {
            const auto& node = m_runner->run()->serving.nodes[i];
            if (node.replicas == 0)
                continue;
            QCOMPARE(use->nameOf(row), QString::fromStdString(scenario.nodes[i].shownName()));
            QVERIFY2(use->valueOf(row).startsWith(QString::number(std::lround(100.0 * node.busy()))),
                     qPrintable(use->valueOf(row)));
            ++row;
        }
    }

    void theQueueIsDrawnAndExported() {
        simulate([](engine::Serving& serving) { serving.arrivals = engine::arrivalsNamed("backlog"); });
        const auto& chart = m_panel->plot()->chart();
        const auto& waiting = chart.lines.back();
        QCOMPARE(waiting.name, QStringLiteral("Waiting"));
        QVERIFY(std::is_sorted(waiting.x.begin(), waiting.x.end()));
        QVERIFY(waiting.y.front() > 900.0 && waiting.y.back() < 10.0);
        QTemporaryDir folder;
        const auto csv = folder.filePath(QStringLiteral("queue.csv"));
        QVERIFY(m_panel->exportButton()->exportTo(csv));
        const auto lines = bytesOf(csv).split('\n');
        QVERIFY2(lines.front().contains("Waiting") && lines.front().contains("Running"), lines.front());
        QVERIFY(lines.size() > 100);
        for (const char* suffix : {"png", "svg", "pdf"}) {
            const auto path = folder.filePath(QStringLiteral("queue.") + QLatin1String(suffix));
            QVERIFY(m_panel->exportButton()->exportTo(path));
            QVERIFY(QFile(path).size() > 500);
        }
    }

    void theLastRunStandsUntilTheNext() {
        simulate(poisson);
        const auto before = child<LatencyTable>(m_panel)->text();
        QSignalSpy started(m_runner, &SimulationRunner::started);
        edit([](engine::Serving& serving) { serving["seed"].value = 2; });
        QCOMPARE(started.count(), 1);
        QVERIFY(m_runner->isBusy());
        QCOMPARE(child<LatencyTable>(m_panel)->text(), before);
        QVERIFY(m_panel->reason().isEmpty());
        QVERIFY(!m_panel->isDimmed());
        QTRY_VERIFY_WITH_TIMEOUT(!m_runner->isBusy(), 30000);
        QVERIFY(child<LatencyTable>(m_panel)->text() != before);
    }

    void aLongRunDimsTheOldOne() {
        simulate(poisson);
        const auto before = child<LatencyTable>(m_panel)->text();
        edit([](engine::Serving& serving) { serving["requests"].value = 1e8; });
        QTRY_VERIFY_WITH_TIMEOUT(m_panel->isDimmed(), 10000);
        QCOMPARE(child<LatencyTable>(m_panel)->text(), before);
        simulate([](engine::Serving& serving) { serving["requests"].value = 100; });
        QVERIFY(!m_panel->isDimmed());
        QVERIFY(factValue("Requests").startsWith(QStringLiteral("100 done")));
    }

    void whatCannotRunSaysWhy() {
        edit([](engine::Serving& serving) { serving.arrivals = engine::arrivalsNamed("trace"); });
        QTRY_VERIFY2(m_panel->reason().contains(QStringLiteral("none is chosen")),
                     qPrintable(m_panel->reason()));
        QVERIFY(!m_panel->findChild<QPushButton*>(QStringLiteral("backlog"))->isVisible());
        QVERIFY(m_panel->facts().empty());
    }

    void refusedRequestsAreToldAsAWarning() {
        QTemporaryDir folder;
        const auto path =
            writeFile(folder.filePath(QStringLiteral("long.csv")),
                      "arrival_s,prompt_tokens,output_tokens\n0,100,10\n30,10000,30\n60,15000,30\n");
        m_document->traces().choose(path);
        QTRY_VERIFY(!m_document->traces().isReading());
        // The less memory its cards have, the fewer of the long requests fit.
        const std::pair<const char*, std::uint64_t> rows[] = {{"8", 0}, {"7.4", 1}, {"6", 2}};
        for (const auto& [memory, refused] : rows) {
            QVERIFY2(m_document->set("nodes.fpga.device.memory_gb", memory) || refused == 0, memory);
            QTRY_VERIFY_WITH_TIMEOUT(!m_runner->isBusy(), 30000);
            QVERIFY2(m_runner->run() != nullptr, qPrintable(m_runner->reason()));
            QCOMPARE(result().refused, refused);
            QCOMPARE(result().done, 3 - refused);
            const auto facts = m_panel->facts();
            QCOMPARE(facts.front().name, QStringLiteral("Requests"));
            QCOMPARE(facts.front().value,
                     QStringLiteral("%1 done, %2 refused").arg(3 - refused).arg(refused));
            QCOMPARE(facts.front().warns, refused > 0);
        }
    }

    void anotherDesignLeavesNothingBehind() {
        simulate(poisson);
        m_document->openPreset("glitches/8a100");
        QTRY_VERIFY(m_panel->reason().contains(QStringLiteral("steady")));
        QVERIFY(m_panel->facts().empty());
        QVERIFY(!m_panel->exportButton()->isEnabled());
    }

    void aHiddenPanelCatchesUp() {
        m_panel->hide();
        simulate(poisson);
        m_panel->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
        QCOMPARE(child<LatencyTable>(m_panel)->item(1, 0)->text(),
                 durationUnit(result().ttft.largest()).name);
        QVERIFY(m_panel->reason().isEmpty());
    }

    void aNarrowPanelKeepsEverything() {
        simulate(poisson);
        m_panel->resize(600, 220);
        QTRY_VERIFY(child<UseList>(m_panel)->isVisibleTo(m_panel.get()));
        QVERIFY(child<LatencyTable>(m_panel)->isVisibleTo(m_panel.get()));
        QTRY_VERIFY2(m_panel->minimumSizeHint().width() <= 560,
                     qPrintable(QString::number(m_panel->minimumSizeHint().width())));
    }

    void theStripIsTheSimulationsOrTheSteadyStates() {
        MetricsStrip strip(m_document.get());
        expose(strip, {1400, 64});
        auto* ttft = strip.cell(Metric::FirstTokenP99);
        auto* served = strip.cell(Metric::ServedThroughput);
        auto* throughput = strip.cell(Metric::Throughput);
        QVERIFY(ttft && served && !ttft->isVisible() && !served->isVisible());
        QVERIFY(!child<QToolButton>(&strip, "steadyState")->isVisible());
        QVERIFY(throughput->isVisible() && throughput->content().note.isEmpty());
        simulate(poisson);
        QVERIFY(ttft->isVisible() && served->isVisible());
        QVERIFY(!throughput->isVisible()); // two truths at once mislead
        QCOMPARE(served->content().note, QStringLiteral("simulated"));
        const auto& metrics = m_runner->run()->evaluation;
        QCOMPARE(served->content().value,
                 QString::fromStdString(engine::shortText(metrics.metric(Metric::ServedThroughput))));
        const double seconds = metrics.metric(Metric::FirstTokenP99);
        QCOMPARE(ttft->content().value,
                 QString::fromStdString(engine::shortText(seconds * (seconds < 1.0 ? 1e3 : 1.0))));
        QCOMPARE(ttft->content().unit, seconds < 1.0 ? QStringLiteral("ms") : QStringLiteral("s"));
        QVERIFY(ttft->toolTip().contains(QStringLiteral("Simulated")));
        // Another run: the metric stands, as it was, until there is a new one.
        const auto before = ttft->content();
        edit([](engine::Serving& serving) { serving["seed"].value = 5; });
        QVERIFY(m_runner->isBusy());
        QVERIFY(ttft->content() == before);
        QTRY_VERIFY_WITH_TIMEOUT(!m_runner->isBusy(), 30000);
        QVERIFY(ttft->content().value != before.value);
        QVERIFY(!ttft->content().stale);
        QSignalSpy wanted(&strip, &MetricsStrip::simulationRequested);
        QTest::mouseClick(ttft, Qt::LeftButton);
        QCOMPARE(wanted.count(), 1);
        QTest::mouseClick(child<QToolButton>(&strip, "steadyState"), Qt::LeftButton);
        QVERIFY(throughput->isVisible() && !ttft->isVisible() && !served->isVisible());
        QCOMPARE(throughput->content().note, QStringLiteral("steady state"));
        QTest::mouseClick(child<QToolButton>(&strip, "simulated"), Qt::LeftButton);
        QVERIFY(ttft->isVisible() && !throughput->isVisible());
        m_document->set("serving.arrivals", "steady");
        QVERIFY(!ttft->isVisible());
        QVERIFY(throughput->isVisible() && throughput->content().note.isEmpty());
        QVERIFY(!child<QToolButton>(&strip, "steadyState")->isVisible());
    }
};

WIDGET_TEST(ServingPanelTest)
#include "serving_panel_test.moc"
