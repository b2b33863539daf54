// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/claims/claims.h"
#include "tests/shipped_catalog.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/document/recovery_store.h"
#include "widgets/start/start_page.h"
#include "widgets/window/bottom_dock.h"
#include "widgets/window/command_palette.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/file_flow.h"
#include "widgets/window/main_window.h"
#include "widgets/window/step_history.h"
#include "widgets/window/window_commands.h"
#include "widgets/window/window_manager.h"

#include "engine/base/file.h"
#include "engine/scenario/scenario_json.h"
#include "tests/widgets/widget_test.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QGraphicsView>
#include <QHeaderView>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QScrollBar>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>

using namespace heteroscape;
using namespace heteroscape::widgets;

namespace {

bool isControl(const QWidget* widget) {
    return qobject_cast<const QAbstractButton*>(widget) || qobject_cast<const QLineEdit*>(widget) ||
           qobject_cast<const QComboBox*>(widget) || qobject_cast<const QAbstractSpinBox*>(widget) ||
           qobject_cast<const QAbstractItemView*>(widget) || qobject_cast<const QTabBar*>(widget) ||
           qobject_cast<const QAbstractSlider*>(widget) || qobject_cast<const QGraphicsView*>(widget);
}

/// A part of another control, which stands for it: the text of a spin box, the arrows of a tab bar, the head
/// of a table, the bars of a scrolled page.
bool isPartOfAnother(const QWidget* widget) {
    if (qobject_cast<const QScrollBar*>(widget) || qobject_cast<const QHeaderView*>(widget))
        return true;
    for (const auto* parent = widget->parentWidget(); parent; parent = parent->parentWidget())
        if (qobject_cast<const QAbstractSpinBox*>(parent) || qobject_cast<const QComboBox*>(parent) ||
            qobject_cast<const QTabBar*>(parent) || qobject_cast<const QLineEdit*>(parent) ||
            (qobject_cast<const QAbstractItemView*>(parent) && qobject_cast<const QAbstractButton*>(widget)))
            return true;
    return false;
}

QString nameOf(QWidget* widget) {
    auto* interface = QAccessible::queryAccessibleInterface(widget);
    return interface ? interface->text(QAccessible::Name).trimmed() : QString();
}

/// Whether the keyboard gets there: by Tab, or by a command that does the same.
bool isReachable(const QWidget* widget, const CommandRegistry& commands) {
    for (const auto* one = widget; one; one = one->focusProxy())
        if (one->focusPolicy() & Qt::TabFocus)
            return true;
    if (const auto* button = qobject_cast<const QToolButton*>(widget); button && button->defaultAction())
        for (const auto& command : commands.commands())
            if (command.action == button->defaultAction()) // in the command palette, and so one Ctrl+K away
                return true;
    return false;
}

QString describe(const QWidget* widget) {
    QStringList way;
    for (const auto* one = widget; one && way.size() < 4; one = one->parentWidget())
        way << QString::fromLatin1(one->metaObject()->className()).section(QStringLiteral("::"), -1) +
                   (one->objectName().isEmpty() ? QString() : QLatin1Char('#') + one->objectName());
    return way.join(QStringLiteral(" in ")) + QStringLiteral(" \u201c") +
           nameOf(const_cast<QWidget*>(widget)) + QStringLiteral("\u201d ") + widget->toolTip();
}

/// What is wrong with the controls that are shown in a window.
QStringList problems(QWidget* window, const CommandRegistry& commands, int& seen, const QWidget* reached) {
    QStringList found;
    for (auto* widget : window->findChildren<QWidget*>()) {
        if (!widget->isVisible() || !isControl(widget) || isPartOfAnother(widget))
            continue;
        ++seen;
        if (nameOf(widget).isEmpty())
            found << QStringLiteral("no name: ") + describe(widget);
        if (widget != reached && !isReachable(widget, commands))
            found << QStringLiteral("not reachable: ") + describe(widget);
    }
    return found;
}

} // namespace

/// Every control of the main window has a name for screen readers and is reached by the keyboard.
class AccessibilityTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        m_folder = std::make_unique<QTemporaryDir>();
        const auto folder = m_folder->filePath(QStringLiteral("autosave"));
        m_store = std::make_shared<RecoveryStore>(folder);
        m_manager = std::make_unique<WindowManager>(
            shippedCatalog(),
            WindowManager::Options{m_folder->filePath(QStringLiteral("studies.sqlite")),
                                   m_folder->filePath(QStringLiteral("settings.ini")), m_store});
        m_window = m_manager->makeWindow();
        m_window->resize(1600, 1000);
        m_window->document()->openPreset("glitches/a100-7u280");
        m_window->show();
        activate(m_window);
    }
    void cleanupTestCase() {
        m_manager.reset();
        m_store.reset();
    }

    void theDesignWithEverySubject() {
        m_window->setWorkspace(Workspace::Design);
        using Selection = Selection;
        const Selection subjects[] = {{},
                                      {{{"gpu"}}, {}},
                                      {{{"fpga"}}, {}},
                                      {{{"host"}}, {}},
                                      {{}, {m_window->document()->scenario().links.front().id}},
                                      {{{"gpu"}, {"fpga"}}, {}}};
        for (const auto& subject : subjects) {
            m_window->document()->select(subject);
            check(m_window);
        }
    }

    void everyPageOfTheBottomDock() {
        m_window->setWorkspace(Workspace::Design);
        for (int page = 0; page < child<QTabBar>(m_window->bottom())->count(); ++page) {
            m_window->bottom()->showPage(static_cast<BottomDock::Page>(page));
            check(m_window);
        }
        m_window->bottom()->setOpen(false);
        check(m_window);
        m_window->bottom()->setOpen(true);
    }

    void theOffloadingDesign() {
        m_window->document()->openPreset("inf2/opt-30b-a100-16csd");
        m_window->setWorkspace(Workspace::Design);
        for (const auto& node : m_window->document()->scenario().nodes) {
            m_window->document()->select({{node.id}, {}});
            check(m_window);
        }
    }

    void theEmptyDesign() {
        m_window->document()->newDesign();
        m_window->setWorkspace(Workspace::Design);
        check(m_window);
        m_window->document()->openPreset("glitches/a100-7u280");
    }

    void theNarrowWindow() {
        m_window->resize(1100, 700);
        QTRY_COMPARE(m_window->width(), 1100);
        check(m_window);
        m_window->resize(1600, 1000);
        QTRY_COMPARE(m_window->width(), 1600);
    }

    void theOtherWorkspaces() {
        for (const auto workspace : {Workspace::Explore, Workspace::Roofline, Workspace::Compare}) {
            m_window->setWorkspace(workspace);
            QTRY_VERIFY_WITH_TIMEOUT(!m_window->isBusy(), 60000);
            check(m_window);
        }
        m_window->commands()->action(QStringLiteral("study.search"))->trigger(); // the Find page
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->isBusy(), 60000);
        check(m_window);
        QVERIFY(m_window->openStudy("preserve/fig7"));
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->isBusy(), 120000);
        check(m_window);
        m_window->document()->openPreset("glitches/a100-7u280");
        m_window->setWorkspace(Workspace::Design);
    }

    void theStartPage() {
        leaveDesigns();
        m_window->showStartPage();
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->isBusy(), 60000);
        check(m_window);
        m_window->leaveStartPage();
    }

    void theDialogs() {
        leaveDesigns();
        m_window->start().offerRecovery();
        auto* recovery = m_window->findChild<QDialog*>();
        QVERIFY(recovery && recovery->isVisible());
        check(recovery);
        recovery->close();

        m_window->commands()->action(QStringLiteral("edit.history"))->trigger();
        auto* history = m_window->findChild<HistoryPopup*>();
        QVERIFY(history);
        check(history);
        history->close();

        auto* palette = m_window->openCommandPalette();
        // The keys of the list go through the search field, which keeps the focus.
        QVERIFY(child<QListWidget>(palette)->count() > 2);
        const int row = child<QListWidget>(palette)->currentRow();
        QTest::keyClick(child<QLineEdit>(palette), Qt::Key_Down);
        QCOMPARE(child<QListWidget>(palette)->currentRow(), row + 1);
        check(palette, child<QListWidget>(palette));
        palette->close();

        bool seen = false;
        QTimer::singleShot(0, this, [&] {
            auto* dialog = QApplication::activeModalWidget();
            QVERIFY(dialog);
            check(dialog);
            seen = true;
            dialog->close();
        });
        widgets::showShortcuts(*m_window->commands(), m_window);
        QVERIFY(seen);
    }

    void everyMenuEntryIsNamedAndACommand() {
        int entries = 0;
        for (auto* action : child<TopBar>(m_window)->menuBar()->actions()) {
            QVERIFY(!action->text().isEmpty());
            QVERIFY(action->menu());
            QVERIFY2(action->text().contains(QLatin1Char('&')), qPrintable(action->text())); // opens by Alt
            for (const auto* entry : action->menu()->actions()) {
                QVERIFY(entry->isSeparator() || !entry->text().isEmpty());
                ++entries;
            }
        }
        QVERIFY(entries > 30);
    }

private:
    /// `reached`: whose keys are checked by themselves.
    void check(QWidget* window, const QWidget* reached = nullptr) {
        QApplication::processEvents();
        int seen = 0;
        const auto found = problems(window, *m_window->commands(), seen, reached);
        QVERIFY2(found.isEmpty(), qPrintable(QLatin1Char('\n') + found.join(QLatin1Char('\n'))));
        QVERIFY(seen > 0);
    }
    void leaveDesigns() {
        RecoveryStore gone(m_store->folder());
        for (int i = 0; i < 2; ++i) {
            const auto stem = gone.newStem();
            engine::writeFileAtomically(RecoveryStore::noteFile(stem).toStdString(),
                                        RecoveryStore::noteText(QStringLiteral("mine.hscape"), {}));
            engine::saveScenario(m_window->document()->scenario(),
                                 RecoveryStore::designFile(stem).toStdString());
        }
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<RecoveryStore> m_store;
    std::unique_ptr<WindowManager> m_manager;
    MainWindow* m_window = nullptr;
};

WIDGET_TEST(AccessibilityTest)
#include "accessibility_test.moc"
