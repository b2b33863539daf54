// SPDX-License-Identifier: GPL-3.0-or-later
// A study of a million points in the program's window: what is seen while it runs, what stays where the user
// is, what says that it is of another state, and how so many values are drawn.
#include "drawn_texts.h"
#include "engine/evaluation/evaluate.h"
#include "tests/shipped_catalog.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/study_fixture.h"
#include "widgets/explore/axis_row.h"
#include "widgets/explore/selected_panel.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/number_edit.h"
#include "widgets/window/context_bar.h"

#include <QComboBox>
#include <QListView>
#include <QRegularExpression>
#include <QScrollBar>
#include <QToolButton>

#include <algorithm>
#include <cmath>

using namespace heteroscape;
using namespace heteroscape::widgets;
using Kind = ChartPoint::Kind;

class RunningStudyTest : public StudyWindowFixture {
    Q_OBJECT

    static constexpr int kLong = 60000; // ms; on a busy machine parts of a study come late
    QPushButton* button(const char* name) const { return m_test->named<QPushButton>(name); }
    /// What the bar above the plots says of them.
    QString state() const {
        auto* label = m_test->named<QLabel>("studyState");
        return label->isVisible() && isReached(label, label->rect().center()) ? label->text() : QString();
    }
    bool saysStale() const { return state().contains(QStringLiteral("another state of the design")); }
    /// The first number of a text that matches, or none.
    static int numberIn(const QString& text, const char* pattern) {
        const auto match = QRegularExpression(QLatin1String(pattern)).match(text);
        return match.hasMatch() ? match.captured(1).remove(u',').toInt() : 0;
    }
    int soFar() const { return numberIn(state(), "^([\\d,]+) of [\\d,]+ points so far"); }
    /// Until so many parts more of the study have come.
    void awaitParts(int count) const {
        for (int part = 0; part < count; ++part) {
            const int before = soFar();
            QTRY_VERIFY_WITH_TIMEOUT(soFar() > before, kLong);
        }
        QVERIFY(m_test->explore().isRunning());
    }
    /// Runs more simulations than anybody waits for, and returns before there are any.
    void startSlowStudy() {
        QVERIFY(m_test->document().set("serving.arrivals", "poisson"));
        QVERIFY(m_test->document().set("serving.requests", "3000"));
        m_test->goTo(Workspace::Explore);
        m_test->setup()->setAxes({{"workload.batch", "1:5000"},
                                  {"serving.rate_req_s", "0.1:1:0.1"},
                                  {"serving.seed", "1:20"},
                                  {"workload.output_tokens", "512"}});
        click(button("run"));
    }
    void cancel() {
        clickOnceThere(button("cancel"));
        QTRY_VERIFY_WITH_TIMEOUT(!m_test->explore().isRunning(), kLong);
    }
    QLineEdit* axisField(const char* path) const {
        for (auto* row : m_test->setup()->findChildren<AxisRow*>())
            if (row->isVisible() && row->text().path == path)
                return row->field();
        return nullptr;
    }
    QLineEdit* batchField() const {
        return child<NumberEdit>(window(), "workload.batch")->findChild<QLineEdit*>();
    }
    /// Once nothing lies over it any more: what came just now is still being laid out.
    static void clickOnceThere(QWidget* widget, QPoint at) {
        QTRY_VERIFY((reveal(widget, at), isReached(widget, at)));
        Hand().click(widget, at);
    }
    static void clickOnceThere(QWidget* widget) { clickOnceThere(widget, widget->rect().center()); }
    /// One of a tile's lists; where there is little room they are behind a button.
    static QComboBox* list(StudyTile* tile, const char* name) {
        auto* list = tile->findChild<QComboBox*>(QLatin1String(name));
        if (!list->isVisible())
            clickOnceThere(tile->findChild<QToolButton*>(QStringLiteral("choosePlot")));
        return list;
    }
    /// The place of an entry in a list that is open; the mouse is there then.
    static QPoint pointAt(QComboBox* list, const QVariant& entry) {
        auto* view = list->view();
        const auto index = list->model()->index(list->findData(entry), 0);
        view->scrollTo(index);
        const auto at = view->visualRect(index).center();
        Hand::moveTo(view->viewport(), at - QPoint(16, 0)); // a move, wherever the pointer stood
        Hand::moveTo(view->viewport(), at);
        return at;
    }
    static void chooseByMouse(QComboBox* list, const QVariant& entry) {
        clickOnceThere(list);
        QTRY_VERIFY(list->view()->isVisible());
        Hand().click(list->view()->viewport(), pointAt(list, entry));
        QTRY_VERIFY(!list->view()->isVisible());
        QCOMPARE(list->currentData(), entry);
    }
    /// The design of a row of the table, by what its cells say.
    engine::Evaluation evaluated(int row) const {
        auto design = m_test->scenario();
        const auto& axes = m_test->points().info.axes;
        for (std::size_t axis = 0; axis < axes.size(); ++axis)
            engine::applyEdit(design,
                              engine::setEdit(design, *shippedCatalog(), axes[axis].path,
                                              m_test->cell(row, static_cast<int>(axis)).toStdString()));
        return engine::evaluate(design);
    }
    /// The colours along a row or column of a map, as they stand on the screen.
    static QColor colourAt(PlotView* view, ChartPoint cell) {
        return view->grab().toImage().pixelColor(view->pixelOf(cell).toPoint());
    }

private slots:
    void aMillionPointsAreSeenBeforeTheyAreAllThere() {
        m_test->goTo(Workspace::Explore);
        m_test->setup()->setAxes(
            {{"workload.prompt_tokens", "1:1000"}, {"workload.output_tokens", "1:1000"}});
        QVERIFY2(words(m_test->setup()).contains(QStringLiteral("1,000,000 points: 1,000 × 1,000")),
                 qPrintable(words(m_test->setup())));
        click(button("run"));
        QTRY_VERIFY_WITH_TIMEOUT(soFar() > 0, kLong);
        const int first = soFar();
        QVERIFY(first < 1000000);
        QVERIFY(button("cancel")->isVisible());
        // The points are listed, best first, with the figures that they have.
        QCOMPARE(numberIn(m_test->note(), "([\\d,]+), best first"), first);
        QTRY_COMPARE(m_test->rows(), first);
        QVERIFY(numberIn(words(m_test->setup()), "([\\d,]+) of 1,000,000 points") >= first);
        const double alone = evaluated(0).metric(engine::Metric::Throughput);
        const double shown = m_test->cell(0, m_test->columnOf("Throughput (")).toDouble();
        QVERIFY2(std::fabs(shown / alone - 1) < 0.01, qPrintable(QString::number(shown)));
        // They are drawn: of a thousand curves a map, as far as it goes.
        QTRY_VERIFY_WITH_TIMEOUT(m_test->chart(0).heatMap, kLong);
        QTRY_VERIFY(colourAt(m_test->view(0), {500, 2, Kind::Cell}) !=
                    colourAt(m_test->view(0), {500, 990, Kind::Cell}));
        QVERIFY(m_test->explore().isRunning() && soFar() < 1000000);
        cancel();
        const int kept = numberIn(words(m_test->setup()), "Cancelled: ([\\d,]+) computed");
        QVERIFY2(first <= kept && kept < 1000000, qPrintable(words(m_test->setup())));
        QTRY_COMPARE_WITH_TIMEOUT(m_test->rows(), kept, kLong);
        QCOMPARE(m_test->store().studies().front().done, static_cast<std::size_t>(kept));
    }

    void plotsGrowWhileAStudyRuns() {
        startSlowStudy();
        awaitParts(1);
        auto* view = m_test->view(0);
        QCOMPARE(m_test->rows(), soFar());
        const auto first = m_test->rows();
        const auto points = [view] {
            std::size_t count = 0;
            for (const auto& line : view->chart().lines)
                count += line.x.size();
            return count;
        };
        const auto drawn = points();
        QVERIFY(drawn > 0);
        QCoreApplication::processEvents(); // plots are drawn a turn later
        const auto picture = view->grab().toImage();
        QTRY_VERIFY_WITH_TIMEOUT(points() > drawn && view->grab().toImage() != picture, kLong);
        QVERIFY(button("cancel")->isVisible() && soFar() > first);
        QCOMPARE(m_test->rows(), soFar());
        cancel();
    }

    void whatIsTypedStaysWhileResultsComeIn_data() {
        QTest::addColumn<QString>("where");
        for (const char* where : {"axis", "limit", "filter", "batch"})
            QTest::newRow(where) << QString::fromLatin1(where);
    }
    void whatIsTypedStaysWhileResultsComeIn() {
        QFETCH(QString, where);
        window()->resize(1280, 720); // little room: what comes moves what is there
        startSlowStudy();
        if (where == QStringLiteral("filter")) // it comes with the first points
            awaitParts(1);
        auto* field = where == QStringLiteral("axis")    ? axisField("workload.output_tokens")
                      : where == QStringLiteral("limit") ? m_test->named<QLineEdit>("typedLimit")
                      : where == QStringLiteral("batch") ? batchField()
                                                         : m_test->named<QLineEdit>("filter");
        clickOnceThere(field, {6, 8});
        field->selectAll();
        const auto typed = where == QStringLiteral("batch") ? QStringLiteral("3") : QStringLiteral("12,1");
        QTest::keyClicks(QApplication::focusWidget(), typed);
        awaitParts(2);
        QCOMPARE(window()->workspace(), Workspace::Explore);
        QCOMPARE(field->text(), typed);
        QVERIFY(QApplication::focusWidget() == field || QApplication::focusWidget() == field->parentWidget());
        QTRY_VERIFY(isReached(field, {6, 8})); // not pushed out of sight
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("2"));
        QCOMPARE(field->text(), typed + u'2'); // where one was
        cancel();
    }

    void aLimitThatIsSetJustAfterRunStays() {
        startSlowStudy();
        retype(m_test->named<QLineEdit>("typedLimit"), QStringLiteral("workload.batch<=1"));
        auto* limit = m_test->setup()->findChild<LimitRow*>();
        QVERIFY(limit && limit->isVisible());
        awaitParts(1);
        limit = m_test->setup()->findChild<LimitRow*>();
        QVERIFY(limit && limit->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(m_test->note().contains(QStringLiteral("filtered out")), kLong);
        for (int row = 0; row < m_test->rows(); ++row)
            QCOMPARE(m_test->cell(row, 0), QStringLiteral("1"));
        cancel();
    }

    void whereOneLooksStaysWhileResultsComeIn() {
        window()->resize(1280, 720);
        startSlowStudy();
        QTRY_VERIFY_WITH_TIMEOUT(soFar() > 60, kLong);
        auto* table = m_test->table();
        // The table: a row is chosen, then it is scrolled down and to the right.
        clickOnceThere(table->viewport(), table->visualRect(table->model()->index(1, 2)).center());
        const auto* panel = m_test->explore().findChild<SelectedPanel*>();
        const auto chosen = words(panel);
        QVERIFY2(chosen.startsWith(QStringLiteral("Selected")), qPrintable(chosen));
        wheel(table->viewport(), table->viewport()->rect().center(), -3);
        auto* across = table->horizontalScrollBar();
        Hand().click(across, QPoint(across->width() - 30, across->height() / 2));
        const int top = table->rowAt(4), left = table->columnAt(4);
        QVERIFY2(top > 2 && left > 0, qPrintable(QStringLiteral("%1 %2").arg(top).arg(left)));
        // A plot is zoomed, the other one is not.
        auto* zoomed = m_test->view(0);
        const auto [plot, at] = StudyWindow::placeOf(zoomed, {0, 0});
        wheel(plot, at, 2);
        const auto seen = zoomed->view();
        const auto whole = m_test->view(1)->view().x;
        QVERIFY(seen.x.upper - seen.x.lower < 0.9 * (whole.upper - whole.lower));
        // The sidebar is scrolled.
        auto* setup = m_test->setup();
        const auto unscrolled = setup->mapTo(window(), QPoint());
        wheel(setup->parentWidget()->parentWidget(), QPoint(20, 20), -2);
        const auto place = setup->mapTo(window(), QPoint());
        QVERIFY(place.y() < unscrolled.y());

        awaitParts(2);
        QTRY_VERIFY_WITH_TIMEOUT(m_test->view(1)->view().x.upper > whole.upper, kLong); // shows all there is
        QCoreApplication::processEvents();
        QCOMPARE(table->rowAt(4), top);
        QCOMPARE(table->columnAt(4), left);
        QCOMPARE(words(panel), chosen);
        QCOMPARE(zoomed->view(), seen);
        QCOMPARE(setup->mapTo(window(), QPoint()), place);
        cancel();
    }

    void aListThatIsOpenStaysOpenWhileResultsComeIn() {
        startSlowStudy();
        awaitParts(1);
        auto* metrics = list(m_test->tile(0), "metric");
        const auto wanted = QStringLiteral("latency_s");
        clickOnceThere(metrics);
        QTRY_VERIFY(metrics->view()->isVisible());
        const auto at = pointAt(metrics, wanted);
        awaitParts(1);
        QVERIFY(metrics->view()->isVisible());
        QCOMPARE(metrics->view()->currentIndex().row(), metrics->findData(wanted));
        Hand().click(metrics->view()->viewport(), at); // it has not moved
        QTRY_VERIFY(!metrics->view()->isVisible());
        QVERIFY2(m_test->chart(0).y.label.startsWith(QStringLiteral("Latency")),
                 qPrintable(m_test->chart(0).y.label));
        cancel();
    }

    void plotsOfAnotherStateSaySo_data() {
        QTest::addColumn<bool>("inspector");
        QTest::newRow("a value of the context bar") << false;
        QTest::newRow("a value of the inspector") << true;
    }
    void plotsOfAnotherStateSaySo() {
        QFETCH(bool, inspector);
        m_test->goTo(Workspace::Explore);
        m_test->run();
        QCOMPARE(state(), QString());
        const auto before = m_test->scenario();
        if (inspector) {
            m_test->goTo(Workspace::Design);
            QVERIFY(window()->inspector()->focusField("workload.prompt_tokens"));
            auto* field = qobject_cast<NumberEdit*>(QApplication::focusWidget());
            QVERIFY(field);
            retype(field->findChild<QLineEdit*>(), QStringLiteral("777"));
            m_test->goTo(Workspace::Explore);
        } else {
            retype(batchField(), QStringLiteral("3"));
        }
        QVERIFY(m_test->scenario() != before);
        QTRY_VERIFY2(saysStale(), qPrintable(state()));
        auto* label = m_test->named<QLabel>("studyState");
        QVERIFY(label->fontMetrics().horizontalAdvance(state()) <= label->width()); // to be read as a whole
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(m_test->scenario() == before);
        QTRY_COMPARE(state(), QString());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY2(saysStale(), qPrintable(state()));
        m_test->run(); // of what is open now
        QTRY_VERIFY2(!saysStale(), qPrintable(state()));
    }

    void halfAStudyOfAnotherStateSaysSoToo() {
        startSlowStudy();
        awaitParts(1);
        QVERIFY(!saysStale());
        retype(batchField(), QStringLiteral("3"));
        QTRY_VERIFY2(saysStale() && soFar() > 0, qPrintable(state()));
        awaitParts(1); // what comes in is of the design that was run
        QVERIFY2(saysStale(), qPrintable(state()));
        cancel();
        QTRY_VERIFY2(saysStale() && soFar() > 0, qPrintable(state()));
        QTest::keyClick(window(), Qt::Key_Z, Qt::ControlModifier);
        QTRY_VERIFY2(!saysStale() && soFar() > 0, qPrintable(state()));
    }

    void textsOfPlotsNeverMeet_data() {
        QTest::addColumn<QString>("across");
        QTest::addColumn<QString>("values");
        QTest::newRow("names") << QStringLiteral("model") << QStringLiteral("*");
        QTest::newRow("long numbers") << QStringLiteral("nodes.fpga.device.price_usd")
                                      << QStringLiteral("1000000.25:9000000.25:500000.25");
        QTest::newRow("a thousand values")
            << QStringLiteral("workload.prompt_tokens") << QStringLiteral("1:1000");
    }
    void textsOfPlotsNeverMeet() {
        QFETCH(QString, across);
        QFETCH(QString, values);
        m_test->runStudy({{across.toStdString(), values.toStdString()}, {"nodes.fpga.count", "1:7"}});
        chooseByMouse(list(m_test->tile(1), "kind"), static_cast<int>(engine::PlotKind::HeatMap));
        for (const char* entry : {"Bars", "Heat map", "Scatter", "Breakdown of time"})
            QVERIFY(m_test->addPlot(entry));
        for (const QSize size : {QSize(1280, 720), QSize(1440, 900), QSize(2560, 1440)}) {
            window()->resize(size);
            QTRY_COMPARE(window()->size(), size);
            QCoreApplication::processEvents(); // tiles get their places
            QTRY_VERIFY_WITH_TIMEOUT(!m_test->explore().isBusy(), kLong);
            for (auto* tile : m_test->board()->plots())
                checkTexts(tile->view(), QStringLiteral("%1, %2").arg(size.width()).arg(words(tile)));
        }
    }

    void aThousandCurvesBecomeAMapByThemselves() {
        m_test->runStudy(
            {{"nodes.fpga.count", "1:7"}, {"workload.batch", "1,2"}, {"workload.prompt_tokens", "1:1000"}});
        auto* tile = m_test->tile(0);
        QTRY_VERIFY_WITH_TIMEOUT(!tile->isBusy(), kLong);
        QCOMPARE(m_test->chart(0).lines.size(), std::size_t{2});
        chooseByMouse(list(tile, "curves"), QStringLiteral("workload.prompt_tokens"));
        QTRY_VERIFY_WITH_TIMEOUT(m_test->chart(0).heatMap && !tile->isBusy(), kLong);
        QCOMPARE(static_cast<engine::PlotKind>(list(tile, "kind")->currentData().toInt()),
                 engine::PlotKind::Lines); // not chosen: it is one by itself
        QVERIFY2(words(tile).contains(QStringLiteral("1,000 curves, as a map")), qPrintable(words(tile)));
        QVERIFY(m_test->chart(0).lines.empty());
        QTRY_VERIFY(colourAt(m_test->view(0), {499, 0, Kind::Cell}) !=
                    colourAt(m_test->view(0), {499, 6, Kind::Cell}));
        // A cell is the design of its place.
        auto design = m_test->scenario();
        for (const auto& [path, value] :
             {std::pair{"nodes.fpga.count", "3"}, {"workload.batch", "1"}, {"workload.prompt_tokens", "500"}})
            engine::applyEdit(design, engine::setEdit(design, *shippedCatalog(), path, value));
        const double alone = engine::evaluate(design).metric(engine::Metric::Throughput);
        StudyWindow::hoverPoint(m_test->view(0), {499, 2, Kind::Cell});
        const auto& readOut = m_test->view(0)->readOut();
        QVERIFY(readOut.isPresented() && !readOut.rows().empty());
        QCOMPARE(numberIn(readOut.rows().back().value, "^([\\d,]+)"), static_cast<int>(alone));
        chooseByMouse(list(tile, "curves"), QStringLiteral("workload.batch"));
        QTRY_VERIFY_WITH_TIMEOUT(!m_test->chart(0).heatMap && !tile->isBusy(), kLong);
        QCOMPARE(m_test->chart(0).lines.size(), std::size_t{2});
    }
};

WIDGET_TEST(RunningStudyTest)
#include "running_study_test.moc"
