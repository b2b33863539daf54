// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/autosave.h"
#include "widgets/document/recovery_store.h"
#include "widgets/inspector/inspector.h"
#include "widgets/start/recovery_list.h"
#include "widgets/start/start_page.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/context_bar.h"
#include "widgets/window/file_flow.h"
#include "widgets/window/main_window.h"
#include "widgets/window/status_line.h"
#include "widgets/window/window_manager.h"

#include "engine/base/error.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QDropEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QPushButton>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

// Where designs come from and where they are kept: start page, autosave, dropped files, the end of the
// window.

namespace heteroscape::widgets {

namespace {

enum class FileKind { Design, Model, Trace, Other };

FileKind fileKind(const QString& path) {
    const auto suffix = QFileInfo(path).suffix().toLower();
    if (QFileInfo(path).isDir())
        return FileKind::Other;
    return suffix == QStringLiteral("hscape") ? FileKind::Design
           : suffix == QStringLiteral("json") ? FileKind::Model
           : suffix == QStringLiteral("csv")  ? FileKind::Trace
                                              : FileKind::Other;
}

QStringList filesOf(const QMimeData* data) {
    QStringList files;
    for (const auto& url : data->urls())
        files << (url.isLocalFile() ? url.toLocalFile() : url.toString());
    return files;
}

/// Why the window does not take these files; empty when it does. One line.
QString dropRefusal(const QStringList& files) {
    auto only = MainWindow::tr("Drop a design (.hscape), a model\u2019s config.json or a trace of requests "
                               "(.csv).");
    if (files.isEmpty())
        return only;
    const bool designs = std::all_of(files.begin(), files.end(),
                                     [](const QString& file) { return fileKind(file) == FileKind::Design; });
    if (designs)
        return {};
    if (files.size() > 1)
        return MainWindow::tr("Several files at once must all be designs (.hscape).");
    if (QFileInfo(files.front()).isDir())
        return MainWindow::tr("%1 is a folder. %2").arg(QFileInfo(files.front()).fileName(), only);
    return fileKind(files.front()) == FileKind::Other
               ? MainWindow::tr("%1 is none of the files that can be dropped here. %2")
                     .arg(QFileInfo(files.front()).fileName(), only)
               : QString();
}

} // namespace

void MainWindow::makeStartPage() {
    m_start = new StartPage(m_document->sharedCatalog(), m_settings.get(), this);
    m_stack->addWidget(m_start); // after the workspaces
    connect(m_start, &StartPage::newRequested, this, [this] {
        if (m_files->isUntouched())
            leaveStartPage(); // it is there already
        else
            m_files->newDesign();
    });
    connect(m_start, &StartPage::openRequested, m_files, &FileFlow::open);
    connect(m_start, &StartPage::fileRequested, this, [this](const QString& path) {
        m_files->openPath(path);
        m_start->refreshRecent(); // one that is not there is forgotten
    });
    connect(m_start, &StartPage::presetRequested, m_files, &FileFlow::openPreset);
    connect(m_start, &StartPage::recoverRequested, this, &MainWindow::recover);
    connect(m_start, &StartPage::discardRequested, this, &MainWindow::discardRecovered);
    connect(m_document, &Document::reset, this, &MainWindow::leaveStartPage);
}

void MainWindow::makeAutosave(std::shared_ptr<RecoveryStore> store) {
    if (!store)
        return;
    m_autosave = new Autosave(m_document, std::move(store), this);
    connect(m_autosave, &Autosave::failed, this, [this](const QString& reason) {
        m_status->showMessage(
            tr("Changes cannot be kept for recovery: %1 Save the design yourself.").arg(reason),
            2 * StatusLine::kRefusedMs);
    });
}

void MainWindow::recover(const std::vector<RecoveryEntry>& entries) {
    if (!m_manager)
        return;
    for (const auto& entry : entries) {
        try {
            m_manager->recover(entry, this);
        } catch (const engine::Error& error) {
            m_files->showError(
                tr("The design cannot be recovered"),
                tr("%1\nIts file is kept: %2").arg(QString::fromStdString(error.what()), entry.file));
        }
    }
}

bool MainWindow::isStartPageShown() const {
    return m_stack->currentWidget() == m_start;
}

void MainWindow::showStartPage() {
    if (isStartPageShown())
        return;
    refreshStartPage();
    m_stack->setCurrentWidget(m_start);
    m_context->hide();
    m_top->showNoWorkspace();
    applyDocks();
    refreshCommands();
    m_start->newButton()->setFocus(Qt::OtherFocusReason);
}

void MainWindow::leaveStartPage() {
    if (isStartPageShown())
        setWorkspace(Workspace::Design);
}

void MainWindow::refreshStartPage() {
    if (m_manager && m_manager->recovery())
        m_start->setRecovery(m_manager->recovery()->entries());
    m_start->refreshRecent();
}

void MainWindow::offerRecovery() {
    if (!m_manager || !m_manager->recovery())
        return;
    auto* dialog = new QDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Recover designs"));
    auto* list = new RecoveryList(dialog);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    buttons->button(QDialogButtonBox::Close)->setText(tr("Decide later"));
    auto* column = new QVBoxLayout(dialog);
    column->addWidget(list);
    column->addWidget(buttons);
    const auto fill = [this, list, dialog] {
        list->setEntries(m_manager->recovery()->entries());
        if (list->entries().empty())
            dialog->close();
        dialog->adjustSize();
    };
    connect(list, &RecoveryList::recoverRequested, dialog, [this, fill](const auto& entries) {
        recover(entries);
        fill();
    });
    connect(list, &RecoveryList::discardRequested, dialog, [this, fill](const auto& entries) {
        discardRecovered(entries);
        fill();
    });
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    dialog->setMinimumWidth(640);
    dialog->open();
    fill();
}

void MainWindow::discardRecovered(const std::vector<RecoveryEntry>& entries) {
    for (const auto& entry : entries)
        RecoveryStore::discard(entry);
    if (m_manager)
        m_manager->recoveryChanged();
}

void MainWindow::rememberFile() {
    m_settings->addRecentFile(m_document->path());
}

void MainWindow::openFile(const QString& path) {
    m_document->openFile(path);
    rememberFile();
    leaveStartPage();
}

void MainWindow::closeWithoutAsking() {
    m_mayClose = true;
    close();
}

bool MainWindow::takeDrop(const QMimeData* dropped) {
    const auto files = filesOf(dropped);
    if (const auto refusal = dropRefusal(files); !refusal.isEmpty()) {
        m_status->showMessage(refusal, StatusLine::kRefusedMs);
        return false;
    }
    switch (fileKind(files.front())) {
    case FileKind::Design: {
        bool all = true;
        for (const auto& file : files)
            all = m_files->openPath(file) && all;
        return all;
    }
    case FileKind::Model:
        leaveStartPage();
        return m_files->importModelFrom(files.front());
    default:
        setWorkspace(Workspace::Design);
        m_inspectorDock->show();
        m_inspector->takeTrace(files.front()); // what is wrong with it stands there
        return true;
    }
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    event->ignore(); // files are taken in eventFilter(), wherever they are dragged
}

void MainWindow::dropEvent(QDropEvent* event) {
    event->ignore();
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    const auto type = event->type();
    if (type != QEvent::DragEnter && type != QEvent::DragMove && type != QEvent::Drop)
        return false;
    const auto* widget = qobject_cast<QWidget*>(watched);
    if (!widget || widget->window() != this)
        return false;
    auto* drop = static_cast<QDropEvent*>(event);
    if (!drop->mimeData()->hasUrls())
        return false; // a part, or a text for a field
    for (const auto* at = widget; at && at != this; at = at->parentWidget())
        if (at->property("takesFiles").toBool())
            return false;
    if (type == QEvent::Drop) {
        drop->acceptProposedAction();
        takeDrop(drop->mimeData());
        return true;
    }
    const auto refusal = dropRefusal(filesOf(drop->mimeData()));
    drop->setAccepted(refusal.isEmpty());
    if (refusal.isEmpty())
        drop->acceptProposedAction();
    else
        m_status->showMessage(refusal, StatusLine::kRefusedMs);
    return true;
}

} // namespace heteroscape::widgets
