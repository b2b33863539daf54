// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <string_view>
#include <vector>

class QAction;
class QTableWidgetItem;
class QWidget;

namespace heteroscape::widgets {

/// What one word of the window means, or what a page of the guide is about.
struct Term {
    QString term;                   ///< "Goodput"
    QString text;                   ///< one to three plain sentences
    QString unit, equation, source; ///< may be empty
    QString link;                   ///< its place in the guide: "metrics.md#goodput"
    QStringList names; ///< keys of metrics and fields, ids of kinds, words of heads: "goodput_req_s"

    QString html() const; ///< all of it, for a label or What's This; ends with the link
};

/// All words that the window explains: those of the guide (engine/exporters/guide.h). Read once; any thread.
class Glossary {
public:
    static const Glossary& instance();

    const std::vector<Term>& terms() const { return m_terms; }
    const Term* find(std::string_view name) const; ///< as Guide::find() does
    const Term* find(const QString& name) const { return find(std::string_view(name.toStdString())); }
    /// What's This of a name; empty where there is no such term.
    QString whatsThis(const QString& name) const;

private:
    Glossary();

    std::vector<Term> m_terms; ///< in the order of the guide's
};

/// Shift+F1 on the widget, or on anything in it, shows this term, F1 its page: "ttft_s", "find.md". UI
/// thread.
void setTerm(QWidget* widget, std::string_view name);
/// The same on an entry of a menu, and on the head of a table.
void setTerm(QAction* action, std::string_view name);
void setTerm(QTableWidgetItem* head, std::string_view name);

/// Says what has the keyboard is, or the current cell of a table; where that has no term, the next click
/// asks.
void tellWhatThisIs();

/// The link of a term's html(); empty: none.
QString guideLink(const QString& whatsThis);

} // namespace heteroscape::widgets
