// SPDX-License-Identifier: GPL-3.0-or-later
// What should I buy, asked and answered on the start page of the program's window.
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/clipped_texts.h"
#include "tests/widgets/window/hand.h"
#include "tests/widgets/window/test_window.h"
#include "widgets/compare/compare_workspace.h"
#include "widgets/compare/designs_page.h"
#include "widgets/explore/explore_workspace.h"
#include "widgets/find/found_card.h"
#include "widgets/parts/quantity_entry.h"
#include "widgets/start/buy_form.h"
#include "widgets/start/start_page.h"
#include "widgets/start/what_to_buy.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/file_flow.h"

#include "engine/timing/kernels/kernel_catalog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QProgressBar>
#include <QTimer>

using namespace heteroscape;
using namespace heteroscape::widgets;

class WhatToBuyTest : public QObject {
    Q_OBJECT

    std::unique_ptr<TestWindow> m_test;
    MainWindow* m_window = nullptr;
    WhatToBuy* m_buying = nullptr;
    BuyForm* m_form = nullptr;

    QCheckBox* box(const char* id) const { return child<QCheckBox>(m_form, id); }
    QLineEdit* field(const char* key) const { return m_form->entry(key)->value(); }
    QPushButton* find() const { return m_form->findButton(); }
    std::vector<FoundCard*> cards() const {
        const auto found = m_buying->findChildren<FoundCard*>();
        return {found.begin(), found.end()};
    }
    QString said(const char* part) const { return words(child<QWidget>(m_buying, part)); }
    void awaitAnswer() const {
        QTRY_VERIFY_WITH_TIMEOUT(m_buying->found(), 300000);
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->isBusy(), 60000);
    }
    /// Few requests on two ready servers: a quick answer.
    void askLittle() const {
        click(child<QPushButton>(m_form, "buyMore"));
        for (const auto& ready :
             {"dgx-b300", "gb200-nvl72", "gb300-nvl72", "hgx-a100", "hgx-h100", "hgx-h100-four",
              "hgx-h100-pair", "l40s-server", "gaudi3-server", "mi325x-platform", "mi355x-platform"})
            click(box(ready));
        for (const auto& software : {"sglang", "trtllm"})
            click(box(software));
        retype(field("draws"), QStringLiteral("20"));
        m_buying->cancel(); // Enter asks
        click(child<QPushButton>(m_form, "buyMore"));
    }

private slots:
    void init() {
        m_test = std::make_unique<TestWindow>("");
        m_window = m_test->window.get();
        m_window->showStartPage();
        m_buying = m_window->start().page()->buying();
        m_form = m_buying->form();
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->isBusy(), 60000);
    }
    void cleanup() { m_test.reset(); }

    void onePageAndOneClickAnswer() {
        QVERIFY(isReached(find(), find()->rect().center())); // without scrolling
        int clicks = 0;
        click(find());
        ++clicks;
        QVERIFY(!m_buying->found()); // it is looked for beside the window, which goes on
        QVERIFY(child<QProgressBar>(m_buying)->isVisible());
        QVERIFY(!find()->isEnabled());
        awaitAnswer();
        QCOMPARE(clicks, 1);
        QVERIFY(m_window->isStartPageShown());
        QVERIFY(!child<QProgressBar>(m_buying)->isVisible());
        QVERIFY(find()->isEnabled());
        const auto& found = *m_buying->found();
        QCOMPARE(found.question.users, 64.0);
        QVERIFY(found.lists.size() > 1);
        std::size_t systems = found.robust.system ? 1 : 0;
        const auto answer = said("buyAnswer");
        for (const auto& list : found.lists) {
            QVERIFY(list.systems.size() <= 3);
            systems += list.systems.size();
            for (const auto& system : list.systems) {
                QVERIFY(answer.contains(QString::fromStdString(system.name).section(u',', 0, 0)));
                for (const auto figure :
                     {engine::RecommendFigure::FirstToken, engine::RecommendFigure::PerToken,
                      engine::RecommendFigure::Drawn, engine::RecommendFigure::Rated})
                    QVERIFY(answer.contains(QString::fromStdString(
                        engine::recommendText(found.question, figure, system.of(figure))))); // with its band
            }
        }
        QCOMPARE(cards().size(), systems);
        const auto told = engine::recommendWords(found, *shippedCatalog());
        for (const auto& list : told.lists) {
            QVERIFY(answer.contains(QString::fromStdString(list.head)));
            for (const auto& close : list.close) // in words, and on the card
                QVERIFY(answer.contains(QString::fromStdString(close)));
        }
        QVERIFY(answer.contains(QStringLiteral("Too close to call")));
        QVERIFY(!told.measure.empty());
        QVERIFY(answer.contains(QString::fromStdString(told.measure)));
        for (const auto& [why, who] : told.others)
            QVERIFY(said("buyOthers").contains(QString::fromStdString(who + ": " + why)));
        // The first of it can be seen at once.
        QVERIFY(isReached(cards().front(), QPoint(12, 12)));
        QCOMPARE(clippedTexts(*m_buying), QStringList());
    }

    void keysAndUnitsAsPeopleTypeThem() {
        askLittle();
        retype(field("tpot_ms"), QStringLiteral("0.04 s"));
        m_buying->cancel();
        retype(field("price_usd"), QStringLiteral("$1M"));
        m_buying->cancel();
        retype(field("power_kw"), QStringLiteral("40000 W"));
        m_buying->cancel();
        click(box("AMD"));
        auto* model = m_form->model();
        model->setFocus();
        QTest::keyClicks(model, QStringLiteral("Llama-3.1-8B"));
        const auto asked = m_form->question();
        QVERIFY(asked);
        QCOMPARE(asked->model, std::string("llama3-1-8b"));
        QCOMPARE(asked->tpot, 0.04);
        QCOMPARE(asked->price, 1e6);
        QCOMPARE(asked->power, 40e3);
        QCOMPARE(asked->draws, std::size_t{20});
        QCOMPARE(asked->software, (std::vector<std::string>{"vllm", "class-rule"}));
        QVERIFY(!asked->vendors.empty() && asked->formats.empty());
        auto* users = field("users");
        users->setFocus();
        users->selectAll();
        QTest::keyClicks(users, QStringLiteral("8"));
        QTest::keyClick(users, Qt::Key_Return); // without the mouse
        awaitAnswer();
        const auto& found = *m_buying->found();
        QCOMPARE(found.question.users, 8.0);
        // The same as the engine's.
        auto question = *asked;
        question.users = 8;
        const engine::GpuServers servers(*shippedCatalog(), engine::shippedKernels());
        QCOMPARE(engine::recommendCsv(found), engine::recommendCsv(engine::recommend(question, servers, 1)));
        // What the question leaves out has its line.
        QVERIFY(said("buyOthers").contains(QStringLiteral("not of the vendors asked for")));
        QVERIFY(said("buyOthers").contains(QStringLiteral("not among the ready servers asked for")));
        QVERIFY(said("buyOthers").contains(QStringLiteral("but in no ready server")));

        // What is bought has a price, what is rented none.
        auto* owning = child<QComboBox>(m_form, "buyOwning");
        owning->setFocus();
        QTest::keyClick(owning, Qt::Key_Down);
        QVERIFY(m_form->question()->rented);
        QCOMPARE(m_form->question()->price, 0.0);
        QVERIFY(!field("price_usd")->isEnabled());
    }

    void aCommandLeadsToIt() {
        m_window->leaveStartPage();
        m_window->commands()->action(QStringLiteral("study.buy"))->trigger();
        QVERIFY(m_window->isStartPageShown());
        QVERIFY(m_form->model()->hasFocus());
    }

    void whatCannotBeReadIsNamed() {
        retype(field("ttft_s"), QStringLiteral("soon"));
        QVERIFY(!m_form->question());
        QVERIFY(!find()->isEnabled());
        QVERIFY(!m_buying->isBusy()); // Enter asks nothing
        const auto* problem = child<QLabel>(m_form, "buyProblem");
        QVERIFY2(problem->text().startsWith(QStringLiteral("TTFT p99, at most: \"soon\" is not a number")),
                 qPrintable(problem->text()));
        field("ttft_s")->selectAll();
        QTest::keyClick(field("ttft_s"), Qt::Key_Delete);
        QCOMPARE(m_form->question() ? m_form->question()->ttft : -1.0, 0.0); // no limit
        QVERIFY(find()->isEnabled());
        for (const auto* vendor : {"AMD", "Intel", "NVIDIA"})
            click(box(vendor));
        QVERIFY(!find()->isEnabled());
        QVERIFY(problem->text().startsWith(QStringLiteral("Vendors: nothing is ticked")));
    }

    void cancelledItLeavesNothing() {
        click(find());
        click(child<QPushButton>(m_buying, "cancelFinding"));
        QVERIFY(!m_buying->isBusy());
        QVERIFY(find()->isEnabled());
        QVERIFY(!child<QProgressBar>(m_buying)->isVisible());
        QVERIFY(waitForJobs(std::chrono::seconds(60)));
        QCoreApplication::processEvents();
        QVERIFY(!m_buying->found());
        QVERIFY(!m_buying->findChild<QWidget*>(QStringLiteral("buyAnswer")));
    }

    void eachOpensAsADesignAndTheSearchAsAStudy() {
        askLittle();
        retype(field("users"), QStringLiteral("8"));
        awaitAnswer();
        const auto found = m_buying->found();
        QVERIFY(found->robust.system);
        auto shown = cards();
        QCOMPARE(child<QPushButton>(shown.front(), "pinFound")->isVisible(), false);
        click(child<QPushButton>(shown.front(), "openFound"));
        QVERIFY(!m_window->isStartPageShown());
        QCOMPARE(m_window->workspace(), Workspace::Design);
        const auto& best = found->lists.front().systems.front();
        auto opened = m_test->scenario();
        opened.name = best.design.name;
        QCOMPARE(engine::scenarioKey(opened), engine::scenarioKey(best.design));
        QVERIFY(m_test->document().title().contains(QString::fromStdString(best.name).section(u',', 0, 0)));

        m_window->showStartPage(); // the answer is still there
        shown = cards();
        click(child<QPushButton>(shown.back(), "openFound")); // the robust best
        opened = m_test->scenario();
        opened.name = found->robust.system->design.name;
        QCOMPARE(engine::scenarioKey(opened), engine::scenarioKey(found->robust.system->design));

        m_window->showStartPage();
        click(child<QPushButton>(cards().front(), "compareFound"));
        QCOMPARE(m_window->workspace(), Workspace::Compare);

        m_window->showStartPage();
        click(child<QPushButton>(m_buying, "buyStudy"));
        QTRY_COMPARE_WITH_TIMEOUT(m_window->workspace(), Workspace::Explore, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(m_test->explore().study(), 120000);
        QTRY_COMPARE_WITH_TIMEOUT(m_test->explore().study()->table.rows(), found->simulated.size(), 120000);
    }
};

WIDGET_TEST(WhatToBuyTest)

#include "what_to_buy_test.moc"
