// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/command_rank.h"

#include <algorithm>

namespace heteroscape::widgets {

namespace {

QStringList wordsOf(const QString& text) {
    QStringList words;
    QString word;
    for (const QChar c : text) {
        if (c.isLetterOrNumber())
            word += c;
        else if (!word.isEmpty())
            words << std::exchange(word, {});
    }
    if (!word.isEmpty())
        words << word;
    return words;
}

int rankWord(const SearchableLine& line, const QString& typed) {
    int best = 0;
    for (qsizetype i = 0; i < line.words.size(); ++i) {
        const auto& word = line.words[i];
        if (!word.startsWith(typed))
            continue;
        const bool own = i < line.own;
        best =
            std::max(best, (own ? 8 : 4) + (word.size() == typed.size() ? 4 : 0) + (own && i == 0 ? 1 : 0));
    }
    if (best > 0)
        return best;
    if (typed.size() > 1 && line.initials.contains(typed))
        return line.initials.startsWith(typed) ? 6 : 5;
    if (line.text.contains(typed))
        return 3;
    const auto holds = [&typed](const QString& word) { return word.contains(typed); };
    return holds(line.also) || std::any_of(line.words.begin(), line.words.end(), holds) ? 1 : 0;
}

} // namespace

SearchableLine searchable(const QString& text, const QString& group, const QString& also) {
    SearchableLine line;
    line.also = also.toLower();
    line.text = text.toLower();
    line.words = wordsOf(line.text);
    line.own = line.words.size();
    for (const auto& word : std::as_const(line.words))
        line.initials += word.front();
    line.words << wordsOf(group.toLower());
    return line;
}

int rankLine(const SearchableLine& line, const QStringList& typed) {
    int score = 1;
    for (const auto& word : typed) {
        const int one = rankWord(line, word);
        if (one == 0)
            return 0;
        score += one;
    }
    return line.text.startsWith(typed.join(QLatin1Char(' '))) ? score + 2
                                                              : score; // what was typed as it stands
}

} // namespace heteroscape::widgets
