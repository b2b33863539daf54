// SPDX-License-Identifier: GPL-3.0-or-later
// Designs side by side in the program's window: pinned ones beside the open one.
#include "engine/evaluation/evaluate.h"
#include "engine/units/number_text.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/study_fixture.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/compare/claim_text.h"
#include "widgets/compare/compare_workspace.h"
#include "widgets/compare/compared_designs.h"
#include "widgets/compare/design_set.h"
#include "widgets/compare/designs_page.h"
#include "widgets/compare/metrics_model.h"
#include "widgets/document/metric_text.h"
#include "widgets/inspector/number_edit.h"
#include "widgets/inspector/value_text.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/theme/plain_text.h"
#include "widgets/window/context_bar.h"
#include "widgets/window/metric_cell.h"
#include "widgets/window/metrics_strip.h"

#include <QMenuBar>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

using namespace heteroscape;
using namespace heteroscape::widgets;
using engine::Metric;

class CompareWindowTest : public StudyWindowFixture {
    Q_OBJECT

    struct Beside { ///< a design as it should stand in a column
        QString name;
        engine::Scenario design;
    };

    CompareWorkspace* compare() const { return child<CompareWorkspace>(m_test->window); }
    DesignsPage* page() const { return compare()->designsPage(); }
    QTableView* differences() const {
        for (auto* table : page()->findChildren<QTableView*>())
            if (qobject_cast<DifferencesModel*>(table->model()))
                return table;
        return nullptr;
    }
    /// What the page says across itself.
    QString notices() const {
        QStringList all;
        for (const auto* bar : page()->findChildren<NoticeBar*>())
            if (bar->isVisible())
                all << bar->text();
        return all.join(u'\n');
    }
    QStringList pinnedEntries() {
        QStringList pinned;
        click(buttonSaying(compare(), QStringLiteral("Design")));
        for (const auto* entry : child<QMenu>(page(), "addDesign")->actions())
            if (entry->text().startsWith(QStringLiteral("Pinned: ")))
                pinned << entry->text();
        QTest::keyClick(child<QMenu>(page(), "addDesign"), Qt::Key_Escape);
        return pinned;
    }
    void openDesigns() {
        m_test->goTo(Workspace::Compare);
        click(buttonSaying(compare(), QStringLiteral("Designs")));
        QTRY_VERIFY(page()->isVisible() && !page()->isBusy());
    }
    /// By "+ Design" and the mouse. The menu is longer than the screen: the wheel brings the rest of it.
    void add(const std::function<bool(const QAction*)>& isWanted) {
        const auto before = page()->cards().size();
        click(buttonSaying(compare(), QStringLiteral("Design")));
        auto* menu = child<QMenu>(page(), "addDesign");
        QTRY_VERIFY(menu->isVisible());
        const auto entries = menu->actions();
        const auto wanted = std::find_if(entries.begin(), entries.end(), isWanted);
        QVERIFY(wanted != entries.end());
        const auto room = menu->rect().adjusted(0, 30, 0, -30); // the arrows are above and below
        for (int turn = 0; turn < 100 && !room.contains(menu->actionGeometry(*wanted)) &&
                           menu->actionGeometry(*wanted).bottom() > room.bottom();
             ++turn)
            wheel(menu, menu->rect().center(), -1);
        Hand().click(menu, menu->actionGeometry(*wanted).center());
        QTRY_COMPARE(page()->cards().size(), before + 1);
        QTRY_VERIFY_WITH_TIMEOUT(!page()->isBusy(), 30000);
    }
    /// The designs stand side by side under their names, each with the metrics that the engine finds for it.
    void checkBeside(const std::vector<Beside>& all) {
        QCOMPARE(page()->cards().size(), all.size());
        std::vector<engine::Evaluation> evaluations;
        for (std::size_t i = 0; i < all.size(); ++i) {
            evaluations.push_back(engine::evaluate(all[i].design));
            const auto* card = page()->cards()[i];
            QVERIFY(card->isVisible());
            QVERIFY2(words(card).split(u'\n').contains(all[i].name), qPrintable(words(card)));
            QCOMPARE(words(card).contains(QStringLiteral("Cannot run")), !evaluations[i].feasible);
            QVERIFY(i == 0 || card->x() > page()->cards()[i - 1]->x());
        }
        const auto* model = qobject_cast<MetricsModel*>(child<QTableView>(page(), "metrics")->model());
        int rows = 0;
        for (const auto& spec : engine::metricSpecs()) {
            double decisive = std::numeric_limits<double>::quiet_NaN();
            const auto value = [&](std::size_t i) {
                return evaluations[i].feasible
                           ? engine::toEdge(evaluations[i].metric(spec.metric), spec.scale)
                           : std::numeric_limits<double>::quiet_NaN();
            };
            for (std::size_t i = 0; i < all.size(); ++i)
                decisive = decidesUnit(spec.key, decisive, std::fabs(value(i)));
            if (std::isnan(decisive))
                continue;
            const auto unit = metricUnit(spec, decisive);
            const auto text = [&](int column) { return model->index(rows, column).data().toString(); };
            QCOMPARE(text(MetricsModel::Name), QString::fromUtf8(spec.label));
            QCOMPARE(text(MetricsModel::Unit), unit.name);
            for (std::size_t i = 0; i < all.size(); ++i)
                QCOMPARE(text(model->valueColumn(i)), claimNumber(value(i) * unit.factor));
            ++rows;
        }
        QCOMPARE(model->rowCount(), rows);
        QVERIFY(rows > 5);
        for (std::size_t i = 0; i < all.size(); ++i) { // and are there to be seen
            auto* table = child<QTableView>(page(), "metrics");
            const int column = model->valueColumn(i);
            const auto tip = model->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString();
            QVERIFY2(tip.startsWith(plainTip(all[i].name)), qPrintable(tip));
            table->scrollTo(model->index(0, column));
            QVERIFY(isReached(table->viewport(), table->visualRect(model->index(0, column)).center()));
        }
    }
    /// The cells of the rows below a heading of the table of differences, each row from its name on.
    QList<QStringList> rowsBelow(const char* heading) const {
        QList<QStringList> rows;
        bool below = false;
        const auto* model = qobject_cast<DifferencesModel*>(differences()->model());
        for (int row = 0; row < model->rowCount(); ++row) {
            QStringList cells;
            for (int column = 0; column < model->columnCount(); ++column)
                cells << model->index(row, column).data().toString();
            if (!model->at(row))
                below = cells[0] == QLatin1String(heading);
            else if (below)
                rows << cells;
        }
        return rows;
    }
    /// In the bar above all workspaces, with the mouse and keys.
    void setBatch(const char* batch) {
        auto* field = child<NumberEdit>(m_test->window, "workload.batch");
        retype(field->findChild<QLineEdit*>(), QLatin1String(batch));
        m_test->awaitMetrics();
        Hand().click(m_test->window->canvas()->viewport(), {8, 8}); // keys are the canvas's again
        QCOMPARE(m_test->scenario().workload.batch.value, QByteArray(batch).toDouble());
    }
private slots:
    void pinsOfTwoStatesStandBesideTheOpenDesign() {
        const auto title = m_test->document().title();
        auto* window = m_test->window.get();
        const auto* cell = child<MetricsStrip>(window)->cell(Metric::Throughput);
        const auto first = m_test->scenario();
        QTest::keyClick(window, Qt::Key_B);
        setBatch("4");
        const auto second = m_test->scenario();
        QTest::keyClick(window, Qt::Key_B);
        setBatch("2");
        const auto open = m_test->scenario();
        // The strip reads against the last of them, or the one that is chosen in the menu.
        const auto noteAgainst = [&](const engine::Scenario& pinned) {
            return QStringLiteral("%1\u00d7 pinned")
                .arg(shortNumber(engine::evaluate(open).metric(Metric::Throughput) /
                                 engine::evaluate(pinned).metric(Metric::Throughput)));
        };
        QVERIFY(noteAgainst(first) != noteAgainst(second));
        QCOMPARE(cell->content().note, noteAgainst(second));
        auto* bar = child<TopBar>(window)->menuBar();
        QMenu* edit = nullptr;
        for (auto* entry : bar->actions())
            if (entry->text() == QStringLiteral("&Edit")) {
                Hand().click(bar, bar->actionGeometry(entry).center());
                edit = entry->menu();
            }
        QVERIFY(edit);
        choose(edit, QStringLiteral("Read against"));
        QTRY_VERIFY(openMenu() && openMenu() != edit);
        choose(openMenu(), title);
        QTRY_COMPARE(cell->content().note, noteAgainst(first));
        activate(window);

        openDesigns();
        const QStringList pinned{QStringLiteral("Pinned: %1").arg(title),
                                 QStringLiteral("Pinned: %1, batch 4").arg(title)};
        QCOMPARE(pinnedEntries(), pinned);
        for (const auto& pin : pinned)
            add([&pin](const QAction* entry) { return entry->text() == pin; });
        const std::vector<Beside> all{
            {title, open},
            {title + QStringLiteral(", batch 1"), first}, // the open one has its name
            {title + QStringLiteral(", batch 4"), second}};
        checkBeside(all);
        QCOMPARE(notices(), QStringLiteral("These designs serve different workloads: what they reach says "
                                           "little of which is better."));
        const auto workload = rowsBelow("Workload");
        QCOMPARE(workload.size(), 1);
        QCOMPARE(workload[0], QStringList({QStringLiteral("Batch"), QStringLiteral("2"), QStringLiteral("1"),
                                           QStringLiteral("4")}));
        // Ratios to a pin, once it is made the reference.
        click(child<QPushButton>(page()->cards()[2], "reference"));
        const auto* model = qobject_cast<MetricsModel*>(child<QTableView>(page(), "metrics")->model());
        QCOMPARE(model->ratioColumn(2), -1);
        const auto& spec = engine::metricSpec(Metric::Throughput);
        for (const std::size_t i : {0, 1}) {
            const auto value = [&](const engine::Scenario& design) {
                return engine::evaluate(design).metric(Metric::Throughput);
            };
            const auto text =
                model->index(model->rowOf(Metric::Throughput), model->ratioColumn(i)).data().toString();
            QCOMPARE(text, ratioText(spec, value(all[i].design), value(second)).text);
            QVERIFY(text.endsWith(QStringLiteral("worse")));
        }
        checkBeside(all);

        // Pins that are cleared are offered no more; what stands there stays.
        m_test->goTo(Workspace::Design);
        QTest::keyClick(window, Qt::Key_B, Qt::ShiftModifier);
        QCOMPARE(cell->content().note, QString());
        m_test->goTo(Workspace::Compare);
        QCOMPARE(pinnedEntries(), QStringList());
        checkBeside(all);
    }
};

WIDGET_TEST(CompareWindowTest)
#include "compare_window_test.moc"
