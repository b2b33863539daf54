// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace heteroscape::widgets {

/// The words of the window with what they mean, found by typing: by a word first, then by what is said of it.
/// Up and down walk through the list while the search has the keyboard. UI thread.
class GlossaryDialog : public QDialog {
    Q_OBJECT
public:
    explicit GlossaryDialog(QWidget* parent = nullptr);

    void show(const QString& term); ///< with this term chosen; empty: the first
    QLineEdit* search() const { return m_search; }
    QListWidget* list() const { return m_list; }
    QString shownText() const; ///< of the term that is chosen, as plain text

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void narrow(const QString& text);
    void showTerm();

    QLineEdit* m_search;
    QListWidget* m_list;
    QTextBrowser* m_text;
};

/// The glossary of a window, made once, with a term chosen; empty: the first.
void showGlossary(QWidget* window, const QString& term = {});

/// Says what has the keyboard is, or the current cell of a table; where that has no term, the next click
/// asks.
void tellWhatThisIs();

} // namespace heteroscape::widgets
