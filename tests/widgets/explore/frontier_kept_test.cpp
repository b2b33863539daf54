// SPDX-License-Identifier: GPL-3.0-or-later
// What a frontier is set up to: limits and goals, kept with the design.
#include "tests/widgets/explore/frontier_fixture.h"
#include "tests/widgets/widget_test.h"

#include <nlohmann/json.hpp>

class FrontierKeptTest : public FrontierFixture {
    Q_OBJECT

private slots:
    void goalsAreLinesThatLeaveNothingOut() {
        open();
        const auto beyond = page()->view()->beyond;
        typeInto("tokenGoal", "10");
        const auto& references = page()->plot()->chart().references;
        QCOMPARE(references.size(), std::size_t{1});
        QCOMPARE(references[0].at, 100.0);
        QCOMPARE(references[0].dash, ChartDash::Dashed);
        QCOMPARE(page()->view()->beyond, beyond);
    }

    void theTimeToFirstTokenCanLieAlongWithItsLimit() {
        open();
        typeInto("firstTokenLimit", "1");
        const auto run = page()->view()->run;
        auto* along = page()->tools()->findChild<QComboBox*>(QStringLiteral("frontierAlong"));
        along->setFocus();
        QTest::keyClick(along, Qt::Key_Down);
        settled();
        const auto& view = *page()->view();
        QCOMPARE(view.run, run); // no point is computed anew for it
        QCOMPARE(view.choice.shown.along, engine::FrontierAlong::FirstToken);
        const auto& chart = page()->plot()->chart();
        QVERIFY(chart.x.label.contains(QStringLiteral("first token")));
        QCOMPARE(chart.cloud->points->x.front(), view.point(view.placed.front()).ttftMedian);
        for (const auto& front : view.fronts) // less is better
            for (std::size_t i = 1; i < front.size(); ++i)
                QVERIFY(view.point(front[i]).ttftMedian < view.point(front[i - 1]).ttftMedian);
        QCOMPARE(chart.references.size(), std::size_t{1});
        QCOMPARE(chart.references[0].at, 1.0);
    }

    void theDesignKeepsWhatIsSetUpAndBringsItBack() {
        present(m_window);
        m_window->commands()->action(QStringLiteral("study.frontier"))->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(page()->view(), 120000); // its first points
        QVERIFY(!document().scenario().frontier);         // looking at it changes nothing
        QVERIFY(!document().isModified());
        const auto first = ran().definition.id;
        open();
        QVERIFY(document().scenario().frontier);
        auto* axis = page()->tools()->findChild<QComboBox*>(QStringLiteral("frontierAlong"));
        axis->setFocus();
        QTest::keyClick(axis, Qt::Key_Down);
        settled();
        QCOMPARE(page()->view()->choice.shown.along, engine::FrontierAlong::FirstToken);
        QVERIFY(page()->plot()->chart().x.label.contains(QStringLiteral("first token")));
        const auto wanted = engine::writeFrontier(ran().definition);
        const auto path = m_folder.filePath(QStringLiteral("kept.hscape"));
        document().save(path);
        document().newDesign();
        QTRY_COMPARE_WITH_TIMEOUT(ran().definition.id, first, 120000); // of a design that keeps none
        document().openFile(path);
        settled();
        QCOMPARE(engine::writeFrontier(*engine::keptFrontier(document().scenario(), *shippedCatalog())),
                 engine::writeFrontier(engine::findFrontier(*shippedCatalog(), path.toStdString())));
        QCOMPARE(ran().definition.model, std::string("llama3-1-70b"));
        QCOMPARE(page()->view()->choice.shown.along, engine::FrontierAlong::FirstToken);
        QCOMPARE(axis->currentIndex(), 1);
        QCOMPARE(engine::frontierAlong(page()->view()->point(page()->view()->placed.front()),
                                       engine::FrontierAlong::FirstToken),
                 page()->plot()->chart().cloud->points->x.front());
    }

    void undoTakesBackOneChangeAfterTheOther() {
        open();
        const auto run = page()->view()->run;
        const auto off = [this] { return page()->view()->choice.shown.off; };
        auto* box = child<QCheckBox>(page(), "H200");
        QTest::mouseClick(box, Qt::LeftButton, {}, {8, box->height() / 2});
        settled();
        QVERIFY(off().contains("H200"));
        document().undoStack()->undo();
        settled();
        QVERIFY(off().empty());
        QVERIFY(box->isChecked());
        QCOMPARE(page()->view()->run, run); // no point is computed anew for it
        document().undoStack()->redo();
        settled();
        QVERIFY(off().contains("H200"));
        while (document().undoStack()->canUndo())
            document().undoStack()->undo();
        QVERIFY(!document().scenario().frontier);
        QTRY_VERIFY_WITH_TIMEOUT(ran().definition.id != "llama-3-1-70b", 120000);
    }

    void aLimitIsDraggedAndTheFieldFollows() {
        open();
        auto* field = typeInto("tokenLimit", "20");
        typeInto("tokenGoal", "10");
        const auto references = page()->plot()->chart().references;
        QCOMPARE(references.size(), std::size_t{2});
        QCOMPARE(references[0].outside, -1);
        QCOMPARE(references[1].outside, 0); // a goal leaves nothing out
        QCOMPARE(references[1].at, 100.0);
        const auto beyond = page()->view()->beyond;
        auto* plot = page()->plot()->findChild<QCustomPlot*>();
        const auto area = page()->plot()->pointer().plotArea();
        const auto xOf = [&](double at) {
            const auto shown = page()->plot()->view().x;
            return area.left() +
                   area.width() * std::log(at / shown.lower) / std::log(shown.upper / shown.lower);
        };
        const auto inPlot = [&](double at) {
            return (QPointF(xOf(at), area.center().y()) - QPointF(plot->pos())).toPoint();
        };
        const int before = document().undoStack()->index();
        QTest::mousePress(plot, Qt::LeftButton, {}, inPlot(50));
        QTest::mouseMove(plot, inPlot(45));
        QTest::mouseMove(plot, inPlot(40));
        QVERIFY(std::abs(field->value() / 25 - 1) < 0.03); // 40 tok/s: 25 ms a token
        QTRY_VERIFY(
            page()->plot()->chart().references[0].label.contains(QString::number(field->value(), 'g', 3)));
        QCOMPARE(document().undoStack()->index(), before); // kept when it is let go
        QTest::mouseRelease(plot, Qt::LeftButton, {}, inPlot(40));
        settled();
        QCOMPARE(document().undoStack()->index(), before + 1);
        QCOMPARE(page()->view()->choice.shown.limits.timePerToken, field->value() / 1e3);
        QVERIFY(page()->view()->beyond < beyond);
        document().undoStack()->undo();
        settled();
        QCOMPARE(field->value(), 20.0);
        // Esc puts it back where it was.
        QTest::mousePress(plot, Qt::LeftButton, {}, inPlot(50));
        QTest::mouseMove(plot, inPlot(45));
        QTest::mouseMove(plot, inPlot(30));
        QVERIFY(field->value() > 30);
        QTest::keyClick(page()->plot(), Qt::Key_Escape);
        QTest::mouseRelease(plot, Qt::LeftButton, {}, inPlot(30));
        settled();
        QCOMPARE(field->value(), 20.0);
        QCOMPARE(page()->plot()->chart().references[0].at, 50.0);
    }
};

WIDGET_TEST(FrontierKeptTest)
#include "frontier_kept_test.moc"
