// SPDX-License-Identifier: GPL-3.0-or-later
// Every word of the window is explained: metrics of the strip, heads of tables, rows of the inspector.
#include "hand.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/window_fixture.h"
#include "widgets/compare/claim_table_model.h"
#include "widgets/compare/compare_workspace.h"
#include "widgets/compare/designs_page.h"
#include "widgets/compare/metrics_model.h"
#include "widgets/explain/hint_card.h"
#include "widgets/explore/limit_list.h"
#include "widgets/explore/points_table.h"
#include "widgets/explore/study_setup.h"
#include "widgets/find/find_page.h"
#include "widgets/glossary/glossary.h"
#include "widgets/inspector/choice_edit.h"
#include "widgets/inspector/degree_row.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/number_edit.h"
#include "widgets/inspector/property_rows.h"
#include "widgets/inspector/quantity_row.h"
#include "widgets/results/latency_table.h"
#include "widgets/roofline/operator_model.h"
#include "widgets/theme/plain_text.h"
#include "widgets/timeline/timeline_panel.h"
#include "widgets/window/bottom_dock.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/context_bar.h"
#include "widgets/window/metric_cell.h"
#include "widgets/window/metrics_strip.h"

#include <QCheckBox>
#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QSet>
#include <QSlider>
#include <QTableView>
#include <QWhatsThis>

using namespace heteroscape;
using namespace heteroscape::widgets;

class GlossaryTest : public WindowFixture {
    Q_OBJECT

    /// The names of rows without a term, of those that are shown.
    template <class Row>
    static QStringList unexplained(const QWidget* within, int& seen) {
        QStringList missing;
        for (const auto* row : within->findChildren<Row*>()) {
            ++seen;
            if (!row->whatsThis().isEmpty())
                continue;
            const auto* field = row->field();
            missing << field->accessibleName();
        }
        return missing;
    }
    static QStringList unexplainedHeads(const QAbstractItemModel& model, Qt::Orientation way) {
        QStringList missing;
        const int count = way == Qt::Horizontal ? model.columnCount() : model.rowCount();
        for (int i = 0; i < count; ++i)
            if (model.headerData(i, way, Qt::WhatsThisRole).toString().isEmpty())
                missing << model.headerData(i, way).toString();
        return missing;
    }

private slots:
    void everyMetricOfTheStripHasItsTerm() {
        settle();
        int cells = 0;
        for (const auto* cell : child<MetricsStrip>(m_window)->findChildren<MetricCell*>()) {
            QVERIFY2(!cell->whatsThis().isEmpty(), qPrintable(cell->accessibleName()));
            ++cells;
        }
        QVERIFY(cells >= 6);
        const auto* first = child<MetricsStrip>(m_window)->cell(engine::Metric::TimeToFirstToken);
        QVERIFY(first->whatsThis().contains(QStringLiteral("Time to first token</span> (s)")));
        for (const auto& spec : engine::metricSpecs())
            QVERIFY2(Glossary::instance().find(spec.key), spec.key.data());
    }

    void everyRowOfTheInspectorHasItsTerm() {
        int rows = 0;
        for (const auto* preset : {"glitches/a100-7u280", "preserve/llama3-70b-8npu",
                                   "inf2/opt-30b-h100-16csd", "preserve/llama3-70b-4npu-measured"}) {
            document().openPreset(preset);
            document().set("serving.arrivals", "poisson");
            document().set("serving.batching", "continuous");
            settle();
            std::vector<Selection> selections{{}};
            for (const auto& node : document().scenario().nodes)
                selections.push_back({{node.id}, {}});
            for (const auto& link : document().scenario().links)
                selections.push_back({{}, {link.id}});
            for (const auto& selection : selections) {
                document().select(selection);
                auto* inspector = m_window->inspector();
                inspector->finish();
                QApplication::processEvents();
                const auto missing =
                    unexplained<QuantityRow>(inspector, rows) + unexplained<ChoiceRow>(inspector, rows) +
                    unexplained<TextRow>(inspector, rows) + unexplained<TechniqueRow>(inspector, rows) +
                    unexplained<OptionRow>(inspector, rows) + unexplained<PowerSlider>(inspector, rows);
                QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QStringLiteral(", "))));
            }
        }
        QVERIFY(rows > 200);
    }

    void everyControlOfTheContextBarHasItsTerm() {
        auto* bar = child<ContextBar>(m_window);
        const auto saysTerm = [](const QWidget* widget, std::string_view name) {
            const auto* term = Glossary::instance().find(name);
            return term && widget->whatsThis() == term->html();
        };
        QVERIFY(saysTerm(child<ChoiceEdit>(bar), "model"));
        QVERIFY(saysTerm(child<PrecisionButton>(bar), "weight_bits"));
        QVERIFY(saysTerm(child<QPushButton>(bar, "techniques"), "techniques"));
        for (const auto& field : engine::workloadFields()) {
            const auto path = "workload." + std::string(field.spec.key);
            QVERIFY2(saysTerm(child<NumberEdit>(bar, path.c_str()), field.spec.key), path.c_str());
        }
        const auto kinds = engine::techniqueKinds().all();
        const auto entries = child<QPushButton>(bar, "techniques")->menu()->actions();
        QCOMPARE(static_cast<std::size_t>(entries.size()), kinds.size());
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            const std::string id(kinds[i]->id());
            QVERIFY2(saysTerm(child<QPushButton>(bar, id.c_str()), id), id.c_str());
            QCOMPARE(entries[static_cast<qsizetype>(i)]->whatsThis(),
                     child<QPushButton>(bar, id.c_str())->whatsThis());
        }
    }

    void everyDegreeOfALayoutHasItsTerm() {
        document().openPreset("preserve/llama3-70b-8h100");
        document().select({{engine::NodeId{"gpu"}}, {}});
        m_window->inspector()->finish();
        QApplication::processEvents();
        const auto rows = m_window->inspector()->findChildren<DegreeRow*>();
        QCOMPARE(rows.size(), 7); // copies and six ways to cut
        QSet<QString> texts;
        for (const auto* row : rows) {
            QVERIFY2(!row->whatsThis().isEmpty(), qPrintable(words(row)));
            texts += row->whatsThis();
        }
        QCOMPARE(texts.size(), 7);
    }

    void panelsHaveATermOfTheirOwn() {
        QVERIFY(
            m_window->bottom()->timeline()->whatsThis().contains(strongMarkup(QStringLiteral("Timeline"))));
        m_window->commands()->action(QStringLiteral("study.hints"))->trigger();
        const auto* card = m_window->findChild<HintCard*>();
        QVERIFY(card && card->whatsThis().contains(strongMarkup(QStringLiteral("Bottleneck"))));
        const auto* find = m_window->findChild<FindPage*>();
        QVERIFY(find && find->whatsThis().contains(
                            strongMarkup(QStringLiteral("Find: the best designs within limits"))));
        const auto* limits = find->findChild<LimitList*>();
        QVERIFY(limits && limits->whatsThis().contains(strongMarkup(QStringLiteral("Limit"))));
    }

    void everyHeadOfATableHasItsTerm() {
        m_window->setWorkspace(Workspace::Explore);
        auto& explore = m_test->explore();
        click(explore.findChild<QPushButton*>(QStringLiteral("run")));
        auto* points = explore.findChild<PointsTable*>();
        QTRY_VERIFY_WITH_TIMEOUT(!explore.isRunning(), 120000);
        auto* table = points->findChild<QTableView*>();
        QTRY_VERIFY(table->model()->columnCount() > 8);
        QCOMPARE(unexplainedHeads(*table->model(), Qt::Horizontal), QStringList());

        m_window->setWorkspace(Workspace::Roofline);
        auto* operators = child<OperatorList>(m_window);
        QVERIFY(operators->model()->columnCount() > 0);
        QCOMPARE(unexplainedHeads(*operators->model(), Qt::Horizontal), QStringList());

        m_window->setWorkspace(Workspace::Compare);
        auto* compare = child<CompareWorkspace>(m_window);
        compare->setPage(CompareWorkspace::Page::Designs);
        auto* page = compare->designsPage();
        QTRY_VERIFY(page->isVisible() && !page->isBusy());
        int tables = 0, rows = 0;
        for (const auto* view : compare->findChildren<QTableView*>()) {
            if (!view->model())
                continue;
            QCOMPARE(unexplainedHeads(*view->model(), Qt::Horizontal), QStringList());
            ++tables;
            if (!qobject_cast<const MetricsModel*>(view->model()) &&
                !qobject_cast<const DifferencesModel*>(view->model()))
                continue;
            const auto* differences = qobject_cast<const DifferencesModel*>(view->model());
            for (int row = 0; row < view->model()->rowCount(); ++row) {
                if (differences && !differences->at(row))
                    continue; // the heading of a group
                const auto head = view->model()->index(row, 0);
                QVERIFY2(!head.data(Qt::WhatsThisRole).toString().isEmpty(),
                         qPrintable(head.data().toString()));
                ++rows;
            }
        }
        QVERIFY(tables >= 2);
        QVERIFY(rows > 10);
        for (const auto* latencies : m_window->findChildren<LatencyTable*>()) {
            QCOMPARE(unexplainedHeads(*latencies->model(), Qt::Horizontal), QStringList());
            QCOMPARE(unexplainedHeads(*latencies->model(), Qt::Vertical), QStringList());
        }
    }

    void whatHasTheKeyboardIsExplainedByShiftF1() {
        const auto path = "nodes." + document().scenario().nodes.front().id.value + ".count";
        document().select({{document().scenario().nodes.front().id}, {}});
        QVERIFY(m_window->inspector()->focusField(path));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_F1, Qt::ShiftModifier);
        const auto shown = [] {
            for (const auto* widget : QApplication::topLevelWidgets())
                if (widget->isVisible() && widget->inherits("QWhatsThat"))
                    return true;
            return false;
        };
        QTRY_VERIFY(shown());
        QWhatsThis::hideText();
        QTRY_VERIFY(!shown());
        // What has no term waits for a click.
        m_window->setFocus();
        m_window->commands()->action(QStringLiteral("help.whats_this"))->trigger();
        QTRY_VERIFY(QWhatsThis::inWhatsThisMode() || shown());
        QWhatsThis::leaveWhatsThisMode();
        QWhatsThis::hideText();
    }
};

WIDGET_TEST(GlossaryTest)
#include "glossary_test.moc"
