// SPDX-License-Identifier: GPL-3.0-or-later
// The Find page in the program's window: searched, paused, kept, opened; against searches of the engine.
#include "engine/base/file.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/expected_error.h"
#include "engine/scenario/scenario_json.h"
#include "engine/search/search_result.h"
#include "engine/units/number_text.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/hand.h"
#include "tests/widgets/window/window_fixture.h"
#include "widgets/explore/axis_list.h"
#include "widgets/explore/explore_workspace.h"
#include "widgets/explore/limit_list.h"
#include "widgets/explore/page_switch.h"
#include "widgets/find/cluster_card.h"
#include "widgets/find/find_page.h"
#include "widgets/find/find_setup.h"
#include "widgets/find/found_card.h"
#include "widgets/find/seek_panel.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/plot_view.h"
#include "widgets/theme/text_label.h"
#include "widgets/window/command_palette.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QUndoStack>
#include <nlohmann/json.hpp>
#include <qcustomplot.h>

#include <cmath>
#include <sys/stat.h>

using namespace heteroscape;
using namespace heteroscape::widgets;

class FindPageTest : public WindowFixture {
    Q_OBJECT

    FindPage* page() const { return m_window->findChild<FindPage*>(); }
    FindSetup* setup() const { return child<FindSetup>(page()); }
    template <class Widget>
    Widget* named(const char* name) const {
        return m_window->findChild<Widget*>(QLatin1String(name));
    }
    static void click(QWidget* widget) { Hand().click(widget); }

    void openPage() const {
        auto* palette = m_window->openCommandPalette();
        QTest::keyClicks(child<QLineEdit>(palette), QStringLiteral("find the best designs"));
        QTest::keyClick(child<QLineEdit>(palette), Qt::Key_Return);
        QTRY_VERIFY(page()->isVisible());
    }
    void setUp(const std::vector<AxisText>& axes, const std::vector<engine::SearchGoal>& goals,
               const std::vector<engine::Limit>& limits) const {
        child<AxisList>(setup())->setAxes(axes);
        child<ObjectiveList>(setup())->setGoals(goals);
        setup()->limits()->setLimits(limits);
        emit child<AxisList>(setup())->edited();
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
        child<AxisList>(setup())->setAxes({});
        click(named<QPushButton>("addVariable"));
        auto* picker = child<AxisList>(setup())->findChild<AxisPicker*>();
        QTRY_VERIFY(picker->isVisible());
        QTest::keyClicks(picker->findChild<QLineEdit*>(), QStringLiteral("u280 count"));
        QTest::keyClick(picker->findChild<QLineEdit*>(), Qt::Key_Return);
        QTRY_COMPARE(child<AxisList>(setup())->axes().size(), std::size_t{1});
        QCOMPARE(child<AxisList>(setup())->axes().front().path, std::string("nodes.fpga.count"));
        setUp(m_axes, m_goals, m_limits);
        searchAll();
        const auto expected = engine::exhaustiveSearch().run(*setup()->problem(), {});
        const auto& found = *page()->found();
        QVERIFY(found.isDone());
        QCOMPARE(found.tally().json().dump(), expected.json().dump());
        QVERIFY(found.front.size() > 2);
        const auto& chart = page()->plot()->chart();
        QVERIFY(chart.cloud.has_value());
        QCOMPARE(chart.cloud->points->x.size(), found.cloud.size());
        QCOMPARE(chart.references.size(), std::size_t{1}); // the limit of the price
        QCOMPARE(chart.references.front().at, 90000.0);
        // How often each limit binds stands beside it.
        const auto& rows = setup()->limits()->rows();
        QCOMPARE(rows.size(), m_limits.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const double share =
                static_cast<double>(expected.broken(i)) / static_cast<double>(expected.running());
            QVERIFY(share > 0.0);
            QCOMPARE(rows[i]->note(), QStringLiteral("binds %1 %").arg(std::lround(100.0 * share)));
        }
        rows[0]->field()->setText(QString());
        QTest::keyClicks(rows[0]->field(), QStringLiteral("80000"));
        QCOMPARE(rows[0]->note(), QString()); // it was about another limit
        for (auto* card : page()->cards())
            QVERIFY(card->isVisible());
        const auto csv = m_test->file("front.csv");
        QVERIFY(page()->exportButton()->exportTo(m_test->file("front.svg")));
        QVERIFY(page()->exportButton()->exportTo(csv));
        QVERIFY(QFile::exists(csv));
    }

    void otherDesignsLieBehindTheFront() {
        openPage();
        setUp(m_axes, m_goals, m_limits);
        searchAll();
        const auto& found = *page()->found();
        const auto& cloud = *page()->plot()->chart().cloud;
        QVERIFY(found.front.size() < found.within);
        QVERIFY(found.within < found.cloud.size());
        for (std::size_t i = 0; i < found.cloud.size(); ++i) {
            const auto design = found.designAt(found.cloud[i].ordinal);
            const auto price = engine::evaluate(design).metric(engine::Metric::Price);
            const bool keeps =
                price <= 90000 && design.findNode({"fpga"})->count.value + 1 <= 10; // and one A100
            QCOMPARE(cloud.isKept(i), keeps);
            QCOMPARE(cloud.isPale(i), keeps && i >= found.front.size());
            QCOMPARE(cloud.points->x[i], price);
        }
        // Any of them can be chosen and becomes card A.
        const auto other = found.cloud[found.front.size()].ordinal;
        page()->choose(other);
        QTRY_COMPARE(page()->cards()[0]->facts().ordinal, other);
    }

    void aLimitIsDraggedInThePlotAndMovedByKeys() {
        openPage();
        setUp(m_axes, m_goals, m_limits);
        searchAll();
        auto* plot = page()->plot()->findChild<QCustomPlot*>();
        auto* row = setup()->limits()->rows().front();
        const auto& line = page()->plot()->chart().references.front();
        QVERIFY(line.vertical && line.movable && line.pill);
        QCOMPARE(line.outside, 1);
        QCOMPARE(line.label,
                 QStringLiteral("limit: %1").arg(columnValue(document().scenario(), "price_usd", 90000)));
        const auto xOf = [&](double price) { return static_cast<int>(plot->xAxis->coordToPixel(price)); };
        QTRY_VERIFY(
            plot->axisRect()->rect().contains(QPoint(xOf(90000), plot->axisRect()->rect().center().y())));
        const int y = plot->axisRect()->rect().bottom() - 8;
        const QPoint from(xOf(90000), y), to(xOf(70000), y);
        const Hand hand;
        hand.press(plot, from);
        for (int step = 1; step <= 4; ++step)
            QTest::mouseMove(plot->window()->windowHandle(),
                             plot->mapTo(plot->window(), from + (to - from) * step / 4));
        // The field follows; nothing is set up anew before the line is let go.
        QTRY_VERIFY(row->limit() && row->limit()->most < 75000);
        QCOMPARE(setup()->problem()->study.limits.front().most, 90000.0);
        QCOMPARE(page()->plot()->chart().references.front().at, row->limit()->most);
        hand.release(plot, to);
        const double dragged = row->limit()->most;
        QVERIFY(std::fabs(dragged - 70000) < 1500);
        QCOMPARE(setup()->problem()->study.limits.front().most, dragged);
        QVERIFY(named<QLabel>("frontHint")->text().contains(QStringLiteral("search again")));
        // A click on the line is none of it.
        QSignalSpy changed(setup(), &FindSetup::changed);
        hand.click(plot, {xOf(dragged), y});
        QCOMPARE(changed.count(), 0);
        page()->plot()->setFocus();
        QTest::keyClick(page()->plot(), Qt::Key_L);
        QTest::keyClick(page()->plot(), Qt::Key_Right);
        QTest::keyClick(page()->plot(), Qt::Key_Right, Qt::ShiftModifier);
        const double byKeys = row->limit()->most;
        QVERIFY(byKeys > dragged);
        QCOMPARE(changed.count(), 0);
        QTest::keyClick(page()->plot(), Qt::Key_Return);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(setup()->problem()->study.limits.front().most, byKeys);
        QTest::keyClick(page()->plot(), Qt::Key_L);
        QTest::keyClick(page()->plot(), Qt::Key_Left);
        QTest::keyClick(page()->plot(), Qt::Key_Escape);
        QCOMPARE(setup()->problem()->study.limits.front().most, byKeys);
        searchAll();
        for (const auto& entry : page()->found()->front)
            QVERIFY(entry.values[1] <= byKeys);
    }

    void aCardHasFiguresWithTheirErrorsAndWhatIfs() {
        document().openPreset("served/gpt-oss-120b-h100");
        openPage();
        setUp({{"workload.batch", "1:16:*2"}, {"nodes.gpu.device.memory_bandwidth_gbps", "3350,5000"}},
              {{"throughput_tok_s", 1}, {"nodes.gpu.device.memory_bandwidth_gbps", -1}},
              {{.column = "tpot_s", .most = 1}, {.column = "price_usd", .most = 100000}});
        searchAll();
        auto* card = page()->cards()[0];
        const auto choose = [&](double bandwidth) {
            for (const auto& entry : page()->found()->front)
                if (entry.values[1] == bandwidth) {
                    page()->choose(entry.ordinal);
                    QTRY_COMPARE_WITH_TIMEOUT(card->facts().ordinal, entry.ordinal, 30000);
                    return;
                }
            QFAIL("no such design on the front");
        };
        const auto useOf = [&](const QString& start) {
            for (const auto& use : card->facts().uses)
                if (use.label.contains(start, Qt::CaseInsensitive))
                    return use;
            return FoundFacts::Use{};
        };
        choose(3350);
        const auto facts = card->facts();
        const auto evaluation = engine::evaluate(facts.design);
        const engine::ExpectedErrors errors(facts.design, evaluation);
        const auto most = 100.0 * std::expm1(errors.of(engine::Metric::Throughput).band().second);
        QVERIFY(most > 1);
        QCOMPARE(facts.figures.size(), std::size_t{3});
        QCOMPARE(facts.figures[0].caption, QStringLiteral("tok/s ±%1\u202f%").arg(std::round(most)));
        for (const auto& [value, caption, label] : facts.figures)
            QVERIFY(caption.contains(u'±') || label.contains(QStringLiteral("ost"))); // never on costs
        QVERIFY(!useOf(QStringLiteral("price")).text.contains(u'±'));
        QCOMPARE(facts.chips.size(), std::size_t{1}); // the batch; the bandwidth has a bar
        QVERIFY(useOf(QStringLiteral("bandwidth")).text.endsWith(QStringLiteral(", its own")));
        QCOMPARE(useOf(QStringLiteral("bandwidth")).share, 3350.0 / 5000.0);
        choose(5000);
        QVERIFY(useOf(QStringLiteral("bandwidth")).text.endsWith(QStringLiteral(", what-if")));
        QCOMPARE(useOf(QStringLiteral("bandwidth")).share, 1.0);
    }

    void idealDesignsArePaleAndOneClickLeavesThemOut() {
        document().openPreset("served/gpt-oss-120b-h100");
        openPage();
        setUp({{"nodes.gpu.runtime", "vllm, ideal"}, {"workload.batch", "1:16:*2"}},
              {{"throughput_tok_s", 1}, {"power_w", -1}}, {});
        auto* alike = child<QPushButton>(page(), "likeForLike");
        QVERIFY(!alike->isVisible());
        searchAll();
        const auto mixed = page()->found();
        QVERIFY(mixed->truths.areIdealAmongOthers() && mixed->idealLeads());
        const auto& chart = page()->plot()->chart();
        QVERIFY(chart.cloud->frontLabel.endsWith(QStringLiteral("of them ideal")));
        std::size_t measured = 0;
        for (std::size_t i = 0; i < mixed->front.size(); ++i) {
            const auto truth = engine::truthOf(mixed->designAt(mixed->front[i].ordinal));
            QCOMPARE(chart.cloud->isPale(i), truth == engine::Truth::Ideal);
            measured += truth == engine::Truth::Served ? 1 : 0;
        }
        QVERIFY(measured > 0 && measured < mixed->front.size());
        // A card of one says so, in muted ink.
        const auto* card = page()->cards()[0];
        for (const auto& entry : mixed->front) {
            page()->choose(entry.ordinal);
            QTRY_COMPARE_WITH_TIMEOUT(card->facts().ordinal, entry.ordinal, 30000);
            const bool ideal = mixed->ideal[static_cast<std::size_t>(&entry - mixed->front.data())];
            QCOMPARE(child<Pill>(card)->isVisible(), ideal);
            QCOMPARE(card->findChild<TextLabel*>()->role(), ideal ? ColorRole::Muted : ColorRole::Text);
        }
        QVERIFY(alike->isVisible());
        click(alike);
        QTRY_VERIFY_WITH_TIMEOUT(!page()->isBusy() && page()->found(), 60000);
        QVERIFY(child<QCheckBox>(setup(), "measured")->isChecked());
        const auto likes = page()->found();
        QVERIFY(!likes->front.empty() && !alike->isVisible());
        QCOMPARE(likes->within, std::size_t{5}); // the batches of vLLM
        for (std::size_t i = 0; i < likes->within; ++i)
            QCOMPARE(engine::truthOf(likes->designAt(likes->cloud[i].ordinal)), engine::Truth::Served);
        auto* onlyMeasured = child<QCheckBox>(setup(), "measured");
        Hand().click(onlyMeasured, {8, onlyMeasured->height() / 2}); // the way back
        searchAll();
        QCOMPARE(page()->found()->front.size(), mixed->front.size());
    }

    void goalSeekIsOnTheChosenDesign() {
        openPage();
        setUp(m_axes, m_goals, {{.column = "latency_s", .most = 30}});
        auto* of = named<QComboBox>("soughtOf");
        QCOMPARE(of->count(), 1); // the open design
        searchAll();
        const auto ordinal = page()->found()->front.front().ordinal;
        page()->choose(ordinal);
        QTRY_COMPARE(page()->cards()[0]->facts().ordinal, ordinal);
        const auto design = page()->cards()[0]->facts().design;
        QVERIFY(of->currentText().startsWith(QStringLiteral("A: ")));
        engine::GoalSeek wanted;
        wanted.path = "workload.batch";
        wanted.limits = {{.column = "latency_s", .most = 30}};
        wanted.largest = true;
        const auto sought = engine::seekValue(design, wanted);
        QVERIFY(sought.found);
        QVERIFY(design.findNode({"fpga"})->count != document().scenario().findNode({"fpga"})->count);
        click(named<QPushButton>("largestBatch"));
        QTRY_VERIFY_WITH_TIMEOUT(named<QPushButton>("setSought")->isVisible(), 60000);
        const auto before = document().scenario();
        click(named<QPushButton>("setSought"));
        QCOMPARE(document().scenario().workload.batch.value, sought.value);
        QCOMPARE(document().scenario().findNode({"fpga"})->count, design.findNode({"fpga"})->count);
        QCOMPARE(m_window->workspace(), Workspace::Design);
        m_test->undo(); // one step
        QCOMPARE(document().scenario(), before);
        openPage();
        of->setCurrentIndex(of->count() - 1);
        emit of->activated(of->count() - 1);
        click(named<QPushButton>("largestBatch"));
        const auto open = engine::seekValue(document().scenario(), wanted);
        QTRY_VERIFY_WITH_TIMEOUT(
            setup()->seek()->answer().contains(QString::fromStdString(engine::plainText(open.value))), 60000);
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
        QTRY_VERIFY_WITH_TIMEOUT(child<NoticeBar>(page())->isVisible(), 60000);
        emit child<NoticeBar>(page())->acted();
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
        // The nearest of all is told, and a click relaxes the limit so that it is kept.
        const auto& nearest = page()->found()->tally().nearestToAll();
        const double price =
            engine::evaluate(page()->found()->designAt(nearest.ordinal)).metric(engine::Metric::Price);
        const auto told = named<QLabel>("closest")->text();
        QVERIFY2(told.startsWith(QStringLiteral("No design. Closest: ")), qPrintable(told));
        QVERIFY2(told.contains(columnValue(document().scenario(), "price_usd", price)), qPrintable(told));
        auto* relax = named<QPushButton>("relax");
        QVERIFY(relax->text().startsWith(QStringLiteral("Relax to ")));
        click(relax);
        const auto most = setup()->problem()->study.limits.front().most;
        QVERIFY(most >= price && most < 1.01 * price);
        searchAll();
        QVERIFY(page()->found()->tally().kept() > 0);
        QVERIFY(!named<QLabel>("closest")->isVisible());
        QVERIFY(!relax->isVisible());
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
        auto* card = child<ClusterCard>(page());
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

    void aJobFolderWithAPipeInItIsToldAndHoldsNothingUp() {
        openPage();
        setUp(m_axes, m_goals, m_limits);
        auto* card = child<ClusterCard>(page());
        QDir(m_test->folder.path()).mkpath(QStringLiteral("job"));
        card->askFolder = [this] { return m_test->file("job"); };
        named<QSpinBox>("pieces")->setValue(3);
        click(named<QPushButton>("writeJob"));
        QFile script(m_test->file("job/run.sh"));
        QVERIFY(script.open(QIODevice::ReadOnly));
        QVERIFY(script.readAll().contains("HETEROSCAPE='"));
        QVERIFY(QFile(m_test->file("job/part-1")).open(QIODevice::WriteOnly));
        QSignalSpy progressed(card->job(), &ClusterJob::progressed);
        QSignalSpy failed(card->job(), &ClusterJob::failed);
        click(named<QPushButton>("followJob"));
        QTRY_VERIFY(!progressed.isEmpty());
        QCOMPARE(progressed.first(), (QVariantList{1, 3}));
        QCOMPARE(::mkfifo(m_test->file("job/part-2").toUtf8().constData(), 0600), 0);
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(failed.first().first().toString().contains(QStringLiteral("part-2: not a regular file")));
        QFile::remove(m_test->file("job/job.json"));
        QCOMPARE(::mkfifo(m_test->file("job/job.json").toUtf8().constData(), 0600), 0);
        click(named<QPushButton>("followJob"));
        QTRY_COMPARE(failed.count(), 2);
        QVERIFY(failed.last().first().toString().contains(QStringLiteral("job.json: not a regular file")));
    }
};

WIDGET_TEST(FindPageTest)
#include "find_page_test.moc"
