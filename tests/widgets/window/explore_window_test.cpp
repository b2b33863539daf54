// SPDX-License-Identifier: GPL-3.0-or-later
// A study is set up, run, paused, kept and found again by what a user does in the program's window.
#include "engine/evaluation/evaluate.h"
#include "tests/shipped_catalog.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/study_fixture.h"
#include "widgets/canvas/canvas_scene.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/node_item.h"
#include "widgets/explore/axis_list.h"
#include "widgets/explore/axis_row.h"
#include "widgets/explore/drop_slot.h"
#include "widgets/explore/selected_panel.h"
#include "widgets/explore/study_list.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/number_edit.h"
#include "widgets/inspector/property_rows.h"
#include "widgets/inspector/quantity_row.h"
#include "widgets/theme/text_label.h"

#include <QListWidget>
#include <QMessageBox>
#include <QRegularExpression>
#include <QToolButton>

#include <algorithm>
#include <cmath>

using namespace heteroscape;
using namespace heteroscape::widgets;

namespace {
constexpr auto kCount = "nodes.fpga.count";
constexpr auto kBandwidth = "nodes.fpga.device.memory_bandwidth_gbps";
} // namespace

class ExploreWindowTest : public StudyWindowFixture {
    Q_OBJECT

    /// Clicks a card on the canvas; the row of a figure in the inspector then.
    QuantityRow* quantityRow(const char* node, const std::string& path) {
        auto* canvas = window()->canvas();
        const auto* card = canvas->canvasScene().nodeItem(engine::NodeId{node});
        Hand().click(canvas->viewport(), canvas->mapFromScene(card->cardRect().center()));
        window()->inspector()->focusField(path); // opens its section and scrolls to it
        QCoreApplication::processEvents();
        for (auto* row : window()->inspector()->findChildren<QuantityRow*>())
            if (row->isVisible() && row->field()->path() == path)
                return row;
        return nullptr;
    }
    AxisRow* axisRow(const std::string& path) const {
        for (auto* row : m_test->setup()->findChildren<AxisRow*>())
            if (row->isVisible() && row->text().path == path)
                return row;
        return nullptr;
    }
    QString setupWords() const { return words(m_test->setup()); }
    QListWidget* list() const { return m_test->explore().findChild<StudyList*>()->findChild<QListWidget*>(); }
    QPoint middleOf(int row) const { return list()->visualItemRect(list()->item(row)).center(); }
    QString secondLine(int row) const {
        return list()->item(row)->data(TwoLineDelegate::kSecondLine).toString();
    }
    QToolButton* listButton(const char* name) const {
        return m_test->explore().findChild<StudyList*>()->findChild<QToolButton*>(QLatin1String(name));
    }

private slots:
    void thePointOfAnIdealDesignIsSaidToBeOne() {
        const auto isSaid = [this] {
            const auto* panel = m_test->explore().findChild<SelectedPanel*>();
            return panel->isVisible() && panel->findChild<Pill*>()->isVisible();
        };
        m_test->runStudy({{"workload.batch", "1:2"}});
        QTRY_VERIFY(m_test->explore().findChild<SelectedPanel*>()->isVisible());
        QVERIFY(!isSaid()); // measured software
        m_test->document().openPreset("preserve/llama3-70b-8h100");
        m_test->runStudy({{"workload.batch", "1:2"}});
        QTRY_VERIFY(isSaid());
    }

    void sweepThisInTheInspectorMakesTheAxisThatRunComputes() {
        auto* row = quantityRow("fpga", kBandwidth);
        QVERIFY(row);
        auto* sweep = row->findChild<QToolButton*>();
        QCOMPARE(sweep->toolTip(), QStringLiteral("Sweep this"));
        click(sweep);
        QCOMPARE(window()->workspace(), Workspace::Explore);
        QTRY_VERIFY(axisRow(kBandwidth));
        const double now = m_test->scenario().findNode({"fpga"})->device.memoryBandwidth.value / 1e9;
        QVERIFY(axisRow(kBandwidth)->axis());
        QCOMPARE(axisRow(kBandwidth)->axis()->values, (std::vector<double>{now / 2, now, now * 2}));
        QVERIFY2(setupWords().contains(QStringLiteral("168 points: 7 × 8 × 3")), qPrintable(setupWords()));
        m_test->run();
        QVERIFY2(setupWords().contains(QStringLiteral("168 computed, 0 reused")), qPrintable(setupWords()));
        QCOMPARE(m_test->rows(), 168);
        const int column = m_test->columnOf("Alveo U280 memory bandwidth");
        QVERIFY2(column >= 0, qPrintable(m_test->header(2)));
        // Each row of the table is the design with these values, evaluated by itself.
        for (const int at : {0, 80, 167}) {
            const auto& points = m_test->points();
            const auto study = m_test->marks()->study();
            for (std::size_t i = 0; i < points.rows(); ++i)
                if (m_test->cell(at, 0).toDouble() == points.columns[0].at(i) &&
                    m_test->cell(at, 1).toDouble() == points.columns[1].at(i) &&
                    m_test->cell(at, 2).toDouble() == points.columns[2].at(i)) {
                    auto design = m_test->scenario();
                    for (std::size_t axis = 0; axis < 3; ++axis)
                        engine::applyEdit(
                            design, engine::setEdit(design, *shippedCatalog(), points.columns[axis].name,
                                                    m_test->cell(at, static_cast<int>(axis)).toStdString()));
                    const double alone = engine::evaluate(design).metric(engine::Metric::Throughput);
                    QVERIFY(std::fabs(points.find("throughput_tok_s")->at(i) / alone - 1) < 1e-12);
                    const double shown = m_test->cell(at, m_test->columnOf("Throughput (")).toDouble();
                    QVERIFY2(std::fabs(shown / alone - 1) < 0.01, qPrintable(QString::number(shown)));
                }
        }
    }

    void aRowOfTheInspectorIsDraggedOverTheTabOntoTheStudy() {
        auto* row = quantityRow("fpga", "nodes.fpga.device.price_usd");
        QVERIFY(row);
        std::unique_ptr<QMimeData> dragged;
        row->findChild<PropertyDrag*>()->setStarter(
            [&](std::unique_ptr<QMimeData> data, const QPixmap&) { dragged = std::move(data); });
        auto* label = row->findChild<QLabel*>();
        const auto at = label->rect().center();
        Hand().press(label, at);
        for (int step = 1; step <= 4; ++step)
            QTest::mouseMove(window()->windowHandle(), label->mapTo(window(), at - QPoint(12 * step, 0)));
        Hand().release(label, at - QPoint(48, 0));
        QVERIFY(dragged);

        Carried carried(std::move(dragged));
        auto* tabs = child<TopBar>(window())->tabs();
        QCOMPARE(window()->workspace(), Workspace::Design);
        QVERIFY(carried.over(tabs, tabs->tabRect(1).center()));
        QTRY_COMPARE(window()->workspace(), Workspace::Explore);
        QTRY_VERIFY(m_test->setup()->isVisible());
        QVERIFY(carried.over(m_test->setup(), QPoint(60, 40)));
        const auto* slot = m_test->setup()->findChild<DropSlot*>();
        QVERIFY(slot->isVisible());
        QVERIFY2(slot->text().startsWith(QStringLiteral("New axis: ")), qPrintable(slot->text()));
        QVERIFY(carried.letGo());
        QVERIFY(!slot->isVisible());
        auto* axis = axisRow("nodes.fpga.device.price_usd");
        QVERIFY(axis);
        QVERIFY(axis->field()->hasFocus());
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("1000,2000")); // what is typed is for it
        QCOMPARE(axis->text().values, std::string("1000,2000"));
        QVERIFY2(setupWords().contains(QStringLiteral("112 points: 7 × 8 × 2")), qPrintable(setupWords()));
    }

    void theForecastIsReadBeforeTheRun() {
        m_test->goTo(Workspace::Explore);
        QVERIFY2(setupWords().contains(QStringLiteral("56 points: 7 × 8")), qPrintable(setupWords()));
        auto* forecast = m_test->named<QLabel>("forecast");
        QTRY_COMPARE(forecast->text(), QStringLiteral("under a second"));
        QVERIFY(!QFile::exists(m_test->storePath()) || m_test->store().pointCount() == 0);
        for (auto* row : m_test->setup()->findChildren<AxisRow*>())
            retype(row->field(),
                   row->text().path == kCount ? QStringLiteral("1:64") : QStringLiteral("1:1024"));
        m_test->explore().addAxis(QStringLiteral("workload.batch"));
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("1:64"));
        QVERIFY2(setupWords().contains(QStringLiteral("4,194,304 points: 64 × 1,024 × 64")),
                 qPrintable(setupWords()));
        static const QRegularExpression longTime(QStringLiteral("^about \\d+ (s|min|h)$"));
        QTRY_VERIFY2(longTime.match(forecast->text()).hasMatch(), qPrintable(forecast->text()));
        retype(axisRow("workload.batch")->field(), QStringLiteral("1"));
        retype(axisRow(kCount)->field(), QStringLiteral("1:7"));
        retype(axisRow("techniques.load_merging.ratio")->field(), QStringLiteral("1,2"));
        m_test->run();
        QTRY_COMPARE(forecast->text(), QStringLiteral("All of them stored already"));
        retype(axisRow("techniques.load_merging.ratio")->field(), QStringLiteral("1,2,3"));
        QTRY_COMPARE(forecast->text(), QStringLiteral("14 of them stored, under a second"));
    }

    void aLimitFiltersPlotsAndTableIsKeptAndComesBack() {
        m_test->goTo(Workspace::Explore);
        m_test->run();
        const auto& points = m_test->points();
        const auto* throughput = points.find("throughput_tok_s");
        auto sorted = throughput->values;
        sorted.resize(points.rows());
        for (std::size_t row = 0; row < points.rows(); ++row)
            sorted[row] = throughput->at(row);
        std::sort(sorted.begin(), sorted.end());
        const double least = std::ceil(sorted[20]);
        const int kept = static_cast<int>(
            std::count_if(sorted.begin(), sorted.end(), [least](double value) { return value >= least; }));
        QVERIFY(kept > 5 && kept < 50);
        const auto muted = [this] {
            int count = 0;
            for (const auto& line : m_test->chart(0).lines)
                for (std::size_t i = 0; i < line.y.size(); ++i)
                    count += line.isMuted(i);
            return count;
        };
        QCOMPARE(muted(), 0);
        const auto before = m_test->view(0)->grab().toImage();
        retype(m_test->named<QLineEdit>("typedLimit"), QStringLiteral("throughput_tok_s>=%1").arg(least));
        QCOMPARE(m_test->rows(), kept);
        for (int row = 0; row < m_test->rows(); ++row)
            QVERIFY(m_test->cell(row, m_test->columnOf("Throughput (")).toDouble() >= least * 0.99);
        QCOMPARE(muted(), 56 - kept);
        QTRY_VERIFY(m_test->view(0)->grab().toImage() != before); // they are drawn pale
        const auto told = QStringLiteral("%1 shown, %2 filtered out").arg(kept).arg(56 - kept);
        QVERIFY2(m_test->note().contains(told), qPrintable(m_test->note()));
        const std::vector<engine::Limit> limits{{"throughput_tok_s", least}};
        QCOMPARE(m_test->store().studies().front().limits, limits);

        m_test->reopen();
        m_test->goTo(Workspace::Explore);
        QTRY_COMPARE(m_test->rows(), kept); // reopened at once, filtered
        QCOMPARE(muted(), 56 - kept);
        QVERIFY2(m_test->note().contains(told), qPrintable(m_test->note()));
        auto* limit = m_test->setup()->findChild<LimitRow*>();
        QVERIFY(limit && limit->isVisible());
        QCOMPARE(limit->field()->text().remove(u',').toDouble(), least);
        click(limit->findChild<QToolButton*>(QStringLiteral("removeLimit")));
        QTRY_COMPARE(m_test->rows(), 56);
        QVERIFY(m_test->store().studies().front().limits.empty());
    }

    void aRunIsPausedResumedAndCancelled() {
        m_test->goTo(Workspace::Explore);
        m_test->setup()->setAxes(
            {{"workload.batch", "1:8"}, {kCount, "1:4"}, {"workload.prompt_tokens", "1:3200"}});
        const auto button = [this](const char* name) { return m_test->named<QPushButton>(name); };
        const auto said = [this](const char* pattern) {
            return QRegularExpression(QLatin1String(pattern)).match(setupWords());
        };
        const auto number = [](const QRegularExpressionMatch& match, int which) {
            return match.captured(which).remove(u',').toLongLong();
        };
        click(button("run"));
        QTRY_VERIFY_WITH_TIMEOUT(said("([2-9]\\d|1\\d\\d),\\d{3} of 102,400 points").hasMatch(), 60000);
        QVERIFY(button("pause")->isVisible() && button("cancel")->isVisible() && !button("run")->isVisible());
        click(button("pause"));
        QTRY_VERIFY_WITH_TIMEOUT(said("Paused: ([\\d,]+) of 102,400").hasMatch(), 60000);
        const auto paused = number(said("Paused: ([\\d,]+) of 102,400"), 1);
        QVERIFY2(paused > 0 && paused < 102400, qPrintable(setupWords()));
        QVERIFY(!m_test->explore().isRunning());
        QCOMPARE(static_cast<qint64>(m_test->store().pointCount()), paused); // as many are kept
        QCOMPARE(button("run")->text(), QStringLiteral("Resume"));

        click(button("run"));
        QTRY_VERIFY_WITH_TIMEOUT(said("([\\d,]+) computed, ([\\d,]+) reused").hasMatch(), 300000);
        const auto ended = said("([\\d,]+) computed, ([\\d,]+) reused");
        QCOMPARE(number(ended, 2), paused); // only the rest is computed
        QCOMPARE(number(ended, 1), 102400 - paused);
        QTRY_COMPARE_WITH_TIMEOUT(m_test->rows(), 102400, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(!m_test->explore().isRunning(), 60000);

        m_test->setup()->setAxes(
            {{"workload.batch", "1:8"}, {kCount, "1:4"}, {"workload.output_tokens", "1001:4200"}});
        click(button("run"));
        QTRY_VERIFY_WITH_TIMEOUT(said("([2-9]\\d|1\\d\\d),\\d{3} of 102,400 points").hasMatch(), 60000);
        click(button("cancel"));
        QTRY_VERIFY_WITH_TIMEOUT(said("Cancelled: ([\\d,]+) computed").hasMatch(), 60000);
        QVERIFY(number(said("Cancelled: ([\\d,]+) computed"), 1) < 102400);
        QTRY_VERIFY(button("run")->isVisible());
        QCOMPARE(button("run")->text(), QStringLiteral("Run"));
        QVERIFY(!button("cancel")->isVisible());
    }

    void studiesAreListedReopenedExtendedRenamedAndDeleted() {
        m_test->goTo(Workspace::Explore);
        m_test->run();
        const auto first = m_test->points().info.id;
        m_test->runStudy({{"workload.batch", "1:64"}, {kCount, "1:7"}});
        QCOMPARE(list()->count(), 2);
        QVERIFY(secondLine(0).startsWith(QStringLiteral("448 points")));
        QVERIFY(secondLine(1).startsWith(QStringLiteral("56 points")));
        // The older one by a click, the table and the plots with it.
        Hand().click(list()->viewport(), middleOf(1));
        QTRY_COMPARE(m_test->rows(), 56);
        QCOMPARE(m_test->points().info.id, first);
        QTRY_VERIFY(!m_test->explore().isRunning());
        QVERIFY(m_test->chart(0).hasData());
        StudyWindow::hoverPoint(m_test->view(0), {0, 2}); // its points are those of the table
        QCOMPARE(m_test->litRows().size(), 1);
        Hand::moveTo(m_test->setup(), QPoint(2, 2));

        // Extended by two more counts: 16 points more.
        click(listButton("plus"));
        auto* field = axisRow(kCount)->field();
        QVERIFY(field->hasFocus());
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral(",8,9"));
        QVERIFY2(setupWords().contains(QStringLiteral("72 points: 9 × 8")), qPrintable(setupWords()));
        m_test->run();
        QVERIFY2(setupWords().contains(QStringLiteral("16 computed, 56 reused")), qPrintable(setupWords()));
        QCOMPARE(m_test->rows(), 72);

        const int row = list()->currentRow();
        QVERIFY(secondLine(row).startsWith(QStringLiteral("72 points")));
        list()->setFocus();
        QTest::keyClick(list(), Qt::Key_F2);
        auto* editor = list()->viewport()->findChild<QLineEdit*>();
        QVERIFY(editor);
        editor->selectAll();
        QTest::keyClicks(editor, QStringLiteral("Counts and ratios"));
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(list()->currentItem()->text(), QStringLiteral("Counts and ratios"));
        bool stored = false;
        for (const auto& study : m_test->store().studies())
            stored |= study.name == "Counts and ratios" && study.points == 72;
        QVERIFY(stored);

        // The largest goes, and what the file takes falls.
        int largest = 0;
        while (largest < list()->count() && !secondLine(largest).startsWith(QStringLiteral("448 points")))
            ++largest;
        QVERIFY(largest < list()->count());
        const int before = list()->count();
        const auto pointsBefore = m_test->store().pointCount();
        const auto total = m_test->named<QLabel>("total");
        const auto told = total->text();
        Hand().click(list()->viewport(), middleOf(largest));
        QTRY_COMPARE(m_test->rows(), 448);
        QTRY_VERIFY(listButton("trash")->isEnabled());
        click(listButton("trash"));
        auto* question = window()->findChild<QMessageBox*>();
        QVERIFY(question && question->isVisible());
        QVERIFY(question->informativeText().contains(QStringLiteral("448 points take")));
        click(question->findChild<QPushButton*>(QStringLiteral("confirmDelete")));
        QTRY_COMPARE(list()->count(), before - 1);
        // Those that no other study has; the file keeps its room for the next study.
        QVERIFY(m_test->store().pointCount() + 400 < pointsBefore);
        QVERIFY2(total->text() != told && total->text().contains(QStringLiteral("on disk")),
                 qPrintable(total->text()));
        QTRY_VERIFY(m_test->named<QPushButton>("emptyRun")->isVisible()); // what was shown is gone
        QVERIFY(!m_test->table()->isVisible());
    }
};

WIDGET_TEST(ExploreWindowTest)
#include "explore_window_test.moc"
