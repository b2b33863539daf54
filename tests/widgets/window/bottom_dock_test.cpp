// SPDX-License-Identifier: GPL-3.0-or-later
#include "clipped_texts.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/window_fixture.h"
#include "widgets/requests/requests_panel.h"
#include "widgets/requests/requests_start.h"
#include "widgets/requests/requests_view.h"
#include "widgets/timeline/timeline_panel.h"
#include "widgets/timeline/timeline_view.h"
#include "widgets/window/bottom_dock.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/messages_panel.h"

#include <QPushButton>
#include <QTabBar>

#include <algorithm>

using namespace heteroscape;
using namespace heteroscape::widgets;

class BottomDockTest : public WindowFixture {
    Q_OBJECT

private slots:
    void messagesSelectWhatTheyAreAbout() {
        document().perform(engine::removeEdit(document().scenario(), {}, {engine::LinkId{"host-fpga"}}));
        QVERIFY(!document().diagnostics().empty());
        m_window->bottom()->showPage(BottomDock::Page::Messages);
        auto* panel = m_window->bottom()->messages();
        QTRY_VERIFY(panel->isVisible());
        const auto& found = document().diagnostics();
        const auto row = std::find_if(found.begin(), found.end(),
                                      [](const engine::Diagnostic& d) { return d.subject == "fpga"; });
        QVERIFY(row != found.end());
        int line = 0; // remedies stand between the messages
        while (line < panel->count() &&
               !panel->item(line)->text().startsWith(QString::fromStdString(row->message)))
            ++line;
        QVERIFY(line < panel->count());
        const auto place = panel->visualItemRect(panel->item(line)).center();
        QTest::mouseClick(panel->viewport(), Qt::LeftButton, {}, place);
        QCOMPARE(document().selection().nodes.front().value, std::string("fpga"));
    }

    void theTimelineStandsBelowTheCanvas() {
        document().openPreset("preserve/llama3-70b-8npu");
        auto* bottom = m_window->bottom();
        QVERIFY(bottom->isOpen());
        QTRY_COMPARE(bottom->height(), 244);
        QVERIFY(bottom->timeline()->view()->isVisible());
        QCOMPARE(bottom->timeline()->view()->tracks().size(), std::size_t(2));
        const auto before = child<TextLabel>(bottom, "headline")->text();
        document().set("techniques.l2_prefetch.kv", "false");
        QVERIFY(child<TextLabel>(bottom, "headline")->text() != before); // live

        const auto tab = [&](BottomDock::Page page) {
            return child<QTabBar>(bottom)->tabRect(static_cast<int>(page)).center();
        };
        const auto messages = tab(BottomDock::Page::Messages);
        QTest::mouseClick(child<QTabBar>(bottom), Qt::LeftButton, {}, messages);
        QVERIFY(bottom->messages()->isVisible());
        QVERIFY(!bottom->timeline()->isVisible());
        QTest::mouseClick(child<QTabBar>(bottom), Qt::LeftButton, {}, messages); // the open tab folds
        QVERIFY(!bottom->isOpen());
        QTRY_COMPARE(bottom->height(), 32);
        QTest::mouseClick(child<QTabBar>(bottom), Qt::LeftButton, {}, tab(BottomDock::Page::Timeline));
        QVERIFY(bottom->isOpen());
        QTRY_COMPARE(bottom->height(), 244); // as high as before
        QVERIFY(bottom->timeline()->view()->isVisible());
    }

    void theRequestsStandBetweenTimelineAndMessages() {
        auto* bottom = m_window->bottom();
        auto* requests = child<RequestsPanel>(bottom);
        QTest::mouseClick(child<QTabBar>(bottom), Qt::LeftButton, {},
                          child<QTabBar>(bottom)->tabRect(1).center());
        QVERIFY(requests->isVisible());
        QVERIFY(requests->bar()->isVisible());
        QVERIFY(!bottom->timeline()->bar()->isVisible());
        QVERIFY(requests->reason().contains(QStringLiteral("steady")));
        for (const auto size : {QSize(1440, 900), QSize(1280, 720), QSize(1100, 700)}) {
            document().set("serving.arrivals", "steady");
            m_window->resize(size);
            QTRY_COMPARE(m_window->size(), size);
            m_window->commands()->action(QStringLiteral("view.requests"))->trigger();
            QTRY_VERIFY(child<QPushButton>(requests, "backlog")->isVisible());
            QVERIFY2(clippedTexts(*bottom).isEmpty(),
                     qPrintable(clippedTexts(*bottom).join(QLatin1Char('\n'))));
            QTest::mouseClick(child<QPushButton>(requests, "backlog"), Qt::LeftButton);
            QVERIFY(m_window->isBusy());
            QTRY_VERIFY(requests->view()->isVisible());
            QVERIFY(!m_window->isBusy());
            QCOMPARE(requests->view()->lanes()->lanes().size(), std::size_t(8));
            QVERIFY2(clippedTexts(*bottom).isEmpty(),
                     qPrintable(clippedTexts(*bottom).join(QLatin1Char('\n'))));
        }
        bottom->showPage(BottomDock::Page::Timeline);
        QVERIFY(!requests->bar()->isVisible());
    }

    void aLowWindowFoldsTheTimeline() {
        auto* bottom = m_window->bottom();
        QVERIFY(bottom->isOpen());
        m_window->resize(1280, 720);
        QTRY_VERIFY(!bottom->isOpen());
        QTest::keyClick(m_window, Qt::Key_T, Qt::ControlModifier); // yet it opens when asked for
        QVERIFY(bottom->isOpen());
        QVERIFY(bottom->page() == BottomDock::Page::Timeline);
        m_window->resize(1280, 740); // and stays
        QTRY_COMPARE(m_window->height(), 740);
        QVERIFY(bottom->isOpen());
        m_window->resize(1440, 900);
        QTRY_VERIFY(bottom->isOpen());
    }

    void commandsShowThePagesOfTheBottomDock() {
        m_window->setWorkspace(Workspace::Explore);
        m_window->commands()->action(QStringLiteral("view.messages"))->trigger();
        QVERIFY(m_window->workspace() == Workspace::Design);
        QTRY_VERIFY(m_window->bottom()->messages()->isVisible());
        m_window->commands()->action(QStringLiteral("view.BottomDock"))->setChecked(false);
        QTRY_VERIFY(!m_window->bottom()->isVisible());
        m_window->commands()->action(QStringLiteral("view.timeline"))->trigger();
        QTRY_VERIFY(m_window->bottom()->timeline()->view()->isVisible());
    }

    void theBottomDockFloatsAndComesBack() {
        auto* bottom = m_window->bottom();
        auto* floating = m_window->commands()->action(QStringLiteral("view.float.BottomDock"));
        floating->trigger();
        QVERIFY(bottom->isFloating());
        bottom->resize(900, 420);
        QTRY_COMPARE(bottom->height(), 420);
        QVERIFY(bottom->timeline()->view()->isVisible());
        floating->trigger();
        QVERIFY(!bottom->isFloating());
        bottom->setOpen(false);
        QTRY_COMPARE(bottom->height(), 32);
        m_window->commands()->action(QStringLiteral("view.reset"))->trigger();
        QVERIFY(bottom->isOpen());
        QTRY_VERIFY(bottom->height() >= 160);
        QTRY_VERIFY(bottom->timeline()->view()->isVisible());
    }

    void aFigureThatIsATimelineOpensOnItsComparison() {
        const std::pair<const char*, const char*> figures[] = {{"inf2/fig4", "attention near storage"},
                                                               {"inf2/fig5", "delayed writeback"},
                                                               {"inf2/fig6", "X-cache"}};
        for (const auto& [id, technique] : figures) {
            QVERIFY(m_window->openStudy(id));
            auto* timeline = m_window->bottom()->timeline();
            QTRY_VERIFY(timeline->view()->isVisible());
            QCOMPARE(timeline->view()->tracks().size(), std::size_t(2));
            const auto without = QStringLiteral("faster than without %1").arg(QLatin1String(technique));
            QVERIFY2(child<TextLabel>(m_window->bottom(), "headline")->text().contains(without),
                     qPrintable(child<TextLabel>(m_window->bottom(), "headline")->text()));
        }
        QVERIFY(m_window->openStudy("preserve/fig1"));
        QVERIFY(child<TextLabel>(m_window->bottom(), "headline")
                    ->text()
                    .contains(QStringLiteral("without L2 prefetch")));
    }
};

WIDGET_TEST(BottomDockTest)
#include "bottom_dock_test.moc"
