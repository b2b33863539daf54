// SPDX-License-Identifier: GPL-3.0-or-later
// Its sidebar and its keys.
#include "widgets/explore/explore_workspace.h"
#include "widgets/explore/frontier/frontier_setup.h"
#include "widgets/explore/page_switch.h"
#include "widgets/explore/scrub_panel.h"
#include "widgets/explore/selected_panel.h"
#include "widgets/explore/study_board.h"
#include "widgets/explore/study_list.h"
#include "widgets/explore/study_setup.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/surface.h"
#include "widgets/theme/layouts.h"

#include <QScrollArea>
#include <QShortcut>
#include <QStackedWidget>

namespace heteroscape::widgets {

namespace {
constexpr int kSidebarWidth = 252;
constexpr int kColumnGutter = 10;
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
    auto* scroll = new QScrollArea(m_studies);
    scroll->setWidget(inner);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFixedWidth(kSidebarWidth);
    scroll->setFocusPolicy(Qt::NoFocus);
    makeRow(m_studies)->addWidget(scroll);
    return inner;
}

void ExploreWorkspace::layOut() {
    auto* side = makeColumn(m_side, {12, 12, 12, 12}, 16);
    side->addWidget(m_selected);
    side->addWidget(m_setup);
    side->addWidget(m_frontier);
    m_frontier->hide();
    side->addWidget(m_scrub);
    side->addWidget(m_list, 1);
    auto* back = new Surface(ColorRole::Window, false, m_studies);
    qobject_cast<QHBoxLayout*>(m_studies->layout())->addWidget(back, 1);
    auto* right =
        makeColumn(back, {kColumnGutter, kColumnGutter, kColumnGutter, kColumnGutter}, kColumnGutter);
    m_notice->setObjectName(QStringLiteral("studyNotice")); // the other pages have their own
    floatOver(m_notice, back, Qt::BottomEdge);
    right->addWidget(m_pages, 1);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_board);
    m_switch->addPage(tr("Study"), m_studies, nullptr);
    m_frontierPage = m_switch->addPage(tr("Frontier"), m_studies, m_frontier->tools());
    makeColumn(this)->addWidget(m_switch);
}

} // namespace heteroscape::widgets
