// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/scrolled.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLayout>
#include <QScrollArea>

namespace heteroscape::widgets {

QScrollArea* scrolled(QWidget* content, QWidget* parent) {
    auto* area = new QScrollArea(parent);
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    return area;
}

QWidget* fieldInSight(const QWidget* content) {
    auto* field = content->window()->focusWidget();
    return field && content->isAncestorOf(field) && !field->visibleRegion().isEmpty() ? field : nullptr;
}

void layOutScrolled(QWidget* content, QWidget* field) {
    // From the inside: by itself each layout asks the one around it only in a later turn, and until then the
    // parts are squeezed into the height that was.
    for (auto* part : content->findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
        if (part->layout())
            part->layout()->activate();
    auto* viewport = content->parentWidget();
    for (auto* around : {content, viewport})
        QCoreApplication::sendPostedEvents(around, QEvent::LayoutRequest);
    if (field)
        qobject_cast<QScrollArea*>(viewport->parentWidget())->ensureWidgetVisible(field, 0, 8);
}

} // namespace heteroscape::widgets
