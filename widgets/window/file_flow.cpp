// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/file_flow.h"

#include "engine/base/error.h"
#include "engine/catalog/hugging_face.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/servers/launch.h"
#include "engine/timing/kernels/kernel_catalog.h"
#include "widgets/document/document.h"
#include "widgets/document/recovery_store.h"
#include "widgets/settings/settings.h"
#include "widgets/start/recovery_list.h"
#include "widgets/start/start_page.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/main_window.h"
#include "widgets/window/window_manager.h"
#include "widgets/window/window_pieces.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMainWindow>
#include <QMessageBox>
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

namespace {

FilePrompts dialogPrompts(QWidget* window) {
    FilePrompts prompts;
    prompts.askSave = [window](const QString& title) {
        QMessageBox box(QMessageBox::Warning, FileFlow::tr("Unsaved changes"),
                        FileFlow::tr("Save the changes to \u201c%1\u201d?").arg(title),
                        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, window);
        box.setInformativeText(FileFlow::tr("They are lost if you do not save them."));
        switch (box.exec()) {
        case QMessageBox::Save:
            return FilePrompts::Answer::Save;
        case QMessageBox::Discard:
            return FilePrompts::Answer::Discard;
        default:
            return FilePrompts::Answer::Cancel;
        }
    };
    prompts.askReplace = [window](const QString& path) {
        QMessageBox box(
            QMessageBox::Warning, FileFlow::tr("The file has changed"),
            FileFlow::tr("\u201c%1\u201d was saved by another program.").arg(QFileInfo(path).fileName()),
            QMessageBox::Cancel, window);
        box.setTextFormat(Qt::PlainText);
        box.setInformativeText(FileFlow::tr("Overwriting it loses what was saved there."));
        auto* saveAs = box.addButton(FileFlow::tr("Save as\u2026"), QMessageBox::AcceptRole);
        auto* overwrite = box.addButton(FileFlow::tr("Overwrite"), QMessageBox::DestructiveRole);
        box.setDefaultButton(saveAs);
        box.exec();
        return box.clickedButton() == overwrite ? FilePrompts::Replace::Overwrite
               : box.clickedButton() == saveAs  ? FilePrompts::Replace::SaveAs
                                                : FilePrompts::Replace::Cancel;
    };
    prompts.askOpenPath = [window](const QString& folder) {
        return QFileDialog::getOpenFileName(window, FileFlow::tr("Open a design"), folder,
                                            FileFlow::filter());
    };
    prompts.askSavePath = [window](const QString& suggestion) {
        return QFileDialog::getSaveFileName(window, FileFlow::tr("Save the design"), suggestion,
                                            FileFlow::filter());
    };
    prompts.askModelPath = [window](const QString& folder) {
        return QFileDialog::getOpenFileName(window, FileFlow::tr("Import a model (config.json)"), folder,
                                            FileFlow::tr("Models (*.json);;All files (*)"));
    };
    prompts.showError = [window](const QString& title, const QString& text) {
        QMessageBox box(QMessageBox::Critical, title, title, QMessageBox::Ok, window);
        box.setInformativeText(text);
        box.setTextInteractionFlags(Qt::TextSelectableByMouse);
        box.exec();
    };
    return prompts;
}

/// A title as a file's name: without what file systems refuse.
QString fileName(QString title) {
    for (const QChar c : QStringLiteral("/\\:*?\"<>|"))
        title.replace(c, QLatin1Char('-'));
    return title.endsWith(QStringLiteral(".hscape")) ? title : title + QStringLiteral(".hscape");
}

} // namespace

FileFlow::FileFlow(Document* document, Settings* settings, QWidget* window)
    : QObject(window), m_document(document), m_settings(settings), m_prompts(dialogPrompts(window)) {
    connect(&document->file(), &DesignFile::saved, this,
            [this](const QString& path) { m_settings->addRecentFile(path); });
    connect(&document->file(), &DesignFile::failed, this, [this](const QString& message) {
        m_prompts.showError(tr("The design cannot be saved"), message);
    });
}

QString FileFlow::filter() {
    return tr("Heteroscape designs (*.hscape);;All files (*)");
}

template <class Work>
bool FileFlow::attempt(const QString& title, Work work) {
    try {
        work();
        return true;
    } catch (const engine::Error& error) {
        m_prompts.showError(title, QString::fromStdString(error.what()));
        return false;
    }
}

bool FileFlow::mayDiscard() {
    emit settling();
    finishSaving();
    if (!m_document->isModified())
        return true;
    switch (m_prompts.askSave(m_document->title())) {
    case FilePrompts::Answer::Save:
        if (!save())
            return false;
        finishSaving();
        return !m_document->isModified();
    case FilePrompts::Answer::Discard:
        return true;
    case FilePrompts::Answer::Cancel:
        break;
    }
    return false;
}

bool FileFlow::newDesign() {
    if (!mayDiscard())
        return false;
    m_document->newDesign();
    return true;
}

bool FileFlow::openPreset(const std::string& id) {
    if (!mayDiscard())
        return false;
    return attempt(tr("The preset cannot be opened"), [&] { m_document->openPreset(id); });
}

bool FileFlow::openDesign(engine::Scenario design, const QString& name) {
    design.name = name.toStdString();
    if (m_document->path().isEmpty()) {
        m_document->replaceScenario(design, tr("Open %1").arg(name));
        return true;
    }
    if (!mayDiscard())
        return false;
    m_document->openRecovered(std::move(design), {});
    return true;
}

bool FileFlow::pasteLaunch() {
    const auto text = QGuiApplication::clipboard()->text();
    if (text.trimmed().isEmpty()) {
        showError(
            tr("The clipboard holds no text"),
            tr("Copy the commands that start vLLM, SGLang or TensorRT-LLM first, then take them here."));
        return false;
    }
    try {
        const auto& catalog = m_document->catalog();
        const engine::GpuServers servers(catalog, engine::shippedKernels());
        const engine::LaunchSurroundings around;
        std::vector<std::string> leftAside;
        auto design = engine::launchedDesign(servers, text.toStdString(), "clipboard", around, leftAside);
        for (const auto& words : leftAside)
            design.about += "\nSays nothing of a design: " + words;
        const auto model = QString::fromStdString(design.model.name);
        const auto device = QString::fromStdString(catalog.device(around.device, "device").name);
        return openDesign(std::move(design), tr("%1, launched on %2").arg(model, device));
    } catch (const engine::Error& error) {
        showError(tr("No launch commands"), QString::fromStdString(error.what()));
        return false;
    }
}

void FileFlow::remember() {
    m_settings->addRecentFile(m_document->path());
}

bool FileFlow::isUntouched() const {
    return !m_document->isModified() && m_document->path().isEmpty() &&
           m_document->scenario().nodes.empty() && m_document->undoStack()->count() == 0;
}

bool FileFlow::open() {
    if (!m_others.openInAnother && !mayDiscard()) // another window loses nothing of this one
        return false;
    const auto path = m_prompts.askOpenPath(m_settings->lastFolder());
    return !path.isEmpty() && (m_others.openInAnother ? openPath(path) : openHere(path));
}

bool FileFlow::openPath(const QString& path) {
    if (m_others.raise && m_others.raise(path))
        return true;
    if (!m_others.openInAnother)
        return mayDiscard() && openHere(path);
    if (isUntouched())
        return openHere(path);
    const bool opened = attempt(tr("The file cannot be opened"), [&] { m_others.openInAnother(path); });
    if (!opened && !QFileInfo::exists(path))
        m_settings->forgetRecentFile(path);
    return opened;
}

bool FileFlow::openHere(const QString& path) {
    const bool opened = attempt(tr("The file cannot be opened"), [&] {
        m_document->openFile(path);
        m_settings->addRecentFile(path);
    });
    if (!opened && !QFileInfo::exists(path))
        m_settings->forgetRecentFile(path);
    return opened;
}

bool FileFlow::importModel() {
    const auto path = m_prompts.askModelPath(m_settings->lastFolder());
    return !path.isEmpty() && importModelFrom(path);
}

bool FileFlow::importModelFrom(const QString& path) {
    if (m_readModel)
        return m_readModel(path);
    return attempt(tr("The model cannot be read"), [&] {
        m_document->perform(
            engine::takeModel(m_document->scenario(), engine::loadModelFile(path.toStdString())));
    });
}

bool FileFlow::save() {
    finishSaving(); // it may be what changed the file
    if (m_document->path().isEmpty())
        return saveAs();
    if (m_document->file().isChanged())
        switch (m_prompts.askReplace ? m_prompts.askReplace(m_document->path())
                                     : FilePrompts::Replace::Cancel) {
        case FilePrompts::Replace::Overwrite:
            break;
        case FilePrompts::Replace::SaveAs:
            return saveAs();
        case FilePrompts::Replace::Cancel:
            return false;
        }
    saveTo(m_document->path());
    return true;
}

bool FileFlow::saveAs() {
    const auto folder = m_document->path().isEmpty() ? m_settings->lastFolder()
                                                     : QFileInfo(m_document->path()).absolutePath();
    auto path = m_prompts.askSavePath(QDir(folder).filePath(fileName(m_document->title())));
    if (path.isEmpty())
        return false;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".hscape");
    saveTo(path);
    return true;
}

void FileFlow::saveTo(const QString& path) {
    emit settling();
    finishSaving();
    m_document->save(path);
}

void FileFlow::finishSaving() {
    while (m_document->file().isSaving())
        QCoreApplication::processEvents(QEventLoop::ExcludeUserInputEvents | QEventLoop::WaitForMoreEvents);
}

} // namespace heteroscape::widgets

#include "moc_file_flow.cpp"
