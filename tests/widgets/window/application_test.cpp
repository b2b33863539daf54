// SPDX-License-Identifier: GPL-3.0-or-later
// What is thrown while something is handled is told in a box, and nothing else comes of it.
#include "engine/base/error.h"
#include "tests/widgets/window/test_window.h"
#include "widgets/jobs/job.h"
#include "widgets/window/application.h"

#include <QAction>
#include <QCloseEvent>
#include <QLabel>
#include <QMessageBox>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QTimer>

#include <functional>
#include <new>

using namespace heteroscape;
using namespace heteroscape::widgets;

#ifdef __SANITIZE_ADDRESS__
/// What is thrown here passes frames of Qt, which free nothing then: those leaks are not the program's.
extern "C" int __lsan_is_turned_off() {
    return 1;
}
#endif

namespace {

[[noreturn]] void refuse(const char* what) {
    engine::throwInvalid(what, "this cannot be", "Do something else");
}

QMessageBox* shownBox() {
    for (auto* widget : QApplication::topLevelWidgets())
        if (auto* box = qobject_cast<QMessageBox*>(widget); box && box->isVisible())
            return box;
    return nullptr;
}

QString shownText() {
    const auto* box = shownBox();
    return box ? box->informativeText() : QString();
}

void closeBox() {
    QTest::mouseClick(shownBox()->button(QMessageBox::Ok), Qt::LeftButton);
    QTRY_VERIFY(!shownBox());
}

/// Nothing is on its way any more.
void settle() {
    for (int turn = 0; turn < 10; ++turn)
        QApplication::processEvents();
}

/// A window that does something when it is painted and when it is closed.
class Canvas : public QWidget {
public:
    std::function<void()> onPaint, onClose;
    int painted = 0;

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        ++painted;
        if (onPaint)
            onPaint();
    }
    void closeEvent(QCloseEvent* event) override {
        event->accept();
        if (onClose)
            onClose();
    }
};

} // namespace

class ApplicationTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { startTests(); }

    void aSlotThatThrowsIsToldEachTime() {
        QPushButton button(QStringLiteral("Do"));
        connect(&button, &QPushButton::clicked, &button, [] { refuse("nodes.fpga"); });
        button.show();
        QVERIFY(QTest::qWaitForWindowExposed(&button));
        for (int turn = 0; turn < 2; ++turn) {
            QTest::mouseClick(&button, Qt::LeftButton);
            QTRY_VERIFY(shownBox());
            QCOMPARE(shownText(), QStringLiteral("nodes.fpga: this cannot be. Do something else"));
            closeBox();
            QVERIFY(button.isVisible());
            QVERIFY(!button.isDown());
        }
    }

    void theWindowLivesAfterACommandThatThrew() {
        TestWindow test;
        auto* window = test.window.get();
        auto* action = new QAction(window);
        action->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F9));
        window->addAction(action);
        std::function<void()> work = [] { refuse("a command"); };
        connect(action, &QAction::triggered, window, [&work] { work(); });
        const auto before = test.scenario();

        QTest::keyClick(window, Qt::Key_F9, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(shownText().contains(QStringLiteral("a command: this cannot be")));
        QCOMPARE(shownBox()->parentWidget(), window);
        closeBox();

        work = [] { throw std::bad_alloc(); };
        activate(window);
        QTest::keyClick(window, Qt::Key_F9, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(shownText().contains(QStringLiteral("Out of memory")));
        closeBox();

        QVERIFY(window->isVisible());
        QVERIFY(test.scenario() == before);
        test.document().set("nodes.fpga.count", "3");
        QCOMPARE(test.scenario().findNode(engine::NodeId{"fpga"})->count.value, 3.0);
        test.undo();
        QVERIFY(test.scenario() == before);
    }

    void paintingThatThrowsIsToldOnce() {
        Canvas canvas;
        canvas.resize(200, 200);
        canvas.onPaint = [] { refuse("painting"); };
        canvas.show();
        QTRY_VERIFY(shownText().contains(QStringLiteral("painting: this cannot be")));
        closeBox();
        const int painted = canvas.painted;
        for (int turn = 0; turn < 5; ++turn) {
            canvas.repaint();
            settle();
            QVERIFY(!shownBox());
        }
        QVERIFY(canvas.painted >= painted + 5);
        canvas.onPaint = {};
        canvas.repaint();
        QVERIFY(canvas.isVisible());
    }

    void whatComesMeanwhileStandsInTheSameBox() {
        QPushButton one, other;
        connect(&one, &QPushButton::clicked, &one, [] { refuse("one"); });
        connect(&other, &QPushButton::clicked, &other, [] { refuse("<b>other</b>"); });
        for (auto* button : {&one, &other, &one})
            QTest::mouseClick(button, Qt::LeftButton);
        QTRY_COMPARE(shownText(), QStringLiteral("one: this cannot be. Do something else\n\n"
                                                 "<b>other</b>: this cannot be. Do something else"));
        for (const auto* label : shownBox()->findChildren<QLabel*>())
            QVERIFY(label->text().isEmpty() || label->textFormat() == Qt::PlainText);
        closeBox();
        settle();
        QVERIFY(!shownBox());
    }

    void aJobWhoseResultCannotBeShownIsOver() {
        Job job;
        QSignalSpy finished(&job, &Job::finished);
        job.start([](JobRun&) -> Job::Show { return [] { refuse("showing"); }; });
        QTRY_VERIFY(shownText().contains(QStringLiteral("showing: this cannot be")));
        QCOMPARE(finished.size(), 1);
        QVERIFY(!job.isBusy());
        closeBox();
    }

    void aWindowThatCannotCloseStays() {
        Canvas canvas;
        canvas.show();
        canvas.onClose = [] { refuse("closing"); };
        QVERIFY(!canvas.close());
        QVERIFY(canvas.isVisible());
        QTRY_VERIFY(shownText().contains(QStringLiteral("closing: this cannot be")));
        closeBox();
        canvas.onClose = {};
        QVERIFY(canvas.close());
    }

    void whereNobodyReadsItGoesOn() {
        auto* application = static_cast<Application*>(qApp);
        Canvas canvas;
        canvas.onClose = [] { refuse("closing"); };
        application->setAttended(false);
        QCloseEvent close;
        QVERIFY_THROWS_EXCEPTION(engine::Error, QApplication::sendEvent(&canvas, &close));
        application->setAttended(true);
        settle();
        QVERIFY(!shownBox());
    }

    /// The last: after it nothing is told any more that comes by itself.
    void otherMessagesOfThatKindEndSomewhere() {
        int thrown = 0;
        QTimer timer;
        connect(&timer, &QTimer::timeout, &timer, [&thrown] {
            ++thrown;
            refuse(("timer " + std::to_string(thrown)).c_str());
        });
        timer.start(0);
        int boxes = 0;
        while (thrown < 3 * Application::kMostUnasked) {
            QApplication::processEvents();
            if (auto* box = shownBox()) {
                ++boxes;
                box->close();
            }
        }
        timer.stop();
        settle();
        if (shownBox())
            closeBox();
        QVERIFY(boxes > 0);
        QVERIFY(boxes <= Application::kMostUnasked);
        QPushButton button; // and what the user asks for is answered still
        connect(&button, &QPushButton::clicked, &button, [] { refuse("asked"); });
        button.show();
        QTest::mouseClick(&button, Qt::LeftButton);
        QTRY_VERIFY(shownText().contains(QStringLiteral("asked: this cannot be")));
        closeBox();
    }
};

int main(int argc, char** argv) {
    Application application(argc, argv);
    ApplicationTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "application_test.moc"
