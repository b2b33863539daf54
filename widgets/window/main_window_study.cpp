// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/main_window.h"

#include "engine/base/error.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/explore/explore_workspace.h"
#include "widgets/inspector/number_edit.h"
#include "widgets/plots/export_button.h"
#include "widgets/window/canvas_picture.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/status_line.h"

#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QMessageBox>

namespace heteroscape::widgets {

void MainWindow::makeStudyCommands() {
    const auto group = tr("Study");
    m_commands->add(
        QStringLiteral("study.setUp"), group, tr("Set &up"), {}, [this] { setWorkspace(Workspace::Explore); },
        QStringLiteral("explore"));
    m_commands->add(
        QStringLiteral("study.sweep"), group, tr("S&weep the focused figure"), QKeySequence(Qt::Key_S),
        [this] {
            if (const auto* field = qobject_cast<NumberEdit*>(QApplication::focusWidget()))
                sweep(field->path());
            else
                m_status->showMessage(tr("Click into a figure first, then press S to sweep it."), 6000);
        },
        QStringLiteral("sweep"));
    m_commands->add(
        QStringLiteral("study.run"), group, tr("&Run the study"), QKeySequence(Qt::CTRL | Qt::Key_R),
        [this] {
            setWorkspace(Workspace::Explore);
            m_explore->run();
        },
        QStringLiteral("play"));
    m_commands->add(
        QStringLiteral("study.cancel"), group, tr("&Cancel the study"), {}, [this] { m_explore->cancel(); },
        QStringLiteral("stop"));
}

void MainWindow::sweep(const std::string& path) {
    setWorkspace(Workspace::Explore);
    m_explore->addAxis(QString::fromStdString(path));
}

void MainWindow::exportShown() {
    if (m_workspace == Workspace::Design) {
        exportPicture();
        return;
    }
    for (auto* button : workspaceWidget(m_workspace)->findChildren<ExportButton*>())
        if (button->isVisible() && button->isEnabled()) {
            button->setFocus();
            button->click();
            return;
        }
    m_status->showMessage(tr("There is nothing to export here yet."), 6000);
}

void MainWindow::exportPicture() {
    const auto suggestion =
        QDir(m_settings->lastFolder()).filePath(m_document->title() + QStringLiteral(".png"));
    const auto path =
        QFileDialog::getSaveFileName(this, tr("Export a picture of the system"), suggestion,
                                     tr("PNG picture (*.png);;SVG drawing (*.svg);;PDF page (*.pdf)"));
    if (path.isEmpty())
        return;
    try {
        exportCanvas(*m_canvas, path);
        m_status->showMessage(tr("Wrote %1").arg(path), 6000);
    } catch (const engine::Error& error) {
        QMessageBox::critical(this, tr("The picture cannot be written"),
                              QString::fromStdString(error.what()));
    }
}

} // namespace heteroscape::widgets
