// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace heteroscape::widgets {

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

} // namespace heteroscape::widgets
