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

    void thatTheTableStaysIsReadWhereItsNoteIsCut() {
        m_explore->resize(1200, 860);
        runByClick();
        auto* filter = found<QLineEdit>("filter");
        filter->setFocus();
        QTest::keyClicks(filter, QStringLiteral("throughput_tok_s>=1"));
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
