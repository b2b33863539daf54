// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QAction;
class QMenuBar;
class QPushButton;
class QTabBar;
class QToolButton;

namespace heteroscape::widgets {

class CommandRegistry;
class TextLabel;

/// The four workspaces, in the order of their tabs.
enum class Workspace { Design, Explore, Roofline, Compare };
inline constexpr int kWorkspaceCount = 4;

/// The head of the window: brand, menus, workspace tabs, command search, undo, redo and theme. UI thread.
class TopBar : public QWidget {
    Q_OBJECT
public:
    /// The registry must hold edit.undo, edit.redo, view.theme and help.commands.
    explicit TopBar(const CommandRegistry& commands, QWidget* parent = nullptr);

    QMenuBar* menuBar() const { return m_menus; }
    QTabBar* tabs() const { return m_tabs; }
    void setWorkspace(Workspace workspace);
    void showNoWorkspace();        ///< the start page is shown: no tab stands out
    void setCompact(bool compact); ///< a narrow window: the search becomes an icon

signals:
    void workspaceChosen(Workspace workspace);

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitBrand();
    QToolButton* addButton(QAction* action);
    void setNone(bool none);
    void recolour();

    TextLabel* m_brand;
    QMenuBar* m_menus;
    QTabBar* m_tabs;
    QPushButton* m_search;
    bool m_compact = false;
    bool m_none = false; ///< no workspace is shown
};

} // namespace heteroscape::widgets
