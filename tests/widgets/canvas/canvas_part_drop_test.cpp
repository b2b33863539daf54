// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/techniques/built_in.h"
#include "engine/techniques/l2_prefetch.h"
#include "tests/shipped_catalog.h"
#include "tests/widgets/canvas/canvas_fixture.h"

#include "engine/scenario/technique_targets.h"
#include "tests/widgets/widget_test.h"
#include "widgets/canvas/part_mime.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QUrl>

#include <algorithm>

using Verdict = DropPlan::Verdict;

/// A widget around the canvas that sees what the canvas leaves to it.
class WindowLike : public QWidget {
public:
    WindowLike() { setAcceptDrops(true); }
    int entered = 0;

protected:
    void dragEnterEvent(QDragEnterEvent* event) override {
        ++entered;
        event->acceptProposedAction();
    }
};

/// Parts of every kind dropped on the canvas: where they can go, what they say, what they change.
class CanvasPartDropTest : public CanvasFixture {
    Q_OBJECT

    std::unique_ptr<QMimeData> m_dragged;

    /// Holds a part over a place of the canvas; false: the canvas refuses it there.
    bool hold(PartKind kind, const std::string& id, QPoint at) {
        const bool entering = !m_view->dragged().plan();
        m_dragged = encodePart({kind, id});
        if (entering) {
            QDragEnterEvent enter(at, Qt::CopyAction, m_dragged.get(), Qt::LeftButton, {});
            QApplication::sendEvent(port(), &enter);
        }
        QDragMoveEvent over(at, Qt::CopyAction, m_dragged.get(), Qt::LeftButton, {});
        QApplication::sendEvent(port(), &over);
        return over.isAccepted() && over.dropAction() != Qt::IgnoreAction;
    }
    void leave() {
        QDragLeaveEvent event;
        QApplication::sendEvent(port(), &event);
        QVERIFY(!m_view->dragged().plan());
    }
    bool drop(PartKind kind, const std::string& id, QPoint at) { return dropAt(*encodePart({kind, id}), at); }
    /// Lets go whatever the canvas said, as some platforms do.
    void force(PartKind kind, const std::string& id, QPoint at) {
        const auto data = encodePart({kind, id});
        QDragEnterEvent enter(at, Qt::CopyAction, data.get(), Qt::LeftButton, {});
        QApplication::sendEvent(port(), &enter);
        QDropEvent event(at, Qt::CopyAction, data.get(), Qt::LeftButton, {});
        QApplication::sendEvent(port(), &event);
    }
    const DropPlan& plan() { return *m_view->dragged().plan(); }
    void undo() { m_document->undoStack()->undo(); }
    int steps() { return m_document->undoStack()->index(); }
    QPoint onLink(const char* id) {
        return m_view->mapFromScene(labelPlace(m_view->canvasScene().linkItem({id})->route()).middle);
    }
    bool overlaps(const engine::Node& node) {
        return m_view->canvasScene().nodesIn(cardRectAt(toPoint(node.position))).size() > 1;
    }
    /// Nothing may stay behind, neither on the canvas nor in the document.
    void verifyNothingHappened(const engine::Scenario& before) {
        QVERIFY(scenario() == before);
        QVERIFY(!m_view->dragged().plan());
        QVERIFY(!m_view->dragged().showsGhost());
    }

private slots:
    void sevenDropsMakeSevenCards() {
        QVERIFY(drop(PartKind::Device, "u280", {400, 300}));
        const auto id = scenario().nodes.front().id;
        for (int count = 2; count <= 7; ++count) {
            QVERIFY(hold(PartKind::Device, "u280", body(id.value.c_str())));
            QCOMPARE(plan().hint, QString("Add one: %1 cards").arg(count));
            QCOMPARE(plan().nodes, std::vector{id});
            QVERIFY(!m_view->dragged().showsGhost());
            QVERIFY(drop(PartKind::Device, "u280", body(id.value.c_str())));
        }
        QCOMPARE(scenario().nodes.size(), std::size_t{1});
        QCOMPARE(scenario().nodes.front().count.value, 7.0);
        QCOMPARE(item(id.value.c_str())->card().count, 7);
        QCOMPARE(steps(), 7);
        undo();
        QCOMPARE(item(id.value.c_str())->card().count, 6);
        m_document->undoStack()->redo();
        QCOMPARE(item(id.value.c_str())->card().count, 7);
    }

    void devicesMakeWayForWhatIsThere() {
        openPreset();
        QVERIFY(hold(PartKind::Device, "u280", body("host")));
        QVERIFY(plan().place && plan().hint.contains("beside Host CPU"));
        QVERIFY(m_view->dragged().showsGhost());
        QVERIFY(drop(PartKind::Device, "u280", body("host")));
        QCOMPARE(scenario().nodes.size(), std::size_t{4});
        QVERIFY(!overlaps(scenario().nodes.back()));
        QVERIFY(drop(PartKind::Device, "h100-pcie", onLink("gpu-host")));
        QCOMPARE(scenario().nodes.size(), std::size_t{5});
        QVERIFY(!overlaps(scenario().nodes.back()));
        const auto place = toPoint(scenario().nodes.back().position);
        QCOMPARE(snapped(place), place);
    }

    void aGroupComesLinkedAndInOneStep() {
        const auto before = scenario();
        const auto at = port()->rect().center();
        QVERIFY(hold(PartKind::Group, "hgx-h100", at));
        QCOMPARE(plan().hint, QStringLiteral("Place HGX H100, 8 GPUs"));
        leave();
        QVERIFY(scenario() == before);
        QVERIFY(drop(PartKind::Group, "hgx-h100", at));
        QCOMPARE(scenario().nodes.size(), before.nodes.size() + 2);
        QCOMPARE(scenario().links.size(), before.links.size() + 1);
        const auto& gpu = scenario().nodes[before.nodes.size()];
        QCOMPARE(gpu.device.id, std::string("h100-sxm"));
        QCOMPARE(gpu.count.value, 8.0);
        QCOMPARE(engine::replicas(gpu), 1.0);
        QVERIFY(gpu.runtime.has_value());
        QCOMPARE(scenario().links.back().type.id, std::string("nvlink4"));
        QVERIFY(m_document->selection().nodes == std::vector{gpu.id});
        QVERIFY(!overlaps(gpu) && !overlaps(scenario().nodes.back()));
        QVERIFY(drop(PartKind::Group, "hgx-h100", at)); // another finds its own room
        QVERIFY(!overlaps(scenario().nodes.back()));
        undo();
        undo();
        QVERIFY(scenario() == before);
        QVERIFY(!drop(PartKind::Group, "../devices/u280", at));
        QVERIFY(scenario() == before);
    }

    void aSharedModelStaysOneCopyAsDevicesCome() {
        m_document->openPreset("preserve/llama3-70b-8npu");
        const auto device = scenario().findNode({"npu"})->device.id;
        QVERIFY(drop(PartKind::Device, device, body("npu")));
        QCOMPARE(scenario().findNode({"npu"})->count.value, 9.0);
        QCOMPARE(engine::replicas(*scenario().findNode({"npu"})), 1.0);
    }

    void modelsAndWorkloadsGoAnywhere_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("id");
        QTest::newRow("model") << static_cast<int>(PartKind::Model) << "mistral-7b";
        QTest::newRow("workload") << static_cast<int>(PartKind::Workload) << QString();
    }
    void modelsAndWorkloadsGoAnywhere() {
        QFETCH(int, kind);
        QFETCH(QString, id);
        openPreset();
        const auto part = static_cast<PartKind>(kind);
        auto wanted = id.toStdString();
        if (wanted.empty())
            for (const auto& workload : shippedCatalog()->workloads)
                if (workload != scenario().workload)
                    wanted = workload.id;
        const auto before = scenario();
        QVERIFY(hold(part, wanted, emptyPlace()));
        QVERIFY(plan().everywhere);
        QCOMPARE(plan().verdict, Verdict::Takes);
        leave();
        verifyNothingHappened(before);
        QVERIFY(drop(part, wanted, body("gpu")));
        QCOMPARE(part == PartKind::Model ? scenario().model.id : scenario().workload.id, wanted);
        QCOMPARE(steps(), 1);
        hold(part, wanted, emptyPlace());
        QCOMPARE(plan().verdict, Verdict::Already);
        QVERIFY(plan().hint.contains("already"));
        leave();
        QSignalSpy said(m_view.get(), &CanvasView::message);
        force(part, wanted, emptyPlace());
        QCOMPARE(said.count(), 1);
        QVERIFY(!m_view->dragged().plan());
        QCOMPARE(steps(), 1);
        undo();
        QVERIFY(scenario() == before);
    }

    void runtimesGoToWhatRunsThem() {
        openPreset();
        const auto before = scenario();
        QSignalSpy said(m_view.get(), &CanvasView::message);
        QVERIFY(!hold(PartKind::Runtime, "flightllm", body("gpu")));
        QCOMPARE(plan().hint, QString("FlightLLM does not run on a GPU"));
        QCOMPARE(said.last().front().toString(), plan().hint);
        QVERIFY(!hold(PartKind::Runtime, "flightllm", emptyPlace()));
        leave();
        force(PartKind::Runtime, "flightllm", body("gpu"));
        verifyNothingHappened(before);
        QVERIFY(hold(PartKind::Runtime, "flightllm", body("fpga")));
        QCOMPARE(plan().nodes, std::vector{engine::NodeId{"fpga"}});
        QVERIFY(drop(PartKind::Runtime, "flightllm", body("fpga")));
        QCOMPARE(scenario().findNode({"fpga"})->runtime->id, std::string("flightllm"));
        QVERIFY(scenario().findNode({"fpga"})->runtime->peakCompute.isSet()); // calibrated for this device
        undo();
        QVERIFY(scenario() == before);
    }

    void techniquesGoToWhatTheyChange() {
        openPreset();
        m_document->set("techniques.load_merging.enabled", "false");
        const auto before = scenario();
        QVERIFY(!hold(PartKind::Technique, "load_merging", body("gpu")));
        QCOMPARE(
            plan().hint,
            QString::fromStdString(
                engine::TechniqueTargets(scenario()).refusal(engine::loadMerging(), engine::NodeId{"gpu"})));
        QVERIFY(!hold(PartKind::Technique, "load_merging", onLink("gpu-host")));
        QVERIFY(!hold(PartKind::Technique, "load_merging", emptyPlace()));
        leave();
        force(PartKind::Technique, "load_merging", body("gpu"));
        verifyNothingHappened(before);
        QVERIFY(hold(PartKind::Technique, "load_merging", body("fpga")));
        QCOMPARE(plan().hint, QString("Switch on Load merging"));
        QCOMPARE(plan().nodes, std::vector{engine::NodeId{"fpga"}});
        QVERIFY(drop(PartKind::Technique, "load_merging", body("fpga")));
        QVERIFY(scenario().techniques[engine::loadMerging()].enabled);
        QCOMPARE(item("fpga")->card().techniques.front().id, QString("load_merging").toStdString());
        hold(PartKind::Technique, "load_merging", body("fpga"));
        QCOMPARE(plan().hint, QString("Load merging is on already"));
        leave();
        undo();
        QVERIFY(scenario() == before);
    }

    void prefetchGoesOntoACollective() {
        m_document->openPreset("preserve/llama3-70b-8npu");
        m_document->set("techniques.l2_prefetch.enabled", "false");
        const int before = steps();
        QVERIFY(hold(PartKind::Technique, "l2_prefetch", onLink("npu-switch")));
        QCOMPARE(plan().links, std::vector{engine::LinkId{"npu-switch"}}); // every place that it acts on
        QCOMPARE(plan().nodes, std::vector{engine::NodeId{"npu"}});
        QVERIFY(drop(PartKind::Technique, "l2_prefetch", onLink("npu-switch")));
        QVERIFY(scenario().techniques[engine::l2Prefetch()].enabled);
        QCOMPARE(m_view->canvasScene().linkItem({"npu-switch"})->label().techniques.size(), std::size_t{1});
        QCOMPARE(steps(), before + 1);
    }

    void theSplitComesWithItsRoles() {
        QVERIFY(drop(PartKind::Device, "a100-80gb", {200, 300}));
        QVERIFY(drop(PartKind::Device, "u280", {800, 300}));
        const auto gpu = scenario().nodes[0].id;
        const int before = steps();
        QVERIFY(drop(PartKind::Technique, "disaggregation", body(gpu.value.c_str())));
        QVERIFY(scenario().techniques[engine::disaggregation()].enabled);
        QCOMPARE(scenario().nodes[0].role, engine::Role::Prefill);
        QCOMPARE(scenario().nodes[1].role, engine::Role::Decode);
        QCOMPARE(steps(), before + 1);
        undo();
        QVERIFY(!scenario().techniques[engine::disaggregation()].enabled);
        QCOMPARE(scenario().nodes[0].role, engine::Role::Both);
        // A role that somebody chose stays.
        m_document->perform(engine::SetRole{scenario().nodes[1].id, engine::Role::Prefill});
        QVERIFY(drop(PartKind::Technique, "disaggregation", body(gpu.value.c_str())));
        QCOMPARE(scenario().nodes[0].role, engine::Role::Both);
        QCOMPARE(scenario().nodes[1].role, engine::Role::Prefill);
    }

    void layoutsNeedSeveralDevices() {
        openPreset();
        const auto before = scenario();
        QVERIFY(!hold(PartKind::Layout, kTensorParallel, body("gpu")));
        QVERIFY(plan().hint.contains("single device"));
        QVERIFY(!hold(PartKind::Layout, kTensorParallel, body("host")));
        QVERIFY(plan().hint.contains("accelerator"));
        leave();
        verifyNothingHappened(before);
        QVERIFY(drop(PartKind::Layout, kTensorParallel, body("fpga")));
        QCOMPARE(engine::replicas(*scenario().findNode({"fpga"})), 1.0);
        QVERIFY(!drop(PartKind::Layout, kTensorParallel, body("fpga")) ||
                scenario().findNode({"fpga"})->replicas.value == 1.0);
        QCOMPARE(steps(), 1);
        QVERIFY(drop(PartKind::Layout, kReplicated, body("fpga")));
        QVERIFY(!scenario().findNode({"fpga"})->replicas.isSet());
        undo();
        undo();
        QVERIFY(scenario() == before);
    }

    void presetsAreAskedFor() {
        openPreset();
        const auto before = scenario();
        QSignalSpy asked(&m_view->placing(), &Placing::presetDropped);
        QVERIFY(drop(PartKind::Preset, "preserve/llama3-70b-8npu", body("gpu")));
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.front().front().toString(), QString("preserve/llama3-70b-8npu"));
        verifyNothingHappened(before);
        QVERIFY(!hold(PartKind::Preset, "no/such", emptyPlace()));
        leave();
    }

    void filesAreLeftToTheWindow() {
        WindowLike window;
        m_view->setParent(&window);
        window.resize(1100, 560);
        window.show();
        m_view->show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(QStringLiteral("/tmp/design.hscape"))});
        QDragEnterEvent enter(QPoint(300, 200), Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(port(), &enter);
        QCOMPARE(window.entered, 1);
        QVERIFY(!m_view->dragged().plan());
        m_view->setParent(nullptr);
    }

    void aChangedDesignEndsTheDrag() {
        openPreset();
        QVERIFY(hold(PartKind::Technique, "gpu_assist", body("gpu")) || m_view->dragged().plan());
        m_document->perform(engine::RemoveLink{{"gpu-host"}});
        QVERIFY(!m_view->dragged().plan());
        m_document->perform(engine::removeEdit(scenario(), {{"gpu"}}, {}));
        hold(PartKind::Technique, "gpu_assist", emptyPlace()); // on the design as it is now
        QVERIFY(m_view->dragged().plan());
        leave();
    }

    void everyStateIsDrawn() {
        openPreset();
        const auto shown = [this] { return m_view->grab().toImage(); };
        shown(); // icons are made while painting for the first time
        const auto plain = shown();
        hold(PartKind::Technique, "load_merging", emptyPlace());
        const auto possible = shown();
        QVERIFY(possible != plain);
        hold(PartKind::Model, "mistral-7b", emptyPlace());
        QVERIFY(shown() != possible);
        leave();
        QCOMPARE(shown(), plain);
    }
};

WIDGET_TEST(CanvasPartDropTest)
#include "canvas_part_drop_test.moc"
