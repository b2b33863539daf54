// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/canvas_picture.h"

#include "engine/base/error.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/theme/theme.h"

#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QScopeGuard>
#include <QSvgGenerator>

namespace heteroscape::widgets {

namespace {

constexpr int kMargin = 16;
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
    const auto source = scene.contentRect().adjusted(-kMargin, -kMargin, kMargin, kMargin);
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

    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        fail(path, file.errorString());
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
    if (!file.commit())
        fail(path, file.errorString());
}

} // namespace heteroscape::widgets
