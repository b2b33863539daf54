// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/dock_layout.h"

#include "widgets/inspector/inspector.h"
#include "widgets/palette/palette_panel.h"
#include "widgets/settings/settings.h"
#include "widgets/window/bottom_dock.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/context_bar.h"
#include "widgets/window/metrics_strip.h"
#include "widgets/window/status_line.h"
#include "widgets/window/top_bar.h"
#include "widgets/window/window_pieces.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QTimer>

namespace heteroscape::widgets {

namespace {

constexpr int kCompactWidth = 1360;
constexpr int kChipsWidth = 1440; ///< from which every technique has its own chip
constexpr int kLowHeight = 780;
constexpr int kRailWidth = 72;
constexpr int kPaletteWidth = 224;
constexpr int kWideWidth = 1800; ///< from which the palette has room for long names
constexpr int kPaletteWide = 272;
constexpr int kPaletteMaximum = 320;
constexpr int kInspectorWidth = 296;
constexpr int kInspectorMaximum = 420;
constexpr int kLayoutVersion = 2; ///< raised when docks change, so that an old layout is not restored

} // namespace

DockLayout::DockLayout(const WindowPieces& window) : QObject(window.widget), m_window(window) {
    auto* widget = m_window.widget;
    widget->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    widget->setDockOptions(QMainWindow::AnimatedDocks);
    const auto dock = [&](QDockWidget* one, const QString& name, Qt::DockWidgetArea area) {
        one->setObjectName(name);
        one->setFeatures(QDockWidget::DockWidgetFloatable | QDockWidget::DockWidgetMovable |
                         QDockWidget::DockWidgetClosable);
        one->setTitleBarWidget(new QWidget(one)); // a title only while it floats: the content names itself
        connect(one, &QDockWidget::topLevelChanged, one, [one](bool floating) {
            delete one->titleBarWidget();
            one->setTitleBarWidget(floating ? nullptr : new QWidget(one));
        });
        widget->addDockWidget(area, one);
    };
    m_palette = new QDockWidget(tr("Palette"), widget);
    m_palette->setWidget(m_window.palette);
    dock(m_palette, QStringLiteral("PaletteDock"), Qt::LeftDockWidgetArea);
    m_inspector = new QDockWidget(tr("Inspector"), widget);
    m_inspector->setWidget(m_window.inspector);
    m_inspector->setMinimumWidth(kInspectorWidth);
    m_inspector->setMaximumWidth(kInspectorMaximum);
    dock(m_inspector, QStringLiteral("InspectorDock"), Qt::RightDockWidgetArea);
    dock(m_window.bottom, QStringLiteral("BottomDock"), Qt::BottomDockWidgetArea);
    connect(m_window.bottom, &BottomDock::openChanged, this, [this](bool open) {
        if (open)
            QTimer::singleShot(0, this, &DockLayout::giveBottomItsHeight); // once its new limits count
    });
}

void DockLayout::showPalette() {
    m_palette->show();
    setPaletteRail(false);
}

void DockLayout::showInspector() {
    m_inspector->show();
}

void DockLayout::giveBottomItsHeight() const {
    if (m_window.bottom->isOpen() && !m_window.bottom->isFloating())
        m_window.widget->resizeDocks({m_window.bottom}, {m_window.bottom->openHeight()}, Qt::Vertical);
}

void DockLayout::setPaletteRail(bool rail) {
    m_window.palette->setCompact(rail);
    // A rail has one width; the list has a range.
    m_window.palette->setMinimumWidth(rail ? kRailWidth : m_wide ? kPaletteWide : kPaletteWidth);
    m_window.palette->setMaximumWidth(rail ? kRailWidth : kPaletteMaximum);
}

void DockLayout::apply() {
    const bool design = m_window.workspaces->isDesignShown();
    for (auto* dock : m_window.widget->findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly)) {
        const auto* wanted = m_window.commands->action(QStringLiteral("view.") + dock->objectName());
        dock->setVisible(design && (!wanted || wanted->isChecked()));
    }
    m_window.status->setVisible(
        !m_window.workspaces->isStartShown()); // there is nothing to say of a design yet
}

void DockLayout::reset() {
    m_window.widget->restoreState(m_default, kLayoutVersion);
    for (const auto* dock : m_window.widget->findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly))
        if (auto* wanted = m_window.commands->action(QStringLiteral("view.") + dock->objectName()))
            wanted->setChecked(true);
    m_window.bottom->setOpen(!m_low);
    QTimer::singleShot(0, this, &DockLayout::giveBottomItsHeight);
    setPaletteRail(m_compact);
    apply();
}

void DockLayout::restore() {
    m_default = m_window.widget->saveState(kLayoutVersion);
    m_window.widget->restoreGeometry(m_window.settings->geometry());
    if (!m_window.widget->restoreState(m_window.settings->dockState(), kLayoutVersion))
        return;
    for (const auto* dock : m_window.widget->findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly))
        if (auto* wanted = m_window.commands->action(QStringLiteral("view.") + dock->objectName()))
            wanted->setChecked(!dock->isHidden());
}

void DockLayout::keep() const {
    m_window.settings->setGeometry(m_window.widget->saveGeometry());
    m_window.settings->setDockState(m_window.widget->saveState(kLayoutVersion));
}

void DockLayout::showFirst() const {
    if (m_window.settings->dockState().isEmpty())
        giveBottomItsHeight();
}

void DockLayout::adaptToSize() {
    if (const bool low = m_window.widget->height() < kLowHeight; !m_adapted || low != m_low) {
        m_low = low;
        m_window.bottom->setOpen(!low);
    }
    m_window.context->setCompact(m_window.widget->width() < kChipsWidth);
    const bool compact = m_window.widget->width() < kCompactWidth;
    const bool wide = m_window.widget->width() >= kWideWidth;
    if (m_adapted && compact == m_compact && wide == m_wide)
        return;
    m_wide = wide;
    m_adapted = true;
    m_compact = compact;
    setPaletteRail(compact);
    m_window.top->setCompact(compact);
    m_window.metrics->setNotesVisible(!compact);
}

} // namespace heteroscape::widgets

#include "moc_dock_layout.cpp"
