// SPDX-License-Identifier: GPL-3.0-or-later
// Frontiers through the program's window: what is computed, shown, opened and written.
#include "engine/units/number_text.h"
#include "tests/widgets/explore/frontier_fixture.h"
#include "tests/widgets/widget_test.h"
#include "widgets/explore/selected_panel.h"
#include "widgets/theme/text_label.h"

#include <QLabel>
#include <QToolButton>

class FrontierPageTest : public FrontierFixture {
    Q_OBJECT

private slots:
    void itHasThePointsAndTheFrontsOfTheCommandLine() {
        open(true);
        const engine::GpuServers servers(*shippedCatalog(), engine::shippedKernels());
        const auto points = engine::frontierPoints(definition(), *shippedCatalog(), servers, 2);
        QCOMPARE(table().rows(), points.size());
        const auto isSame = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
        for (std::size_t row = 0; row < points.size(); ++row)
            for (std::size_t i = 0; i < engine::frontierAxisNames().size(); ++i) {
                const auto axis = static_cast<engine::FrontierAxis>(i);
                QVERIFY(
                    isSame(at(engine::frontierColumn(axis, definition().budget), row),
                           points[row].answered() ? engine::frontierValue(points[row], axis) : std::nan("")));
            }
        std::size_t rows = 0;
        const auto& names = table().find("points.system")->names;
        for (std::size_t i = 0; i < definition().systems.size(); ++i) {
            const auto front =
                engine::frontierFront(points, i, engine::FrontierAxis::Device, definition().shown.limits);
            const auto place = std::find(names.begin(), names.end(), definition().systems[i].name);
            QVERIFY(place != names.end());
            QCOMPARE(fronts().groups[static_cast<std::size_t>(place - names.begin())].rows, front);
            rows += front.size();
        }
        QVERIFY(rows > 20);
        QCOMPARE(child<QTableView>(board())->model()->rowCount(), static_cast<int>(points.size()));
        QCOMPARE(chart().cloud->points->x.size(), points.size());
        QVERIFY(chart().x.log && chart().y.log);
        QVERIFY(chart(1).bars && chart(1).bars->series.size() > 4);
        QVERIFY(chart(2).lines.size() > 8 && chart(2).captions.size() == chart(2).lines.size());
    }

    void theAxisChangesWhatIsHeldAgainst() {
        open();
        down("frontierAxis");
        QCOMPARE(definition().shown.axis, engine::FrontierAxis::Dollar);
        QVERIFY(chart().y.label.contains(QStringLiteral("$")));
        for (std::size_t row = 0; row < table().rows(); ++row)
            if (std::isfinite(chart().cloud->points->y[row]))
                QCOMPARE(chart().cloud->points->y[row], at(engine::rates::kPerDollar, row));
        QVERIFY(fronts().groups.front().rows.size() > 1);
        QVERIFY(chart(1).y.label.contains(QStringLiteral("$")));
    }

    void limitsLeavePointsOutAndStandAsALine() {
        open();
        const auto all = keptCount();
        typeInto("tokenLimit", "20");
        QCOMPARE(definition().shown.limits.timePerToken, 0.02);
        QVERIFY(keptCount() < all);
        for (const auto& group : fronts().groups)
            for (const auto row : group.rows)
                QVERIFY(at(engine::rates::kPerUser, row) >= 50 * (1 - 1e-12));
        QCOMPARE(chart().references.size(), std::size_t{1});
        QCOMPARE(chart().references.front().at, 50.0);
        QCOMPARE(chart().references.front().outside, -1);
        std::size_t beyond = 0;
        for (const auto one : chart().cloud->kept)
            beyond += one ? 0 : 1;
        QCOMPARE(beyond, table().rows() - keptCount());
        QCOMPARE(child<QTableView>(board())->model()->rowCount(), static_cast<int>(keptCount()));
    }

    void aSystemIsPutAwayAndBack() {
        open();
        const auto all = table().rows();
        check("H200");
        QVERIFY(table().rows() < all);
        const auto& names = table().find("points.system")->names;
        QVERIFY(std::find(names.begin(), names.end(), "H200") == names.end());
        check("H200");
        QCOMPARE(table().rows(), all);
        // The fronts alone.
        option("frontsOnly");
        std::size_t placed = 0, on = 0;
        for (std::size_t row = 0; row < table().rows(); ++row)
            placed += std::isfinite(chart().cloud->points->x[row]);
        for (const auto& group : fronts().groups)
            on += group.rows.size();
        QCOMPARE(placed, on);
    }

    void aPointIsChosenInPlotAndTableAndOpenedUndoably() {
        open();
        const auto before = document().scenario();
        const auto point = bestOf("H100");
        const auto pixel = plot()->pixelOf({0, static_cast<int>(point), ChartPoint::Kind::Cloud}).toPoint();
        auto* under = plot()->childAt(pixel);
        QTest::mouseClick(under ? under : plot(), Qt::LeftButton, {},
                          under ? under->mapFrom(plot(), pixel) : pixel);
        QTRY_VERIFY(marks()->selected().has_value());
        // Of points that lie on each other the click takes one.
        QVERIFY(
            std::abs(at(engine::rates::kPerUser, *marks()->selected()) / at(engine::rates::kPerUser, point) -
                     1) < 0.1);
        QVERIFY(plot()->selected().has_value());
        auto* view = child<QTableView>(board());
        view->setFocus();
        view->selectRow(0);
        const auto row = *marks()->selected();
        QCOMPARE(row, *board()->bestPoint());
        QTest::mouseClick(button("openOnCanvas"), Qt::LeftButton);
        QTRY_VERIFY(m_window->workspace() == Workspace::Design);
        const auto& opened = document().scenario();
        QCOMPARE(opened.model.id, std::string("llama3-1-70b"));
        QCOMPARE(opened.workload.batch.value, at("serving.users", row));
        QCOMPARE(opened.nodes.front().count.value, at(engine::rates::kDevices, row));
        QVERIFY(document().undoStack()->undoText().contains(QStringLiteral("Open")));
        document().undoStack()->undo();
        QVERIFY(document().scenario() == before);
    }

    void theOpenDesignAndAPinJoinAndGo() {
        open();
        const auto systems = definition().systems.size();
        marks()->select(bestOf("H100"));
        QTest::mouseClick(button("pinPoint"), Qt::LeftButton);
        QTRY_COMPARE(document().pins().all().size(), std::size_t{1});
        QVERIFY(marks()->baseline());
        QTest::mouseClick(button("unpin"), Qt::LeftButton);
        addOpenDesign();
        QCOMPARE(definition().systems.size(), systems + 1);
        const auto added = definition().systems.back();
        auto plain = document().scenario();
        plain.dropKept(); // which has the design in it
        QVERIFY(added.open && *added.open == plain);
        std::size_t points = 0;
        for (std::size_t row = 0; row < table().rows(); ++row)
            points += systemOf(row) == added.name;
        QCOMPARE(points, definition().users.size());
        auto* away = child<QToolButton>(setup(), "takeAway");
        QVERIFY(away->isVisible());
        QTest::mouseClick(away, Qt::LeftButton);
        settled();
        QCOMPARE(definition().systems.size(), systems);
    }

    void anIdealSystemIsSaidToBeOne() {
        document().openPreset("preserve/llama3-70b-8h100");
        open();
        addOpenDesign();
        const auto& last = definition().systems.back().name;
        std::optional<std::string> lossy; // a system that is as real servers are
        const auto found = fronts();
        for (const auto& group : found.groups)
            if (!group.ideal && !group.rows.empty())
                lossy = systemOf(group.rows.front());
            else if (!group.rows.empty())
                QVERIFY(group.name.endsWith(QStringLiteral("ideal")));
        QVERIFY(lossy);
        QVERIFY(study().isIdeal(bestOf(last)));
        const auto* chosen = child<SelectedPanel>(explore());
        const auto* pill = chosen->findChild<Pill*>();
        marks()->select(bestOf(last));
        QVERIFY(pill->isVisible());
        marks()->select(bestOf(*lossy));
        QVERIFY(!pill->isVisible());
        // Like for like leaves them out.
        marks()->select(bestOf(last));
        QTest::mouseClick(child<QPushButton>(chosen, "likeForLike"), Qt::LeftButton);
        settled();
        for (std::size_t row = 0; row < table().rows(); ++row)
            QVERIFY(!study().isIdeal(row) || !marks()->kept()[row]);
        QVERIFY(keptCount() > 100);
    }

    void anotherModelAndLengthsAreComputedAnewAndCancelKeepsWhatIsThere() {
        open();
        typeTokens("frontierPrompt", "8192");
        QVERIFY(!isSettled());
        settled();
        QCOMPARE(definition().prompt, 8192.0);
        for (std::size_t row = 0; row < table().rows(); row += 97)
            QCOMPARE(study().scenarioOf(row).workload.promptTokens.value, 8192.0);
        typeTokens("frontierOutput", "3000");
        QTRY_VERIFY_WITH_TIMEOUT(setup()->runRow()->isRunning(), 60000);
        QTest::mouseClick(child<QPushButton>(setup(), "cancel"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!explore()->isBusy(), 60000);
        QTest::mouseClick(child<QPushButton>(setup(), "run"), Qt::LeftButton);
        settled();
        QCOMPARE(definition().output, 3000.0);
    }

    void frontsHaveBandsOfTheirExpectedError() {
        open();
        const engine::GpuServers servers(*shippedCatalog(), engine::shippedKernels());
        const auto points = engine::frontierPoints(definition(), *shippedCatalog(), servers, 2);
        const auto up = tile()->plot().metrics.at(1);
        QTRY_VERIFY_WITH_TIMEOUT(!chart().lines.empty() && !chart().lines.front().low.empty(), 60000);
        const auto found = fronts();
        const auto& front = found.groups[0].rows; // designs of many users may not fit one batch of them
        const auto known = std::find_if(front.begin(), front.end(), [&](std::size_t row) {
            const auto error = study().knownError(row, up);
            return error && std::isfinite(error->percent);
        });
        QVERIFY(known != front.end());
        const auto row = *known;
        const std::vector<std::size_t> one{row};
        const auto details =
            engine::frontierDetails(points, one, definition(), *shippedCatalog(), servers, 1);
        QVERIFY(details[0].rate.percent > 0);
        QCOMPARE(study().knownError(row, up)->percent, details[0].rate.percent);
        const auto& line = chart().lines.front();
        QCOMPARE(line.low.size(), line.y.size());
        const auto place = static_cast<std::size_t>(
            std::find(line.x.begin(), line.x.end(), at(engine::rates::kPerUser, row)) - line.x.begin());
        QCOMPARE(line.high[place], line.y[place] * (1 + details[0].rate.percent / 100));
        // The table has the error beside the number, and what limits the point.
        auto* model = child<StudyTableModel>(board());
        const auto cell = [&](const std::string& column) {
            return model->index(model->viewRowOf(row), model->columnOf(column)).data().toString();
        };
        cell(up);
        QTRY_VERIFY_WITH_TIMEOUT(cell(up).contains(u'\u00b1'), 60000);
        QVERIFY(!model->index(model->viewRowOf(row), model->columnCount() - 1).data().toString().isEmpty());
        option("bands");
        QVERIFY(chart().lines.front().low.empty());
    }

    void measuredServersStandBesideWhereThereAreSome() {
        open();
        const engine::GpuServers servers(*shippedCatalog(), engine::shippedKernels());
        const auto rows = engine::frontierMeasured(definition(), *shippedCatalog(), servers);
        QVERIFY(!rows.empty()); // of Llama 3.1 70B on H100, FP8, 1k in and out
        QVERIFY(chart().marks.empty());
        option("measured");
        QCOMPARE(chart().marks.size(), rows.size());
        QCOMPARE(chart().marks[0].x, rows[0].point.rates.perUser);
        QCOMPARE(chart().marks[0].y, rows[0].point.rates.outputPerDevice);
        QVERIFY(chart().marks[0].readOut.back().second == QString::fromStdString(rows[0].id));
        // Of another length there is none.
        typeTokens("frontierPrompt", "5000");
        settled();
        QVERIFY(chart().marks.empty());
    }

    void usersAreChosenAndSimulatedForDesigns() {
        open();
        auto* users = child<QLineEdit>(setup(), "frontierUsers");
        QCOMPARE(usersFrom(users->text()), definition().users);
        const auto type = [users](const char* text) {
            users->setFocus();
            users->selectAll();
            QTest::keyClicks(users, QLatin1String(text));
            QTest::keyClick(users, Qt::Key_Return);
        };
        type("1, 8");
        settled();
        QCOMPARE(definition().users, (std::vector<double>{1, 8}));
        down("frontierLoad");
        QVERIFY(definition().load == engine::FrontierLoad::Users);
        const auto& server = *table().find("points.server");
        bool served = false;
        for (std::size_t row = 0; row < table().rows(); ++row)
            served |= server.text(server.at(row)) == "none" && at("feasible", row) == 1.0 &&
                      at(engine::rates::kPerUser, row) > 0 && at("requests_done", row) > 0;
        QVERIFY(served);
        type("many");
        QVERIFY(child<NoticeBar>(explore(), "studyNotice")->isVisible());
        QCOMPARE(usersFrom(users->text()), (std::vector<double>{1, 8}));
    }

    void itIsWrittenAsPictureAndData() {
        open();
        for (const char* name : {"frontier.svg", "frontier.png", "frontier.pdf"}) {
            const auto path = m_folder.filePath(QString::fromLatin1(name));
            QVERIFY(tile()->exportButton()->exportTo(path));
            QVERIFY(QFileInfo(path).size() > 2000);
        }
        QVERIFY(bytesOf(m_folder.filePath(QStringLiteral("frontier.svg"))).contains("H200")); // its legend
        const auto path = m_folder.filePath(QStringLiteral("frontier.csv"));
        QVERIFY(tile()->exportButton()->exportTo(path));
        QVERIFY(bytesOf(path).count('\n') > static_cast<qsizetype>(table().rows()));
    }

    void timesUnderASecondReadInMillisecondsWhereverTheyAre() {
        open();
        const auto* model = child<StudyTableModel>(board());
        const int column = model->columnOf(engine::rates::kFirstTokenMedian);
        QCOMPARE(model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QStringLiteral("First token (ms)"));
        const auto row = model->rowAt(0);
        QVERIFY(model->index(0, column).data().toString().startsWith(
            QString::fromStdString(engine::shortText(1e3 * at(engine::rates::kFirstTokenMedian, row), 4))));
        down("frontierAlong");
        typeInto("firstTokenLimit", "0.5");
        const auto axisOf = [](PlotView* view) { return view->findChild<QCustomPlot*>()->xAxis->label(); };
        for (const std::size_t which : {0, 2})
            QCOMPARE(axisOf(plot(which)).simplified(), QStringLiteral("First token (ms)"));
        QCOMPARE(axisOf(plot(1)).simplified(), QStringLiteral("First token, at most (ms)"));
        QVERIFY(chart().references.front().label.endsWith(withUnit("500", "ms")));
        QCOMPARE(chart().references.front().at, 0.5);
        QVERIFY(!chart(1).x.categories.empty());
        for (const auto& most : chart(1).x.categories)
            QVERIFY(engine::parseNumber(QString(most).remove(u',').toStdString()).value_or(0) >= 1);
    }
};

WIDGET_TEST(FrontierPageTest)
#include "frontier_page_test.moc"
