// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/window/window_fixture.h"
#include "widgets/explain/explanation_popup.h"
#include "widgets/inspector/inspector.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/info_banner.h"
#include "widgets/window/metrics_strip.h"

#include <QTreeWidget>

using namespace heteroscape;
using namespace heteroscape::widgets;
using engine::Metric;

class MetricsStripTest : public WindowFixture {
    Q_OBJECT

private slots:
    void aPinnedBaselineTellsTheChange() {
        auto* cell = m_window->metrics()->cell(Metric::Throughput);
        QVERIFY(cell->content().note.isEmpty());
        QTest::keyClick(m_window, Qt::Key_B);
        QCOMPARE(cell->content().note, QStringLiteral("1.00\u00d7 pinned"));
        document().set("nodes.fpga.count", "14");
        QVERIFY(cell->content().note != QStringLiteral("1.00\u00d7 pinned"));
        QCOMPARE(cell->content().noteRole, ColorRole::Ok);
        m_window->commands()->action(QStringLiteral("edit.unpin"))->trigger();
        QVERIFY(cell->content().note.isEmpty());
    }

    void aDesignThatCannotRunKeepsTheLastMetricsGreyed() {
        auto* cell = m_window->metrics()->cell(Metric::Throughput);
        const auto value = cell->content().value;
        QVERIFY(!cell->content().stale);
        document().set("nodes.fpga.device.memory_gb", "1");
        QVERIFY(!document().evaluation().feasible);
        QVERIFY(cell->content().stale);
        QCOMPARE(cell->content().value, value);
        QVERIFY(m_window->banner()->isVisible());
        QCOMPARE(m_window->banner()->text(), QString::fromStdString(document().evaluation().reason));
        document().undoStack()->undo();
        QVERIFY(!cell->content().stale);
        QVERIFY(!m_window->banner()->isVisible());
    }

    void aMissingQuantityLeadsToItsField() {
        auto* cell = m_window->metrics()->cell(Metric::ThroughputPerArea);
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

    void aMetricExplainsItself() {
        QTest::mouseClick(m_window->metrics()->cell(Metric::Throughput), Qt::LeftButton);
        auto* popup = m_window->findChild<ExplanationPopup*>();
        QVERIFY(popup);
        QVERIFY(popup->tree()->topLevelItemCount() == 1);
        QVERIFY(popup->tree()->topLevelItem(0)->childCount() > 0);
        popup->close();
    }
};

QTEST_MAIN(MetricsStripTest)
#include "metrics_strip_test.moc"
