// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QString>
#include <QStringList>
#include <functional>
#include <vector>

class QLineEdit;
class QListWidget;
class QListWidgetItem;

namespace heteroscape::widgets {

struct WindowPieces;

/// A line of a list as a search sees it: made once, ranked at each key.
struct SearchableLine {
    QString text;      ///< in lower case
    QStringList words; ///< of the text and of its group, in lower case
    qsizetype own = 0; ///< how many of the words are the text's
    QString initials;  ///< of the text's words
    QString also;      ///< what else it is found by, in lower case
};
SearchableLine searchable(const QString& text, const QString& group, const QString& also = {});

/// How well a line answers to what was typed (words in lower case): 0 not at all, else more is better. Each
/// word must begin a word of the line, in any order, or be the initials of some of its words that follow each
/// other, or at least stand within it or within what else it is found by.
int rankLine(const SearchableLine& line, const QStringList& typed);

/// A list of everything that can be done, narrowed by typing; Enter runs the chosen line. What was run lately
/// comes first among equals. UI thread.
class CommandPalette : public QFrame {
    Q_OBJECT
public:
    struct Entry {
        QString text;     ///< "Place Alveo U280"
        QString group;    ///< "File", "Preset", "FPGA"; shown at the right
        QString shortcut; ///< shown at the right, may be empty
        std::function<void()> run;
        QString key{};  ///< names it among the recent ones; empty: it is never among them
        QString also{}; ///< found by these words as well
    };

    /// `recent`: keys of entries, newest first.
    CommandPalette(std::vector<Entry> entries, const QStringList& recent, QWidget* window);

    void open();                         ///< in the upper middle of its window
    const Entry* entryAt(int row) const; ///< null outside
    bool isRecent(int row) const;

signals:
    void ran(const QString& key); ///< before it does; not for entries without a key

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void narrow(const QString& text);
    void run(int row);
    void step(int rows);

    std::vector<Entry> m_entries;
    std::vector<SearchableLine> m_lines; ///< of each entry
    std::vector<int> m_recency;          ///< of each entry: 0 for none, more is later
    std::vector<std::size_t> m_shown;    ///< entry of each row
    QLineEdit* m_search;
    QListWidget* m_list;
};

struct WindowPieces;

/// Opens the search over commands, parts, metrics, quantities, words, pages of the guide and recent files.
CommandPalette* openCommandSearch(const WindowPieces& window);

} // namespace heteroscape::widgets
