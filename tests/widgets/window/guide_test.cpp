// SPDX-License-Identifier: GPL-3.0-or-later
// The guide: F1 on things of the window opens their page, pages are searched and walked through, one PDF; and
// the tour over the window.
#include "engine/base/error.h"
#include "hand.h"
#include "tests/widgets/window/window_fixture.h"
#include "widgets/calibration/calibrate_dialog.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/explore/points_table.h"
#include "widgets/glossary/guide_window.h"
#include "widgets/inspector/inspector.h"
#include "widgets/settings/settings.h"
#include "widgets/window/bottom_dock.h"
#include "widgets/window/command_palette.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/context_bar.h"
#include "widgets/window/metric_cell.h"
#include "widgets/window/metrics_strip.h"
#include "widgets/window/tour.h"

#include <QCursor>
#include <QHeaderView>
#include <QImage>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSet>
#include <QTableView>
#include <QTextBlock>
#include <QToolButton>
#include <QTreeWidget>
#include <QWhatsThisClickedEvent>

using namespace heteroscape;
using namespace heteroscape::widgets;

class GuideTest : public WindowFixture {
    Q_OBJECT

    GuideWindow* guide(const QWidget* of = nullptr) const {
        return (of ? of : m_window)->findChild<GuideWindow*>(QString(), Qt::FindDirectChildrenOnly);
    }
    /// Where F1 leads; the guide is closed again.
    QString f1(QWidget* pressed, const QWidget* of = nullptr) const {
        QTest::keyClick(pressed, Qt::Key_F1);
        auto* opened = guide(of);
        if (!opened || !opened->isVisible())
            return QStringLiteral("nothing");
        const auto link = opened->view()->source().toString();
        opened->close();
        QApplication::setActiveWindow(m_window);
        return link;
    }
    QString f1OnField(const std::string& path) const {
        if (!m_window->inspector()->focusField(path))
            return QStringLiteral("no field");
        return f1(QApplication::focusWidget());
    }
    QString f1Under(const QWidget* widget, QPoint at) const {
        if (auto* focused = QApplication::focusWidget())
            focused->clearFocus(); // a word that it stands for would go before
        QCursor::setPos(widget->mapToGlobal(at));
        return f1(m_window);
    }
    QString f1Under(const QWidget* widget) const { return f1Under(widget, widget->rect().center()); }
    /// The heading at the top of what is seen of the page.
    QString headingInSight() const {
        auto* view = guide()->view();
        for (int y = 2; y < view->viewport()->height(); y += 4)
            if (const auto block = view->cursorForPosition({60, y}).block();
                block.blockFormat().headingLevel() > 0)
                return block.text();
        return {};
    }
    void openGuide() const {
        m_window->commands()->action(QStringLiteral("help.guide"))->trigger();
        QVERIFY(guide());
        QTRY_VERIFY(guide()->isVisible());
    }

private slots:
    void initTestCase() { share("f1OnAField"); }

    void f1OnAField_data() {
        QTest::addColumn<QString>("link");
        const std::pair<const char*, const char*> fields[] = {
            {"nodes.fpga.count", "parameters.md#count"},
            {"nodes.fpga.device.memory_gb", "parameters.md#memory-capacity"},
            {"nodes.fpga.device.memory_bandwidth_gbps", "parameters.md#memory-bandwidth"},
            {"nodes.fpga.device.price_usd", "parameters.md#price-each"},
            {"nodes.fpga.runtime.weight_bits", "parameters.md#weights-runtime"},
            {"nodes.fpga.runtime.kv_bits", "parameters.md#kv-cache-runtime"},
            {"nodes.fpga.device", "parameters.md#device"},
            {"nodes.fpga.role", "parameters.md#role"},
            {"nodes.fpga.runtime", "parameters.md#runtime"},
            {"nodes.fpga.device.peak_fp16_tflops", "parameters.md#peak-fp16"},
            {"workload", "parameters.md#workload"},
            {"workload.batch", "parameters.md#batch"},
            {"workload.prompt_tokens", "parameters.md#prompt"},
            {"workload.output_tokens", "parameters.md#output"},
            {"model", "parameters.md#model"},
            {"serving.arrivals", "parameters.md#arrivals"},
            {"techniques.load_merging.enabled", "techniques.md#load-merging"},
            {"techniques.load_merging.ratio", "techniques.md#prefetch-ratio-m"},
            {"techniques.disaggregation.enabled", "techniques.md#prefilldecode-split"},
            {"techniques.gpu_assist.enabled", "techniques.md#prefill-nodes-assist"}};
        for (const auto& [path, link] : fields)
            QTest::newRow(path) << QString::fromLatin1(link);
    }
    void f1OnAField() {
        QFETCH(QString, link);
        const std::string path(QTest::currentDataTag());
        if (path.starts_with("nodes."))
            document().select({{engine::NodeId{"fpga"}}, {}});
        else
            document().select({});
        settle();
        QCOMPARE(f1OnField(path), link);
    }

    void f1OnWhatLiesUnderThePointer() {
        settle();
        m_window->canvas()->setFocus();
        int things = 0;
        auto* strip = child<MetricsStrip>(m_window);
        for (const auto* cell : strip->findChildren<MetricCell*>())
            if (cell->isVisible()) {
                const auto link = f1Under(cell);
                QVERIFY2(link.startsWith(QStringLiteral("metrics.md#")) ||
                             link == QStringLiteral("words.md#bottleneck"),
                         qPrintable(link));
                ++things;
            }
        QCOMPARE(f1Under(strip->cell(engine::Metric::TimeToFirstToken)),
                 QStringLiteral("metrics.md#time-to-first-token"));
        auto* bar = child<ContextBar>(m_window);
        for (auto* chip : bar->findChildren<QPushButton*>())
            if (chip->property("chip").toBool() && chip->isVisible()) {
                const auto link = f1Under(chip);
                QVERIFY2(link.startsWith(QStringLiteral("techniques.md#")), qPrintable(link));
                ++things;
            }
        QVERIFY(things >= 8);
        QCOMPARE(f1Under(m_window->canvas()), QStringLiteral("canvas.md"));
        m_window->bottom()->showPage(BottomDock::Page::Timeline);
        QApplication::processEvents();
        QCOMPARE(f1Under(m_window->bottom()->widget(), {200, 80}), QStringLiteral("words.md#timeline"));
        m_window->bottom()->showPage(BottomDock::Page::Load);
        QApplication::processEvents();
        QCOMPARE(f1Under(m_window->bottom()->widget(), {200, 80}), QStringLiteral("load.md"));
        for (const auto& [command, page] :
             {std::pair{"study.find", "find.md"}, std::pair{"study.frontier", "frontier.md"},
              std::pair{"study.setUp", "explore.md"}, std::pair{"view.workspace3", "roofline.md"},
              std::pair{"view.workspace4", "compare.md"}, std::pair{"study.measured", "measured.md"}}) {
            m_window->commands()->action(QLatin1String(command))->trigger();
            QApplication::processEvents();
            const auto* shown = m_window->centralWidget();
            // Left of it Find has words of its own; a frontier is set up there.
            const int x = QLatin1String(page) == QLatin1String("find.md") ? shown->width() / 2 : 20;
            QCOMPARE(f1Under(shown, {x, shown->height() / 2}), QLatin1String(page));
        }
        m_window->showStartPage();
        QApplication::processEvents();
        QCOMPARE(f1Under(m_window->centralWidget()), QStringLiteral("first-design.md"));
    }

    void f1OnHeadsOfTablesMenusAndDialogs() {
        m_window->setWorkspace(Workspace::Explore);
        auto& explore = m_test->explore();
        click(explore.findChild<QPushButton*>(QStringLiteral("run")));
        QTRY_VERIFY_WITH_TIMEOUT(!explore.isRunning(), 120000);
        auto* table = explore.findChild<PointsTable*>()->findChild<QTableView*>();
        QTRY_VERIFY(table->model()->columnCount() > 8);
        m_window->canvas()->setFocus();
        const auto* head = table->horizontalHeader();
        for (int column = 0; column < table->model()->columnCount(); ++column)
            if (table->model()
                    ->headerData(column, Qt::Horizontal)
                    .toString()
                    .startsWith(QStringLiteral("Throughput"))) {
                table->scrollTo(table->model()->index(0, column));
                QCOMPARE(f1Under(head->viewport(), {head->sectionViewportPosition(column) + 8, 8}),
                         QStringLiteral("metrics.md#throughput"));
                break;
            }
        // An entry of a menu: the menu goes, its page comes.
        auto* menu = child<QPushButton>(child<ContextBar>(m_window), "techniques")->menu();
        menu->popup(m_window->mapToGlobal(QPoint(200, 200)));
        QTest::keyClick(menu, Qt::Key_Down);
        const auto link = f1(menu);
        QVERIFY2(link.startsWith(QStringLiteral("techniques.md#")), qPrintable(link));
        QVERIFY(!menu->isVisible());
        // A dialog that waits has a guide of its own, which can be used.
        CalibrateDialog dialog(&document(), m_window);
        dialog.setModal(true);
        dialog.show();
        QCursor::setPos(dialog.mapToGlobal(QPoint(30, 12)));
        QCOMPARE(f1(&dialog, &dialog), QStringLiteral("calibrate.md"));
    }

    void whatThisIsLeadsToTheGuide() {
        document().select({{engine::NodeId{"fpga"}}, {}});
        QVERIFY(m_window->inspector()->focusField("nodes.fpga.count"));
        QWhatsThisClickedEvent clicked(QStringLiteral("metrics.md#goodput"));
        QCoreApplication::sendEvent(QApplication::focusWidget(), &clicked);
        QVERIFY(guide() && guide()->isVisible());
        QCOMPARE(headingInSight(), QStringLiteral("Goodput"));
    }

    void theGuideIsSearchedAndWalkedThrough() {
        openGuide();
        auto* list = child<QTreeWidget>(guide());
        auto* search = child<QLineEdit>(guide());
        auto* view = guide()->view();
        QCOMPARE(view->source().path(), QStringLiteral("index.md"));
        QVERIFY(list->topLevelItemCount() > 25); // pages and parts
        QTest::keyClicks(search, QStringLiteral("goodp"));
        QCOMPARE(list->currentItem()->text(0), QStringLiteral("Goodput \u2013 Metrics"));
        QCOMPARE(headingInSight(), QStringLiteral("Goodput"));
        QVERIFY(view->toPlainText().contains(QStringLiteral("kept the limits of TTFT, TPOT and end to end")));
        search->clear();
        QTest::keyClicks(search, QStringLiteral("tpot")); // by a name of a word
        QCOMPARE(list->topLevelItem(0)->text(0), QStringLiteral("Time per token \u2013 Metrics"));
        QTest::keyClick(search, Qt::Key_Down);
        QCOMPARE(list->indexOfTopLevelItem(list->currentItem()), 1);
        search->clear();
        QTest::keyClicks(search, QStringLiteral("no such word"));
        QCOMPARE(list->topLevelItemCount(), 1);
        QVERIFY(list->topLevelItem(0)->text(0).contains(QStringLiteral("Nothing found")));
        search->clear();
        QVERIFY(list->topLevelItemCount() > 25);
        // Links, back and forward.
        guide()->show(QStringLiteral("find.md"));
        QCOMPARE(list->currentItem()->text(0), QStringLiteral("Find: the best designs within limits"));
        view->setSource(QUrl(QStringLiteral("command-line.md")));
        QCOMPARE(list->currentItem()->text(0), QStringLiteral("The command line"));
        view->backward();
        QCOMPARE(view->source().path(), QStringLiteral("find.md"));
        view->forward();
        QCOMPARE(view->source().path(), QStringLiteral("command-line.md"));
        view->setSource(QUrl(QStringLiteral("examples/own_gpu.py"))); // no page: stays
        QCOMPARE(view->source().path(), QStringLiteral("command-line.md"));
        guide()->close();

        // And by Ctrl+K.
        QTest::keyClick(m_window, Qt::Key_K, Qt::ControlModifier);
        auto* palette = m_window->findChild<CommandPalette*>();
        QVERIFY(palette);
        QTRY_VERIFY(palette->isVisible());
        QTest::keyClicks(child<QLineEdit>(palette), QStringLiteral("what is pareto"));
        QVERIFY(palette->entryAt(0));
        QCOMPARE(palette->entryAt(0)->text, QStringLiteral("What is: Pareto front"));
        QTest::keyClick(child<QLineEdit>(palette), Qt::Key_Return);
        QTRY_VERIFY(guide()->isVisible());
        QCOMPARE(headingInSight(), QStringLiteral("Pareto front"));
        guide()->close();
    }

    void everyPageFitsTheWindowInBothThemes() {
        openGuide();
        auto* view = guide()->view();
        auto* list = child<QTreeWidget>(guide());
        int pages = 0;
        for (const auto mode : {ThemeMode::Light, ThemeMode::Dark}) {
            Theme::instance().setMode(mode);
            for (int i = 0; i < list->topLevelItemCount(); ++i) {
                const auto link = list->topLevelItem(i)->data(0, Qt::UserRole).toString();
                if (link.isEmpty())
                    continue;
                view->setSource(QUrl(link));
                QApplication::processEvents();
                QVERIFY2(view->toPlainText().size() > 200, qPrintable(link));
                QVERIFY2(view->horizontalScrollBar()->maximum() == 0, qPrintable(link));
                ++pages;
                if (const auto folder = qEnvironmentVariable("HETEROSCAPE_GUIDE_PICTURES"); !folder.isEmpty())
                    guide()->grab().save(
                        QStringLiteral("%1/%2-%3.png").arg(folder, link).arg(static_cast<int>(mode)));
            }
        }
        Theme::instance().setMode(ThemeMode::Light);
        QVERIFY(pages > 40);
    }

    void thePdfHasEveryPage() {
        const auto file = m_test->file("guide.pdf");
        writeGuidePdf(file);
        const auto bytes = bytesOf(file);
        QVERIFY(bytes.startsWith("%PDF"));
        QVERIFY(bytes.count("/Type /Page\n") > 30);
        QVERIFY(bytes.count("/Subtype /Image") >= 8); // the pictures
        QVERIFY_THROWS_EXCEPTION(engine::Error, writeGuidePdf(QStringLiteral("/proc/none/guide.pdf")));
    }

    void theTourPointsAtTheWindow() {
        m_window->commands()->action(QStringLiteral("help.tour"))->trigger();
        auto* tour = m_window->findChild<Tour*>();
        auto* next = child<QPushButton>(tour, "nextOfTour");
        auto* ring = m_window->findChild<QWidget*>(QStringLiteral("tourRing"));
        QTRY_VERIFY(tour->isVisible());
        QSet<QWidget*> targets;
        for (int step = 0; step < Tour::kSteps; ++step) {
            QCOMPARE(tour->step(), step);
            QVERIFY(tour->target() && tour->target()->isVisible());
            QTRY_VERIFY(ring->geometry().intersects(
                QRect(tour->target()->mapTo(m_window, QPoint()), tour->target()->size())));
            QVERIFY(m_window->rect().contains(tour->geometry()));
            targets << tour->target();
            if (const auto folder = qEnvironmentVariable("HETEROSCAPE_GUIDE_PICTURES"); !folder.isEmpty()) {
                QTest::qWait(100);
                m_window->grab().save(QStringLiteral("%1/tour-%2.png").arg(folder).arg(step));
            }
            click(next);
        }
        QCOMPARE(targets.size(), Tour::kSteps);
        QVERIFY(!tour->isVisible() && !ring->isVisible());
        QCOMPARE(m_window->workspace(), Workspace::Design);
        // Left at any step, and the window is resized meanwhile.
        tour->begin();
        click(next);
        m_window->resize(1280, 720);
        QTRY_VERIFY(m_window->rect().contains(tour->geometry()));
        QTest::keyClick(tour, Qt::Key_Escape);
        QVERIFY(!tour->isVisible() && !ring->isVisible());
        // A design with changes that are not to be lost stays.
        document().set("workload.batch", "3");
        m_test->answer = FilePrompts::Answer::Cancel;
        tour->begin();
        QVERIFY(!tour->isVisible());
        QCOMPARE(scenario().workload.batch.value, 3.0);
    }

    void theTourIsOfferedOnce() {
        auto* tour = m_window->findChild<Tour*>();
        m_window->showStartPage();
        m_window->offerTour();
        QVERIFY(tour->isVisible());
        QCOMPARE(tour->step(), -1);
        click(child<QPushButton>(tour, "leaveTour"));
        QVERIFY(!tour->isVisible());
        QVERIFY(m_window->isStartPageShown()); // nothing else has happened
        m_test->reopen();
        m_window = m_test->window.get();
        m_window->offerTour();
        QVERIFY(!m_window->findChild<Tour*>()->isVisible());
    }

    void theOfferGoesWhenTheUserBegins_data() {
        QTest::addColumn<bool>("leaves");
        QTest::newRow("leaves the start page") << true;
        QTest::newRow("edits the design") << false;
    }

    void theOfferGoesWhenTheUserBegins() {
        QFETCH(const bool, leaves);
        auto* tour = m_window->findChild<Tour*>();
        if (leaves)
            m_window->showStartPage();
        m_window->offerTour();
        QVERIFY(tour->isVisible());
        if (leaves)
            m_window->leaveStartPage();
        else
            document().set("workload.batch", "3");
        QVERIFY(!tour->isVisible());
    }
};

WIDGET_TEST(GuideTest)
#include "guide_test.moc"
