// SPDX-License-Identifier: GPL-3.0-or-later
// What the program's window tells others: designs side by side, how a figure comes about, and the files that
// it writes.
#include "engine/base/csv.h"
#include "engine/exporters/study_csv.h"
#include "engine/units/number_text.h"
#include "tests/widgets/report/csv_reader.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/study_fixture.h"
#include "widgets/compare/compare_workspace.h"
#include "widgets/compare/design_set.h"
#include "widgets/compare/designs_page.h"
#include "widgets/compare/metrics_model.h"
#include "widgets/explain/explanation_popup.h"
#include "widgets/explore/study_list.h"
#include "widgets/report/report_dialog.h"

#include <QImage>
#include <QListWidget>
#include <QMenuBar>
#include <QTreeWidget>

#include <algorithm>

using namespace heteroscape;
using namespace heteroscape::widgets;
using engine::Metric;

class TellingWindowTest : public StudyWindowFixture {
    Q_OBJECT

    CompareWorkspace* compare() const { return child<CompareWorkspace>(m_test->window); }
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
        activate(m_test->window.get());
    }

private slots:
    void designsOfTwoWindowsStandSideBySide() {
        TestWindow other("glitches/8a100");
        QVERIFY(other.document().set("workload.batch", "2")); // as no preset has it
        activate(m_test->window.get());
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

    void thePlotAndTheStudyAreWrittenFromMenus() {
        m_test->goTo(Workspace::Explore);
        m_test->run();
        auto* button = m_test->tile(0)->exportButton();
        m_test->exportBy(button, "Picture (PNG)", "plot.png");
        m_test->exportBy(button, "Picture (SVG)", "plot.svg");
        m_test->exportBy(button, "Picture (PDF)", "plot.pdf");
        m_test->exportBy(button, "Data of this plot (CSV)", "plot.csv");
        const QImage picture(m_test->file("plot.png"));
        QVERIFY(picture.width() > 1000);
        QCOMPARE(picture.pixelColor(1, 1), QColor(Qt::white));
        QVERIFY(m_test->read("plot.svg").contains("<svg"));
        QVERIFY(m_test->read("plot.pdf").startsWith("%PDF"));
        // All that is drawn, and of which designs it is.
        const auto written = test::readCsv(QString::fromUtf8(m_test->read("plot.csv"))),
                   drawn = test::readCsv(chartCsv(m_test->chart(0)));
        QCOMPARE(written.rows.size(), drawn.rows.size());
        QCOMPARE(written.header.filter(QStringLiteral(", key")).size(), qsizetype{8});
        for (int column = 0; column < drawn.header.size(); ++column) {
            const int at = written.column(drawn.header[column]);
            QVERIFY2(at >= 0, qPrintable(drawn.header[column]));
            for (std::size_t row = 0; row < drawn.rows.size(); ++row)
                QCOMPARE(written.rows[row][at], drawn.rows[row][column]);
        }

        m_test->exportBy(m_test->named<ExportButton>("exportStudy"), "The study as CSV", "study.csv");
        auto store = m_test->store();
        const auto id = m_test->points().info.id;
        engine::writeStudyCsv(store, id, *shippedCatalog(), {}, m_test->file("same.csv").toStdString());
        QCOMPARE(m_test->read("study.csv"), m_test->read("same.csv"));

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
        const auto html = QString::fromUtf8(m_test->read("report.html"));
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
