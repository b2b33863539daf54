// SPDX-License-Identifier: GPL-3.0-or-later
// The wheel scrolls; it turns a value only where the focus is and while Ctrl is held.
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/hand.h"
#include "tests/widgets/window/window_fixture.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/value_editor.h"
#include "widgets/inspector/choice_edit.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/number_edit.h"
#include "widgets/window/context_bar.h"
#include "widgets/window/top_bar.h"

#include <QComboBox>
#include <QPointer>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QTabBar>
#include <QTest>
#include <QWheelEvent>
#include <QtTest/qtestspontaneevent.h>

#include <algorithm>

using namespace heteroscape;
using namespace heteroscape::widgets;

class WheelTest : public WindowFixture {
    Q_OBJECT

    /// As the system tells it to the window: the event goes to the widget there (the line within a number
    /// field), then to what it lies in.
    void turn(QWidget* widget, int notches, Qt::KeyboardModifiers modifiers = {}) {
        if (auto* inner = widget->childAt(widget->rect().center()))
            widget = inner;
        const QPointF at = widget->rect().center();
        QWheelEvent wheel(at, widget->mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QSpontaneKeyEvent::setSpontaneous(&wheel);
        qApp->notify(widget, &wheel); // sendEvent() would make it one of the program's own
    }

    /// What lies in something that scrolls, and has room to.
    static QScrollArea* scrollerOf(QWidget* widget) {
        for (auto* parent = widget->parentWidget(); parent; parent = parent->parentWidget())
            if (auto* area = qobject_cast<QScrollArea*>(parent))
                return area->verticalScrollBar()->maximum() > 0 ? area : nullptr;
        return nullptr;
    }

    /// What a wheel could turn, as far as it is shown, and what it shows.
    static QList<QWidget*> fieldsOf(const QWidget* within) {
        auto found = within->findChildren<QWidget*>();
        found.removeIf([](const QWidget* widget) {
            return !widget->isVisible() || !widget->isEnabled() ||
                   !(qobject_cast<const QAbstractSpinBox*>(widget) ||
                     qobject_cast<const QComboBox*>(widget) || qobject_cast<const QSlider*>(widget) ||
                     qobject_cast<const QTabBar*>(widget));
        });
        return found;
    }
    static QString shownBy(const QWidget* field) {
        if (const auto* number = qobject_cast<const QAbstractSpinBox*>(field))
            return number->text();
        if (const auto* choice = qobject_cast<const QComboBox*>(field))
            return choice->currentText();
        if (const auto* slider = qobject_cast<const QSlider*>(field))
            return QString::number(slider->value());
        return QString::number(qobject_cast<const QTabBar*>(field)->currentIndex());
    }
    /// Turns the wheel over a field: without Ctrl, with the focus elsewhere, and then there; with Ctrl, and
    /// the focus elsewhere.
    void pass(QWidget* field) {
        const auto before = shownBy(field);
        const auto* area = scrollerOf(field);
        const auto turnBoth = [&](bool focused, Qt::KeyboardModifiers keys) {
            (focused ? field : static_cast<QWidget*>(m_window))->setFocus();
            for (const int notches : {-1, 1}) {
                const int place = area ? area->verticalScrollBar()->value() : 0;
                turn(field, notches, keys);
                m_scrolled += area && area->verticalScrollBar()->value() != place;
                QVERIFY2(shownBy(field) == before, qPrintable(field->accessibleName()));
                // A wheel that passes takes no focus either: keys would go there, and the next notch count.
                QVERIFY2(focused || !field->hasFocus(), qPrintable(field->accessibleName()));
            }
        };
        turnBoth(false, {});
        turnBoth(true, {});
        turnBoth(false, Qt::ControlModifier);
        ++m_passed;
    }
    void passAll(const QWidget* within) {
        m_passed = m_scrolled = 0;
        for (auto* field : fieldsOf(within)) {
            reveal(field, field->rect().center());
            pass(field);
        }
    }
    QPoint placeOf(QPointF scenePoint) const { return m_window->canvas()->mapFromScene(scenePoint); }
    void clickCanvas(QPoint at, Qt::KeyboardModifiers keys = {}) const {
        Hand{.keys = keys}.click(m_window->canvas()->viewport(), at);
    }
    NodeItem* card(const char* node) const { return m_window->canvas()->canvasScene().nodeItem({node}); }

    int m_passed = 0;   ///< fields
    int m_scrolled = 0; ///< how often what they lie on scrolled instead

private slots:
    void noFieldIsTurnedByAWheelThatPasses() {
        m_window->resize(1280, 600); // so that the inspector has something to scroll
        document().select({{engine::NodeId{"gpu"}}, {}});
        m_window->inspector()->finish();
        QCoreApplication::processEvents();
        passAll(m_window);
        QCOMPARE(document().undoStack()->count(), 0);
        QVERIFY2(m_passed > 10, qPrintable(QString::number(m_passed)));
        QVERIFY2(m_scrolled > 10, qPrintable(QString::number(m_scrolled)));
    }

    void noPageOfTheInspectorIsTurnedByAWheelThatPasses_data() {
        QTest::addColumn<int>("nodes"); // that are selected
        QTest::addColumn<int>("links");
        QTest::newRow("the design's") << 0 << 0;
        QTest::newRow("a node's") << 1 << 0;
        QTest::newRow("several nodes'") << 2 << 0;
        QTest::newRow("a link's") << 0 << 1;
    }
    void noPageOfTheInspectorIsTurnedByAWheelThatPasses() {
        QFETCH(int, nodes);
        QFETCH(int, links);
        m_window->resize(1280, 600); // so that there is something to scroll
        QCoreApplication::processEvents();
        clickCanvas({8, 8});
        if (nodes > 0)
            clickCanvas(placeOf(card("gpu")->cardRect().center()));
        if (nodes > 1)
            clickCanvas(placeOf(card("fpga")->cardRect().center()), Qt::ShiftModifier);
        if (links > 0)
            clickCanvas(placeOf(
                m_window->canvas()->canvasScene().linkItem({"host-fpga"})->route().boundingRect().center()));
        QCOMPARE(static_cast<int>(document().selection().nodes.size()), nodes);
        QCOMPARE(static_cast<int>(document().selection().links.size()), links);
        m_window->inspector()->finish();
        const auto before = document().scenario();
        passAll(m_window->inspector());
        QVERIFY2(m_passed > 2, qPrintable(QString::number(m_passed)));
        QVERIFY(document().scenario() == before);
        QCOMPARE(document().undoStack()->count(), 0);
    }

    void noFieldOfAnyWorkspaceIsTurnedByAWheelThatPasses() {
        auto* tabs = child<TopBar>(m_window)->tabs();
        for (int tab = 0; tab < tabs->count(); ++tab) {
            Hand().click(tabs, tabs->tabRect(tab).center());
            QCOMPARE(m_window->workspace(), static_cast<Workspace>(tab));
            QCoreApplication::processEvents();
            passAll(m_window); // the tabs themselves are among what is passed
            QVERIFY2(m_passed > 1, qPrintable(QString::number(m_passed)));
        }
        QCOMPARE(document().undoStack()->count(), 0);
    }

    void aFieldOfTheInspectorIsTurnedOnlyWhenAsked() {
        clickCanvas(placeOf(card("fpga")->cardRect().center()));
        m_window->inspector()->finish();
        const auto fields = m_window->inspector()->findChildren<NumberEdit*>();
        const auto of = [&fields](const char* path) {
            return *std::find_if(fields.begin(), fields.end(), [path](const NumberEdit* field) {
                return field->path() == path && field->isVisible();
            });
        };
        auto* count = of("nodes.fpga.count");
        auto* memory = of("nodes.fpga.device.memory_gb");
        const auto gigabytes = shownBy(memory);
        QCOMPARE(shownBy(count), QString("7"));
        Hand().click(count, QPoint(6, count->height() / 2));
        QVERIFY(count->hasFocus());
        turn(count, 1);
        QCOMPARE(shownBy(count), QString("7")); // the focus alone is no wish
        turn(memory, 1, Qt::ControlModifier);
        QCOMPARE(shownBy(memory), gigabytes); // the wish is for where the focus is
        QCOMPARE(shownBy(count), QString("7"));
        turn(count, 1, Qt::ControlModifier);
        QCOMPARE(shownBy(count), QString("8"));
        QCOMPARE(card("fpga")->card().count, 8);
        QTest::keyClick(count, Qt::Key_Return);
        QTest::keyClick(m_window, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(shownBy(count), QString("7"));
        QCOMPARE(card("fpga")->card().count, 7);
    }

    void theCountOnACardIsTurnedOnlyWhenAsked() {
        for (const bool asked : {false, true}) {
            clickCanvas(placeOf(card("fpga")->cardRect().center()));
            QTest::keyClick(m_window->canvas(), Qt::Key_Return);
            QPointer<ValueEditor> editor = m_window->canvas()->values().editor();
            QVERIFY(editor && editor->isVisible() && editor->hasFocus());
            QCOMPARE(shownBy(editor), QString("7"));
            turn(editor, 1, asked ? Qt::ControlModifier : Qt::NoModifier);
            if (asked)
                QCOMPARE(shownBy(editor), QString("8"));
            if (editor) // it may be gone, where the canvas was zoomed instead
                QTest::keyClick(editor, Qt::Key_Return);
            QCOMPARE(card("fpga")->card().count, asked ? 8 : 7);
        }
    }

    void aFieldWithTheFocusIsTurnedWhileCtrlIsHeld() {
        auto* field = child<NumberEdit>(m_window, "workload.output_tokens");
        const double before = document().scenario().workload.outputTokens.value;
        turn(field, 1, Qt::ControlModifier); // the focus is elsewhere
        QCOMPARE(document().scenario().workload.outputTokens.value, before);
        activate(m_window);
        field->setFocus();
        turn(field, 1, Qt::ControlModifier);
        QCOMPARE(document().scenario().workload.outputTokens.value, before + 1.0); // a step, not ten
        turn(field, -2, Qt::ControlModifier);
        QCOMPARE(document().scenario().workload.outputTokens.value, before - 1.0);
        auto* model = child<ChoiceEdit>(child<ContextBar>(m_window));
        const int index = model->currentIndex();
        model->setFocus();
        turn(model, -1, Qt::ControlModifier);
        QCOMPARE(model->currentIndex(), index + 1);
    }
};

WIDGET_TEST(WheelTest)
#include "wheel_test.moc"
