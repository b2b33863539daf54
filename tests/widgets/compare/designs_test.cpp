// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/csv.h"
#include "engine/claims/claims.h"
#include "engine/evaluation/evaluate.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/scenario/scenario_json.h"
#include "engine/units/number_text.h"
#include "tests/shipped_catalog.h"
#include "tests/widgets/exact.h"
#include "tests/widgets/widget_test.h"
#include "widgets/compare/breakdown_bars.h"
#include "widgets/compare/claims_page.h"
#include "widgets/compare/compare_workspace.h"
#include "widgets/compare/design_set.h"
#include "widgets/compare/designs_page.h"
#include "widgets/compare/metrics_model.h"
#include "widgets/document/document.h"
#include "widgets/explain/explanation_popup.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/theme/text_label.h"
#include "widgets/theme/theme.h"
#include "widgets/timeline/timeline_view.h"

#include <QCheckBox>
#include <QClipboard>
#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QScreen>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>
#include <QUndoStack>

#include <cmath>
#include <set>

using namespace heteroscape;
using namespace heteroscape::widgets;
using engine::Metric;

class DesignsTest : public QObject {
    Q_OBJECT

    std::unique_ptr<Document> m_document;
    std::unique_ptr<CompareWorkspace> m_compare;

    DesignsPage* page() const { return m_compare->designsPage(); }
    MetricsModel* metrics() const { return m_compare->findChild<MetricsModel*>(); }
    DifferencesModel* differences() const { return m_compare->findChild<DifferencesModel*>(); }

    QString cell(Metric metric, int column) const {
        return metrics()->index(metrics()->rowOf(metric), column).data().toString();
    }
    QPushButton* button(const QString& text) const { return buttonSaying(m_compare.get(), text); }
    /// By the menu behind "+ Design".
    void addFromMenu(const QString& preset) {
        QTest::mouseClick(button(QStringLiteral("Design")), Qt::LeftButton);
        QTRY_VERIFY(child<QMenu>(page(), "addDesign")->isVisible());
        QAction* wanted = nullptr;
        for (auto* action : child<QMenu>(page(), "addDesign")->actions())
            if (action->data().toString() == preset)
                wanted = action;
        QVERIFY(wanted);
        const auto before = page()->designs().inputs().size();
        child<QMenu>(page(), "addDesign")->setActiveAction(wanted);
        QTest::keyClick(child<QMenu>(page(), "addDesign"), Qt::Key_Return);
        QTRY_COMPARE(page()->designs().inputs().size(), before + 1);
        QTRY_VERIFY(!page()->isBusy());
    }

private slots:
    void init() {
        m_document = std::make_unique<Document>(shippedCatalog());
        m_document->openPreset("glitches/a100-7u280");
        m_compare = std::make_unique<CompareWorkspace>(shippedCatalog());
        m_compare->setDocument(m_document.get());
        m_compare->resize(1280, 900);
        m_compare->setPage(CompareWorkspace::Page::Designs);
        m_compare->show();
        QTRY_VERIFY(!page()->isBusy() && page()->designs().designs().size() == 1);
    }
    void cleanup() {
        m_compare.reset();
        m_document.reset();
    }

    void theSwitchShowsOnePageAndItsTools() {
        QVERIFY(page()->isVisible() && page()->tools()->isVisible());
        QVERIFY(!child<ClaimsPage>(m_compare)->isVisible());
        QTest::mouseClick(button(QStringLiteral("Paper against model")), Qt::LeftButton);
        QVERIFY(child<ClaimsPage>(m_compare)->isVisible() && !page()->isVisible());
        QTest::mouseClick(button(QStringLiteral("Designs")), Qt::LeftButton);
        QVERIFY(page()->isVisible());
    }

    void unlikeWorkloadsAreToldAndMadeAlike() {
        const auto warning = [this]() -> NoticeBar* {
            for (auto* bar : page()->findChildren<NoticeBar*>())
                if (bar->isVisible())
                    return bar;
            return nullptr;
        };
        addFromMenu(QStringLiteral("glitches/v100s-7u280")); // of the same model and workload
        QVERIFY(!warning());
        addFromMenu(QStringLiteral("preserve/llama3-70b-8npu"));
        QVERIFY(warning());
        QVERIFY2(warning()->text().contains(QStringLiteral("different models and workloads")),
                 qPrintable(warning()->text()));
        const auto served = [this] { // in how much of that they differ
            int rows = 0;
            bool below = false;
            for (int row = 0; row < differences()->rowCount(); ++row)
                if (const auto heading = differences()->index(row, 0).data().toString();
                    !differences()->at(row))
                    below = heading == QStringLiteral("Model") || heading == QStringLiteral("Workload");
                else
                    rows += below;
            return rows;
        };
        QVERIFY(served() > 0);
        const auto open = m_document->scenario();
        const int steps = m_document->undoStack()->count();
        const auto others = page()->designs().inputs();
        QTest::mouseClick(button(QStringLiteral("Same workload for all")), Qt::LeftButton);
        QTRY_VERIFY(!page()->isBusy());
        QVERIFY(!warning()->text().contains(QStringLiteral("different models and workloads")));
        QVERIFY(!button(QStringLiteral("Same workload for all")));
        QCOMPARE(served(), 0);
        QVERIFY(m_document->scenario() == open && m_document->undoStack()->count() == steps);
        for (std::size_t i = 0; i < others.size(); ++i) {
            const auto& input = page()->designs().inputs()[i];
            QCOMPARE(input.scenario.model.id, open.model.id);
            QVERIFY(input.scenario.workload == open.workload && input.scenario.serving == open.serving);
            QVERIFY(input.scenario.nodes == others[i].scenario.nodes);
            QCOMPARE(input.name.endsWith(QStringLiteral("same workload")), i == 2);
        }
        // One that comes meanwhile has the name that is free now; each gets back its own workload.
        addFromMenu(QStringLiteral("preserve/llama3-70b-8npu"));
        QCOMPARE(page()->designs().inputs()[3].name, others[2].name);
        QVERIFY(warning()->text().contains(QStringLiteral("different models and workloads")));
        QTest::mouseClick(button(QStringLiteral("Same workload for all")), Qt::LeftButton);
        QTRY_VERIFY(!page()->isBusy());
        std::set<QString> names;
        for (const auto& input : page()->designs().inputs())
            names.insert(input.name);
        QCOMPARE(names.size(), std::size_t{4});
        QTest::mouseClick(child<QToolButton>(page()->cards()[1], "remove"), Qt::LeftButton);
        QTest::mouseClick(button(QStringLiteral("Their own workloads")), Qt::LeftButton);
        QTRY_VERIFY(!page()->isBusy());
        const auto& given = page()->designs().inputs();
        QCOMPARE(given.size(), std::size_t{3});
        QVERIFY(given[1] == others[2] && given[2].scenario == others[2].scenario);
        QCOMPARE(given[2].name, others[2].name + QStringLiteral(" (2)"));
        QVERIFY(!page()->designs().anyServesAlike());
        QVERIFY(served() > 0 && !button(QStringLiteral("Their own workloads")));
    }

    void truthsOfTwoKindsAreToldAndMadeAlikeInOneClick() {
        m_document->openPreset("served/gpt-oss-120b-h100");
        auto amd = m_document->scenario(); // no kernels were measured there
        engine::applyEdit(amd, engine::setEdit(amd, *shippedCatalog(), "nodes.gpu.device", "mi355x"));
        page()->addDesign(QStringLiteral("AMD"), amd);
        QTRY_VERIFY(!page()->isBusy() && page()->designs().designs().size() == 2);
        const auto ink = [this](int column) {
            const auto index = metrics()->index(metrics()->rowOf(Metric::Throughput), column);
            return index.data(Qt::ForegroundRole).value<QColor>();
        };
        const auto& theme = Theme::instance();
        QCOMPARE(ink(metrics()->valueColumn(0)), theme.color(ColorRole::Text));
        QCOMPARE(ink(metrics()->valueColumn(1)), theme.color(ColorRole::Text));  // by the rule of its class
        QCOMPARE(ink(metrics()->ratioColumn(1)), theme.color(ColorRole::Muted)); // neither better nor worse
        const auto open = m_document->scenario();
        QTest::mouseClick(button(QStringLiteral("Like for like")), Qt::LeftButton);
        QTRY_VERIFY(!page()->isBusy() && page()->designs().designs()[0]->input.scenario != open);
        for (const auto& design : page()->designs().designs())
            QCOMPARE(engine::truthOf(design->input.scenario), engine::Truth::Class);
        QVERIFY(!button(QStringLiteral("Like for like")));
        QVERIFY(m_document->undoStack()->undoText().contains(QStringLiteral("Like for like")));
        m_document->undoStack()->undo();
        QVERIFY(m_document->scenario() == open);
        QTRY_VERIFY(!page()->isBusy() && button(QStringLiteral("Like for like")));
        // Where all can be measured they are.
        auto bound = open;
        engine::applyEdit(bound, engine::setEdit(bound, *shippedCatalog(), "nodes.gpu.runtime", "ideal"));
        QTest::mouseClick(child<QToolButton>(page()->cards()[1], "remove"), Qt::LeftButton);
        page()->addDesign(QStringLiteral("Bound"), bound);
        QTRY_VERIFY(!page()->isBusy() && page()->designs().designs().size() == 2);
        QTest::mouseClick(button(QStringLiteral("Like for like")), Qt::LeftButton);
        QTRY_VERIFY(!page()->isBusy() && !button(QStringLiteral("Like for like")));
        QVERIFY(m_document->scenario() == open);
        QCOMPARE(engine::truthOf(page()->designs().inputs()[1].scenario), engine::Truth::Served);
        QTest::mouseClick(button(QStringLiteral("As they were")), Qt::LeftButton);
        QTRY_VERIFY(!page()->isBusy());
        QVERIFY(page()->designs().inputs()[1].scenario == bound);
    }

    void designsOfAllPapersStandSideBySide() {
        addFromMenu(QStringLiteral("preserve/llama3-70b-8npu"));
        addFromMenu(QStringLiteral("inf2/opt-30b-a100-16csd"));
        const auto& designs = page()->designs().designs();
        QCOMPARE(designs.size(), std::size_t{3});
        QCOMPARE(page()->cards().size(), std::size_t{3});
        for (std::size_t i = 0; i < designs.size(); ++i) {
            const auto evaluation = engine::evaluate(designs[i]->input.scenario);
            QVERIFY(evaluation.feasible);
            for (const auto& spec : engine::metricSpecs())
                QVERIFY2(test::same(designs[i]->metric(spec),
                                    engine::toEdge(evaluation.metric(spec.metric), spec.scale)),
                         std::string(spec.key).c_str());
        }
        QCOMPARE(child<TimelineView>(page())->tracks().size(), std::size_t{3});
        QCOMPARE(child<TimelineView>(page())->view().to, endOf(child<TimelineView>(page())->tracks()));
    }

    /// As the strip has them: 176 ms, and not 0.176 s since another takes longer.
    void oneTimeUnderASecondPutsItsRowInMilliseconds() {
        QVERIFY(m_document->set("workload.batch", "8"));
        addFromMenu(QStringLiteral("glitches/a100-7u280"));
        const auto& designs = page()->designs().designs();
        const auto& first = engine::metricSpec(Metric::TimeToFirstToken);
        QTRY_VERIFY(designs[0]->metric(first) > 1.0);
        QVERIFY(designs[1]->metric(first) < 1.0);
        QCOMPARE(cell(Metric::TimeToFirstToken, MetricsModel::Unit), QStringLiteral("ms"));
        QCOMPARE(cell(Metric::TimeToFirstToken, metrics()->valueColumn(1)),
                 metricText(first, designs[1]->metric(first)).value);
        QCOMPARE(metricText(first, designs[1]->metric(first)).unit, QStringLiteral("ms"));
    }

    void anIdealDesignIsSaidToBeOneWhereverItStands() {
        addFromMenu(QStringLiteral("preserve/llama3-70b-8h100"));
        QVERIFY(!child<Pill>(page()->cards()[0], "ideal")->isVisible()); // measured software
        QVERIFY(child<Pill>(page()->cards()[1], "ideal")->isVisible());
        const auto head = [&](std::size_t design, int role) {
            return metrics()->headerData(metrics()->valueColumn(design), Qt::Horizontal, role);
        };
        QVERIFY(!head(0, Qt::DecorationRole).isValid());
        QVERIFY(!head(1, Qt::DecorationRole).value<QIcon>().isNull());
        QVERIFY(head(1, Qt::ToolTipRole).toString().contains(QStringLiteral("Ideal: upper bound")));
        const auto tip = [&](Metric metric) {
            return metrics()
                ->index(metrics()->rowOf(metric), metrics()->valueColumn(1))
                .data(Qt::ToolTipRole)
                .toString();
        };
        QVERIFY(tip(Metric::Throughput).contains(QStringLiteral("upper bound")));
        QVERIFY(!tip(Metric::AttentionFootprint).isEmpty());
        QVERIFY(!tip(Metric::AttentionFootprint).contains(QStringLiteral("upper bound"))); // takes no time
    }

    /// More presets than a screen is high: the menu scrolls, in one column.
    void theMenuOfDesignsStaysOnTheScreen() {
        QTest::mouseClick(button(QStringLiteral("Design")), Qt::LeftButton);
        auto* menu = child<QMenu>(page(), "addDesign");
        QTRY_VERIFY(menu->isVisible());
        QVERIFY(menu->actions().size() > 25);
        int height = 0;
        for (auto* action : menu->actions()) {
            const auto rect = menu->actionGeometry(action);
            QCOMPARE(rect.left(), menu->actionGeometry(menu->actions().front()).left());
            height += rect.height();
        }
        const auto room = menu->screen()->availableGeometry();
        QVERIFY(menu->height() <= room.height());
        QVERIFY2(height > room.height() || menu->height() >= height, qPrintable(QString::number(height)));
        menu->close();
    }

    /// Of two that are named alike the end is read, where they differ; a wider window shows more of a name.
    void namesTakeTheRoomThereIs() {
        const auto name = [](const char* end) {
            return QStringLiteral("8 \u00d7 H100 SXM, Llama3-70B in INT8, %1").arg(QLatin1String(end));
        };
        page()->addDesign(name("batch 32"), m_document->scenario());
        page()->addDesign(name("batch 64"), m_document->scenario());
        QTRY_VERIFY(!page()->isBusy() && page()->designs().designs().size() == 3);
        const auto heads = [&](const QAbstractItemModel* model, int first, int second) {
            return QStringList{model->headerData(first, Qt::Horizontal).toString(),
                               model->headerData(second, Qt::Horizontal).toString()};
        };
        const auto all = [&] {
            return heads(metrics(), metrics()->valueColumn(1), metrics()->valueColumn(2)) +
                   heads(differences(), DifferencesModel::FirstDesign + 1, DifferencesModel::FirstDesign + 2);
        };
        const auto cut = all();
        for (qsizetype i = 0; i < cut.size(); ++i)
            QVERIFY2(cut[i].endsWith(i % 2 ? QStringLiteral(" 64") : QStringLiteral(" 32")),
                     qPrintable(cut[i]));
        m_compare->resize(3600, 900);
        QTRY_COMPARE(all(),
                     QStringList({name("batch 32"), name("batch 64"), name("batch 32"), name("batch 64")}));
        const auto* table = child<QTableView>(page(), "metrics");
        for (const std::size_t design : {1, 2}) { // and the head shows all of it
            const int column = metrics()->valueColumn(design);
            QVERIFY(table->columnWidth(column) >= table->horizontalHeader()->sectionSizeHint(column));
        }
    }

    void ratiosFollowTheReference() {
        addFromMenu(QStringLiteral("glitches/8a100"));
        const auto& designs = page()->designs().designs();
        const auto& spec = engine::metricSpec(Metric::Throughput);
        const double ratio = designs[1]->metric(spec) / designs[0]->metric(spec);
        QVERIFY(ratio < 1.0);
        QVERIFY(cell(Metric::Throughput, metrics()->ratioColumn(1)).endsWith(QStringLiteral("worse")));
        const auto index = metrics()->index(metrics()->rowOf(Metric::Throughput), metrics()->ratioColumn(1));
        QCOMPARE(index.data(Qt::ForegroundRole).value<QColor>(), Theme::instance().color(ColorRole::Error));
        QVERIFY(index.data(Qt::ToolTipRole)
                    .toString()
                    .startsWith(QString::fromStdString(engine::exactText(ratio))));
        QCOMPARE(metrics()->ratioColumn(0), -1);
        QTest::mouseClick(child<QPushButton>(page()->cards()[1], "reference"), Qt::LeftButton);
        QCOMPARE(page()->designs().reference(), std::size_t{1});
        QCOMPARE(metrics()->ratioColumn(1), -1);
        QVERIFY(cell(Metric::Throughput, metrics()->ratioColumn(0)).endsWith(QStringLiteral("better")));
        QVERIFY(cell(Metric::TimeToFirstToken, metrics()->ratioColumn(0)) == QStringLiteral("same"));
    }

    void aDesignIsTakenOut() {
        addFromMenu(QStringLiteral("glitches/8a100"));
        addFromMenu(QStringLiteral("glitches/8u280"));
        QTest::mouseClick(child<QPushButton>(page()->cards()[2], "reference"), Qt::LeftButton);
        QTest::mouseClick(child<QToolButton>(page()->cards()[1], "remove"), Qt::LeftButton);
        QTRY_VERIFY(!page()->isBusy());
        QCOMPARE(page()->designs().designs().size(), std::size_t{2});
        QCOMPARE(page()->designs().reference(), std::size_t{1}); // the same design as before
        QVERIFY(!page()->cards()[0]->findChild<QToolButton*>("remove"));
    }

    void theOpenDesignIsFollowed() {
        addFromMenu(QStringLiteral("glitches/a100-7u280"));
        QCOMPARE(differences()->differences(), 0);
        QVERIFY(m_document->set("workload.batch", "4"));
        QTRY_COMPARE(differences()->differences(), 1);
        int shown = 0;
        for (int row = 0; row < differences()->rowCount(); ++row)
            if (const auto* property = differences()->at(row)) {
                QCOMPARE(property->label, std::string("Batch"));
                QCOMPARE(property->values, (std::vector<std::string>{"4", "1"}));
                ++shown;
            }
        QCOMPARE(shown, 1);
    }

    void whatIsTheSameIsHiddenUntilAskedFor() {
        addFromMenu(QStringLiteral("glitches/8a100"));
        const int before = differences()->rowCount();
        QCheckBox* same = nullptr;
        for (auto* box : m_compare->findChildren<QCheckBox*>())
            if (box->text() == QStringLiteral("Show what is the same"))
                same = box;
        QVERIFY(same);
        QTest::mouseClick(same, Qt::LeftButton, {}, QPoint(8, same->height() / 2));
        QVERIFY(differences()->rowCount() > before + 20);
        QTest::mouseClick(same, Qt::LeftButton, {}, QPoint(8, same->height() / 2));
        QCOMPARE(differences()->rowCount(), before);
    }

    void theBarsAddUpToTheLatencyOnOneScale() {
        addFromMenu(QStringLiteral("glitches/8a100"));
        const auto& layout = child<BreakdownBars>(page())->breakdownLayout();
        std::vector<double> lengths(2, 0.0);
        for (const auto& part : layout.parts)
            lengths[part.design] += part.rect.width();
        const auto latency = [&](std::size_t i) {
            return page()->designs().designs()[i]->evaluation.metric(Metric::Latency);
        };
        QVERIFY(std::abs(lengths[0] / lengths[1] - latency(0) / latency(1)) < 1e-9);
        QVERIFY(std::abs(lengths[1] - layout.plot.width()) < 1e-6); // the longest fills the plot
    }

    void aPartOfABarExplainsItself() {
        auto* bars = child<BreakdownBars>(page());
        bars->setFocus();
        QTest::keyClick(bars, Qt::Key_Right);
        QTest::keyClick(bars, Qt::Key_Left);
        QTest::keyClick(bars, Qt::Key_E);
        auto* popup = m_compare->findChild<ExplanationPopup*>();
        QVERIFY(popup);
        QVERIFY(popup->text().startsWith(QStringLiteral("Time to first token")));
        popup->close();
        QTRY_VERIFY(!m_compare->findChild<ExplanationPopup*>());
        const auto& widest =
            *std::max_element(bars->breakdownLayout().parts.begin(), bars->breakdownLayout().parts.end(),
                              [](const auto& a, const auto& b) { return a.rect.width() < b.rect.width(); });
        QTest::mouseClick(bars, Qt::LeftButton, {}, widest.rect.center().toPoint());
        popup = m_compare->findChild<ExplanationPopup*>();
        QVERIFY(popup);
        QVERIFY(popup->text().startsWith(QStringLiteral("Time per token")));
        popup->close();
    }

    void aMetricExplainsItselfAndIsCopied() {
        auto* table = child<QTableView>(page(), "metrics");
        table->setFocus();
        for (const auto key : {Qt::Key_E, Qt::Key_Return}) {
            table->setCurrentIndex(
                metrics()->index(metrics()->rowOf(Metric::TimePerToken), metrics()->valueColumn(0)));
            QTest::keyClick(table, key);
            auto* popup = m_compare->findChild<ExplanationPopup*>();
            QVERIFY(popup);
            QVERIFY(child<DecisiveList>(popup)->isVisible());
            QCOMPARE(child<DecisiveList>(popup)->part()->works.size(), std::size_t{5});
            QCOMPARE(child<DecisiveList>(popup)->part()->phase, engine::Phase::Decode);
            QCOMPARE(child<QTreeWidget>(popup)->topLevelItem(0)->text(0), QStringLiteral("Time per token"));
            QTest::keyClick(popup, Qt::Key_C, Qt::ControlModifier);
            QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("U280 decode of GLITCHES")));
            QVERIFY(QGuiApplication::clipboard()->text().contains(child<DecisiveList>(popup)->heading()));
            popup->close();
            QTRY_VERIFY(!m_compare->findChild<ExplanationPopup*>());
        }
    }

    void aDesignThatCannotRunSaysWhy() {
        QVERIFY(m_document->set("workload.batch", "1024"));
        addFromMenu(QStringLiteral("glitches/8a100"));
        QTRY_VERIFY(!page()->designs().designs()[0]->runs());
        const auto& reason = page()->designs().designs()[0]->reason;
        QVERIFY(!reason.isEmpty());
        QVERIFY(child<TextLabel>(page()->cards()[0], "status")->text().contains(reason));
        QCOMPARE(child<TimelineView>(page())->tracks().size(), std::size_t{1});
        QCOMPARE(cell(Metric::Throughput, metrics()->valueColumn(0)), QStringLiteral("\u2013"));
    }

    void filesAreComparedAndBadOnesAreTold() {
        QTemporaryDir folder;
        const auto path = folder.filePath(QStringLiteral("mine.hscape"));
        auto scenario = m_document->scenario();
        scenario.workload.batch.value = 2.0;
        engine::saveScenario(scenario, path.toStdString());
        page()->addFile(path);
        QTRY_COMPARE(page()->designs().designs().size(), std::size_t{2});
        QCOMPARE(page()->designs().designs()[1]->input.name, QStringLiteral("mine"));
        QCOMPARE(differences()->differences(), 1);
        page()->addFile(QStringLiteral("/nowhere/none.hscape"));
        auto* notice = page()->findChild<NoticeBar*>();
        QTRY_VERIFY(notice->isVisible());
        QVERIFY(notice->text().contains(QStringLiteral("/nowhere/none.hscape")));
    }

    void tablesAndPictureAreExported() {
        addFromMenu(QStringLiteral("glitches/8a100"));
        QTemporaryDir folder;
        for (const auto* suffix : {"csv", "png", "svg", "pdf"}) {
            const auto path = folder.filePath(QStringLiteral("designs.") + QString::fromLatin1(suffix));
            QVERIFY(page()->exportButton()->exportTo(path));
            QVERIFY(QFileInfo(path).size() > 1000);
        }
        QVERIFY(bytesOf(folder.filePath(QStringLiteral("designs.svg"))).contains("Time of one batch"));
        QCOMPARE(bytesOf(folder.filePath(QStringLiteral("designs.csv"))).toStdString(),
                 engine::csvFile(metricsCsv(page()->designs().designs(), 0).toStdString()));
        QCOMPARE(differencesCsv(page()->designs().designs(), page()->designs().properties()).count(u'\n'),
                 static_cast<qsizetype>(differences()->differences() + 1));
        QVERIFY(!page()->exportButton()->exportTo(QStringLiteral("/nowhere/designs.svg")));
        QVERIFY(page()->findChild<NoticeBar*>()->isVisible());
    }

    void theTablesHoldWhatTheEngineSays() {
        addFromMenu(QStringLiteral("glitches/8a100"));
        const std::vector<engine::Scenario> scenarios{
            m_document->scenario(), engine::loadPreset(*shippedCatalog(), "glitches/8a100", "this test")};
        const auto field = [](const std::string& words) {
            return QString::fromStdString(engine::csvField(words));
        };
        std::vector<engine::Evaluation> evaluations;
        std::vector<QString> names;
        for (std::size_t i = 0; i < 2; ++i) {
            evaluations.push_back(engine::evaluate(scenarios[i]));
            names.push_back(field(page()->designs().designs()[i]->input.name.toStdString()));
        }
        const auto exact = [](double value) {
            return std::isfinite(value) ? QString::fromStdString(engine::exactText(value)) : QString();
        };
        QStringList expected;
        for (const auto& spec : engine::metricSpecs()) {
            const auto value = [&](std::size_t i) {
                return engine::toEdge(evaluations[i].metric(spec.metric), spec.scale);
            };
            if (!std::isfinite(value(0)) && !std::isfinite(value(1)))
                continue;
            expected << QStringList{field(std::string(spec.key)),  field(std::string(spec.label)),
                                    field(std::string(spec.unit)), exact(value(0)),
                                    exact(value(0) / value(0)),    exact(value(1)),
                                    exact(value(1) / value(0))}
                            .join(u',');
        }
        auto lines = metricsCsv(page()->designs().designs(), 0).split(u'\n');
        QVERIFY2(lines.front().startsWith(QStringLiteral("metric,name,unit,")), qPrintable(lines.front()));
        lines.removeFirst();
        QVERIFY(lines.last().isEmpty());
        lines.removeLast();
        QCOMPARE(lines, expected);

        expected = {QStringLiteral("design,part,name,seconds")};
        for (std::size_t i = 0; i < 2; ++i)
            for (const auto& part : engine::batchParts(scenarios[i], evaluations[i]))
                expected << QStringList{names[i], QString::fromStdString(part.key), field(part.label),
                                        exact(part.seconds)}
                                .join(u',');
        QVERIFY(expected.size() > 4);
        expected << QString();
        QCOMPARE(partsCsv(page()->designs().designs()).split(u'\n'), expected);
    }

    void everyControlHasAName() {
        addFromMenu(QStringLiteral("glitches/8a100"));
        int controls = 0;
        for (auto* control : m_compare->findChildren<QAbstractButton*>())
            if (control->isVisible()) {
                QVERIFY(!control->accessibleName().isEmpty() || !control->text().isEmpty());
                ++controls;
            }
        QVERIFY2(controls >= 10, qPrintable(QString::number(controls)));
    }
};

WIDGET_TEST(DesignsTest)
#include "designs_test.moc"
