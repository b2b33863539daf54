// SPDX-License-Identifier: GPL-3.0-or-later
// From an event to the end of the repaint, on a canvas of 1,000 nodes and 2,000 links: median and 99th
// percentile.

#include "tests/widgets/canvas/synthetic_design.h"
#include "widgets/canvas/auto_layout.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QWheelEvent>

#include <algorithm>
#include <cstdio>
#include <exception>

using namespace heteroscape;
using namespace heteroscape::widgets;

namespace {

constexpr int kEvents = 120;

/// Counts the paints of a viewport.
class PaintCounter : public QObject {
public:
    int paints = 0;

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        paints += event->type() == QEvent::Paint ? 1 : 0;
        return false;
    }
};

class Hand {
public:
    explicit Hand(CanvasView& view) : m_view(view) { view.viewport()->installEventFilter(&m_counter); }

    void mouse(QEvent::Type type, QPoint at, Qt::MouseButton button, Qt::MouseButtons buttons) {
        QMouseEvent event(type, at, m_view.viewport()->mapToGlobal(at), button, buttons, {});
        QApplication::sendEvent(m_view.viewport(), &event);
    }
    void wheel(QPoint at, int turn) {
        QWheelEvent event(at, m_view.viewport()->mapToGlobal(at), {}, {0, turn}, Qt::NoButton, {},
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(m_view.viewport(), &event);
    }
    /// Until what the event asked for is painted.
    void settle() {
        const auto before = m_counter.paints;
        for (int i = 0; i < 50 && m_counter.paints == before; ++i)
            QApplication::processEvents();
    }
    /// Prints the milliseconds of kEvents times act(i).
    template <class Act>
    void measure(const char* what, const char* where, Act act) {
        std::vector<double> times;
        for (int i = 0; i < kEvents; ++i) {
            QElapsedTimer timer;
            timer.start();
            act(i);
            settle();
            times.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
        }
        std::sort(times.begin(), times.end());
        std::printf("%-14s %-6s median %7.2f ms, p99 %7.2f ms\n", what, where, times[times.size() / 2],
                    times[times.size() * 99 / 100]);
    }

private:
    CanvasView& m_view;
    PaintCounter m_counter;
};

void pan(Hand& hand, const char* where) {
    QPoint at(600, 300);
    hand.mouse(QEvent::MouseButtonPress, at, Qt::MiddleButton, Qt::MiddleButton);
    hand.measure("pan", where, [&](int i) {
        at += i / 30 % 2 == 0 ? QPoint(-9, -5) : QPoint(9, 5);
        hand.mouse(QEvent::MouseMove, at, Qt::NoButton, Qt::MiddleButton);
    });
    hand.mouse(QEvent::MouseButtonRelease, at, Qt::MiddleButton, Qt::NoButton);
}

void zoom(Hand& hand, CanvasView& view, const char* where) {
    const auto before = view.camera().zoom();
    hand.measure("zoom", where, [&](int i) { hand.wheel({600, 300}, i % 2 == 0 ? 30 : -30); });
    view.camera().setZoom(before);
}

void drag(Hand& hand, CanvasView& view, const char* what, const char* where, int nodes) {
    const auto seen = view.mapToScene(view.viewport()->rect()).boundingRect();
    auto ids = view.canvasScene().nodesIn(seen.adjusted(300, 300, -300, -300));
    if (ids.empty())
        return;
    for (const auto& node : view.document().scenario().nodes)
        if (static_cast<int>(ids.size()) < nodes && std::find(ids.begin(), ids.end(), node.id) == ids.end())
            ids.push_back(node.id);
    ids.resize(std::min(ids.size(), static_cast<std::size_t>(nodes)));
    view.document().select({ids, {}});
    hand.settle();
    auto at = view.mapFromScene(view.canvasScene().nodeItem(ids.front())->cardRect().center());
    hand.mouse(QEvent::MouseButtonPress, at, Qt::LeftButton, Qt::LeftButton);
    hand.measure(what, where, [&](int i) {
        at += i / 20 % 2 == 0 ? QPoint(11, 7) : QPoint(-11, -7);
        hand.mouse(QEvent::MouseMove, at, Qt::NoButton, Qt::LeftButton);
    });
    QKeyEvent escape(QEvent::KeyPress, Qt::Key_Escape, {});
    QApplication::sendEvent(&view, &escape);
    hand.mouse(QEvent::MouseButtonRelease, at, Qt::LeftButton, Qt::NoButton);
    view.document().select({});
    hand.settle();
}

void run(Hand& hand, CanvasView& view, const char* where) {
    hand.settle();
    pan(hand, where);
    zoom(hand, view, where);
    drag(hand, view, "drag 1", where, 1);
    drag(hand, view, "drag 50", where, 50);
}

} // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    try {
        Theme::instance().install(application);
        const auto catalog =
            std::make_shared<engine::Catalog>(engine::loadCatalog(engine::findPresetsFolder()));
        Document document(catalog);
        CanvasView view(document);
        view.resize(1440, 700);
        view.show();
        document.replaceScenario(test::syntheticDesign(*catalog, 1000), QStringLiteral("benchmark"));
        Hand hand(view);
        hand.settle();
        view.camera().fitAll();
        std::printf("%zu nodes, %zu links, fit at %.0f %%\n", view.canvasScene().nodes().size(),
                    view.canvasScene().linkCount(), view.camera().zoom() * 100.0);
        run(hand, view, "fit");
        view.camera().setZoom(0.3);
        run(hand, view, "30 %");
        view.camera().setZoom(1.0);
        run(hand, view, "100 %");
        document.select({{document.scenario().nodes.front().id}, {}});
        double engineSeconds = 0.0;
        hand.measure("edit, whole", "100 %", [&](int i) {
            view.edits().changeCount(i % 2 == 0 ? 1 : -1);
            engineSeconds += document.results().seconds;
        });
        std::printf("  of it evaluated %.2f ms\n", engineSeconds * 1e3 / kEvents);
        hand.measure("shown again", "100 %", [&](int) {
            emit document.changed();
            view.viewport()->update();
        });
        view.camera().fitAll();
        hand.measure("shown again", "fit", [&](int) {
            emit document.changed();
            view.viewport()->update();
        });
        std::vector<QSizeF> sizes;
        std::vector<LinkEnds> ends;
        for (const auto* item : view.canvasScene().nodes())
            sizes.push_back(item->cardRect().size());
        for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
            ends.push_back({i / 8, i + 1});
            ends.push_back({i, (i * 7 + 3) % sizes.size()});
        }
        QElapsedTimer timer;
        timer.start();
        const auto places = layeredPlaces(sizes, ends, LayoutDirection::LeftToRight);
        std::printf("layout of %zu nodes, %zu links: %lld ms\n", places.size(), ends.size(),
                    static_cast<long long>(timer.elapsed()));
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
