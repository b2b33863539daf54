// SPDX-License-Identifier: GPL-3.0-or-later
// The inspector within the program's window: where Tab goes, what its fields show.
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/window_fixture.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/property_rows.h"

#include <QApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

using namespace heteroscape;
using namespace heteroscape::widgets;

class InspectorWindowTest : public WindowFixture {
    Q_OBJECT

    Inspector* inspector() const { return m_window->inspector(); }
    QLineEdit* name() const {
        for (const auto* row : inspector()->findChildren<TextRow*>())
            if (row->isVisibleTo(inspector()))
                return row->field();
        return nullptr;
    }

private slots:
    void tabGoesFromValueToValueOnTheDesignsPage() {
        document().select({});
        // Another kind of model has a page of its own, which is made in turns; what is made meanwhile comes
        // in between.
        QVERIFY(document().set("model", "deepseek-v3"));
        QVERIFY(name());
        QWidget::setTabOrder(name(), new QPushButton(m_window));
        QVERIFY(inspector()->focusField("workload.batch"));
        QCOMPARE(inspector()->focusedPath(), std::string("workload.batch"));
        for (const auto* next : {"workload.prompt_tokens", "workload.output_tokens"}) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            QCOMPARE(inspector()->focusedPath(), std::string(next));
        }
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Backtab);
        QCOMPARE(inspector()->focusedPath(), std::string("workload.prompt_tokens"));
    }

    void aLongNameShowsHowItBegins() {
        document().select({});
        inspector()->finish();
        const std::string words = "DeepSeek-V3 on four servers of H100 over InfiniBand, dp 32 and ep 32";
        QVERIFY(document().perform(engine::SetDescription{words, ""}));
        QVERIFY(name());
        QCOMPARE(name()->text(), QString::fromStdString(words));
        QVERIFY(!name()->hasFocus());
        QCOMPARE(name()->cursorPosition(), 0);
    }
};

WIDGET_TEST(InspectorWindowTest)
#include "inspector_window_test.moc"
