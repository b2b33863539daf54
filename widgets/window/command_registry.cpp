// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/command_registry.h"

#include "widgets/theme/theme.h"

#include <QWidget>

namespace heteroscape::widgets {

CommandRegistry::CommandRegistry(QWidget* window) : QObject(window), m_window(window) {
    connect(&Theme::instance(), &Theme::changed, this, &CommandRegistry::recolour);
}

QAction* CommandRegistry::add(const QString& id, const QString& group, const QString& text,
                              const QKeySequence& shortcut, std::function<void()> run, const QString& icon) {
    auto* action = new QAction(text, m_window);
    if (run)
        connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
    return adopt(id, group, action, shortcut, icon);
}

QAction* CommandRegistry::adopt(const QString& id, const QString& group, QAction* action,
                                const QKeySequence& shortcut, const QString& icon) {
    action->setObjectName(id);
    if (!shortcut.isEmpty())
        action->setShortcut(shortcut);
    if (!icon.isEmpty())
        action->setIcon(Theme::instance().icon(icon));
    m_window->addAction(action);
    m_commands.push_back({id, group, action, icon});
    return action;
}

QAction* CommandRegistry::action(const QString& id) const {
    for (const auto& command : m_commands)
        if (command.id == id)
            return command.action;
    return nullptr;
}

void CommandRegistry::recolour() {
    for (const auto& command : m_commands)
        if (!command.icon.isEmpty())
            command.action->setIcon(Theme::instance().icon(command.icon));
}

} // namespace heteroscape::widgets

#include "moc_command_registry.cpp"
