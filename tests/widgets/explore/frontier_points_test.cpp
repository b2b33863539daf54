// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done with points of a study is done with those of a frontier.
#include "engine/base/file.h"
#include "engine/store/schema.h"
#include "engine/store/store.h"
#include "tests/widgets/explore/frontier_fixture.h"
#include "tests/widgets/widget_test.h"
#include "widgets/explore/scrub_slider.h"
#include "widgets/explore/source_forms.h"
#include "widgets/explore/study_setup.h"
#include "widgets/report/design_pictures.h"
#include "widgets/report/design_report.h"

#include <QListWidget>
#include <QSlider>

class FrontierPointsTest : public FrontierFixture {
    Q_OBJECT

    const engine::Limit* brushed(const char* column) const {
        for (const auto& stretch : marks()->brush())
            if (stretch.column == column)
                return &stretch;
        return nullptr;
    }

private slots:
    void theyAreThereWhenTheWindowOpensAgain() {
        open();
        const auto name = QString::fromStdString(table().info.name);
        const auto rows = table().rows();
        const auto id = table().info.id;
        std::vector<double> before;
        for (std::size_t row = 0; row < rows; ++row)
            before.push_back(at(engine::rates::kPerDevice, row));
        m_test->reopen(); // another design: it keeps no frontier
        m_window = m_test->window.get();
        command("view.workspace2");
        auto* list = child<StudyList>(explore())->findChild<QListWidget*>();
        const auto found = list->findItems(name, Qt::MatchExactly);
        QCOMPARE(found.size(), 1);
        list->setCurrentItem(found.front());
        emit list->itemActivated(found.front());
        QTRY_VERIFY_WITH_TIMEOUT(explore()->study() && !explore()->isBusy(), 60000);
        QCOMPARE(table().info.id, id);
        QVERIFY(setup()->isVisible()); // with its form
        QCOMPARE(definition().id, std::string("llama-3-1-70b"));
        QCOMPARE(table().rows(), rows);
        for (std::size_t row = 0; row < rows; ++row)
            QVERIFY(before[row] == at(engine::rates::kPerDevice, row) ||
                    (std::isnan(before[row]) && std::isnan(at(engine::rates::kPerDevice, row))));
        QCOMPARE(chart().lines.empty(), false); // drawn as a frontier
        QVERIFY(!document().isModified());
        // Set up again it is not computed again.
        open();
        QCOMPARE(table().info.id, id);
        // A sweep has its own form and points beside it.
        explore()->forms()->show(explore()->sweeps());
        QVERIFY(!setup()->isVisible());
        QVERIFY(!explore()->study() || !explore()->study()->isOfDesigns());
        explore()->forms()->show(explore()->frontiers());
        QCOMPARE(table().info.id, id);
    }

    void theyAreBrushed() {
        open();
        const auto all = keptCount();
        emit plot()->boxSelected(QRectF(QPointF(20, 100), QPointF(60, 1e5)));
        const auto* across = brushed(engine::rates::kPerUser);
        const auto* up = brushed(engine::rates::kPerDevice);
        QVERIFY(across && up);
        QVERIFY(keptCount() > 0 && keptCount() < all);
        for (std::size_t row = 0; row < table().rows(); ++row)
            QCOMPARE(marks()->kept()[row] != 0, across->holds(at(engine::rates::kPerUser, row)) &&
                                                    up->holds(at(engine::rates::kPerDevice, row)) &&
                                                    at("feasible", row) == 1.0);
        QCOMPARE(child<QTableView>(board())->model()->rowCount(), static_cast<int>(keptCount()));
        for (const auto& group : fronts().groups) // and the fronts are of what is left
            for (const auto row : group.rows)
                QVERIFY(across->holds(at(engine::rates::kPerUser, row)));
        emit plot()->boxSelected({});
        QCOMPARE(keptCount(), all);
    }

    void theyHaveAParetoFront() {
        open();
        option("groupFronts");
        option("pareto");
        QVERIFY(chart().lines.empty());
        const auto& front = chart().cloud->front;
        QVERIFY(front.size() > 3);
        for (const auto on : front)
            for (std::size_t row = 0; row < table().rows(); ++row)
                QVERIFY(!(at(engine::rates::kPerUser, row) > at(engine::rates::kPerUser, on) &&
                          at(engine::rates::kPerDevice, row) > at(engine::rates::kPerDevice, on) &&
                          at("feasible", row) == 1.0));
        QVERIFY(chart().cloud->frontLabel.contains(QString::number(front.size())));
    }

    void theyAreFilteredByTyping() {
        open();
        auto* filter = child<QLineEdit>(child<PointsTable>(board()), "filter");
        filter->setFocus();
        QTest::keyClicks(filter, QStringLiteral("rates.devices<=2, serving.users=8:64"));
        QTest::keyClick(filter, Qt::Key_Return);
        settled();
        QVERIFY(keptCount() > 0 && keptCount() < table().rows());
        for (std::size_t row = 0; row < table().rows(); ++row)
            if (marks()->kept()[row])
                QVERIFY(at(engine::rates::kDevices, row) <= 2 && at("serving.users", row) >= 8 &&
                        at("serving.users", row) <= 64);
        engine::Store store(m_test->storePath().toStdString()); // kept with the study
        QCOMPARE(store.study(table().info.id).limits, marks()->limits());
    }

    void oneIsPinnedAndAllIsReadAgainstIt() {
        open();
        const auto row = bestOf("B200");
        marks()->select(row);
        plot()->setFocus();
        QTest::keyClick(plot(), Qt::Key_B);
        QVERIFY(marks()->baseline());
        QCOMPARE(document().pins().all().size(), std::size_t{1});
        QCOMPARE(engine::scenarioKey(document().pins().all().front().design),
                 engine::scenarioKey(study().scenarioOf(row)));
        QTRY_VERIFY(!explore()->isBusy());
        QCOMPARE(chart().cloud->points->x[row], 1.0);
        QCOMPARE(chart().cloud->points->y[row], 1.0);
        QVERIFY(chart().y.label.contains(u'\u00d7'));
        QTest::keyClick(plot(), Qt::Key_B, Qt::ShiftModifier);
        QVERIFY(!marks()->baseline());
    }

    void theyAreWrittenAsCsvAndAsATableOfSql() {
        open();
        const auto csv = m_folder.filePath(QStringLiteral("points.csv"));
        QVERIFY(child<ExportButton>(child<PointsTable>(board()), "exportStudy")->exportTo(csv));
        const auto text = bytesOf(csv);
        for (const char* column : {"points.system", "points.layout", "serving.users",
                                   "rates.tok_s_per_device", "rates.tok_s_per_user", "rates.ttft_p50_s"})
            QVERIFY2(text.contains(column), column);
        QCOMPARE(text.count('\n'), static_cast<qsizetype>(table().rows()) + 1);
        const auto sql = m_folder.filePath(QStringLiteral("tables.sqlite")).toStdString();
        engine::Store store(m_test->storePath().toStdString());
        store.exportTables({table().info.id}, sql, shippedCatalog().get());
        engine::Database database(sql, engine::Database::Access::Read);
        const auto view = engine::quotedName(table().info.view);
        engine::Statement best(database,
                               "SELECT \"points.system\", max(\"rates.tok_s_per_device\"), count(*) "
                               "FROM " +
                                   view + " WHERE \"points.system\" = 'H100'");
        QVERIFY(best.step());
        double most = 0;
        std::int64_t count = 0;
        for (std::size_t row = 0; row < table().rows(); ++row)
            if (systemOf(row) == "H100") {
                ++count;
                if (at("feasible", row) == 1.0)
                    most = std::max(most, at(engine::rates::kPerDevice, row));
            }
        QCOMPARE(best.integer(2), count);
        QCOMPARE(best.real(1), most);
    }

    void theyHaveNotesOnTheirPlots() {
        open();
        plot()->setFocus();
        QTest::keyClick(plot(), Qt::Key_N);
        auto* editor = plot()->notes().editor();
        QVERIFY(editor);
        QTest::keyClicks(editor, QStringLiteral("B200 leads from here"));
        QTest::keyClick(editor, Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(document().scenario().notes.size(), std::size_t{1});
        QVERIFY(document().scenario().notes.front().plot);
        QCOMPARE(chart().notes.size(), std::size_t{1});
        QVERIFY(chart(1).notes.empty());
    }

    void theyAreInTheReport() {
        open();
        const auto plots = explore()->shownPlots();
        QCOMPARE(plots.size(), std::size_t{3});
        const auto report = designReport(document().scenario(), studyPictures(explore()->study(), plots));
        const auto path = m_folder.filePath(QStringLiteral("report.html"));
        writeReportFile(report, path);
        QVERIFY(bytesOf(path).contains("Throughput per device against speed for one user"));
    }

    void theirSlidersMarkThem() {
        open();
        const auto sliders = explore()->findChildren<ScrubSlider*>();
        const auto users = std::find_if(sliders.begin(), sliders.end(), [](const ScrubSlider* slider) {
            return slider->path() == "serving.users";
        });
        QVERIFY(users != sliders.end());
        QVERIFY(std::none_of(sliders.begin(), sliders.end(), [](const ScrubSlider* slider) {
            return slider->path() == engine::kPointDesign;
        }));
        (*users)->slider()->setFocus();
        QTest::keyClick((*users)->slider(), Qt::Key_Right);
        QTRY_VERIFY(!plot()->position().points.empty());
        const double at8 = (*users)->value();
        for (const auto row : plot()->position().points)
            QCOMPARE(at("serving.users", row), at8);
    }
};

WIDGET_TEST(FrontierPointsTest)
#include "frontier_points_test.moc"
