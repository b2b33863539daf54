// SPDX-License-Identifier: GPL-3.0-or-later
// The Find page in the program's window: searched, paused, kept, opened; against searches of the engine.
#include "engine/base/file.h"
#include "engine/evaluation/evaluate.h"
#include "engine/scenario/scenario_json.h"
#include "engine/search/search_result.h"
#include "engine/units/number_text.h"
#include "tests/widgets/window/hand.h"
#include "tests/widgets/window/window_fixture.h"
#include "widgets/explore/axis_list.h"
#include "widgets/explore/axis_picker.h"
#include "widgets/explore/explore_workspace.h"
#include "widgets/explore/limit_list.h"
#include "widgets/explore/page_switch.h"
#include "widgets/find/cluster_card.h"
#include "widgets/find/find_page.h"
#include "widgets/find/find_setup.h"
#include "widgets/find/found_card.h"
#include "widgets/find/objective_list.h"
#include "widgets/find/seek_panel.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/plot_view.h"
#include "widgets/window/command_palette.h"

#include <QComboBox>
#include <QDir>
#include <QPushButton>
#include <QSpinBox>
#include <QUndoStack>
#include <nlohmann/json.hpp>

using namespace heteroscape;
using namespace heteroscape::widgets;

class FindPageTest : public WindowFixture {
    Q_OBJECT

    FindPage* page() const { return m_window->findChild<FindPage*>(); }
    FindSetup* setup() const { return page()->setup(); }
    template <class Widget>
    Widget* named(const char* name) const {
        return m_window->findChild<Widget*>(QLatin1String(name));
    }
    static void click(QWidget* widget) { Hand().click(widget); }

    void openPage() const {
        auto* palette = m_window->openCommandPalette();
        QTest::keyClicks(palette->search(), QStringLiteral("find the best designs"));
        QTest::keyClick(palette->search(), Qt::Key_Return);
        QTRY_VERIFY(page()->isVisible());
    }
    void setUp(const std::vector<AxisText>& axes, const std::vector<engine::SearchGoal>& goals,
               const std::vector<engine::Limit>& limits) const {
        setup()->variables()->setAxes(axes);
        setup()->objectives()->setGoals(goals);
        setup()->limits()->setLimits(limits);
        emit setup()->variables()->edited();
        QVERIFY(setup()->problem());
    }
    void searchAll() const {
        click(named<QPushButton>("search"));
        QTRY_VERIFY_WITH_TIMEOUT(!page()->isBusy(), 60000);
        QVERIFY(page()->found());
    }
    const std::vector<AxisText> m_axes{{"nodes.fpga.count", "1:12"}, {"workload.batch", "1:16:*2"}};
    const std::vector<engine::SearchGoal> m_goals{{"throughput_tok_s", 1}, {"price_usd", -1}};
    const std::vector<engine::Limit> m_limits{{.column = "price_usd", .most = 90000},
                                              {.column = "devices", .most = 10}};

private slots:
    void aSearchIsSetUpByTypingAndFillsItsFront() {
        openPage();
        setup()->variables()->setAxes({});
        click(named<QPushButton>("addVariable"));
        auto* picker = setup()->variables()->findChild<AxisPicker*>();
        QTRY_VERIFY(picker->isVisible());
        QTest::keyClicks(picker->findChild<QLineEdit*>(), QStringLiteral("u280 count"));
        QTest::keyClick(picker->findChild<QLineEdit*>(), Qt::Key_Return);
        QTRY_COMPARE(setup()->variables()->axes().size(), std::size_t{1});
        QCOMPARE(setup()->variables()->axes().front().path, std::string("nodes.fpga.count"));
        setUp(m_axes, m_goals, m_limits);
        searchAll();
        const auto expected = engine::exhaustiveSearch().run(*setup()->problem(), {});
        const auto& found = *page()->found();
        QVERIFY(found.isDone());
        QCOMPARE(found.tally().json().dump(), expected.json().dump());
        QVERIFY(found.front.size() > 2);
        const auto& chart = page()->plot()->chart();
        QVERIFY(chart.cloud.has_value());
        QCOMPARE(chart.cloud->points->x.size(), found.front.size());
        QCOMPARE(chart.references.size(), std::size_t{1}); // the limit of the price
        QCOMPARE(chart.references.front().at, 90000.0);
        QVERIFY(named<QLabel>("brokenLimits")->text().contains(QStringLiteral("Devices")));
        for (auto* card : page()->cards())
            QVERIFY(card->isVisible());
        const auto csv = m_test->file("front.csv");
        QVERIFY(page()->exportButton()->exportTo(m_test->file("front.svg")));
        QVERIFY(page()->exportButton()->exportTo(csv));
        QVERIFY(QFile::exists(csv));
    }

    void aFoundDesignIsOpenedPinnedAndCompared() {
        openPage();
        setUp(m_axes, m_goals, m_limits);
        searchAll();
        const auto before = document().scenario();
        const auto ordinal = page()->found()->front.front().ordinal;
        page()->choose(ordinal);
        QTRY_COMPARE(page()->cards()[0]->facts().ordinal, ordinal);
        const auto facts = page()->cards()[0]->facts();
        click(page()->cards()[0]->findChild<QPushButton*>(QStringLiteral("pinFound")));
        QCOMPARE(document().pins().all().size(), std::size_t{1});
        QCOMPARE(document().pins().all().front().name, facts.name);
        click(page()->cards()[0]->findChild<QPushButton*>(QStringLiteral("openFound")));
        QCOMPARE(m_window->workspace(), Workspace::Design);
        QVERIFY(document().undoStack()->undoText().contains(facts.name));
        const auto evaluation = engine::evaluate(document().scenario());
        QCOMPARE(evaluation.metric(engine::Metric::Throughput),
                 facts.metrics[static_cast<std::size_t>(engine::Metric::Throughput)]);
        const auto spec = engine::metricSpec(engine::Metric::Throughput);
        QCOMPARE(engine::toEdge(evaluation.metric(engine::Metric::Throughput), spec.scale),
                 page()->found()->front.front().values[0]);
        m_test->undo();
        QCOMPARE(document().scenario(), before);
        openPage();
        QTRY_VERIFY(page()->cards()[1]->isVisible());
        click(page()->cards()[1]->findChild<QPushButton*>(QStringLiteral("compareFound")));
        QCOMPARE(m_window->workspace(), Workspace::Compare);
    }

    void aSearchIsPausedGoesOnAndSurvivesItsWindow() {
        openPage();
        // Large enough not to be done before it is paused.
        const std::vector<AxisText> many{{"nodes.fpga.count", "1:200"},
                                         {"workload.batch", "1:500"},
                                         {"nodes.fpga.device.price_usd", "1000:10000:1"}};
        setUp(many, m_goals, m_limits);
        click(named<QPushButton>("search"));
        QTRY_VERIFY_WITH_TIMEOUT(page()->found() && page()->found()->record.state->done > 0, 60000);
        click(named<QPushButton>("pauseSearch"));
        QTRY_VERIFY_WITH_TIMEOUT(!page()->isBusy(), 60000);
        const auto paused = page()->found()->record.state->done;
        QVERIFY(!page()->found()->isDone());
        QCOMPARE(named<QPushButton>("search")->text(), QStringLiteral("Go on"));
        click(named<QPushButton>("search"));
        QTRY_VERIFY_WITH_TIMEOUT(page()->found()->record.state->done > paused, 60000);
        const auto reached = page()->found()->record.state->done;
        m_test->reopen(); // as if the program was stopped: its file is there
        m_window = m_test->window.get();
        QTRY_VERIFY_WITH_TIMEOUT(
            !QDir(m_test->folder.path() + QStringLiteral("/searches")).entryList(QDir::Files).isEmpty(),
            60000);
        QTRY_VERIFY_WITH_TIMEOUT(waitForJobs(std::chrono::milliseconds(50)), 60000);
        openPage();
        QTRY_VERIFY_WITH_TIMEOUT(page()->notice()->isVisible(), 60000);
        emit page()->notice()->acted();
        QTRY_VERIFY_WITH_TIMEOUT(page()->found() && page()->found()->record.state->done >= reached, 60000);
        click(named<QPushButton>("cancelSearch"));
        QTRY_VERIFY_WITH_TIMEOUT(!page()->isBusy(), 60000);
        QVERIFY(QDir(m_test->folder.path() + QStringLiteral("/searches")).entryList(QDir::Files).isEmpty());
    }

    void aSearchIsKeptInTheFileOfTheDesign() {
        openPage();
        setUp(m_axes, m_goals, m_limits);
        searchAll();
        const auto tally = page()->found()->tally().json().dump();
        click(named<QPushButton>("keepSearch"));
        QCOMPARE(document().scenario().searches.size(), std::size_t{1});
        QVERIFY(document().undoStack()->undoText().startsWith(QStringLiteral("Keep the search")));
        // What it keeps changes no key, and a found design keeps it too.
        auto without = document().scenario();
        without.searches.clear();
        QCOMPARE(engine::scenarioKey(without), engine::scenarioKey(document().scenario()));
        const auto file = m_test->file("kept.hscape");
        document().save(file);
        QTRY_VERIFY(QFile::exists(file) && !document().file().isSaving());
        m_test->reopen("");
        m_window = m_test->window.get();
        m_window->openFile(file);
        QCOMPARE(document().scenario().searches.size(), std::size_t{1});
        openPage();
        QTRY_VERIFY_WITH_TIMEOUT(page()->found() && !page()->isBusy(), 60000);
        QCOMPARE(page()->found()->tally().json().dump(), tally);
        QVERIFY(setup()->problem());
        QCOMPARE(setup()->problem()->study.axes.size(), m_axes.size());
        QVERIFY(setup()->problem()->study.limits == m_limits);
        click(named<QPushButton>("removeSearch"));
        QVERIFY(document().scenario().searches.empty());
        m_test->undo();
        QCOMPARE(document().scenario().searches.size(), std::size_t{1});
    }

    void whatCannotBeMetSaysWhichLimitAndByHowMuch() {
        openPage();
        setUp(m_axes, m_goals, {{.column = "price_usd", .most = 100}});
        searchAll();
        auto* unmet = named<QLabel>("unmet");
        QVERIFY(unmet->isVisible());
        QVERIFY2(unmet->text().contains(QStringLiteral("price_usd<=100 cannot be met")),
                 qPrintable(unmet->text()));
        QVERIFY(unmet->text().contains(QStringLiteral("% over")));
        QVERIFY(page()->plot()->chart().emptyText.contains(QStringLiteral("No design")));
    }

    void goalSeekIsOneClickBesideTheLimits() {
        openPage();
        setUp(m_axes, m_goals, {{.column = "latency_s", .most = 30}});
        click(named<QPushButton>("largestBatch"));
        QTRY_VERIFY_WITH_TIMEOUT(named<QPushButton>("setSought")->isVisible(), 60000);
        engine::GoalSeek wanted;
        wanted.path = "workload.batch";
        wanted.limits = {{.column = "latency_s", .most = 30}};
        wanted.largest = true;
        const auto sought = engine::seekValue(document().scenario(), wanted);
        QVERIFY(sought.found);
        click(named<QPushButton>("setSought"));
        QCOMPARE(document().scenario().workload.batch.value, sought.value);
        m_test->undo();
        named<QLineEdit>("soughtTarget")->setText(QStringLiteral("1e12")); // tok/s
        click(named<QPushButton>("seek"));
        QTRY_VERIFY_WITH_TIMEOUT(setup()->seek()->answer().startsWith(QStringLiteral("No value")), 60000);
        QVERIFY2(setup()->seek()->answer().contains(QStringLiteral("hroughput")),
                 qPrintable(setup()->seek()->answer()));
    }

    void aJobFolderIsWrittenSubmittedFollowedAndMerged_data() {
        QTest::addColumn<QString>("id");
        for (const auto* id : {"shell", "slurm"})
            QTest::newRow(id) << QString::fromLatin1(id);
    }
    void aJobFolderIsWrittenSubmittedFollowedAndMerged() {
        QFETCH(QString, id);
        if (id == QStringLiteral("slurm") && !qEnvironmentVariableIsSet("SLURM_CONF"))
            QSKIP("There is no Slurm here: packaging/cluster/try find_page_test runs it on one of its own");
        openPage();
        setUp(m_axes, m_goals, m_limits);
        auto* card = page()->cluster();
        QDir(m_test->folder.path()).mkpath(QStringLiteral("job"));
        card->askFolder = [this] { return m_test->file("job"); };
        named<QSpinBox>("pieces")->setValue(3);
        auto* way = named<QComboBox>("clusterWay");
        way->setCurrentIndex(way->findData(id));
        QCOMPARE(way->currentData().toString(), id);
        click(named<QPushButton>("writeJob"));
        QVERIFY(QFile::exists(m_test->file("job/run.sh")));
        QVERIFY(QFile::exists(m_test->file("job/design.hscape")));
        click(named<QPushButton>("submitJob"));
        QTRY_VERIFY_WITH_TIMEOUT(page()->found() && !page()->isBusy(), 120000);
        QVERIFY(page()->found()->isDone());
        QCOMPARE(page()->found()->tally().json().dump(),
                 engine::exhaustiveSearch().run(*setup()->problem(), {}).json().dump());
    }
};

QTEST_MAIN(FindPageTest)
#include "find_page_test.moc"
