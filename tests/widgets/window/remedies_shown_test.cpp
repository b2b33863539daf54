// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shipped_catalog.h"
#include "tests/widgets/widget_test.h"
#include "widgets/document/remedy_finder.h"
#include "widgets/window/messages_panel.h"
#include "widgets/window/status_line.h"

#include <QPushButton>
#include <QTest>

using namespace heteroscape;
using namespace heteroscape::widgets;

/// Remedies beside what is said of the design: in the messages and in the banner.
class RemediesShownTest : public QObject {
    Q_OBJECT

    std::unique_ptr<Document> m_document;

    static int rowWith(const MessagesPanel& panel, const QString& start) {
        for (int row = 0; row < panel.count(); ++row)
            if (panel.item(row)->text().startsWith(start))
                return row;
        return -1;
    }

private slots:
    void init() {
        m_document = std::make_unique<Document>(shippedCatalog());
        m_document->openPreset("glitches/a100-7u280");
    }

    void messagesOfferWhatHelps() {
        MessagesPanel panel(m_document.get());
        expose(panel, {600, 300});
        m_document->perform(engine::RemoveLink{{"host-fpga"}});
        QTRY_VERIFY(rowWith(panel, "Link to Host CPU over") > 0);
        const int row = rowWith(panel, "Link to Host CPU over");
        const int steps = m_document->undoStack()->index();
        QTest::mouseClick(panel.viewport(), Qt::LeftButton, {},
                          panel.visualItemRect(panel.item(row)).center());
        QCOMPARE(m_document->scenario().links.size(), std::size_t{2});
        QCOMPARE(m_document->undoStack()->index(), steps + 1);
        QCOMPARE(rowWith(panel, "Link to Host CPU over"), -1);
        m_document->undoStack()->undo();
        QCOMPARE(m_document->scenario().links.size(), std::size_t{1});
        // The line above still selects what it is about.
        panel.setCurrentRow(0);
        emit panel.itemActivated(panel.item(0));
        QCOMPARE(m_document->selection().nodes.size(), std::size_t{1});
    }

    void whatIsSaidOfManyNodesIsOneLine() {
        m_document->perform(engine::RemoveLink{{"host-fpga"}});
        auto node = *m_document->scenario().findNode({"gpu"});
        for (int i = 1; i <= 30; ++i) {
            node.id.value = "more" + std::to_string(i);
            m_document->perform(engine::AddNode{node, 100});
        }
        MessagesPanel panel(m_document.get());
        const int row = rowWith(panel, "No path of links");
        QVERIFY(row >= 0);
        QVERIFY2(panel.item(row)->text().contains("(and 30 more like it)"),
                 qPrintable(panel.item(row)->text()));
        for (int other = row + 1; other < panel.count(); ++other)
            QVERIFY(!panel.item(other)->text().startsWith("No path of links"));
        emit panel.itemActivated(panel.item(row));
        QCOMPARE(m_document->selection().nodes.size(), std::size_t{31});
    }

    void whatIsToBeSetIsNamedAsOnItsCard() {
        m_document->set("nodes.fpga.replicas", "3"); // of seven
        const auto name = QString::fromStdString(m_document->scenario().findNode({"fpga"})->shownName());
        MessagesPanel panel(m_document.get());
        const int row = rowWith(panel, "7 devices of " + name);
        QVERIFY(row >= 0);
        QVERIFY2(panel.item(row)->text().contains("Set " + name + " replicas to a divisor of the count"),
                 qPrintable(panel.item(row)->text()));
        for (int other = 0; other < panel.count(); ++other)
            QVERIFY(!panel.item(other)->text().contains("nodes."));
    }

    void nothingIsLookedForWhileNothingIsSeen() {
        MessagesPanel panel(m_document.get());
        m_document->perform(engine::RemoveLink{{"host-fpga"}});
        const auto error = m_document->diagnostics().front();
        QVERIFY(!RemedyFinder::of(*m_document).known(error));
        RemedyFinder::of(*m_document).ask(error);
        QTRY_VERIFY(RemedyFinder::of(*m_document).known(error));
        m_document->undoStack()->undo(); // another design: what was found is forgotten
        QVERIFY(!RemedyFinder::of(*m_document).known(error));
    }

    void theBannerDoesIt() {
        InfoBanner banner(m_document.get());
        QVERIFY(!banner.isVisible());
        m_document->perform(engine::RemoveLink{{"host-fpga"}});
        QVERIFY(banner.isVisible());
        QTRY_VERIFY(child<QPushButton>(&banner)->isVisible());
        QVERIFY(child<QPushButton>(&banner)->text().startsWith("Link to Host CPU"));
        QTest::mouseClick(child<QPushButton>(&banner), Qt::LeftButton);
        QVERIFY(m_document->evaluation().feasible);
        QVERIFY(!banner.isVisible());
    }

    void theBannerHelpsWhereMemoryIsMissing() {
        InfoBanner banner(m_document.get());
        m_document->set("model", "llama2-70b");
        QTRY_VERIFY(!m_document->evaluation().feasible);
        const auto node = m_document->evaluation().shortNode;
        QTRY_VERIFY(child<QPushButton>(&banner)->isVisible());
        QTest::mouseClick(child<QPushButton>(&banner), Qt::LeftButton);
        QTRY_VERIFY(!m_document->evaluation().nodes[node].shortfall);
        m_document->undoStack()->undo();
        QTRY_VERIFY(m_document->evaluation().nodes[node].shortfall); // evaluated on a thread of its own
    }
};

WIDGET_TEST(RemediesShownTest)
#include "remedies_shown_test.moc"
