// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/claims/claims.h"
#include "engine/evaluation/evaluate.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/drag_fixture.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/file_flow.h"
#include "widgets/window/metric_cell.h"
#include "widgets/window/metrics_strip.h"

#include <QAction>

using namespace heteroscape;
using namespace heteroscape::widgets;

/// The systems of the three papers, put together from an empty canvas by drag and drop alone: devices, links,
/// model, workload, runtime, layout and techniques come from the palette, and what stands on the canvas in
/// the end reaches the figures of the shipped preset to the last digit.
class DragBuildTest : public DragFixture {
    Q_OBJECT

    void compareWithPreset(const char* id) {
        settle();
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
        const auto& cell = child<MetricsStrip>(m_window)->cell(engine::Metric::Throughput)->content();
        QVERIFY(!cell.value.isEmpty() && cell.value != QStringLiteral("\u2013"));
    }

    /// Back to the empty canvas and forward again by the menu's own actions; the files are the same, byte for
    /// byte.
    void walkTheHistory() {
        const auto file = [this](const char* name) { return m_test->file(name); };
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
        QCOMPARE(bytesOf(file("again.hscape")), bytesOf(file("built.hscape")));
        QCOMPARE(
            engine::scenarioText(engine::loadScenario(file("again.hscape").toStdString(), *shippedCatalog())),
            built);
    }

private slots:
    void glitches() {
        place("a100-80gb", "A100 80GB", {-400, -60});
        place("host-cpu", "Host CPU", {0, -60});
        place("u280", "U280", {400, -60});
        addUpTo(7, "u280", "U280");
        link("a100-80gb", "host-cpu", "pcie-gen4-x16");
        link("host-cpu", "u280", "pcie-gen3-x16");
        dropOn("a100-80gb", PartKind::Runtime, "hf-eager", "Hugging Face eager");
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

WIDGET_TEST(DragBuildTest)
#include "drag_build_test.moc"
