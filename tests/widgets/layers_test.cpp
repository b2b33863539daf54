// SPDX-License-Identifier: GPL-3.0-or-later
// The house's rule: a folder of the widgets includes only itself, the folders before it, and the engine.
#include "engine/base/file.h"
#include "tests/engine/fixtures.h"
#include "tests/places.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <regex>
#include <sstream>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const std::vector<std::string> kOrder{
    "theme",      "settings",    "jobs",    "glossary", "document", "plots",    "canvas",   "inspector",
    "parts",      "palette",     "explain", "lanes",    "timeline", "roofline", "requests", "results",
    "validation", "calibration", "compare", "explore",  "find",     "report",   "start",    "window"};

std::string folderOf(const std::string& path) {
    return path.substr(0, path.find('/'));
}

std::ptrdiff_t place(const std::string& folder) {
    return std::find(kOrder.begin(), kOrder.end(), folder) - kOrder.begin();
}

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

TEST_CASE("the widgets' folders include only those before them, the engine and libraries") {
    const std::string root = heteroscape::places::kWidgetsFolder;
    const std::string ours = "#include \"widgets/";
    std::vector<std::size_t> files(kOrder.size());
    for (const auto* suffix : {".h", ".cpp"}) {
        for (const auto& path : listFiles(root, suffix)) {
            const auto inside = path.substr(root.size() + 1);
            if (inside == "precompiled.h")
                continue;
            CAPTURE(path);
            const auto here = place(folderOf(inside));
            REQUIRE(here < static_cast<std::ptrdiff_t>(kOrder.size()));
            ++files[static_cast<std::size_t>(here)];
            std::istringstream lines(readFile(path));
            for (std::string line; std::getline(lines, line);) {
                CAPTURE(line);
                if (line.starts_with(ours))
                    CHECK(place(folderOf(line.substr(ours.size()))) <= here);
                else if (line.starts_with("#include \""))
                    CHECK(line.starts_with("#include \"engine/"));
            }
        }
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
        CAPTURE(kOrder[i]);
        CHECK(files[i] >= 2);
    }
}

TEST_CASE("the documents list the widgets' folders in the order of their includes") {
    const auto listedIn = [](const std::string& document, const std::string& start) {
        std::vector<std::string> listed;
        std::istringstream lines(readFile(std::string(heteroscape::places::kWidgetsFolder) + "/" + document));
        for (std::string line; std::getline(lines, line);)
            if (line.starts_with(start) && line.find("/` |") > start.size() &&
                line.find("/` |") < line.size())
                listed.push_back(line.substr(start.size(), line.find("/` |") - start.size()));
        return listed;
    };
    CHECK(listedIn("README.md", "| `") == kOrder);
    CHECK(listedIn("../ARCHITECTURE.md", "| `widgets/") == kOrder);
}

TEST_CASE("no file of the widgets has more than 400 lines") {
    std::size_t files = 0;
    for (const auto* suffix : {".h", ".cpp"})
        for (const auto& path : listFiles(heteroscape::places::kWidgetsFolder, suffix)) {
            CAPTURE(path);
            const auto text = readFile(path);
            CHECK(std::count(text.begin(), text.end(), '\n') <= 400);
            ++files;
        }
    CHECK(files > 500);
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
    for (const auto* suffix : {".h", ".cpp"})
        for (const auto& path : listFiles(heteroscape::places::kWidgetsFolder, suffix))
            if (!path.ends_with("precompiled.h")) {
                std::map<std::string, int> own;
                countFunctions(bareCode(readFile(path)), {}, own);
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
