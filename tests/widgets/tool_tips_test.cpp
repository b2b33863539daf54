// SPDX-License-Identifier: GPL-3.0-or-later
// The house's rule: a tool tip is a text of the program's own, or it is set through a function that escapes
// what it is given (widgets/theme/plain_text.h). Qt takes other people's names for markup.
#include "tests/engine/fixtures.h"
#include "tests/engine/source_tree.h"

#include <algorithm>
#include <array>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

struct Call {
    std::vector<std::string> arguments; ///< without blanks outside of literals, literals as ""
};

/// The arguments of a call, from behind its opening parenthesis.
Call callAt(const std::string& text, std::size_t at) {
    Call call{{std::string()}};
    for (int depth = 1; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '"') {
            while (text[++at] != '"')
                at += text[at] == '\\' ? 1 : 0;
            auto& last = call.arguments.back(); // literals that follow each other are one
            last += last.ends_with("\"\"") ? "" : "\"\"";
            continue;
        }
        depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
        if (depth == 0)
            break;
        if (depth == 1 && c == ',')
            call.arguments.emplace_back();
        else if (c != ' ' && c != '\n')
            call.arguments.back() += c;
    }
    return call;
}

/// The calls of a function in a source, not its declarations.
std::vector<Call> callsOf(const std::string& function, const std::string& text) {
    std::vector<Call> calls;
    for (auto at = text.find(function + "("); at != std::string::npos; at = text.find(function + "(", at + 1))
        if (!text.substr(0, at).ends_with("void "))
            calls.push_back(callAt(text, at + function.size() + 1));
    return calls;
}

bool isSafe(const std::string& tip) {
    constexpr std::array escaping{"plainTip(", "wrappedTip(", "quantityToolTip(", "metricToolTip("};
    return tip == "tr(\"\")" || tip == "link->tip(m_document)" ||
           (tip.ends_with(")") && std::any_of(escaping.begin(), escaping.end(),
                                              [&](const char* start) { return tip.starts_with(start); }));
}

std::vector<std::string> sources() {
    auto paths = sourcesIn("widgets");
    const auto ours = sourcesIn("app");
    paths.insert(paths.end(), ours.begin(), ours.end());
    std::erase_if(paths, [](const std::string& path) { return path.ends_with(".h"); });
    return paths;
}

} // namespace

TEST_CASE("every tool tip is the program's own words or escaped") {
    std::size_t tips = 0;
    for (const auto& path : sources()) {
        CAPTURE(path);
        const auto text = fileText(path);
        for (const auto& call : callsOf("setToolTip", text)) { // (tip) or (column, tip)
            CAPTURE(call.arguments.back());
            CHECK(isSafe(call.arguments.back()));
            ++tips;
        }
        for (const auto& call : callsOf("QToolTip::showText", text)) { // (place, tip, widget)
            REQUIRE(call.arguments.size() == 3);
            CAPTURE(call.arguments[1]);
            CHECK(isSafe(call.arguments[1]));
        }
        if (text.find("ToolTipRole") != std::string::npos) {
            const bool escapes = text.find("plainTip(") != std::string::npos;
            CHECK((escapes || callsOf("setItemData", text).size() > 0));
        }
        for (const auto& call : callsOf("setItemData", text))
            if (call.arguments.back() == "Qt::ToolTipRole")
                CHECK(isSafe(call.arguments[1]));
    }
    CHECK(tips > 100);
}

TEST_CASE("nothing is shown as rich text, and nothing shows what nobody can make plain") {
    for (const auto& path : sources()) {
        CAPTURE(path);
        const auto text = fileText(path);
        for (const auto* word :
             {"Qt::RichText", "Qt::MarkdownText", "setStatusTip(", "QErrorMessage", "QTextEdit"})
            CHECK(text.find(word) == std::string::npos);
        // Words and guide show what tables and their own files say, and nothing else.
        if (!path.starts_with("widgets/glossary/"))
            for (const auto* word : {"setWhatsThis(", "QWhatsThis", "QTextBrowser"})
                CHECK(text.find(word) == std::string::npos);
    }
}
