// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/evaluate.h"
#include "engine/study/hints.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/window_fixture.h"
#include "widgets/compare/compare_workspace.h"
#include "widgets/compare/designs_page.h"
#include "widgets/explain/hint_card.h"
#include "widgets/explore/explore_workspace.h"
#include "widgets/explore/study_setup.h"
#include "widgets/window/command_registry.h"

#include <QLabel>
#include <QPushButton>
#include <QToolButton>

using namespace heteroscape;
using namespace heteroscape::widgets;

class HintsTest : public WindowFixture {
    Q_OBJECT

    HintCard* open(const char* preset) {
        document().openPreset(preset);
        m_window->activateWindow();
        QTest::keyClick(m_window, Qt::Key_I, Qt::ControlModifier);
        return m_window->findChild<HintCard*>();
    }
    static QPushButton* button(HintCard* card, const char* name) {
        return card->findChild<QPushButton*>(QString::fromLatin1(name));
    }

private slots:
    void theCardSaysWhatTheEngineFinds() {
        auto* card = open("preserve/llama3-70b-4npu-measured");
        QVERIFY(card->isVisible());
        const auto expected = engine::hints(document().scenario(), document().catalog());
        QVERIFY(!expected.changes.empty());
        QTRY_COMPARE(card->hints().tried, expected.tried);
        QCOMPARE(card->hints().changes.size(), expected.changes.size());
        bool said = false;
        for (const auto* label : card->findChildren<QLabel*>())
            said = said || label->text().contains(QString::fromStdString(expected.bound));
        QVERIFY(said);
        QVERIFY(m_window->rect().contains(
            QRect(card->mapTo(m_window, QPoint()), card->size()).adjusted(0, 0, 0, 0)));
    }

    void theFirstChangeIsMadeInOneStepThatUndoTakesBack() {
        auto* card = open("preserve/llama3-70b-4npu-measured");
        QTRY_VERIFY(button(card, "tryHint"));
        const auto before = document().scenario();
        const double now = document().evaluation().metric(engine::Metric::Throughput);
        const double gain = card->hints().changes.front().gain;
        QTest::mouseClick(button(card, "tryHint"), Qt::LeftButton);
        const auto after = engine::evaluate(document().scenario());
        QCOMPARE(after.metric(engine::Metric::Throughput) / now, gain);
        document().undoStack()->undo();
        QVERIFY(document().scenario() == before);
    }

    void allChangesStandBesideTheDesignInCompare() {
        auto* card = open("preserve/llama3-70b-4npu-measured");
        QTRY_VERIFY(button(card, "compareHints"));
        const auto changes = card->hints().changes.size();
        QTest::mouseClick(button(card, "compareHints"), Qt::LeftButton);
        auto* compare = child<CompareWorkspace>(m_window);
        QVERIFY(compare->isVisible());
        QTRY_COMPARE(compare->designsPage()->designs().designs().size(), changes + 1);
    }

    void theSweepIsPutOnTheAxes() {
        auto* card = open("preserve/llama3-70b-4npu-measured");
        QTRY_VERIFY(button(card, "sweepHint"));
        const auto path = card->hints().sweep->path;
        QTest::mouseClick(button(card, "sweepHint"), Qt::LeftButton);
        auto* explore = child<ExploreWorkspace>(m_window);
        QVERIFY(explore->isVisible());
        const auto study = explore->findChild<StudySetup*>()->study();
        QVERIFY(study);
        QVERIFY(std::any_of(study->axes.begin(), study->axes.end(),
                            [&](const auto& axis) { return axis.path == path; }));
    }

    void escapePutsItAway() {
        auto* card = open("glitches/8a100");
        QVERIFY(card->isVisible());
        QTest::keyClick(card, Qt::Key_Escape);
        QVERIFY(!card->isVisible());
    }

    void itGoesWhenSomethingIsSelectedUnlessPinned() {
        auto* card = open("glitches/8a100");
        const auto ids = document().scenario().nodes;
        document().select({{ids[0].id}, {}});
        QVERIFY(!card->isVisible());

        card = open("glitches/8a100");
        auto* pin = card->findChild<QToolButton*>(QStringLiteral("pinHints"));
        QTest::mouseClick(pin, Qt::LeftButton);
        document().select({{ids[0].id}, {}});
        QVERIFY(card->isVisible());
        document().select({});
        QVERIFY(card->isVisible());
    }

    void aPinnedCardLeavesWhatIsSelectedInSight() {
        auto* card = open("glitches/8a100");
        QTRY_VERIFY(!card->isBusy());
        card->findChild<QToolButton*>(QStringLiteral("pinHints"))->click();
        const auto lies = card->geometry();
        const auto selected = QRect(lies.center(), QSize(20, 20));
        card->selectionMoved(selected);
        QVERIFY(card->isVisible());
        QVERIFY(!card->geometry().intersects(selected));
        QVERIFY(card->parentWidget()->rect().contains(card->geometry().topLeft()));
        card->selectionMoved({});
        QCOMPARE(card->geometry(), lies);
    }

    void anEmptyDesignHasNothingToHintAt() {
        auto* card = open("glitches/8a100");
        document().newDesign();
        QTRY_VERIFY(card->hints().bound.empty() && !card->isBusy());
        QVERIFY(!button(card, "tryHint"));
    }
};

WIDGET_TEST(HintsTest)
#include "hints_test.moc"
