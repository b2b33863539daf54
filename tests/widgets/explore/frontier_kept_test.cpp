// SPDX-License-Identifier: GPL-3.0-or-later
// What a frontier is set up to: limits and goals, kept with the design.
#include "tests/widgets/explore/frontier_fixture.h"
#include "tests/widgets/widget_test.h"
#include "widgets/plots/plot_pointer.h"

#include <nlohmann/json.hpp>

class FrontierKeptTest : public FrontierFixture {
    Q_OBJECT

private slots:
    void goalsAreLinesThatLeaveNothingOut() {
        open();
        const auto all = keptCount();
        typeInto("tokenGoal", "10");
        const auto& references = chart().references;
        QCOMPARE(references.size(), std::size_t{1});
        QCOMPARE(references[0].at, 100.0);
        QCOMPARE(references[0].dash, ChartDash::Dashed);
        QCOMPARE(keptCount(), all);
    }

    void theTimeToFirstTokenCanLieAlongWithItsLimit() {
        open();
        typeInto("firstTokenLimit", "1");
        const auto before = explore()->study();
        down("frontierAlong");
        QCOMPARE(explore()->study(), before); // no point is computed anew for it
        QCOMPARE(definition().shown.along, engine::FrontierAlong::FirstToken);
        QVERIFY(chart().x.label.contains(QStringLiteral("First token")));
        const auto along = engine::rates::kFirstTokenMedian;
        for (std::size_t row = 0; row < table().rows(); ++row)
            if (std::isfinite(chart().cloud->points->x[row]))
                QCOMPARE(chart().cloud->points->x[row], at(along, row));
        for (const auto& group : fronts().groups) // less is better
            for (std::size_t i = 1; i < group.rows.size(); ++i)
                QVERIFY(at(along, group.rows[i]) < at(along, group.rows[i - 1]));
        QCOMPARE(chart().references.size(), std::size_t{1});
        QCOMPARE(chart().references[0].at, 1.0);
        QCOMPARE(chart().references[0].outside, 1);
    }

    void theDesignKeepsWhatIsSetUpAndBringsItBack() {
        present(m_window);
        command("study.frontier");
        settled();
        QVERIFY(!document().scenario().frontier); // looking at it changes nothing
        QVERIFY(!document().isModified());
        const auto first = definition().id;
        open(true);
        QVERIFY(document().scenario().frontier);
        auto* along = down("frontierAlong");
        QVERIFY(chart().x.label.contains(QStringLiteral("First token")));
        const auto wanted = engine::writeFrontier(definition());
        const auto path = m_folder.filePath(QStringLiteral("kept.hscape"));
        document().save(path);
        QTRY_VERIFY(!document().isModified());
        document().newDesign();
        QTRY_COMPARE_WITH_TIMEOUT(definition().id, first, 120000); // of a design that keeps none
        document().openFile(path);
        settled();
        QCOMPARE(engine::writeFrontier(*engine::keptFrontier(document().scenario(), *shippedCatalog())),
                 wanted);
        QCOMPARE(engine::writeFrontier(engine::findFrontier(*shippedCatalog(), path.toStdString())), wanted);
        QCOMPARE(definition().model, std::string("llama3-1-70b"));
        QCOMPARE(definition().shown.along, engine::FrontierAlong::FirstToken);
        QCOMPARE(along->currentIndex(), 1);
        QCOMPARE(tile()->plot().metrics.front(), std::string(engine::rates::kFirstTokenMedian));
    }

    void undoTakesBackOneChangeAfterTheOther() {
        open();
        const auto rows = table().rows();
        auto* box = child<QCheckBox>(setup(), "H200");
        QTest::mouseClick(box, Qt::LeftButton, {}, {8, box->height() / 2});
        settled();
        QVERIFY(definition().shown.off.contains("H200"));
        document().undoStack()->undo();
        settled();
        QVERIFY(definition().shown.off.empty());
        QVERIFY(child<QCheckBox>(setup(), "H200")->isChecked());
        QCOMPARE(table().rows(), rows);
        document().undoStack()->redo();
        settled();
        QVERIFY(definition().shown.off.contains("H200"));
        while (document().undoStack()->canUndo())
            document().undoStack()->undo();
        QVERIFY(!document().scenario().frontier);
        QTRY_VERIFY_WITH_TIMEOUT(definition().id != "llama-3-1-70b", 120000);
    }

    void aLimitIsDraggedAndTheFieldFollows() {
        open();
        auto* field = typeInto("tokenLimit", "20");
        typeInto("tokenGoal", "10");
        const auto references = chart().references;
        QCOMPARE(references.size(), std::size_t{2});
        QCOMPARE(references[0].outside, -1);
        QCOMPARE(references[1].outside, 0); // a goal leaves nothing out
        QCOMPARE(references[1].at, 100.0);
        const auto kept = keptCount();
        auto* drawing = plot()->findChild<QCustomPlot*>();
        const auto area = plot()->pointer().plotArea();
        const auto xOf = [&](double at) {
            const auto shown = plot()->view().x;
            return area.left() +
                   area.width() * std::log(at / shown.lower) / std::log(shown.upper / shown.lower);
        };
        const auto inPlot = [&](double at) {
            return (QPointF(xOf(at), area.center().y()) - QPointF(drawing->pos())).toPoint();
        };
        const int before = document().undoStack()->index();
        QTest::mousePress(drawing, Qt::LeftButton, {}, inPlot(50));
        QTest::mouseMove(drawing, inPlot(45));
        QTest::mouseMove(drawing, inPlot(40));
        QVERIFY(std::abs(field->value() / 25 - 1) < 0.03); // 40 tok/s: 25 ms a token
        QTRY_VERIFY(std::abs(chart().references[0].at * field->value() / 1e3 - 1) < 0.01);
        QCOMPARE(document().undoStack()->index(), before); // kept when it is let go
        QTest::mouseRelease(drawing, Qt::LeftButton, {}, inPlot(40));
        settled();
        QCOMPARE(document().undoStack()->index(), before + 1);
        QCOMPARE(definition().shown.limits.timePerToken, field->value() / 1e3);
        QVERIFY(keptCount() > kept);
        document().undoStack()->undo();
        settled();
        QCOMPARE(field->value(), 20.0);
        QCOMPARE(keptCount(), kept);
        // Esc puts it back where it was.
        QTest::mousePress(drawing, Qt::LeftButton, {}, inPlot(50));
        QTest::mouseMove(drawing, inPlot(45));
        QTest::mouseMove(drawing, inPlot(30));
        QVERIFY(field->value() > 30);
        QTest::keyClick(plot(), Qt::Key_Escape);
        QTest::mouseRelease(drawing, Qt::LeftButton, {}, inPlot(30));
        settled();
        QCOMPARE(field->value(), 20.0);
        QCOMPARE(chart().references[0].at, 50.0);
        QCOMPARE(keptCount(), kept);
    }
};

WIDGET_TEST(FrontierKeptTest)
#include "frontier_kept_test.moc"
