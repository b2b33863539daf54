// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/shell_text.h"

#include "engine/base/error.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

namespace heteroscape::engine {

std::string shellQuoted(const std::string& text) {
    constexpr std::string_view kPlain = "_-./=:,+@%";
    if (!text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) || kPlain.find(c) != std::string_view::npos;
        }))
        return text;
    std::string word = "'";
    for (const char c : text)
        word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

namespace {

class ShellReader {
public:
    std::vector<std::vector<std::string>> commands;
    std::map<std::string, std::string> files;

    ShellReader(const std::string& text, std::string where) : m_text(text), m_where(std::move(where)) {
        while (m_at < m_text.size())
            next();
        endCommand();
    }

private:
    const std::string& m_text;
    std::string m_where;
    std::size_t m_at = 0;
    std::vector<std::string> m_words;
    std::string m_word;
    bool m_inWord = false;
    std::string m_endsFile; ///< mark that ends the file of the command that is read
    bool m_dropsTabs = false;

    void next() {
        const char c = m_text[m_at++];
        if (c == '\\' && m_at < m_text.size()) {
            const bool continues =
                m_text[m_at] == '\n' ||
                (m_text[m_at] == '\r' && m_text[std::min(m_at + 1, m_text.size() - 1)] == '\n');
            m_at += continues && m_text[m_at] == '\r' ? 1 : 0;
            const char escaped = m_text[m_at++];
            if (!continues)
                add(escaped);
        } else if (c == '\'' || c == '"') {
            quoted(c);
        } else if (c == '#' && !m_inWord) {
            m_at = std::min(m_text.find('\n', m_at), m_text.size());
        } else if (c == '<' && m_text.compare(m_at, 1, "<") == 0) {
            ++m_at;
            readMark();
        } else if (c == '\n' || c == ';' || c == '&' || c == '|') {
            endCommand();
            if (c == '\n' && !m_endsFile.empty())
                readFile();
        } else if (std::isspace(static_cast<unsigned char>(c))) {
            endWord();
        } else {
            add(c);
        }
    }
    void add(char c) {
        m_word += c;
        m_inWord = true;
    }
    void quoted(char quote) {
        const auto begin = m_at;
        m_inWord = true;
        while (m_at < m_text.size() && m_text[m_at] != quote) {
            if (quote == '"' && m_text[m_at] == '\\' && m_at + 1 < m_text.size() &&
                std::string_view("\"\\$`\n").find(m_text[m_at + 1]) != std::string_view::npos)
                ++m_at;
            m_word += m_text[m_at++];
        }
        if (m_at++ >= m_text.size())
            throwInvalid(
                m_where + ", line " +
                    std::to_string(std::count(m_text.begin(),
                                              m_text.begin() + static_cast<std::ptrdiff_t>(begin), '\n') +
                                   1),
                "a quote is opened and never closed", std::string("Close it with another ") + quote);
    }
    /// `<<EOF`, `<<'EOF'`, `<<-EOF`: the last one's rows are without the tabs before them.
    void readMark() {
        m_endsFile.clear();
        m_dropsTabs = m_at < m_text.size() && m_text[m_at] == '-';
        while (m_at < m_text.size() && m_text[m_at] != '\n' && (m_endsFile.empty() || m_text[m_at] != ' ')) {
            if (std::isalnum(static_cast<unsigned char>(m_text[m_at])) || m_text[m_at] == '_')
                m_endsFile += m_text[m_at];
            ++m_at;
        }
    }
    void readFile() {
        std::string file;
        while (m_at < m_text.size()) {
            const auto end = std::min(m_text.find('\n', m_at), m_text.size());
            auto row = m_text.substr(m_at, end - m_at);
            if (m_dropsTabs)
                row.erase(0, std::min(row.find_first_not_of('\t'), row.size()));
            m_at = end + 1;
            if (row == m_endsFile)
                break;
            file += row + "\n";
        }
        m_endsFile.clear();
        if (!m_named.empty())
            files[m_named] = std::move(file);
    }
    void endWord() {
        if (m_inWord)
            m_words.push_back(std::exchange(m_word, {}));
        m_inWord = false;
    }
    void endCommand() {
        endWord();
        if (m_words.empty())
            return;
        m_named.clear();
        for (std::size_t i = 0; i < m_words.size(); ++i) // cat > file, cat >file
            if (m_words[i] == ">" && i + 1 < m_words.size())
                m_named = m_words[i + 1];
            else if (m_words[i].size() > 1 && m_words[i][0] == '>')
                m_named = m_words[i].substr(m_words[i][1] == '>' ? 2 : 1);
        commands.push_back(std::exchange(m_words, {}));
    }
    std::string m_named; ///< file that the last command writes
};

} // namespace

ShellText::ShellText(const std::string& text, const std::string& where) {
    ShellReader reader(text, where);
    m_commands = std::move(reader.commands);
    m_files = std::move(reader.files);
}

} // namespace heteroscape::engine
