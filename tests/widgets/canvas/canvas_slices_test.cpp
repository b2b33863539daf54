// SPDX-License-Identifier: GPL-3.0-or-later
// A large design is brought up to date in slices: what is seen first, and nothing is lost or touched too
// late.
#include "tests/shipped_catalog.h"
#include "tests/widgets/canvas/canvas_fixture.h"
#include "tests/widgets/canvas/synthetic_design.h"
#include "tests/widgets/widget_test.h"

#include <QSignalSpy>

#include <algorithm>

class CanvasSlicesTest : public CanvasFixture {
    Q_OBJECT

    CanvasScene& scene() { return m_view->canvasScene(); }
    void open(std::size_t nodes) {
        m_document->replaceScenario(widgets::test::syntheticDesign(*shippedCatalog(), nodes), "many");
    }
    /// node-500 in the middle of a view that sees a few.
    void openMany() {
        open(1000);
        scene().finish();
        m_view->camera().setZoom(1.0);
        m_view->centerOn(item("node-500"));
        QTRY_VERIFY(!m_document->isEvaluating());
        scene().finish();
    }
    static engine::GraphEdit count(const char* node, double value) {
        return engine::SetQuantity{std::string("nodes.") + node + ".count",
                                   {value, engine::Provenance::User, {}}};
    }
    int shown(const char* node) { return item(node)->card().count; }

    /// A card without what is found on other threads.
    static NodeCard said(const NodeItem& item) {
        auto card = item.card();
        card.remedies.clear();
        card.proposal.clear();
        return card;
    }

    /// Every item says and shows what it would in a scene made of this design alone.
    void checkComplete() {
        CanvasScene fresh(*m_document);
        fresh.finish();
        const DesignIndex index(*m_document);
        QCOMPARE(scene().nodes().size(), scenario().nodes.size());
        QCOMPARE(scene().linkCount(), scenario().links.size());
        for (const auto& node : scenario().nodes) {
            const auto* item = scene().nodeItem(node.id);
            QVERIFY(item);
            QCOMPARE(item->cardRect(), fresh.nodeItem(node.id)->cardRect());
            QVERIFY2(said(*item) == *cardOf(index, node.id), node.id.value.c_str());
        }
        for (const auto& link : scenario().links) {
            const auto* item = scene().linkItem(link.id);
            QVERIFY(item && !item->route().isEmpty());
            QCOMPARE(item->route(), fresh.linkItem(link.id)->route());
            QVERIFY2(item->label() == *linkLabel(index, link.id), link.id.value.c_str());
        }
    }

private slots:
    void aSmallDesignIsUpToDateAtOnce() {
        open(CanvasScene::kNodesAtOnce);
        QVERIFY(scenario().links.size() <= CanvasScene::kLinksAtOnce);
        checkComplete();
    }

    void aLargeOneIsWhenItIsFinished() {
        open(1000);
        const auto& nodes = scenario().nodes;
        const auto unread = std::count_if(nodes.begin(), nodes.end(), [this](const auto& node) {
            return scene().nodeItem(node.id)->card().name.isEmpty();
        });
        QVERIFY(unread > 0); // else this tests nothing
        scene().finish();
        checkComplete();
    }

    void itComesByItself() {
        const QSignalSpy settled(&scene(), &CanvasScene::settled);
        open(1000);
        QTRY_VERIFY(settled.count() > 0);
        QTRY_VERIFY(!m_document->isEvaluating());
        QTRY_VERIFY(said(*item("node-0")) == *cardOf(*m_document, {"node-0"}));
        scene().finish();
        checkComplete();
    }

    void whatIsSeenComesFirst() {
        openMany();
        m_document->perform(engine::EditList{{count("node-500", 5), count("node-0", 6)}});
        QCOMPARE(shown("node-500"), 5);
        QVERIFY(shown("node-0") != 6);
        scene().finish();
        QCOMPARE(shown("node-0"), 6);
    }

    void anEditInBetweenIsNotLost() {
        openMany();
        m_document->perform(count("node-0", 6));
        m_document->perform(engine::EditList{{count("node-0", 7), count("node-1", 8)}});
        m_document->perform(engine::RemoveLink{scenario().links[3].id});
        scene().finish();
        QCOMPARE(shown("node-0"), 7);
        QCOMPARE(shown("node-1"), 8);
        checkComplete();
    }

    void whatIsRemovedInBetweenIsNotTouched() {
        openMany();
        m_document->perform(count("node-0", 6));
        std::vector<engine::NodeId> ids;
        for (int i = 0; i < 300; ++i)
            ids.push_back({"node-" + std::to_string(3 * i)});
        m_document->perform(engine::removeEdit(scenario(), ids, {}, {}));
        QVERIFY(!item("node-0"));
        scene().finish();
        checkComplete();
        m_document->undoStack()->undo();
        m_document->newDesign();
        QCoreApplication::processEvents();
        QCOMPARE(scene().nodes().size(), std::size_t{0});
        m_document->undoStack()->undo(); // of a new design: nothing
        open(1000);
        m_view.reset(); // in the middle of it
        QCoreApplication::processEvents();
    }

    void aDragInBetweenHasEverythingInItsPlace() {
        openMany();
        m_document->perform(count("node-0", 6));
        scene().previewMove({{{"node-500"}, {40.0, 40.0}}});
        QCOMPARE(shown("node-0"), 6);
        QCOMPARE(item("node-500")->pos(), QPointF(40, 40));
        scene().previewMove({});
        checkComplete();
    }

    void aFewThatMoveTakeTheirLinksAlongAtOnce() {
        openMany();
        const auto linkOf = [this] {
            const auto& links = scenario().links;
            return scene().linkItem(std::find_if(links.begin(), links.end(), [](const auto& link) {
                                        return link.from.value == "node-500";
                                    })->id);
        };
        const auto before = linkOf()->route();
        m_document->perform(engine::MoveNode{{"node-500"}, {8.0, 8.0}});
        QVERIFY(linkOf()->route() != before);
        scene().finish();
        checkComplete();
    }

    void theWholeIsFittedAgainWhenItsHeightsAreKnown() {
        open(1000);
        m_document->undoStack()->clear();
        m_view->camera().fitAll();
        scene().finish();
        const auto seen = m_view->camera().seen();
        m_view->camera().fitAll();
        QCOMPARE(m_view->camera().seen(), seen);
    }
};

WIDGET_TEST(CanvasSlicesTest)
#include "canvas_slices_test.moc"
