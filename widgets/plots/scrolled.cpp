// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/scrolled.h"

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

} // namespace heteroscape::widgets
