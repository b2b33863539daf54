// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/window_pieces.h"

#include "widgets/document/document.h"
#include "widgets/inspector/inspector.h"
#include "widgets/window/dock_layout.h"
#include "widgets/window/workspaces.h"

namespace heteroscape::widgets {

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
    window.inspector->focusField(path);
}

} // namespace heteroscape::widgets
