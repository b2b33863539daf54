// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/window_exports.h"

#include "engine/base/error.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/document/document.h"
#include "widgets/explore/explore_workspace.h"
#include "widgets/plots/export_button.h"
#include "widgets/report/report_dialog.h"
#include "widgets/report/study_pictures.h"
#include "widgets/settings/settings.h"
#include "widgets/window/canvas_picture.h"
#include "widgets/window/file_flow.h"
#include "widgets/window/status_line.h"
#include "widgets/window/window_pieces.h"
#include "widgets/window/workspaces.h"

#include <QDir>
#include <QFileDialog>
#include <QMainWindow>

namespace heteroscape::widgets {

WindowExports::WindowExports(const WindowPieces& window) : QObject(window.widget), m_window(window) {
    connect(&m_report, &Job::failed, this,
            [this](const QString& message) { m_window.status->showMessage(message, 12000); });
}

void WindowExports::exportShown() {
    const auto shown = m_window.workspaces->current();
    if (shown == Workspace::Design) {
        exportPicture();
        return;
    }
    for (auto* button : m_window.workspaces->widget(shown)->findChildren<ExportButton*>())
        if (button->isVisible() && button->isEnabled()) {
            button->setFocus();
            button->click();
            return;
        }
    m_window.status->showMessage(tr("There is nothing to export here yet."), 6000);
}

void WindowExports::makeReport() {
    std::vector<Picture> plots;
    if (const auto& study = m_window.explore->study())
        plots = studyPictures(study, m_window.explore->shownPlots());
    if (m_window.document->scenario().serving.isSimulated())
        m_window.status->showMessage(tr("Simulating the requests of the report\u2026"), 12000);
    m_report.start(
        [this, design = m_window.document->scenario(), plots = std::move(plots)](JobRun&) -> Job::Show {
            const auto report = std::make_shared<DesignReport>(designReport(design, plots));
            return [this, report] { // the dialog runs events of its own
                QMetaObject::invokeMethod(
                    this, [this, report] { showReport(*report); }, Qt::QueuedConnection);
            };
        });
}

void WindowExports::showReport(const DesignReport& report) {
    ReportDialog dialog(report, m_window.settings->lastFolder(), m_window.widget);
    connect(&dialog, &ReportDialog::written, this,
            [this](const QString& path) { m_window.status->showMessage(tr("Wrote %1").arg(path), 6000); });
    dialog.exec();
}

void WindowExports::exportPicture() {
    const auto suggestion =
        QDir(m_window.settings->lastFolder()).filePath(m_window.document->title() + QStringLiteral(".png"));
    const auto path =
        QFileDialog::getSaveFileName(m_window.widget, tr("Export a picture of the system"), suggestion,
                                     tr("PNG picture (*.png);;SVG drawing (*.svg);;PDF page (*.pdf)"));
    if (path.isEmpty())
        return;
    try {
        exportCanvas(*m_window.canvas, path);
        m_window.status->showMessage(tr("Wrote %1").arg(path), 6000);
    } catch (const engine::Error& error) {
        m_window.files->showError(tr("The picture cannot be written"), QString::fromStdString(error.what()));
    }
}

} // namespace heteroscape::widgets
