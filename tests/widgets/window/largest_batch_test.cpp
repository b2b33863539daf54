// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/evaluate.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/window_fixture.h"
#include "widgets/explore/limit_list.h"
#include "widgets/theme/text_label.h"
#include "widgets/window/command_palette.h"
#include "widgets/window/study_flow.h"

#include <QLineEdit>
#include <QPushButton>

using namespace heteroscape;
using namespace heteroscape::widgets;

class LargestBatchTest : public WindowFixture {
    Q_OBJECT

    LargestBatchDialog* open() {
        auto* palette = m_window->openCommandPalette();
        QTest::keyClicks(child<QLineEdit>(palette), QStringLiteral("largest batch"));
        QTest::keyClick(child<QLineEdit>(palette), Qt::Key_Return);
        return m_window->findChild<LargestBatchDialog*>();
    }

private slots:
    void twoKeysSetTheLargestBatch() {
        auto* dialog = open();
        QVERIFY(dialog && dialog->isVisible());
        QTRY_VERIFY(child<QPushButton>(dialog, "setBatch")->isEnabled());
        QVERIFY2(child<TextLabel>(dialog, "answer")->text().startsWith(QStringLiteral("Batch ")),
                 qPrintable(child<TextLabel>(dialog, "answer")->text()));
        const auto batch = child<TextLabel>(dialog, "answer")->text().mid(6).toDouble();
        QTest::keyClick(dialog, Qt::Key_Return);
        QCOMPARE(document().scenario().workload.batch.value, batch);
        const auto within = [&](double value) {
            auto scenario = document().scenario();
            scenario.workload.batch.value = value;
            const auto evaluation = engine::evaluate(scenario);
            return evaluation.feasible && evaluation.metric(engine::Metric::TimePerToken) <= 0.05 &&
                   evaluation.metric(engine::Metric::TimeToFirstToken) <= 2.0;
        };
        QVERIFY(within(batch));
        QVERIFY(!within(batch + 1));
        document().undoStack()->undo(); // one step
        QVERIFY(!document().undoStack()->canUndo());
    }

    void whatHasNoAnswerSaysWhichLimit() {
        auto* dialog = open();
        QTRY_VERIFY(child<QPushButton>(dialog, "setBatch")->isEnabled());
        child<LimitList>(dialog)->setLimits({{.column = "ttft_s", .most = 1e-6}});
        emit child<LimitList>(dialog)->changed();
        QTRY_COMPARE(child<TextLabel>(dialog, "answer")->text(), QStringLiteral("No batch"));
        QVERIFY(!child<QPushButton>(dialog, "setBatch")->isEnabled());
        QTest::keyClick(dialog, Qt::Key_Escape);
        QVERIFY(!document().undoStack()->canUndo());
    }
};

WIDGET_TEST(LargestBatchTest)
#include "largest_batch_test.moc"
