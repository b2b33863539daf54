// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QString>

#include <functional>
#include <vector>

class QLineEdit;
class QListWidget;

namespace heteroscape::widgets {

/// A list of everything that can be done, narrowed by typing; Enter runs the chosen line. UI thread.
class CommandPalette : public QFrame {
    Q_OBJECT
public:
    struct Entry {
        QString text;     ///< "Open a design"
        QString group;    ///< "File", "Preset", "Add device"
        QString shortcut; ///< shown at the right, may be empty
        std::function<void()> run;
    };

    CommandPalette(std::vector<Entry> entries, QWidget* window);

    void open(); ///< in the upper middle of its window
    QLineEdit* search() const { return m_search; }
    QListWidget* list() const { return m_list; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void narrow(const QString& text);
    void run();

    std::vector<Entry> m_entries;
    std::vector<std::size_t> m_shown; ///< entry of each row
    QLineEdit* m_search;
    QListWidget* m_list;
};

} // namespace heteroscape::widgets
