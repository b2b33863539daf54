// SPDX-License-Identifier: GPL-3.0-or-later
// Notes with their arrows by hand in the program's window: put on a plot and on the canvas, saved, opened
// again in another window, exported, taken away and back.
#include "tests/widgets/plots/drawn_svg.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/study_fixture.h"
#include "widgets/canvas/canvas_notes.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/note_layer.h"
#include "widgets/plots/note_look.h"

#include <QMenuBar>

#include <cmath>

using namespace heteroscape;
using namespace heteroscape::widgets;

class PlotNotesWindowTest : public StudyWindowFixture {
    Q_OBJECT

    static constexpr ChartPoint kPlace{2, 4}; ///< of the plot: what the note is about
    static constexpr const char* kWords = "four boards pay off";

    PlotView* view() const { return m_test->view(0); }
    const std::vector<engine::Note>& notes() const { return m_test->scenario().notes; }
    QRectF box() const {
        return notes().empty() ? QRectF() : view()->notes().boxOf(notes().front().id.value);
    }
    void clickAt(QPointF at, Qt::MouseButton button = Qt::LeftButton) const {
        const auto [plot, place] = StudyWindow::placeAt(view(), at);
        QVERIFY(plot);
        Hand{.button = button}.click(plot, place);
    }
    /// By the menu under the right button.
    void chooseAt(QPointF at, const char* entry) const {
        clickAt(at, Qt::RightButton);
        QVERIFY(openMenu());
        choose(openMenu(), QLatin1String(entry));
        activate(window());
    }
    void chooseInBar(const char* menu, const char* entry) const {
        auto* bar = child<TopBar>(window())->menuBar();
        for (auto* action : bar->actions())
            if (action->text().remove(u'&') == QLatin1String(menu)) {
                Hand().click(bar, bar->actionGeometry(action).center());
                choose(action->menu(), QLatin1String(entry));
                return;
            }
        QFAIL(menu);
    }
    void press(Qt::Key key) const {
        activate(window());
        QTest::keyClick(window(), key, Qt::ControlModifier);
    }
    void typeAndKeep(const char* words) const {
        NoteEditor* editor = nullptr;
        for (auto* one : window()->findChildren<NoteEditor*>())
            editor = one->isVisible() ? one : editor;
        QVERIFY(editor);
        QTRY_VERIFY(editor->hasFocus()); // what is typed is for it
        QTest::keyClicks(editor, QLatin1String(words));
        QTest::keyClick(editor, Qt::Key_Return, Qt::ControlModifier);
    }
    void putNote() const {
        chooseAt(view()->pixelOf(kPlace), "Add a note here");
        typeAndKeep(kWords);
        QCOMPARE(notes().size(), std::size_t{1});
        clickAside();
    }
    /// On empty ground of the plot, which has the keyboard then and no note that is chosen.
    void clickAside() const { clickAt(view()->pointer().plotArea().topLeft() + QPointF(12, 12)); }
    QImage picture() const {
        Hand::moveTo(m_test->setup(), QPoint(2, 2));
        QCoreApplication::processEvents(); // plots are drawn when the event loop has time
        return view()->grab().toImage();
    }
    static bool isLike(const QColor& one, const QColor& other) {
        return std::abs(one.red() - other.red()) + std::abs(one.green() - other.green()) +
                   std::abs(one.blue() - other.blue()) <
               90; // antialiased
    }
    /// Whether a note is to be seen at its box, words on their paper, with an arrow to its place.
    void checkSeen() const {
        const auto seen = picture();
        const auto& theme = Theme::instance();
        const auto note = box();
        QVERIFY(view()->rect().toRectF().contains(note));
        int paper = 0, ink = 0;
        for (int y = qCeil(note.top()) + 1; y < note.bottom() - 1; ++y) {
            QVERIFY(y - note.top() < 6 || note.bottom() - y < 6 ||
                    isLike(seen.pixelColor(qRound(note.left()) + 1, y), theme.color(ColorRole::Baseline)));
            for (int x = qCeil(note.left()) + 4; x < note.right() - 2; ++x) {
                paper += seen.pixelColor(x, y) == theme.color(ColorRole::Panel);
                ink += isLike(seen.pixelColor(x, y), theme.color(ColorRole::Text));
            }
        }
        QVERIFY2(paper > note.width() * note.height() / 2, qPrintable(QString::number(paper)));
        QVERIFY2(ink > 40, qPrintable(QString::number(ink)));
        // The arrow ends where the curve has that point.
        const auto tip = view()->pixelOf(kPlace);
        const auto from = edgeToward(note, tip);
        int dark = 0;
        for (int step = 1; step < 20; ++step) {
            const auto at = (from + (tip - from) * step / 20).toPoint();
            bool isDark = false;
            for (const auto& aside : {QPoint(0, 0), QPoint(1, 0), QPoint(0, 1), QPoint(-1, 0), QPoint(0, -1)})
                isDark |= isLike(seen.pixelColor(at + aside), theme.color(ColorRole::Text2));
            dark += isDark;
        }
        QVERIFY2(dark > 15, qPrintable(QString::number(dark)));
    }
    /// The design in its file, and a new window that opens it by its menu.
    void saveAndOpenAgain() const {
        m_test->savePath = m_test->file("noted.hscape");
        press(Qt::Key_S);
        QTRY_VERIFY2(!m_test->document().isModified(), qPrintable(m_test->errors.join(u'|')));
        QVERIFY(m_test->read("noted.hscape").contains(kWords));
        const auto written = notes();
        m_test->openPath = m_test->savePath;
        m_test->reopen("");
        QVERIFY(notes().empty());
        chooseInBar("File", "Open");
        QTRY_COMPARE(m_test->document().path(), m_test->openPath);
        QVERIFY(m_test->errors.isEmpty());
        QCOMPARE(notes(), written);
    }

private slots:
    void aNotePutOnAPlotStandsThereInAnotherWindow() {
        m_test->goTo(Workspace::Explore);
        m_test->run();
        putNote();
        checkSeen();
        const auto kept = notes().front();
        // It is about the point of the curve that was clicked at, to a pixel.
        const auto line = m_test->chart(0).lines[kPlace.line]; // of another chart then
        const auto seen = view()->view();
        const auto area = view()->pointer().plotArea();
        QVERIFY(std::fabs(kept.plot->x - line.x[kPlace.index]) <
                1.5 * (seen.x.upper - seen.x.lower) / area.width());
        QVERIFY(std::fabs(kept.plot->y - line.y[kPlace.index]) <
                1.5 * (seen.y.upper - seen.y.lower) / area.height());
        QVERIFY(m_test->chart(1).notes.empty()); // of this plot alone

        saveAndOpenAgain();
        m_test->goTo(Workspace::Explore);
        QTRY_VERIFY(!m_test->chart(0).lines.empty());
        m_test->settle();
        QCOMPARE(m_test->chart(0).lines[kPlace.line].y, line.y);
        checkSeen();
        QVERIFY(m_test->chart(1).notes.empty());
    }

    void aNoteIsInThePictureOfItsPlot() {
        m_test->goTo(Workspace::Explore);
        m_test->run();
        auto* button = m_test->tile(0)->exportButton();
        m_test->exportBy(button, "Picture (SVG)", "bare.svg");
        QVERIFY(!DrawnSvg(m_test->read("bare.svg")).words().contains(QLatin1String(kWords)));
        m_test->exportBy(button, "Picture (PNG)", "bare.png");
        putNote();
        m_test->exportBy(button, "Picture (SVG)", "noted.svg");
        const DrawnSvg svg(m_test->read("noted.svg"));
        QVERIFY2(svg.words().contains(QLatin1String(kWords)), qPrintable(svg.words().join(u'|')));
        // Its arrow, the one line that runs aslant, points at its place on the curve.
        const auto color = m_test->chart(0).lines[kPlace.line].color.resolve(true);
        std::vector<QLineF> arrows;
        QPolygonF curve;
        for (const auto& one : svg.lines) {
            if (one.color == color && one.points.size() > kPlace.index)
                curve = one.points;
            if (const QLineF way(one.points.first(), one.points.last());
                one.points.size() == 2 && one.color == Theme::lightColor(ColorRole::Text2) && way.dx() != 0 &&
                way.dy() != 0)
                arrows.push_back(way);
        }
        QCOMPARE(arrows.size(), std::size_t{1});
        QVERIFY(curve.size() > kPlace.index);
        const auto place = curve[kPlace.index];
        auto arrow = arrows.front();
        arrow.setLength(arrow.length() + kNoteArrowHead);
        QVERIFY2(QLineF(arrow.p2(), place).length() < 3,
                 qPrintable(QString::number(QLineF(arrow.p2(), place).length())));
        m_test->exportBy(button, "Picture (PNG)", "noted.png");
        QVERIFY(QImage(m_test->file("noted.png")) != QImage(m_test->file("bare.png")));
        m_test->exportBy(button, "Picture (PDF)", "noted.pdf");
        QVERIFY(m_test->read("noted.pdf").startsWith("%PDF"));
    }

    void aNoteOfAPlotIsTakenAwayAndComesBack() {
        m_test->goTo(Workspace::Explore);
        m_test->run();
        clickAside();
        const auto bare = picture();
        putNote();
        const auto noted = picture();
        QVERIFY(noted != bare);
        chooseAt(box().center(), "Remove the note");
        QVERIFY(notes().empty());
        QTRY_COMPARE(picture(), bare);
        press(Qt::Key_Z);
        QCOMPARE(notes().size(), std::size_t{1});
        QTRY_COMPARE(picture(), noted);
        checkSeen();
        // By a click and a key too.
        clickAt(box().center());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Delete);
        QVERIFY(notes().empty());
        QTRY_COMPARE(picture(), bare);
        press(Qt::Key_Z);
        QTRY_COMPARE(picture(), noted);
    }

    void aNoteIsDraggedAndItsArrowStaysAtItsPlace() {
        m_test->goTo(Workspace::Explore);
        m_test->run();
        putNote();
        const auto before = box();
        const auto kept = notes().front();
        const auto [plot, at] = StudyWindow::placeAt(view(), before.center());
        const QPoint way(before.center().x() > view()->width() / 2.0 ? -90 : 90, 25);
        Hand().drag(plot, at, at + way);
        QVERIFY((box().center() - before.center() - way).manhattanLength() < 2);
        QCOMPARE(notes().front().plot, kept.plot);
        clickAside();
        checkSeen();
        press(Qt::Key_Z);
        QCOMPARE(box(), before);
        QCOMPARE(notes().front(), kept);
    }

    void aNoteOfTheCanvasWithItsArrowIsSavedAndExported() {
        auto& canvas = *window()->canvas();
        auto* port = canvas.viewport();
        const auto seen = [&](QPointF place) { return canvas.mapFromScene(place); };
        const auto cardOf = [this](const char* id) {
            return window()->canvas()->canvasScene().nodeItem({id})->cardRect();
        };
        const auto item = [this] {
            return window()->canvas()->canvasScene().notes().item(notes().front().id);
        };
        Hand::moveTo(port, seen(cardOf("gpu").bottomLeft() + QPointF(24, 32)));
        canvas.setFocus();
        QTest::keyClick(window(), Qt::Key_N);
        typeAndKeep(kWords);
        QCOMPARE(notes().size(), std::size_t{1});
        // From the dot at its upper edge to a card.
        const auto note = item()->rect();
        Hand().drag(port, seen({note.center().x(), note.top()}), seen(cardOf("fpga").center()));
        QVERIFY(notes().front().arrow == engine::NoteTarget(engine::NodeId{"fpga"}));

        FileAnswer dialog(m_test->file("canvas.svg"));
        chooseInBar("File", "Export");
        QTRY_COMPARE(dialog.asked(), 1);
        QTRY_VERIFY(QFile::exists(m_test->file("canvas.svg")));
        const DrawnSvg svg(m_test->read("canvas.svg"));
        QVERIFY(svg.isWhole);
        QVERIFY2(svg.words().contains(QLatin1String(kWords)), qPrintable(svg.words().join(u'|')));

        saveAndOpenAgain();
        QTRY_VERIFY(window()->canvas()->isVisible());
        QVERIFY(item() && item()->arrow());
        QVERIFY(cardOf("fpga").adjusted(-1, -1, 1, 1).contains(item()->arrow()->p2()));
        const auto place = window()->canvas()->mapFromScene(item()->rect()).boundingRect();
        QVERIFY(window()->canvas()->viewport()->rect().contains(place));
        const auto picture = window()->canvas()->viewport()->grab(place).toImage();
        int ink = 0;
        for (int y = 0; y < picture.height(); ++y)
            for (int x = 0; x < picture.width(); ++x)
                ink += isLike(picture.pixelColor(x, y), Theme::instance().color(ColorRole::Text));
        QVERIFY2(ink > 60, qPrintable(QString::number(ink)));
    }
};

WIDGET_TEST(PlotNotesWindowTest)
#include "plot_notes_window_test.moc"
