// SPDX-License-Identifier: GPL-3.0-or-later
#include "clipped_texts.h"
#include "engine/techniques/l2_prefetch.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/window_fixture.h"
#include "widgets/canvas/canvas_scene.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/node_item.h"
#include "widgets/explore/axis_row.h"
#include "widgets/explore/study_setup.h"
#include "widgets/inspector/inspector.h"
#include "widgets/timeline/timeline_panel.h"
#include "widgets/timeline/timeline_view.h"
#include "widgets/window/bottom_dock.h"
#include "widgets/window/command_palette.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/context_bar.h"
#include "widgets/window/metrics_strip.h"
#include "widgets/window/status_line.h"
#include "widgets/window/top_bar.h"
#include "widgets/window/window_exports.h"
#include "widgets/window/window_manager.h"

#include <QLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>

#include <cmath>
#include <map>

using namespace heteroscape;
using namespace heteroscape::widgets;
using engine::Metric;

namespace {
constexpr auto kPreset = "glitches/a100-7u280";
} // namespace

class MainWindowTest : public WindowFixture {
    Q_OBJECT

private slots:
    void opensAPresetWithEverythingShown() {
        const auto& evaluation = document().evaluation();
        QVERIFY(evaluation.feasible);
        QVERIFY(m_window->windowTitle().contains(document().title()));
        const auto* cell = child<MetricsStrip>(m_window)->cell(Metric::TimeToFirstToken);
        // GLITCHES Table II: the A100 reads 1536 tokens in about 176 ms.
        QVERIFY(std::abs(cell->content().value.toDouble() - 176.0) < 5.0);
        QCOMPARE(cell->content().unit, QStringLiteral("ms"));
        QVERIFY(child<StatusLine>(m_window)->text().contains(QStringLiteral("2 links")));
        QVERIFY(child<StatusLine>(m_window)->text().contains(QStringLiteral("$73,000")));
        QCOMPARE(child<MetricCell>(child<MetricsStrip>(m_window), "bottleneck")->content().icon,
                 QStringLiteral("flame"));
        QVERIFY(!child<InfoBanner>(m_window)->isVisible());
    }

    void switchesWorkspacesByTabAndKey() {
        for (int i = kWorkspaceCount - 1; i >= 0; --i) {
            QTest::keyClick(m_window, static_cast<Qt::Key>(Qt::Key_1 + i), Qt::ControlModifier);
            QCOMPARE(static_cast<int>(m_window->workspace()), i);
            QCOMPARE(child<TopBar>(m_window)->tabs()->currentIndex(), i);
            QCOMPARE(qobject_cast<QStackedWidget*>(m_window->centralWidget())->currentIndex(), i);
            QCOMPARE(m_window->inspector()->isVisible(), i == 0);
        }
        const auto tab = child<TopBar>(m_window)->tabs()->tabRect(2).center();
        QTest::mouseClick(child<TopBar>(m_window)->tabs(), Qt::LeftButton, {}, tab);
        QCOMPARE(m_window->workspace(), Workspace::Roofline);
    }

    void tabsAreLevelWhateverOneStartsWith_data() {
        QTest::addColumn<bool>("startPage"); // shown first, in the dark
        QTest::newRow("at once") << false;
        QTest::newRow("from the start page") << true;
    }
    void tabsAreLevelWhateverOneStartsWith() {
        QFETCH(bool, startPage);
        m_test.reset();
        m_window = nullptr;
        QTemporaryDir folder;
        Theme::instance().setMode(startPage ? ThemeMode::Dark : ThemeMode::Light);
        MainWindow window(shippedCatalog(), MainWindow::Options{folder.filePath(QStringLiteral("s.sqlite")),
                                                                folder.filePath(QStringLiteral("s.ini"))});
        window.resize(1440, 900);
        if (startPage) {
            window.showStartPage();
            window.show();
            QVERIFY(QTest::qWaitForWindowExposed(&window));
        }
        Theme::instance().setMode(ThemeMode::Light);
        window.document()->openPreset(kPreset);
        window.setWorkspace(Workspace::Roofline);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QApplication::processEvents();
        const auto* tabs = child<TopBar>(&window)->tabs();
        const auto tab = tabs->tabRect(static_cast<int>(Workspace::Roofline)).translated(tabs->pos());
        QVERIFY2(child<TopBar>(&window)->rect().contains(tab),
                 qPrintable(QStringLiteral("%1..%2 of %3")
                                .arg(tab.top())
                                .arg(tab.bottom())
                                .arg(child<TopBar>(&window)->height())));
        QVERIFY(tabs->geometry().contains(tab));
        // Its underline is at the foot of the bar.
        const auto picture = child<TopBar>(&window)->grab().toImage();
        const double scale = picture.devicePixelRatio();
        QCOMPARE(
            picture.pixelColor(QPointF(tab.center().x() * scale, (tab.bottom() - 0.5) * scale).toPoint()),
            Theme::instance().color(ColorRole::Accent));
    }

    void aMessageToldToAHiddenFootHasTheFootToItself() {
        StatusLine foot(&document());
        foot.showMessage(QStringLiteral("Served now"));
        foot.show();
        for (const auto* label : foot.findChildren<QLabel*>())
            QVERIFY2(!label->isVisible(), qPrintable(label->text()));
        QCOMPARE(foot.currentMessage(), QStringLiteral("Served now"));
        foot.clearMessage();
        QVERIFY(foot.findChildren<QLabel*>().front()->isVisible());
    }

    void ctrlAInAFieldIsTheFields() {
        int tried = 0;
        for (auto* field : m_window->findChildren<QLineEdit*>()) {
            if (!field->isVisible() || !field->isEnabled() || field->text().isEmpty())
                continue;
            document().select({});
            field->setFocus();
            field->deselect();
            QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
            QCOMPARE(field->selectedText(), field->text());
            QVERIFY(document().selection().empty());
            ++tried;
        }
        QVERIFY(tried > 3);
    }

    void exportOpensTheMenuOfTheWorkspaceShown() {
        m_window->setWorkspace(Workspace::Roofline);
        m_window->commands()->action(QStringLiteral("file.export"))->trigger();
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu && menu->actions().size() > 3);
        menu->close();
    }

    void aPoolOfDevicesIsBuiltByHand() {
        m_test->answer = FilePrompts::Answer::Discard;
        QVERIFY(m_window->files()->newDesign());
        QTRY_VERIFY(!m_window->bottom()->timeline()->reason().isEmpty());
        document().set("model", "llama3-8b");
        m_window->canvas()->placing().placeDevice(QStringLiteral("ascend-910b"));
        m_window->canvas()->placing().placeDevice(QStringLiteral("network-switch"));
        const auto npu = document().scenario().nodes.at(0).id;
        document().set("nodes." + npu.value + ".runtime",
                       "fused-fp16"); // the rule of a class prefetches nothing
        const auto fabric = document().scenario().nodes.at(1).id;
        m_window->canvas()->camera().fitAll();
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
            auto* field = qobject_cast<NumberEdit*>(QApplication::focusWidget());
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
        QTest::mouseClick(child<QPushButton>(m_window, "l2_prefetch"), Qt::LeftButton);
        QVERIFY(document().scenario().techniques[engine::l2Prefetch()].enabled);
        QTRY_COMPARE(m_window->bottom()->timeline()->view()->tracks().size(), std::size_t(2));
        QVERIFY(child<TextLabel>(m_window->bottom(), "headline")
                    ->text()
                    .contains(QStringLiteral("without L2 prefetch")));
    }

    void theCommandPaletteFindsAndRuns() {
        auto* palette = m_window->openCommandPalette();
        QTest::keyClicks(child<QLineEdit>(palette), QStringLiteral("roofline"));
        QVERIFY(child<QListWidget>(palette)->count() >= 1);
        QTest::keyClick(child<QLineEdit>(palette), Qt::Key_Return);
        QCOMPARE(m_window->workspace(), Workspace::Roofline);
        palette = m_window->openCommandPalette();
        const auto nodes = document().scenario().nodes.size();
        QTest::keyClicks(child<QLineEdit>(palette), QStringLiteral("place v100"));
        QTest::keyClick(child<QLineEdit>(palette), Qt::Key_Return);
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

    void aQuantityIsSweptByItsKeyAndNotByALetter() {
        const auto before = document().scenario();
        const auto* setup = m_test->explore().findChild<StudySetup*>();
        const auto shown = [setup] {
            QList<AxisRow*> rows;
            for (auto* row : setup->findChildren<AxisRow*>())
                if (row->isVisible())
                    rows << row;
            return rows;
        };
        const auto sweep = [&](const std::string& path) {
            m_window->setWorkspace(Workspace::Design);
            document().select({{engine::NodeId{"fpga"}}, {}});
            QVERIFY(m_window->inspector()->focusField(path));
            auto* field = QApplication::focusWidget();
            for (const auto letter : {Qt::Key_S, Qt::Key_F, Qt::Key_Escape}) // typed, and taken back
                QTest::keyClick(field, letter);
            QCOMPARE(m_window->workspace(), Workspace::Design);
            QCOMPARE(QApplication::focusWidget(), field);
            QTest::keyClick(field, Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
            QCOMPARE(m_window->workspace(), Workspace::Explore);
        };
        sweep("nodes.fpga.count"); // an axis from the start
        auto rows = shown();
        QCOMPARE(rows.size(), 2);
        QCOMPARE(rows[0]->text().path, std::string("nodes.fpga.count"));
        QVERIFY(rows[0]->field()->hasFocus());
        sweep("nodes.fpga.device.memory_bandwidth_gbps");
        rows = shown();
        QCOMPARE(rows.size(), 3);
        QCOMPARE(rows[2]->text().path, std::string("nodes.fpga.device.memory_bandwidth_gbps"));
        QVERIFY(rows[2]->field()->hasFocus());
        const double now = document().scenario().findNode({"fpga"})->device.memoryBandwidth.value / 1e9;
        QVERIFY(rows[2]->axis());
        QCOMPARE(rows[2]->axis()->values, (std::vector<double>{now / 2, now, now * 2}));
        QVERIFY(document().scenario() == before);
    }

    void theThemeChangesAndIsRemembered() {
        Theme::instance().setMode(ThemeMode::Light);
        m_window->commands()->action(QStringLiteral("view.theme"))->trigger();
        QVERIFY(Theme::instance().isDark());
        const QColor corner = m_window->grab().toImage().pixelColor(2, 2);
        QVERIFY(corner.lightness() < 80);
        m_test->reopen();
        m_window = m_test->window.get();
        QVERIFY(Theme::instance().isDark());
        m_window->commands()->action(QStringLiteral("view.theme1"))->trigger();
        QVERIFY(!Theme::instance().isDark());
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
        for (const auto* technique : engine::techniqueKinds().all()) // as wide as the context bar gets
            document().set("techniques." + std::string(technique->id()) + ".enabled", "true");
        m_window->bottom()->showPage(BottomDock::Page::Timeline);
        m_window->resize(size);
        QTRY_COMPARE(m_window->size(), size);
        m_window->commands()->action(QStringLiteral("edit.pin"))->trigger();
        for (const auto* subject : {"", "gpu", "host", "fpga", "npu", "switch", "expansion", "storage"}) {
            if (*subject && !document().scenario().findNode({subject}))
                continue;
            document().select(*subject ? Selection{{engine::NodeId{subject}}, {}} : Selection{});
            m_window->inspector()->finish();
            QApplication::processEvents();
            QStringList clipped; // what a job finds comes when it is done, and is laid out in the turn after
            QTRY_VERIFY2((clipped = clippedTexts(*m_window)).isEmpty(),
                         qPrintable(clipped.join(QLatin1Char('\n'))));
        }
    }

    void barsFitIntoANarrowWindow() {
        document().openPreset("preserve/llama3-405b-32");
        m_window->resize(1100, 700);
        QTRY_COMPARE(m_window->size(), QSize(1100, 700));
        QVERIFY(child<ContextBar>(m_window)->isCompact());
        QCOMPARE(child<QPushButton>(m_window, "techniques")->menu()->actions().size(),
                 static_cast<qsizetype>(engine::techniqueKinds().size()));
        m_window->bottom()->showPage(BottomDock::Page::Timeline);
        QApplication::processEvents();
        for (const auto* part : {static_cast<QWidget*>(child<ContextBar>(m_window)),
                                 static_cast<QWidget*>(m_window->bottom())}) {
            const auto clipped = clippedTexts(*part);
            QVERIFY2(clipped.isEmpty(), qPrintable(clipped.join(QLatin1Char('\n'))));
        }
    }

    /// As narrow as on the smallest screen: nothing of the bar lies on anything else.
    void theContextBarFitsIntoTheLeastWindow() {
        const auto least = leastWindowSize({1024, 768});
        QVERIFY(m_window->minimumWidth() >= least.width() && m_window->minimumWidth() <= 1100);
        document().openPreset("preserve/llama3-405b-32");
        m_window->setMinimumSize(least); // whatever the screen is here
        m_window->resize(least);
        QTRY_COMPARE(m_window->size(), least);
        QTRY_COMPARE(child<ContextBar>(m_window)->width(), least.width());
        QApplication::processEvents();
        const auto* tabs = child<TopBar>(m_window)->tabs();
        QTRY_VERIFY(tabs->width() >= tabs->tabRect(tabs->count() - 1).right());
        for (const auto* arrow : tabs->findChildren<QToolButton*>())
            QVERIFY(!arrow->isVisible());
        const auto clipped = clippedTexts(*child<ContextBar>(m_window));
        QVERIFY2(clipped.isEmpty(), qPrintable(clipped.join(QLatin1Char('\n'))));
        QRect before;
        const auto* row = child<ContextBar>(m_window)->layout();
        for (int i = 0; i < row->count(); ++i)
            if (const auto* widget = row->itemAt(i)->widget(); widget && widget->isVisible()) {
                QVERIFY2(widget->x() > before.right(), qPrintable(widget->accessibleName()));
                before = widget->geometry();
            }
        QVERIFY(before.right() < child<ContextBar>(m_window)->width());
    }

    void everythingHasAName() {
        for (const auto* button : m_window->findChildren<QAbstractButton*>())
            if (button->isVisible() && button->focusPolicy() != Qt::NoFocus)
                QVERIFY2(!button->text().isEmpty() || !button->accessibleName().isEmpty() ||
                             !button->toolTip().isEmpty(),
                         button->metaObject()->className());
    }
};

WIDGET_TEST(MainWindowTest)
#include "main_window_test.moc"
