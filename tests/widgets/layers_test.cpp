// SPDX-License-Identifier: GPL-3.0-or-later
// No file and no class of the widgets grows beyond what can be read at once.
#include "tests/engine/fixtures.h"
#include "tests/engine/source_tree.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <regex>
#include <sstream>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// The text without comments, preprocessor lines, and what is in quotes.
std::string bareCode(const std::string& text) {
    std::string bare;
    bool lineStart = true;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto past = [&](const char* end, std::size_t from) {
            const auto found = text.find(end, from);
            return found == std::string::npos ? text.size() : found;
        };
        const char c = text[i];
        if (text.compare(i, 2, "//") == 0 || (lineStart && c == '#')) {
            i = past("\n", i);
            bare += '\n';
        } else if (text.compare(i, 2, "/*") == 0) {
            i = past("*/", i) + 1;
        } else if (c == '"' ||
                   (c == '\'' && (i == 0 || !std::isalnum(static_cast<unsigned char>(text[i - 1]))))) {
            for (++i; i < text.size() && text[i] != c; ++i)
                i += text[i] == '\\' ? 1 : 0;
            bare += "0";
        } else {
            bare += c;
        }
        lineStart = c == '\n' || (lineStart && c == ' ');
    }
    return bare;
}

/// Whether a declaration, without its body, is that of a function: a name before the first bracket that
/// stands outside of <>, and no initialiser before it.
bool isFunction(const std::string& declaration) {
    static const std::regex others(R"(^\s*(using|friend|static_assert|typedef)\b)");
    if (std::regex_search(declaration, others))
        return false;
    if (declaration.find("operator") != std::string::npos)
        return true;
    int angles = 0;
    for (std::size_t i = 0; i < declaration.size(); ++i) {
        const char c = declaration[i];
        angles += c == '<' ? 1 : c == '>' ? -1 : 0;
        if (c == '=' || c == '{')
            return false;
        if (c == '(' && angles == 0) {
            const auto name = declaration.find_last_not_of(" \n", i - 1);
            return i > 0 && name != std::string::npos &&
                   (std::isalnum(static_cast<unsigned char>(declaration[name])) || declaration[name] == '_');
        }
    }
    return false;
}

/// How many functions each class of this code declares, signals and what it overrides among them. A class
/// inside another is counted by itself.
void countFunctions(const std::string& code, const std::string& name, std::map<std::string, int>& counts) {
    static const std::regex type(R"(\b(class|struct)\s+(\w+)[^;(]*$)");
    static const std::regex access(R"((public|private|protected|signals)(\s+slots)?\s*:$)");
    std::string declaration;
    int functions = 0;
    for (std::size_t i = 0; i < code.size(); ++i) {
        const char c = code[i];
        if (c == '{') {
            int depth = 0;
            auto end = i;
            for (; end < code.size(); ++end) {
                depth += code[end] == '{' ? 1 : code[end] == '}' ? -1 : 0;
                if (depth == 0)
                    break;
            }
            const auto body = code.substr(i + 1, end - i - 1);
            i = end;
            std::smatch found;
            if (isFunction(declaration))
                ++functions;
            else if (declaration.find("namespace") != std::string::npos)
                countFunctions(body, {}, counts);
            else if (declaration.find("enum") == std::string::npos &&
                     std::regex_search(declaration, found, type))
                countFunctions(body, found[2], counts);
            else
                continue; // an initialiser: its declaration goes on
            declaration.clear();
        } else if (c == ';') {
            functions += isFunction(declaration) ? 1 : 0;
            declaration.clear();
        } else {
            declaration += c;
            if (c == ':' && std::regex_search(declaration, access))
                declaration.clear();
        }
    }
    if (!name.empty())
        counts[name] += functions;
}

} // namespace

TEST_CASE("no file of the widgets has more than 400 lines") {
    std::size_t files = 0;
    for (const auto& path : sourcesIn("widgets")) {
        CAPTURE(path);
        const auto lines = linesOf(path);
        CHECK(lines.size() - (isOfMoc(lines.back()) ? 2 : 0) <= 400);
        ++files;
    }
    CHECK(files > 200);
}

TEST_CASE("what counts as a function of a class") {
    std::map<std::string, int> counts;
    countFunctions(bareCode(R"(
namespace a {
/// A comment (with brackets);
class Counted : public QObject {
    Q_OBJECT
public:
    explicit Counted(int a = 0);
    ~Counted() override;
    int value() const { return m_value(); } // one
    bool operator==(const Counted&) const = default;
    struct Inner {
        void one();
        int two{0};
    };
    enum class Kind { A, B };
signals:
    void changed();

private:
    std::function<void(int)> m_do;
    Job m_job{Job::Order(1)};
    static constexpr const char* kName = "f(x);";
    int m_kept = 0;
};
}
)"),
                   {}, counts);
    CHECK(counts == std::map<std::string, int>{{"Counted", 5}, {"Inner", 1}});
}

TEST_CASE("no class of the widgets has more than 40 functions") {
    std::map<std::string, int> counts;
    for (const auto& path : sourcesIn("widgets"))
        if (!path.ends_with("precompiled.h")) {
            std::map<std::string, int> own;
            countFunctions(bareCode(fileText(path)), {}, own);
            for (const auto& [name, functions] : own) {
                CAPTURE(path);
                CAPTURE(name);
                CHECK(functions <= 40);
                counts[name] += functions;
            }
        }
    CHECK(counts.size() > 300);
    CHECK(counts["MainWindow"] > 20);
}
