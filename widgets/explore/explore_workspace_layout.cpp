// SPDX-License-Identifier: GPL-3.0-or-later
// Its sidebar and its keys.
#include "widgets/explore/explore_workspace.h"
#include "widgets/explore/scrub_panel.h"
#include "widgets/explore/selected_panel.h"
#include "widgets/explore/study_board.h"
#include "widgets/explore/study_list.h"
#include "widgets/explore/study_setup.h"
#include "widgets/plots/surface.h"
#include "widgets/theme/layouts.h"

#include <QScrollArea>
#include <QShortcut>

namespace heteroscape::widgets {

namespace {
constexpr int kSidebarWidth = 252;
} // namespace

void ExploreWorkspace::addShortcuts() {
    const auto add = [this](const QKeySequence& keys, auto action) {
        auto* shortcut = new QShortcut(keys, m_studies);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, action);
    };
    add(Qt::Key_B, [this] {
        if (const auto row = m_board->point())
            pinRow(*row);
    });
    add(Qt::SHIFT | Qt::Key_B, [this] { unpin(); });
}

QWidget* ExploreWorkspace::makeSidebar() {
    auto* inner = new Surface(ColorRole::Panel, false);
    auto* column = makeColumn(inner, {12, 12, 12, 12}, 16);
    column->addWidget(m_selected);
    column->addWidget(m_setup);
    column->addWidget(m_scrub);
    column->addWidget(m_list, 1);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(inner);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFixedWidth(kSidebarWidth);
    scroll->setFocusPolicy(Qt::NoFocus);
    return scroll;
}

} // namespace heteroscape::widgets
