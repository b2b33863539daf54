// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/claims/claims.h"
#include "engine/evaluation/evaluate.h"
#include "engine/scenario/scenario_json.h"
#include "tests/shipped_catalog.h"
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/drop_targets.h"
#include "widgets/document/document.h"
#include "widgets/palette/palette_list.h"
#include "widgets/palette/palette_panel.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/file_flow.h"
#include "widgets/window/main_window.h"
#include "widgets/window/metric_cell.h"
#include "widgets/window/metrics_strip.h"

#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QMimeData>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace heteroscape;
using namespace heteroscape::widgets;

namespace {

std::string readAll(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

} // namespace

/// The systems of the three papers, put together from an empty canvas by drag and drop alone: devices, links,
/// model, workload, runtime, layout and techniques come from the palette, and what stands on the canvas in
/// the end reaches the figures of the shipped preset to the last digit.
class DragBuildTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<MainWindow> m_window;
    std::unique_ptr<QMimeData> m_dragged;
    const char* m_words = ""; ///< what was pulled out last

    Document& document() { return *m_window->document(); }
    const engine::Scenario& scenario() { return document().scenario(); }
    CanvasView& canvas() { return *m_window->canvas(); }
    QWidget* port() { return canvas().viewport(); }
    NodeItem* cardOf(const std::string& device) {
        for (const auto& node : scenario().nodes)
            if (node.device.id == device)
                return canvas().canvasScene().nodeItem(node.id);
        return nullptr;
    }
    QPoint middleOf(const std::string& device) {
        return canvas().mapFromScene(cardOf(device)->cardRect().center());
    }

    void moveOver(QWidget* widget, QPoint to, Qt::MouseButtons buttons) {
        QMouseEvent event(QEvent::MouseMove, to, widget->mapToGlobal(to), Qt::NoButton, buttons, {});
        QApplication::sendEvent(widget, &event);
    }

    /// Finds the part by typing, and pulls its row out with the mouse.
    void pullOut(PartKind kind, const std::string& id, const char* words) {
        m_words = words;
        auto* panel = m_window->palette();
        panel->focusSearch();
        auto* search = qobject_cast<QLineEdit*>(QApplication::focusWidget());
        QVERIFY(search);
        search->selectAll();
        QTest::keyClicks(search, words);
        auto* list = panel->findChild<PaletteList*>();
        int row = 0;
        while (list->row(row) && !(list->row(row)->part && *list->row(row)->part == PartRef{kind, id}))
            ++row;
        QVERIFY2(list->row(row), words);
        list->scrollToItem(list->item(row));
        const auto from = list->visualItemRect(list->item(row)).center();
        m_dragged.reset();
        QTest::mousePress(list->viewport(), Qt::LeftButton, {}, from);
        for (int step = 1; step <= 4 && !m_dragged; ++step)
            moveOver(list->viewport(), from + QPoint(10 * step, 0), Qt::LeftButton);
        QTest::mouseRelease(list->viewport(), Qt::LeftButton, {}, from + QPoint(40, 0));
        QVERIFY2(m_dragged, words);
    }
    /// ... and lets it go over the canvas.
    void letGo(QPoint at) {
        QDragEnterEvent enter(at, Qt::CopyAction, m_dragged.get(), Qt::LeftButton, {});
        QApplication::sendEvent(port(), &enter);
        QDragMoveEvent over(at, Qt::CopyAction, m_dragged.get(), Qt::LeftButton, {});
        QApplication::sendEvent(port(), &over);
        QVERIFY2(over.isAccepted() && over.dropAction() != Qt::IgnoreAction, m_words);
        QVERIFY2(canvas().dragged().plan(), m_words);
        const bool already = canvas().dragged().plan()->verdict == DropPlan::Verdict::Already;
        QDropEvent drop(at, Qt::CopyAction, m_dragged.get(), Qt::LeftButton, {});
        QApplication::sendEvent(port(), &drop);
        QVERIFY2(drop.isAccepted() != already, m_words);
    }
    void place(const std::string& device, const char* words, QPointF topLeft) {
        pullOut(PartKind::Device, device, words);
        if (QTest::currentTestFailed())
            return;
        letGo(canvas().mapFromScene(topLeft + QPointF(kCardWidth, kCardHeight) / 2));
        QVERIFY(cardOf(device));
    }
    void dropOn(const std::string& device, PartKind kind, const std::string& id, const char* words) {
        pullOut(kind, id, words);
        if (!QTest::currentTestFailed())
            letGo(middleOf(device));
    }
    void addUpTo(int count, const std::string& device, const char* words) {
        pullOut(PartKind::Device, device, words);
        for (int i = 2; i <= count && !QTest::currentTestFailed(); ++i)
            letGo(middleOf(device));
        for (const auto& node : scenario().nodes)
            if (node.device.id == device)
                QCOMPARE(node.count.value, static_cast<double>(count));
    }
    void link(const std::string& from, const std::string& to, const char* type) {
        const auto left = cardOf(from)->cardRect();
        const auto right = cardOf(to)->cardRect();
        const bool across = std::abs(left.center().x() - right.center().x()) > kCardWidth;
        const auto start = canvas().mapFromScene(
            across ? QPointF(left.center().x() < right.center().x() ? left.right() : left.left(),
                             left.center().y())
                   : QPointF(left.center().x(),
                             left.center().y() < right.center().y() ? left.bottom() : left.top()));
        QTest::mousePress(port(), Qt::LeftButton, {}, start);
        const auto end = canvas().mapFromScene(right.center());
        for (int step = 1; step <= 4; ++step)
            moveOver(port(), start + (end - start) * step / 4, Qt::LeftButton);
        QTest::mouseRelease(port(), Qt::LeftButton, {}, end);
        QVERIFY(!scenario().links.empty());
        QCOMPARE(scenario().links.back().type.id, std::string(type));
    }
    void dropOnCanvas(PartKind kind, const std::string& id, const char* words) {
        pullOut(kind, id, words);
        if (!QTest::currentTestFailed())
            letGo({30, port()->height() - 60});
    }

    void compareWithPreset(const char* id) {
        QTRY_VERIFY(!document().isEvaluating());
        const auto preset = engine::evaluate(engine::loadPreset(*shippedCatalog(), id, "preset"));
        QVERIFY(preset.feasible);
        QVERIFY(document().evaluation().feasible);
        int figures = 0;
        for (const auto& spec : engine::metricSpecs()) {
            const double built = document().evaluation().metric(spec.metric);
            const double shipped = preset.metric(spec.metric);
            figures += std::isnan(shipped) ? 0 : 1;
            QVERIFY2(built == shipped || (std::isnan(built) && std::isnan(shipped)),
                     std::string(spec.key).c_str());
        }
        QVERIFY(figures >= 15);
        const auto& cell = m_window->metrics()->cell(engine::Metric::Throughput)->content();
        QVERIFY(!cell.value.isEmpty() && cell.value != QStringLiteral("\u2013"));
    }

    /// Back to the empty canvas and forward again by the menu's own actions; the files are the same, byte for
    /// byte.
    void walkTheHistory() {
        const auto file = [this](const char* name) { return m_folder->filePath(QLatin1String(name)); };
        auto* undo = m_window->commands()->action(QStringLiteral("edit.undo"));
        auto* redo = m_window->commands()->action(QStringLiteral("edit.redo"));
        const auto steps = document().undoStack()->count();
        const auto built = engine::scenarioText(scenario());
        engine::saveScenario(scenario(), file("built.hscape").toStdString());
        int undone = 0;
        while (undo->isEnabled()) {
            QVERIFY2(!document().undoStack()->undoText().isEmpty(), "a step without a name");
            undo->trigger();
            ++undone;
        }
        QCOMPARE(undone, steps);
        QVERIFY(scenario().nodes.empty() && scenario().links.empty());
        QCOMPARE(engine::scenarioText(scenario()), m_empty);
        while (redo->isEnabled())
            redo->trigger();
        engine::saveScenario(scenario(), file("again.hscape").toStdString());
        QCOMPARE(readAll(file("again.hscape")), readAll(file("built.hscape")));
        QCOMPARE(
            engine::scenarioText(engine::loadScenario(file("again.hscape").toStdString(), *shippedCatalog())),
            built);
    }

    std::string m_empty;

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        Theme::instance().install(*qApp);
    }
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        MainWindow::Options options{m_folder->filePath("store.sqlite")};
        options.settingsFile = m_folder->filePath("settings.ini");
        m_window = std::make_unique<MainWindow>(shippedCatalog(), options);
        m_window->resize(1440, 900);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_window->setWorkspace(Workspace::Design);
        document().newDesign();
        m_empty = engine::scenarioText(scenario());
        m_window->palette()->setDragStarter([this](std::unique_ptr<QMimeData> data, const QPixmap& picture) {
            m_dragged = std::move(data);
            return !picture.isNull();
        });
        canvas().camera().setZoom(0.7);
    }
    void cleanup() {
        m_window.reset();
        m_folder.reset();
    }

    void glitches() {
        place("a100-80gb", "A100 80GB", {-400, -60});
        place("host-cpu", "Host CPU", {0, -60});
        place("u280", "U280", {400, -60});
        addUpTo(7, "u280", "U280");
        link("a100-80gb", "host-cpu", "pcie-gen4-x16");
        link("host-cpu", "u280", "pcie-gen3-x16");
        dropOnCanvas(PartKind::Model, "llama2-7b", "Llama2-7B");
        dropOnCanvas(PartKind::Workload, "p1536-d512", "1536 in, 512 out");
        dropOn("u280", PartKind::Technique, "disaggregation", "split");
        dropOn("u280", PartKind::Technique, "load_merging", "Load merging");
        if (!QTest::currentTestFailed())
            compareWithPreset("glitches/a100-7u280");
        if (!QTest::currentTestFailed())
            walkTheHistory();
    }

    void preserve() {
        place("preserve-npu", "NPU Table 2", {-200, -60});
        place("network-switch", "Network switch", {240, -60});
        addUpTo(32, "preserve-npu", "NPU Table 2");
        link("preserve-npu", "network-switch", "network-200g");
        dropOn("preserve-npu", PartKind::Layout, kTensorParallel, "Tensor parallel");
        dropOnCanvas(PartKind::Model, "llama3-405b", "Llama3-405B");
        dropOnCanvas(PartKind::Workload, "s8k-b16", "8k sequence batch 16");
        dropOn("preserve-npu", PartKind::Runtime, "fused-int8", "fused int8");
        dropOn("preserve-npu", PartKind::Technique, "l2_prefetch", "L2 prefetch");
        if (!QTest::currentTestFailed())
            compareWithPreset("preserve/llama3-405b-32");
        if (!QTest::currentTestFailed())
            walkTheHistory();
    }

    void inf2() {
        place("a100-40gb-inf2", "A100 40GB INF2", {-300, -200});
        place("xeon-6342-host", "Xeon 6342", {100, -200});
        place("falcon-4109", "Falcon", {100, 80});
        place("smartssd", "SmartSSD", {-300, 80});
        addUpTo(16, "smartssd", "SmartSSD");
        link("a100-40gb-inf2", "xeon-6342-host", "pcie-gen4-x16");
        link("xeon-6342-host", "falcon-4109", "falcon-uplink");
        link("falcon-4109", "smartssd", "pcie-gen3-x4");
        dropOn("a100-40gb-inf2", PartKind::Runtime, "inf2", "INF2");
        dropOnCanvas(PartKind::Model, "opt-30b", "OPT-30B");
        dropOnCanvas(PartKind::Workload, "p16384-d64-b32", "16k 64 batch 32");
        dropOn("smartssd", PartKind::Technique, "attention_near_storage", "near storage");
        dropOn("smartssd", PartKind::Technique, "delayed_writeback", "writeback");
        dropOn("smartssd", PartKind::Technique, "x_cache", "X-cache");
        if (!QTest::currentTestFailed())
            compareWithPreset("inf2/opt-30b-a100-16csd");
        if (!QTest::currentTestFailed())
            walkTheHistory();
    }

    void aTechniqueGoesOnlyWhereItChangesSomething() {
        place("a100-80gb", "A100 80GB", {-400, -60});
        pullOut(PartKind::Technique, "load_merging", "Load merging");
        const auto before = document().undoStack()->count();
        QDragEnterEvent enter(middleOf("a100-80gb"), Qt::CopyAction, m_dragged.get(), Qt::LeftButton, {});
        QApplication::sendEvent(port(), &enter);
        QDragMoveEvent over(middleOf("a100-80gb"), Qt::CopyAction, m_dragged.get(), Qt::LeftButton, {});
        QApplication::sendEvent(port(), &over);
        QVERIFY(!over.isAccepted() || over.dropAction() == Qt::IgnoreAction);
        QVERIFY(canvas().dragged().plan());
        QVERIFY(canvas().dragged().plan()->hint.contains(QStringLiteral("cannot merge loads")));
        QDragLeaveEvent leave;
        QApplication::sendEvent(port(), &leave);
        QVERIFY(!canvas().dragged().plan());
        QCOMPARE(document().undoStack()->count(), before);
    }
};

QTEST_MAIN(DragBuildTest)
#include "drag_build_test.moc"
