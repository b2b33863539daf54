// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/widget_test.h"
#include "widgets/jobs/job.h"

#include <QApplication>
#include <QTest>

#include <memory>

using heteroscape::widgets::Slices;

class SlicesTest : public QObject {
    Q_OBJECT
    int m_left = 0; ///< slices
    int m_done = 0;

    bool doOne() {
        --m_left;
        ++m_done;
        return m_left > 0;
    }

private slots:
    void init() { m_left = m_done = 0; }

    void littleWorkIsDoneAtOnce() {
        Slices slices([this] { return doOne(); });
        m_left = 1;
        slices.start();
        QCOMPARE(m_done, 1);
        QVERIFY(!slices.isBusy());
        QCoreApplication::processEvents();
        QCOMPARE(m_done, 1);
    }

    void muchGoesOnByItself() {
        Slices slices([this] { return doOne(); });
        m_left = 4;
        slices.start();
        QCOMPARE(m_done, 1);
        QVERIFY(slices.isBusy());
        QTRY_VERIFY(!slices.isBusy());
        QCOMPARE(m_done, 4);
    }

    void eventsComeInBetween() {
        Slices slices([this] { return doOne(); });
        m_left = 1000;
        slices.start();
        int doneWhenAnEventCame = 0;
        QTimer::singleShot(0, this, [&] { doneWhenAnEventCame = m_done; });
        QTRY_VERIFY(doneWhenAnEventCame > 0);
        QVERIFY(doneWhenAnEventCame < 1000);
    }

    void finishingDoesAllThatIsLeft() {
        Slices slices([this] { return doOne(); });
        slices.finish();
        QCOMPARE(m_done, 0); // there was nothing
        m_left = 5;
        slices.start();
        slices.finish();
        QCOMPARE(m_done, 5);
        QVERIFY(!slices.isBusy());
    }

    void moreThatIsKnownWithinASliceIsDoneToo() {
        std::unique_ptr<Slices> slices;
        slices = std::make_unique<Slices>([&] {
            const bool left = doOne();
            if (m_done == 1) {
                m_left = 3;
                slices->finish(); // not within itself
                slices->start();
            }
            return left;
        });
        m_left = 1;
        slices->start();
        QCOMPARE(m_done, 1);
        QTRY_VERIFY(!slices->isBusy());
        QCOMPARE(m_done, 4);
    }

    void whatIsDestroyedDoesNothingMore() {
        auto slices = std::make_unique<Slices>([this] { return doOne(); });
        m_left = 5;
        slices->start();
        slices.reset();
        QCoreApplication::processEvents();
        QCOMPARE(m_done, 1);
    }
};

WIDGET_TEST(SlicesTest)
#include "slices_test.moc"
