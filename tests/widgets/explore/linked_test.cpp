// SPDX-License-Identifier: GPL-3.0-or-later
// The landscape of a study as one: what is pointed at, chosen, brushed or pinned in one place is so in all.
#include "engine/techniques/built_in.h"
#include "tests/shipped_catalog.h"
#include "tests/widgets/explore/explore_fixture.h"
#include "tests/widgets/explore/small_study.h"
#include "tests/widgets/widget_test.h"
#include "widgets/explore/parallel_view.h"
#include "widgets/explore/points_table.h"
#include "widgets/explore/study_runner.h"
#include "widgets/explore/study_table_model.h"
#include "widgets/timeline/timeline_view.h"

#include <QLineEdit>
#include <QSignalSpy>
#include <QToolButton>

#include <cmath>

class LinkedTest : public ExploreFixture {
    Q_OBJECT

    QString note() const { return words(m_explore->findChild<PointsTable*>()); }
    void type(const char* text) {
        auto* filter = found<QLineEdit>("filter");
        filter->setFocus();
        filter->selectAll();
        QTest::keyClick(filter, Qt::Key_Delete);
        QTest::keyClicks(filter, QLatin1String(text));
        QTest::keyClick(filter, Qt::Key_Return);
    }
    QPoint plotPlace(PlotView* view, ChartPoint point, QWidget*& plot) const {
        const auto at = view->pixelOf(point).toPoint();
        plot = view->childAt(at);
        return plot->mapFrom(view, at);
    }
    void hover(PlotView* view, ChartPoint point) const {
        QWidget* plot = nullptr;
        const auto at = plotPlace(view, point, plot);
        QTest::mouseMove(plot, at + QPoint(3, 2)); // a move, wherever the pointer stood
        QTest::mouseMove(plot, at);
    }
    ParallelView* addParallel() {
        auto* tile = board()->addPlot(engine::PlotKind::Parallel);
        auto* view = child<ParallelView>(tile);
        QCoreApplication::processEvents(); // the grid places the new tile
        return view;
    }
    static void drag(QWidget* widget, QPoint from, QPoint to) {
        QTest::mousePress(widget, Qt::LeftButton, {}, from);
        for (int i = 1; i <= 8; ++i)
            QTest::mouseMove(widget, from + (to - from) * i / 8);
        QTest::mouseRelease(widget, Qt::LeftButton, {}, to);
    }

private slots:
    void typedLimitsFilterTheTable() {
        runByClick();
        const auto text = countPath() + "<=3";
        type(text.c_str());
        QCOMPARE(marks()->keptCount(), std::size_t{24}); // 3 of 7 counts, 8 ratios
        QCOMPARE(table()->model()->rowCount(), 24);
        QVERIFY2(note().contains(QStringLiteral("24 shown, 32 filtered out")), qPrintable(note()));
        type("ttft_s<=quick");
        QVERIFY2(note().contains(QStringLiteral("ttft_s<=quick")), qPrintable(note()));
        QCOMPARE(table()->model()->rowCount(), 24); // what held before still does
        type("nodes.nothing.count<=1");
        QVERIFY(note().contains(QStringLiteral("no column")));
        QTest::mouseClick(button("clearFilter"), Qt::LeftButton);
        QCOMPARE(table()->model()->rowCount(), 56);
        QVERIFY(found<QLineEdit>("filter")->text().isEmpty());
        QVERIFY(!button("clearFilter")->isVisible());
    }

    void whatIsPointedAtIsMarkedEverywhere() {
        runByClick();
        auto *lines = tile(0)->view(), *others = tile(1)->view(),
             *map = board()->addPlot(engine::PlotKind::HeatMap)->view(),
             *cloud = board()->addPlot(engine::PlotKind::Scatter)->view();
        auto* parallel = addParallel();
        const auto inCloud = [](std::size_t row) {
            return ChartPoint{0, static_cast<int>(row), ChartPoint::Kind::Cloud};
        };
        const auto isMarked = [](const PlotView* view, ChartPoint point) {
            const auto& mark = view->marks().mark();
            return mark && (mark->at - view->pixelOf(point)).manhattanLength() < 1;
        };
        // The one row that is pointed at and lit in the table.
        const auto pointedAt = [this]() -> std::size_t {
            const auto* model = qobject_cast<StudyTableModel*>(table()->model());
            std::vector<std::size_t> lit;
            for (int row = 0; row < model->rowCount(); ++row)
                if (model->index(row, 0).data(Qt::BackgroundRole).isValid())
                    lit.push_back(model->rowAt(row));
            return lit.size() == 1 && marks()->hovered() == lit[0] ? lit[0] : points().rows();
        };
        const auto isAt = [this](std::size_t row, double count, double ratio) {
            return row < points().rows() && points().columns[0].at(row) == count &&
                   points().columns[1].at(row) == ratio;
        };

        hover(lines, {3, 5});
        const auto& line = lines->chart().lines[3];
        QVERIFY(isAt(pointedAt(), line.x[5], line.name.toDouble()));
        QVERIFY(!lines->marks().mark() && lines->readOut().isPresented()); // it is read out there
        QVERIFY(isMarked(others, {3, 5}) && isMarked(cloud, inCloud(pointedAt())));
        hover(others, {2, 4});
        const auto& other = others->chart().lines[2];
        QVERIFY(isAt(pointedAt(), other.x[4], other.name.toDouble()) && isMarked(lines, {2, 4}));

        hover(map, {2, 4, ChartPoint::Kind::Cell}); // columns are counts, rows are ratios
        QVERIFY(isAt(pointedAt(), map->chart().xNames()[4].toDouble(), map->chart().yNames()[2].toDouble()));
        QVERIFY(map->readOut().isPresented() && lines->marks().mark());
        QVERIFY(isMarked(cloud, inCloud(pointedAt())));

        hover(cloud, inCloud(20));
        QVERIFY(pointedAt() < points().rows()); // points may lie upon each other
        QVERIFY((cloud->pixelOf(inCloud(pointedAt())) - cloud->pixelOf(inCloud(20))).manhattanLength() < 12);
        QVERIFY(map->marks().mark() && !map->marks().mark()->frame.isEmpty()); // a frame round the cell
        QVERIFY(lines->marks().mark());

        const auto index = table()->model()->index(2, 0);
        QTest::mouseMove(table()->viewport(), table()->visualRect(index).center());
        QVERIFY(pointedAt() < points().rows() && index.data(Qt::BackgroundRole).isValid());
        QVERIFY(cloud->marks().mark() && map->marks().mark() && lines->marks().mark());

        const auto layout = parallel->parallelLayout();
        const auto row = pointedAt() == 0 ? std::size_t{1} : std::size_t{0};
        const auto place = [&](std::size_t axis) {
            return layout.y(parallel->picture().axes[axis].axis->places[row] / 255.0);
        };
        const QPointF at(layout.x(0) + 0.4 * layout.spacing(), place(0) + 0.4 * (place(1) - place(0)));
        QTest::mouseMove(parallel, at.toPoint());
        // Rows alike in the two axes beside the mouse share one line.
        QVERIFY(isAt(pointedAt(), points().columns[0].at(row), points().columns[1].at(row)));

        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(parallel, &leave);
        QVERIFY(!marks()->hovered() && pointedAt() == points().rows());
        for (const auto* view : {lines, others, map, cloud})
            QVERIFY(!view->marks().mark());
    }

    void aClickChoosesAndCtrlClickOpensAtOnce() {
        runByClick();
        const double before =
            m_document->scenario().techniques[engine::loadMerging()].quantity(engine::kMergeRatio).value;
        auto* view = board()->plots().front()->view();
        QWidget* plot = nullptr;
        const auto at = plotPlace(view, {1, 2}, plot);
        QTest::mouseClick(plot, Qt::LeftButton, {}, at);
        QVERIFY(marks()->selected());
        const auto row = *marks()->selected();
        QCOMPARE(m_document->undoStack()->count(), 0);
        QVERIFY(board()->plots()[1]->view()->selected());
        QVERIFY(words(m_explore.get()).contains(marks()->study()->nameOf(row)));

        QSignalSpy opened(m_explore.get(), &ExploreWorkspace::designOpened);
        QTest::mouseClick(button("openOnCanvas"), Qt::LeftButton);
        QCOMPARE(opened.count(), 1);
        const auto ratio = points().find("techniques.load_merging.ratio")->at(row);
        QCOMPARE(m_document->scenario().techniques[engine::loadMerging()].quantity(engine::kMergeRatio).value,
                 ratio);
        m_document->undoStack()->undo();
        QCOMPARE(m_document->scenario().techniques[engine::loadMerging()].quantity(engine::kMergeRatio).value,
                 before);

        QTest::mouseClick(plot, Qt::LeftButton, Qt::ControlModifier, at);
        QCOMPARE(opened.count(), 2);
        QCOMPARE(m_document->scenario().techniques[engine::loadMerging()].quantity(engine::kMergeRatio).value,
                 ratio);
        m_document->undoStack()->undo();
        QCOMPARE(m_document->scenario().techniques[engine::loadMerging()].quantity(engine::kMergeRatio).value,
                 before);
    }

    void whilePinnedEverythingReadsAsRatio() {
        runByClick();
        table()->setFocus();
        table()->setCurrentIndex(table()->model()->index(7, 0));
        const auto row = *marks()->selected();
        const auto* throughput = points().find("throughput_tok_s");
        const auto before = board()->plots().front()->view()->chart().lines[0].y;
        const auto label = [this] { return tile()->view()->chart().y.label; };
        QCOMPARE(label(), QStringLiteral("Throughput (tok/s)"));
        QTest::keyClick(table(), Qt::Key_B);
        QVERIFY(marks()->baseline());
        QVERIFY2(label().startsWith(QStringLiteral("Throughput (× of ")), qPrintable(label()));
        const auto& after = board()->plots().front()->view()->chart().lines[0].y;
        QCOMPARE(after.size(), before.size());
        QCOMPARE(before.size(), std::size_t{7});
        for (std::size_t i = 0; i < before.size(); ++i)
            QVERIFY(std::fabs(after[i] * throughput->at(row) / before[i] - 1) < 1e-12); // all are feasible
        int column = -1;
        for (int i = 0; i < table()->model()->columnCount(); ++i)
            if (table()->model()->headerData(i, Qt::Horizontal).toString().startsWith("Throughput ("))
                column = i;
        QVERIFY(column >= 0);
        QVERIFY(table()->model()->headerData(column, Qt::Horizontal).toString().contains(u'×'));
        QCOMPARE(table()->model()->index(7, column).data().toString(), QStringLiteral("1.000"));
        QVERIFY(words(board()).contains(QStringLiteral("Read as × of")));
        QTRY_COMPARE(found<QLabel>("metric-throughput_tok_s")->text(), QStringLiteral("1.00\u2009×"));
        const auto* later = board()->addPlot(engine::PlotKind::Scatter); // reads the same way
        QVERIFY(later->view()->chart().y.label.contains(QStringLiteral("(× of ")));
        QTest::keyClick(table(), Qt::Key_B, Qt::ShiftModifier);
        QVERIFY(!marks()->baseline());
        QVERIFY(board()->plots().front()->view()->chart().lines[0].y == before);
        QCOMPARE(label(), QStringLiteral("Throughput (tok/s)"));
        QVERIFY(!table()->model()->headerData(column, Qt::Horizontal).toString().contains(u'×'));
        QVERIFY(!words(board()).contains(QStringLiteral("Read as")));
        QTest::mouseClick(button("pinDesign"), Qt::LeftButton);
        QVERIFY(marks()->baseline());
        QCOMPARE(marks()->baseline()->metrics.at("throughput_tok_s"),
                 m_document->evaluation().metric(engine::Metric::Throughput));
        QTest::mouseClick(button("unpin"), Qt::LeftButton);
        QVERIFY(!marks()->baseline());
    }

    void brushingAnAxisFiltersEverything() {
        runByClick();
        auto* view = addParallel();
        QVERIFY(view->picture().axes.size() >= 3);
        const auto layout = view->parallelLayout();
        const auto at = [&](double share) {
            return QPoint(static_cast<int>(std::lround(layout.x(0))),
                          static_cast<int>(std::lround(layout.y(share))));
        };
        // Counts 1..7: the upper half holds 4 (in the middle) to 7.
        drag(view, at(0.45), at(1.0));
        QCOMPARE(marks()->brush().size(), std::size_t{1});
        QCOMPARE(marks()->brush()[0].column, countPath());
        QCOMPARE(marks()->keptCount(), std::size_t{32});
        QCOMPARE(table()->model()->rowCount(), 32);
        // The brush is dragged down by its middle: as long as it was, so 1 to 4.
        drag(view, at(0.7), at(0.2));
        QCOMPARE(marks()->keptCount(), std::size_t{32});
        QVERIFY(marks()->brush()[0].holds(1.0));
        QVERIFY(!marks()->brush()[0].holds(6.0));
        QTest::mouseDClick(view, Qt::LeftButton, {}, at(0.9));
        QVERIFY(marks()->brush().empty());
        // By keys: the second axis' upper half, down a step, and away.
        view->setFocus();
        QTest::keyClick(view, Qt::Key_Right);
        QTest::keyClick(view, Qt::Key_Up);
        QCOMPARE(marks()->brush().size(), std::size_t{1});
        QCOMPARE(marks()->brush()[0].column, points().columns[1].name);
        const double most = marks()->brush()[0].most;
        QTest::keyClick(view, Qt::Key_Down);
        QVERIFY(marks()->brush()[0].most < most);
        QTest::keyClick(view, Qt::Key_Delete);
        QVERIFY(marks()->brush().empty());
        QCOMPARE(table()->model()->rowCount(), 56);
    }

    void tilesComeGoAndFillTheWhole() {
        runByClick();
        while (board()->plots().size() < 6)
            QVERIFY(board()->addPlot(engine::PlotKind::HeatMap));
        QVERIFY(!board()->addPlot(engine::PlotKind::Lines));
        QVERIFY(!button("addPlot")->isEnabled());
        auto* first = board()->plots().front();
        const auto home = first->view()->view();
        first->view()->zoom(0.5);
        QVERIFY(!(first->view()->view() == home));
        for (auto* each : first->findChildren<QToolButton*>())
            if (each->accessibleName() == QStringLiteral("Show all data (Home)"))
                QTest::mouseClick(each, Qt::LeftButton);
        QVERIFY(first->view()->view() == home);
        auto* maximise = first->findChild<QToolButton*>(QStringLiteral("maximise"));
        QTest::mouseClick(maximise, Qt::LeftButton);
        QVERIFY(first->isVisible());
        QVERIFY(!board()->plots()[1]->isVisible());
        QTest::mouseClick(maximise, Qt::LeftButton);
        QVERIFY(board()->plots()[1]->isVisible());
        QTest::mouseClick(first->findChild<QToolButton*>(QStringLiteral("closeTile")), Qt::LeftButton);
        QCOMPARE(board()->plots().size(), std::size_t{5});
        QVERIFY(button("addPlot")->isEnabled());
    }

    void aTimelineIsOfTheChosenPoint() {
        runByClick();
        auto* tile = board()->addPlot(engine::PlotKind::Timeline);
        QTRY_VERIFY(!tile->timeline()->tracks().empty());
        const auto best = tile->timeline()->tracks().front().step().seconds;
        m_explore->selectRow(0); // one card: slower
        QTRY_VERIFY(tile->timeline()->tracks().front().step().seconds > best);
    }

    void aLargeStudyShowsItsPlotsFirst() {
        engine::Study study{"large",
                            m_document->scenario(),
                            {{"workload.prompt_tokens", {}}, {"workload.output_tokens", {}}}};
        for (int i = 1; i <= 240; ++i) {
            study.axes[0].values.push_back(i);
            study.axes[1].values.push_back(i);
        }
        std::int64_t id = 0;
        {
            engine::Store file(store().toStdString());
            id = engine::runStudy(study, file, {}).study.id;
        }
        StudyRunner runner(store(), shippedCatalog());
        std::vector<std::shared_ptr<const LoadedStudy>> read;
        connect(&runner, &StudyRunner::tableRead, this, [&read](const auto& one) { read.push_back(one); });
        runner.open(id, [](const engine::StudyInfo&) { return std::vector<std::string>{"ttft_s"}; });
        QTRY_COMPARE_WITH_TIMEOUT(read.size(), std::size_t{2}, 60000);
        QVERIFY(read[0]->table.partial);
        QVERIFY(!read[0]->table.find("ttft_s")->values.empty());
        QVERIFY(read[0]->table.find("throughput_tok_s")->values.empty());
        QVERIFY(!read[1]->table.partial);
        QVERIFY(!read[1]->table.find("throughput_tok_s")->values.empty());
        // What was chosen and brushed of the first part stays with the whole.
        StudyMarks both;
        both.setStudy(read[0]);
        both.select(7);
        both.brush(engine::Limit{"workload.prompt_tokens", 1, 120});
        PointsTable shown(&both);
        shown.showStudy({});
        shown.sortBestFirst("ttft_s");
        QVERIFY(words(&shown).isEmpty()); // not on the screen yet
        shown.show();
        QVERIFY(words(&shown).contains(QStringLiteral("being read")));
        both.setStudy(read[1]);
        shown.showStudy({});
        shown.sortBestFirst("ttft_s");
        QCOMPARE(both.selected(), std::optional<std::size_t>(7));
        QCOMPARE(both.keptCount(), std::size_t{120 * 240});
        auto* view = shown.findChild<QTableView*>();
        QCOMPARE(view->model()->rowCount(), 120 * 240);
        QVERIFY(view->currentIndex().isValid());
    }

    void veryManyRowsAreSortedByAndBy() {
        constexpr std::size_t kRows = 150000;
        std::vector<double> steps(kRows), values(kRows);
        for (std::size_t i = 0; i < kRows; ++i) {
            steps[i] = static_cast<double>(i);
            values[i] = static_cast<double>(i * 7919 % kRows);
        }
        const auto study = widgets::test::studyOf({{"a.x", "a.x", steps}},
                                                  {{"latency_s", "Latency", "s", std::move(values)}});
        StudyTableModel model;
        model.setStudy(study, {}, {});
        QPersistentModelIndex seventh(model.index(7, 0));
        model.sort(1, Qt::AscendingOrder);
        QCOMPARE(model.rowAt(0), std::size_t{0});
        const auto& shown = study->table.find("latency_s")->values;
        const auto inOrder = [&](double sign) {
            for (int row = 1; row < model.rowCount(); ++row)
                if (sign * shown[model.rowAt(row - 1)] > sign * shown[model.rowAt(row)])
                    return false;
            return true;
        };
        QTRY_VERIFY(inOrder(1));
        QCOMPARE(model.rowAt(seventh.row()), std::size_t{7}); // what was chosen stays it
        model.sort(1, Qt::DescendingOrder);
        model.sort(0, Qt::DescendingOrder); // the last one counts
        QTRY_COMPARE(model.rowAt(0), kRows - 1);
        QTest::qWait(100);
        QCOMPARE(model.rowAt(0), kRows - 1);
        model.sort(1, Qt::AscendingOrder);
        model.setStudy(nullptr, {}, {}); // nothing is left to be sorted
        QTest::qWait(100);
        QCOMPARE(model.rowCount(), 0);
    }

    void veryManyRowsAreListedTurnByTurn() {
        constexpr std::size_t kRows = 450'000;
        std::vector<double> steps(kRows);
        std::iota(steps.begin(), steps.end(), 0.0);
        const auto study =
            widgets::test::studyOf({{"a.x", "a.x", steps}}, {{"latency_s", "Latency", "s", steps}});
        StudyTableModel model;
        int inserted = 0;
        bool follows = true; // each part comes after the one before
        connect(&model, &QAbstractItemModel::rowsInserted, this,
                [&](const QModelIndex&, int first, int last) {
                    follows = follows && first > 0 && last == model.rowCount() - 1;
                    inserted += last - first + 1;
                });
        model.setStudy(study, {}, {});
        const int atOnce = model.rowCount() - inserted;
        QVERIFY(model.rowCount() > 0 && model.rowCount() < static_cast<int>(kRows));
        QCOMPARE(model.viewRowOf(5), 5);
        QCOMPARE(model.viewRowOf(kRows - 1), -1); // not yet
        QTRY_COMPARE(model.rowCount(), static_cast<int>(kRows));
        QVERIFY(follows);
        QCOMPARE(atOnce + inserted, static_cast<int>(kRows));
        QCOMPARE(model.viewRowOf(kRows - 1), static_cast<int>(kRows) - 1);

        engine::RowMask kept(kRows, 1);
        kept[3] = 0;
        model.setKept(kept);
        QVERIFY(model.rowCount() < static_cast<int>(kRows) - 1);
        QTRY_COMPARE(model.rowCount(), static_cast<int>(kRows) - 1);
        QCOMPARE(model.rowAt(3), std::size_t{4});
        model.setStudy(study, {}, engine::RowMask(kRows, 0)); // while others are still being listed
        QCOMPARE(model.rowCount(), 0);
        QTest::qWait(50);
        QCOMPARE(model.rowCount(), 0);
    }
};

WIDGET_TEST(LinkedTest)
#include "linked_test.moc"
