// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/window_pieces.h"

#include "engine/scenario/arrival_kind.h"
#include "engine/scenario/parameters.h"
#include "widgets/compare/compare_workspace.h"
#include "widgets/document/document.h"
#include "widgets/document/simulation_runner.h"
#include "widgets/explore/default_axes.h"
#include "widgets/explore/explore_workspace.h"
#include "widgets/find/find_page.h"
#include "widgets/inspector/inspector.h"
#include "widgets/settings/settings.h"
#include "widgets/start/start_page.h"
#include "widgets/window/context_bar.h"
#include "widgets/window/dock_layout.h"
#include "widgets/window/status_line.h"

#include <QMainWindow>
#include <QStackedWidget>
#include <algorithm>

namespace heteroscape::widgets {

Workspaces::Workspaces(const WindowPieces& window, const std::vector<QWidget*>& pages)
    : QObject(window.widget), m_window(window), m_stack(window.stack),
      m_start(new StartPage(window.document->sharedCatalog(), window.settings, window.stack)) {
    for (auto* page : pages)
        m_stack->addWidget(page);
    m_stack->addWidget(m_start); // after the workspaces
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
           (m_current == Workspace::Explore && (m_window.explore->isBusy() || m_window.find->isBusy())) ||
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

namespace {

/// What decides whether a quantity of the requests or a switch of a technique is of use; empty for others.
std::string deciderOf(const std::string& path, const engine::Serving& serving) {
    if (path.starts_with("techniques."))
        return path.substr(0, path.rfind('.')) + ".enabled";
    constexpr std::string_view prefix = "serving.";
    if (!path.starts_with(prefix))
        return {};
    const auto kinds = engine::arrivalKinds().all();
    const bool isOfArrivals = std::any_of(kinds.begin(), kinds.end(), [&](const engine::ArrivalKind* kind) {
        return kind->indexOf(path.substr(prefix.size())) >= 0;
    });
    return serving.isSimulated() && !isOfArrivals ? "serving.batching" : "serving.arrivals";
}

} // namespace

void showQuantity(const WindowPieces& window, const std::string& path) {
    window.workspaces->show(Workspace::Design);
    const auto middle = [&path] {
        const auto first = path.find('.');
        return path.substr(first + 1, path.find('.', first + 1) - first - 1);
    };
    if (path.starts_with("nodes."))
        window.document->select({{engine::NodeId{middle()}}, {}});
    else if (path.starts_with("links."))
        window.document->select({{}, {engine::LinkId{middle()}}});
    else
        window.document->select({});
    window.docks->showInspector();
    if (window.inspector->focusField(path))
        return;
    const auto& scenario = window.document->scenario();
    if (const auto decider = deciderOf(path, scenario.serving); !decider.empty())
        window.inspector->focusField(decider);
    for (const auto& parameter : engine::listParameters(scenario, window.document->catalog()))
        if (parameter.path == path) // and not the subject of a message
            window.status->showMessage(QObject::tr("%1 is of no use as the design stands")
                                           .arg(parameterName(scenario, path, parameter.spec)),
                                       StatusLine::kRefusedMs);
}

} // namespace heteroscape::widgets

#include "moc_window_pieces.cpp"
