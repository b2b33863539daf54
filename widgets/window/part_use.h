// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/window/command_palette.h"
#include "widgets/window/window_pieces.h"

#include <QObject>

namespace heteroscape::widgets {

struct PartRef;

/// Parts of the palette put to use, and the user's library followed: the catalogue is the shipped one with
/// the user's parts. UI thread.
class PartUse : public QObject {
    Q_OBJECT
public:
    explicit PartUse(const WindowPieces& window);

    void addCommands();
    void wire(); ///< the palette, the user's library, editors of parts
    /// What each part of the palette can be told to do by the list of commands.
    void addEntries(std::vector<CommandPalette::Entry>& entries);

private:
    void followLibrary();
    void use(const PartRef& part); ///< what a double click in the palette does

    const WindowPieces& m_window;
};

} // namespace heteroscape::widgets
