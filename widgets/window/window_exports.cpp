// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/window_exports.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/scenario/design_text.h"
#include "engine/servers/launch.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/document/document.h"
#include "widgets/explore/explore_workspace.h"
#include "widgets/plots/export_button.h"
#include "widgets/report/design_pictures.h"
#include "widgets/report/report_dialog.h"
#include "widgets/settings/settings.h"
#include "widgets/theme/theme.h"
#include "widgets/window/file_flow.h"
#include "widgets/window/status_line.h"
#include "widgets/window/window_pieces.h"

#include <QBuffer>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImage>
#include <QMainWindow>
#include <QPainter>
#include <QPdfWriter>
#include <QScopeGuard>
#include <QSvgGenerator>
#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr int kPictureMargin = 16;
constexpr double kPixelRatio = 2.0;

void draw(CanvasScene& scene, QPainter& painter, const QRectF& target, const QRectF& source) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(target, Theme::lightColor(ColorRole::Surface));
    scene.render(&painter, target, source);
}

void markSelected(CanvasView& canvas, bool marked) {
    const auto& scene = canvas.canvasScene();
    const auto& [nodes, links, notes] = canvas.document().selection();
    const auto mark = [marked](CanvasItem* item) {
        if (item)
            item->setSelected(marked);
    };
    for (const auto& id : nodes)
        mark(scene.nodeItem(id));
    for (const auto& id : links)
        mark(scene.linkItem(id));
    for (const auto& id : notes)
        mark(scene.notes().item(id));
}

[[noreturn]] void fail(const QString& path, const QString& why) {
    throw engine::Error(engine::ErrorCode::Io, path.toStdString(), why.toStdString(),
                        "Choose another file name or folder");
}

} // namespace

void exportCanvas(CanvasView& canvas, const QString& path) {
    auto& scene = canvas.canvasScene();
    scene.finish();
    auto& theme = Theme::instance();
    const auto source =
        scene.contentRect().adjusted(-kPictureMargin, -kPictureMargin, kPictureMargin, kPictureMargin);
    const QRectF target(QPointF(0, 0), source.size());
    // Items paint with the theme's colours, and pictures are always light.
    const auto mode = theme.mode();
    if (theme.isDark())
        theme.setMode(ThemeMode::Light);
    // What is selected, and the ground to work on, are matters of the window.
    markSelected(canvas, false);
    scene.setBackgroundBrush(Theme::lightColor(ColorRole::Surface));
    const auto restore = qScopeGuard([&] {
        scene.setBackgroundBrush(Qt::NoBrush);
        markSelected(canvas, true);
        if (theme.mode() != mode)
            theme.setMode(mode);
    });

    QBuffer file;
    file.open(QIODevice::WriteOnly);
    const auto suffix = QFileInfo(path).suffix().toLower();
    if (suffix == QStringLiteral("svg")) {
        QSvgGenerator generator;
        generator.setOutputDevice(&file);
        generator.setSize(target.size().toSize());
        generator.setViewBox(target);
        generator.setTitle(canvas.document().title());
        QPainter painter(&generator);
        draw(scene, painter, target, source);
    } else if (suffix == QStringLiteral("pdf")) {
        QPdfWriter writer(&file);
        writer.setTitle(canvas.document().title());
        writer.setResolution(96);
        writer.setPageSize(QPageSize(target.size() * 72.0 / 96.0, QPageSize::Point));
        writer.setPageMargins(QMarginsF());
        QPainter painter(&writer);
        draw(scene, painter, target, source);
    } else if (suffix == QStringLiteral("png")) {
        QImage image((target.size() * kPixelRatio).toSize(), QImage::Format_ARGB32_Premultiplied);
        image.setDevicePixelRatio(kPixelRatio);
        QPainter painter(&image);
        draw(scene, painter, target, source);
        painter.end();
        if (!image.save(&file, "PNG"))
            fail(path, QStringLiteral("the picture cannot be written"));
    } else {
        fail(path, QStringLiteral("the name must end in .png, .svg or .pdf"));
    }
    engine::writeFileAtomically(path.toStdString(),
                                {file.data().constData(), static_cast<std::size_t>(file.data().size())});
}

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

void WindowExports::copyPython() {
    const auto& document = *m_window.document;
    copy(engine::pythonText(document.scenario(), document.catalog(), document.file().origin()));
}

void WindowExports::copyCommand() {
    const auto& document = *m_window.document;
    copy(engine::commandText(document.scenario(), document.catalog(), document.file().origin()));
}

void WindowExports::copyLaunch() {
    const auto& document = *m_window.document;
    try {
        copy(engine::launchScript(document.scenario(), document.catalog()));
    } catch (const engine::Error& error) {
        m_window.files->showError(tr("There is nothing to launch"), QString::fromStdString(error.what()));
    }
}

void WindowExports::copy(const std::string& lines) {
    QGuiApplication::clipboard()->setText(QString::fromStdString(lines));
    const auto count = static_cast<int>(std::count(lines.begin(), lines.end(), '\n'));
    m_window.status->showMessage(tr("Copied %n lines", nullptr, count), 6000);
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

#include "moc_window_exports.cpp"
