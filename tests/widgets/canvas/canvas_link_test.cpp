// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/canvas/canvas_fixture.h"

#include "tests/shipped_catalog.h"
#include "tests/widgets/widget_test.h"
#include "widgets/canvas/link_actions.h"
#include "widgets/canvas/link_label.h"
#include "widgets/canvas/part_edits.h"
#include "widgets/canvas/part_mime.h"

#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>

#include <cmath>

/// Kinds of links, their bandwidth, and where their words stand.
class CanvasLinkTest : public CanvasFixture {
    Q_OBJECT

    const engine::Link& link() { return scenario().links.front(); }
    LinkItem* linkItem() { return m_view->canvasScene().linkItem(link().id); }
    int steps() { return m_document->undoStack()->index(); }

    /// Two nodes whose ends have several kinds in common, linked by dragging.
    void linkByDragging() {
        QVERIFY(dropAt(*encodePart({PartKind::Device, "h100-pcie"}), {200, 280}));
        QVERIFY(dropAt(*encodePart({PartKind::Device, "host-cpu"}), {850, 280}));
        const auto from = scenario().nodes[0].id;
        const auto to = scenario().nodes[1].id;
        QVERIFY(shippedCatalog()->linkOffers(scenario().nodes[0].device, scenario().nodes[1].device).size() >
                1);
        drag(on(from.value.c_str(), kCardWidth, kCardHeight / 2), body(to.value.c_str()));
        QCOMPARE(scenario().links.size(), std::size_t{1});
    }

private slots:
    void aNewLinkOffersTheOtherKinds() {
        linkByDragging();
        QVERIFY(m_view->links().kindBar()->isVisible());
        const auto kinds = linkKinds(*m_document, {link().id});
        QCOMPARE(m_view->links().kindBar()->buttons().size(), kinds.size());
        for (std::size_t i = 0; i + 1 < kinds.size(); ++i)
            QVERIFY(kinds[i]->bandwidth.value >= kinds[i + 1]->bandwidth.value);
        QVERIFY(port()->rect().contains(m_view->links().kindBar()->geometry()));
        auto* last = m_view->links().kindBar()->buttons().back();
        QVERIFY(!last->isChecked());
        QTest::mouseClick(last, Qt::LeftButton);
        QCOMPARE(link().type.id, kinds.back()->id);
        QVERIFY(m_view->links().kindBar()->buttons().back()->isChecked());
        QCOMPARE(steps(), 4);
        m_document->undoStack()->undo();
        QCOMPARE(link().type.id, kinds.front()->id);
        m_document->select({});
        QVERIFY(!m_view->links().kindBar()->isVisible());
    }

    void theBarIsReachedByKeyboard() {
        linkByDragging();
        QTest::keyClick(m_view.get(), Qt::Key_K);
        QVERIFY(m_view->links().kindBar()->holdsFocus());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QVERIFY(!m_view->links().kindBar()->isVisible());
        QVERIFY(m_view->hasFocus());
        // Later the same kinds come as a menu.
        QTest::keyClick(m_view.get(), Qt::Key_K);
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu);
        QVERIFY(menu->actions().front()->isChecked());
        menu->actions().back()->trigger();
        menu->close();
        QCOMPARE(link().type.id, linkKinds(*m_document, {link().id}).back()->id);
    }

    void lookingAtABandwidthChangesNothing() {
        openPreset();
        const engine::LinkId id{"gpu-host"};
        const auto exact = 10.123456789e9; // more digits than the editor shows
        QVERIFY(m_document->perform(engine::SetQuantity{"links.gpu-host.bandwidth_gbps",
                                                        {exact, engine::Provenance::Datasheet, "a source"}}));
        m_document->select({{}, {id}});
        m_view->setFocus();
        QTest::keyClick(m_view.get(), Qt::Key_Return);
        QVERIFY(m_view->values().editor());
        QTest::keyClick(m_view->values().editor(), Qt::Key_Return);
        QVERIFY(!m_view->values().editor());
        QCOMPARE(scenario().findLink(id)->type.bandwidth.value, exact);
        QCOMPARE(scenario().findLink(id)->type.bandwidth.source, std::string("a source"));
        QCOMPARE(steps(), 1);
    }

    void everyBandwidthThatIsTypedIsTaken_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<double>("wanted");
        QTest::newRow("thousands") << "1800" << 1800e9;
        QTest::newRow("more than six figures") << "123.4567" << 123.4567e9;
    }
    void everyBandwidthThatIsTypedIsTaken() {
        QFETCH(QString, typed);
        QFETCH(double, wanted);
        openPreset();
        const engine::LinkId id{"gpu-host"};
        QSignalSpy refused(m_document.get(), &Document::refused);
        m_document->select({{}, {id}});
        m_view->setFocus();
        QTest::keyClick(m_view.get(), Qt::Key_Return);
        QVERIFY(m_view->values().editor());
        m_view->values().editor()->selectAll();
        QTest::keyClicks(m_view->values().editor(), typed);
        QTest::keyClick(m_view->values().editor(), Qt::Key_Return);
        QVERIFY(refused.isEmpty());
        QCOMPARE(scenario().findLink(id)->type.bandwidth.value, wanted);
    }

    void bandwidthIsEditedInPlace() {
        openPreset();
        const engine::LinkId id{"gpu-host"};
        const auto* shown = m_view->canvasScene().linkItem(id);
        const auto label = [&] { return m_view->mapFromScene(shown->labelRect()).boundingRect().center(); };
        QTest::mouseDClick(port(), Qt::LeftButton, {}, label());
        QVERIFY(m_view->values().editor());
        m_view->values().editor()->selectAll();
        QTest::keyClicks(m_view->values().editor(), "10.5");
        QTest::keyClick(m_view->values().editor(), Qt::Key_Return);
        QVERIFY(!m_view->values().editor());
        QCOMPARE(scenario().findLink(id)->type.bandwidth.value, 10.5e9);
        QVERIFY(shown->label().edited);
        QVERIFY(linkSentence(*m_document, id).contains("edited"));
        QCOMPARE(steps(), 1);
        // Esc leaves it, Enter on a selected link edits again.
        m_document->select({{}, {id}});
        m_view->setFocus();
        QTest::keyClick(m_view.get(), Qt::Key_Return);
        QVERIFY(m_view->values().editor());
        m_view->values().editor()->selectAll();
        QTest::keyClicks(m_view->values().editor(), "3");
        QTest::keyClick(m_view->values().editor(), Qt::Key_Escape);
        QCOMPARE(scenario().findLink(id)->type.bandwidth.value, 10.5e9);
        auto menu = m_view->edits().makeMenu();
        QAction* reset = nullptr;
        for (auto* action : menu->actions())
            if (action->text().startsWith("Reset to"))
                reset = action;
        QVERIFY(reset && reset->isEnabled());
        reset->trigger();
        QVERIFY(!shown->label().edited);
        QCOMPARE(steps(), 2);
    }

    void wordsStandWhereNoCardCoversThem_data() {
        QTest::addColumn<QPointF>("apart");
        QTest::newRow("in a row") << QPointF(kCardWidth + 40, 0);
        QTest::newRow("one over the other") << QPointF(0, kCardHeight + 30);
        QTest::newRow("askew") << QPointF(kCardWidth + 30, 90);
    }
    void wordsStandWhereNoCardCoversThem() {
        QFETCH(QPointF, apart);
        openPreset();
        const auto gpu = positionOf("gpu");
        m_document->perform(
            engine::EditList{{engine::MoveNode{{"host"}, toPosition(gpu + apart)},
                              engine::MoveNode{{"fpga"}, toPosition(gpu + QPointF(900, 900))}}});
        const auto* shown = m_view->canvasScene().linkItem({"gpu-host"});
        QVERIFY(shown->boundingRect().contains(shown->labelRect()));
        for (const auto* id : {"gpu", "host"})
            QVERIFY(!shown->labelRect().intersects(item(id)->cardRect()));
    }

    void wordsStayAtTheMiddleWhereThereIsRoom() {
        const LinkRoute route({QPointF(0, 0), QPointF(300, 0)});
        const auto spot = labelSpotFor(route, {80, 60, 0, 2, {}}, [](const QRectF&) { return false; });
        QCOMPARE(spot.at, QPointF(150, 0));
        QVERIFY(!spot.away);
    }

    void wordsKeepClearOfTheCardsBehindACard() {
        openPreset();
        m_document->set("nodes.gpu.count", "8");
        const auto gpu = positionOf("gpu");
        const auto apart = [&](double gap) {
            m_document->perform(
                engine::EditList{{engine::MoveNode{{"host"}, toPosition(gpu + QPointF(kCardWidth + gap, 0))},
                                  engine::MoveNode{{"fpga"}, toPosition(gpu + QPointF(900, 900))}}});
            return m_view->canvasScene().linkItem({"gpu-host"})->labelRect();
        };
        const auto width = apart(400).width();
        const auto words = apart(std::ceil(width) + 10); // in its middle they reach the second outline
        QVERIFY(!words.intersects(item("gpu")->cardRect().adjusted(0, 0, 2 * kStackStep, 2 * kStackStep)));
        QVERIFY(!words.intersects(item("host")->cardRect()));
        const auto spot =
            labelSpotFor({QPointF(0, 0), QPointF(108, 0)}, {98, 0, 0, 2, {}}, [](const QRectF& rect) {
                return rect.left() < 2 * kStackStep || rect.right() > 108;
            });
        QVERIFY(!spot.away); // a step aside is enough
        QCOMPARE(spot.at, QPointF(58, 0));
    }

    void wordsDoNotLieOnTheirOwnWire() {
        const LinkRoute corner({QPointF(0, 60), QPointF(0, 0), QPointF(70, 0)});
        const LabelBlock block{60, 100, 0, 2, {}};
        const auto spot = labelSpotFor(corner, block, [](const QRectF&) { return false; });
        for (const auto& words : {kindRect(spot, block), trafficRect(spot, block)})
            for (qsizetype i = 0; i + 1 < corner.size(); ++i)
                QVERIFY(
                    !QRectF(corner[i], corner[i + 1]).normalized().adjusted(-2, -2, 2, 2).intersects(words));
        // Where cards leave no such place, better on the wire than under one.
        const QRectF room(-20, -40, 110, 65);
        const auto narrow =
            labelSpotFor(corner, block, [&](const QRectF& rect) { return !room.contains(rect); });
        QVERIFY(room.contains(kindRect(narrow, block)));
        QVERIFY(room.contains(trafficRect(narrow, block)));
    }

    void trafficKeepsItsWidthAndWords() {
        openPreset();
        const auto& label = m_view->canvasScene().linkItem({"host-fpga"})->label();
        QVERIFY(!label.traffic.isEmpty());
        QVERIFY(label.use > 0.0 && label.use <= 1.0);
    }
};

WIDGET_TEST(CanvasLinkTest)
#include "canvas_link_test.moc"
