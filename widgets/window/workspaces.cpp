// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/workspaces.h"

#include "widgets/compare/compare_workspace.h"
#include "widgets/document/document.h"
#include "widgets/document/simulation_runner.h"
#include "widgets/explore/explore_workspace.h"
#include "widgets/explore/frontier/frontier_tab.h"
#include "widgets/find/find_page.h"
#include "widgets/settings/settings.h"
#include "widgets/start/start_page.h"
#include "widgets/window/context_bar.h"

#include <QMainWindow>
#include <QStackedWidget>

namespace heteroscape::widgets {

Workspaces::Workspaces(const WindowPieces& window, const std::vector<QWidget*>& pages)
    : QObject(window.widget), m_window(window), m_stack(new QStackedWidget(window.widget)),
      m_start(new StartPage(window.document->sharedCatalog(), window.settings, window.widget)) {
    for (auto* page : pages)
        m_stack->addWidget(page);
    m_stack->addWidget(m_start); // after the workspaces
    m_window.widget->setCentralWidget(m_stack);
}

QWidget* Workspaces::widget(Workspace workspace) const {
    return m_stack->widget(static_cast<int>(workspace));
}

void Workspaces::show(Workspace workspace) {
    m_current = workspace;
    m_window.context->show();
    m_stack->setCurrentIndex(static_cast<int>(workspace));
    m_window.top->setWorkspace(workspace);
    emit changed();
}

bool Workspaces::isBusy() const {
    if (isStartShown())
        return m_start->isBusy();
    return (m_current == Workspace::Compare && !m_window.compare->isEvaluated()) ||
           (m_current == Workspace::Explore &&
            (m_window.explore->isBusy() || m_window.frontier->isBusy() || m_window.find->isBusy())) ||
           (m_current == Workspace::Design && m_window.simulation->isBusy());
}

bool Workspaces::isStartShown() const {
    return m_stack->currentWidget() == m_start;
}

void Workspaces::enterStart() {
    m_stack->setCurrentWidget(m_start);
    m_window.context->hide();
    m_window.top->showNoWorkspace();
    emit changed();
}

void Workspaces::leaveStart() {
    if (isStartShown())
        show(Workspace::Design);
}

} // namespace heteroscape::widgets
