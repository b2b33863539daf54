// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json.h"
#include "tests/shipped_catalog.h"
#include "tests/widgets/widget_test.h"
#include "widgets/document/document.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/requests/requests_panel.h"
#include "widgets/requests/requests_start.h"
#include "widgets/requests/requests_text.h"
#include "widgets/requests/requests_view.h"
#include "widgets/theme/text_label.h"

#include <QFile>
#include <QFileDialog>
#include <QImage>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

using namespace heteroscape;
using namespace heteroscape::widgets;

class RequestsPanelTest : public QObject {
    Q_OBJECT

    std::unique_ptr<Document> m_document;
    SimulationRunner* m_runner = nullptr;
    std::unique_ptr<RequestsPanel> m_panel;

    RequestsView* view() const { return m_panel->view(); }
    QString caption() const { return child<TextLabel>(m_panel, "caption")->text(); }
    QLineEdit* number() const { return child<QLineEdit>(m_panel, "requestNumber"); }
    void simulate(const char* requests) {
        m_document->set("serving.requests", requests);
        m_document->set("serving.arrivals", "backlog");
        QTRY_VERIFY(!m_runner->isBusy());
        QVERIFY2(m_panel->reason().isEmpty(), qPrintable(m_panel->reason()));
    }
    void chooseTheWhole() {
        for (auto* action : m_panel->exportButton()->findChild<QMenu*>()->actions())
            if (action->text() == QStringLiteral("The whole"))
                action->trigger();
    }

private slots:
    void init() {
        Theme::instance().setMode(ThemeMode::Light);
        m_document = std::make_unique<Document>(shippedCatalog());
        m_document->openPreset("glitches/a100-7u280");
        m_runner = new SimulationRunner(m_document.get());
        m_panel = std::make_unique<RequestsPanel>(m_document.get(), m_runner);
        expose(*m_panel, {1200, 280});
    }
    void cleanup() {
        m_panel.reset();
        m_document.reset();
    }

    void steadyArrivalsOfferABacklog() {
        QCOMPARE(m_panel->reason(), m_runner->reason());
        QVERIFY(m_panel->reason().contains(QStringLiteral("steady")));
        QVERIFY(child<QPushButton>(m_panel, "backlog")->isVisible());
        QVERIFY(!m_panel->exportButton()->isEnabled());
        QVERIFY(!number()->isEnabled());
        QTest::mouseClick(child<QPushButton>(m_panel, "backlog"), Qt::LeftButton);
        QVERIFY(m_document->scenario().serving.arrivals == engine::arrivalsNamed("backlog"));
        QTRY_VERIFY(m_panel->reason().isEmpty());
        QCOMPARE(caption(), QStringLiteral("Backlog of 1,000 requests"));
        QVERIFY(view()->isVisible());
        QCOMPARE(view()->lanes()->lanes().size(), std::size_t(8));
        QVERIFY(m_panel->exportButton()->isEnabled());
        QCOMPARE(m_document->undoStack()->count(), 1);
        m_document->undoStack()->undo();
        QTRY_VERIFY(m_panel->reason().contains(QStringLiteral("steady")));
        QVERIFY(child<RequestsStart>(m_panel)->isVisible());
    }

    void poissonArrivalsComeAtSevenTenthsOfWhatCanBeServed() {
        const double most = m_document->evaluation().metric(engine::Metric::RequestRate);
        child<QPushButton>(m_panel, "poisson")->setFocus();
        QTest::keyClick(child<QPushButton>(m_panel, "poisson"), Qt::Key_Space);
        const auto& serving = m_document->scenario().serving;
        QVERIFY(serving.arrivals == engine::arrivalsNamed("poisson"));
        QVERIFY(std::abs(serving["rate_req_s"].value / most - 0.7) < 0.04);
        QCOMPARE(m_document->undoStack()->count(), 1); // one step
        QTRY_VERIFY(m_panel->reason().isEmpty());
        QVERIFY2(caption().startsWith(QStringLiteral("1,000 requests, Poisson at 0.")),
                 qPrintable(caption()));
        QVERIFY(caption().endsWith(QStringLiteral("req/s, seed 1")));
        m_document->undoStack()->undo();
        QVERIFY(m_document->scenario().serving == engine::Serving{});
        m_document->set("serving.rate_req_s", "0.5"); // chosen: stays
        QTest::mouseClick(child<QPushButton>(m_panel, "poisson"), Qt::LeftButton);
        QCOMPARE(m_document->scenario().serving["rate_req_s"].value, 0.5);
        QTRY_VERIFY(caption().contains(QStringLiteral("0.5 req/s")));
    }

    void errorsTellWhy() {
        simulate("20");
        m_document->perform(engine::removeEdit(m_document->scenario(), {engine::NodeId{"fpga"}}, {}));
        m_document->perform(engine::removeEdit(m_document->scenario(), {engine::NodeId{"gpu"}}, {}));
        QTRY_VERIFY(!m_panel->reason().isEmpty());
        QCOMPARE(m_panel->reason(), m_runner->reason());
        QVERIFY(!child<QPushButton>(m_panel, "backlog")->isVisible());
        QVERIFY(caption().isEmpty());
    }

    void anEditReplacesTheRun() {
        simulate("40");
        const auto* before = &view()->lanes()->run();
        view()->setView({1.0, 5.0});
        view()->markRequest(3);
        QSignalSpy marked(m_panel.get(), &RequestsPanel::requestMarked);
        m_document->set("nodes.fpga.count", "3");
        QCOMPARE(&view()->lanes()->run(), before); // until there is another
        QVERIFY(!view()->isDimmed());              // nothing flickers for what comes at once
        QTRY_VERIFY(view()->lanes() && view()->lanes()->lanes().size() == 4);
        QVERIFY(view()->view() == (TimeSpan{1.0, 5.0}));
        QCOMPARE(m_panel->markedRequest(), std::optional(3U));
        m_document->set("serving.requests", "2"); // the mark has no request any more
        QTRY_VERIFY(!m_panel->markedRequest());
        QVERIFY(!marked.last().front().value<std::optional<std::uint32_t>>());
        QCOMPARE(caption(), QStringLiteral("Backlog of 2 requests"));
        m_document->openPreset("glitches/a100-7u280"); // steady
        QTRY_VERIFY(!m_panel->reason().isEmpty());
        simulate("40");
        QVERIFY(view()->view() == view()->lanes()->whole()); // of another design: all of it
    }

    void longWorkIsShown() {
        simulate("40");
        m_document->set("serving.requests", "3000000");
        QTRY_VERIFY(view()->isDimmed());
        QVERIFY(child<QProgressBar>(m_panel, "progress")->isVisible());
        QVERIFY(view()->isVisible());
        QVERIFY(view()->lanes() != nullptr); // the old ones stay
        QTRY_VERIFY_WITH_TIMEOUT(child<QProgressBar>(m_panel, "progress")->value() > 0, 30000);
        m_document->set("serving.requests", "30"); // ends it
        QTRY_VERIFY(!view()->isDimmed());
        QVERIFY(!child<QProgressBar>(m_panel, "progress")->isVisible());
        QCOMPARE(caption(), QStringLiteral("Backlog of 30 requests"));
    }

    void onlyTheFirstAreRecorded() {
        SimulationRun run;
        run.scenario.serving.arrivals = engine::arrivalsNamed("backlog");
        run.serving.result.arrived = 1000000;
        const RequestLanes lanes(std::make_shared<const SimulationRun>(run));
        QCOMPARE(runText(lanes),
                 QStringLiteral("Backlog of 1,000,000 requests; the first 200,000 are recorded"));
    }

    void aNumberJumpsToItsRequest() {
        simulate("60");
        QSignalSpy marked(m_panel.get(), &RequestsPanel::requestMarked);
        view()->setView({0.0, 1.0});
        number()->setFocus();
        QTest::keyClicks(number(), QStringLiteral("42"));
        QCOMPARE(m_panel->markedRequest(), std::optional(42U));
        const auto* served = view()->lanes()->served(42);
        QVERIFY(served);
        QVERIFY(view()->view().from <= served->prefillStart && view()->view().to >= served->finish);
        QVERIFY2(caption().startsWith(QStringLiteral("Request 42: arrived at 0")), qPrintable(caption()));
        for (const auto& part :
             {spanText(served->prefillStart), spanText(served->firstToken), spanText(served->finish),
              spanText((served->finish - served->firstToken) / served->request.output)})
            QVERIFY2(caption().contains(part), qPrintable(part));
        QTest::keyClicks(number(), QStringLiteral("7")); // 427 is none
        QVERIFY(!m_panel->markedRequest());
        QCOMPARE(number()->text(), QStringLiteral("427"));
        QCOMPARE(caption(), QStringLiteral("Request 427 is not among the 60 that are recorded"));
        QVERIFY(number()->property("invalid").toBool());
        QTest::keyClick(number(), Qt::Key_Backspace);
        QCOMPARE(m_panel->markedRequest(), std::optional(42U));
        QVERIFY(!number()->property("invalid").toBool());
        QTest::keyClick(view(), Qt::Key_Escape);
        QVERIFY(number()->text().isEmpty());
        QCOMPARE(caption(), QStringLiteral("Backlog of 60 requests"));
        m_panel->markRequest(9); // from elsewhere
        QCOMPARE(number()->text(), QStringLiteral("9"));
        QCOMPARE(marked.last().front().value<std::optional<std::uint32_t>>(), std::optional(9U));
    }

    void allShowsTheWholeRun() {
        simulate("60");
        view()->setView({1.0, 2.0});
        QTest::mouseClick(child<QToolButton>(m_panel, "showAll"), Qt::LeftButton);
        QVERIFY(view()->view() == view()->lanes()->whole());
    }

    void aHiddenPanelCatchesUpWhenItIsShown() {
        m_panel->hide();
        m_document->set("serving.requests", "25");
        m_document->set("serving.arrivals", "backlog");
        QTRY_VERIFY(!m_runner->isBusy());
        QVERIFY(!view()->lanes());
        m_panel->show();
        QTRY_VERIFY(view()->lanes() != nullptr);
        QCOMPARE(caption(), QStringLiteral("Backlog of 25 requests"));
    }

    void exportsPicturesAndData() {
        simulate("30");
        QTemporaryDir folder;
        Theme::instance().setMode(ThemeMode::Dark);
        view()->setView({0.0, 2.0});
        for (const char* suffix : {"png", "svg", "pdf", "csv", "json"})
            QVERIFY(m_panel->exportButton()->exportTo(
                folder.filePath(QStringLiteral("r.%1").arg(QLatin1String(suffix)))));
        const QImage picture(folder.filePath(QStringLiteral("r.png")));
        QCOMPARE(picture.pixelColor(2, 2), Theme::lightColor(ColorRole::Surface)); // white, whatever is shown
        QVERIFY(picture.width() > 2000);                                           // 178 mm at 300 dpi
        const auto svg = bytesOf(folder.filePath(QStringLiteral("r.svg")));
        QVERIFY(svg.contains(">P1<") || svg.contains("P1</text>"));
        QVERIFY(svg.contains("KV transfer"));
        QVERIFY(bytesOf(folder.filePath(QStringLiteral("r.pdf"))).startsWith("%PDF"));
        const auto& result = view()->lanes()->result();
        const auto lines = bytesOf(folder.filePath(QStringLiteral("r.csv"))).trimmed().split('\n');
        QVERIFY(lines.front().startsWith("lane,place,request,requests,phase"));
        const auto shown = std::count_if(
            result.segments.begin(), result.segments.end(),
            [](const engine::ServingSegment& segment) { return segment.end > 0.0 && segment.start < 2.0; });
        QVERIFY(shown > 0 && static_cast<std::size_t>(shown) < result.segments.size());
        QCOMPARE(lines.size(), shown + 1);
        chooseTheWhole();
        QVERIFY(m_panel->exportButton()->exportTo(folder.filePath(QStringLiteral("r.csv"))));
        QCOMPARE(static_cast<std::size_t>(
                     bytesOf(folder.filePath(QStringLiteral("r.csv"))).trimmed().split('\n').size()),
                 result.segments.size() + 1);
        const auto trace =
            engine::parseJson(bytesOf(folder.filePath(QStringLiteral("r.json"))).toStdString(), "trace");
        QVERIFY(trace.at("traceEvents").size() > result.segments.size());
    }

    void exportsTheRequestsFromTheMenu() {
        simulate("30");
        chooseTheWhole();
        QTemporaryDir folder;
        const auto path = folder.filePath(QStringLiteral("served.csv"));
        auto* menu = m_panel->exportButton()->findChild<QMenu*>();
        QVERIFY(menu);
        QAction* wanted = nullptr;
        for (auto* action : menu->actions())
            if (action->text().startsWith(QStringLiteral("Requests (CSV)")))
                wanted = action;
        QVERIFY(wanted);
        bool answered = false;
        QTimer answer;
        connect(&answer, &QTimer::timeout, this, [&] {
            if (auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget())) {
                dialog->findChild<QLineEdit*>()->setText(path);
                answered = true;
                QMetaObject::invokeMethod(dialog, "accept");
            }
        });
        answer.start(20);
        wanted->trigger();
        QVERIFY(answered);
        const auto lines = bytesOf(path).trimmed().split('\n');
        QVERIFY(lines.front().startsWith("request,arrival_s,prompt_tokens"));
        QCOMPARE(lines.size(), 31);
    }

    void whatCannotBeWrittenIsSaid() {
        simulate("30");
        for (const char* name : {"/nowhere/r.png", "/nowhere/r.csv", "/nowhere/r.bmp"})
            QVERIFY(!m_panel->exportButton()->exportTo(QLatin1String(name)));
        const auto* notice = m_panel->findChild<NoticeBar*>();
        QVERIFY(notice->isVisible());
        QVERIFY(notice->text().contains(QStringLiteral("/nowhere")));
    }

    void everythingHasANameAndTheKeyboardReachesIt() {
        simulate("30");
        for (const auto* widget : {static_cast<QWidget*>(number()), static_cast<QWidget*>(view()),
                                   static_cast<QWidget*>(child<QProgressBar>(m_panel, "progress"))})
            QVERIFY(!widget->accessibleName().isEmpty());
        for (const auto* widget : {static_cast<QWidget*>(number()), static_cast<QWidget*>(view())})
            QVERIFY(widget->focusPolicy() & Qt::TabFocus);
        QCOMPARE(view()->accessibleDescription(), caption());
        QVERIFY(!child<QToolButton>(m_panel, "showAll")->text().isEmpty());
        QVERIFY(!m_panel->exportButton()->accessibleName().isEmpty());
    }

    void followsTheTheme() {
        for (const auto mode : {ThemeMode::Dark, ThemeMode::Light}) {
            Theme::instance().setMode(mode);
            const auto image = child<RequestsStart>(m_panel)->grab().toImage();
            QCOMPARE(image.pixelColor(3, 3), Theme::instance().color(ColorRole::Surface));
        }
    }
};

WIDGET_TEST(RequestsPanelTest)
#include "requests_panel_test.moc"
