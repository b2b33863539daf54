// SPDX-License-Identifier: GPL-3.0-or-later
// The figures above the canvas of the program's window: whose they are, which of them there is room for, and
// in what unit the same ones are read elsewhere.
#include "engine/evaluation/simulate.h"
#include "engine/units/number_text.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/study_fixture.h"
#include "widgets/compare/compare_workspace.h"
#include "widgets/compare/designs_page.h"
#include "widgets/document/simulation_runner.h"
#include "widgets/explore/plot_controls.h"
#include "widgets/explore/selected_panel.h"
#include "widgets/requests/requests_panel.h"
#include "widgets/requests/requests_start.h"
#include "widgets/window/bottom_dock.h"
#include "widgets/window/metric_cell.h"
#include "widgets/window/metrics_strip.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QListWidget>
#include <QStyleOption>
#include <QToolButton>

#include <algorithm>
#include <cmath>

using namespace heteroscape;
using namespace heteroscape::widgets;
using engine::Metric;

class StripWindowTest : public StudyWindowFixture {
    Q_OBJECT

    static constexpr auto kSimulated = "glitches/fig4-a100-2u280"; ///< a shipped design of twelve requests

    MetricsStrip* strip() const { return child<MetricsStrip>(window()); }
    QToolButton* tool(const char* name) const { return child<QToolButton>(strip(), name); }

    void open(const char* preset) const {
        m_test->document().openPreset(preset);
        settle();
    }
    void settle() const {
        const auto* simulation = window()->simulation();
        m_test->awaitMetrics();
        QTRY_VERIFY_WITH_TIMEOUT(!simulation->isBusy(), 60000);
        QVERIFY(m_test->document().evaluation().feasible);
        QCOMPARE(simulation->run() != nullptr, m_test->scenario().serving.isSimulated());
        look();
    }

    /// The metrics that can be seen and read whole, from left to right.
    QList<MetricCell*> cells() const {
        QList<MetricCell*> all;
        for (auto* cell : strip()->findChildren<MetricCell*>())
            if (cell != child<MetricCell>(strip(), "bottleneck") &&
                cell->width() >= cell->sizeHint().width() && isReached(cell, cell->rect().center()) &&
                isReached(cell, cell->rect().bottomRight()))
                all << cell;
        std::sort(all.begin(), all.end(), [](const auto* a, const auto* b) { return a->x() < b->x(); });
        return all;
    }
    /// "Time to first token 176 ms"
    static QString textOf(const MetricCell* cell) {
        const auto& content = cell->content();
        return QStringLiteral("%1 %2 %3").arg(cell->accessibleName(), content.value, content.unit);
    }
    QStringList said() const {
        QStringList all;
        for (const auto* cell : cells())
            all << textOf(cell);
        return all;
    }
    QStringList names() const {
        QStringList all;
        for (const auto* cell : cells())
            all << cell->accessibleName();
        return all;
    }
    /// The same of the engine's figures.
    static QString textOf(const engine::MetricSpec& spec, const engine::Evaluation& evaluation) {
        const double value = evaluation.metric(spec.metric) / spec.scale;
        const auto unit = engine::shownUnit(spec.unit, value);
        return QString::fromUtf8(spec.label) + u' ' +
               QString::fromStdString(engine::shortText(value * unit.factor) + ' ' + unit.name);
    }
    engine::Evaluation evaluated(bool simulated) const {
        auto evaluation = engine::evaluate(m_test->scenario());
        if (simulated)
            engine::setServingMetrics(engine::simulate(m_test->scenario(), evaluation), evaluation);
        return evaluation;
    }
    /// One without a value may have its name alone.
    static bool isOf(const QString& text, const engine::Evaluation& evaluation, bool simulated) {
        const auto specs = engine::metricSpecs();
        return std::any_of(specs.begin(), specs.end(), [&](const engine::MetricSpec& spec) {
            return engine::isSimulated(spec.metric) == simulated &&
                   (textOf(spec, evaluation) == text ||
                    (std::isnan(evaluation.metric(spec.metric)) && QString::fromUtf8(spec.label) == text));
        });
    }
    /// Each figure is the simulation's, or each the steady state's, as the engine has it; and is said to be.
    void checkStrip(bool simulated) {
        const auto evaluation = evaluated(simulated);
        QVERIFY(said().size() >= 3);
        for (const auto& text : said())
            QVERIFY2(isOf(text, evaluation, simulated), qPrintable(text));
        for (auto* cell : cells()) {
            QCOMPARE(cell->content().note,
                     simulated ? QStringLiteral("simulated") : QStringLiteral("steady state"));
            const auto picture = cell->grab(QRect(12, 44, cell->width() - 24, 12)).toImage();
            int written = 0; // the lowest line
            for (int x = 0; x < picture.width(); ++x)
                for (int y = 0; y < picture.height(); ++y)
                    written += picture.pixel(x, y) != picture.pixel(picture.width() - 1, 0);
            QVERIFY2(written > 20, qPrintable(textOf(cell)));
        }
        for (auto* button : {tool("simulated"), tool("steadyState")}) {
            QVERIFY(isReached(button, button->rect().center()));
            QCOMPARE(button->isChecked(), simulated == (button->text() == QStringLiteral("Simulated")));
        }
        QCOMPARE(tool("steadyState")->text(), QStringLiteral("Steady state"));
    }

    /// Until what is shown has its place; all that is shown is whole then.
    void look() const {
        const auto all = strip()->findChildren<MetricCell*>();
        QTRY_COMPARE(cells().size(), std::count_if(all.begin(), all.end(), [&](const MetricCell* cell) {
                         return cell->isVisible() && cell != child<MetricCell>(strip(), "bottleneck");
                     }));
        QVERIFY(!cells().isEmpty());
    }

    MetricsChooser* openChooser() {
        click(tool("moreMetrics"));
        auto* chooser = qobject_cast<MetricsChooser*>(QApplication::activePopupWidget());
        return chooser && chooser->isVisible() ? chooser : nullptr;
    }

    static QListWidgetItem* itemOf(const QListWidget* list, const QString& name) {
        return list->findItems(name, Qt::MatchStartsWith).value(0);
    }
    /// Clicks the box before a name.
    static void tick(QListWidget* list, const QString& name) {
        auto* item = itemOf(list, name);
        QVERIFY2(item, qPrintable(name));
        list->scrollToItem(item);
        const auto before = item->checkState();
        QStyleOptionViewItem option;
        option.initFrom(list);
        option.rect = list->visualItemRect(item);
        option.features = QStyleOptionViewItem::HasCheckIndicator | QStyleOptionViewItem::HasDisplay;
        option.text = item->text();
        Hand().click(
            list->viewport(),
            list->style()->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &option, list).center());
        QVERIFY(item->checkState() != before);
    }
    /// Clicks a row and takes it to the head: the offscreen platform carries nothing by the mouse.
    static void takeToHead(QListWidget* list, const QString& name) {
        auto* item = itemOf(list, name);
        list->scrollToItem(item);
        Hand().click(list->viewport(), list->visualItemRect(item).center());
        QCOMPARE(list->currentItem(), item);
        for (int row = list->row(item); row > 0; --row)
            QTest::keyClick(list, Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(itemOf(list, name), list->item(0));
    }

    /// Chooses what the first plot is of.
    void plot(const QString& metric) {
        for (auto* combo : child<PlotControls>(m_test->tile(0))->findChildren<QComboBox*>()) {
            const int entry = combo->isVisible() ? combo->findText(metric) : -1;
            if (entry < 0)
                continue;
            click(combo);
            QTRY_VERIFY(combo->view()->isVisible());
            const auto index = combo->model()->index(entry, combo->modelColumn());
            combo->view()->scrollTo(index);
            Hand().click(combo->view()->viewport(), combo->view()->visualRect(index).center());
            QTRY_VERIFY(!combo->view()->isVisible());
            return activate(window());
        }
        QFAIL(qPrintable(metric));
    }
    DesignsPage* designs() const { return child<CompareWorkspace>(window())->designsPage(); }
    void showDesigns() {
        m_test->goTo(Workspace::Compare);
        click(buttonSaying(child<CompareWorkspace>(window()), QStringLiteral("Designs")));
        QTRY_VERIFY(designs()->isVisible() && !designs()->isBusy() && designs()->cards().size() == 1);
    }

private slots:
    void theStripIsTheSimulationsAndTheSteadyStateIsAClickAway() {
        open(kSimulated);
        checkStrip(true);
        const auto simulated = said();
        const auto pressed = tool("simulated")->grab().toImage();
        click(tool("steadyState"));
        look();
        checkStrip(false);
        for (const auto& text : said())
            QVERIFY2(!simulated.contains(text), qPrintable(text));
        QVERIFY(tool("simulated")->grab().toImage() != pressed); // which of the two is lit
        click(tool("simulated"));
        look();
        checkStrip(true);
        QCOMPARE(said(), simulated);
    }

    void requestsThatAreSwitchedOnTakeTheStrip() {
        settle();
        QVERIFY(!tool("simulated")->isVisible());
        const auto steady = said();
        for (const auto& text : steady)
            QVERIFY2(isOf(text, evaluated(false), false), qPrintable(text));
        auto* tabs = child<QTabBar>(window()->bottom());
        Hand().click(tabs, tabs->tabRect(static_cast<int>(BottomDock::Page::Requests)).center());
        click(child<QPushButton>(child<RequestsPanel>(window()->bottom()), "backlog"));
        settle();
        checkStrip(true);
        activate(window());
        QTest::keyClick(window(), Qt::Key_Z, Qt::ControlModifier);
        settle();
        QCOMPARE(said(), steady);
        QVERIFY(!tool("simulated")->isVisible());
    }

    void whatHasNoRoomIsCountedAndListed_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("simulated");
        for (const QSize size : {QSize(1280, 720), QSize(1024, 700)})
            for (const bool simulated : {true, false})
                QTest::addRow("%d %s", size.width(), simulated ? "simulated" : "steady") << size << simulated;
    }
    void whatHasNoRoomIsCountedAndListed() {
        QFETCH(QSize, size);
        QFETCH(bool, simulated);
        open(kSimulated);
        window()->resize(size);
        QTRY_COMPARE(window()->size(), size); // it may be so narrow
        if (!simulated)
            click(tool("steadyState"));
        look();
        const auto evaluation = evaluated(simulated);
        QVERIFY(tool("moreMetrics")->text().startsWith(u'+'));
        const auto seen = said();
        for (const auto& text : seen)
            QVERIFY2(isOf(text, evaluation, simulated), qPrintable(text));
        const auto hidden = tool("moreMetrics")->text().mid(1).toInt();
        QVERIFY(hidden > 0 && !seen.isEmpty());
        for (const auto* one : cells()) // the count stands after all of them
            QVERIFY(one->geometry().right() < tool("moreMetrics")->x());

        auto* chooser = openChooser();
        QVERIFY(chooser);
        auto* list = child<QListWidget>(chooser);
        int chosen = 0;
        while (list->item(chosen)->checkState() == Qt::Checked)
            ++chosen;
        QCOMPARE(seen.size() + hidden, chosen);
        for (int row = chosen; row < list->count(); ++row)
            QCOMPARE(list->item(row)->checkState(), Qt::Unchecked);
        for (int row = 0; row < chosen; ++row) { // those that are hidden after those that are seen
            const auto text = list->item(row)->text().simplified();
            QVERIFY(list->viewport()->rect().contains(list->visualItemRect(list->item(row))));
            if (row < seen.size())
                QCOMPARE(text, seen[row]);
            else
                QVERIFY2(!seen.contains(text) && isOf(text, evaluation, simulated), qPrintable(text));
        }
        QTest::keyClick(list, Qt::Key_Escape);
        window()->resize(2200, 900);
        QTRY_COMPARE(said().size(), chosen);
        QVERIFY(tool("moreMetrics")->text().isEmpty());
    }

    /// In both states, of which each keeps its own.
    void metricsAreChosenAndOrderedAndKept() {
        QStringList wanted[2];
        open(kSimulated);
        for (const bool simulated : {false, true}) {
            click(simulated ? tool("simulated") : tool("steadyState"));
            look();
            const auto before = names();
            const auto added = simulated ? QStringLiteral("Goodput") : QStringLiteral("Latency");
            QVERIFY(before.size() > 3 && !before.contains(added));
            auto* chooser = openChooser();
            QVERIFY(chooser);
            tick(child<QListWidget>(chooser), added);
            takeToHead(child<QListWidget>(chooser), added);
            tick(child<QListWidget>(chooser), before[1]);
            look();
            auto& now = wanted[simulated] = names(); // below the list, at once
            QCOMPARE(now.mid(0, 3), QStringList({added, before[0], before[2]}));
            QVERIFY(!now.contains(before[1]));
            for (const auto& text : said())
                QVERIFY2(isOf(text, evaluated(simulated), simulated), qPrintable(text));
            QTest::keyClick(child<QListWidget>(chooser), Qt::Key_Escape);
            activate(window());
        }
        m_test->reopen("");
        open(kSimulated);
        QCOMPARE(names(), wanted[true]);
        click(tool("steadyState"));
        look();
        QCOMPARE(names(), wanted[false]);
        auto* chooser = openChooser();
        QVERIFY(chooser);
        click(chooser->findChild<QPushButton*>()); // Reset
        look();
        QCOMPARE(names().mid(0, 2), QStringList({wanted[false][1], QStringLiteral("Time to first token")}));
    }

    void timesReadTheSameWhereverTheDesignIsRead_data() {
        QTest::addColumn<QString>("preset");
        QTest::addColumn<QString>("batches"); ///< the design's first
        QTest::addColumn<QString>("unit");
        const auto add = [](const char* name, const QString& preset, const QString& batches,
                            const QString& unit) { QTest::newRow(name) << preset << batches << unit; };
        add("under a second", "glitches/a100-7u280", "1, 2", "ms");
        add("over a second", "preserve/llama3-70b-8h100", "16, 32", "s");
    }
    void timesReadTheSameWhereverTheDesignIsRead() {
        QFETCH(QString, preset);
        QFETCH(QString, batches);
        QFETCH(QString, unit);
        open(qPrintable(preset));
        const auto evaluation = evaluated(false);
        const auto first = engine::metricSpec(Metric::TimeToFirstToken);
        QVERIFY(textOf(first, evaluation).endsWith(u' ' + unit));
        const auto specs = {first, engine::metricSpec(Metric::TimePerToken)};
        for (const auto& spec : specs) // in Design
            QVERIFY(said().contains(textOf(spec, evaluation)));

        m_test->runStudy({{"workload.batch", batches.toStdString()}});
        const auto row = [&] { // another metric that is plotted sorts them anew
            int at = 0;
            while (at < m_test->rows() && m_test->cell(at, 0) != batches.section(u',', 0, 0))
                ++at;
            return at;
        };
        QVERIFY(row() < m_test->rows());
        auto* table = m_test->table();
        Hand().click(table->viewport(), table->visualRect(table->model()->index(row(), 0)).center());
        const auto* panel = m_test->explore().findChild<SelectedPanel*>();
        for (const auto& spec : specs) {
            const auto label = QString::fromUtf8(spec.label);
            const auto shown = engine::shownUnit(spec.unit, evaluation.metric(spec.metric));
            const auto name = QString::fromStdString(shown.name);
            const int column = m_test->columnOf(qPrintable(label));
            QCOMPARE(m_test->header(column), QStringLiteral("%1 (%2)").arg(label, name));
            QCOMPARE(m_test->cell(row(), column), QString::fromStdString(engine::shortText(
                                                      evaluation.metric(spec.metric) * shown.factor, 4)));
            const auto* metric =
                panel->findChild<QLabel*>(QStringLiteral("metric-") + QString::fromUtf8(spec.key));
            QVERIFY(metric && metric->isVisible());
            QCOMPARE(label + u' ' + QString(metric->text()).replace(QChar(0x2009), u' '),
                     textOf(spec, evaluation));
            plot(label);
            QTRY_COMPARE(m_test->chart(0).y.shownLabel(), QStringLiteral("%1 (%2)").arg(label, name));
        }

        showDesigns();
        auto* metrics = child<QTableView>(designs(), "metrics");
        for (const auto& spec : specs) {
            const auto* model = metrics->model();
            const auto found = model->match(model->index(0, 0), Qt::DisplayRole,
                                            QString::fromUtf8(spec.label), 1, Qt::MatchExactly);
            QCOMPARE(found.size(), 1);
            metrics->scrollTo(found[0]);
            QStringList words;
            for (int column = 0; column < 3; ++column) { // metric, unit, the open design
                const auto cell = found[0].siblingAtColumn(column);
                QVERIFY(metrics->viewport()->rect().intersects(metrics->visualRect(cell)));
                words << cell.data().toString();
            }
            QCOMPARE(QStringLiteral("%1 %3 %2").arg(words[0], words[1], words[2]), textOf(spec, evaluation));
        }
    }
};

WIDGET_TEST(StripWindowTest)
#include "strip_window_test.moc"
