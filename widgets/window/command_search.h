// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/window/command_palette.h"
#include "widgets/window/window_pieces.h"

namespace heteroscape::widgets {

/// Opens the search over commands, parts, metrics, quantities, terms and recent files.
CommandPalette* openCommandSearch(const WindowPieces& window);

} // namespace heteroscape::widgets
