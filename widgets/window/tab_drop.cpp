// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/tab_drop.h"

#include "widgets/canvas/part_mime.h"
#include "widgets/canvas/property_mime.h"

#include <QDropEvent>
#include <QMimeData>
#include <QTabBar>
#include <QTimer>

#include <algorithm>
#include <array>
#include <chrono>

namespace heteroscape::widgets {

namespace {

constexpr std::chrono::milliseconds kRest{250}; ///< passing over the tab does not open it

bool canBeSwept(const QMimeData& data) {
    constexpr std::array kinds{PartKind::Model, PartKind::Workload, PartKind::Technique, PartKind::Preset};
    return data.hasFormat(propertyMimeType()) ||
           std::any_of(kinds.begin(), kinds.end(),
                       [&data](PartKind kind) { return data.hasFormat(partMimeType(kind)); });
}

} // namespace

TabDrop::TabDrop(QTabBar* tabs, int tab) : QObject(tabs), m_tabs(tabs), m_tab(tab), m_rest(new QTimer(this)) {
    m_rest->setSingleShot(true);
    m_rest->setInterval(kRest);
    connect(m_rest, &QTimer::timeout, m_tabs, [this] { m_tabs->setCurrentIndex(m_tab); });
    m_tabs->setAcceptDrops(true);
    m_tabs->installEventFilter(this);
}

bool TabDrop::eventFilter(QObject* watched, QEvent* event) {
    const auto type = event->type();
    if (type == QEvent::DragLeave)
        m_rest->stop();
    if (type != QEvent::DragEnter && type != QEvent::DragMove && type != QEvent::Drop)
        return QObject::eventFilter(watched, event);
    auto* drop = static_cast<QDropEvent*>(event); // the base of the others
    const auto& data = *drop->mimeData();
    if (!canBeSwept(data)) {
        drop->ignore();
        return true;
    }
    const bool over = m_tabs->tabAt(drop->position().toPoint()) == m_tab;
    if (!over)
        m_rest->stop();
    else if (type != QEvent::Drop && m_tabs->currentIndex() != m_tab && !m_rest->isActive())
        m_rest->start();
    const auto path = over && m_read ? m_read(data) : std::string();
    if (type == QEvent::DragEnter || !path.empty()) // once refused it would not come back
        drop->acceptProposedAction();
    else
        drop->ignore();
    if (type == QEvent::Drop) {
        m_rest->stop();
        if (!path.empty())
            emit propertyDropped(path);
    }
    return true;
}

} // namespace heteroscape::widgets
