// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QObject>
#include <QString>

#include <functional>
#include <vector>

namespace heteroscape::widgets {

/// One thing that the user can do: menus, tool buttons, shortcuts and the command palette all show its
/// action.
struct Command {
    QString id;    ///< "file.open"
    QString group; ///< "File", for lists of commands
    QAction* action;
    QString icon; ///< name of an icon, or empty
};

/// Every command of the window, in the order of registration. Icons follow the theme. UI thread.
class CommandRegistry : public QObject {
    Q_OBJECT
public:
    /// Actions belong to `window`, so their shortcuts work wherever the focus is in it.
    explicit CommandRegistry(QWidget* window);

    QAction* add(const QString& id, const QString& group, const QString& text, const QKeySequence& shortcut,
                 std::function<void()> run, const QString& icon = {});
    /// Adds to one group: add("file.open", tr("&Open"), QKeySequence::Open, "folder", [] {}).
    auto in(const QString& group) {
        return [this, group](QAnyStringView id, const QString& text, const QKeySequence& shortcut,
                             QAnyStringView icon, std::function<void()> run) {
            return add(id.toString(), group, text, shortcut, std::move(run), icon.toString());
        };
    }
    /// Takes in an action that is made elsewhere (undo, dock switches).
    QAction* adopt(const QString& id, const QString& group, QAction* action, const QKeySequence& shortcut,
                   const QString& icon = {});

    QAction* action(const QString& id) const; ///< null when there is no such command
    const std::vector<Command>& commands() const { return m_commands; }

private:
    void recolour();

    QWidget* m_window;
    std::vector<Command> m_commands;
};

} // namespace heteroscape::widgets
