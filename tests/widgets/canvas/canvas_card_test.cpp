// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/techniques/built_in.h"
#include "tests/widgets/canvas/canvas_fixture.h"

#include "tests/widgets/widget_test.h"
#include "widgets/canvas/part_edits.h"

#include <QFontMetricsF>
#include <QMenu>
#include <QSignalSpy>

#include <algorithm>

/// What the parts of a card do: role, chips of techniques, remedies.
class CanvasCardTest : public CanvasFixture {
    Q_OBJECT

    QPoint partOf(const char* id, CardPart::Kind kind, std::size_t index = 0) {
        return m_view->mapFromScene(item(id)->partRect({kind, index})).boundingRect().center();
    }
    QMenu* openMenu() {
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        return menu && menu->isVisible() ? menu : nullptr;
    }
    static QAction* find(const QMenu* menu, const QString& text) {
        for (auto* action : menu->actions())
            if (action->text() == text)
                return action;
        return nullptr;
    }
    engine::Role roleOf(const char* id) { return scenario().findNode({id})->role; }
    int steps() { return m_document->undoStack()->index(); }

private slots:
    void aClickOnTheRoleChangesIt() {
        openPreset();
        QCOMPARE(item("gpu")->card().role, QString("GPU, prefill"));
        QTest::mouseClick(port(), Qt::LeftButton, {}, partOf("gpu", CardPart::Kind::Role));
        auto* menu = openMenu();
        QVERIFY(menu);
        QVERIFY(find(menu, "prefill")->isChecked());
        find(menu, "prefill and decode")->trigger();
        menu->close();
        QCOMPARE(roleOf("gpu"), engine::Role::Both);
        QCOMPARE(steps(), 1);
        m_document->undoStack()->undo();
        QCOMPARE(roleOf("gpu"), engine::Role::Prefill);
    }

    void rOfSeveralNodesIsOneStep() {
        openPreset();
        m_document->select({{{"gpu"}, {"fpga"}}, {}});
        QTest::keyClick(m_view.get(), Qt::Key_R);
        auto* menu = openMenu();
        QVERIFY(menu);
        find(menu, "prefill and decode")->trigger();
        menu->close();
        QCOMPARE(roleOf("gpu"), engine::Role::Both);
        QCOMPARE(roleOf("fpga"), engine::Role::Both);
        QCOMPARE(steps(), 1);
        QSignalSpy said(m_view.get(), &CanvasView::message);
        select("host"); // carries data, whatever one wants
        QTest::keyClick(m_view.get(), Qt::Key_R);
        QVERIFY(!openMenu());
        QCOMPARE(said.count(), 1);
    }

    void aRoleWithoutEffectSaysSo() {
        openPreset();
        m_document->set("techniques.disaggregation.enabled", "false");
        select("fpga");
        QCOMPARE(item("fpga")->card().role, QString("FPGA, prefill and decode"));
        auto menu = m_view->cards().makeRoleMenu();
        QVERIFY(find(menu.get(), "decode")->isChecked()); // what is set
        QVERIFY(item("fpga")->card().roleNote.contains("no effect"));
        QVERIFY(find(menu.get(), item("fpga")->card().roleNote));
        find(menu.get(), "Split prefill and decode")->trigger();
        QVERIFY(scenario().techniques[engine::disaggregation()].enabled);
        QCOMPARE(item("fpga")->card().role, QString("FPGA, decode"));
    }

    void csdsAttendOrStore() {
        m_document->openPreset("inf2/opt-30b-a100-16csd");
        QCOMPARE(item("storage")->card().role, QString("Attention near storage"));
        select("storage");
        auto menu = m_view->cards().makeRoleMenu();
        QVERIFY(find(menu.get(), "attention near storage")->isChecked());
        find(menu.get(), "storage")->trigger();
        QCOMPARE(roleOf("storage"), engine::Role::Storage);
        QCOMPARE(item("storage")->card().role, QString("Storage"));
        QVERIFY(nodeSentence(*m_document, {"storage"}).contains("storage"));
    }

    void chipsTellWhichTechniquesActHere() {
        m_document->openPreset("inf2/opt-30b-a100-16csd");
        QStringList words;
        for (const auto& chip : item("storage")->card().techniques)
            words << chip.text;
        QVERIFY2(words.contains("Near storage"), qPrintable(words.join(',')));
        QVERIFY2(words.filter("Writeback c=").size() == 1, qPrintable(words.join(',')));
        QVERIFY(item("expansion")->card().techniques.empty());
        QVERIFY(nodeSentence(*m_document, {"storage"}).contains("Delayed writeback"));
        // Every chip lies on the card and covers no other.
        const auto card = item("storage")->cardRect();
        std::vector<QRectF> rects;
        for (std::size_t i = 0; i < item("storage")->card().techniques.size(); ++i) {
            rects.push_back(item("storage")->partRect({CardPart::Kind::Technique, i}));
            QVERIFY(card.contains(rects.back()));
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY(!rects[j].intersects(rects[i]));
        }
    }

    void aChipIsChosenAndSwitchedOff() {
        openPreset();
        m_document->set("techniques.load_merging.enabled", "true");
        m_view->camera().setZoom(1.0);
        m_view->centerOn(item("fpga"));
        QSignalSpy shown(&m_view->cards(), &CardActions::techniqueShown);
        QTest::mouseClick(port(), Qt::LeftButton, {}, partOf("fpga", CardPart::Kind::Technique));
        QCOMPARE(shown.count(), 1);
        QCOMPARE(m_document->selection(), (Selection{{{"fpga"}}, {}}));
        const int before = steps();
        QTest::keyClick(m_view.get(), Qt::Key_Delete);
        QVERIFY(!scenario().techniques[engine::loadMerging()].enabled);
        QVERIFY(item("fpga")); // the chip went, not the node
        QCOMPARE(steps(), before + 1);
        m_document->undoStack()->undo();
        QVERIFY(scenario().techniques[engine::loadMerging()].enabled);
        // Esc gives the chip up: Del means the node again.
        QTest::mouseClick(port(), Qt::LeftButton, {}, partOf("fpga", CardPart::Kind::Technique));
        QTest::keyClick(m_view.get(), Qt::Key_Escape);
        QTest::keyClick(m_view.get(), Qt::Key_Delete);
        QVERIFY(!item("fpga"));
        m_document->undoStack()->undo();
        select("fpga");
        auto menu = m_view->edits().makeMenu();
        find(menu.get(), "Switch off Load merging")->trigger();
        QVERIFY(!scenario().techniques[engine::loadMerging()].enabled);
    }

    void farAwayChipsAreHidden() {
        openPreset();
        m_document->set("techniques.load_merging.enabled", "true");
        m_view->camera().setZoom(0.5);
        const auto place = item("fpga")->partRect({CardPart::Kind::Technique, 0}).center();
        QVERIFY(!item("fpga")->partAt(place));
        m_view->camera().setZoom(1.0);
        QVERIFY(item("fpga")->partAt(place));
    }

    void tOffersTechniquesWithReasons() {
        openPreset();
        select("gpu");
        QTest::keyClick(m_view.get(), Qt::Key_T);
        auto* menu = openMenu();
        QVERIFY(menu);
        auto* merging = find(menu, "Load merging");
        QVERIFY(merging && !merging->isEnabled() && merging->toolTip().contains("cannot merge loads"));
        auto* assist = find(menu, "Prefill nodes assist");
        QVERIFY(assist && assist->isEnabled());
        const bool before = scenario().techniques[engine::gpuAssist()].enabled;
        assist->trigger();
        menu->close();
        QCOMPARE(scenario().techniques[engine::gpuAssist()].enabled, !before);
        QCOMPARE(steps(), 1);
    }

    void anErrorOffersWhatHelps() {
        openPreset();
        m_document->perform(engine::RemoveLink{{"host-fpga"}});
        const char* alone = item("fpga")->card().error.isEmpty() ? "host" : "fpga";
        QVERIFY(!item(alone)->card().problem.isEmpty());
        QTRY_VERIFY(!item(alone)->card().remedies.isEmpty());
        QVERIFY2(item(alone)->card().remedies.front().startsWith("Link to Host CPU over"),
                 qPrintable(item(alone)->card().remedies.front()));
        QVERIFY(item(alone)->cardRect().contains(item(alone)->partRect({CardPart::Kind::Remedy, 0})));
        m_view->camera().setZoom(1.0);
        m_view->centerOn(item(alone));
        const int before = steps();
        QTest::mouseClick(port(), Qt::LeftButton, {}, partOf(alone, CardPart::Kind::Remedy));
        QCOMPARE(scenario().links.size(), std::size_t{2});
        QCOMPARE(steps(), before + 1);
        QVERIFY(item(alone)->card().error.isEmpty());
        QVERIFY(item(alone)->card().remedies.isEmpty());
        m_document->undoStack()->undo();
        QCOMPARE(scenario().links.size(), std::size_t{1});
    }

    void qAppliesOrAsks() {
        openPreset();
        m_document->set("nodes.fpga.replicas", "3"); // of seven
        QTRY_VERIFY(item("fpga")->card().remedies.size() > 1);
        select("fpga");
        QTest::keyClick(m_view.get(), Qt::Key_Q);
        auto* menu = openMenu();
        QVERIFY(menu);
        QCOMPARE(menu->actions().size(), item("fpga")->card().remedies.size());
        menu->actions().front()->trigger();
        menu->close();
        QVERIFY(item("fpga")->card().error.isEmpty() || !item("fpga")->card().error.contains("equal shards"));
        QSignalSpy said(m_view.get(), &CanvasView::message);
        select("host");
        QTest::keyClick(m_view.get(), Qt::Key_Q);
        QCOMPARE(said.count(), 1);
    }

    void memoryThatIsMissingOffersWhatHelps() {
        openPreset();
        m_document->set("model", "llama2-70b");
        QVERIFY(!m_document->evaluation().feasible);
        const auto shortNode = m_document->evaluation().shortNode;
        QVERIFY(shortNode < scenario().nodes.size());
        const auto id = scenario().nodes[shortNode].id;
        QVERIFY(!item(id.value.c_str())->card().problem.isEmpty());
        QTRY_VERIFY(!item(id.value.c_str())->card().remedies.isEmpty());
        QVERIFY(nodeSentence(*m_document, id).contains("error"));
    }

    void aRemedyIsAsHighAsItsWords() {
        NodeCard card;
        card.problem = QStringLiteral("Device memory: needs 142 GB, has 80.0 GB");
        card.problemIsError = true;
        const QFontMetricsF metrics(Theme::instance().font(TextSize::Caption, QFont::DemiBold));
        for (const auto* words :
             {"Use 2 cards", "Share one replica among its 8 cards; Add NVSwitch",
              "Share one replica among its 8 cards; Add NVSwitch and link it over NVLink 4"})
            for (const bool others : {false, true}) {
                card.remedies = {QString::fromLatin1(words)};
                if (others)
                    card.remedies << QStringLiteral("Use 3 cards");
                const auto layout = cardLayout(card);
                const auto inside = layout.remedy.adjusted(kCardPillMargin, 1, -kCardPillMargin, -1);
                const auto lines =
                    metrics.boundingRect(QRectF(0, 0, inside.width(), 1e4),
                                         Qt::AlignHCenter | Qt::TextWordWrap, card.remedies.front());
                QVERIFY2(lines.height() <= inside.height(), words);
                QVERIFY2(layout.height > layout.remedy.bottom(), words);
            }
        card.remedies.clear();
        card.problem.clear();
        card.proposal =
            QStringLiteral("Use pp 2 \u00d7 (tp 2 \u00d7 dp 16 + ep 16 \u00d7 etp 2): +12345 %, or so");
        const auto layout = cardLayout(card);
        const auto lines =
            metrics.boundingRect(QRectF(0, 0, layout.proposal.width() - 2 * kCardPillMargin, 1e4),
                                 Qt::AlignHCenter | Qt::TextWordWrap, card.proposal);
        QVERIFY(lines.height() <= layout.proposal.height() - 2);
        QVERIFY(layout.height > layout.proposal.bottom());
    }

    void whatHelpsIsNeverBelowAnotherCard() {
        openPreset();
        m_document->set("model", "llama2-70b");
        const auto other = scenario().nodes.back().id; // as such it lies over all others
        engine::NodeId grown;
        for (const auto& node : scenario().nodes)
            if (node.id != other && grown.value.empty() &&
                !item(node.id.value.c_str())->card().problem.isEmpty())
                grown = node.id;
        QVERIFY(!grown.value.empty());
        const char* id = grown.value.c_str();
        QTRY_VERIFY(!item(id)->card().remedies.isEmpty());
        const auto pill = item(id)->partRect({CardPart::Kind::Remedy, 0});
        m_document->perform(engine::MoveNode{other, toPosition({item(id)->pos().x() + 8, pill.top() - 12})});
        QTRY_VERIFY(!item(id)->card().remedies.isEmpty());
        const auto place = item(id)->partRect({CardPart::Kind::Remedy, 0}).center();
        QVERIFY(item(other.value.c_str())->cardRect().contains(place));
        QCOMPARE(m_view->canvasScene().nodeAt(place)->id().value, grown.value);
        m_view->camera().setZoom(1.0);
        m_view->centerOn(place);
        const int before = steps();
        QTest::mouseClick(port(), Qt::LeftButton, {}, m_view->mapFromScene(place));
        QCOMPARE(steps(), before + 1);
    }
};

WIDGET_TEST(CanvasCardTest)
#include "canvas_card_test.moc"
