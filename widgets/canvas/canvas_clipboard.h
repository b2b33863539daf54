// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

#include <QString>

#include <memory>
#include <vector>

class QMimeData;

namespace heteroscape::widgets {

/// Nodes and the links among them on the clipboard: the JSON of engine::writeClip().
inline constexpr auto kNodesMimeType = "application/x-heteroscape.nodes;version=1";

/// The same text also as plain text, for an editor or a mail.
std::unique_ptr<QMimeData> encodeNodes(const engine::Scenario& scenario,
                                       const std::vector<engine::NodeId>& nodes);

/// The text to be given to engine::readClip(): the nodes, or plain text that says it is such. Empty: nothing
/// of ours, or more than 64 MiB. Null data is none.
std::string nodesText(const QMimeData* data);

} // namespace heteroscape::widgets
