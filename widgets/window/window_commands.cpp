// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/window_commands.h"

#include "engine/version.h"
#include "widgets/canvas/canvas_notes.h"
#include "widgets/canvas/canvas_overlays.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/card_arranger.h"
#include "widgets/document/document.h"
#include "widgets/glossary/glossary.h"
#include "widgets/glossary/guide_window.h"
#include "widgets/results/load_panel.h"
#include "widgets/settings/settings.h"
#include "widgets/theme/theme.h"
#include "widgets/window/bottom_dock.h"
#include "widgets/window/command_palette.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/dock_layout.h"
#include "widgets/window/file_flow.h"
#include "widgets/window/metrics_strip.h"
#include "widgets/window/part_use.h"
#include "widgets/window/step_history.h"
#include "widgets/window/study_flow.h"
#include "widgets/window/tour.h"
#include "widgets/window/window_exports.h"
#include "widgets/window/window_manager.h"
#include "widgets/window/window_pieces.h"

#include <QActionGroup>
#include <QApplication>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QMainWindow>
#include <QMessageBox>
#include <QPushButton>
#include <QTableWidget>
#include <QUndoStack>
#include <QVBoxLayout>
#include <tuple>
#include <utility>

namespace heteroscape::widgets {

namespace {

struct HelpDialogsText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::HelpDialogs)
};

struct Key {
    QString keys;
    QString what;
};

std::vector<Key> keyTable(const CommandRegistry& commands) {
    std::vector<Key> keys;
    for (const auto& command : commands.commands())
        if (!command.action->shortcut().isEmpty())
            keys.push_back(
                {command.action->shortcut().toString(QKeySequence::NativeText),
                 command.group + QStringLiteral(": ") + command.action->text().remove(QLatin1Char('&'))});
    keys.push_back({HelpDialogsText::tr("Wheel"), HelpDialogsText::tr("Canvas: zoom at the pointer")});
    keys.push_back({HelpDialogsText::tr("Space + drag, middle drag"), HelpDialogsText::tr("Canvas: pan")});
    keys.push_back(
        {HelpDialogsText::tr("Drag from port to port"), HelpDialogsText::tr("Canvas: link two devices")});
    keys.push_back({HelpDialogsText::tr("Drag from a note\u2019s edge"),
                    HelpDialogsText::tr("Canvas: draw the note\u2019s arrow")});
    keys.push_back(
        {HelpDialogsText::tr("Shift + click"), HelpDialogsText::tr("Canvas: add to the selection")});
    keys.push_back({HelpDialogsText::tr("Alt + drag"), HelpDialogsText::tr("Canvas: duplicate")});
    keys.push_back(
        {HelpDialogsText::tr("Arrows"), HelpDialogsText::tr("Canvas: move by 8, with Shift by 1")});
    keys.push_back(
        {HelpDialogsText::tr("+ and \u2212"), HelpDialogsText::tr("Canvas: one device more or less")});
    keys.push_back({HelpDialogsText::tr("Tab"), HelpDialogsText::tr("Canvas: next device, link or note")});
    keys.push_back({HelpDialogsText::tr("Wheel, + and \u2212"), HelpDialogsText::tr("Timeline: zoom")});
    keys.push_back({HelpDialogsText::tr("Drag, Left and Right"), HelpDialogsText::tr("Timeline: move")});
    keys.push_back(
        {HelpDialogsText::tr("Home, End"), HelpDialogsText::tr("Timeline: one layer, the whole step")});
    keys.push_back({HelpDialogsText::tr("Up and Down, Ctrl + Left and Right"),
                    HelpDialogsText::tr("Timeline: walk through the lanes and their segments")});
    keys.push_back({HelpDialogsText::tr("Esc"),
                    HelpDialogsText::tr("Fields: back to the value from before; canvas: cancel a drag")});
    keys.push_back(
        {HelpDialogsText::tr("Up and Down"), HelpDialogsText::tr("Fields: one step in whole numbers")});
    keys.push_back(
        {HelpDialogsText::tr("Ctrl + wheel"),
         HelpDialogsText::tr("The field with the focus: step by step; without Ctrl the wheel scrolls")});
    return keys;
}

} // namespace

void showShortcuts(const CommandRegistry& commands, QWidget* parent) {
    QDialog dialog(parent);
    dialog.setWindowTitle(HelpDialogsText::tr("Keyboard shortcuts"));
    const auto keys = keyTable(commands);
    auto* table = new QTableWidget(static_cast<int>(keys.size()), 2, &dialog);
    table->setAccessibleName(HelpDialogsText::tr("Keyboard shortcuts"));
    table->setTabKeyNavigation(false); // Tab leads on to the button
    table->setHorizontalHeaderLabels({HelpDialogsText::tr("Keys"), HelpDialogsText::tr("What they do")});
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setStretchLastSection(true);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    for (int row = 0; row < table->rowCount(); ++row) {
        const auto& key = keys[static_cast<std::size_t>(row)];
        table->setItem(row, 0, new QTableWidgetItem(key.keys));
        table->setItem(row, 1, new QTableWidgetItem(key.what));
    }
    table->resizeColumnToContents(0);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, &dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    auto* column = new QVBoxLayout(&dialog);
    column->addWidget(table);
    column->addWidget(buttons);
    dialog.resize(560, 560);
    dialog.exec();
}

void showAbout(QWidget* parent) {
    const auto version = QString::fromUtf8(engine::kVersion);
    QMessageBox box(parent);
    box.setWindowTitle(HelpDialogsText::tr("About Heteroscape"));
    box.setIconPixmap(Theme::instance().pixmap(
        QStringLiteral("logo"), Theme::instance().color(ColorRole::Accent), 48, parent->devicePixelRatioF()));
    box.setText(HelpDialogsText::tr("Heteroscape %1").arg(version));
    box.setInformativeText(HelpDialogsText::tr(
        "Explores the hardware that serves large language models: drag devices onto a canvas, choose a model "
        "and a workload, and see how fast it is, what it costs and where the time goes.\n\n"
        "Free software under the GNU General Public License, version 3 or later. Comes without any "
        "warranty."));
    box.exec();
}

WindowCommands::WindowCommands(const WindowPieces& window) : QObject(window.widget), m_window(window) {
    makeFileCommands();
    makeEditCommands();
    makeArrangeCommands();
    m_window.partUse->addCommands();
    makeViewCommands();
    m_window.studies->addCommands();
    makeHelpCommands();
}

void WindowCommands::makeFileCommands() {
    const auto add = m_window.commands->in(tr("File"));
    add("file.new", tr("&New design"), QKeySequence::New, "file", [this] { m_window.files->newDesign(); });
    add("file.newWindow", tr("New &window"), Qt::CTRL | Qt::SHIFT | Qt::Key_N, "", [this] {
        m_window.manager->newWindow();
    })->setEnabled(m_window.manager);
    add("file.close", tr("&Close the window"), QKeySequence::Close, "", [this] { m_window.widget->close(); });
    add("file.open", tr("&Open\u2026"), QKeySequence::Open, "folder", [this] { m_window.files->open(); });
    add("file.save", tr("&Save"), QKeySequence::Save, "save", [this] { m_window.files->save(); });
    add("file.saveAs", tr("Save &as\u2026"), Qt::CTRL | Qt::SHIFT | Qt::Key_S, "",
        [this] { m_window.files->saveAs(); });
    add("file.importModel", tr("Import a &model (config.json)\u2026"), {}, "",
        [this] { m_window.files->importModel(); });
    add("file.pasteLaunch", tr("New from launch &commands in the clipboard"), {}, "",
        [this] { m_window.files->pasteLaunch(); });
    add("file.export", tr("&Export\u2026"), Qt::CTRL | Qt::Key_E, "export",
        [this] { m_window.exports->exportShown(); });
    add("file.report", tr("&Report\u2026"), {}, "book", [this] { m_window.exports->makeReport(); });
    add("file.quit", tr("&Quit"), Qt::CTRL | Qt::Key_Q, "",
        [this] { m_window.manager ? m_window.manager->quit() : m_window.widget->close(); });
}

void WindowCommands::makeEditCommands() {
    const auto add = m_window.commands->in(tr("Edit"));
    auto* stack = m_window.document->undoStack();
    auto* undo = add("edit.undo", tr("Undo"), Qt::CTRL | Qt::Key_Z, "undo",
                     [this, stack] { m_window.steps->goTo(stack->index() - 1); });
    auto* redo = add("edit.redo", tr("Redo"), Qt::CTRL | Qt::SHIFT | Qt::Key_Z, "redo",
                     [this, stack] { m_window.steps->goTo(stack->index() + 1); });
    undo->setEnabled(stack->canUndo());
    redo->setEnabled(stack->canRedo());
    connect(stack, &QUndoStack::canUndoChanged, undo, &QAction::setEnabled);
    connect(stack, &QUndoStack::canRedoChanged, redo, &QAction::setEnabled);
    const auto name = [](QAction* action, const QString& verb, QString step) {
        action->setText(step.isEmpty() ? verb
                                       : verb + QLatin1Char(' ') + step.replace(u'&', QStringLiteral("&&")));
    };
    connect(stack, &QUndoStack::undoTextChanged, undo,
            [undo, name](const QString& step) { name(undo, tr("Undo"), step); });
    connect(stack, &QUndoStack::redoTextChanged, redo,
            [redo, name](const QString& step) { name(redo, tr("Redo"), step); });
    add("edit.history", tr("&History\u2026"), Qt::CTRL | Qt::Key_H, "clock",
        [this] { m_window.steps->showAll(); });
    add("edit.cut", tr("Cu&t"), QKeySequence::Cut, "", [this] { m_window.canvas->edits().cut(); });
    add("edit.copy", tr("&Copy"), QKeySequence::Copy, "", [this] { m_window.canvas->edits().copy(); });
    add("edit.copyPython", tr("Copy as P&ython"), {}, "", [this] { m_window.exports->copyPython(); });
    add("edit.copyCommand", tr("Copy as co&mmand"), {}, "", [this] { m_window.exports->copyCommand(); });
    add("edit.copyLaunch", tr("Copy &launch commands (vLLM, SGLang, TensorRT-LLM)"), {}, "",
        [this] { m_window.exports->copyLaunch(); });
    add("edit.paste", tr("Pa&ste"), QKeySequence::Paste, "", [this] { m_window.canvas->edits().paste(); });
    add("edit.delete", tr("&Delete"), Qt::Key_Delete, "trash", [this] { m_window.canvas->edits().remove(); });
    add("edit.duplicate", tr("D&uplicate"), Qt::CTRL | Qt::Key_D, "duplicate",
        [this] { m_window.canvas->edits().duplicate(); });
    add("edit.selectAll", tr("Select &all"), Qt::CTRL | Qt::Key_A, "",
        [this] { m_window.canvas->edits().selectAll(); });
    add("edit.note", tr("Add a &note"), Qt::Key_N, "note", [this] { m_window.canvas->notes().add(); });
    add("edit.pin", tr("&Pin as baseline"), Qt::Key_B, "pin", [this] { m_window.metrics->pinBaseline(); });
    add("edit.unpin", tr("Clear the pins"), Qt::SHIFT | Qt::Key_B, "",
        [this] { m_window.document->pins().clear(); });
}

void WindowCommands::makeArrangeCommands() {
    const auto add = m_window.commands->in(tr("Arrange"));
    const auto keys = [](Qt::Key key) { return QKeySequence(Qt::ALT | Qt::SHIFT | key); };
    const std::tuple<const char*, Align, Qt::Key> alignments[] = {
        {"arrange.left", Align::Left, Qt::Key_Left},    {"arrange.centre", Align::Centre, Qt::Key_C},
        {"arrange.right", Align::Right, Qt::Key_Right}, {"arrange.top", Align::Top, Qt::Key_Up},
        {"arrange.middle", Align::Middle, Qt::Key_M},   {"arrange.bottom", Align::Bottom, Qt::Key_Down}};
    for (const auto& [id, how, key] : alignments)
        add(id, arrangeText(how), keys(key), "",
            [this, which = how] { m_window.canvas->arranger()->align(which); });
    add("arrange.across", arrangeText(Distribute::Horizontally), keys(Qt::Key_H), "",
        [this] { m_window.canvas->arranger()->distribute(Distribute::Horizontally); });
    add("arrange.down", arrangeText(Distribute::Vertically), keys(Qt::Key_V), "",
        [this] { m_window.canvas->arranger()->distribute(Distribute::Vertically); });
    add("arrange.layOut", tr("Lay out from left to right"), Qt::CTRL | Qt::Key_L, "",
        [this] { m_window.canvas->arranger()->layOut(LayoutDirection::LeftToRight); });
    add("arrange.layOutDown", tr("Lay out from top to bottom"), Qt::CTRL | Qt::SHIFT | Qt::Key_L, "",
        [this] { m_window.canvas->arranger()->layOut(LayoutDirection::TopDown); });
}

void WindowCommands::makeViewCommands() {
    const auto add = m_window.commands->in(tr("View"));
    const QString names[kWorkspaceCount] = {tr("&Design"), tr("&Explore"), tr("&Roofline"), tr("&Compare")};
    const char* const icons[kWorkspaceCount] = {"design", "explore", "roofline", "compare"};
    for (int i = 0; i < kWorkspaceCount; ++i)
        add(QStringLiteral("view.workspace%1").arg(i + 1), names[i],
            QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + i)), icons[i],
            [this, i] { m_window.workspaces->show(static_cast<Workspace>(i)); });
    for (auto* dock : m_window.widget->findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        auto* show = add(QStringLiteral("view.") + dock->objectName(), dock->windowTitle(), {}, "", {});
        show->setCheckable(true);
        show->setChecked(true);
        connect(show, &QAction::toggled, m_window.docks, &DockLayout::apply);
        connect(dock, &QDockWidget::visibilityChanged, this, [this, dock, show] {
            if (m_window.workspaces->isDesignShown() && m_window.widget->isVisible() &&
                dock->isHidden()) // closed by its own button
                show->setChecked(false);
        });
        if (dock->features().testFlag(QDockWidget::DockWidgetFloatable))
            add(QStringLiteral("view.float.") + dock->objectName(),
                tr("Float or dock the %1").arg(dock->windowTitle().toLower()), {}, "",
                [dock] { dock->setFloating(!dock->isFloating()); });
    }
    const auto showPage = [this](BottomDock::Page page) {
        m_window.workspaces->show(Workspace::Design);
        m_window.commands->action(QStringLiteral("view.BottomDock"))->setChecked(true);
        m_window.bottom->showPage(page);
    };
    add("view.timeline", tr("Show the &timeline"), Qt::CTRL | Qt::Key_T, "timeline",
        [showPage] { showPage(BottomDock::Page::Timeline); });
    add("view.requests", tr("Show the re&quests"), {}, "play",
        [showPage] { showPage(BottomDock::Page::Requests); });
    add("view.latency", tr("Show the &latency of requests"), {}, "clock",
        [showPage] { showPage(BottomDock::Page::Latency); });
    add("view.load", tr("Show the l&oad"), {}, "explore", [showPage] { showPage(BottomDock::Page::Load); });
    add("view.largestLoad", tr("Largest load within limits"), {}, "explore", [this, showPage] {
        showPage(BottomDock::Page::Load);
        m_window.bottom->load()->largest()->click();
    });
    add("view.messages", tr("Show the &messages"), {}, "table",
        [showPage] { showPage(BottomDock::Page::Messages); });
    add("view.zoomIn", tr("Zoom &in"), Qt::CTRL | Qt::Key_Plus, "plus",
        [this] { m_window.canvas->camera().zoomIn(); });
    add("view.zoomOut", tr("Zoom &out"), Qt::CTRL | Qt::Key_Minus, "minus",
        [this] { m_window.canvas->camera().zoomOut(); });
    add("view.zoom100", tr("&100 %"), Qt::CTRL | Qt::Key_0, "",
        [this] { m_window.canvas->camera().setZoom(1.0); });
    add("view.fit", tr("&Fit the system"), Qt::Key_F, "fit", [this] { m_window.canvas->camera().fitAll(); });
    add("view.fitSelection", tr("Fit the &selection"), Qt::SHIFT | Qt::Key_F, "",
        [this] { m_window.canvas->camera().fitSelection(); });
    const auto toggle = [&](const char* id, const QString& text, bool on, auto changed) {
        auto* action = add(id, text, {}, "", {});
        action->setCheckable(true);
        action->setChecked(on);
        changed(on);
        connect(action, &QAction::toggled, this, changed);
    };
    toggle("view.snap", tr("S&nap to grid"), m_window.settings->snapsToGrid(), [this](bool on) {
        m_window.settings->setSnapsToGrid(on);
        m_window.canvas->placing().setSnaps(on);
    });
    toggle("view.miniMap", tr("&Mini-map"), m_window.settings->showsMiniMap(), [this](bool on) {
        m_window.settings->setShowsMiniMap(on);
        m_window.canvas->miniMap()->setShown(on);
    });
    add("view.theme", tr("Switch between light and dark"), {}, "",
        [this] { setThemeMode(Theme::instance().isDark() ? ThemeMode::Light : ThemeMode::Dark); });
    auto* modes = new QActionGroup(this);
    const std::pair<ThemeMode, QString> entries[] = {{ThemeMode::System, tr("Theme of the &system")},
                                                     {ThemeMode::Light, tr("&Light theme")},
                                                     {ThemeMode::Dark, tr("Da&rk theme")}};
    for (const auto& [mode, text] : entries) {
        auto* action = add(QStringLiteral("view.theme%1").arg(static_cast<int>(mode)), text, {}, "",
                           [this, which = mode] { setThemeMode(which); });
        action->setCheckable(true);
        modes->addAction(action);
    }
    add("view.reset", tr("Reset the layout"), {}, "", [this] { m_window.docks->reset(); });
}

void WindowCommands::setThemeMode(ThemeMode mode) {
    m_window.settings->setThemeMode(mode);
    Theme::instance().setMode(mode);
}

void WindowCommands::makeHelpCommands() {
    const auto add = m_window.commands->in(tr("Help"));
    add("help.start", tr("S&tart page"), {}, "logo", [this] { m_window.start->show(); });
    add("help.commands", tr("&Search or run a command\u2026"), Qt::CTRL | Qt::Key_K, "search",
        [this] { openCommandSearch(m_window); });
    add("help.guide", tr("&Guide"), {}, "book", [this] { showGuide(m_window.widget); });
    add("help.here", tr("Guide to what is &here"), Qt::Key_F1, "help",
        [this] { showGuide(m_window.widget, linkOfWhatIsHere(QApplication::focusWidget())); });
    add("help.shortcuts", tr("&Keyboard shortcuts"), Qt::CTRL | Qt::Key_F1, "help",
        [this] { showShortcuts(*m_window.commands, m_window.widget); });
    add("help.whats_this", tr("&What is this?"), Qt::SHIFT | Qt::Key_F1, "help", [] { tellWhatThisIs(); });
    add("help.tour", tr("&Tour"), {}, "play", [this] { m_window.tour->begin(); });
    add("help.about", tr("&About Heteroscape"), {}, "info", [this] { showAbout(m_window.widget); });
}

} // namespace heteroscape::widgets

#include "moc_window_commands.cpp"
