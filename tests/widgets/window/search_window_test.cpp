// SPDX-License-Identifier: GPL-3.0-or-later
// What a design is served in and how far its figures are to be believed, read and set in the program's
// window; and the way by Ctrl+K to every property and metric of it.
#include "engine/evaluation/evaluate.h"
#include "engine/scenario/parameters.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/study_fixture.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/compare/compare_workspace.h"
#include "widgets/compare/design_set.h"
#include "widgets/compare/designs_page.h"
#include "widgets/document/metric_text.h"
#include "widgets/document/simulation_runner.h"
#include "widgets/explain/explanation_popup.h"
#include "widgets/explore/default_axes.h"
#include "widgets/explore/selected_panel.h"
#include "widgets/inspector/degree_row.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/number_edit.h"
#include "widgets/inspector/section.h"
#include "widgets/theme/text_label.h"
#include "widgets/window/bottom_dock.h"
#include "widgets/window/command_palette.h"
#include "widgets/window/context_bar.h"
#include "widgets/window/metric_cell.h"
#include "widgets/window/metrics_strip.h"
#include "widgets/window/status_line.h"

#include <QCheckBox>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>
#include <QTreeWidget>

#include <algorithm>

using namespace heteroscape;
using namespace heteroscape::widgets;
using engine::Metric;

class SearchWindowTest : public StudyWindowFixture {
    Q_OBJECT

    Inspector* inspector() const { return window()->inspector(); }

    void open(const char* preset) const {
        m_test->document().openPreset(preset);
        settle();
    }
    void settle() const {
        m_test->awaitMetrics();
        QTRY_VERIFY_WITH_TIMEOUT(!window()->simulation()->isBusy(), 60000);
        QVERIFY(m_test->document().evaluation().feasible);
    }
    static bool isSeen(const QWidget* widget) { return widget && isReached(widget, widget->rect().center()); }

    /// Ctrl+K, words, Enter: runs what the list has first, and returns what that said.
    QString find(const QString& words) {
        activate(window());
        QTest::keyClick(window(), Qt::Key_K, Qt::ControlModifier);
        auto* palette = qobject_cast<CommandPalette*>(QApplication::activePopupWidget());
        if (!palette)
            return {};
        QTest::keyClicks(child<QLineEdit>(palette), words);
        const auto first = palette->entryAt(0) ? palette->entryAt(0)->text : QString();
        QTest::keyClick(child<QLineEdit>(palette), Qt::Key_Return);
        return first;
    }
    QString nameOf(const std::string& path) const {
        const auto& scenario = m_test->scenario();
        return parameterName(scenario, path,
                             engine::findParameter(scenario, m_test->document().catalog(), path).spec);
    }

    /// Chooses an entry of the menu of precisions, below a heading, with the mouse.
    void choosePrecision(const QString& heading, const QString& bits) {
        bool chosen = false;
        QTimer hand; // the menu of a button has an event loop of its own
        connect(&hand, &QTimer::timeout, this, [&] {
            auto* menu = openMenu();
            if (!menu)
                return;
            hand.stop();
            bool below = false;
            for (auto* action : menu->actions()) {
                const auto place = menu->actionGeometry(action).center();
                if (action->isSeparator()) {
                    const auto* label = qobject_cast<QLabel*>(menu->childAt(place));
                    below = label && label->text() == heading;
                } else if (below && action->text() == bits) {
                    chosen = true;
                    return Hand().click(menu, place);
                }
            }
            menu->close();
        });
        hand.start(20);
        click(child<PrecisionButton>(window()));
        QVERIFY2(chosen, qPrintable(heading + u' ' + bits));
        activate(window());
    }
    /// The field of a path in the inspector of the node whose card is clicked; its section is unfolded.
    NumberEdit* fieldOf(const char* node, const std::string& key) {
        auto* canvas = window()->canvas();
        const auto* card = canvas->canvasScene().nodeItem(engine::NodeId{node});
        Hand().click(canvas->viewport(), canvas->mapFromScene(card->cardRect().center()));
        settle();
        inspector()->finish(); // what comes in turns
        QCoreApplication::processEvents();
        const auto path = "nodes." + std::string(node) + '.' + key;
        for (auto* field : inspector()->findChildren<NumberEdit*>()) {
            if (field->path() != path)
                continue;
            for (auto* parent = field->parentWidget(); parent; parent = parent->parentWidget())
                if (auto* section = qobject_cast<Section*>(parent); section && !section->isOpen())
                    click(section->findChild<QToolButton*>()); // its title
            return field;
        }
        return nullptr;
    }

    /// The badge of the open design in the strip, at a point of a study of it, and in Compare.
    void checkIdeal(bool ideal) {
        const auto text = QStringLiteral("Ideal: upper bound");
        m_test->goTo(Workspace::Design);
        for (const auto metric : {Metric::Throughput, Metric::TimeToFirstToken, Metric::TimePerToken}) {
            const auto* cell = child<MetricsStrip>(window())->cell(metric);
            QTRY_VERIFY(isSeen(cell));
            QCOMPARE(cell->writtenPill(), ideal ? text : QString());
        }
        const auto isSaid = [&](const QWidget* within) {
            const auto pills = within->findChildren<Pill*>();
            return std::any_of(pills.begin(), pills.end(), [&](Pill* pill) {
                reveal(pill, pill->rect().center());
                return isSeen(pill) && pill->text() == text;
            });
        };
        m_test->runStudy({{"workload.batch", "8, 16"}});
        const auto* point = m_test->explore().findChild<SelectedPanel*>();
        QTRY_VERIFY(isSeen(point));
        QTRY_COMPARE(isSaid(point), ideal);
        m_test->goTo(Workspace::Compare);
        auto* compare = child<CompareWorkspace>(window());
        click(buttonSaying(compare, QStringLiteral("Designs")));
        const auto* page = compare->designsPage();
        QTRY_VERIFY(page->isVisible() && !page->isBusy() && page->cards().size() == 1);
        QTRY_COMPARE(isSaid(page->cards().front()), ideal);
        const auto* head = child<QTableView>(page, "metrics")->model(); // a mark beside its name
        QCOMPARE(head->headerData(2, Qt::Horizontal, Qt::DecorationRole).isValid(), ideal);
        m_test->goTo(Workspace::Design);
    }

private slots:
    void init() {
        StudyWindowFixture::init();
        settle();
    }

    void precisionIsChosenInTheBarAndReadInTheInspector() {
        const auto* button = child<PrecisionButton>(window());
        QVERIFY(isSeen(button));
        choosePrecision(QStringLiteral("Weights"), QStringLiteral("8 bit"));
        choosePrecision(QStringLiteral("KV cache"), QStringLiteral("4 bit"));
        QVERIFY2(button->text().startsWith(QStringLiteral("W8 A")) &&
                     button->text().endsWith(QStringLiteral(" KV4")),
                 qPrintable(button->text()));
        settle();
        for (const auto* node : {"gpu", "fpga"})
            for (const auto& [key, bits] : {std::pair("weight_bits", "8"), std::pair("kv_bits", "4")}) {
                auto* field = fieldOf(node, std::string("runtime.") + key);
                QVERIFY2(field, node);
                reveal(field, field->rect().center());
                QVERIFY2(isSeen(field), node);
                QCOMPARE(field->text(), QString::fromLatin1(bits));
            }
        // What is typed there is read in the bar.
        auto* field = fieldOf("gpu", "runtime.kv_bits");
        retype(field->findChild<QLineEdit*>(), QStringLiteral("16"));
        QVERIFY2(button->text().endsWith(QStringLiteral(" KV4/16")), qPrintable(button->text()));
    }

    void aPropertyIsFoundAndItsFieldHasTheFocus_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("path");
        const auto add = [](const char* typed, const char* path) {
            QTest::newRow(typed) << QString::fromLatin1(typed) << QString::fromLatin1(path);
        };
        add("precision weights", "nodes.gpu.runtime.weight_bits");
        add("u280 kv cache precision", "nodes.fpga.runtime.kv_bits");
        add("batch", "workload.batch");
        add("a100 80gb: role", "nodes.gpu.role");
        add("host cpu: l2 capacity", "nodes.host.device.l2_mb"); // means nothing there: of all quantities
        add("alveo u280: price", "nodes.fpga.device.price_usd");
        add("links.gpu-host.bandwidth", "links.gpu-host.bandwidth_gbps");
        add("attention heads", "model.heads");
    }
    void aPropertyIsFoundAndItsFieldHasTheFocus() {
        QFETCH(QString, typed);
        QFETCH(QString, path);
        QCOMPARE(find(typed), nameOf(path.toStdString()));
        activate(window());
        QTRY_COMPARE(inspector()->focusedPath(), path.toStdString());
        QTRY_VERIFY(isSeen(QApplication::focusWidget()));
        QTRY_VERIFY(!window()->isBusy()); // what comes in above it does not push it away
        QTRY_VERIFY(isSeen(QApplication::focusWidget()));
    }

    /// And workers are so many devices.
    void aLayoutIsFoundInItsDegrees() {
        for (const auto* typed : {"alveo u280: layout", "alveo u280: prompt ranks"}) {
            QVERIFY(find(QString::fromLatin1(typed)).startsWith(QStringLiteral("Alveo U280: ")));
            activate(window());
            const auto* row = qobject_cast<DegreeRow*>(QApplication::focusWidget()->parentWidget());
            QVERIFY(row);
            QCOMPARE(row->key() == "cp", QString::fromLatin1(typed).contains(QStringLiteral("prompt")));
            QTRY_VERIFY(isSeen(QApplication::focusWidget()));
        }
        QCOMPARE(find(QStringLiteral("alveo u280: workers")), QStringLiteral("Alveo U280: Workers"));
        activate(window());
        QTRY_COMPARE(inspector()->focusedPath(), std::string("nodes.fpga.count"));
    }

    void whatIsOfNoUseLeadsToWhatDecidesThat() {
        const auto* status = child<StatusLine>(window());
        QCOMPARE(find(QStringLiteral("ttft limit")), QStringLiteral("TTFT limit"));
        activate(window());
        QTRY_COMPARE(inspector()->focusedPath(), std::string("serving.arrivals"));
        QTRY_VERIFY(isSeen(QApplication::focusWidget()));
        QCOMPARE(status->currentMessage(), QStringLiteral("TTFT limit is of no use as the design stands"));
        // A switch within a technique that is off.
        QCOMPARE(find(QStringLiteral("prefetch weights")), QStringLiteral("Prefetch weights"));
        activate(window());
        const auto* box = qobject_cast<QCheckBox*>(QApplication::focusWidget());
        QVERIFY(box && box->isEnabled());
        QCOMPARE(box->text(), QStringLiteral("L2 prefetch"));
        QTRY_VERIFY(isSeen(box));
        QVERIFY(status->currentMessage().startsWith(QStringLiteral("Prefetch weights is of no use")));
        QTest::keyClick(window()->focusWidget(), Qt::Key_Space);
        QCOMPARE(find(QStringLiteral("prefetch weights")), QStringLiteral("Prefetch weights"));
        activate(window());
        box = qobject_cast<QCheckBox*>(QApplication::focusWidget());
        QVERIFY(box && isSeen(box));
        QCOMPARE(box->text(), QStringLiteral("Prefetch weights"));
    }

    void theUserScrollsAwayFromAFieldThatWasFound() {
        find(QStringLiteral("a100 80gb: price"));
        activate(window());
        QTRY_VERIFY(isSeen(QApplication::focusWidget()));
        auto* area = inspector()->findChild<QScrollArea*>();
        for (int turn = 0; turn < 10; ++turn) // each goes a page at most
            wheel(area->verticalScrollBar(), area->verticalScrollBar()->rect().center(), 100);
        QCOMPARE(area->verticalScrollBar()->value(), 0);
        const int range = area->verticalScrollBar()->maximum();
        window()->resize(1440, 860);
        QTRY_VERIFY(area->verticalScrollBar()->maximum() != range);
        QCoreApplication::processEvents(); // what follows the range does so in a later turn
        QCOMPARE(area->verticalScrollBar()->value(), 0);
    }

    void everyMetricOfTheStripIsFoundAndExplained() {
        open("glitches/fig4-a100-2u280");
        for (const auto& spec : engine::metricSpecs()) {
            if (!child<MetricsStrip>(window())->cell(spec.metric))
                continue;
            const auto label = QString::fromUtf8(spec.label);
            window()->bottom()->showPage(BottomDock::Page::Timeline);
            QCOMPARE(find(QStringLiteral("explain ") + label.toLower()), QStringLiteral("Explain ") + label);
            if (engine::isSimulated(spec.metric)) {
                QTRY_COMPARE(window()->bottom()->page(), BottomDock::Page::Latency);
                continue;
            }
            if (const auto missing = missingQuantity(m_test->document(), spec.metric)) {
                activate(window());
                QCOMPARE(inspector()->focusedPath(), *missing);
                continue;
            }
            ExplanationPopup* popup = nullptr;
            QTRY_VERIFY(popup = qobject_cast<ExplanationPopup*>(QApplication::activePopupWidget()));
            QTRY_COMPARE(child<QTreeWidget>(popup)->topLevelItemCount(), 1);
            QCOMPARE(child<QTreeWidget>(popup)->topLevelItem(0)->text(0), label);
            QTest::keyClick(popup, Qt::Key_Escape);
        }
    }

    void whatIsIdealSaysSoEverywhereUntilAnEfficiencyIsTyped() {
        open("preserve/llama3-70b-8h100");
        checkIdeal(true);
        find(QStringLiteral("decode.memory_efficiency"));
        activate(window());
        QTRY_COMPARE(inspector()->focusedPath(), std::string("nodes.gpu.timing.decode.memory_efficiency"));
        auto* field = QApplication::focusWidget();
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(field, QStringLiteral("0.8"));
        QTest::keyClick(field, Qt::Key_Return);
        settle();
        checkIdeal(false);
        m_test->undo();
        settle();
        checkIdeal(true);
    }

    void pointsOfTwoTruthsStandApartAndOneClickKeepsTheMeasured() {
        open("served/gpt-oss-120b-h100");
        m_test->runStudy({{"nodes.gpu.runtime", "vllm, ideal"}, {"workload.batch", "1, 8"}});
        QVERIFY(m_test->marks()->study()->truths.areIdealAmongOthers());
        const auto* model = child<QTableView>(child<PointsTable>(&m_test->explore()))->model();
        int column = 0;
        while (!model->headerData(column, Qt::Horizontal).toString().startsWith(QStringLiteral("Rests on")))
            QVERIFY(++column < model->columnCount());
        QCOMPARE(model->rowCount(), 4);
        int ideal = 0;
        for (int row = 0; row < 4; ++row) {
            const auto index = model->index(row, column);
            const bool is = index.data().toString() == QStringLiteral("ideal, at best");
            QVERIFY(is || index.data().toString() == QStringLiteral("measured kernels and server"));
            const auto ink = index.data(Qt::ForegroundRole);
            QCOMPARE(ink.isValid(), is);
            QVERIFY(!is || ink.value<QColor>() == Theme::instance().color(ColorRole::Muted));
            ideal += is ? 1 : 0;
        }
        QCOMPARE(ideal, 2);
        auto* alike = m_test->named<QPushButton>("likeForLike");
        QVERIFY(isSeen(alike));
        click(alike);
        QTRY_COMPARE(model->rowCount(), 2);
        QCOMPARE(m_test->marks()->keptCount(), std::size_t{2});
        QVERIFY(!alike->isVisible());
        click(m_test->named<QPushButton>("clearFilter"));
        QTRY_COMPARE(model->rowCount(), 4);
        QVERIFY(isSeen(alike));
    }
};

WIDGET_TEST(SearchWindowTest)
#include "search_window_test.moc"
