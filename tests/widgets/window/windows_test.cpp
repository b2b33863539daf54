// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/file.h"
#include "engine/claims/claims.h"
#include "engine/scenario/scenario_json.h"
#include "engine/store/store.h"
#include "test_window.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/hand.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/document/recovery_store.h"
#include "widgets/explore/explore_workspace.h"
#include "widgets/explore/study_list.h"
#include "widgets/explore/study_setup.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/number_edit.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/start/recovery_list.h"
#include "widgets/start/start_page.h"
#include "widgets/start/start_tile.h"
#include "widgets/theme/text_label.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/context_bar.h"
#include "widgets/window/file_flow.h"
#include "widgets/window/main_window.h"
#include "widgets/window/status_line.h"
#include "widgets/window/window_manager.h"

#include <QApplication>
#include <QCheckBox>
#include <QDir>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace heteroscape;
using namespace heteroscape::widgets;

namespace {

constexpr auto kWindowsPreset = "glitches/a100-7u280";

} // namespace

class WindowsTest : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_user = {};
        m_user.answer = FilePrompts::Answer::Cancel;
        m_store = std::make_shared<RecoveryStore>(m_folder->filePath(QStringLiteral("autosave")));
        m_manager = std::make_unique<WindowManager>(
            shippedCatalog(),
            WindowManager::Options{m_folder->filePath(QStringLiteral("studies.sqlite")),
                                   m_folder->filePath(QStringLiteral("settings.ini")), m_store});
    }
    void cleanup() {
        m_manager.reset();
        m_store.reset();
        m_folder.reset();
    }

    void aNewWindowHasADesignOfItsOwn() {
        auto* first = open();
        first->document()->openPreset(kWindowsPreset);
        QTest::keyClick(first, Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(m_manager->windows().size(), std::size_t{2});
        auto* second = m_manager->windows().back();
        QVERIFY(second->isVisible());
        QVERIFY(second->document()->scenario().nodes.empty());
        QVERIFY(!first->document()->scenario().nodes.empty());
        second->document()->set("workload.batch", "2");
        QVERIFY(!first->document()->isModified());
        QVERIFY(second->pos() != first->pos());
    }

    void aFileIsOpenedOnceAndAnEmptyWindowGivesWay() {
        const auto a = designFile(QStringLiteral("a.hscape"), 3),
                   b = designFile(QStringLiteral("b.hscape"), 4);
        auto* first = open();
        QVERIFY(first->files()->openPath(a)); // untouched and empty: here
        QCOMPARE(m_manager->windows().size(), std::size_t{1});
        QVERIFY(first->files()->openPath(b)); // in a window of its own, without a question
        QCOMPARE(m_manager->windows().size(), std::size_t{2});
        auto* second = m_manager->windows().back();
        second->files()->setPrompts(m_user.prompts());
        QCOMPARE(first->document()->path(), a);
        QCOMPARE(second->document()->path(), b);
        // Again, by another name: its window comes forward.
        QDir(m_folder->path()).mkdir(QStringLiteral("sub"));
        QVERIFY(second->files()->openPath(m_folder->filePath(QStringLiteral("sub/../a.hscape"))));
        QCOMPARE(m_manager->windows().size(), std::size_t{2});
        QTRY_COMPARE(QApplication::activeWindow(), first);
        QVERIFY(m_user.asked.isEmpty());
    }

    void whatCannotBeOpenedLeavesEverythingAsItWas() {
        auto* window = open();
        window->document()->openPreset(kWindowsPreset);
        const auto before = window->document()->scenario();
        const auto newer = m_folder->filePath(QStringLiteral("newer.hscape"));
        auto text = engine::scenarioText(before);
        const auto at = text.find("\"formatVersion\": ");
        text.replace(at, text.find(',', at) - at, "\"formatVersion\": 999");
        engine::writeFileAtomically(newer.toStdString(), text);
        const auto broken = m_folder->filePath(QStringLiteral("broken.hscape"));
        engine::writeFileAtomically(broken.toStdString(), "{\"format\": ");
        QDir(m_folder->path()).mkdir(QStringLiteral("folder.hscape"));
        const auto folder = m_folder->filePath(QStringLiteral("folder.hscape"));
        const std::pair<QString, QString> cases[] = {{newer, QStringLiteral("999")},
                                                     {broken, QStringLiteral("broken.hscape")},
                                                     {folder, QStringLiteral("folder")}};
        for (const auto& [path, word] : cases) {
            m_user.errors.clear();
            QVERIFY(!window->files()->openPath(path));
            QCOMPARE(m_user.errors.size(), 1);
            QVERIFY2(m_user.errors.first().contains(word), qPrintable(m_user.errors.first()));
            QCOMPARE(m_manager->windows().size(), std::size_t{1});
            QVERIFY(window->document()->scenario() == before);
        }
    }

    void cancelKeepsAllWindows() {
        auto* first = changed(3);
        auto* second = changed(4);
        auto* third = open(); // nothing to lose: not asked about
        m_user.answers = {FilePrompts::Answer::Discard, FilePrompts::Answer::Cancel};
        QTest::keyClick(third, Qt::Key_Q, Qt::ControlModifier);
        QCOMPARE(m_user.asked.size(), 2);
        QCOMPARE(m_manager->windows().size(), std::size_t{3});
        QVERIFY(first->document()->isModified()); // not lost although the first answer was to discard
        QVERIFY(first->isVisible() && second->isVisible());
        QVERIFY(QFileInfo::exists(first->autosave()->file()) || first->autosave()->saveNow());

        m_user.answers = {FilePrompts::Answer::Discard, FilePrompts::Answer::Save};
        m_user.savePath = m_folder->filePath(QStringLiteral("kept.hscape"));
        const QPointer<MainWindow> gone(first);
        third->commands()->action(QStringLiteral("file.quit"))->trigger();
        QTRY_VERIFY(m_manager->windows().empty());
        QTRY_VERIFY(!gone);
        QVERIFY(QFileInfo::exists(m_user.savePath));
        QCOMPARE(countOf(engine::loadScenario(m_user.savePath.toStdString(), *shippedCatalog())), 4.0);
        QCOMPARE(m_user.asked.size(), 4);
        QTRY_VERIFY(QDir(m_store->folder()).entryList({QStringLiteral("*.hscape")}).isEmpty());
    }

    void closingAsksForItsOwnWindow() {
        auto* first = changed(3);
        auto* second = changed(4);
        m_user.answers = {FilePrompts::Answer::Cancel};
        QVERIFY(!second->close());
        QCOMPARE(m_user.asked.size(), 1);
        m_user.answers = {FilePrompts::Answer::Discard};
        QVERIFY(second->close());
        QTRY_COMPARE(m_manager->windows().size(), std::size_t{1});
        QVERIFY(first->document()->isModified());
        m_user.answers = {FilePrompts::Answer::Cancel, FilePrompts::Answer::Cancel};
        activate(first);
        QTest::keyClick(first, Qt::Key_N, Qt::ControlModifier);
        QVERIFY(!first->files()->openPreset(kWindowsPreset));
        QCOMPARE(m_user.asked.size(), 4);
        QCOMPARE(countOf(first->document()->scenario()), 3.0);
    }

    void theEndOfTheSessionAsksOrKeeps() {
        auto* window = changed(3);
        m_user.answers = {FilePrompts::Answer::Cancel};
        QVERIFY(!m_manager->commitSession(true));
        QVERIFY(window->document()->isModified());
        QVERIFY(m_manager->commitSession(false)); // nobody can be asked
        QCOMPARE(m_user.asked.size(), 1);
        QVERIFY(QFileInfo::exists(window->autosave()->file()));
        QCOMPARE(countOf(engine::loadScenario(window->autosave()->file().toStdString(), *shippedCatalog())),
                 3.0);
    }

    void leftDesignsAreOfferedRecoveredAndDiscarded() {
        leave({{QStringLiteral("one.hscape"), 3}, {QStringLiteral("two.hscape"), 4}, {{}, 5}});
        engine::writeFileAtomically(
            QDir(m_store->folder()).filePath(QStringLiteral("999999-0badcafe-9.hscape")).toStdString(), "{");
        auto* window = open();
        window->showStartPage();
        auto* list = child<RecoveryList>(window->start().page());
        QTRY_VERIFY(list->isVisible());
        QCOMPARE(list->entries().size(), std::size_t{4});
        const auto row = [&](const char* word) -> const QWidget* {
            for (const auto* one : list->findChildren<QWidget*>("recoverable"))
                if (words(one).contains(QLatin1String(word)))
                    return one;
            return nullptr;
        };
        const auto* broken = row("cannot be read");
        QVERIFY(broken && !child<QPushButton>(broken, "recover")->isEnabled());
        QVERIFY(words(broken).contains(QStringLiteral("0badcafe")));
        QVERIFY(row("one.hscape"));
        QVERIFY(words(row("one.hscape")).contains(QStringLiteral("3 nodes")));
        QVERIFY(words(row("one.hscape")).contains(m_folder->path()));
        QVERIFY(row("never saved"));

        bool sure = false;
        list->setConfirm([&](int) { return sure; });
        QTest::mouseClick(child<QPushButton>(row("two.hscape"), "discard"), Qt::LeftButton);
        QCOMPARE(list->entries().size(), std::size_t{4});
        sure = true;
        QTest::mouseClick(child<QPushButton>(row("two.hscape"), "discard"), Qt::LeftButton);
        QCOMPARE(list->entries().size(), std::size_t{3});

        QTest::mouseClick(child<QPushButton>(list, "recoverAll"), Qt::LeftButton);
        QCOMPARE(m_manager->windows().size(), std::size_t{2}); // the first one here, the other beside it
        QStringList paths;
        for (auto* one : m_manager->windows()) {
            QVERIFY(one->document()->isModified());
            QVERIFY(!one->isStartPageShown());
            QVERIFY(QFileInfo::exists(one->autosave()->file())); // kept again, by this program
            paths << one->document()->path();
        }
        QVERIFY(paths.contains(m_folder->filePath(QStringLiteral("one.hscape"))));
        QVERIFY(paths.contains(QString()));
        const auto left = m_store->entries();
        QCOMPARE(left.size(), std::size_t{1}); // the broken one stays
        QVERIFY(!left.front().problem.isEmpty());
    }

    void aFileOnTheCommandLineDoesNotHideWhatWasLeft() {
        leave({{QStringLiteral("one.hscape"), 3}});
        auto* window = open();
        window->document()->openPreset(kWindowsPreset);
        window->start().offerRecovery();
        auto* list = window->findChild<RecoveryList*>(QString(), Qt::FindChildrenRecursively);
        for (auto* one : window->findChildren<RecoveryList*>())
            if (one->isVisible())
                list = one;
        QTRY_VERIFY(list->isVisible());
        QCOMPARE(list->entries().size(), std::size_t{1});
        QTest::mouseClick(child<QPushButton>(list, "recover"), Qt::LeftButton);
        QCOMPARE(m_manager->windows().size(), std::size_t{2}); // the preset stays where it is
        QVERIFY(m_store->entries().empty());
    }

    void filesAreTakenWhereverTheyFall() {
        const auto design = designFile(QStringLiteral("a.hscape"), 3);
        auto* window = open();
        window->document()->openPreset(kWindowsPreset);
        const QList<QWidget*> parts{window->canvas()->viewport(),
                                    child<NumberEdit>(window, "workload.batch")->findChild<QLineEdit*>(),
                                    window->inspector(), child<StatusLine>(window)};
        for (auto* part : parts) {
            QVERIFY(part);
            QVERIFY2(dropFiles(part, {design}), part->metaObject()->className());
            QCOMPARE(m_manager->windows().size(), std::size_t{2});
            delete m_manager->windows().back();
        }
        const auto other = designFile(QStringLiteral("b.hscape"), 4);
        QVERIFY(dropFiles(window->canvas()->viewport(), {design, other}));
        QCOMPARE(m_manager->windows().size(), std::size_t{3});
    }

    void aDroppedModelAndTraceChangeTheDesign() {
        auto* window = open();
        window->document()->openPreset(kWindowsPreset);
        const auto config = m_folder->filePath(QStringLiteral("config.json"));
        engine::writeFileAtomically(
            config.toStdString(),
            R"({"model_type": "qwen2", "_name_or_path": "Qwen/Own-7B", "hidden_size": 3584,
            "intermediate_size": 18944, "num_attention_heads": 28, "num_key_value_heads": 4,
            "num_hidden_layers": 28, "vocab_size": 152064})");
        const auto before = window->document()->scenario().model.id;
        QVERIFY(dropFiles(window->canvas()->viewport(), {config}));
        QVERIFY(window->document()->scenario().model.id != before);
        window->document()->undoStack()->undo();
        QCOMPARE(window->document()->scenario().model.id, before);
        const auto trace = m_folder->filePath(QStringLiteral("trace.csv"));
        engine::writeFileAtomically(trace.toStdString(),
                                    "arrival_s,prompt_tokens,output_tokens\n0,100,10\n1,200,20\n");
        QVERIFY(dropFiles(window->canvas()->viewport(), {trace}));
        QTRY_COMPARE(QString::fromStdString(window->document()->scenario().serving.trace.path), trace);
    }

    void anythingElseIsRefusedInOneLine() {
        auto* window = open();
        window->document()->openPreset(kWindowsPreset);
        const auto before = window->document()->scenario();
        const auto text = m_folder->filePath(QStringLiteral("notes.txt"));
        engine::writeFileAtomically(text.toStdString(), "words");
        const auto design = designFile(QStringLiteral("a.hscape"), 3);
        for (const auto& files :
             {QStringList{text}, QStringList{m_folder->path()}, QStringList{design, text}}) {
            child<StatusLine>(window)->clearMessage();
            QVERIFY(!dropFiles(window->canvas()->viewport(), files));
            const auto message = child<StatusLine>(window)->currentMessage();
            QVERIFY(message.contains(QStringLiteral(".hscape")));
            QVERIFY(!message.contains(QLatin1Char('\n')));
        }
        QVERIFY(window->document()->scenario() == before);
        QCOMPARE(m_manager->windows().size(), std::size_t{1});
    }

    void theStartPageLeadsToADesign() {
        auto* window = open();
        const auto file = designFile(QStringLiteral("recent.hscape"), 3);
        QVERIFY(window->files()->openPath(file));
        window->files()->newDesign();
        window->commands()->action(QStringLiteral("help.start"))->trigger();
        QVERIFY(window->isStartPageShown());
        auto* page = window->start().page();
        QVERIFY(page->isVisible());
        QVERIFY(!child<ContextBar>(window)->isVisible());
        QVERIFY(!window->inspector()->isVisible());
        QVERIFY(page->newButton()->hasFocus());
        QCOMPARE(page->recent().size(), std::size_t{1});
        QCOMPARE(page->cards().size(), std::size_t{3});
        for (const auto* card : page->cards()) // this program's own number, as the engine gives it
            QTRY_VERIFY_WITH_TIMEOUT(child<TextLabel>(card, "gain")->text().endsWith(QChar(0x00d7)), 30000);

        QTest::keyClick(page->newButton(), Qt::Key_Space);
        QVERIFY(!window->isStartPageShown());
        QVERIFY(child<ContextBar>(window)->isVisible());
        QVERIFY(window->inspector()->isVisible());

        window->showStartPage();
        auto* recent = page->recent().front();
        recent->setFocus();
        QTest::keyClick(recent, Qt::Key_Space);
        QCOMPARE(window->document()->path(), file);
        QVERIFY(!window->isStartPageShown());

        window->files()->newDesign();
        window->showStartPage();
        QTest::mouseClick(child<QPushButton>(page->cards().front(), "openPaper"), Qt::LeftButton);
        QVERIFY(!window->isStartPageShown());
        QVERIFY(!window->document()->scenario().nodes.empty());

        window->showStartPage(); // a design is open: any tab leads back to it
        const auto tab = child<TopBar>(window)->tabs()->tabRect(0).center();
        QTest::mouseClick(child<TopBar>(window)->tabs(), Qt::LeftButton, {}, tab);
        QVERIFY(!window->isStartPageShown());
        window->showStartPage();
        QTest::keyClick(window, Qt::Key_3, Qt::ControlModifier);
        QVERIFY(!window->isStartPageShown());
        QCOMPARE(window->workspace(), Workspace::Roofline);

        window->showStartPage();
        QTest::mouseClick(child<QPushButton>(page, "clearRecent"), Qt::LeftButton);
        QVERIFY(page->recent().empty());
        QTest::mouseClick(page->atStart(), Qt::LeftButton, {}, QPoint(8, page->atStart()->height() / 2));
        auto* next = open();
        next->showStartPage();
        QVERIFY(!next->start().page()->atStart()->isChecked()); // remembered
    }

    void twoWindowsShareOneStudyStore() {
        auto* first = open();
        auto* second = open();
        const auto explore = [](MainWindow* window) { return child<ExploreWorkspace>(window); };
        const auto finished = [&] {
            return !explore(first)->isRunning() && !explore(second)->isRunning() && explore(first)->study() &&
                   explore(second)->study();
        };
        // Both write at once: different studies, then the same one.
        QVERIFY(first->openStudy("preserve/fig7"));
        QVERIFY(second->openStudy("preserve/table1"));
        QTRY_VERIFY_WITH_TIMEOUT(finished(), 120000);
        const auto ids = [this] {
            engine::Store store(m_folder->filePath(QStringLiteral("studies.sqlite")).toStdString());
            std::vector<std::int64_t> whole;
            for (const auto& study : store.studies())
                whole.push_back(study.done == study.points ? study.id : -1);
            std::sort(whole.begin(), whole.end());
            return whole;
        };
        const auto fig7 = explore(first)->study()->table.info.id,
                   table1 = explore(second)->study()->table.info.id;
        QVERIFY(fig7 > 0 && table1 > 0 && fig7 != table1); // stored, not kept in memory
        QCOMPARE(ids(), (std::vector<std::int64_t>{std::min(fig7, table1), std::max(fig7, table1)}));
        const auto rows = explore(first)->study()->table.rows();
        QCOMPARE(rows, explore(first)->study()->definition.pointCount());
        QVERIFY(explore(second)->study()->table.rows() != rows);

        QVERIFY(second->openStudy("preserve/fig7"));
        first->commands()->action(QStringLiteral("study.run"))->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(finished() && explore(second)->study()->table.info.id == fig7, 120000);
        QCOMPARE(ids().size(), std::size_t{2});
        const auto& one = explore(first)->study()->table;
        const auto& other = explore(second)->study()->table;
        QCOMPARE(one.info.id, fig7);
        QCOMPARE(other.rows(), rows);
        const auto* had = one.find("latency_s");
        const auto* has = other.find("latency_s");
        for (std::size_t row = 0; row < rows; ++row)
            QCOMPARE(has->at(row), had->at(row));
        for (auto* window : {first, second}) {
            const auto* notice = explore(window)->findChild<NoticeBar*>();
            QVERIFY2(!notice->isVisible() || !notice->text().contains(QStringLiteral("not kept")),
                     qPrintable(notice->text()));
            QCOMPARE(explore(window)->findChild<StudyList*>()->count(), 2);
        }
        QVERIFY(m_user.errors.isEmpty());
    }

private:
    MainWindow* open() {
        auto* window = m_manager->makeWindow();
        window->files()->setPrompts(m_user.prompts());
        widgets::present(window);
        return window;
    }
    MainWindow* changed(int count) {
        auto* window = open();
        window->document()->openPreset(kWindowsPreset);
        window->document()->set("nodes.fpga.count", std::to_string(count));
        return window;
    }
    QString designFile(const QString& name, int count) {
        Document document(shippedCatalog());
        document.openPreset(kWindowsPreset);
        document.set("nodes.fpga.count", std::to_string(count));
        const auto path = m_folder->filePath(name);
        engine::saveScenario(document.scenario(), path.toStdString());
        return path;
    }
    static double countOf(const engine::Scenario& scenario) {
        return scenario.findNode({"fpga"})->count.value;
    }

    /// Autosaved designs of a program that is gone; without a name they were never saved.
    void leave(const QList<std::pair<QString, int>>& designs) {
        RecoveryStore store(m_store->folder());
        for (const auto& [name, count] : designs) {
            const auto stem = store.newStem();
            auto scenario = engine::loadPreset(*shippedCatalog(), kWindowsPreset, "test");
            scenario.findNode({"fpga"})->count.value = count;
            const auto title = name.isEmpty() ? QStringLiteral("Untitled") : name;
            engine::writeFileAtomically(
                RecoveryStore::noteFile(stem).toStdString(),
                RecoveryStore::noteText(title, name.isEmpty() ? QString() : m_folder->filePath(name)));
            engine::saveScenario(scenario, RecoveryStore::designFile(stem).toStdString());
        }
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<RecoveryStore> m_store;
    std::unique_ptr<WindowManager> m_manager;
    Answers m_user;
};

WIDGET_TEST(WindowsTest)
#include "windows_test.moc"
