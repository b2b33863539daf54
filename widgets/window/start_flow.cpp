// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/start_flow.h"

#include "engine/base/error.h"
#include "widgets/document/document.h"
#include "widgets/document/recovery_store.h"
#include "widgets/start/recovery_list.h"
#include "widgets/start/start_page.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/file_flow.h"
#include "widgets/window/main_window.h"
#include "widgets/window/window_manager.h"
#include "widgets/window/window_pieces.h"
#include "widgets/window/workspaces.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QMainWindow>
#include <QPushButton>
#include <QVBoxLayout>

namespace heteroscape::widgets {

StartFlow::StartFlow(const WindowPieces& window, StartPage* page)
    : QObject(window.widget), m_window(window), m_page(page) {
    connect(m_page, &StartPage::newRequested, this, [this] {
        if (m_window.files->isUntouched())
            m_window.workspaces->leaveStart(); // it is there already
        else
            m_window.files->newDesign();
    });
    connect(m_page, &StartPage::openRequested, m_window.files, &FileFlow::open);
    connect(m_page, &StartPage::fileRequested, this, [this](const QString& path) {
        m_window.files->openPath(path);
        m_page->refreshRecent(); // one that is not there is forgotten
    });
    connect(m_page, &StartPage::presetRequested, m_window.files, &FileFlow::openPreset);
    connect(m_page, &StartPage::recoverRequested, this, &StartFlow::recover);
    connect(m_page, &StartPage::discardRequested, this, &StartFlow::discard);
    connect(m_window.document, &Document::reset, m_window.workspaces, &Workspaces::leaveStart);
}

void StartFlow::recover(const std::vector<RecoveryEntry>& entries) {
    if (!m_window.manager)
        return;
    for (const auto& entry : entries) {
        try {
            m_window.manager->recover(entry, static_cast<MainWindow*>(m_window.widget));
        } catch (const engine::Error& error) {
            m_window.files->showError(
                tr("The design cannot be recovered"),
                tr("%1\nIts file is kept: %2").arg(QString::fromStdString(error.what()), entry.file));
        }
    }
}

void StartFlow::discard(const std::vector<RecoveryEntry>& entries) {
    for (const auto& entry : entries)
        RecoveryStore::discard(entry);
    if (m_window.manager)
        m_window.manager->recoveryChanged();
}

void StartFlow::show() {
    if (m_window.workspaces->isStartShown())
        return;
    refresh();
    m_window.workspaces->enterStart();
    m_page->newButton()->setFocus(Qt::OtherFocusReason);
}

void StartFlow::refresh() {
    if (m_window.manager && m_window.manager->recovery())
        m_page->setRecovery(m_window.manager->recovery()->entries());
    m_page->refreshRecent();
}

void StartFlow::offerRecovery() {
    if (!m_window.manager || !m_window.manager->recovery())
        return;
    auto* dialog = new QDialog(m_window.widget);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Recover designs"));
    auto* list = new RecoveryList(dialog);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    buttons->button(QDialogButtonBox::Close)->setText(tr("Decide later"));
    auto* column = new QVBoxLayout(dialog);
    column->addWidget(list);
    column->addWidget(buttons);
    const auto fill = [this, list, dialog] {
        list->setEntries(m_window.manager->recovery()->entries());
        if (list->entries().empty())
            dialog->close();
        dialog->adjustSize();
    };
    connect(list, &RecoveryList::recoverRequested, dialog, [this, fill](const auto& entries) {
        recover(entries);
        fill();
    });
    connect(list, &RecoveryList::discardRequested, dialog, [this, fill](const auto& entries) {
        discard(entries);
        fill();
    });
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    dialog->setMinimumWidth(640);
    dialog->open();
    fill();
}

} // namespace heteroscape::widgets
