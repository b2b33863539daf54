// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/parameters.h"
#include "engine/study/largest_within.h"
#include "engine/units/number_text.h"
#include "tests/shipped_catalog.h"
#include "tests/widgets/widget_test.h"
#include "widgets/document/document.h"
#include "widgets/document/serving_view.h"
#include "widgets/document/simulation_runner.h"
#include "widgets/inspector/scrub_slider.h"
#include "widgets/plots/plot_lines.h"
#include "widgets/plots/plot_pointer.h"
#include "widgets/plots/plot_view.h"
#include "widgets/results/load_panel.h"
#include "widgets/theme/text_label.h"

#include <QLineEdit>
#include <QPushButton>
#include <QSlider>

#include <cmath>

using namespace heteroscape;
using namespace heteroscape::widgets;

/// The load of the open design: its slider, its curves, and the largest within limits.
class LoadPanelTest : public QObject {
    Q_OBJECT

    std::unique_ptr<Document> m_document;
    std::unique_ptr<LoadPanel> m_panel;
    SimulationRunner* m_runner = nullptr;

    void set(const char* path, const char* value) { QVERIFY(m_document->set(path, value)); }
    double load(const char* path) const {
        return engine::resolveQuantity(m_document->scenario(), path).in(m_document->scenario()).value;
    }
    bool isCalm() const { return !m_panel->isBusy() && !m_runner->isBusy(); }
    void serveUsers() {
        set("workload.output_tokens", "32");
        set("serving.arrivals", "closed_loop");
        set("serving.waves", "2");
        set("serving.users", "8");
        QTRY_VERIFY_WITH_TIMEOUT(isCalm() && m_panel->plot()->chart().lines.size() == 5, 60000);
    }
    const Chart& chart() const { return m_panel->plot()->chart(); }
    const ChartReference* here() const {
        for (const auto& reference : chart().references)
            if (reference.movable)
                return &reference;
        return nullptr;
    }

private slots:
    void init() {
        m_document = std::make_unique<Document>(shippedCatalog());
        m_document->openPreset("served/gpt-oss-120b-h100");
        m_runner = simulationOf(m_document.get());
        m_panel = std::make_unique<LoadPanel>(m_document.get(), m_runner);
        present(m_panel.get(), {1100, 240});
    }
    void cleanup() {
        m_panel.reset();
        m_document.reset();
    }

    void steadyRequestsHaveNoLoadAndOtherArrivalsAreOffered() {
        QVERIFY2(m_panel->reason().contains(QStringLiteral("Choose users or a rate")),
                 qPrintable(m_panel->reason()));
        QVERIFY(!m_panel->slider());
        auto* users = m_panel->findChild<QPushButton*>(QStringLiteral("closed_loop"));
        QVERIFY(users);
        QTest::mouseClick(users, Qt::LeftButton);
        QVERIFY(m_panel->slider());
        QCOMPARE(m_panel->slider()->path(), std::string("serving.users"));
        set("serving.arrivals", "poisson");
        QTRY_COMPARE(m_panel->slider()->path(), std::string("serving.rate_req_s"));
        m_document->newDesign();
        QVERIFY(!m_panel->reason().isEmpty());
    }

    void curvesAreThoseOfTheDesignAtEachLoad() {
        serveUsers();
        const auto& p99 = chart().lines[1];
        QCOMPARE(p99.name, QStringLiteral("TTFT, p99"));
        QVERIFY(p99.x.size() >= 8 && p99.x.front() == 1.0 && p99.x.back() >= 256.0);
        for (std::size_t i = 0; i < p99.x.size(); ++i) {
            auto scenario = m_document->scenario();
            engine::applyEdit(scenario,
                              engine::SetQuantity{"serving.users", {p99.x[i], engine::Provenance::User, {}}});
            auto evaluation = engine::evaluate(scenario);
            engine::simulateInto(scenario, evaluation);
            QCOMPARE(p99.y[i], evaluation.metric(engine::Metric::FirstTokenP99));
            QCOMPARE(chart().lines[4].y[i], evaluation.metric(engine::Metric::ServedThroughput));
        }
        QCOMPARE(here()->at, 8.0);
        QCOMPARE(here()->label, QStringLiteral("8"));
        const auto said = words(m_panel.get());
        for (const auto* fact : {"TTFT", "TPOT", "Queue", "KV cache", "Cost", "$/Mtok"})
            QVERIFY2(said.contains(QLatin1String(fact)), qPrintable(said));
    }

    void theSliderMovesTheLoadInOneStepAndCurvesStay() {
        serveUsers();
        const auto before = chart().lines[1].y;
        const int steps = m_document->undoStack()->count();
        auto* slider = m_panel->slider()->slider();
        slider->setValue(slider->maximum() / 2);
        slider->setValue(slider->maximum() / 3);
        const double users = m_panel->slider()->value();
        QVERIFY(users > 8.0 || users < 8.0);
        QCOMPARE(load("serving.users"), users);
        QCOMPARE(here()->at, users);
        QCOMPARE(m_document->undoStack()->count(), steps + 1);
        QTRY_VERIFY_WITH_TIMEOUT(isCalm(), 60000);
        QCOMPARE(chart().lines.size(), std::size_t{5});
        QCOMPARE(chart().lines[1].y, before);
        // The line in the plot is the same load.
        emit m_panel->plot()->pointer().lines().moving(0, 40.4);
        QCOMPARE(load("serving.users"), 40.0);
        QCOMPARE(m_panel->slider()->value(), 40.0);
        m_document->undoStack()->undo();
        QCOMPARE(load("serving.users"), 8.0);
        QCOMPARE(m_panel->slider()->value(), 8.0);
        // Another design has other curves.
        set("workload.output_tokens", "16");
        QVERIFY(chart().lines.empty());
        QTRY_VERIFY_WITH_TIMEOUT(chart().lines.size() == 5 && chart().lines[1].y != before, 60000);
    }

    void whatIsTypedBeyondTheSliderWidensIt() {
        serveUsers();
        auto* field = m_panel->slider()->field();
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("300"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(load("serving.users"), 300.0);
        QCOMPARE(m_panel->slider()->field(), field); // it stays under the hand
        QVERIFY(field->hasFocus());
        QTRY_VERIFY_WITH_TIMEOUT(isCalm() && chart().lines.size() == 5, 60000);
        QCOMPARE(chart().lines[1].x.back(), 1024.0);
        const auto* slider = m_panel->slider()->slider();
        QVERIFY(slider->value() < slider->maximum());
    }

    void whatChangesWhileThePageIsNotSeenIsCaughtUpWith() {
        serveUsers();
        m_panel->hide();
        set("workload.output_tokens", "16");
        set("serving.arrivals", "steady");
        QTest::qWait(300); // curves would have been asked for
        m_panel->show();
        QVERIFY(!m_panel->reason().isEmpty());
        m_panel->hide();
        set("serving.arrivals", "closed_loop");
        m_panel->show();
        QTRY_VERIFY_WITH_TIMEOUT(isCalm() && chart().lines.size() == 5, 60000);
    }

    void anAnswerIsOfTheDesignThatWasAsked() {
        serveUsers();
        const auto users = load("serving.users");
        // Edited meanwhile, moved meanwhile, and with the page out of sight: none is answered.
        for (int round = 0; round < 3; ++round) {
            QTest::mouseClick(m_panel->largest(), Qt::LeftButton);
            QVERIFY(!m_panel->largest()->isEnabled());
            if (round == 2)
                m_panel->hide();
            if (round == 1)
                emit m_panel->plot()->pointer().lines().moving(0, users);
            else
                set("workload.prompt_tokens", round == 0 ? "512" : "256");
            QTRY_VERIFY_WITH_TIMEOUT(isCalm(), 60000);
            m_panel->show();
            QCOMPARE(load("serving.users"), users);
            QVERIFY2(m_panel->answer().isEmpty(), qPrintable(m_panel->answer()));
            QTRY_VERIFY(m_panel->largest()->isEnabled());
        }
    }

    void theLargestLoadWithinLimitsIsOneClick() {
        serveUsers();
        set("serving.ttft_limit_s", "0.5");
        set("serving.tpot_limit_s", "0.02");
        auto expected = engine::largestWithin(
            m_document->scenario(), "serving.users",
            {engine::parseLimit("ttft_p99_s<=0.5"), engine::parseLimit("tpot_p99_s<=0.02")});
        QTest::mouseClick(m_panel->largest(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(load("serving.users"), expected.value, 60000);
        QVERIFY(expected.value > 1.0);
        QVERIFY2(
            m_panel->answer().startsWith(QStringLiteral("Users %1: p99 TTFT")
                                             .arg(QString::fromStdString(engine::plainText(expected.value)))),
            qPrintable(m_panel->answer()));
        QVERIFY2(m_panel->answer().contains(QString::fromStdString(expected.stop)),
                 qPrintable(m_panel->answer()));
        m_document->undoStack()->undo();
        QCOMPARE(load("serving.users"), 8.0);
        // What no load keeps is said, and the load stays.
        set("serving.tpot_limit_s", "0.000001");
        QTest::mouseClick(m_panel->largest(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(m_panel->answer().contains(QStringLiteral("no value is within the limits")),
                                 60000);
        QCOMPARE(load("serving.users"), 8.0);
        QTRY_VERIFY(m_panel->largest()->isEnabled());
    }
};

WIDGET_TEST(LoadPanelTest)
#include "load_panel_test.moc"
