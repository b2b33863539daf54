// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/window/top_bar.h"
#include "widgets/window/window_pieces.h"

#include <QObject>

#include <vector>

class QStackedWidget;

namespace heteroscape::widgets {

class StartPage;

/// Which workspace is shown, and the start page in their place before there is a design. UI thread.
class Workspaces : public QObject {
    Q_OBJECT
public:
    /// `pages`: a widget for each workspace, in their order.
    Workspaces(const WindowPieces& window, const std::vector<QWidget*>& pages);

    Workspace current() const { return m_current; }
    void show(Workspace workspace); ///< also in place of the start page
    QWidget* widget(Workspace workspace) const;
    bool isDesignShown() const { return m_current == Workspace::Design && !isStartShown(); }
    bool isBusy() const; ///< what is shown still works on what it shows

    StartPage* startPage() const { return m_start; }
    void enterStart();
    void leaveStart(); ///< for the workspace of designs
    bool isStartShown() const;

signals:
    void changed(); ///< another workspace is shown, or the start page

private:
    const WindowPieces& m_window;
    QStackedWidget* m_stack;
    StartPage* m_start;
    Workspace m_current = Workspace::Design;
};

} // namespace heteroscape::widgets
