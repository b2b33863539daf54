// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QHash>
#include <QString>
#include <QStringList>
#include <string>
#include <string_view>
#include <vector>

class QAction;
class QLineEdit;
class QListWidget;
class QTableWidgetItem;
class QTextBrowser;
class QWidget;

namespace heteroscape::widgets {

/// The words of the window with what they mean, found by typing: by a word first, then by what is said of it.
/// Up and down walk through the list while the search has the keyboard. UI thread.
class GlossaryDialog : public QDialog {
    Q_OBJECT
public:
    explicit GlossaryDialog(QWidget* parent = nullptr);

    void show(const QString& term); ///< with this term chosen; empty: the first

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

/// What one word of the window means.
struct Term {
    QString term;                   ///< "Goodput"
    QString text;                   ///< one to three plain sentences
    QString unit, equation, source; ///< may be empty
    QStringList names; ///< keys of metrics and fields, ids of kinds, words of heads: "goodput_req_s"

    QString html() const; ///< all of it, for a label or What's This
};

/// All words that the window explains: those of the engine's tables (engine/exporters/words.h), and of
/// resources/glossary.json what no table has. Read once; any thread.
class Glossary {
public:
    static const Glossary& instance();

    const std::vector<Term>& terms() const { return m_terms; }
    /// By its own name, or by one of its names whatever their case; of a parameter path the longest end that
    /// is a name ("nodes.gpu.device.price_usd" is "device.price_usd" before "price_usd"). Null: none.
    const Term* find(const QString& name) const;
    const Term* find(std::string_view name) const {
        return find(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())));
    }
    /// What's This of a name; empty where there is no such term.
    QString whatsThis(const QString& name) const;

private:
    Glossary();
    void know(const QString& name, std::size_t term); ///< unless the name is another's

    std::vector<Term> m_terms;
    QHash<QString, std::size_t> m_byName;
};

/// Shift+F1 and What's This on the widget, or on anything in it, show this term. UI thread.
void setTerm(QWidget* widget, std::string_view name);
/// The same on an entry of a menu, and on the head of a table.
void setTerm(QAction* action, std::string_view name);
void setTerm(QTableWidgetItem* head, std::string_view name);

} // namespace heteroscape::widgets
