// SPDX-License-Identifier: GPL-3.0-or-later
// Notes on the canvas of the program's window, by hand: written, moved, resized, pointed, exported.
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/hand.h"
#include "tests/widgets/window/window_fixture.h"
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_notes.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/note_layer.h"
#include "widgets/inspector/inspector.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/window_exports.h"

#include "engine/base/file.h"
#include "engine/scenario/scenario_json.h"

#include <nlohmann/json.hpp>

#include <QToolButton>

#include <cmath>

using namespace heteroscape;
using namespace heteroscape::widgets;

class NotesTest : public WindowFixture {
    Q_OBJECT

    CanvasView& canvas() const { return *m_window->canvas(); }
    QWidget* port() const { return canvas().viewport(); }
    NoteLayer& layer() const { return canvas().canvasScene().notes(); }
    NoteEditor* editor() const { return canvas().notes().editor(); }
    const std::vector<engine::Note>& notes() const { return document().scenario().notes; }
    QPoint seen(QPointF scenePoint) const { return canvas().mapFromScene(scenePoint); }
    QRectF cardOf(const char* id) const { return canvas().canvasScene().nodeItem({id})->cardRect(); }
    QRectF rectOf(std::size_t note) const { return layer().item(notes()[note].id)->rect(); }
    /// Below a card, where nothing is.
    QPointF free() const { return cardOf("gpu").bottomLeft() + QPointF(24, 32); }

    /// Puts one at a free place as a user does, and lets it be selected.
    void write(const char* words) {
        Hand::moveTo(port(), seen(free()));
        canvas().setFocus();
        QTest::keyClick(m_window, Qt::Key_N);
        QVERIFY(editor());
        QTest::keyClicks(editor(), words);
        QTest::keyClick(editor(), Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(!editor());
    }
    void drag(QPointF from, QPointF to) { Hand().drag(port(), seen(from), seen(to)); }
    QMenu* menuAt(QPointF place) {
        QContextMenuEvent event(QContextMenuEvent::Mouse, seen(place), port()->mapToGlobal(seen(place)));
        QApplication::sendEvent(port(), &event);
        return openMenu();
    }
    std::optional<engine::NoteTarget> arrow() const { return notes().front().arrow; }

private slots:
    void oneIsWrittenWhereThePointerIs() {
        const auto key = engine::scenarioKey(document().scenario());
        write("two words");
        QCOMPARE(notes().size(), std::size_t{1});
        QCOMPARE(notes()[0].text, std::string("two words"));
        QVERIFY(QLineF(rectOf(0).topLeft(), free()).length() < 2 * kSnap);
        QCOMPARE(document().selection(), (Selection{{}, {}, {notes()[0].id}}));
        QVERIFY(engine::scenarioKey(document().scenario()) == key);
        QVERIFY(canvas().accessibleDescription().contains(QStringLiteral("Note: two words")));
        QCOMPARE(document().undoStack()->undoText(), QStringLiteral("Add a note"));
        m_test->undo();
        QVERIFY(notes().empty());
        QVERIFY(!layer().at(free() + QPointF(20, 20)));
        document().undoStack()->redo();
        QVERIFY(layer().at(free() + QPointF(20, 20)));
    }

    void escapeLeavesNothingAndAClickOutsideKeeps() {
        auto* command = m_window->commands()->action(QStringLiteral("edit.note"));
        QVERIFY(command && command->isEnabled());
        command->trigger();
        QVERIFY(editor());
        QVERIFY(!editor()->accessibleName().isEmpty());
        QTest::keyClicks(editor(), "never mind");
        QTest::keyClick(editor(), Qt::Key_Escape);
        QVERIFY(!editor());
        QVERIFY(notes().empty());
        QVERIFY(canvas().hasFocus());

        command->trigger();
        QTest::keyClicks(editor(), "one");
        QTest::keyClick(editor(), Qt::Key_Return);
        QTest::keyClicks(editor(), "two");
        Hand().click(port(), QPoint(20, 20));
        QVERIFY(!editor());
        QCOMPARE(notes().size(), std::size_t{1});
        QCOMPARE(notes()[0].text, std::string("one\ntwo"));
        m_window->setWorkspace(Workspace::Explore);
        QVERIFY(!command->isEnabled());
    }

    void whatIsBeingWrittenIsSavedToo() {
        m_test->savePath = m_test->file("noted.hscape");
        m_window->commands()->action(QStringLiteral("edit.note"))->trigger();
        QTest::keyClicks(editor(), "half a thought");
        m_window->commands()->action(QStringLiteral("file.save"))->trigger();
        QCOMPARE(notes().size(), std::size_t{1});
        QTRY_VERIFY(!document().file().isSaving() && !document().isModified());
        const auto saved = engine::loadScenario(m_test->savePath.toStdString(), document().catalog());
        QVERIFY(saved.notes == notes());
    }

    void theBarOfTheCanvasHasItToo() {
        QToolButton* button = nullptr;
        for (auto* one : port()->findChildren<QToolButton*>())
            if (one->accessibleName().startsWith(QStringLiteral("Add a note")))
                button = one;
        QVERIFY(button);
        click(button);
        QVERIFY(editor());
        QVERIFY(port()->rect().contains(editor()->geometry()));
        QTest::keyClick(editor(), Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(notes().empty()); // nothing was written
    }

    void oneFromTheBarCoversNoCard() {
        settle();
        const auto middle = canvas().camera().seen().center();
        QVERIFY(document().perform(
            engine::MoveNode{{"host"}, toPosition(middle - QPointF(kCardWidth, kCardHeight) / 2)}));
        for (std::size_t written = 1; written <= 2; ++written) {
            canvas().notes().addInMiddle();
            QVERIFY(editor());
            QTest::keyClicks(editor(), "beside");
            QTest::keyClick(editor(), Qt::Key_Return, Qt::ControlModifier);
            QCOMPARE(notes().size(), written);
            for (const auto& node : document().scenario().nodes)
                QVERIFY2(!cardOf(node.id.value.c_str()).intersects(rectOf(written - 1)),
                         node.id.value.c_str());
        }
        QVERIFY(!rectOf(0).intersects(rectOf(1)));
    }

    void picturesShowNeitherTheSelectionNorTheCanvas() {
        settle();
        write("plain");
        const auto picture = [this](const char* name) {
            exportCanvas(canvas(), m_test->file(name));
            return QImage(m_test->file(name)).convertToFormat(QImage::Format_RGB32);
        };
        document().select({});
        const auto plain = picture("plain.png");
        document().select({{{"gpu"}}, {document().scenario().links.front().id}, {notes()[0].id}});
        QCOMPARE(picture("selected.png"), plain);
        QVERIFY(canvas().canvasScene().nodeItem({"gpu"})->card().selected); // still, on the canvas
        QCOMPARE(plain.pixelColor(1, 1), Theme::lightColor(ColorRole::Surface));
        QVERIFY(Theme::lightColor(ColorRole::Canvas) != Theme::lightColor(ColorRole::Surface));
        QCOMPARE(canvas().canvasScene().backgroundBrush().style(), Qt::NoBrush);
    }

    void aDoubleClickWritesAnew() {
        write("first");
        Hand().doubleClick(port(), seen(rectOf(0).center()));
        QVERIFY(editor());
        QCOMPARE(editor()->toPlainText(), QStringLiteral("first"));
        QString longText;
        for (int i = 0; i < 12; ++i)
            longText += QStringLiteral("line %1\n").arg(i);
        editor()->setPlainText(longText);
        QTest::keyClick(editor(), Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(notes()[0].height > 12 * 13); // it grew with its words
        QCOMPARE(document().undoStack()->undoText(), QStringLiteral("Write in a note"));

        // By keys, and emptied.
        QTest::keyClick(&canvas(), Qt::Key_Return);
        QVERIFY(editor());
        editor()->insertPlainText(QString(5000, u'x')); // more than a design can hold
        QVERIFY(editor()->toPlainText().size() <= 4096);
        editor()->clear();
        QTest::keyClick(editor(), Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(notes().empty());
    }

    void oneIsDraggedNudgedAndResized() {
        write("moves");
        const auto before = rectOf(0);
        drag(before.center(), before.center() + QPointF(160, 40));
        QVERIFY(QLineF(rectOf(0).topLeft(), before.topLeft() + QPointF(160, 40)).length() < 2 * kSnap);
        QCOMPARE(document().undoStack()->undoText(), QStringLiteral("Move a note"));
        const auto steps = document().undoStack()->count();
        const auto placed = rectOf(0);
        canvas().setFocus();
        QTest::keyClick(&canvas(), Qt::Key_Right);
        QCOMPARE(rectOf(0).left(), placed.left() + kSnap);
        QCOMPARE(document().undoStack()->count(), steps + 1);

        const auto corner = rectOf(0).bottomRight() - QPointF(4, 4);
        drag(corner, corner + QPointF(80, 56));
        QVERIFY(std::fabs(rectOf(0).width() - before.width() - 80) < kSnap);
        QVERIFY(std::fabs(rectOf(0).height() - before.height() - 56) < kSnap);
        const auto now = rectOf(0).bottomRight() - QPointF(4, 4);
        drag(now, rectOf(0).topLeft());
        QVERIFY(rectOf(0).width() >= 80); // its words can still be read
        QVERIFY(rectOf(0).height() >= 24);

        // With the nodes that are selected too, as one step.
        const auto node = cardOf("gpu").topLeft();
        const auto note = rectOf(0).topLeft();
        document().select({{{"gpu"}}, {}, {notes()[0].id}});
        drag(cardOf("gpu").center(), cardOf("gpu").center() + QPointF(0, 48));
        QCOMPARE(cardOf("gpu").topLeft() - node, rectOf(0).topLeft() - note);
        QVERIFY(cardOf("gpu").topLeft() != node);
        QCOMPARE(document().undoStack()->undoText(), QStringLiteral("Move 1 node and 1 note"));
    }

    void anArrowIsDrawnAndTakenOff() {
        write("look here");
        const auto handle = [this] { return QPointF(rectOf(0).center().x(), rectOf(0).top()); };
        drag(handle(), cardOf("fpga").center());
        QVERIFY(arrow() == engine::NoteTarget(engine::NodeId{"fpga"}));
        QVERIFY(canvas().accessibleDescription().contains(QStringLiteral("points at Alveo U280")));
        auto line = *layer().item(notes()[0].id)->arrow();
        QVERIFY(cardOf("fpga").adjusted(-1, -1, 1, 1).contains(line.p2()));
        QVERIFY(rectOf(0).adjusted(-1, -1, 1, 1).contains(line.p1()));

        // It follows what it points at.
        drag(cardOf("fpga").center(), cardOf("fpga").center() + QPointF(0, 80));
        line = *layer().item(notes()[0].id)->arrow();
        QVERIFY(cardOf("fpga").adjusted(-1, -1, 1, 1).contains(line.p2()));

        const auto& route = canvas().canvasScene().linkItem({"host-fpga"})->route();
        drag(handle(), (route[0] + route[1]) / 2);
        QVERIFY(arrow() == engine::NoteTarget(engine::LinkId{"host-fpga"}));

        const auto place = free() + QPointF(300, 40);
        drag(handle(), place);
        QVERIFY(arrow() && std::holds_alternative<engine::Position>(*arrow()));
        drag(handle(), rectOf(0).center()); // not outside: nothing changes
        QVERIFY(arrow() && std::holds_alternative<engine::Position>(*arrow()));

        QVERIFY(menuAt(rectOf(0).center()));
        choose(openMenu(), QStringLiteral("Take the arrow off"));
        QVERIFY(!arrow());
        m_test->undo();
        QVERIFY(arrow());

        // What it points at goes, and comes back with its arrow.
        drag(handle(), cardOf("host").center());
        document().perform(engine::removeEdit(document().scenario(), {{"host"}}, {}));
        QVERIFY(!arrow());
        QVERIFY(!layer().item(notes()[0].id)->arrow());
        m_test->undo();
        QVERIFY(arrow() == engine::NoteTarget(engine::NodeId{"host"}));
        QVERIFY(layer().item(notes()[0].id)->arrow());
    }

    void theMenuOfTheCanvasPlacesOne() {
        QVERIFY(menuAt(free()));
        choose(openMenu(), QStringLiteral("Add a note"));
        QVERIFY(editor());
        QTest::keyClicks(editor(), "here");
        QTest::keyClick(editor(), Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(QLineF(rectOf(0).topLeft(), free()).length() < 2 * kSnap);
        QVERIFY(menuAt(rectOf(0).center()));
        choose(openMenu(), QStringLiteral("Edit the note"));
        QVERIFY(editor());
        QTest::keyClick(editor(), Qt::Key_Escape);
    }

    void oneIsSelectedRemovedAndCopiedLikeANode() {
        write("a");
        canvas().setFocus();
        document().select({});
        QTest::keyClick(&canvas(), Qt::Key_Backtab, Qt::ShiftModifier); // the last of all
        QCOMPARE(document().selection(), (Selection{{}, {}, {notes()[0].id}}));
        m_window->commands()->action(QStringLiteral("edit.duplicate"))->trigger();
        QCOMPARE(notes().size(), std::size_t{2});
        QCOMPARE(document().selection().notes, std::vector{notes()[1].id});
        m_window->commands()->action(QStringLiteral("edit.cut"))->trigger();
        QCOMPARE(notes().size(), std::size_t{1});
        m_window->commands()->action(QStringLiteral("edit.paste"))->trigger();
        QCOMPARE(notes().size(), std::size_t{2});
        m_window->commands()->action(QStringLiteral("edit.selectAll"))->trigger();
        QCOMPARE(document().selection().notes.size(), std::size_t{2});
        Hand().click(port(), seen(rectOf(0).topLeft() + QPointF(20, 8)));
        QCOMPARE(document().selection().notes.size(), std::size_t{1});
        QCOMPARE(document().selection().nodes.size(), std::size_t{0});
        m_window->commands()->action(QStringLiteral("edit.delete"))->trigger();
        QCOMPARE(notes().size(), std::size_t{1});
    }

    void theyAreSavedAndDrawnInPictures() {
        write("Prefill is idle here");
        drag(QPointF(rectOf(0).center().x(), rectOf(0).top()), cardOf("gpu").center());
        const auto again = engine::readScenario(
            engine::parseJson(engine::scenarioText(document().scenario()), "d"), document().catalog(), "d");
        QVERIFY(again == document().scenario());
        for (const auto* name : {"canvas.svg", "canvas.png", "canvas.pdf"})
            exportCanvas(canvas(), m_test->file(name));
        const auto svg = QString::fromStdString(engine::readFile(m_test->file("canvas.svg").toStdString()));
        QVERIFY(svg.contains(QStringLiteral("Prefill is idle here")));
        QVERIFY(canvas().canvasScene().contentRect().contains(rectOf(0)));
    }

    void theyAreDrawnAtEveryZoomInBothThemes() {
        write("Seven cards share one host: watch the link between them");
        drag(QPointF(rectOf(0).center().x(), rectOf(0).top()), cardOf("gpu").center());
        const auto folder = qEnvironmentVariable("HETEROSCAPE_PICTURES"); // to look at them
        for (const auto mode : {ThemeMode::Light, ThemeMode::Dark}) {
            Theme::instance().setMode(mode);
            for (const double zoom : {1.0, 0.5, 0.3, 0.1}) {
                canvas().camera().setZoom(zoom);
                const auto place = canvas().mapFromScene(rectOf(0)).boundingRect();
                const auto picture = port()->grab(place).toImage();
                QVERIFY(picture.pixelColor(picture.width() / 2, picture.height() - 3) !=
                        Theme::instance().color(ColorRole::Canvas));
                if (!folder.isEmpty())
                    m_window->grab().save(QStringLiteral("%1/notes-%2-%3.png")
                                              .arg(folder)
                                              .arg(mode == ThemeMode::Dark ? u"dark" : u"light")
                                              .arg(zoom));
            }
        }
        Theme::instance().setMode(ThemeMode::System);
    }
};

WIDGET_TEST(NotesTest)
#include "notes_test.moc"
