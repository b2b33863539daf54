// SPDX-License-Identifier: GPL-3.0-or-later
// The wheel scrolls; it turns a value only where the focus is and while Ctrl is held.
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/window_fixture.h"
#include "widgets/inspector/choice_edit.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/number_edit.h"
#include "widgets/window/context_bar.h"

#include <QComboBox>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QTest>
#include <QWheelEvent>
#include <QtTest/qtestspontaneevent.h>

using namespace heteroscape;
using namespace heteroscape::widgets;

class WheelTest : public WindowFixture {
    Q_OBJECT

    /// As the system tells it to the window: the event goes to the widget there, then to what it lies in.
    void turn(QWidget* widget, int notches, Qt::KeyboardModifiers modifiers = {}) {
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

private slots:
    void noFieldIsTurnedByAWheelThatPasses() {
        m_window->resize(1280, 600); // so that the inspector has something to scroll
        document().select({{engine::NodeId{"gpu"}}, {}});
        m_window->inspector()->finish();
        QCoreApplication::processEvents();
        int fields = 0;
        int scrolled = 0;
        QList<QWidget*> found;
        for (auto* widget : m_window->findChildren<QWidget*>())
            if (widget->isVisible() && widget->isEnabled() &&
                (qobject_cast<QAbstractSpinBox*>(widget) || qobject_cast<QComboBox*>(widget) ||
                 qobject_cast<QSlider*>(widget)))
                found << widget;
        for (auto* widget : found) {
            ++fields;
            auto* area = scrollerOf(widget);
            for (const bool focused : {false, true}) {
                if (focused)
                    widget->setFocus();
                else
                    m_window->setFocus();
                for (const int notches : {-1, 1}) {
                    if (area)
                        area->ensureWidgetVisible(widget, 50, 200);
                    const int before = area ? area->verticalScrollBar()->value() : 0;
                    turn(widget, notches);
                    scrolled += area && area->verticalScrollBar()->value() != before;
                    QCOMPARE(document().undoStack()->count(), 0);
                }
            }
        }
        QVERIFY2(fields > 10, qPrintable(QString::number(fields)));
        QVERIFY2(scrolled > 10, qPrintable(QString::number(scrolled)));
    }

    void aFieldWithTheFocusIsTurnedWhileCtrlIsHeld() {
        auto* field = m_window->contextBar()->field("workload.output_tokens");
        const double before = document().scenario().workload.outputTokens.value;
        turn(field, 1, Qt::ControlModifier); // the focus is elsewhere
        QCOMPARE(document().scenario().workload.outputTokens.value, before);
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window));
        field->setFocus();
        turn(field, 1, Qt::ControlModifier);
        QCOMPARE(document().scenario().workload.outputTokens.value, before + 1.0); // a step, not ten
        turn(field, -2, Qt::ControlModifier);
        QCOMPARE(document().scenario().workload.outputTokens.value, before - 1.0);
        auto* model = m_window->contextBar()->model();
        const int index = model->currentIndex();
        model->setFocus();
        turn(model, -1, Qt::ControlModifier);
        QCOMPARE(model->currentIndex(), index + 1);
    }
};

WIDGET_TEST(WheelTest)
#include "wheel_test.moc"
