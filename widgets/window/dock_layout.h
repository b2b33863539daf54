// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/window/window_pieces.h"

#include <QByteArray>
#include <QObject>

class QDockWidget;

namespace heteroscape::widgets {

/// The docks around the workspaces: where they stand, what the size of the window makes of them, and what is
/// kept of that between two runs. UI thread.
class DockLayout : public QObject {
    Q_OBJECT
public:
    explicit DockLayout(const WindowPieces& window);

    void apply();   ///< shows those that are wanted, where designs are drawn
    void reset();   ///< as at first
    void restore(); ///< as they were left in the run before
    void keep() const;
    void adaptToSize();
    void showFirst() const; ///< the window appears

    void setPaletteRail(bool rail); ///< a column of icons, or the list
    void showPalette();             ///< the list
    void showInspector();

private:
    void giveBottomItsHeight() const; ///< that it had when it was folded

    const WindowPieces& m_window;
    QDockWidget* m_palette;
    QDockWidget* m_inspector;
    QByteArray m_default;
    bool m_compact = false;
    bool m_wide = false; ///< has room for more
    bool m_low = false;  ///< too low for an open bottom dock, unless the user opens it
    bool m_adapted = false;
};

} // namespace heteroscape::widgets
