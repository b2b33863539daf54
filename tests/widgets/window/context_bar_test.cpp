// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/techniques/built_in.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/window_fixture.h"
#include "widgets/inspector/choice_edit.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/number_edit.h"
#include "widgets/window/context_bar.h"
#include "widgets/window/status_line.h"

#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

using namespace heteroscape;
using namespace heteroscape::widgets;
using engine::Metric;

class ContextBarTest : public WindowFixture {
    Q_OBJECT

    double throughput() const { return document().evaluation().metric(Metric::Throughput); }

private slots:
    void theModelIsChosenInTheContextBar() {
        auto* combo = child<ChoiceEdit>(child<ContextBar>(m_window));
        const int other = combo->findData(QStringLiteral("llama2-13b"));
        QVERIFY(other >= 0);
        combo->setFocus();
        for (int i = 0; i < combo->count() && combo->currentIndex() != other; ++i)
            QTest::keyClick(combo, combo->currentIndex() < other ? Qt::Key_Down : Qt::Key_Up);
        QCOMPARE(document().scenario().model.id, std::string("llama2-13b"));
        while (document().undoStack()->canUndo())
            document().undoStack()->undo();
        QCOMPARE(combo->currentData().toString(), QStringLiteral("llama2-7b"));
    }

    void theWorkloadIsTypedInTheContextBar() {
        auto* field = child<NumberEdit>(m_window, "workload.output_tokens");
        QVERIFY(field);
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("256"));
        QCOMPARE(document().scenario().workload.outputTokens.value, 256.0);
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("x"));
        QVERIFY(child<StatusLine>(m_window)->currentMessage().contains(QStringLiteral("whole number")));
        QCOMPARE(document().scenario().workload.outputTokens.value, 512.0);
    }

    void chipsSwitchTechniques() {
        auto* chip = child<QPushButton>(m_window, "load_merging");
        QVERIFY(chip->isChecked());
        QVERIFY(chip->text().contains(QStringLiteral("M = 4")));
        const double merged = throughput();
        QTest::mouseClick(chip, Qt::LeftButton);
        QVERIFY(!document().scenario().techniques[engine::loadMerging()].enabled);
        QTRY_VERIFY(throughput() < merged); // evaluated on a thread of its own
        QVERIFY(!chip->text().contains(QStringLiteral("M =")));
        document().undoStack()->undo();
        QVERIFY(chip->isChecked());
    }

    void precisionIsShownAndSetForAllThatRun() {
        auto* button = child<PrecisionButton>(m_window);
        QVERIFY(button->isVisible());
        const auto bits = [&] {
            QStringList texts;
            for (const auto& node : document().scenario().nodes)
                if (node.runtime)
                    texts << QString::number(node.runtime->kvBits.value);
            return texts;
        };
        const auto before = bits();
        QVERIFY(before.size() >= 2);
        const auto text = button->text();
        const auto choose = [&](int section, const QString& what) {
            emit button->menu()->aboutToShow();
            for (auto* action : button->menu()->actions())
                if (action->isSeparator())
                    --section;
                else if (section == -1 && action->text() == what)
                    return action->trigger();
            QFAIL("there is no such choice");
        };
        choose(2, QStringLiteral("4 bit"));
        for (const auto& one : bits())
            QCOMPARE(one, QStringLiteral("4"));
        QVERIFY2(button->text().endsWith(QStringLiteral(" KV4")), qPrintable(button->text()));
        document().undoStack()->undo(); // one step
        QCOMPARE(bits(), before);
        QCOMPARE(button->text(), text);
        choose(0, QStringLiteral("Other…"));
        QVERIFY(m_window->findChild<Inspector*>()->focusedPath().ends_with(".runtime.weight_bits"));
        document().newDesign();
        QVERIFY(!button->isVisible());
    }

    /// Three lists of the same numbers: what each is of is read above it.
    void theMenuOfPrecisionSaysWhatEachListIsOf() {
        auto* menu = child<PrecisionButton>(m_window)->menu();
        menu->popup(m_window->mapToGlobal(QPoint(40, 60)));
        QTRY_VERIFY(menu->isVisible());
        QStringList headings;
        int below = 0; // what has to be lower than this
        for (auto* action : menu->actions()) {
            const auto rect = menu->actionGeometry(action);
            QVERIFY2(rect.top() >= below && rect.height() > 10, qPrintable(action->text()));
            below = rect.bottom();
            if (!action->isSeparator())
                continue;
            const auto* label = qobject_cast<QLabel*>(menu->childAt(rect.center()));
            QVERIFY2(label && label->isVisible(), qPrintable(action->text()));
            QVERIFY(label->width() >= label->sizeHint().width());
            headings << label->text();
        }
        QCOMPARE(headings, QStringList({QStringLiteral("Weights"), QStringLiteral("Activations"),
                                        QStringLiteral("KV cache")}));
        QTest::keyClick(menu, Qt::Key_Down); // keys go to what can be chosen
        QVERIFY(menu->activeAction());
        QCOMPARE(menu->activeAction()->text(), QStringLiteral("16 bit"));
        menu->close();
    }

    /// Where chips of techniques that are on have no room, the menu that has them says so.
    void hiddenTechniquesThatAreOnAreCounted() {
        const auto* menu = child<QPushButton>(m_window, "techniques");
        const auto kinds = engine::techniqueKinds().all();
        const auto hidden = [&](bool on) {
            return std::count_if(kinds.begin(), kinds.end(), [&](const engine::Technique* kind) {
                return !child<QPushButton>(m_window, std::string(kind->id()).c_str())->isVisible() &&
                       document().scenario().techniques.isOn(*kind) == on;
            });
        };
        for (const bool on : {true, false}) {
            for (const auto* kind : kinds)
                document().perform(engine::SetTechnique{std::string(kind->id()), on});
            QCOMPARE(hidden(true) > 0, on);
            const auto left = hidden(true) + hidden(false);
            QCOMPARE(menu->text(), on ? QStringLiteral("%1 more, %2 on").arg(left).arg(hidden(true))
                                      : QStringLiteral("%1 more").arg(left));
        }
    }

    void narrowWindowsFoldTheTechniquesIntoAMenu() {
        m_window->resize(1280, 720);
        QTRY_VERIFY(child<ContextBar>(m_window)->isCompact());
        QVERIFY(!child<QPushButton>(m_window, "load_merging")->isVisible());
        QCOMPARE(child<QPushButton>(m_window, "techniques")->text(), QStringLiteral("Techniques (2)"));
        m_window->resize(1440, 900);
        QTRY_VERIFY(!child<ContextBar>(m_window)->isCompact());
    }
};

WIDGET_TEST(ContextBarTest)
#include "context_bar_test.moc"
