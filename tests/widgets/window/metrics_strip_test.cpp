// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/window_fixture.h"
#include "widgets/compare/compare_workspace.h"
#include "widgets/compare/designs_page.h"
#include "widgets/explain/explanation_popup.h"
#include "widgets/inspector/inspector.h"
#include "widgets/settings/settings.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/context_bar.h"
#include "widgets/window/metric_cell.h"
#include "widgets/window/metrics_strip.h"
#include "widgets/window/status_line.h"

#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QTreeWidget>

using namespace heteroscape;
using namespace heteroscape::widgets;
using engine::Metric;

class MetricsStripTest : public WindowFixture {
    Q_OBJECT

private slots:
    void aPinnedBaselineTellsTheChange() {
        auto* cell = child<MetricsStrip>(m_window)->cell(Metric::Throughput);
        QVERIFY(cell->content().note.isEmpty());
        QTest::keyClick(m_window, Qt::Key_B);
        QCOMPARE(cell->content().note, QStringLiteral("1.00\u00d7 pinned"));
        document().set("nodes.fpga.count", "14");
        settle();
        QVERIFY(cell->content().note != QStringLiteral("1.00\u00d7 pinned"));
        QCOMPARE(cell->content().noteRole, ColorRole::Ok);
        m_window->commands()->action(QStringLiteral("edit.unpin"))->trigger();
        QVERIFY(cell->content().note.isEmpty());
    }

    void severalPinsAreKeptReadAgainstAndCompared() {
        auto* cell = child<MetricsStrip>(m_window)->cell(Metric::Throughput);
        const double first = document().evaluation().metric(Metric::Throughput);
        QTest::keyClick(m_window, Qt::Key_B);
        QTest::keyClick(m_window, Qt::Key_B); // the same design is the same pin
        QCOMPARE(document().pins().all().size(), std::size_t{1});
        document().set("nodes.fpga.count", "14");
        settle();
        const double second = document().evaluation().metric(Metric::Throughput);
        QTest::keyClick(m_window, Qt::Key_B);
        const auto& pins = document().pins().all();
        QCOMPARE(pins.size(), std::size_t{2});
        QVERIFY(pins[0].name != pins[1].name);
        QCOMPARE(cell->content().note, QStringLiteral("1.00\u00d7 pinned")); // the last one is the baseline
        QVERIFY(cell->toolTip().contains(pins[1].name.toHtmlEscaped()));
        for (auto* other : m_window->findChildren<QMenu*>())
            if (other->title() == QStringLiteral("&Read against")) {
                emit other->aboutToShow();
                QCOMPARE(other->actions().size(), 3);
                QVERIFY(other->actions()[2]->isChecked());
                other->actions()[1]->trigger();
            }
        QVERIFY(document().pins().baseline() == &pins[0]);
        QCOMPARE(cell->content().note,
                 QStringLiteral("%1\u00d7 pinned").arg(QString::number(second / first, 'f', 2)));
        auto* compare = child<CompareWorkspace>(m_window);
        auto* add = child<QMenu>(compare->designsPage(), "addDesign");
        emit add->aboutToShow();
        std::vector<QAction*> pinned;
        for (auto* action : add->actions())
            if (action->text().startsWith(QStringLiteral("Pinned: ")))
                pinned.push_back(action);
        QCOMPARE(pinned.size(), std::size_t{2});
        const auto before = compare->designsPage()->designs().inputs().size();
        pinned[0]->trigger();
        QCOMPARE(compare->designsPage()->designs().inputs().size(), before + 1);
        QVERIFY(compare->designsPage()->designs().inputs().back().scenario == pins[0].design);
        m_window->commands()->action(QStringLiteral("edit.unpin"))->trigger();
        QVERIFY(document().pins().all().empty() && cell->content().note.isEmpty());
    }

    void aDesignThatCannotRunKeepsTheLastMetricsGreyed() {
        auto* cell = child<MetricsStrip>(m_window)->cell(Metric::Throughput);
        const auto value = cell->content().value;
        QVERIFY(!cell->content().stale);
        document().set("nodes.fpga.device.memory_gb", "1");
        settle();
        QVERIFY(!document().evaluation().feasible);
        QVERIFY(cell->content().stale);
        QCOMPARE(cell->content().value, value);
        QVERIFY(child<InfoBanner>(m_window)->isVisible());
        QCOMPARE(child<InfoBanner>(m_window)->text(), QString::fromStdString(document().evaluation().reason));
        document().undoStack()->undo();
        settle();
        QVERIFY(!cell->content().stale);
        QVERIFY(!child<InfoBanner>(m_window)->isVisible());
    }

    void aMissingQuantityLeadsToItsField() {
        auto* cell = child<MetricsStrip>(m_window)->cell(Metric::ThroughputPerArea);
        QCOMPARE(cell->content().value, QStringLiteral("\u2013"));
        QCOMPARE(cell->content().note, QStringLiteral("Set die area"));
        for (int given = 0; given < 4 && cell->content().note == QStringLiteral("Set die area"); ++given) {
            QTest::mouseClick(cell, Qt::LeftButton);
            QCOMPARE(document().selection().nodes.size(), std::size_t{1});
            QTRY_VERIFY(m_window->inspector()->focusedPath().ends_with("device.die_area_mm2"));
            QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("826"));
        }
        QTRY_VERIFY(cell->content().note.isEmpty());
        QVERIFY(cell->content().value != QStringLiteral("\u2013"));
    }

    void whatDoesNotFitIsCounted() {
        auto* strip = child<MetricsStrip>(m_window);
        m_window->resize(2200, 900);
        const auto* more = child<QToolButton>(strip, "moreMetrics");
        const auto* bottleneck = child<MetricCell>(strip, "bottleneck");
        QTRY_VERIFY(more->text().isEmpty());
        const auto shown = [&] {
            int count = 0;
            for (auto* cell : strip->findChildren<MetricCell*>())
                count += cell->isVisible() && cell != bottleneck ? 1 : 0;
            return count;
        };
        const int all = shown();
        m_window->resize(1000, 700);
        QTRY_VERIFY(shown() < all);
        QTRY_COMPARE(more->text(), QStringLiteral("+%1").arg(all - shown()));
        QVERIFY(bottleneck->isVisible());
        QVERIFY(more->toolTip().contains(QStringLiteral("Area efficiency")));
        QVERIFY(strip->cell(Metric::CostPerToken)->geometry().right() <= more->x());
    }

    void metricsAreChosenAndOrdered() {
        auto* strip = child<MetricsStrip>(m_window);
        m_window->resize(1440, 900);
        QTest::mouseClick(child<QToolButton>(strip, "moreMetrics"), Qt::LeftButton);
        auto* chooser = strip->findChild<MetricsChooser*>();
        QVERIFY(chooser && chooser->isVisible());
        auto* list = child<QListWidget>(chooser);
        QVERIFY(list->item(0)->text().startsWith(QStringLiteral("Throughput")));
        const auto rowOf = [list](const QString& name) {
            return list->row(list->findItems(name, Qt::MatchStartsWith).value(0));
        };
        // Latency is ticked, then brought to the head.
        const int latency = rowOf(QStringLiteral("Latency"));
        QVERIFY(latency > 0 && list->item(latency)->checkState() == Qt::Unchecked);
        QVERIFY(!strip->cell(Metric::Latency));
        list->setCurrentRow(latency);
        QTest::keyClick(list, Qt::Key_Space);
        QVERIFY(strip->cell(Metric::Latency));
        for (int i = latency; i > 0; --i)
            QTest::keyClick(list, Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(strip->cell(Metric::Latency)->x(), 0);
        QVERIFY(strip->cell(Metric::Latency)->isVisible());
        QCOMPARE(strip->cell(Metric::Latency)->content().unit, QStringLiteral("s"));
        // Throughput is given up; the last that is left cannot be.
        list->setCurrentRow(rowOf(QStringLiteral("Throughput")));
        QTest::keyClick(list, Qt::Key_Space);
        QVERIFY(!strip->cell(Metric::Throughput));
        chooser->close();
        // Another window finds them as they were left.
        Settings settings(m_test->file("settings.ini"));
        MetricsStrip other(&document(), &settings);
        QVERIFY(other.cell(Metric::Latency) && !other.cell(Metric::Throughput));
        QTest::mouseClick(child<QToolButton>(strip, "moreMetrics"), Qt::LeftButton);
        chooser = nullptr;
        for (auto* one : strip->findChildren<MetricsChooser*>())
            if (one->isVisible())
                chooser = one;
        QVERIFY(chooser);
        QTest::mouseClick(chooser->findChild<QPushButton*>(), Qt::LeftButton);
        QVERIFY(strip->cell(Metric::Throughput) && !strip->cell(Metric::Latency));
    }

    void timesHaveOneUnit() {
        for (const auto metric : {Metric::TimeToFirstToken, Metric::TimePerToken}) {
            const double seconds = document().evaluation().metric(metric);
            const auto& content = child<MetricsStrip>(m_window)->cell(metric)->content();
            QCOMPARE(content.unit, seconds < 1.0 ? QStringLiteral("ms") : QStringLiteral("s"));
        }
        document().openPreset("preserve/llama3-70b-8h100");
        document().set("workload.prompt_tokens", "16000");
        QTRY_VERIFY(!document().isEvaluating());
        QVERIFY(document().evaluation().metric(Metric::TimeToFirstToken) > 1.0);
        QCOMPARE(child<MetricsStrip>(m_window)->cell(Metric::TimeToFirstToken)->content().unit,
                 QStringLiteral("s"));
    }

    void aPinIsNamedByWhatDiffersWhereThatIsOneThing() {
        QTest::keyClick(m_window, Qt::Key_B);
        const auto& pins = document().pins().all();
        const auto name = pins[0].name;
        QVERIFY(document().set("workload.batch", "2"));
        settle();
        QTest::keyClick(m_window, Qt::Key_B);
        QCOMPARE(pins.size(), std::size_t{2});
        QCOMPARE(pins[1].name, name + QStringLiteral(", batch 2"));
        QVERIFY(document().set("workload.prompt_tokens", "512"));
        settle();
        QTest::keyClick(m_window, Qt::Key_B);
        QCOMPARE(pins.size(), std::size_t{3});
        QCOMPARE(pins[2].name, name + QStringLiteral(", pin 2")); // two differ
    }

    void anIdealRuntimeIsSaidToBeOne() {
        const auto pill = [this](Metric metric) {
            return child<MetricsStrip>(m_window)->cell(metric)->content().pill;
        };
        QVERIFY(pill(Metric::Throughput).isEmpty()); // measured software
        document().openPreset("preserve/llama3-70b-8h100");
        QCOMPARE(pill(Metric::Throughput), QStringLiteral("Ideal: upper bound"));
        QCOMPARE(pill(Metric::TimeToFirstToken), QStringLiteral("Ideal: upper bound"));
        document().set("nodes.gpu.timing.decode.memory_efficiency", "0.8");
        settle();
        QVERIFY(document().evaluation().feasible);
        QVERIFY(pill(Metric::Throughput).isEmpty());
    }

    /// In a narrow window, where the notes below are not shown, the word stays.
    void anIdealRuntimeIsSaidInANarrowWindowToo() {
        document().openPreset("preserve/llama3-70b-8h100");
        settle();
        const auto* cell = child<MetricsStrip>(m_window)->cell(Metric::Throughput);
        QCOMPARE(cell->writtenPill(), QStringLiteral("Ideal: upper bound"));
        m_window->resize(1280, 720);
        QTRY_VERIFY(child<ContextBar>(m_window)->isCompact());
        for (const auto metric : {Metric::Throughput, Metric::TimeToFirstToken, Metric::TimePerToken}) {
            const auto* shown = child<MetricsStrip>(m_window)->cell(metric);
            QVERIFY(shown->isVisible());
            QCOMPARE(shown->writtenPill(), QStringLiteral("Ideal"));
        }
        document().openPreset("glitches/a100-7u280");
        settle();
        QVERIFY(cell->writtenPill().isEmpty());
    }

    void aMetricExplainsItself() {
        QTest::mouseClick(child<MetricsStrip>(m_window)->cell(Metric::Throughput), Qt::LeftButton);
        auto* popup = m_window->findChild<ExplanationPopup*>();
        QVERIFY(popup);
        QVERIFY(child<QTreeWidget>(popup)->topLevelItemCount() == 1);
        QVERIFY(child<QTreeWidget>(popup)->topLevelItem(0)->childCount() > 0);
        popup->close();
    }
};

WIDGET_TEST(MetricsStripTest)
#include "metrics_strip_test.moc"
