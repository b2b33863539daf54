// SPDX-License-Identifier: GPL-3.0-or-later
// What is offered to who puts a server together: the link that an architect would plug, and servers that are
// ready.
#include "engine/evaluation/evaluate.h"
#include "engine/scenario/clip.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/drag_fixture.h"
#include "tests/widgets/window/hand.h"
#include "widgets/document/metric_text.h"
#include "widgets/inspector/choice_edit.h"
#include "widgets/inspector/layout_proposals.h"
#include "widgets/window/bottom_dock.h"
#include "widgets/window/context_bar.h"
#include "widgets/window/messages_panel.h"
#include "widgets/window/metrics_strip.h"
#include "widgets/window/status_line.h"

#include <QAbstractItemView>
#include <QPushButton>
#include <QScrollBar>
#include <QTabBar>

#include <map>

using namespace heteroscape;
using namespace heteroscape::widgets;
using engine::Metric;

class OfferedServersTest : public DragFixture {
    Q_OBJECT

    static const engine::Catalog& catalog() { return *shippedCatalog(); }
    static QString text(const std::string& words) { return QString::fromStdString(words); }
    QPushButton* remedy() { return child<QPushButton>(child<InfoBanner>(m_window)); }
    PaletteList* parts() { return child<PalettePanel>(m_window)->findChild<PaletteList*>(); }
    QLineEdit* search() { return child<PalettePanel>(m_window)->findChild<QLineEdit*>(); }
    void undoByKey() {
        activate(m_window); // a popup may have been in front
        QTest::keyClick(m_window, Qt::Key_Z, Qt::ControlModifier);
        settle();
    }

    /// The throughput in the strip is that which the engine computes of the design.
    void showsThroughput() {
        settle();
        const auto evaluation = engine::evaluate(scenario());
        QVERIFY2(evaluation.feasible, evaluation.reason.c_str());
        const double expected = evaluation.metric(Metric::Throughput);
        QVERIFY(expected > 0.0);
        const auto* cell = child<MetricsStrip>(m_window)->cell(Metric::Throughput);
        QVERIFY(cell && cell->isVisible() && !cell->content().stale);
        const auto words = metricText(engine::metricSpec(Metric::Throughput), expected);
        QCOMPARE(cell->content().value + cell->content().unit, words.value + words.unit);
    }
    QPoint here() { return {port()->width() / 4, port()->height() / 3}; } ///< with room right and below
    QImage picture(const QRect& of) { return port()->grab(of).toImage(); }
    /// A card that says so can be seen whole.
    NodeItem* seenCard(const engine::NodeId& id, const std::string& name, int count) {
        auto* item = canvas().canvasScene().nodeItem(id);
        const bool seen = item && item->card().name == text(name) && item->card().count == count &&
                          port()->rect().contains(canvas().mapFromScene(item->cardRect()).boundingRect());
        return seen ? item : nullptr;
    }
    bool canvasHas(std::size_t cards, std::size_t wires) {
        const auto& scene = canvas().canvasScene();
        return scene.nodes().size() == cards && scene.linkCount() == wires;
    }
    bool wireSays(std::size_t link, const QString& words) {
        if (link >= scenario().links.size())
            return false;
        const auto* item = canvas().canvasScene().linkItem(scenario().links[link].id);
        return item && item->isVisible() && item->label().type.startsWith(words);
    }
    /// The rows of the palette that can be seen, from the top, headings too.
    QStringList seenParts() {
        QStringList seen;
        for (int row = 0; row < parts()->count(); ++row)
            if (parts()->viewport()->rect().contains(parts()->visualItemRect(parts()->item(row))))
                seen << parts()->item(row)->text();
        return seen;
    }

    void typeSearch(const QString& words) {
        Hand().click(search(), QPoint(search()->width() / 2, search()->height() / 2));
        search()->selectAll();
        QTest::keyClicks(search(), words);
        QCOMPARE(search()->text(), words);
    }
    void drag(PartKind kind, const std::string& id, const char* words, QPoint to) {
        if (!QTest::currentTestFailed())
            pullOut(kind, id, words);
        if (!QTest::currentTestFailed())
            letGo(to);
    }
    /// The words of what is offered against what is wrong, in one of the places where it is shown.
    QStringList offers(const QString& where) {
        QStringList words;
        const auto* messages = m_window->bottom()->messages();
        if (where == "card")
            words = canvas().canvasScene().nodes().front()->card().remedies;
        for (int row = 1; where == "messages" && row < messages->count(); ++row)
            words << messages->item(row)->text();
        for (const auto* button : inspectorsOffers())
            if (where == "inspector")
                words << button->text();
        return words;
    }
    void takeOffer(const QString& where) {
        const auto pill = canvas().canvasScene().nodes().front()->partRect({CardPart::Kind::Remedy, 0});
        auto* messages = m_window->bottom()->messages();
        messages->scrollToItem(messages->item(1));
        if (where == "card")
            Hand().click(port(), canvas().mapFromScene(pill.center()));
        else if (where == "messages")
            Hand().click(messages->viewport(), messages->visualItemRect(messages->item(1)).center());
        else
            click(inspectorsOffers().front());
    }
    QList<QPushButton*> inspectorsOffers() {
        auto buttons = m_window->findChild<LayoutProposals*>()->findChildren<QPushButton*>();
        buttons.removeIf([](const QPushButton* button) { return !button->isVisible(); });
        return buttons;
    }
    void chooseModel(const char* name) {
        auto* model = child<ChoiceEdit>(child<ContextBar>(m_window));
        click(model);
        QTRY_VERIFY(model->view()->isVisible());
        QTest::keyClick(model->view(), Qt::Key_Home);
        const auto marked = [model] { return model->view()->currentIndex().data().toString(); };
        for (int i = 0; i < model->count() && marked() != QString::fromUtf8(name); ++i)
            QTest::keyClick(model->view(), Qt::Key_Down);
        QTest::keyClick(model->view(), Qt::Key_Return);
        QTRY_VERIFY(!model->view()->isVisible());
        QCOMPARE(model->currentText(), QString::fromUtf8(name));
        settle();
    }
    void typeCount(const std::string& device, const char* count) {
        Hand().click(port(), middleOf(device));
        QTest::keyClick(&canvas(), Qt::Key_Return);
        auto* editor = canvas().values().editor();
        QVERIFY(editor);
        retype(editor->findChild<QLineEdit*>(), QString::fromUtf8(count));
        QCOMPARE(QString::number(cardOf(device)->card().count), QString::fromUtf8(count));
        settle();
    }
    /// Eight of a device that are not linked, Llama3-70B on each.
    void placeEight(const std::string& device, const char* words) {
        drag(PartKind::Device, device, words, here());
        if (!QTest::currentTestFailed())
            chooseModel("Llama3-70B");
        if (!QTest::currentTestFailed())
            typeCount(device, "8");
    }

    /// The cards are linked as fast as the catalogue allows, to what is made for that link; whatever else
    /// could be plugged serves less.
    void isPluggedAsAnArchitectWould(const std::string& device) {
        const auto built = scenario();
        const auto& link = built.links.front();
        const auto& cards = cardOf(device)->id();
        const auto* hub = built.findNode(link.from == cards ? link.to : link.from);
        const double shown = document().evaluation().metric(Metric::Throughput);
        int slower = 0;
        for (const auto& other : catalog().devices) {
            if (other.kind != engine::DeviceKind::Switch && other.kind != engine::DeviceKind::Cpu)
                continue;
            for (const auto* type : catalog().linkOffers(built.findNode(cards)->device, other)) {
                QVERIFY2(type->bandwidth.value <= link.type.bandwidth.value, type->id.c_str());
                if (type->bandwidth.value == link.type.bandwidth.value) {
                    QVERIFY2(hub->device.ports.size() <= other.ports.size(), other.id.c_str());
                    continue;
                }
                if (type->id == "nvlink-c2c")
                    continue; // a Grace has two of it
                auto plugged = built;
                plugged.findNode(hub->id)->device = other;
                plugged.links.front().type = *type;
                const auto evaluation = engine::evaluate(plugged);
                QVERIFY2(evaluation.feasible && evaluation.metric(Metric::Throughput) < shown,
                         type->id.c_str());
                ++slower;
            }
        }
        QVERIFY(slower > 3);
    }
    /// The group's nodes and links stand on the canvas as the catalogue has them, each as one card or wire.
    void standsWhole(const engine::ReadyGroup& group) {
        const auto& nodes = scenario().nodes;
        QCOMPARE(nodes.size(), group.clip.nodes.size());
        QVERIFY(canvasHas(group.clip.nodes.size(), group.clip.links.size()));
        std::map<engine::NodeId, engine::NodeId> placed;
        const NodeItem* first = nullptr;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const auto& wanted = group.clip.nodes[i];
            QCOMPARE(nodes[i].device.id, wanted.device.id);
            const auto* item =
                seenCard(nodes[i].id, wanted.shownName(), static_cast<int>(wanted.count.value));
            QVERIFY2(item, wanted.id.value.c_str());
            first = first ? first : item;
            QCOMPARE(item->cardRect().topLeft() - first->cardRect().topLeft(),
                     QPointF(wanted.position.x, wanted.position.y));
            placed[wanted.id] = nodes[i].id;
        }
        for (std::size_t i = 0; i < group.clip.links.size(); ++i) {
            const auto& wanted = group.clip.links[i];
            const auto& link = scenario().links[i];
            QVERIFY(link.from == placed[wanted.from] && link.to == placed[wanted.to]);
            QVERIFY(wireSays(i, text(wanted.type.name)));
        }
    }

private slots:
    void init() { // one window for all, as long as nothing went wrong in it
        if (!m_test)
            return DragFixture::init();
        document().newDesign();
        search()->clear();
        canvas().camera().setZoom(0.7);
    }
    void cleanup() {
        if (QTest::currentTestFailed())
            DragFixture::cleanup();
    }
    void cleanupTestCase() { DragFixture::cleanup(); }

    void cardsThatShareAModelAreJoinedAsAnArchitectWouldJoinThem_data() {
        QTest::addColumn<QString>("device");
        QTest::addColumn<QString>("hub");
        QTest::addColumn<QString>("link");
        QTest::addColumn<bool>("asked"); // sharing is chosen by hand, before anything is offered
        const auto row = [](const char* device, const char* hub, const char* link, bool asked) {
            QTest::addRow("%s, %s", device, asked ? "shared by hand" : "a copy does not fit in one")
                << QString::fromUtf8(device) << QString::fromUtf8(hub) << QString::fromUtf8(link) << asked;
        };
        for (const bool asked : {false, true}) {
            row("h100-sxm", "nvswitch", "nvlink4", asked);
            row("a100-sxm-80gb", "nvswitch", "nvlink3", asked);
            row("h100-pcie", "pcie-gen5-switch", "pcie-gen5-x16", asked);
        }
        row("b200-sxm", "nvswitch", "nvlink5", true); // one holds a copy
        row("mi300x", "infinity-fabric-mesh", "infinity-fabric-mi300x", true);
        row("mi355x", "infinity-fabric-mesh", "infinity-fabric-mi355x", true);
        row("gaudi3", "gaudi-baseboard", "gaudi3-roce", true);
    }
    void cardsThatShareAModelAreJoinedAsAnArchitectWouldJoinThem() {
        QFETCH(QString, device);
        QFETCH(QString, hub);
        QFETCH(QString, link);
        QFETCH(bool, asked);
        const auto id = device.toStdString();
        placeEight(id, catalog().device(id, "test").name.c_str());
        if (!QTest::currentTestFailed() && asked)
            dropOn(id, PartKind::Layout, kTensorParallel, "Tensor parallel");
        if (QTest::currentTestFailed())
            return;
        const auto& hubDevice = catalog().device(hub.toStdString(), "test");
        const auto wire = text(catalog().linkType(link.toStdString(), "test").name);
        QTRY_VERIFY_WITH_TIMEOUT(remedy()->isVisible(), 30000);
        const auto offer = QStringLiteral("Add %1 and link it over %2").arg(text(hubDevice.name), wire);
        QCOMPARE(remedy()->text(),
                 asked ? offer : QStringLiteral("Share one replica among its 8 cards; %1").arg(offer));
        const auto before = engine::scenarioText(scenario());
        const auto seenBefore = picture(port()->rect());
        click(remedy());
        showsThroughput();
        QVERIFY(!child<InfoBanner>(m_window)->isVisible());
        QVERIFY(canvasHas(2, 1));
        QVERIFY(seenCard(cardOf(id)->id(), catalog().device(id, "test").name, 8));
        QVERIFY(cardOf(hubDevice.id));
        const auto* made = seenCard(cardOf(hubDevice.id)->id(), hubDevice.name, 1);
        QVERIFY(made);
        const auto place = canvas().mapFromScene(made->cardRect()).boundingRect();
        QVERIFY(picture(place) != seenBefore.copy(place));
        QVERIFY(wireSays(0, wire));
        if (!QTest::currentTestFailed())
            isPluggedAsAnArchitectWould(id);
        if (QTest::currentTestFailed())
            return;
        undoByKey(); // one step
        QCOMPARE(engine::scenarioText(scenario()), before);
        QVERIFY(canvasHas(1, 0));
        QVERIFY(picture(place) == seenBefore.copy(place));
        QTRY_VERIFY_WITH_TIMEOUT(remedy()->isVisible(), 30000);
    }

    void theSameIsOfferedWhereverOneLooks() {
        placeEight("h100-sxm", "H100 SXM");
        if (QTest::currentTestFailed())
            return;
        auto* tabs = child<QTabBar>(m_window->bottom());
        Hand().click(tabs, tabs->tabRect(static_cast<int>(BottomDock::Page::Messages)).center());
        QTRY_VERIFY(m_window->bottom()->messages()->isVisible());
        const QString best = "Share one replica among its 8 cards; Add NVSwitch and link it over NVLink 4";
        for (const QString where : {"card", "messages", "inspector"}) { // beside the banner
            QTRY_COMPARE_WITH_TIMEOUT(offers(where).value(0), best, 30000);
            for (const auto& offered : offers(where))
                QVERIFY2(!offered.contains("Falcon"), qPrintable(offered));
            takeOffer(where);
            showsThroughput();
            QVERIFY2(canvasHas(2, 1) && cardOf("nvswitch") && wireSays(0, "NVLink 4"), qPrintable(where));
            QVERIFY2(offers(where).isEmpty(), qPrintable(where));
            undoByKey();
            QVERIFY2(canvasHas(1, 0), qPrintable(where));
        }
    }

    void readyServersStandUnderTheirHeading() {
        DragFixture::cleanup();
        DragFixture::init(); // without parts that were used lately, which stand above
        QStringList wanted{"Servers"};
        for (const auto& group : engine::loadGroups(catalog()))
            wanted << text(group.name);
        QVERIFY(wanted.size() > 10);
        QCOMPARE(parts()->verticalScrollBar()->value(), 0);
        QStringList seen;
        for (int turns = 0; turns < 40 && !seen.contains(wanted.back()); ++turns) {
            seen << seenParts();
            wheel(parts()->viewport(), parts()->viewport()->rect().center(), -1);
        }
        seen.removeDuplicates();
        QCOMPARE(seen.mid(0, wanted.size()), wanted);
    }

    void aReadyServerStandsWholeWhereItIsDropped_data() {
        QTest::addColumn<QString>("id");
        for (const auto& id : catalog().groups)
            QTest::newRow(id.c_str()) << text(id);
    }
    void aReadyServerStandsWholeWhereItIsDropped() {
        QFETCH(QString, id);
        const auto group = engine::loadGroup(catalog(), id.toStdString());
        chooseModel("Llama3-70B");
        if (!QTest::currentTestFailed())
            typeSearch(text(group.name));
        if (QTest::currentTestFailed())
            return;
        QCOMPARE(seenParts().mid(0, 2), (QStringList{"Servers", text(group.name)}));
        const auto before = engine::scenarioText(scenario());
        drag(PartKind::Group, group.id, group.name.c_str(), here());
        if (!QTest::currentTestFailed())
            standsWhole(group);
        settle();
        const bool computes = engine::isAccelerator(group.clip.nodes.front().device.kind);
        for (const auto& found : document().diagnostics())
            QVERIFY2(found.severity != engine::Severity::Error || found.code == "no_accelerator",
                     found.message.c_str());
        QCOMPARE(child<StatusLine>(m_window)->text().contains("error"), !computes);
        QCOMPARE(child<InfoBanner>(m_window)->isVisible(), !computes);
        if (computes)
            showsThroughput();
        if (computes && group.clip.links.size() == 1 && !QTest::currentTestFailed())
            isPluggedAsAnArchitectWould(group.clip.nodes.front().device.id);
        undoByKey(); // one step
        QCOMPARE(engine::scenarioText(scenario()), before);
        QVERIFY(canvasHas(0, 0));
    }

    void aStorageServerTakesWhatDoesNotFitInACard() {
        const auto group = engine::loadGroup(catalog(), "storage-server");
        chooseModel("Llama3-70B");
        drag(PartKind::Group, group.id, "storage server", {port()->width() / 2, port()->height() / 3});
        if (!QTest::currentTestFailed())
            standsWhole(group);
        drag(PartKind::Device, "a100-80gb", "A100 80GB", {100, port()->height() / 3});
        if (!QTest::currentTestFailed())
            link("a100-80gb", group.clip.nodes.front().device.id, "pcie-gen4-x16");
        if (!QTest::currentTestFailed())
            dropOn("a100-80gb", PartKind::Runtime, "flexgen", "FlexGen");
        if (!QTest::currentTestFailed())
            showsThroughput();
    }

    void serversAreFoundAsOneSpeaksOfThem_data() {
        QTest::addColumn<QString>("id");
        QTest::newRow("8 x h100") << "hgx-h100";
        QTest::newRow("hgx h200") << "hgx-h200";
        QTest::newRow("8 x h200") << "hgx-h200";
        QTest::newRow("dgx b200") << "dgx-b200";
        QTest::newRow("gb300 rack") << "gb300-nvl72";
        QTest::newRow("8 x mi300x") << "mi300x-platform";
        QTest::newRow("8 x gaudi 3") << "gaudi3-server"; // its row says "8 \u00d7 Gaudi 3"
        QTest::newRow("storage server") << "storage-server";
    }
    void serversAreFoundAsOneSpeaksOfThem() {
        QFETCH(QString, id);
        typeSearch(QString::fromUtf8(QTest::currentDataTag()));
        const auto seen = seenParts();
        const auto heading = seen.indexOf("Servers");
        QVERIFY2(heading >= 0, qPrintable(seen.join(", ")));
        QCOMPARE(seen.value(heading + 1), text(engine::loadGroup(catalog(), id.toStdString()).name));
    }
};

WIDGET_TEST(OfferedServersTest)
#include "offered_servers_test.moc"
