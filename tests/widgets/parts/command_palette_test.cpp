// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/parameters.h"
#include "engine/techniques/built_in.h"
#include "engine/units/number_text.h"
#include "widgets/window/command_palette.h"

#include "part_window.h"
#include "tests/widgets/widget_test.h"
#include "widgets/compare/designs_page.h"
#include "widgets/document/metric_text.h"
#include "widgets/document/serving_view.h"
#include "widgets/document/simulation_runner.h"
#include "widgets/explain/explanation_popup.h"
#include "widgets/glossary/guide_window.h"
#include "widgets/inspector/inspector.h"
#include "widgets/parts/device_editor.h"
#include "widgets/window/command_registry.h"

#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QSignalSpy>
#include <QTextBrowser>

#include <algorithm>

using namespace heteroscape;
using namespace heteroscape::widgets;

class CommandPaletteTest : public PartFixture {
    Q_OBJECT

    /// Opens the list by its key and types.
    CommandPalette* open(const char* words) {
        QTest::keyClick(m_at->window.get(), Qt::Key_K, Qt::ControlModifier);
        CommandPalette* palette = nullptr;
        for (auto* one : m_at->window->findChildren<CommandPalette*>())
            if (one->isVisible())
                palette = one;
        if (palette)
            QTest::keyClicks(child<QLineEdit>(palette), words);
        return palette;
    }
    QString run(const char* words) {
        auto* palette = open(words);
        if (!palette || !palette->entryAt(child<QListWidget>(palette)->currentRow()))
            return {};
        const auto text = palette->entryAt(child<QListWidget>(palette)->currentRow())->text;
        QTest::keyClick(child<QLineEdit>(palette), Qt::Key_Return);
        return text;
    }

private slots:
    void wordsMatchInAnyOrderAndByInitials() {
        const auto line = searchable("Place Alveo U280", "FPGA");
        const auto rank = [&](const QString& text) { return rankLine(line, text.split(' ')); };
        QVERIFY(rank("u280 pl") > 0);
        QVERIFY(rank("pau") > 0); // initials
        QVERIFY(rank("280") > 0); // within
        QVERIFY(rank("fpga alveo") > 0);
        QCOMPARE(rank("alveo gpu"), 0);
        QVERIFY(rank("alveo") > rank("alv"));
        QVERIFY(rank("alv") > rank("lveo"));
        QVERIFY(rank("u280") > rank("fp"));
    }

    /// What a menu has, the palette finds by the words that stand there.
    void everyCommandOfTheMenusIsFound() {
        m_at->document().openPreset("glitches/a100-7u280");
        m_at->window->commands()->action("edit.pin")->trigger();
        QCOMPARE(m_at->document().pins().all().size(), std::size_t{1});
        QList<QAction*> left = child<QMenuBar>(m_at->window.get())->actions();
        auto* palette = open("");
        QVERIFY(palette);
        auto* list = child<QListWidget>(palette);
        int found = 0;
        while (!left.isEmpty()) {
            auto* action = left.takeLast();
            if (auto* menu = action->menu()) {
                emit menu->aboutToShow(); // some are filled then
                left << menu->actions();
                continue;
            }
            const auto text = action->text().remove(QLatin1Char('&'));
            if (action->isSeparator() || !action->isEnabled() ||
                action == m_at->window->commands()->action("help.commands"))
                continue;
            child<QLineEdit>(palette)->setText(text);
            bool isThere = false;
            for (int row = 0; row < list->count(); ++row)
                isThere |=
                    palette->entryAt(row) && palette->entryAt(row)->text.contains(text, Qt::CaseInsensitive);
            QVERIFY2(isThere, qPrintable(text));
            ++found;
        }
        QVERIFY(found > 60);
        child<QLineEdit>(palette)->setText("import");
        QCOMPARE(palette->entryAt(0)->text, QString("Import a model (config.json)\u2026"));
        palette->close();
    }

    void everyKindOfPartIsRun() {
        QCOMPARE(run("place u280"), QString("Place Alveo U280"));
        QCOMPARE(m_at->scenario().nodes.size(), std::size_t{1});
        QCOMPARE(run("serve llama3-70b"), QString("Serve Llama3-70B"));
        QCOMPARE(m_at->scenario().model.id, std::string("llama3-70b"));
        QVERIFY(run("serve 64k sequence").contains("64k"));
        QCOMPARE(m_at->scenario().workload.id, std::string("s64k"));
        QVERIFY(run("run flightllm").startsWith("Run "));
        QCOMPARE(m_at->scenario().nodes.front().runtime->id, std::string("flightllm"));
        QCOMPARE(run("switch load merging"), QString("Switch Load merging"));
        QVERIFY(m_at->scenario().techniques[engine::loadMerging()].enabled);
        QCOMPARE(run("lay tensor"), QString("Lay out: Tensor parallel"));
        QCOMPARE(m_at->scenario().nodes.front().replicas.value, 1.0);
        m_at->document().undoStack()->setClean();
        QVERIFY(run("open a100 7 u280").startsWith("Open"));
        QVERIFY(m_at->scenario().nodes.size() > 1);
    }

    void actionsShowGroupAndShortcut() {
        auto* palette = open("fit the system");
        const auto* entry = palette->entryAt(0);
        QCOMPARE(entry->text, QString("Fit the system"));
        QCOMPARE(entry->group, QString("View"));
        QCOMPARE(entry->shortcut, QString("F"));
        QTest::keyClick(child<QLineEdit>(palette), Qt::Key_Escape);
        QVERIFY(!palette->isVisible());
        QCOMPARE(run("roofline"), QString("Roofline"));
        QCOMPARE(m_at->window->workspace(), Workspace::Roofline);
        run("place v100");
        QCOMPARE(m_at->window->workspace(), Workspace::Design);
    }

    void editorsAreOpened() {
        QVERIFY(run("duplicate edit u280").startsWith("Duplicate and edit Alveo U280"));
        auto* editor = m_at->window->findChild<DeviceEditor*>();
        QVERIFY(editor);
        QTest::keyClick(editor, Qt::Key_Escape);
    }

    void recentOnesComeFirst() {
        run("place h200 sxm");
        run("serve opt-66b");
        auto* palette = open("");
        QCOMPARE(palette->entryAt(0)->text, QString("Serve OPT-66B"));
        QVERIFY(palette->isRecent(0));
        QCOMPARE(palette->entryAt(1)->text, QString("Place H200 SXM"));
        QVERIFY(!palette->isRecent(2));
        palette->close();
        m_at->reopen("library");
        palette = open("");
        QCOMPARE(palette->entryAt(0)->text, QString("Serve OPT-66B"));
        palette->close();
        // The palette of parts knows them too.
        QCOMPARE(m_at->list().row(1)->part->id, std::string("opt-66b"));
    }

    void keysWalk() {
        auto* palette = open("");
        auto* list = child<QListWidget>(palette);
        int rows = 0;
        while (palette->entryAt(rows))
            ++rows;
        QVERIFY(rows >= 100);
        QCOMPARE(list->currentRow(), 0);
        QTest::keyClick(child<QLineEdit>(palette), Qt::Key_Up);
        QCOMPARE(list->currentRow(), rows - 1);
        QTest::keyClick(child<QLineEdit>(palette), Qt::Key_Down);
        QCOMPARE(list->currentRow(), 0);
        QTest::keyClick(child<QLineEdit>(palette), Qt::Key_PageDown);
        QCOMPARE(list->currentRow(), 10);
        QTest::keyClick(child<QLineEdit>(palette), Qt::Key_PageUp);
        QTest::keyClick(child<QLineEdit>(palette), Qt::Key_PageUp);
        QCOMPARE(list->currentRow(), 0);
        QTest::keyClicks(child<QLineEdit>(palette), "zzzz");
        QVERIFY(!palette->entryAt(0));
        QTest::keyClick(child<QLineEdit>(palette), Qt::Key_Return); // nothing to run
        QVERIFY(palette->isVisible());
        palette->close();
    }

    void everyNumberOfTheDesignIsFoundAndShown() {
        auto& document = *m_at->window->document();
        document.openPreset("glitches/a100-7u280");
        const auto& node = document.scenario().nodes.front();
        for (const auto& parameter : engine::listParameters(document.scenario(), document.catalog())) {
            const auto path = QString::fromStdString(parameter.path);
            auto* palette = open(qPrintable(path));
            QVERIFY2(palette->entryAt(0), qPrintable(path));
            palette->close();
        }
        for (const char* typed : {"precision weights", "runtime.weight_bits"}) {
            document.select({});
            QCOMPARE(run(typed), QString::fromStdString(node.shownName()) + ": Weights");
            QCOMPARE(document.selection().nodes, std::vector{node.id});
            const auto* inspector = m_at->window->findChild<Inspector*>();
            QCOMPARE(inspector->focusedPath(), "nodes." + node.id.value + ".runtime.weight_bits");
        }
    }

    void anotherDeviceIsComparedInOneStep() {
        m_at->window->document()->openPreset("preserve/llama3-70b-8npu");
        const auto design = m_at->window->document()->scenario();
        auto* palette = open("compare in place of");
        const auto* entry = palette->entryAt(0);
        QVERIFY(entry);
        QCOMPARE(entry->group, QString("What if"));
        QTest::keyClick(child<QLineEdit>(palette), Qt::Key_Return);
        QCOMPARE(m_at->window->workspace(), Workspace::Compare);
        const auto* page = m_at->window->findChild<DesignsPage*>();
        QVERIFY(page->isVisible());
        QTRY_COMPARE(page->designs().designs().size(), std::size_t{2});
        const auto& inputs = page->designs().inputs();
        QVERIFY(inputs[0].scenario == design);
        QCOMPARE(inputs[1].scenario.nodes.size(), design.nodes.size());
        int changed = 0;
        for (std::size_t i = 0; i < design.nodes.size(); ++i) {
            const auto& device = inputs[1].scenario.nodes[i].device;
            changed += device.id != design.nodes[i].device.id;
            QCOMPARE(device.kind, design.nodes[i].device.kind);
            QCOMPARE(inputs[1].scenario.nodes[i].count.value, design.nodes[i].count.value);
        }
        QVERIFY(changed > 0);
        QVERIFY(inputs[1].scenario.links == design.links);
        QVERIFY(m_at->window->document()->scenario() == design);
    }

    /// An H200 NVL is a PCIe card: it has no place on the NVLink of an HGX.
    void whatFitsOnTheLinksIsOfferedFirst() {
        QVERIFY(run("place hgx h100").startsWith("Place HGX H100"));
        run("serve llama-3.1-70b");
        const auto& nodes = m_at->scenario().nodes;
        QVERIFY(std::any_of(nodes.begin(), nodes.end(),
                            [](const auto& node) { return node.device.id == "h100-sxm"; }));
        auto* palette = open("h200 in place");
        QVERIFY(palette->entryAt(0) && palette->entryAt(1));
        QCOMPARE(palette->entryAt(0)->text, QString("Compare with H200 SXM in place of H100 SXM"));
        QCOMPARE(palette->entryAt(1)->text, QString("Compare with H200 NVL in place of H100 SXM"));
        QTest::keyClick(child<QLineEdit>(palette), Qt::Key_Return);
        const auto* page = m_at->window->findChild<DesignsPage*>();
        QTRY_COMPARE(page->designs().inputs().size(), std::size_t{2});
        const auto& others = page->designs().inputs()[1].scenario.nodes;
        QVERIFY(std::any_of(others.begin(), others.end(),
                            [](const auto& node) { return node.device.id == "h200-sxm"; }));
    }

    void everyMetricIsFoundAndExplained() {
        m_at->window->document()->openPreset("glitches/a100-7u280");
        auto* palette = open("explain time per output");
        QVERIFY(palette->entryAt(0));
        QVERIFY2(palette->entryAt(0)->group.endsWith(" ms"), qPrintable(palette->entryAt(0)->group));
        QTest::keyClick(child<QLineEdit>(palette), Qt::Key_Return);
        const auto popups = m_at->window->findChildren<ExplanationPopup*>();
        QCOMPARE(popups.size(), 1);
        popups.front()->close();
    }

    /// Whatever of it the design has: without prices and power, with and without a simulation.
    void everyMetricIsFoundByItsLabel() {
        auto& document = *m_at->window->document();
        document.openPreset("glitches/a100-7u280");
        QTRY_VERIFY(document.evaluation().feasible);
        CommandPalette* palette = nullptr;
        const auto found = [&palette](const engine::MetricSpec& spec) {
            const auto label = words(spec.label);
            child<QLineEdit>(palette)->setText(label);
            for (int row = 0; palette->entryAt(row); ++row)
                if (palette->entryAt(row)->text == QString("Explain %1").arg(label))
                    return palette->entryAt(row)->group;
            return QString();
        };
        QTRY_VERIFY(palette = open(""));
        for (const auto& spec : engine::metricSpecs())
            QVERIFY2(!found(spec).isEmpty(), std::string(spec.label).c_str());
        const auto& goodput = engine::metricSpec(engine::Metric::Goodput);
        const auto& late = engine::metricSpec(engine::Metric::FirstTokenP99);
        QVERIFY(found(late).startsWith(QChar(0x2013)));
        QVERIFY(!found(engine::metricSpec(engine::Metric::TimeToFirstToken)).startsWith(QChar(0x2013)));
        palette->close();
        activate(m_at->window.get());
        QVERIFY(setArrivals(document, readyArrivals().front()));
        auto* simulation = simulationOf(&document);
        QTRY_VERIFY_WITH_TIMEOUT(!simulation->isBusy() && simulation->run(), 60000);
        QTRY_VERIFY(palette = open(""));
        const auto text =
            metricText(late, engine::toEdge(simulation->run()->evaluation.metric(late.metric), late.scale));
        QCOMPARE(found(late), text.value + ' ' + text.unit);
        QVERIFY(!found(goodput).isEmpty());
    }

    void aMetricWithoutValueLeadsToWhatItLacks() {
        auto& document = *m_at->window->document();
        document.openPreset("preserve/llama3-70b-8npu");
        QTRY_VERIFY(document.evaluation().feasible);
        const auto missing = missingQuantity(document, engine::Metric::ThroughputPerPrice);
        QVERIFY(missing);
        QCOMPARE(run("explain cost efficiency"), QString("Explain Cost efficiency"));
        QCOMPARE(m_at->window->findChild<Inspector*>()->focusedPath(), *missing);
        // Nothing offloads here: all that can be told is what it is.
        const auto& csd = engine::metricSpec(engine::Metric::DecodeCsdAttention);
        QCOMPARE(run(qPrintable("explain " + words(csd.label))), "Explain " + words(csd.label));
        const auto* guide = m_at->window->findChild<GuideWindow*>();
        QVERIFY(guide && guide->isVisible());
        QCOMPARE(guide->view()->source().path(), QStringLiteral("metrics.md"));
    }

    void oneOfFiveHundredIsFoundAndRun() {
        std::vector<CommandPalette::Entry> entries;
        int runs = 0;
        for (int i = 0; i < 500; ++i)
            entries.push_back({QString("Place device number %1").arg(i),
                               "GPU",
                               {},
                               [&runs] { ++runs; },
                               QString("device/%1").arg(i)});
        auto* palette = new CommandPalette(entries, {}, m_at->window.get());
        palette->open();
        QCoreApplication::processEvents();
        const int listed =
            child<QListWidget>(palette)->count() - 1; // the last line says how many more there are
        QVERIFY(palette->entryAt(listed - 1) && !palette->entryAt(listed));
        QVERIFY(child<QListWidget>(palette)->item(listed)->text().startsWith(QString::number(500 - listed) +
                                                                             ' '));
        QTest::keyClicks(child<QLineEdit>(palette), "number 499");
        QCOMPARE(child<QListWidget>(palette)->count(), 1);
        QSignalSpy ran(palette, &CommandPalette::ran);
        QTest::mouseClick(
            child<QListWidget>(palette)->viewport(), Qt::LeftButton, {},
            child<QListWidget>(palette)->visualItemRect(child<QListWidget>(palette)->item(0)).center());
        QCOMPARE(runs, 1);
        QCOMPARE(ran.front().front().toString(), QString("device/499"));
    }
};

WIDGET_TEST(CommandPaletteTest)
#include "command_palette_test.moc"
