// SPDX-License-Identifier: GPL-3.0-or-later
// Notes on plots, written, moved and taken away with mouse and keys, kept in the design and exported.
#include "tests/widgets/explore/explore_fixture.h"

#include "engine/scenario/scenario_json.h"
#include "tests/widgets/widget_test.h"

#include <QMenu>
#include <QSignalSpy>

#include <cmath>
#include <optional>

using namespace heteroscape;
using namespace heteroscape::widgets;

class PlotNotesTest : public ExploreFixture {
    Q_OBJECT

    PlotView* view() const { return tile()->view(); }
    QWidget* drawing() const { return view()->childAt(view()->rect().center()); }
    QPoint inDrawing(QPointF at) const { return drawing()->mapFrom(view(), at.toPoint()); }
    const std::vector<engine::Note>& notes() const { return m_document->scenario().notes; }
    void add(const QString& words) {
        view()->setFocus();
        QTest::keyClick(view(), Qt::Key_N);
        auto* editor = view()->notes().editor();
        QVERIFY(editor);
        QTest::keyClicks(editor, words);
        QTest::keyClick(editor, Qt::Key_Return, Qt::ControlModifier);
    }
    void ready() { runByClick(); }

private slots:
    void aNoteIsWrittenMovedChangedAndTakenAwayAndEachCanBeUndone() {
        ready();
        add(QStringLiteral("more FPGAs do not help"));
        QCOMPARE(notes().size(), std::size_t{1});
        const auto written = notes().front();
        QVERIFY(written.plot && !written.plot->plot.empty());
        QCOMPARE(view()->chart().notes.size(), std::size_t{1});
        // Another plot has none of it.
        QVERIFY(tile(1)->view()->chart().notes.empty());
        // It is dragged by its box.
        const auto box = view()->notes().boxOf(written.id.value);
        QVERIFY(view()->rect().toRectF().contains(box));
        const auto from = inDrawing(box.center()), to = from + QPoint(-40, 30);
        QTest::mousePress(drawing(), Qt::LeftButton, {}, from);
        QTest::mouseMove(drawing(), (from + to) / 2);
        QTest::mouseMove(drawing(), to);
        QTest::mouseRelease(drawing(), Qt::LeftButton, {}, to);
        QCOMPARE(m_document->undoStack()->undoText(), QStringLiteral("Move a note"));
        QVERIFY(notes().front().position != written.position);
        QCOMPARE(notes().front().plot, written.plot);
        m_document->undoStack()->undo();
        QCOMPARE(notes().front(), written);
        QCOMPARE(view()->chart().notes.front().offset.x(), written.position.x);
        // A double click writes in it.
        QTest::mouseDClick(drawing(), Qt::LeftButton, {}, inDrawing(box.center()));
        auto* editor = view()->notes().editor();
        QVERIFY(editor);
        QTest::keyClicks(editor, QStringLiteral("beyond four"));
        QTest::keyClick(editor, Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(notes().front().text, std::string("beyond four"));
        // Delete takes it away.
        QTest::mouseClick(drawing(), Qt::LeftButton, {},
                          inDrawing(view()->notes().boxOf(written.id.value).center()));
        QCOMPARE(view()->notes().chosen(), written.id.value);
        QTest::keyClick(view(), Qt::Key_Delete);
        QVERIFY(notes().empty());
        QVERIFY(view()->chart().notes.empty());
        m_document->undoStack()->undo();
        QCOMPARE(view()->chart().notes.front().text, QStringLiteral("beyond four"));
    }

    void aNewNoteHidesNoStar() {
        ready();
        const auto& chart = view()->chart();
        QVERIFY(!chart.stars.empty());
        std::optional<QPointF> star;
        for (std::size_t i = 0; i < chart.lines.size(); ++i)
            for (std::size_t k = 0; k < chart.lines[i].x.size(); ++k)
                if (chart.lines[i].x[k] == chart.stars[0].x && chart.lines[i].y[k] == chart.stars[0].y)
                    star = view()->pixelOf({static_cast<int>(i), static_cast<int>(k)});
        QVERIFY(star);
        view()->notes().addAt(*star + QPointF(-88, 40)); // a note up and to the right would lie on it
        auto* editor = view()->notes().editor();
        QVERIFY(editor);
        QTest::keyClicks(editor, QStringLiteral("the best"));
        QTest::keyClick(editor, Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(notes().size(), std::size_t{1});
        const auto box = view()->notes().boxOf(notes().front().id.value);
        QVERIFY(box.isValid() && !box.contains(*star));
    }

    void anEmptyNoteAndEscLeaveNothing() {
        ready();
        add(QString());
        QVERIFY(notes().empty());
        view()->notes().addAt(view()->rect().center());
        QTest::keyClicks(view()->notes().editor(), QStringLiteral("no"));
        QTest::keyClick(view()->notes().editor(), Qt::Key_Escape);
        QVERIFY(notes().empty() && !m_document->undoStack()->canUndo());
    }

    void wordsThatADesignCannotHoldAreTakenBackAndSaid() {
        ready();
        QSignalSpy refused(m_document.get(), &Document::refused);
        view()->setFocus();
        QTest::keyClick(view(), Qt::Key_N);
        auto* editor = view()->notes().editor();
        editor->insertPlainText(QString(4096, QLatin1Char('a')));
        QVERIFY(refused.isEmpty());
        editor->moveCursor(QTextCursor::End);
        editor->insertPlainText(QStringLiteral("b"));
        QCOMPARE(refused.size(), 1);
        QVERIFY(refused.front().front().toString().contains(QStringLiteral("4096 bytes")));
        QVERIFY(!editor->toPlainText().contains(QLatin1Char('b')));
        QTest::keyClick(editor, Qt::Key_Escape);
    }

    void theMenuAddsANoteWhereItWasOpened() {
        ready();
        const auto at = view()->pointer().plotArea().center() + QPointF(30, 10);
        QTest::mousePress(drawing(), Qt::RightButton, {}, inDrawing(at));
        QTest::mouseRelease(drawing(), Qt::RightButton, {}, inDrawing(at));
        auto* menu = view()->findChild<QMenu*>(QStringLiteral("plotMenu"));
        QVERIFY(menu);
        QAction* found = nullptr;
        for (auto* action : menu->actions())
            if (action->text() == QStringLiteral("Add a note here"))
                found = action;
        QVERIFY(found);
        found->trigger();
        menu->close();
        QTest::keyClicks(view()->notes().editor(), QStringLiteral("here"));
        QTest::keyClick(view()->notes().editor(), Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(notes().size(), std::size_t{1});
        QVERIFY(std::isfinite(notes().front().plot->x) && std::isfinite(notes().front().plot->y));
    }

    void itIsKeptInTheFileAndInPictures() {
        ready();
        QTemporaryDir folder;
        auto* exports = tile()->exportButton();
        const auto svg = [&](const QString& name) {
            const auto path = folder.filePath(name);
            if (!exports->exportTo(path))
                qFatal("not exported");
            return bytesOf(path);
        };
        QVERIFY(!svg(QStringLiteral("bare.svg")).contains("knee"));
        add(QStringLiteral("the knee"));
        QVERIFY(svg(QStringLiteral("noted.svg")).contains("the knee"));
        const auto text = engine::scenarioText(m_document->scenario());
        QVERIFY(text.find("the knee") != std::string::npos);
    }
};

WIDGET_TEST(PlotNotesTest)
#include "plot_notes_test.moc"
