// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/exact.h"
#include "tests/widgets/explore/explore_fixture.h"
#include "tests/widgets/widget_test.h"
#include "widgets/document/serving_view.h"
#include "widgets/explore/axis_list.h"
#include "widgets/explore/axis_row.h"
#include "widgets/explore/default_axes.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QSignalSpy>
#include <QToolButton>

#include <cmath>

using engine::Metric;

/// Studies over how requests come in, and plots of what a simulation gives.
class ExploreRequestsTest : public ExploreFixture {
    Q_OBJECT

    QComboBox* metric() const { return tile()->findChild<QComboBox*>(QStringLiteral("metric")); }
    std::string valuesOf(const std::string& path) const {
        return startingValues(m_document->scenario(), m_document->catalog(), path);
    }
    engine::Axis axisOf(const std::string& path) const {
        return engine::parseAxis(m_document->scenario(), m_document->catalog(), path + "=" + valuesOf(path));
    }
    void chooseMetric(const char* key) {
        const int index = metric()->findData(QLatin1String(key));
        QVERIFY(index > 0);
        metric()->setCurrentIndex(index);
    }
    QString steadyText() const {
        for (auto* label : tile()->findChildren<QLabel*>())
            if (label->isVisible() && label->text().startsWith(QStringLiteral("Arrivals are steady")))
                return label->text();
        return {};
    }

    void openDesign() override {
        ExploreFixture::openDesign();
        m_document->set("serving.requests", "200");
    }

private slots:
    void ratesLieAroundTheClosedForm() {
        const double most = m_document->evaluation().metric(Metric::RequestRate);
        const auto rates = axisOf("serving.rate_req_s").values;
        QCOMPARE(rates.size(), std::size_t{11});
        QVERIFY(std::abs(rates.front() / most - 0.2) < 0.02);
        QVERIFY(std::abs(rates.back() / most - 1.2) < 0.1);
    }

    void otherAxesStartWhereTheyTellSomething() {
        QCOMPARE(axisOf("serving.seed").values.size(), std::size_t{5});
        QCOMPARE(axisOf("serving.chunk_tokens").values, (std::vector<double>{128, 256, 512, 1024}));
        QCOMPARE(axisOf("serving.arrivals").names,
                 (std::vector<std::string>{"backlog", "poisson", "closed_loop"}));
        QCOMPARE(axisOf("serving.batching").names,
                 (std::vector<std::string>{"static", "continuous", "mixed", "whole", "first"}));
        QCOMPARE(axisOf("techniques.disaggregation.stage").values.front(), 0.0);
        const double ttft = m_document->evaluation().metric(Metric::TimeToFirstToken);
        const auto limits = axisOf("serving.ttft_limit_s").values;
        QVERIFY(limits.front() >= ttft && limits.front() < 1.2 * ttft);
        QVERIFY(axisOf("serving.tpot_limit_s").values.size() > 3);
    }

    void thePickerHasAGroupOfRequests() {
        QTest::mouseClick(buttonSaying(setup(), QStringLiteral("Add axis")), Qt::LeftButton);
        auto* picker = setup()->findChild<AxisPicker*>();
        QTRY_VERIFY(picker->isVisible());
        auto* list = picker->findChild<QListView*>();
        auto* model = list->model();
        QString group;
        QStringList members;
        for (int row = 0; row < model->rowCount(); ++row) {
            const auto index = model->index(row, 0);
            if (index.data(TwoLineDelegate::kHeading).toBool()) {
                group = index.data().toString();
                QVERIFY(!index.flags().testFlag(Qt::ItemIsSelectable));
            } else if (group == QStringLiteral("Requests")) {
                members << index.data(TwoLineDelegate::kSecondLine).toString();
            }
        }
        QVERIFY2(members.contains(QStringLiteral("serving.rate_req_s")), qPrintable(members.join(u' ')));
        QVERIFY(members.contains(QStringLiteral("serving.batching")));
        for (const auto& path : members)
            QVERIFY(path.startsWith(QStringLiteral("serving.")));
        // A heading alone is never found, nor is it walked to.
        auto* search = picker->findChild<QLineEdit*>();
        QTest::keyClicks(search, "requests rate");
        QCOMPARE(model->rowCount(), 4); // the heading, the rate, its swing and the period of that
        QCOMPARE(list->currentIndex().row(), 1);
        QTest::keyClick(search, Qt::Key_Up);
        QCOMPARE(list->currentIndex().row(), 1);
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(setup()->axes().back().path, std::string("serving.rate_req_s"));
    }

    void aRateWithoutPoissonIsSaidAndMended() {
        setup()->setAxes({});
        setup()->addAxis(QStringLiteral("serving.rate_req_s"));
        auto* mend = button("arrivals");
        QTRY_VERIFY(mend->isVisible());
        QTest::mouseClick(mend, Qt::LeftButton);
        QCOMPARE(m_document->scenario().serving.arrivals, engine::arrivalsNamed("poisson"));
        QVERIFY(!mend->isVisible());
        m_document->set("serving.arrivals", "backlog");
        QVERIFY(mend->isVisible());
    }

    void otherAxesOverSteadyArrivalsLeadToTheChoice() {
        setup()->setAxes({{"serving.batching", "static,continuous"}});
        QSignalSpy wanted(m_explore.get(), &ExploreWorkspace::quantityRequested);
        QTRY_VERIFY(button("arrivals")->isVisible());
        QTest::mouseClick(button("arrivals"), Qt::LeftButton);
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(m_document->scenario().serving.arrivals, engine::arrivalsNamed("steady"));
        setup()->setAxes({{"serving.batching", "static,continuous"}, {"serving.arrivals", "backlog"}});
        QVERIFY(!button("arrivals")->isVisible());
    }

    void aStudyOverRatesPlotsLatencies() {
        QVERIFY(setArrivals(*m_document, engine::arrivalsNamed("poisson")));
        setup()->setAxes({{"serving.rate_req_s", valuesOf("serving.rate_req_s")}});
        runByClick();
        chooseMetric("ttft_p99_s");
        QVERIFY(steadyText().isEmpty());
        QVERIFY(tile()->view()->isVisible());
        const auto study = stored();
        const auto& kept = study.find("ttft_p99_s")->values;
        const auto& line = tile()->view()->chart().lines.front();
        QCOMPARE(line.y.size(), std::size_t{11});
        for (std::size_t i = 0; i < line.y.size(); ++i) {
            QVERIFY(std::isfinite(line.y[i]));
            QVERIFY(test::same(line.y[i], kept[i]));
        }
        QVERIFY(line.y.back() > 2.0 * line.y.front()); // past the closed form requests pile up
    }

    void steadyArrivalsAreToldInPlaceOfAnEmptyPlot() {
        setup()->setAxes({{"nodes.fpga.count", "6,7"}});
        runByClick();
        QVERIFY(tile()->view()->isVisible());
        chooseMetric("ttft_p99_s");
        QVERIFY2(steadyText().contains(QStringLiteral("under Requests")), qPrintable(steadyText()));
        QVERIFY(!tile()->view()->isVisible());
        QSignalSpy wanted(m_explore.get(), &ExploreWorkspace::quantityRequested);
        QTest::mouseClick(tile()->findChild<QPushButton*>(QStringLiteral("chooseArrivals")), Qt::LeftButton);
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted.front().front().value<std::string>(), std::string("serving.arrivals"));
        chooseMetric("latency_s");
        QVERIFY(tile()->view()->isVisible());
        // The same study over a backlog has them.
        chooseMetric("ttft_p99_s");
        QVERIFY(setArrivals(*m_document, engine::arrivalsNamed("backlog")));
        setup()->setAxes({{"nodes.fpga.count", "6,7"}});
        runByClick();
        chooseMetric("ttft_p99_s");
        QVERIFY(steadyText().isEmpty());
        QVERIFY(tile()->view()->isVisible());
    }

    void simulatedMetricsHaveAHeading() {
        setup()->setAxes({{"nodes.fpga.count", "6,7"}});
        runByClick();
        const int heading = metric()->findText(QStringLiteral("Simulated requests"));
        QVERIFY(heading > 0);
        QVERIFY(!metric()->model()->flags(metric()->model()->index(heading, 0)).testFlag(Qt::ItemIsEnabled));
        QCOMPARE(metric()->itemData(heading + 1).toString(), QStringLiteral("served_tok_s"));
        metric()->setFocus();
        metric()->setCurrentIndex(heading - 2); // the last before the separator
        QTest::keyClick(metric(), Qt::Key_Down);
        QCOMPARE(metric()->currentData().toString(), QStringLiteral("served_tok_s"));
        QTest::mouseClick(tile()->findChild<QToolButton*>(QStringLiteral("plotOptions")), Qt::LeftButton);
        auto* further = tile()->findChild<QListWidget*>(QStringLiteral("furtherMetrics"));
        QTRY_VERIFY(further->isVisible());
        const auto found = further->findItems(QStringLiteral("Simulated requests"), Qt::MatchExactly);
        QCOMPARE(found.size(), 1);
        QVERIFY(!found.front()->flags().testFlag(Qt::ItemIsUserCheckable));
        // Ticking one of them leaves the heading as it is.
        auto* first = further->item(further->row(found.front()) + 1);
        first->setCheckState(Qt::Checked);
        QVERIFY(!found.front()->flags().testFlag(Qt::ItemIsEnabled));
        QCOMPARE(tile()->plot().rightMetrics, (std::vector<std::string>{"served_tok_s"}));
        further->window()->hide();
    }
};

WIDGET_TEST(ExploreRequestsTest)
#include "explore_requests_test.moc"
