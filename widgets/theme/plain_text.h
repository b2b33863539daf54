// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstddef>
#include <type_traits>

class QWidget;

namespace heteroscape::widgets {

/// One row of a table: what stands beside a key.
template <class Key, class Value>
struct Entry {
    Key key;
    Value value;
};

/// Words beside a key; marked with QT_TR_NOOP where they are translated.
template <class Key>
using Word = Entry<Key, const char*>;

/// What a table has beside a key; `otherwise` for one that it does not have.
template <class Key, class Value, std::size_t N>
constexpr Value lookUp(const Entry<Key, Value> (&table)[N], const std::type_identity_t<Key>& key,
                       const std::type_identity_t<Value>& otherwise = {}) {
    for (const auto& entry : table)
        if (entry.key == key)
            return entry.value;
    return otherwise;
}

// Qt guesses whether a text is rich text: a name, path or message of a file that somebody sent would become a
// link or a picture. Nothing is left to guess here. Labels, also those of message boxes and of Qt's own
// dialogs, are plain unless they say otherwise (stopGuessing(), called by the style); tool tips have no such
// switch and are set through the functions below. tests/widgets/tool_tips_test.cpp looks for those that are
// not.

/// A text as a tool tip that shows it as it stands. What Qt would take for rich text is escaped, the rest is
/// returned as it is.
QString plainTip(const QString& text);

/// The same, with long lines broken; empty stays empty.
QString wrappedTip(const QString& text);

/// A text set off in rich text, as headings are: bold would be made up, as the font has no such weight.
QString strongMarkup(const QString& text);

/// Makes a label plain that leaves its format to be guessed. Tool tips are left alone: they hold markup of
/// the program's own too.
void stopGuessing(QWidget* widget);

} // namespace heteroscape::widgets
