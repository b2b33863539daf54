// SPDX-License-Identifier: GPL-3.0-or-later
// What the program's window tells others: designs and claims side by side, how a figure comes about, and the
// files that it writes.
#include "engine/claims/claims.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/metric_path.h"
#include "engine/exporters/csv.h"
#include "engine/exporters/study_csv.h"
#include "engine/scenario/scenario_key.h"
#include "engine/study_run/evaluate_study.h"
#include "engine/units/number_text.h"
#include "study_window.h"
#include "tests/widgets/report/csv_reader.h"
#include "tests/widgets/widget_test.h"
#include "widgets/canvas/canvas_scene.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/node_item.h"
#include "widgets/compare/claim_table_model.h"
#include "widgets/compare/claims_page.h"
#include "widgets/compare/compare_workspace.h"
#include "widgets/compare/design_set.h"
#include "widgets/compare/designs_page.h"
#include "widgets/compare/metrics_model.h"
#include "widgets/explain/explanation_popup.h"
#include "widgets/explore/study_list.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/report/report_dialog.h"
#include "widgets/window/metric_cell.h"
#include "widgets/window/metrics_strip.h"

#include <QFile>
#include <QImage>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QTreeWidget>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

using namespace heteroscape;
using namespace heteroscape::widgets;
using engine::Metric;

class TellingWindowTest : public QObject {
    Q_OBJECT

    std::unique_ptr<StudyWindow> m_test;

    CompareWorkspace* compare() const { return child<CompareWorkspace>(m_test->window); }
    QPushButton* buttonSaying(const QWidget* within, const QString& text) const {
        for (auto* button : within->findChildren<QPushButton*>())
            if (button->isVisible() && button->text() == text)
                return button;
        return nullptr;
    }
    QByteArray read(const char* name) const {
        QFile file(m_test->file(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    /// By the button's menu and the file dialog that it opens.
    void exportBy(ExportButton* button, const QString& entry, const char* name) {
        FileAnswer answer(m_test->file(name));
        click(button);
        QVERIFY(openMenu());
        choose(openMenu(), entry);
        QTRY_COMPARE(answer.asked(), 1);
        QVERIFY2(QFile::exists(m_test->file(name)), name);
        QVERIFY(answer.offered().endsWith(QString::fromLatin1(name).section(u'.', -1)));
        const auto* notice = m_test->explore().findChild<NoticeBar*>(QStringLiteral("studyNotice"));
        QVERIFY(notice->isVisible());
        QCOMPARE(notice->text(), QStringLiteral("Written: %1").arg(m_test->file(name)));
    }
    ExplanationPopup* popup() const {
        auto* open = qobject_cast<ExplanationPopup*>(QApplication::activePopupWidget());
        return open && open->isVisible() ? open : nullptr;
    }
    /// The derivation that is open is of this metric and comes to this value.
    void checkExplained(const QString& name, double value) {
        QTRY_VERIFY(popup());
        const auto* root = child<QTreeWidget>(popup())->topLevelItem(0);
        QCOMPARE(root->text(0), name);
        // Worked out from its terms, in another order of sums: the same to the digits that a double holds.
        QCOMPARE(QString::number(root->toolTip(1).toDouble(), 'g', 15), QString::number(value, 'g', 15));
        QVERIFY(root->childCount() > 0 && root->isExpanded());
        QVERIFY2(words(popup()).startsWith(QStringLiteral("How it comes about: %1").arg(name)),
                 qPrintable(words(popup())));
        QTest::keyClick(popup(), Qt::Key_Escape);
        QTRY_VERIFY(!popup());
        m_test->window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_test->window.get()));
    }

private slots:
    void initTestCase() { startWindowTests(); }
    void init() { m_test = std::make_unique<StudyWindow>(); }
    void cleanup() { m_test.reset(); }

    void designsOfTwoWindowsStandSideBySide() {
        TestWindow other("glitches/8a100");
        QVERIFY(other.document().set("workload.batch", "2")); // as no preset has it
        m_test->window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_test->window.get()));
        m_test->goTo(Workspace::Compare);
        click(buttonSaying(compare(), QStringLiteral("Designs")));
        auto* page = compare()->designsPage();
        QTRY_VERIFY(page->isVisible() && !page->isBusy());
        QCOMPARE(page->cards().size(), std::size_t{1});
        click(buttonSaying(compare(), QStringLiteral("Design")));
        QTRY_VERIFY(child<QMenu>(page, "addDesign")->isVisible());
        // Below "Other windows", before the presets.
        const auto entries = child<QMenu>(page, "addDesign")->actions();
        qsizetype at = 0;
        while (at < entries.size() && entries[at]->text() != QStringLiteral("Other windows"))
            ++at;
        QVERIFY(at + 1 < entries.size());
        QCOMPARE(entries[at + 1]->text(), other.document().title());
        Hand().click(child<QMenu>(page, "addDesign"),
                     child<QMenu>(page, "addDesign")->actionGeometry(entries[at + 1]).center());
        QTRY_COMPARE(page->cards().size(), std::size_t{2});
        QTRY_VERIFY(!page->isBusy());
        QVERIFY(page->cards()[1]->isVisible());
        QVERIFY2(words(page->cards()[1]).contains(other.document().title()),
                 qPrintable(words(page->cards()[1])));
        const auto* metrics = compare()->findChild<MetricsModel*>();
        const int row = metrics->rowOf(Metric::Throughput);
        for (const auto& [design, document] :
             {std::pair(0, &m_test->document()), std::pair(1, &other.document())}) {
            const double value = document->evaluation().metric(Metric::Throughput);
            const auto cell = metrics->index(row, metrics->valueColumn(static_cast<std::size_t>(design)));
            QVERIFY(cell.data(Qt::ToolTipRole)
                        .toString()
                        .startsWith(QString::fromStdString(engine::exactText(value)) + u' '));
        }
        // What they differ in has both values, the batch of the other window's design with it.
        const auto* differences = compare()->findChild<DifferencesModel*>();
        bool batch = false;
        for (int line = 0; line < differences->rowCount(); ++line)
            if (const auto* property = differences->at(line); property && property->label == "Batch")
                batch = property->values == std::vector<std::string>{"1", "2"};
        QVERIFY(batch);
        // It is opened here from its card, and undone.
        const auto before = m_test->scenario();
        click(child<QToolButton>(page->cards()[1], "open"));
        QTRY_COMPARE(m_test->window->workspace(), Workspace::Design);
        QCOMPARE(m_test->scenario().workload.batch.value, 2.0);
        m_test->undo();
        QVERIFY(m_test->scenario() == before);
    }

    void aClaimLoadsItsVeryScenario() {
        m_test->goTo(Workspace::Compare);
        QTRY_VERIFY_WITH_TIMEOUT(compare()->isEvaluated(), 120000);
        auto* table = child<ClaimsPage>(compare())->findChild<QTableView*>();
        const auto* model = compare()->findChild<ClaimTableModel*>();
        const int row = model->find("preserve", "table1-qwen2-72b-8-prefetch");
        QVERIFY(row >= 0);
        const auto result = model->at(row).result;
        const auto index = model->index(row, ClaimTableModel::Claim);
        table->scrollTo(index);
        const auto before = m_test->scenario();
        Hand().doubleClick(table->viewport(), table->visualRect(index).center());
        QTRY_COMPARE_WITH_TIMEOUT(m_test->window->workspace(), Workspace::Design, 60000);
        QVERIFY(m_test->window->canvas()->isVisible());
        QCOMPARE(m_test->scenario().model.id, std::string("qwen2-72b"));
        const auto path = result.claim.model["metric"].get<std::string>();
        QCOMPARE(engine::findMetric(m_test->scenario(), engine::evaluate(m_test->scenario()), path).value,
                 result.model);
        for (const auto& node : m_test->scenario().nodes) { // its devices are on the canvas
            const auto* card = m_test->window->canvas()->canvasScene().nodeItem(node.id);
            QVERIFY(card && card->isVisible());
        }
        // It is named as the claim's row is, and not after the preset that it starts from: that serves
        // another model on another number of devices. Seen whole and not from afar.
        QCOMPARE(m_test->document().title(),
                 QStringLiteral("Execution time, Qwen2-72B, 8 NPUs, prefetch (PRESERVE)"));
        auto* canvas = m_test->window->canvas();
        const auto seen = canvas->viewport()->rect();
        const auto content = canvas->mapFromScene(canvas->canvasScene().contentRect()).boundingRect();
        QVERIFY(seen.contains(content));
        QVERIFY(3 * content.width() > seen.width() || 3 * content.height() > seen.height() ||
                canvas->camera().zoom() >= 1.0);
        QTRY_VERIFY(m_test->document().evaluation().feasible);
        const auto* cell = child<MetricsStrip>(m_test->window)->cell(Metric::Throughput);
        const double throughput = engine::evaluate(m_test->scenario()).metric(Metric::Throughput);
        QTRY_VERIFY(std::fabs(cell->content().value.toDouble() / throughput - 1) < 0.01);
        QTest::keyClick(m_test->window.get(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(m_test->scenario() == before);
    }

    void keyEExplainsAPointOfAPlotAndARowOfTheTable() {
        m_test->goTo(Workspace::Explore);
        m_test->run();
        StudyWindow::clickPoint(m_test->view(0), {2, 4});
        StudyWindow::hoverPoint(m_test->view(0), {2, 4});
        const auto lit = m_test->litRows();
        QCOMPARE(lit.size(), 1);
        const auto hovered = m_test->marks()->hovered();
        QVERIFY(hovered);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_E);
        checkExplained(QStringLiteral("Throughput"), m_test->points().find("throughput_tok_s")->at(*hovered));

        // A cell of the table: of its own row and column.
        const auto& points = m_test->points();
        for (const auto& [column, name] :
             {std::pair("Throughput (", "throughput_tok_s"), std::pair("Tokens/s per", "tok_s_per_usd")}) {
            const int at = m_test->columnOf(column);
            if (at < 0)
                continue;
            const auto index = m_test->table()->model()->index(2, at);
            m_test->table()->scrollTo(index);
            Hand().click(m_test->table()->viewport(), m_test->table()->visualRect(index).center());
            const auto row = m_test->marks()->selected();
            QVERIFY(row);
            QCOMPARE(m_test->cell(2, 0).toDouble(), points.columns[0].at(*row));
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_E);
            const auto* values = points.find(name);
            checkExplained(QString::fromStdString(values->label), values->at(*row));
        }
    }

    void theViewThatIsShownOrTheWholeIsWritten() {
        m_test->goTo(Workspace::Explore);
        m_test->run();
        auto* view = m_test->view(0);
        auto* button = m_test->tile(0)->exportButton();
        const auto choose = [button](const char* extent) {
            click(button);
            QVERIFY(openMenu());
            widgets::choose(openMenu(), QLatin1String(extent));
        };
        choose("The whole");
        exportBy(button, QStringLiteral("Data of this plot (CSV)"), "all.csv");
        const auto whole = QString::fromUtf8(read("all.csv")).split(u'\n');
        QCOMPARE(whole.size(), qsizetype{9}); // a header, 7 counts and the last line's end
        choose("The view that is shown");
        view->setFocus();
        for (int i = 0; i < 4; ++i)
            QTest::keyClick(view, Qt::Key_Plus); // closer
        const auto x = view->view().x;
        exportBy(button, QStringLiteral("Data of this plot (CSV)"), "shown.csv");
        exportBy(button, QStringLiteral("Picture (PNG)"), "shown.png");
        const auto rows = QString::fromUtf8(read("shown.csv")).split(u'\n', Qt::SkipEmptyParts);
        QVERIFY(rows.size() > 1 && rows.size() < whole.size() - 1);
        for (qsizetype i = 1; i < rows.size(); ++i) {
            QVERIFY(whole.contains(rows[i])); // the same numbers
            const double at = rows[i].section(u',', 0, 0).toDouble();
            QVERIFY(at >= x.lower && at <= x.upper);
        }
        // A curve that is hidden is not in the view, and is in the whole.
        const auto hidden = view->chart().lines.at(0).name;
        view->toggle(hidden);
        exportBy(button, QStringLiteral("Data of this plot (CSV)"), "hidden.csv");
        auto names = rows[0];
        for (const auto* said : {"", ", status", ", key"})
            names.remove(
                QStringLiteral("\"%1, %2%3\",").arg(view->chart().y.label, hidden, QLatin1String(said)));
        QVERIFY(names != rows[0]);
        QCOMPARE(QString::fromUtf8(read("hidden.csv")).section(u'\n', 0, 0), names);

        choose("The whole");
        exportBy(button, QStringLiteral("Data of this plot (CSV)"), "whole.csv");
        QCOMPARE(read("whole.csv"), read("all.csv"));
        view->toggle(hidden);
        exportBy(button, QStringLiteral("Picture (PNG)"), "whole.png");
        const QImage near(m_test->file("shown.png")), far(m_test->file("whole.png"));
        QCOMPARE(near.size(), far.size());
        QVERIFY(near != far);
        view->fit();
        choose("The view that is shown");
        exportBy(button, QStringLiteral("Picture (PNG)"), "fitted.png");
        QVERIFY(QImage(m_test->file("fitted.png")) == far);
    }

    void theStudysCsvTellsWhatIsFilteredOut() {
        m_test->goTo(Workspace::Explore);
        m_test->run();
        const auto& points = m_test->points();
        const auto* price = points.find("price_usd");
        const double most = price->at(points.rows() / 2);
        auto* filter = m_test->named<QLineEdit>("filter");
        filter->setFocus();
        QTest::keyClicks(filter, QStringLiteral("price_usd<=%1").arg(most, 0, 'f', 0));
        QTest::keyClick(filter, Qt::Key_Return);
        QTRY_VERIFY(m_test->marks()->keptCount() < points.rows());
        exportBy(m_test->named<ExportButton>("exportStudy"), QStringLiteral("The study as CSV"), "study.csv");
        const auto rows = QString::fromUtf8(read("study.csv")).split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(static_cast<std::size_t>(rows.size()), points.rows() + 1);
        QVERIFY(rows[0].endsWith(QStringLiteral(",bound,status,key")));
        auto store = m_test->store();
        const auto keys = engine::studyKeys(points, store.definition(points.info.id, *shippedCatalog()));
        std::size_t kept = 0;
        for (std::size_t row = 0; row < points.rows(); ++row) {
            const auto cells = rows[static_cast<qsizetype>(row) + 1].split(u',');
            const auto status = cells[cells.size() - 2];
            kept += status == QStringLiteral("ok") ? 1 : 0;
            if (points.find("feasible")->at(row) == 1.0)
                QCOMPARE(status,
                         m_test->marks()->kept()[row] ? QStringLiteral("ok") : QStringLiteral("filtered"));
            else
                QCOMPARE(status, QStringLiteral("infeasible"));
            QCOMPARE(cells.back().toStdString(), engine::keyText(keys[row]));
        }
        QCOMPARE(kept, m_test->marks()->keptCount());
    }

    void thePlotAndTheStudyAreWrittenFromMenus() {
        m_test->goTo(Workspace::Explore);
        m_test->run();
        auto* button = m_test->tile(0)->exportButton();
        exportBy(button, QStringLiteral("Picture (PNG)"), "plot.png");
        exportBy(button, QStringLiteral("Picture (SVG)"), "plot.svg");
        exportBy(button, QStringLiteral("Picture (PDF)"), "plot.pdf");
        exportBy(button, QStringLiteral("Data of this plot (CSV)"), "plot.csv");
        const QImage picture(m_test->file("plot.png"));
        QVERIFY(picture.width() > 1000);
        QCOMPARE(picture.pixelColor(1, 1), QColor(Qt::white));
        QVERIFY(read("plot.svg").contains("<svg"));
        QVERIFY(read("plot.pdf").startsWith("%PDF"));
        // All that is drawn, and of which designs it is.
        const auto written = test::readCsv(QString::fromUtf8(read("plot.csv"))),
                   drawn = test::readCsv(chartCsv(m_test->chart(0)));
        QCOMPARE(written.rows.size(), drawn.rows.size());
        QCOMPARE(written.header.filter(QStringLiteral(", key")).size(), qsizetype{8});
        for (int column = 0; column < drawn.header.size(); ++column) {
            const int at = written.column(drawn.header[column]);
            QVERIFY2(at >= 0, qPrintable(drawn.header[column]));
            for (std::size_t row = 0; row < drawn.rows.size(); ++row)
                QCOMPARE(written.rows[row][at], drawn.rows[row][column]);
        }

        exportBy(m_test->named<ExportButton>("exportStudy"), QStringLiteral("The study as CSV"), "study.csv");
        auto store = m_test->store();
        const auto id = m_test->points().info.id;
        QCOMPARE(read("study.csv").toStdString(),
                 engine::csvFile(engine::studyCsv(store, id, *shippedCatalog())));

        // From the list's own menu, as a store of its own.
        auto* list = m_test->explore().findChild<StudyList*>()->findChild<QListWidget*>();
        FileAnswer answer(m_test->file("alone.sqlite"));
        Hand{.button = Qt::RightButton}.click(list->viewport(), list->visualItemRect(list->item(0)).center());
        QVERIFY(openMenu());
        choose(openMenu(), QStringLiteral("Export as an SQLite file"));
        QTRY_COMPARE(answer.asked(), 1);
        engine::Store alone(m_test->file("alone.sqlite").toStdString());
        QCOMPARE(alone.studies().size(), std::size_t{1});
        const auto table = alone.read(alone.studies().front().id);
        QCOMPARE(table.rows(), std::size_t{56});
        for (std::size_t row = 0; row < 56; ++row)
            QCOMPARE(table.find("throughput_tok_s")->at(row),
                     m_test->points().find("throughput_tok_s")->at(row));
    }

    void theReportHasTheStudysPlots() {
        m_test->goTo(Workspace::Explore);
        m_test->run();
        FileAnswer answer(m_test->file("report.html"));
        QStringList plots;
        QTimer press; // the dialog waits for its own answer
        connect(&press, &QTimer::timeout, this, [&] {
            auto* dialog = qobject_cast<ReportDialog*>(QApplication::activeModalWidget());
            if (!dialog)
                return;
            press.stop();
            for (int row = 0; row < child<QListWidget>(dialog)->count(); ++row)
                if (child<QListWidget>(dialog)->item(row)->text().startsWith(QStringLiteral("Plot: ")))
                    plots << child<QListWidget>(dialog)->item(row)->text().mid(6);
            click(buttonSaying(dialog, QStringLiteral("Save as HTML…")));
        });
        press.start(20);
        auto* bar = child<TopBar>(m_test->window)->menuBar();
        auto* file = bar->actions().front();
        Hand().click(bar, bar->actionGeometry(file).center());
        choose(file->menu(), QStringLiteral("Report"));
        QTRY_COMPARE(answer.asked(), 1);
        QTRY_VERIFY(!QApplication::activeModalWidget());
        QVERIFY(answer.offered().endsWith(QStringLiteral(".html")));
        const auto html = QString::fromUtf8(read("report.html"));
        QCOMPARE(html.count(QStringLiteral("src=\"data:image/svg+xml;base64,")), plots.size());
        for (std::size_t i = 0; i < 2; ++i) { // those of the two tiles, by the names that stand over them
            const auto shown = words(m_test->tile(i)).split(u'\n');
            const auto title = std::find_if(shown.begin(), shown.end(),
                                            [&](const QString& text) { return plots.contains(text); });
            QVERIFY2(title != shown.end(), qPrintable(shown.join(u'\n') + plots.join(u'\n')));
            QVERIFY(html.contains(title->toHtmlEscaped()));
        }
        const double throughput = m_test->document().evaluation().metric(Metric::Throughput);
        QVERIFY(html.contains(u'>' + QString::fromStdString(engine::exactText(throughput)) + u'<'));
        QVERIFY(!html.contains(QStringLiteral("http")));
    }
};

WIDGET_TEST(TellingWindowTest)
#include "telling_window_test.moc"
