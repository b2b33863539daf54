// SPDX-License-Identifier: GPL-3.0-or-later
// The sliders of the axes: what is plotted is evaluated anew while they move, and nothing is stored.
#include "engine/evaluation/evaluate.h"
#include "engine/study_run/evaluate_study.h"
#include "engine/units/number_text.h"
#include "tests/shipped_catalog.h"
#include "tests/widgets/explore/explore_fixture.h"
#include "tests/widgets/widget_test.h"
#include "widgets/explore/scrub.h"
#include "widgets/explore/scrub_panel.h"
#include "widgets/explore/scrub_slider.h"

#include <QLineEdit>
#include <QSlider>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

class ScrubTest : public ExploreFixture {
    Q_OBJECT

private slots:
    void scrubbingEvaluatesWhatIsPlotted() {
        m_explore->addAxis(QStringLiteral("workload.batch"));
        runByClick();
        const auto stored = points().rows();
        auto* tile = board()->plots().front();
        QCOMPARE(tile->query().fixed.size(), std::size_t{1});
        auto* panel = m_explore->findChild<ScrubPanel*>();
        QCOMPARE(panel->sliders().size(), std::size_t{3});
        auto* batch = panel->sliders()[2];
        const auto before = tile->view()->chart().lines[0].y;
        batch->slider()->setFocus();
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(batch->slider(), Qt::Key_PageUp);
        QTRY_VERIFY(tile->isScrubbed() && !panel->isBusy());
        // Against designs evaluated one by one.
        int compared = 0;
        const auto check = [&](const char* extra, double value) {
            const auto& line = tile->view()->chart().lines[0];
            for (std::size_t i = 0; i < line.x.size(); ++i) {
                auto design = *marks()->study()->definition.base;
                const auto set = [&](const std::string& path, double to) {
                    engine::applyEdit(
                        design, engine::setEdit(design, *shippedCatalog(), path, engine::exactText(to)));
                };
                set(countPath(), line.x[i]);
                set(points().columns[1].name, marks()->study()->definition.axes[1].values.front());
                set("workload.batch", batch->value());
                if (extra)
                    set(extra, value);
                const auto evaluation = engine::evaluate(design);
                QCOMPARE(std::isfinite(line.y[i]), evaluation.feasible);
                if (!evaluation.feasible)
                    continue;
                QVERIFY(std::fabs(line.y[i] / evaluation.metric(engine::Metric::Throughput) - 1) < 1e-9);
                ++compared;
            }
        };
        check(nullptr, 0);
        QCOMPARE(compared, 7);
        // An axis that the plot runs over: one sees where one is; table says that it stays.
        QVERIFY(!tile->view()->position().x);
        auto* count = panel->sliders()[0];
        count->slider()->setFocus();
        QTest::keyClick(count->slider(), Qt::Key_Right);
        QTRY_VERIFY(!panel->isBusy());
        QCOMPARE(tile->query().x, count->path());
        QCOMPARE(tile->view()->position().x, std::optional(count->value()));
        bool said = false;
        for (const auto* label : m_explore->findChildren<QLabel*>())
            said = said ||
                   (label->isVisible() && label->text().contains(QStringLiteral("the sliders do not move")));
        QVERIFY(said);
        // A parameter that is not swept, its value typed.
        panel->addParameter(QStringLiteral("workload.output_tokens"));
        auto* output = panel->sliders().back();
        output->field()->setFocus();
        output->field()->selectAll();
        QTest::keyClicks(output->field(), QStringLiteral("77"));
        QTest::keyClick(output->field(), Qt::Key_Return);
        QTRY_VERIFY(!panel->isBusy());
        check("workload.output_tokens", 77);
        QCOMPARE(compared, 14);
        QTest::mouseClick(found<QPushButton>("resetScrub"), Qt::LeftButton);
        QVERIFY(!tile->isScrubbed() && !marks()->isScrubbed() && !tile->view()->position().x);
        QVERIFY(tile->view()->chart().lines[0].y == before);
        engine::Store file(store().toStdString());
        QCOMPARE(file.pointCount(), stored); // nothing was stored
    }

    void whereOneIsIsSeenOnCurvesAndRows() {
        runByClick();
        auto* panel = m_explore->findChild<ScrubPanel*>();
        auto* along = panel->sliders().at(1);
        QCOMPARE(tile()->query().curve, along->path());
        const auto position = [this]() -> const ChartPosition& { return tile()->view()->position(); };
        QVERIFY(position() == ChartPosition{});
        along->slider()->setFocus();
        QTest::keyClick(along->slider(), Qt::Key_Right);
        QTRY_VERIFY(!panel->isBusy());
        int on = 0;
        const auto& chart = tile()->view()->chart();
        for (std::size_t i = 0; i < chart.lines.size(); ++i)
            if (position().isOn(chart.lines[i])) {
                ++on;
                QVERIFY(chart.lines[i].name.contains(
                    marks()->study()->text(*points().find(along->path()), along->value())));
            }
        QCOMPARE(on, 1);
        QVERIFY(!position().x && !position().y);

        auto plot = tile()->plot();
        plot.kind = engine::PlotKind::HeatMap;
        tile()->setPlot(plot);
        QCOMPARE(tile()->query().curve, along->path());
        auto stops = marks()->study()->definition.axes[1].values;
        std::sort(stops.begin(), stops.end());
        for (std::size_t at = 2; at-- > 0;) { // to the second row again, and to the first
            QTest::keyClick(along->slider(), Qt::Key_Home);
            for (std::size_t i = 0; i < at; ++i)
                QTest::keyClick(along->slider(), Qt::Key_Right);
            QTRY_VERIFY(!panel->isBusy());
            QCOMPARE(along->value(), stops[at]);
            QCOMPARE(position().y, std::optional(static_cast<double>(at)));
            QVERIFY(!position().x && position().curve.isEmpty());
        }
        QTest::mouseClick(found<QPushButton>("resetScrub"), Qt::LeftButton);
        QVERIFY(position() == ChartPosition{});
    }

    void inACloudThePointsWhereOneIsAreRinged() {
        m_explore->addAxis(QStringLiteral("workload.batch"));
        runByClick();
        auto plot = tile()->plot();
        plot.kind = engine::PlotKind::Scatter;
        tile()->setPlot(plot);
        auto* view = tile()->view();
        const auto cloud = [view]() -> const CloudPoints& { return *view->chart().cloud->points; };
        QCOMPARE(cloud().x.size(), points().rows());
        auto* panel = m_explore->findChild<ScrubPanel*>();
        const auto ringed = [view] {
            auto rows = view->position().points;
            std::sort(rows.begin(), rows.end());
            return rows;
        };
        const auto rowsAt = [&](const std::vector<const ScrubSlider*>& sliders) {
            std::vector<std::size_t> rows;
            for (std::size_t row = 0; row < points().rows(); ++row)
                if (std::isfinite(cloud().x[row]) && std::isfinite(cloud().y[row]) &&
                    std::all_of(sliders.begin(), sliders.end(), [&](const auto* slider) {
                        return points().find(slider->path())->values[row] == slider->value();
                    }))
                    rows.push_back(row);
            return rows;
        };
        /// Pixels in the colour of where one is, about a point.
        const auto accents = [view](const QImage& picture, std::size_t row) {
            constexpr int kReach = 8;
            const auto middle = view->pixelOf({0, static_cast<int>(row), ChartPoint::Kind::Cloud}).toPoint();
            int count = 0;
            for (int y = middle.y() - kReach; y <= middle.y() + kReach; ++y)
                for (int x = middle.x() - kReach; x <= middle.x() + kReach; ++x)
                    count += picture.rect().contains(x, y) &&
                             picture.pixelColor(x, y) == Theme::instance().color(ColorRole::Accent);
            return count;
        };
        const auto picture = [view] {
            view->findChild<QCustomPlot*>()->replot(); // it is drawn a turn later
            return view->grab().toImage();
        };
        const auto before = picture();
        QVERIFY(ringed().empty());
        auto* batch = panel->sliders()[2];
        batch->slider()->setFocus();
        QTest::keyClick(batch->slider(), Qt::Key_Right);
        QTRY_VERIFY(!panel->isBusy());
        QCOMPARE(ringed(), rowsAt({batch}));
        QVERIFY(ringed().size() > 1 && ringed().size() < rowsAt({}).size());
        QVERIFY(!view->position().x); // what lies along is no axis of the study
        const auto after = picture();
        for (const auto row : ringed()) {
            QCOMPARE(accents(before, row), 0);
            QVERIFY(accents(after, row) > 0);
        }
        auto* count = panel->sliders()[0];
        count->slider()->setFocus();
        QTest::keyClick(count->slider(), Qt::Key_Right);
        QTRY_VERIFY(!panel->isBusy());
        QCOMPARE(ringed(), rowsAt({batch, count}));
        QVERIFY(!ringed().empty() && ringed().size() < rowsAt({batch}).size());
        // Of points that are drawn anew too.
        panel->addParameter(QStringLiteral("workload.output_tokens"));
        panel->sliders().back()->slider()->setFocus();
        QTest::keyClick(panel->sliders().back()->slider(), Qt::Key_PageUp);
        QTRY_VERIFY(tile()->isScrubbed() && !panel->isBusy());
        QTRY_COMPARE(ringed(), rowsAt({batch, count}));
        QTest::mouseClick(found<QPushButton>("resetScrub"), Qt::LeftButton);
        QVERIFY(ringed().empty());
        QVERIFY(picture() == before);
    }

    void ofTooManyPointsThoseNearestToAllSlidersAreMarked() {
        setup()->setAxes({{"workload.prompt_tokens", "64:512:64"},
                          {"workload.output_tokens", "64:1024:64"},
                          {"workload.batch", "1,2,4,8"}});
        runByClick();
        const auto study = marks()->study();
        const auto all = [](std::size_t) { return true; };
        const std::vector<engine::HeldAxis> batch{{"workload.batch", 3.4}}, // the nearest it has is 4
            both{{"workload.batch", 4}, {"workload.prompt_tokens", 128}},
            output{{"workload.output_tokens", 64}};
        const auto every = rowsAtSliders(*study, batch, output, all, 1000);
        QCOMPARE(every.size(), std::size_t{8 * 16});
        for (const auto row : every)
            QCOMPARE(study->table.find("workload.batch")->values[row], 4.0);
        QVERIFY(rowsAtSliders(*study, {}, output, all).empty());
        QVERIFY(rowsAtSliders(*study, {{"workload.shared_prefix", 1}}, output, all).empty());
        // Its rows the other way round: no whole grid any more.
        auto table = study->table;
        for (auto& column : table.columns)
            std::reverse(column.values.begin(), column.values.end());
        const auto turned = asLoaded(std::move(table), study->definition, *shippedCatalog());
        for (const auto& one : {study, turned}) {
            const auto outputsOf = [&](const std::vector<std::size_t>& rows) {
                std::vector<double> values;
                for (const auto row : rows)
                    values.push_back(one->table.find("workload.output_tokens")->values[row]);
                return values;
            };
            QCOMPARE(rowsAtSliders(*one, batch, output, all, 1000).size(), every.size());
            const auto five = rowsAtSliders(*one, both, output, all, 5);
            QCOMPARE(outputsOf(five), (std::vector<double>{64, 128, 192, 256, 320}));
            for (const auto row : five)
                QCOMPARE(one->table.find("workload.prompt_tokens")->values[row], 128.0);
            const auto seen = rowsAtSliders(
                *one, both, output, [&](std::size_t row) { return row != five.front(); }, 2);
            QCOMPARE(outputsOf(seen), (std::vector<double>{128, 192}));
        }
    }

    void thatTheTableStaysIsReadWhereItsNoteIsCut() {
        m_explore->resize(1200, 860);
        runByClick();
        auto* filter = found<QLineEdit>("filter");
        filter->setFocus();
        QTest::keyClicks(filter, QString::fromStdString(countPath()) + QStringLiteral("<=3"));
        QTest::keyClick(filter, Qt::Key_Return);
        QTRY_VERIFY(words(m_explore.get()).contains(QStringLiteral("filtered out")));
        auto* slider = m_explore->findChild<ScrubPanel*>()->sliders().front()->slider();
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Right);
        const auto note = [this]() -> const QLabel* {
            for (const auto* label : m_explore->findChildren<QLabel*>())
                if (label->isVisible() && label->text().contains(QStringLiteral("filtered out")))
                    return label;
            return nullptr;
        };
        QTRY_VERIFY(note()->text().contains(QStringLiteral("as stored")));
        const auto seen =
            note()->fontMetrics().elidedText(note()->text(), Qt::ElideRight, note()->contentsRect().width());
        QVERIFY(seen != note()->text()); // there is no room for all of it
        QVERIFY2(seen.startsWith(QStringLiteral("the sliders do not move them")), qPrintable(seen));
    }

    void anArrowKeyIsOneValue() {
        ScrubRange range{"count", QStringLiteral("Count"), {}, 1, 1, 4096, 1, 1e6, true};
        ScrubSlider whole(range, false, nullptr);
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(whole.slider(), Qt::Key_Right);
        QCOMPARE(whole.value(), 4.0);
        QCOMPARE(whole.field()->text(), QStringLiteral("4"));
        QVERIFY(whole.isMoved());
        QTest::keyClick(whole.slider(), Qt::Key_Left);
        QCOMPARE(whole.value(), 3.0);

        range.stops = {1, 2, 16, 4096};
        ScrubSlider stops(range, false, nullptr);
        std::vector<double> seen;
        for (int i = 0; i < 4; ++i) {
            QTest::keyClick(stops.slider(), Qt::Key_Right);
            seen.push_back(stops.value());
        }
        QCOMPARE(seen, (std::vector{2.0, 16.0, 4096.0, 4096.0}));
        QTest::keyClick(stops.slider(), Qt::Key_Left);
        QCOMPARE(stops.value(), 16.0);
    }

    void whatIsStoredIsReadNotEvaluated() {
        setup()->setAxes({{"workload.prompt_tokens", "64:512:64"},
                          {"workload.output_tokens", "64:256:64"},
                          {"workload.batch", "1,2,4,8"}});
        runByClick();
        const auto whole = marks()->study();
        const auto& batch = *whole->axis("workload.batch");
        QVERIFY(batch.values.size() > 2);
        const auto cutAt = [&](double value) {
            return *scrubCut(whole->definition, tile()->plot(), {{batch.path, value}});
        };
        const auto cut = cutAt(batch.values[2]);
        const auto read = scrubbedPoints(cut, *whole, *shippedCatalog());
        QCOMPARE(read->store, whole->store);
        QVERIFY(!read->store.empty());
        const auto evaluated = engine::evaluateStudy(cut.study, {}, cut.plot.metrics);
        QCOMPARE(read->table.rows(), evaluated.rows());
        QVERIFY(read->table.rows() < whole->table.rows());
        const auto& metric = cut.plot.query.metric;
        std::size_t compared = 0;
        for (const auto& name : {batch.path, countPath(), std::string("feasible"), metric})
            for (std::size_t row = 0; row < evaluated.rows(); ++row) {
                const double one = read->table.find(name)->at(row), other = evaluated.find(name)->at(row);
                QVERIFY(one == other || (std::isnan(one) && std::isnan(other)));
                compared += std::isfinite(one) ? 1 : 0;
            }
        QVERIFY(compared > 3 * evaluated.rows());
        QVERIFY(scrubbedPoints(cutAt(3.0), *whole, *shippedCatalog())->store.empty());
    }

    void ofTooManyPointsAnEvenChoiceIsShown() {
        setup()->setAxes(
            {{"workload.prompt_tokens", "1:300:1"}, {"workload.output_tokens", "1:300:1"}}); // 90,000
        runByClick();
        auto* panel = m_explore->findChild<ScrubPanel*>();
        panel->addParameter(QStringLiteral("workload.batch"));
        QVERIFY(!tile()->isScrubbed());
        panel->sliders().back()->slider()->setFocus();
        QTest::keyClick(panel->sliders().back()->slider(), Qt::Key_PageUp);
        QTRY_VERIFY(tile()->isScrubbed());
        QTRY_VERIFY_WITH_TIMEOUT(!panel->isBusy(), 60000);
        QVERIFY(words(tile()).contains(QStringLiteral("of some values of its axes")));
        const auto study = marks()->study();
        for (const std::size_t most : {kMostScrubbed, std::size_t{1000}}) {
            const auto cut = scrubCut(study->definition, tile()->plot(), {{"workload.batch", 2.0}}, most);
            QVERIFY(cut && cut->thinned);
            QVERIFY(cut->study.pointCount() <= most && cut->study.pointCount() > most / 4);
            for (std::size_t i = 0; i < cut->study.axes.size(); ++i) {
                const auto& some = cut->study.axes[i].values;
                const auto& all = study->definition.axes[i].values;
                QCOMPARE(some.front(), all.front());
                QCOMPARE(some.back(), all.back());
                const double even = 2.0 * 300 / static_cast<double>(some.size());
                for (std::size_t k = 1; k < some.size(); ++k)
                    QVERIFY(some[k] > some[k - 1] && some[k] - some[k - 1] <= even);
            }
        }
    }
};

WIDGET_TEST(ScrubTest)
#include "scrub_test.moc"
