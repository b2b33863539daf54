// SPDX-License-Identifier: GPL-3.0-or-later
// A scripted hour at the desk in a few minutes: a design of 1,000 nodes is drawn in, a study of 1,000,000
// points is run, looked at and scrubbed, and every page is gone over: the frontier, a search, measured times,
// a fit, notes, a layout, requests. Prints the events with more than 33 ms of work on the window's thread,
// the longest first and where it was, and how many pictures a second drags make. Fails when there was such an
// event.
#include "tests/soak/event_watch.h"
#include "tests/widgets/canvas/synthetic_design.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/study_window.h"
#include "widgets/calibration/calibrate_dialog.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/card_arranger.h"
#include "widgets/explore/axis_list.h"
#include "widgets/explore/frontier/frontier_setup.h"
#include "widgets/explore/limit_list.h"
#include "widgets/explore/scrub_panel.h"
#include "widgets/explore/study_board.h"
#include "widgets/explore/study_tile.h"
#include "widgets/find/find_page.h"
#include "widgets/find/find_setup.h"
#include "widgets/inspector/degree_row.h"
#include "widgets/inspector/ranks_picture.h"
#include "widgets/inspector/scrub_slider.h"
#include "widgets/requests/requests_view.h"
#include "widgets/timeline/timeline_view.h"
#include "widgets/validation/validation_page.h"
#include "widgets/window/command_registry.h"

#include <QElapsedTimer>
#include <QSlider>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <numbers>
#include <string>

namespace {

using namespace heteroscape;
using namespace heteroscape::widgets;

constexpr double kAllowedMs = 33.0;
constexpr int kSteps = 120;
constexpr int kBetweenMoves = 8; ///< ms, as of a mouse: no more than 125 pictures/s are asked for
constexpr std::size_t kNodes = 1000;

/// Counts what is painted of a widget, or of what lies in it or around it and is painted most often.
class Pictures : public QObject {
public:
    explicit Pictures(QWidget* widget) : m_widget(widget) {
        qApp->installEventFilter(this);
        m_clock.start();
    }
    void print(const char* what) const {
        const auto most = std::max_element(m_counts.begin(), m_counts.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
        std::printf("%-44s %6.0f pictures/s\n", what,
                    most == m_counts.end() ? 0.0
                                           : 1000.0 * most->second /
                                                 static_cast<double>(std::max<qint64>(m_clock.elapsed(), 1)));
    }
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::Paint || !watched->isWidgetType())
            return false;
        const auto* painted = static_cast<QWidget*>(watched);
        if (painted == m_widget || m_widget->isAncestorOf(painted) || painted == m_widget->parentWidget())
            ++m_counts[painted];
        return false;
    }

private:
    QWidget* m_widget;
    QElapsedTimer m_clock;
    std::map<const QWidget*, int> m_counts;
};

/// A way round a place, there and back, within `reach` of it.
QPoint onTheWay(QPoint from, int step, int reach) {
    const double turn = 2.0 * std::numbers::pi * step / kSteps;
    return from + QPoint(static_cast<int>(reach * std::sin(turn)),
                         static_cast<int>(reach * (1 - std::cos(turn)) / 2));
}

} // namespace

/// The script, a page a function.
class Watchdog : public QObject {
    Q_OBJECT
public:
    explicit Watchdog(EventWatch& watch) : m_watch(watch) {}

private:
    EventWatch& m_watch;
    std::unique_ptr<StudyWindow> m_test;

    Document& document() const { return m_test->document(); }
    CanvasView* canvas() const { return m_test->window->canvas(); }
    void rest(int ms = 300) { QTest::qWait(ms); }
    void act(const char* name, const std::function<void()>& work) {
        m_watch.act([&] {
            work();
            return std::string(name);
        });
        rest();
    }
    /// Drags from a place round about it.
    void dragAbout(QWidget* widget, QPoint from, int reach, const char* what, Hand hand = {}) {
        hand.press(widget, from);
        {
            const Pictures pictures(widget);
            for (int step = 1; step <= kSteps; ++step) {
                QTest::mouseMove(widget->window()->windowHandle(),
                                 widget->mapTo(widget->window(), onTheWay(from, step, reach)));
                QTest::qWait(kBetweenMoves);
            }
            pictures.print(what);
        }
        hand.release(widget, from);
        rest();
    }
    void hoverAbout(QWidget* widget, QPoint from, int reach, const char* what) {
        const Pictures pictures(widget);
        for (int step = 1; step <= kSteps; ++step) {
            Hand::moveTo(widget, onTheWay(from, step, reach));
            QTest::qWait(kBetweenMoves);
        }
        pictures.print(what);
        rest();
    }

    void openMany() {
        const engine::Shared<engine::Scenario> design(
            widgets::test::syntheticDesign(*shippedCatalog(), kNodes));
        act("open 1,000 nodes", [&] { document().replaceScenario(design, "many"); });
    }
    void command(const char* name) {
        m_test->window->commands()->action(QString::fromLatin1(name))->trigger();
        rest();
    }
    /// Points about in the middle of a view, zooms in and out, and pans it.
    void lookAt(QWidget* view, const char* hover, const char* pan) {
        const auto seen = view->visibleRegion().boundingRect(); // a small window shows a part of it
        auto* middle = view->childAt(seen.center());
        auto* plot = middle ? middle : view;
        const auto at = plot->mapFrom(view, seen.center());
        hoverAbout(plot, at, std::min(80, seen.height() / 3), hover);
        for (int i = 0; i < 10; ++i)
            wheel(plot, at, i < 6 ? 1 : -1);
        dragAbout(plot, at, std::min(80, seen.height() / 3), pan);
    }

private slots:
    void initTestCase() {
        startTests();
        m_test = std::make_unique<StudyWindow>();
    }

    void aThousandNodesAreDrawnIn() {
        openMany();
        QTRY_VERIFY_WITH_TIMEOUT(!document().isEvaluating(), 60000);
        act("fit", [this] { canvas()->camera().fitAll(); });
        auto* port = canvas()->viewport();
        for (int i = 0; i < 40; ++i)
            wheel(port, port->rect().center(), i < 25 ? 1 : -1);
        act("to 100 %", [this] { canvas()->camera().setZoom(1.0); });
        const auto* node = canvas()->canvasScene().nodeItem({"node-420"});
        canvas()->centerOn(node->cardRect().center());
        rest();
        const auto at = canvas()->mapFromScene(node->cardRect().center());
        Hand().click(port, at);
        rest();
        dragAbout(port, at, 200, "drag a node of 1,000");
        dragAbout(port, port->rect().center(), 300, "pan 1,000 nodes", {.button = Qt::MiddleButton});
        act("select all", [this] { canvas()->edits().selectAll(); });
        QTest::keyClick(canvas(), Qt::Key_Right);
        rest();
        act("lay out", [this] { canvas()->arranger()->layOut(LayoutDirection::LeftToRight); });
        QTRY_VERIFY_WITH_TIMEOUT(!canvas()->arranger()->isBusy(), 60000);
        rest();
        act("undo", [this] { document().undoStack()->undo(); });
        act("duplicate all", [this] { canvas()->edits().duplicate(); });
        QTRY_VERIFY_WITH_TIMEOUT(!document().isEvaluating(), 60000);
        act("undo", [this] { document().undoStack()->undo(); });
        QTRY_VERIFY_WITH_TIMEOUT(!document().isEvaluating(), 60000);
        act("save", [this] { document().save(m_test->file("many.hscape")); });
        QTRY_VERIFY_WITH_TIMEOUT(!document().file().isSaving(), 60000);
    }

    void everyWorkspaceShowsThem() {
        for (const auto workspace :
             {Workspace::Explore, Workspace::Roofline, Workspace::Compare, Workspace::Design}) {
            m_test->goTo(workspace);
            rest(1500);
        }
    }

    void aMillionPointsAreRun() {
        act("open a preset", [this] { document().openPreset("glitches/a100-7u280"); });
        QTRY_VERIFY_WITH_TIMEOUT(!document().isEvaluating(), 60000);
        m_test->goTo(Workspace::Explore);
        m_test->setup()->setAxes(
            {{"workload.prompt_tokens", "1:1000:1"}, {"workload.output_tokens", "1:1000:1"}});
        QVERIFY(m_test->setup()->study());
        click(m_test->named<QPushButton>("run"));
        QTRY_VERIFY_WITH_TIMEOUT(!m_test->explore().isRunning(), 600000);
        QTRY_VERIFY_WITH_TIMEOUT(m_test->marks()->study() && !m_test->points().partial, 60000);
        rest(3000);
    }

    void theyAreLookedAt() {
        auto* lines = m_test->tile(0)->view();
        hoverAbout(lines->childAt(lines->rect().center()), QPoint(200, 80), 120, "point at a million points");
        for (const char* kind : {"Heat map", "Scatter", "Parallel"}) {
            auto* tile = m_test->addPlot(kind);
            QVERIFY2(tile, kind);
            rest(2500);
            if (auto* view = tile->view(); view && view->isVisible()) {
                auto* plot = view->childAt(view->rect().center());
                hoverAbout(plot, plot->rect().center(), 100, kind);
                for (int i = 0; i < 10; ++i)
                    wheel(plot, plot->rect().center(), i < 6 ? 1 : -1);
                dragAbout(plot, plot->rect().center(), 80, "pan it");
                dragAbout(plot, plot->rect().center(), 80, "brush it", {.keys = Qt::ShiftModifier});
                QTest::keyClick(m_test->window.get(), Qt::Key_Escape);
            }
        }
        m_test->table()->sortByColumn(2, Qt::DescendingOrder);
        rest(2000);
        for (int i = 0; i < 40; ++i)
            wheel(m_test->table()->viewport(), QPoint(40, 40), -3);
        rest();
    }

    void aParameterIsScrubbed() {
        click(m_test->named<QPushButton>("addParameter"));
        auto* panel = m_test->explore().findChild<ScrubPanel*>();
        QTRY_VERIFY(panel->findChild<AxisPicker*>()->isVisible());
        const auto before = panel->sliders().size();
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("workload.batch"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QTRY_COMPARE(panel->sliders().size(), before + 1);
        auto* slider = panel->sliders().back()->slider();
        const Pictures pictures(m_test->tile(0)->view()->childAt(m_test->tile(0)->view()->rect().center()));
        for (int step = 0; step < kSteps; ++step) {
            slider->setSliderDown(true);
            slider->setSliderPosition(slider->minimum() +
                                      (slider->maximum() - slider->minimum()) * (step % 40) / 40);
            QTest::qWait(kBetweenMoves);
        }
        slider->setSliderDown(false);
        pictures.print("scrub over a million points");
        rest(2000);
    }

    void aNoteIsWrittenOnAPlot() {
        auto* view = m_test->view(0);
        view->setFocus();
        QTest::keyClick(view, Qt::Key_N);
        auto* editor = view->notes().editor();
        QVERIFY(editor);
        QTest::keyClicks(editor, QStringLiteral("from here on the cards wait for each other"));
        QTest::keyClick(editor, Qt::Key_Return, Qt::ControlModifier);
        const auto& notes = document().scenario().notes;
        QVERIFY(!notes.empty());
        rest();
        auto* plot = view->childAt(view->rect().center());
        const auto at = view->notes().boxOf(notes.back().id.value).center().toPoint();
        dragAbout(plot, plot->mapFrom(view, at), 30, "drag a note over a million points");
    }

    void theFrontierIsLookedAt() {
        command("study.frontier");
        auto& explore = m_test->explore();
        QTRY_VERIFY_WITH_TIMEOUT(explore.frontier()->study() && explore.study() &&
                                     explore.study()->isOfDesigns() && !explore.isBusy(),
                                 600000);
        rest(1000);
        auto* board = explore.findChild<StudyBoard*>();
        lookAt(board->plots().front()->view(), "point at the frontier", "pan the frontier");
        act("choose a point", [&] { explore.selectRow(*board->bestPoint()); });
        rest(1000);
        explore.showStudies();
        rest(1000);
    }

    void theBestAreFound() {
        command("study.find");
        auto* page = m_test->window->findChild<FindPage*>();
        QTRY_VERIFY(page->isVisible());
        child<AxisList>(child<FindSetup>(page))
            ->setAxes({{"workload.prompt_tokens", "16:1024:16"},
                       {"workload.output_tokens", "16:1024:16"},
                       {"workload.batch", "1:64:*2"},
                       {"nodes.fpga.count", "1:7"}});
        child<ObjectiveList>(child<FindSetup>(page))
            ->setGoals({{"throughput_tok_s", 1}, {"price_usd", -1}, {"ttft_s", -1}});
        child<FindSetup>(page)->limits()->setLimits({{.column = "tpot_s", .most = 0.1}});
        emit child<AxisList>(child<FindSetup>(page))->edited();
        QVERIFY(child<FindSetup>(page)->problem());
        rest(1000);
        click(m_test->named<QPushButton>("search"));
        rest(1000);
        lookAt(page->plot(), "point at a search under way", "pan a search under way");
        QTRY_VERIFY_WITH_TIMEOUT(!page->isBusy() && page->found(), 600000);
        rest(1000);
        lookAt(page->plot(), "point at what was found", "pan what was found");
        act("choose a found design", [&] { page->choose(page->found()->front.back().ordinal); });
        rest(1000);
    }

    void measuredTimesAreLookedAt() {
        command("study.measured");
        auto* page = m_test->window->findChild<ValidationPage*>();
        QTRY_VERIFY_WITH_TIMEOUT(page && page->view() && !page->view()->rows.empty() && !page->isBusy(),
                                 600000);
        rest(2000);
        lookAt(child<PlotView>(page, "scatter"), "point at measured times", "pan measured times");
        act("choose a measured row", [&] { page->choose(page->view()->rows.size() / 2); });
        rest(1000);
        auto choice = page->choice();
        choice.colour = choice.colour == MeasuredKey::Device ? MeasuredKey::Kind : MeasuredKey::Device;
        act("colour them by another key", [&] { page->setChoice(choice); });
        QTRY_VERIFY_WITH_TIMEOUT(!page->isBusy(), 60000);
        rest(1000);
    }

    void constantsAreFitted() {
        command("study.calibrate");
        auto* dialog = m_test->window->findChild<CalibrateDialog*>();
        QTRY_VERIFY(dialog && dialog->isVisible());
        act("open measured rows", [&] {
            dialog->openFile(QString::fromLatin1(heteroscape::places::kPresetsFolder) +
                             QStringLiteral("/measured/kernels.csv"));
        });
        QTRY_VERIFY_WITH_TIMEOUT(dialog->outcome() && !dialog->isBusy(), 600000);
        rest(1000);
        lookAt(child<PlotView>(dialog), "point at fitted rows", "pan fitted rows");
        act("close the dialog", [&] { dialog->reject(); });
        rest(1000);
    }

    void aLayoutIsChosen() {
        m_test->goTo(Workspace::Design);
        act("open a server of 8", [this] { document().openPreset("served/deepseek-v3-8h200-tp8"); });
        QTRY_VERIFY_WITH_TIMEOUT(!document().isEvaluating(), 60000);
        const auto node = document().scenario().nodes.front().id;
        act("select its devices", [&] { document().select({{node}, {}, {}}); });
        rest(2000);
        for (auto* row : m_test->window->findChildren<DegreeRow*>())
            if (row->key() == "dp" && row->isVisible())
                for (const auto key : {Qt::Key_Up, Qt::Key_Up, Qt::Key_Down}) {
                    QTest::keyClick(row->field(), key);
                    QTRY_VERIFY_WITH_TIMEOUT(!document().isEvaluating(), 60000);
                    rest(1000);
                }
        auto* picture = m_test->window->findChild<RanksPicture*>();
        QVERIFY(picture && picture->isVisible());
        reveal(picture, picture->rect().center());
        hoverAbout(picture, picture->rect().center(), picture->height() / 3, "point at the ranks");
    }

    void requestsAreSimulated() {
        act("serve requests", [this] { document().set("serving.arrivals", "poisson"); });
        rest(500);
        QTRY_VERIFY_WITH_TIMEOUT(!document().isEvaluating(), 600000);
        command("view.requests");
        rest(3000);
        auto* view = m_test->window->findChild<RequestsView*>();
        QVERIFY(view && view->isVisible());
        lookAt(view, "point at requests", "pan requests");
        command("view.latency");
        rest(1000);
        command("view.timeline");
        rest(1000);
        auto* lanes = m_test->window->findChild<TimelineView*>();
        QVERIFY(lanes && lanes->isVisible());
        lookAt(lanes, "point at the timeline", "pan the timeline");
        for (const auto workspace : {Workspace::Roofline, Workspace::Compare, Workspace::Design}) {
            m_test->goTo(workspace);
            rest(1500);
        }
    }

    void everyWorkspaceShowsThemToo() {
        openMany();
        rest(1500);
        everyWorkspaceShowsThem();
    }

    void cleanupTestCase() { m_test.reset(); }
};

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    EventWatch application(argc, argv, kAllowedMs);
    Watchdog script(application);
    const int failed = QTest::qExec(&script, argc, argv);
    application.print();
    std::fflush(nullptr);
    std::_Exit(failed == 0 && application.isKept() ? 0 : 1);
}

#include "tests/places.h"
#include "watchdog.moc"
