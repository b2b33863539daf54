// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/window_pieces.h"

#include "engine/scenario/arrival_kind.h"
#include "engine/scenario/parameters.h"
#include "widgets/document/document.h"
#include "widgets/explore/parameter_text.h"
#include "widgets/inspector/inspector.h"
#include "widgets/window/dock_layout.h"
#include "widgets/window/status_line.h"
#include "widgets/window/workspaces.h"

#include <algorithm>

namespace heteroscape::widgets {

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
