// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document.h"

#include <QString>

#include <memory>

class QMimeData;

namespace heteroscape::widgets {

/// Nodes, the links among them and notes on the clipboard: the JSON of engine::writeClip().
inline constexpr auto kNodesMimeType = "application/x-heteroscape.nodes;version=1";

/// The same text also as plain text, for an editor or a mail.
std::unique_ptr<QMimeData> encodeSelection(const engine::Scenario& scenario, const Selection& selection);

/// The text to be given to engine::readClip(): the nodes, or plain text that says it is such. Empty: nothing
/// of ours, or more than 64 MiB. Null data is none.
std::string nodesText(const QMimeData* data);

} // namespace heteroscape::widgets
