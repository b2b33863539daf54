// SPDX-License-Identifier: GPL-3.0-or-later
// The page of frontiers through the program's window.
#include "engine/units/number_text.h"
#include "tests/widgets/explore/frontier_fixture.h"
#include "tests/widgets/widget_test.h"
#include "widgets/theme/text_label.h"

#include <QLabel>

class FrontierPageTest : public FrontierFixture {
    Q_OBJECT

private slots:
    void itHasThePointsAndTheFrontsOfTheCommandLine() {
        open();
        const auto& definition = ran().definition;
        const engine::GpuServers servers(*shippedCatalog(), engine::shippedKernels());
        const auto points = engine::frontierPoints(definition, *shippedCatalog(), servers, 2);
        const std::vector<bool> none(points.size());
        QCOMPARE(engine::frontierCsv(definition, ran().points, none),
                 engine::frontierCsv(definition, points, none));
        std::size_t rows = 0;
        for (std::size_t i = 0; i < definition.systems.size(); ++i) {
            const auto front =
                engine::frontierFront(points, i, engine::FrontierAxis::Device, definition.shown.limits);
            QCOMPARE(page()->view()->fronts[i], front);
            rows += front.size();
        }
        QVERIFY(rows > 20);
        QCOMPARE(child<QTableView>(page())->model()->rowCount(), static_cast<int>(rows));
        const auto& chart = page()->plot()->chart();
        QCOMPARE(chart.cloud->points->x.size(), page()->view()->placed.size());
        QVERIFY(chart.x.log && chart.y.log);
        QVERIFY(child<PlotView>(page(), "best")->chart().bars &&
                child<PlotView>(page(), "best")->chart().bars->series.size() > 4);
        QVERIFY(child<PlotView>(page(), "layouts")->chart().lines.size() > 8);
    }

    void theAxisChangesWhatIsHeldAgainst() {
        open();
        auto* axis = page()->tools()->findChild<QComboBox*>(QStringLiteral("frontierAxis"));
        axis->setFocus();
        QTest::keyClick(axis, Qt::Key_Down);
        settled();
        QCOMPARE(page()->view()->choice.shown.axis, engine::FrontierAxis::Dollar);
        QVERIFY(page()->plot()->chart().y.label.contains(QStringLiteral("$")));
        const auto& view = *page()->view();
        for (std::size_t i = 0; i < view.placed.size(); ++i) {
            const auto& point = view.point(view.placed[i]);
            QCOMPARE(page()->plot()->chart().cloud->points->y[i],
                     engine::frontierValue(point, engine::FrontierAxis::Dollar));
        }
        QVERIFY(view.fronts.front().size() > 1);
    }

    void limitsLeavePointsOutAndStandAsALine() {
        open();
        auto* field = [this]() -> QDoubleSpinBox* {
            for (auto* box : child<FrontierSide>(page())->findChildren<QDoubleSpinBox*>())
                if (box->accessibleName().startsWith(QStringLiteral("Time per token")))
                    return box;
            return nullptr;
        }();
        QVERIFY(field);
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("20"));
        QTest::keyClick(field, Qt::Key_Return);
        settled();
        const auto& view = *page()->view();
        QCOMPARE(view.choice.shown.limits.timePerToken, 0.02);
        QVERIFY(view.beyond > 0);
        for (const auto place : view.rows)
            QVERIFY(view.point(place).rates.perUser >= 50 * (1 - 1e-12));
        const auto& chart = page()->plot()->chart();
        QCOMPARE(chart.references.size(), std::size_t{1});
        QCOMPARE(chart.references.front().at, 50.0);
        QVERIFY(chart.references.front().label.contains(QStringLiteral("20")));
        std::size_t beyond = 0;
        for (const auto kept : chart.cloud->kept)
            beyond += kept ? 0 : 1;
        QCOMPARE(beyond, view.beyond);
    }

    void aSystemIsPutAwayAndBack() {
        open();
        const auto all = page()->view()->placed.size();
        auto* box = child<QCheckBox>(page(), "H200");
        QVERIFY(box && box->isChecked());
        QTest::mouseClick(box, Qt::LeftButton, {}, {8, box->height() / 2});
        settled();
        QVERIFY(page()->view()->placed.size() < all);
        QVERIFY(page()->view()->fronts[1].empty());
        QTest::mouseClick(box, Qt::LeftButton, {}, {8, box->height() / 2});
        settled();
        QCOMPARE(page()->view()->placed.size(), all);
        // The fronts alone.
        auto* others = [this]() -> QCheckBox* {
            for (auto* found : child<FrontierSide>(page())->findChildren<QCheckBox*>())
                if (found->text() == QStringLiteral("All points"))
                    return found;
            return nullptr;
        }();
        QTest::mouseClick(others, Qt::LeftButton, {}, {8, others->height() / 2});
        settled();
        QCOMPARE(page()->view()->placed.size(), page()->view()->rows.size());
    }

    void aPointIsChosenInPlotAndTableAndOpenedUndoably() {
        open();
        const auto before = document().scenario();
        const auto point = bestOf(0);
        const auto& view = *page()->view();
        const auto placed = std::find(view.placed.begin(), view.placed.end(), point) - view.placed.begin();
        const ChartPoint at{0, static_cast<int>(placed), ChartPoint::Kind::Cloud};
        const auto pixel = page()->plot()->pixelOf(at).toPoint();
        auto* under = page()->plot()->childAt(pixel);
        QTest::mouseClick(under ? under : page()->plot(), Qt::LeftButton, {},
                          under ? under->mapFrom(page()->plot(), pixel) : pixel);
        QTRY_VERIFY(page()->chosen().has_value());
        // Of points that lie on each other the click takes one.
        const auto chosen = *page()->chosen();
        QVERIFY(std::abs(view.point(chosen).rates.perUser / view.point(point).rates.perUser - 1) < 0.1);
        QVERIFY(page()->plot()->selected().has_value());
        child<QTableView>(page())->setFocus();
        child<QTableView>(page())->selectRow(0);
        QCOMPARE(page()->chosen(), std::optional(view.rows.front()));
        QTest::mouseClick(button("openFrontierPoint"), Qt::LeftButton);
        QTRY_VERIFY(m_window->workspace() == Workspace::Design);
        const auto& opened = document().scenario();
        const auto& plan = view.point(view.rows.front()).plan;
        QCOMPARE(opened.model.id, std::string("llama3-1-70b"));
        QCOMPARE(opened.workload.batch.value, view.point(view.rows.front()).users);
        QCOMPARE(opened.nodes.front().count.value, plan.gpus());
        QVERIFY(QString::fromStdString(opened.name)
                    .contains(QString::fromStdString(view.systemOf(view.rows.front()).name)));
        QVERIFY(document().undoStack()->undoText().contains(QStringLiteral("Open")));
        document().undoStack()->undo();
        QVERIFY(document().scenario() == before);
    }

    void theOpenDesignAndAPinJoinAndGo() {
        open();
        const auto systems = ran().definition.systems.size();
        page()->choose(bestOf(0));
        QTest::mouseClick(button("pinFrontierPoint"), Qt::LeftButton);
        QTRY_COMPARE(document().pins().all().size(), std::size_t{1});
        QTest::mouseClick(button("addFrontierDesign"), Qt::LeftButton);
        QTRY_VERIFY(child<QMenu>(page(), "addDesign")->isVisible());
        QVERIFY(child<QMenu>(page(), "addDesign")->actions().size() > 5);
        child<QMenu>(page(), "addDesign")->actions().front()->trigger(); // the open design
        child<QMenu>(page(), "addDesign")->close();
        settled();
        QCOMPARE(ran().definition.systems.size(), systems + 1);
        const auto added = ran().definition.systems.back();
        auto plain = document().scenario();
        plain.dropKept(); // which has the design in it
        QVERIFY(added.open && *added.open == plain);
        QVERIFY(page()->view()->sizes.back() == ran().definition.users.size());
        for (const auto& point : ran().points)
            if (point.system == systems)
                QVERIFY(point.answered() || !point.isPending());
        auto* away = child<FrontierSide>(page())->findChild<QToolButton*>();
        QVERIFY(away && away->isVisible());
        QTest::mouseClick(away, Qt::LeftButton);
        settled();
        QCOMPARE(ran().definition.systems.size(), systems);
    }

    void anIdealSystemIsSaidToBeOne() {
        document().openPreset("preserve/llama3-70b-8h100");
        open();
        QTest::mouseClick(button("addFrontierDesign"), Qt::LeftButton);
        QTRY_VERIFY(child<QMenu>(page(), "addDesign")->isVisible());
        child<QMenu>(page(), "addDesign")->actions().front()->trigger(); // the open design
        child<QMenu>(page(), "addDesign")->close();
        settled();
        const auto last = ran().definition.systems.size() - 1;
        QVERIFY(!page()->view()->fronts[last].empty());
        QTRY_VERIFY_WITH_TIMEOUT(page()->view()->isIdealSystem(last), 60000);
        int ideal = 0, said = 0;
        std::optional<std::size_t> lossy; // a system that is as real servers are
        for (std::size_t i = 0; i <= last; ++i)
            if (page()->view()->isIdealSystem(i))
                ++ideal;
            else if (!page()->view()->fronts[i].empty())
                lossy = i;
        QVERIFY(lossy);
        for (const auto* label : child<FrontierSide>(page())->findChildren<QLabel*>())
            said += label->text().startsWith(QStringLiteral("Ideal: upper bound"));
        QCOMPARE(said, ideal);
        auto* pill = child<FrontierSide>(page())->findChild<Pill*>();
        page()->choose(bestOf(last));
        QVERIFY(pill->isVisible());
        page()->choose(bestOf(*lossy));
        QVERIFY(!pill->isVisible());
    }

    void anotherModelAndLengthsAreComputedAnewAndCancelKeepsWhatIsThere() {
        open();
        auto* prompt = [this]() -> QSpinBox* {
            for (auto* box : page()->findChildren<QSpinBox*>())
                if (box->accessibleName() == QStringLiteral("Prompt"))
                    return box;
            return nullptr;
        }();
        QVERIFY(prompt);
        prompt->setFocus();
        prompt->selectAll();
        QTest::keyClicks(prompt, QStringLiteral("8192"));
        QTest::keyClick(prompt, Qt::Key_Return);
        QVERIFY(page()->isRunning());
        settled();
        QCOMPARE(ran().definition.prompt, 8192.0);
        for (const auto& point : ran().points)
            if (!point.server.empty())
                QCOMPARE(point.plan.labels.isl, 8192.0);
        QTest::mouseClick(button("runFrontier"), Qt::LeftButton);
        QVERIFY(page()->isRunning());
        QTest::mouseClick(button("runFrontier"), Qt::LeftButton); // Cancel now
        QTRY_VERIFY_WITH_TIMEOUT(!page()->isBusy(), 60000);
        for (const auto& point : ran().points)
            QVERIFY(point.isPending() || !point.answered() || point.rates.perUser > 0);
        QTest::mouseClick(button("runFrontier"), Qt::LeftButton);
        settled();
    }

    void frontsHaveBandsOfTheirExpectedErrorAndItsColumn() {
        open();
        const auto& view = *page()->view();
        const engine::GpuServers servers(*shippedCatalog(), engine::shippedKernels());
        const auto& front = view.fronts[0]; // designs of many users may not fit one batch of them
        const auto found = std::find_if(front.begin(), front.end(),
                                        [&](std::size_t one) { return std::isfinite(view.rateError(one)); });
        QVERIFY(found != front.end());
        const auto place = *found;
        const std::vector<std::size_t> one{place};
        const auto known =
            engine::frontierDetails(ran().points, one, ran().definition, *shippedCatalog(), servers, 1);
        QVERIFY(known[0].rate.percent > 0);
        QCOMPARE(view.rateError(place), known[0].rate.percent);
        const auto& line = page()->plot()->chart().lines.front();
        QCOMPARE(line.low.size(), line.y.size());
        const auto at = static_cast<std::size_t>(
            std::find(line.x.begin(), line.x.end(), view.point(place).rates.perUser) - line.x.begin());
        QCOMPARE(line.high[at], line.y[at] * (1 + known[0].rate.percent / 100));
        const auto* model = qobject_cast<FrontierTableModel*>(child<QTableView>(page())->model());
        const int row = model->rowOf(place);
        QCOMPARE(model->exact(row, FrontierTableModel::Bottleneck),
                 QString::fromStdString(known[0].bottleneck));
        QVERIFY(model->index(row, FrontierTableModel::Error)
                    .data()
                    .toString()
                    .startsWith(QStringLiteral("\u00b1")));
        for (auto* box : child<FrontierSide>(page())->findChildren<QCheckBox*>())
            if (box->text() == QStringLiteral("Expected error"))
                QTest::mouseClick(box, Qt::LeftButton, {}, {8, box->height() / 2});
        settled();
        QVERIFY(page()->plot()->chart().lines.front().low.empty());
    }

    void measuredServersStandBesideWhereThereAreSome() {
        open();
        auto* box = child<FrontierSide>(page())->findChild<QCheckBox*>(QStringLiteral("measuredServers"));
        const auto& rows = ran().measured;
        QVERIFY(!rows.empty()); // of Llama 3.1 70B on H100, FP8, 1k in and out
        QVERIFY(box->isEnabled() && box->text().contains(QString::number(rows.size())));
        QVERIFY(page()->plot()->chart().marks.empty());
        QTest::mouseClick(box, Qt::LeftButton, {}, {8, box->height() / 2});
        settled();
        const auto& marks = page()->plot()->chart().marks;
        QCOMPARE(marks.size(), rows.size());
        QCOMPARE(marks[0].x, rows[0].point.rates.perUser);
        QVERIFY(marks[0].readOut.back().second == QString::fromStdString(rows[0].id));
        // Of another length there is none, and the box says why.
        auto* prompt = page()->findChild<QSpinBox*>(QStringLiteral("frontierPrompt"));
        prompt->setFocus();
        prompt->selectAll();
        QTest::keyClicks(prompt, QStringLiteral("5000"));
        QTest::keyClick(prompt, Qt::Key_Return);
        settled();
        QVERIFY(!box->isEnabled());
        QVERIFY(!box->toolTip().isEmpty());
        QVERIFY(page()->plot()->chart().marks.empty());
    }

    void usersAreChosenAndSimulatedForDesigns() {
        open();
        auto* users = page()->findChild<QLineEdit*>(QStringLiteral("frontierUsers"));
        QCOMPARE(usersFrom(users->text()), ran().definition.users);
        users->setFocus();
        users->selectAll();
        QTest::keyClicks(users, QStringLiteral("1, 8"));
        QTest::keyClick(users, Qt::Key_Return);
        settled();
        QCOMPARE(ran().definition.users, (std::vector<double>{1, 8}));
        auto* load = page()->findChild<QComboBox*>(QStringLiteral("frontierLoad"));
        load->setFocus();
        QTest::keyClick(load, Qt::Key_Down);
        settled();
        QVERIFY(ran().definition.load == engine::FrontierLoad::Users);
        QVERIFY(std::any_of(ran().points.begin(), ran().points.end(), [](const auto& point) {
            return point.server.empty() && point.answered() && point.rates.perUser > 0;
        }));
        users->setFocus();
        users->selectAll();
        QTest::keyClicks(users, QStringLiteral("many"));
        QTest::keyClick(users, Qt::Key_Return);
        QVERIFY(child<NoticeBar>(page())->isVisible());
        QCOMPARE(usersFrom(users->text()), (std::vector<double>{1, 8}));
    }

    void itIsWrittenAsPictureAndData() {
        open();
        for (const char* name : {"frontier.svg", "frontier.png", "frontier.pdf"}) {
            const auto path = m_folder.filePath(QString::fromLatin1(name));
            QVERIFY(page()->exportButton()->exportTo(path));
            QVERIFY(QFileInfo(path).size() > 2000);
        }
        QVERIFY(bytesOf(m_folder.filePath(QStringLiteral("frontier.svg"))).contains("H200")); // its legend
        const auto path = m_folder.filePath(QStringLiteral("frontier.csv"));
        QVERIFY(page()->exportButton()->exportTo(path));
        const auto text = bytesOf(path);
        QVERIFY(text.contains("system,server,weights,layout,users"));
        QVERIFY(text.count('\n') > static_cast<qsizetype>(ran().points.size()));
        QTest::mouseClick(buttonSaying(page(), QStringLiteral("Copy as CSV")), Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text().count(u'\n'),
                 static_cast<qsizetype>(page()->view()->rows.size()) + 1);
        QVERIFY(child<NoticeBar>(page())->isVisible());
    }

    void aTableHeadingSorts() {
        open();
        auto* model = qobject_cast<FrontierTableModel*>(child<QTableView>(page())->model());
        model->sort(FrontierTableModel::Speed, Qt::DescendingOrder);
        for (int row = 1; row < model->rowCount(); ++row)
            QVERIFY(page()->view()->point(model->pointAt(row - 1)).rates.perUser >=
                    page()->view()->point(model->pointAt(row)).rates.perUser);
        model->sort(FrontierTableModel::System, Qt::AscendingOrder);
        for (int row = 1; row < model->rowCount(); ++row)
            QVERIFY(model->exact(row - 1, FrontierTableModel::System) <=
                    model->exact(row, FrontierTableModel::System));
    }

    void timesUnderASecondReadInMillisecondsWhereverTheyAre() {
        open();
        const auto& view = *page()->view();
        QVERIFY(std::any_of(ran().points.begin(), ran().points.end(),
                            [](const auto& point) { return point.answered() && point.ttftMedian < 1; }));
        const auto* model = qobject_cast<FrontierTableModel*>(child<QTableView>(page())->model());
        const auto headingOf = [&](int column) {
            return model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        };
        QCOMPARE(headingOf(FrontierTableModel::FirstToken), QStringLiteral("First token (ms)"));
        QCOMPARE(headingOf(FrontierTableModel::TimePerToken), QStringLiteral("Time per token (ms)"));
        const auto& first = view.point(view.rows.front());
        const auto cell = [&](int column) { return model->index(0, column).data().toString().toStdString(); };
        QCOMPARE(cell(FrontierTableModel::FirstToken), engine::shortText(1e3 * first.ttftMedian, 4));
        QCOMPARE(cell(FrontierTableModel::TimePerToken), engine::shortText(1e3 / first.rates.perUser, 4));
        QCOMPARE(model->heading(FrontierTableModel::FirstToken),
                 QStringLiteral("First token (s)")); // as data
        QCOMPARE(model->exact(0, FrontierTableModel::FirstToken).toStdString(),
                 engine::exactText(first.ttftMedian));
        child<QTableView>(page())->selectRow(0);
        QVERIFY(child<FrontierSide>(page())
                    ->findChild<QLabel*>(QStringLiteral("frontierFigure2"))
                    ->text()
                    .endsWith("ms"));

        auto* along = page()->tools()->findChild<QComboBox*>(QStringLiteral("frontierAlong"));
        along->setFocus();
        QTest::keyClick(along, Qt::Key_Down);
        settled();
        typeInto("firstTokenLimit", "0.5");
        const auto& chart = page()->plot()->chart();
        const auto axisOf = [](PlotView* plot) { return plot->findChild<QCustomPlot*>()->xAxis->label(); };
        for (auto* plot : {page()->plot(), child<PlotView>(page(), "layouts")})
            QCOMPARE(axisOf(plot), QStringLiteral("Time to first token (ms)"));
        QCOMPARE(axisOf(child<PlotView>(page(), "best")).simplified(),
                 QStringLiteral("Time to first token, at most (ms)"));
        QVERIFY(chart.references.front().label.endsWith(withUnit("500", "ms")));
        QCOMPARE(chart.references.front().at, 0.5);
        QVERIFY(!child<PlotView>(page(), "best")->chart().x.categories.empty());
        for (const auto& most : child<PlotView>(page(), "best")->chart().x.categories)
            QVERIFY(engine::parseNumber(QString(most).remove(u',').toStdString()).value_or(0) >= 1);

        auto slow = std::make_shared<FrontierRun>(ran());
        for (auto& point : slow->points)
            point.ttftMedian += 1;
        const auto late = frontierView(slow, page()->view()->choice, page()->view()->details);
        QCOMPARE(late->firstToken.name, std::string("s"));
        QCOMPARE(late->perToken.name, std::string("ms"));
    }
};

WIDGET_TEST(FrontierPageTest)
#include "frontier_page_test.moc"
