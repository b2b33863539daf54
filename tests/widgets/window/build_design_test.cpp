// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/claims/claims.h"
#include "engine/evaluation/evaluate.h"
#include "engine/techniques/near_storage.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/window_fixture.h"
#include "widgets/canvas/canvas_overlays.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/inspector/choice_edit.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/number_edit.h"
#include "widgets/palette/palette_list.h"
#include "widgets/palette/palette_panel.h"
#include "widgets/window/context_bar.h"
#include "widgets/window/metric_cell.h"
#include "widgets/window/metrics_strip.h"

#include <QApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QUndoStack>

using namespace heteroscape;
using namespace heteroscape::widgets;

/// A first-time user puts INF2's system together with keys and clicks alone.
class BuildDesignTest : public WindowFixture {
    Q_OBJECT

    /// Types into the palette's search and presses Enter: its first match is placed, run or switched.
    void choose(const char* words) {
        auto* search = child<PalettePanel>(m_window)->findChild<QLineEdit*>();
        child<PalettePanel>(m_window)->focusSearch();
        search->clear();
        QTest::keyClicks(search, words);
        QTest::keyClick(search, Qt::Key_Return);
    }
    void acceptOffer() {
        QVERIFY(m_window->canvas()->links().offer()->isVisible());
        QTest::keyClick(m_window->canvas(), Qt::Key_L);
        QVERIFY(!m_window->canvas()->links().offer()->isVisible());
    }
    void type(NumberEdit* field, const char* text) {
        QVERIFY(field);
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, text);
        QTest::keyClick(field, Qt::Key_Return);
    }

private slots:
    void init() {
        WindowFixture::init();
        document().newDesign();
    }

    /// A GPU with kernels is served, placed and in place of another; the inspector says by what.
    void gpusAreServed() {
        choose("H100 SXM");
        const auto path = "nodes." + scenario().nodes.at(0).id.value;
        const auto choice = [&](const char* key) {
            m_window->inspector()->finish();
            for (auto* one : m_window->inspector()->findChildren<ChoiceEdit*>())
                if (one->path() == path + key)
                    return one;
            return static_cast<ChoiceEdit*>(nullptr);
        };
        for (const char* device : {"H100 SXM", "A100 80GB"}) {
            if (scenario().nodes[0].device.name != device) {
                auto* devices = choice(".device");
                QVERIFY(devices);
                const int at = devices->findText(QString::fromUtf8(device));
                QVERIFY2(at >= 0, device);
                devices->setCurrentIndex(at);
                emit devices->activated(at);
            }
            QCOMPARE(scenario().nodes[0].device.name, std::string(device));
            QTRY_VERIFY2(choice(".server") && choice(".server")->isVisible(), device);
            QCOMPARE(choice(".server")->currentText(), QString("vLLM V1"));
            QCOMPARE(scenario().nodes[0].runtime->id, std::string("vllm"));
        }
        document().undoStack()->undo();
        QCOMPARE(scenario().nodes[0].device.id, std::string("h100-sxm"));
        QCOMPARE(scenario().nodes[0].server->id, std::string("vllm"));
    }

    void inf2() {
        choose("A100 40GB");
        choose("Xeon 6342");
        acceptOffer();
        choose("falcon");
        acceptOffer();
        choose("SmartSSD");
        acceptOffer();
        QCOMPARE(scenario().nodes.size(), std::size_t{4});
        QCOMPARE(scenario().links.size(), std::size_t{3});

        // Sixteen of what is selected: Enter on the canvas edits the count.
        QTest::keyClick(m_window->canvas(), Qt::Key_Return);
        auto* editor = m_window->canvas()->values().editor();
        QVERIFY(editor);
        auto* line = editor->findChild<QLineEdit*>();
        line->selectAll();
        QTest::keyClicks(line, "16");
        QTest::keyClick(line, Qt::Key_Return);
        QCOMPARE(scenario().nodes[3].count.value, 16.0);

        choose("inf2 runtimes");
        QCOMPARE(scenario().nodes[0].runtime->id, std::string("inf2"));
        QVERIFY(!scenario().nodes[0].server);

        auto* model = child<ChoiceEdit>(child<ContextBar>(m_window));
        model->setFocus();
        QTest::keyClicks(model, "OPT-30B");
        QCOMPARE(scenario().model.id, std::string("opt-30b"));
        type(child<NumberEdit>(m_window, "workload.batch"), "32");
        type(child<NumberEdit>(m_window, "workload.prompt_tokens"), "16384");
        type(child<NumberEdit>(m_window, "workload.output_tokens"), "64");

        for (const char* technique : {"attention_near_storage", "delayed_writeback"}) {
            auto* chip = child<QPushButton>(m_window, technique);
            QVERIFY2(chip->isVisible(), technique);
            QTest::mouseClick(chip, Qt::LeftButton);
        }
        choose("x-cache inputs");
        QVERIFY(scenario().techniques[engine::attentionNearStorage()].enabled);
        QVERIFY(scenario().techniques[engine::delayedWriteback()].enabled);
        QVERIFY(scenario().techniques[engine::xCache()].enabled);

        // INF2's model, section 4: 0.688050 tok/s.
        QVERIFY(document().evaluation().feasible);
        QCOMPARE(child<MetricsStrip>(m_window)->cell(engine::Metric::Throughput)->content().value,
                 QString("0.688"));
        QCOMPARE(child<MetricCell>(child<MetricsStrip>(m_window), "bottleneck")->content().value,
                 QString("A100 40GB"));

        // The same price as the preset's; its power once the A100 draws what INF2 measured it by.
        document().select({{scenario().nodes[0].id}, {}});
        for (const auto& [figure, watts] :
             {std::pair{"power_prefill_w", "250"}, {"power_decode_w", "250"}, {"power_idle_w", "50"}}) {
            const auto path = "nodes." + scenario().nodes[0].id.value + ".device." + figure;
            QVERIFY(m_window->inspector()->focusField(path));
            type(qobject_cast<NumberEdit*>(QApplication::focusWidget()), watts);
        }
        const auto preset =
            engine::evaluate(engine::loadPreset(*shippedCatalog(), "inf2/opt-30b-a100-16csd", "preset"));
        for (const auto metric : {engine::Metric::Throughput, engine::Metric::Price, engine::Metric::Power})
            QCOMPARE(document().evaluation().metric(metric), preset.metric(metric));
    }
};

WIDGET_TEST(BuildDesignTest)
#include "build_design_test.moc"
