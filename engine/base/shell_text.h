// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace heteroscape::engine {

/// A word as a shell needs it.
std::string shellQuoted(const std::string& text);

/// The commands of a text for a shell, word by word, and the files that it writes in place (`cat > file
/// <<EOF`). Comments, quotes, continued lines, `;`, `&` and `|` are as a shell has them; variables stay as
/// they are written.
class ShellText {
public:
    /// Throws Error (InvalidInput) naming `where` and the line whose quote is never closed.
    ShellText(const std::string& text, const std::string& where);

    const std::vector<std::vector<std::string>>& commands() const& { return m_commands; }
    std::vector<std::vector<std::string>> commands() && { return std::move(m_commands); }
    const std::map<std::string, std::string>& files() const& { return m_files; }
    std::map<std::string, std::string> files() && { return std::move(m_files); }

private:
    std::vector<std::vector<std::string>> m_commands;
    std::map<std::string, std::string> m_files;
};

} // namespace heteroscape::engine
