// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/file.h"
#include "engine/scenario/technique_specs.h"
#include "widgets/canvas/canvas_scene.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/node_item.h"
#include "widgets/explain/explanation_popup.h"
#include "widgets/inspector/choice_edit.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/number_edit.h"
#include "widgets/requests/requests_panel.h"
#include "widgets/requests/requests_start.h"
#include "widgets/requests/requests_view.h"
#include "widgets/theme/text_label.h"
#include "widgets/timeline/timeline_panel.h"
#include "widgets/timeline/timeline_view.h"
#include "widgets/window/bottom_dock.h"
#include "widgets/window/canvas_picture.h"
#include "widgets/window/command_palette.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/context_bar.h"
#include "widgets/window/file_flow.h"
#include "widgets/window/info_banner.h"
#include "widgets/window/main_window.h"
#include "widgets/window/messages_panel.h"
#include "widgets/window/metrics_strip.h"
#include "widgets/window/status_line.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDropEvent>
#include <QFile>
#include <QImage>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QStandardPaths>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>
#include <QUrl>

#include <cmath>
#include <map>

using namespace heteroscape;
using engine::Metric;
using widgets::FilePrompts;
using widgets::MainWindow;
using widgets::Theme;
using widgets::ThemeMode;
using widgets::Workspace;

namespace {

std::shared_ptr<const engine::Catalog> catalog() {
    static const auto loaded = std::make_shared<const engine::Catalog>(engine::loadCatalog(TEST_PRESETS));
    return loaded;
}

constexpr auto kPreset = "glitches/a100-7u280";

/// What of a window is narrower than its text: class, text, widths.
QStringList clippedTexts(const QWidget& window) {
    QStringList clipped;
    const auto check = [&](const QWidget* widget, const QString& text, int needed) {
        if (needed > widget->width())
            clipped << QStringLiteral("%1 \"%2\": %3 of %4 px")
                           .arg(QString::fromLatin1(widget->metaObject()->className()), text)
                           .arg(widget->width())
                           .arg(needed);
    };
    for (const auto* label : window.findChildren<QLabel*>()) {
        const auto* elided = qobject_cast<const widgets::TextLabel*>(label);
        if (!label->isVisible() || label->text().isEmpty() || (elided && elided->isElided()))
            continue;
        if (!label->wordWrap())
            check(label, label->text(), label->sizeHint().width());
        else if (label->heightForWidth(label->width()) > label->height())
            clipped << QStringLiteral("\"%1\" is cut below").arg(label->text());
    }
    for (const auto* button : window.findChildren<QAbstractButton*>())
        if (button->isVisible() && !button->text().isEmpty() &&
            !qobject_cast<const widgets::MetricCell*>(button))
            check(button, button->text(), button->sizeHint().width());
    for (const auto* cell : window.findChildren<widgets::MetricCell*>())
        if (cell->isVisible() && cell->content().icon.isEmpty())
            check(cell, cell->content().value, cell->sizeHint().width());
    for (const auto* field : window.findChildren<widgets::NumberEdit*>())
        if (field->isVisible())
            check(field, field->text(), field->minimumSizeHint().width());
    return clipped;
}

} // namespace

class MainWindowTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        Theme::instance().install(*qApp);
    }

    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        makeWindow();
        m_window->document()->openPreset(kPreset);
    }
    void cleanup() {
        m_window.reset();
        m_folder.reset();
    }

    void opensAPresetWithEverythingShown() {
        const auto& evaluation = document().evaluation();
        QVERIFY(evaluation.feasible);
        QVERIFY(m_window->windowTitle().contains(document().title()));
        const auto* cell = m_window->metrics()->cell(Metric::TimeToFirstToken);
        // GLITCHES Table II: the A100 reads 1536 tokens in about 176 ms.
        QVERIFY(std::abs(cell->content().value.toDouble() - 176.0) < 5.0);
        QCOMPARE(cell->content().unit, QStringLiteral("ms"));
        QVERIFY(m_window->statusLine()->text().contains(QStringLiteral("2 links")));
        QVERIFY(m_window->statusLine()->text().contains(QStringLiteral("$73,000")));
        QCOMPARE(m_window->metrics()->bottleneckCell()->content().icon, QStringLiteral("flame"));
        QVERIFY(!m_window->banner()->isVisible());
    }

    void switchesWorkspacesByTabAndKey() {
        for (int i = widgets::kWorkspaceCount - 1; i >= 0; --i) {
            QTest::keyClick(m_window.get(), static_cast<Qt::Key>(Qt::Key_1 + i), Qt::ControlModifier);
            QCOMPARE(static_cast<int>(m_window->workspace()), i);
            QCOMPARE(m_window->topBar()->tabs()->currentIndex(), i);
            QTRY_VERIFY(m_window->workspaceWidget(static_cast<Workspace>(i))->isVisible());
            QCOMPARE(m_window->inspector()->isVisible(), i == 0);
        }
        const auto tab = m_window->topBar()->tabs()->tabRect(2).center();
        QTest::mouseClick(m_window->topBar()->tabs(), Qt::LeftButton, {}, tab);
        QCOMPARE(m_window->workspace(), Workspace::Roofline);
    }

    void theModelIsChosenInTheContextBar() {
        auto* combo = m_window->contextBar()->model();
        const int other = combo->findData(QStringLiteral("llama2-13b"));
        QVERIFY(other >= 0);
        combo->setFocus();
        for (int i = 0; i < combo->count() && combo->currentIndex() != other; ++i)
            QTest::keyClick(combo, combo->currentIndex() < other ? Qt::Key_Down : Qt::Key_Up);
        QCOMPARE(document().scenario().model.id, std::string("llama2-13b"));
        while (document().undoStack()->canUndo())
            document().undoStack()->undo();
        QCOMPARE(combo->currentData().toString(), QStringLiteral("llama2-7b"));
    }

    void theWorkloadIsTypedInTheContextBar() {
        auto* field = m_window->contextBar()->field("workload.output_tokens");
        QVERIFY(field);
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("256"));
        QCOMPARE(document().scenario().workload.outputTokens.value, 256.0);
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("x"));
        QVERIFY(m_window->statusLine()->currentMessage().contains(QStringLiteral("whole number")));
        QCOMPARE(document().scenario().workload.outputTokens.value, 512.0);
    }

    void chipsSwitchTechniques() {
        auto* chip = m_window->contextBar()->chip("load_merging");
        QVERIFY(chip->isChecked());
        QVERIFY(chip->text().contains(QStringLiteral("M = 4")));
        const double merged = throughput();
        QTest::mouseClick(chip, Qt::LeftButton);
        QVERIFY(!document().scenario().techniques.loadMerging.enabled);
        QVERIFY(throughput() < merged);
        QVERIFY(!chip->text().contains(QStringLiteral("M =")));
        document().undoStack()->undo();
        QVERIFY(chip->isChecked());
    }

    void narrowWindowsFoldTheTechniquesIntoAMenu() {
        m_window->resize(1280, 720);
        QTRY_VERIFY(m_window->contextBar()->isCompact());
        QVERIFY(!m_window->contextBar()->chip("load_merging")->isVisible());
        QCOMPARE(m_window->contextBar()->techniquesMenu()->text(), QStringLiteral("Techniques (2)"));
        m_window->resize(1440, 900);
        QTRY_VERIFY(!m_window->contextBar()->isCompact());
    }

    void aPinnedBaselineTellsTheChange() {
        auto* cell = m_window->metrics()->cell(Metric::Throughput);
        QVERIFY(cell->content().note.isEmpty());
        QTest::keyClick(m_window.get(), Qt::Key_B);
        QCOMPARE(cell->content().note, QStringLiteral("1.00\u00d7 pinned"));
        document().set("nodes.fpga.count", "14");
        QVERIFY(cell->content().note != QStringLiteral("1.00\u00d7 pinned"));
        QCOMPARE(cell->content().noteRole, widgets::ColorRole::Ok);
        m_window->commands()->action(QStringLiteral("edit.unpin"))->trigger();
        QVERIFY(cell->content().note.isEmpty());
    }

    void aDesignThatCannotRunKeepsTheLastFiguresGreyed() {
        auto* cell = m_window->metrics()->cell(Metric::Throughput);
        const auto value = cell->content().value;
        QVERIFY(!cell->content().stale);
        document().set("nodes.fpga.device.memory_gb", "1");
        QVERIFY(!document().evaluation().feasible);
        QVERIFY(cell->content().stale);
        QCOMPARE(cell->content().value, value);
        QVERIFY(m_window->banner()->isVisible());
        QCOMPARE(m_window->banner()->text(), QString::fromStdString(document().evaluation().reason));
        document().undoStack()->undo();
        QVERIFY(!cell->content().stale);
        QVERIFY(!m_window->banner()->isVisible());
    }

    void aMissingFigureLeadsToItsField() {
        auto* cell = m_window->metrics()->cell(Metric::ThroughputPerArea);
        QCOMPARE(cell->content().value, QStringLiteral("\u2013"));
        QCOMPARE(cell->content().note, QStringLiteral("Set die area"));
        for (int given = 0; given < 4 && cell->content().note == QStringLiteral("Set die area"); ++given) {
            QTest::mouseClick(cell, Qt::LeftButton);
            QCOMPARE(document().selection().nodes.size(), std::size_t{1});
            QTRY_VERIFY(m_window->inspector()->focusedPath().ends_with("device.die_area_mm2"));
            QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("826"));
        }
        QTRY_VERIFY(cell->content().note.isEmpty());
        QVERIFY(cell->content().value != QStringLiteral("\u2013"));
    }

    void aMetricExplainsItself() {
        QTest::mouseClick(m_window->metrics()->cell(Metric::Throughput), Qt::LeftButton);
        auto* popup = m_window->findChild<widgets::ExplanationPopup*>();
        QVERIFY(popup);
        QVERIFY(popup->tree()->topLevelItemCount() == 1);
        QVERIFY(popup->tree()->topLevelItem(0)->childCount() > 0);
        popup->close();
    }

    void messagesSelectWhatTheyAreAbout() {
        document().perform(engine::removeEdit(document().scenario(), {}, {engine::LinkId{"host-fpga"}}));
        QVERIFY(!document().diagnostics().empty());
        m_window->bottom()->showPage(widgets::BottomDock::Page::Messages);
        auto* panel = m_window->bottom()->messages();
        QTRY_VERIFY(panel->isVisible());
        const auto& found = document().diagnostics();
        const auto row = std::find_if(found.begin(), found.end(),
                                      [](const engine::Diagnostic& d) { return d.subject == "fpga"; });
        QVERIFY(row != found.end());
        int line = 0; // remedies stand between the messages
        while (line < panel->count() &&
               !panel->item(line)->text().startsWith(QString::fromStdString(row->message)))
            ++line;
        QVERIFY(line < panel->count());
        const auto place = panel->visualItemRect(panel->item(line)).center();
        QTest::mouseClick(panel->viewport(), Qt::LeftButton, {}, place);
        QCOMPARE(document().selection().nodes.front().value, std::string("fpga"));
    }

    void theTimelineStandsBelowTheCanvas() {
        document().openPreset("preserve/llama3-70b-8npu");
        auto* bottom = m_window->bottom();
        QVERIFY(bottom->isOpen());
        QTRY_COMPARE(bottom->height(), 244);
        QVERIFY(bottom->timeline()->view()->isVisible());
        QCOMPARE(bottom->timeline()->view()->tracks().size(), std::size_t(2));
        const auto before = bottom->timeline()->headlineText();
        document().set("techniques.l2_prefetch.kv", "false");
        QVERIFY(bottom->timeline()->headlineText() != before); // live

        const auto tab = [&](widgets::BottomDock::Page page) {
            return bottom->tabs()->tabRect(static_cast<int>(page)).center();
        };
        const auto messages = tab(widgets::BottomDock::Page::Messages);
        QTest::mouseClick(bottom->tabs(), Qt::LeftButton, {}, messages);
        QVERIFY(bottom->messages()->isVisible());
        QVERIFY(!bottom->timeline()->isVisible());
        QTest::mouseClick(bottom->tabs(), Qt::LeftButton, {}, messages); // the open tab folds
        QVERIFY(!bottom->isOpen());
        QTRY_COMPARE(bottom->height(), 32);
        QTest::mouseClick(bottom->tabs(), Qt::LeftButton, {}, tab(widgets::BottomDock::Page::Timeline));
        QVERIFY(bottom->isOpen());
        QTRY_COMPARE(bottom->height(), 244); // as high as before
        QVERIFY(bottom->timeline()->view()->isVisible());
    }

    void theRequestsStandBetweenTimelineAndMessages() {
        auto* bottom = m_window->bottom();
        auto* requests = bottom->requests();
        QTest::mouseClick(bottom->tabs(), Qt::LeftButton, {}, bottom->tabs()->tabRect(1).center());
        QVERIFY(requests->isVisible());
        QVERIFY(requests->bar()->isVisible());
        QVERIFY(!bottom->timeline()->bar()->isVisible());
        QVERIFY(requests->reason().contains(QStringLiteral("steady")));
        for (const auto size : {QSize(1440, 900), QSize(1280, 720), QSize(1100, 700)}) {
            document().set("serving.arrivals", "steady");
            m_window->resize(size);
            QTRY_COMPARE(m_window->size(), size);
            m_window->commands()->action(QStringLiteral("view.requests"))->trigger();
            QTRY_VERIFY(requests->start()->backlogButton()->isVisible());
            QVERIFY2(clippedTexts(*bottom).isEmpty(),
                     qPrintable(clippedTexts(*bottom).join(QLatin1Char('\n'))));
            QTest::mouseClick(requests->start()->backlogButton(), Qt::LeftButton);
            QVERIFY(m_window->isBusy());
            QTRY_VERIFY(requests->view()->isVisible());
            QVERIFY(!m_window->isBusy());
            QCOMPARE(requests->view()->lanes()->lanes().size(), std::size_t(8));
            QVERIFY2(clippedTexts(*bottom).isEmpty(),
                     qPrintable(clippedTexts(*bottom).join(QLatin1Char('\n'))));
        }
        bottom->showPage(widgets::BottomDock::Page::Timeline);
        QVERIFY(!requests->bar()->isVisible());
    }

    void exportOpensTheMenuOfTheWorkspaceShown() {
        m_window->setWorkspace(Workspace::Roofline);
        m_window->commands()->action(QStringLiteral("file.export"))->trigger();
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu && menu->actions().size() > 3);
        menu->close();
    }

    void aLowWindowFoldsTheTimeline() {
        auto* bottom = m_window->bottom();
        QVERIFY(bottom->isOpen());
        m_window->resize(1280, 720);
        QTRY_VERIFY(!bottom->isOpen());
        QTest::keyClick(m_window.get(), Qt::Key_T, Qt::ControlModifier); // yet it opens when asked for
        QVERIFY(bottom->isOpen());
        QVERIFY(bottom->page() == widgets::BottomDock::Page::Timeline);
        m_window->resize(1280, 740); // and stays
        QTRY_COMPARE(m_window->height(), 740);
        QVERIFY(bottom->isOpen());
        m_window->resize(1440, 900);
        QTRY_VERIFY(bottom->isOpen());
    }

    void commandsShowThePagesOfTheBottomDock() {
        m_window->setWorkspace(Workspace::Explore);
        m_window->commands()->action(QStringLiteral("view.messages"))->trigger();
        QVERIFY(m_window->workspace() == Workspace::Design);
        QTRY_VERIFY(m_window->bottom()->messages()->isVisible());
        m_window->commands()->action(QStringLiteral("view.BottomDock"))->setChecked(false);
        QTRY_VERIFY(!m_window->bottom()->isVisible());
        m_window->commands()->action(QStringLiteral("view.timeline"))->trigger();
        QTRY_VERIFY(m_window->bottom()->timeline()->view()->isVisible());
    }

    void theBottomDockFloatsAndComesBack() {
        auto* bottom = m_window->bottom();
        auto* floating = m_window->commands()->action(QStringLiteral("view.float.BottomDock"));
        floating->trigger();
        QVERIFY(bottom->isFloating());
        bottom->resize(900, 420);
        QTRY_COMPARE(bottom->height(), 420);
        QVERIFY(bottom->timeline()->view()->isVisible());
        floating->trigger();
        QVERIFY(!bottom->isFloating());
        bottom->setOpen(false);
        QTRY_COMPARE(bottom->height(), 32);
        m_window->commands()->action(QStringLiteral("view.reset"))->trigger();
        QVERIFY(bottom->isOpen());
        QTRY_VERIFY(bottom->height() >= 160);
        QTRY_VERIFY(bottom->timeline()->view()->isVisible());
    }

    void aPoolOfDevicesIsBuiltByHand() {
        m_answer = FilePrompts::Answer::Discard;
        QVERIFY(m_window->files()->newDesign());
        QTRY_VERIFY(!m_window->bottom()->timeline()->reason().isEmpty());
        document().set("model", "llama3-8b");
        m_window->canvas()->placeDevice(QStringLiteral("ascend-910b"));
        m_window->canvas()->placeDevice(QStringLiteral("network-switch"));
        const auto npu = document().scenario().nodes.at(0).id;
        const auto fabric = document().scenario().nodes.at(1).id;
        m_window->canvas()->fitAll();
        QApplication::processEvents();
        auto& scene = m_window->canvas()->canvasScene();
        const auto at = [&](const engine::NodeId& id, double x, double y) {
            return m_window->canvas()->mapFromScene(scene.nodeItem(id)->cardRect().topLeft() + QPointF(x, y));
        };
        auto* viewport = m_window->canvas()->viewport();
        const auto box = scene.nodeItem(npu)->cardRect();
        const auto from = at(npu, box.width(), box.height() / 2.0), to = at(fabric, 60, 70);
        QTest::mousePress(viewport, Qt::LeftButton, {}, from);
        for (const auto& place : {from + (to - from) / 2, to}) {
            QMouseEvent move(QEvent::MouseMove, place, viewport->mapToGlobal(place), Qt::NoButton,
                             Qt::LeftButton, {});
            QApplication::sendEvent(viewport, &move);
        }
        QTest::mouseRelease(viewport, Qt::LeftButton, {}, to);
        QCOMPARE(document().scenario().links.size(), std::size_t(1));
        QCOMPARE(document().scenario().links.front().type.id, std::string("hccs"));

        document().select({{npu}, {}});
        const auto type = [&](const std::string& path, const QString& text) {
            QVERIFY(m_window->inspector()->focusField(path));
            auto* field = qobject_cast<widgets::NumberEdit*>(QApplication::focusWidget());
            QVERIFY(field);
            field->selectAll();
            QTest::keyClicks(field, text);
            QTest::keyClick(field, Qt::Key_Return);
        };
        type("nodes." + npu.value + ".count", QStringLiteral("8"));
        QVERIFY(document().evaluation().feasible);
        const double alone = document().evaluation().metric(Metric::TimePerToken);
        type("nodes." + npu.value + ".replicas", QStringLiteral("1"));
        QVERIFY2(document().evaluation().feasible, document().evaluation().reason.c_str());
        QVERIFY(document().evaluation().metric(Metric::TimePerToken) < alone);
        QTest::mouseClick(m_window->contextBar()->chip("l2_prefetch"), Qt::LeftButton);
        QVERIFY(document().scenario().techniques.l2Prefetch.enabled);
        QTRY_COMPARE(m_window->bottom()->timeline()->view()->tracks().size(), std::size_t(2));
        QVERIFY(
            m_window->bottom()->timeline()->headlineText().contains(QStringLiteral("without L2 prefetch")));
    }

    void aFigureThatIsATimelineOpensOnItsComparison() {
        const std::pair<const char*, const char*> figures[] = {{"inf2/fig4", "attention near storage"},
                                                               {"inf2/fig5", "delayed writeback"},
                                                               {"inf2/fig6", "X-cache"}};
        for (const auto& [id, technique] : figures) {
            QVERIFY(m_window->openStudy(id));
            auto* timeline = m_window->bottom()->timeline();
            QTRY_VERIFY(timeline->view()->isVisible());
            QCOMPARE(timeline->view()->tracks().size(), std::size_t(2));
            const auto without = QStringLiteral("faster than without %1").arg(QLatin1String(technique));
            QVERIFY2(timeline->headlineText().contains(without), qPrintable(timeline->headlineText()));
        }
        QVERIFY(m_window->openStudy("preserve/fig1"));
        QVERIFY(
            m_window->bottom()->timeline()->headlineText().contains(QStringLiteral("without L2 prefetch")));
    }

    void unsavedChangesAreAskedAbout() {
        document().set("nodes.fpga.count", "3");
        m_answer = FilePrompts::Answer::Cancel;
        QVERIFY(!m_window->files()->newDesign());
        QCOMPARE(m_asked, 1);
        QVERIFY(!document().scenario().nodes.empty());
        QVERIFY(!m_window->close());
        QCOMPARE(m_asked, 2);
        m_answer = FilePrompts::Answer::Save;
        m_savePath = m_folder->filePath(QStringLiteral("kept"));
        QVERIFY(m_window->files()->newDesign());
        QVERIFY(QFile::exists(m_folder->filePath(QStringLiteral("kept.hscape"))));
        QVERIFY(document().scenario().nodes.empty());
        QVERIFY(m_window->files()->openPreset(kPreset)); // nothing to lose: no question
        QCOMPARE(m_asked, 3);
        document().set("nodes.fpga.count", "3");
        m_answer = FilePrompts::Answer::Discard;
        QVERIFY(m_window->files()->openPreset("glitches/v100s-7u280"));
        QCOMPARE(m_asked, 4);
    }

    void aCancelledSaveIsNotADiscard() {
        document().set("nodes.fpga.count", "3");
        m_answer = FilePrompts::Answer::Save;
        m_savePath.clear();
        const auto before = document().scenario();
        QVERIFY(!m_window->files()->newDesign());
        QVERIFY(document().scenario() == before);
    }

    void savesAndOpensAFile() {
        m_savePath = m_folder->filePath(QStringLiteral("mine.hscape"));
        document().set("nodes.fpga.count", "3");
        QTest::keyClick(m_window.get(), Qt::Key_S, Qt::ControlModifier);
        QVERIFY(!document().isModified());
        QVERIFY(m_window->windowTitle().contains(QStringLiteral("mine.hscape")));
        m_window->files()->newDesign();
        m_openPath = m_savePath;
        QTest::keyClick(m_window.get(), Qt::Key_O, Qt::ControlModifier);
        QCOMPARE(document().scenario().findNode(engine::NodeId{"fpga"})->count.value, 3.0);
        QCOMPARE(document().path(), m_savePath);
    }

    void aTruncatedFileKeepsTheDesignAndSaysWhy() {
        const auto path = m_folder->filePath(QStringLiteral("cut.hscape"));
        document().saveFile(path);
        const auto text = engine::readFile(path.toStdString());
        engine::writeFileAtomically(path.toStdString(), text.substr(0, text.size() / 2));
        const auto before = document().scenario();
        QVERIFY(!m_window->files()->openPath(path));
        QVERIFY(document().scenario() == before);
        QCOMPARE(m_errors.size(), 1);
        QVERIFY2(m_errors.first().contains(QStringLiteral("cut.hscape")), qPrintable(m_errors.first()));
    }

    void aDroppedDesignOpens() {
        const auto path = m_folder->filePath(QStringLiteral("dropped.hscape"));
        document().set("nodes.fpga.count", "2");
        document().saveFile(path);
        m_window->files()->newDesign();
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        const QPoint middle = m_window->topBar()->rect().center();
        QDragEnterEvent enter(middle, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(middle, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(m_window.get(), &drop);
        QCOMPARE(document().path(), path);
    }

    void aDroppedConfigBecomesTheModel() {
        const auto path = m_folder->filePath(QStringLiteral("config.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"model_type": "qwen2", "_name_or_path": "Qwen/Own-7B", "hidden_size": 3584,
                       "intermediate_size": 18944, "num_attention_heads": 28, "num_key_value_heads": 4,
                       "num_hidden_layers": 28, "vocab_size": 152064})");
        file.close();
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        const QPoint middle = m_window->rect().center();
        QDragEnterEvent enter(middle, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        const auto before = document().scenario().model.id;
        QDropEvent drop(middle, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(m_window.get(), &drop);
        QCOMPARE(document().scenario().model.id, std::string("own-7b"));
        QCOMPARE(document().scenario().model.kvHeads.value, 4.0);
        document().undoStack()->undo();
        QCOMPARE(document().scenario().model.id, before);

        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(R"({"model_type": "mamba"})");
        file.close();
        QVERIFY(!m_window->files()->importModelFrom(path));
        QCOMPARE(m_errors.size(), 1);
        QVERIFY(m_errors.first().contains(QStringLiteral("mamba")));
        QCOMPARE(document().scenario().model.id, before);
    }

    void theCommandPaletteFindsAndRuns() {
        auto* palette = m_window->openCommandPalette();
        QTest::keyClicks(palette->search(), QStringLiteral("roofline"));
        QVERIFY(palette->list()->count() >= 1);
        QTest::keyClick(palette->search(), Qt::Key_Return);
        QCOMPARE(m_window->workspace(), Workspace::Roofline);
        palette = m_window->openCommandPalette();
        const auto nodes = document().scenario().nodes.size();
        QTest::keyClicks(palette->search(), QStringLiteral("place v100"));
        QTest::keyClick(palette->search(), Qt::Key_Return);
        QCOMPARE(document().scenario().nodes.size(), nodes + 1);
        QCOMPARE(m_window->workspace(), Workspace::Design);
    }

    void shortcutsAreUnique() {
        std::map<QString, QString> seen;
        for (const auto& command : m_window->commands()->commands()) {
            QVERIFY2(!command.action->text().isEmpty(), qPrintable(command.id));
            const auto key = command.action->shortcut().toString();
            if (key.isEmpty())
                continue;
            QVERIFY2(!seen.count(key), qPrintable(key + QStringLiteral(": ") + command.id + seen[key]));
            seen[key] = command.id;
        }
        QVERIFY(seen.size() > 20);
    }

    void sKeyInAFigureAsksForItsSweep() {
        document().select({{engine::NodeId{"fpga"}}, {}});
        QVERIFY(m_window->inspector()->focusField("nodes.fpga.count"));
        const auto before = document().scenario();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_S);
        QCOMPARE(m_window->workspace(), Workspace::Explore);
        QVERIFY(document().scenario() == before);
    }

    void theThemeChangesAndIsRemembered() {
        Theme::instance().setMode(ThemeMode::Light);
        m_window->commands()->action(QStringLiteral("view.theme"))->trigger();
        QVERIFY(Theme::instance().isDark());
        const QColor corner = m_window->grab().toImage().pixelColor(2, 2);
        QVERIFY(corner.lightness() < 80);
        makeWindow();
        QVERIFY(Theme::instance().isDark());
        m_window->commands()->action(QStringLiteral("view.theme1"))->trigger();
        QVERIFY(!Theme::instance().isDark());
    }

    void thePictureOfTheSystemIsLight() {
        Theme::instance().setMode(ThemeMode::Dark);
        for (const auto* suffix : {"png", "svg", "pdf"}) {
            const auto path = m_folder->filePath(QStringLiteral("system.") + QString::fromLatin1(suffix));
            widgets::exportCanvas(*m_window->canvas(), path);
            QVERIFY(QFileInfo(path).size() > 1000);
        }
        QVERIFY(Theme::instance().isDark());
        const QImage picture(m_folder->filePath(QStringLiteral("system.png")));
        QVERIFY(picture.width() > 400);
        QVERIFY(picture.pixelColor(1, 1).lightness() > 200);
        Theme::instance().setMode(ThemeMode::Light);
    }

    void noTextIsClipped_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<QString>("preset");
        for (const auto* preset : {kPreset, "preserve/llama3-405b-32", "inf2/opt-30b-a100-16csd"}) {
            const auto name = QString::fromLatin1(preset);
            QTest::newRow(qPrintable(name + " 1280x720")) << QSize(1280, 720) << name;
            QTest::newRow(qPrintable(name + " 1440x900")) << QSize(1440, 900) << name;
        }
    }
    void noTextIsClipped() {
        QFETCH(QSize, size);
        QFETCH(QString, preset);
        document().openPreset(preset.toStdString());
        for (const auto& technique : engine::techniqueSpecs()) // as wide as the context bar gets
            document().set("techniques." + std::string(technique.id) + ".enabled", "true");
        m_window->bottom()->showPage(widgets::BottomDock::Page::Timeline);
        m_window->resize(size);
        QTRY_COMPARE(m_window->size(), size);
        m_window->commands()->action(QStringLiteral("edit.pin"))->trigger();
        for (const auto* subject : {"", "gpu", "host", "fpga", "npu", "switch", "expansion", "storage"}) {
            if (*subject && !document().scenario().findNode({subject}))
                continue;
            document().select(*subject ? widgets::Selection{{engine::NodeId{subject}}, {}}
                                       : widgets::Selection{});
            QApplication::processEvents();
            const auto clipped = clippedTexts(*m_window);
            QVERIFY2(clipped.isEmpty(), qPrintable(clipped.join(QLatin1Char('\n'))));
        }
    }

    void barsFitIntoANarrowWindow() {
        document().openPreset("preserve/llama3-405b-32");
        m_window->resize(1100, 700);
        QTRY_COMPARE(m_window->size(), QSize(1100, 700));
        QVERIFY(m_window->contextBar()->isCompact());
        QCOMPARE(m_window->contextBar()->techniquesMenu()->menu()->actions().size(),
                 static_cast<qsizetype>(engine::techniqueSpecs().size()));
        m_window->bottom()->showPage(widgets::BottomDock::Page::Timeline);
        QApplication::processEvents();
        for (const auto* part :
             {static_cast<QWidget*>(m_window->contextBar()), static_cast<QWidget*>(m_window->bottom())}) {
            const auto clipped = clippedTexts(*part);
            QVERIFY2(clipped.isEmpty(), qPrintable(clipped.join(QLatin1Char('\n'))));
        }
    }

    void everythingHasAName() {
        for (const auto* button : m_window->findChildren<QAbstractButton*>())
            if (button->isVisible() && button->focusPolicy() != Qt::NoFocus)
                QVERIFY2(!button->text().isEmpty() || !button->accessibleName().isEmpty() ||
                             !button->toolTip().isEmpty(),
                         button->metaObject()->className());
    }

private:
    widgets::Document& document() const { return *m_window->document(); }
    double throughput() const { return document().evaluation().metric(Metric::Throughput); }

    void makeWindow() {
        m_window.reset();
        m_asked = 0;
        m_errors.clear();
        m_window = std::make_unique<MainWindow>(
            catalog(), MainWindow::Options{m_folder->filePath(QStringLiteral("studies.sqlite")),
                                           m_folder->filePath(QStringLiteral("settings.ini"))});
        FilePrompts prompts;
        prompts.askSave = [this](const QString&) {
            ++m_asked;
            return m_answer;
        };
        prompts.askOpenPath = [this](const QString&) { return m_openPath; };
        prompts.askSavePath = [this](const QString&) { return m_savePath; };
        prompts.showError = [this](const QString&, const QString& text) { m_errors << text; };
        m_window->files()->setPrompts(prompts);
        m_window->resize(1440, 900);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<MainWindow> m_window;
    FilePrompts::Answer m_answer = FilePrompts::Answer::Cancel;
    QString m_openPath;
    QString m_savePath;
    int m_asked = 0;
    QStringList m_errors;
};

QTEST_MAIN(MainWindowTest)
#include "main_window_test.moc"
