// SPDX-License-Identifier: GPL-3.0-or-later
// The house's rule: a folder of the engine, and of the widgets, includes only itself and the folders before
// it in the table of its README.
#include "tests/engine/fixtures.h"
#include "tests/engine/source_tree.h"

#include <algorithm>
#include <set>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// The folders in the first column of the first table: "| `base/` |".
std::vector<std::string> foldersIn(const std::string& document) {
    std::vector<std::string> folders;
    for (const auto& line : linesOf(document)) {
        if (!folders.empty() && !line.starts_with("|"))
            break;
        if (const auto end = line.find("/` |"); line.starts_with("| `") && end != std::string::npos)
            folders.push_back(line.substr(3, end - 3));
    }
    return folders;
}

/// "base" of "base/error.h"; of a file that lies in no folder its name.
std::string folderOf(const std::string& path) {
    return path.substr(0, path.find('/'));
}

/// Checks all includes below a top folder; `others`: how those may begin that are not its own.
void checkLayers(const std::string& top, const std::vector<std::string>& others) {
    const auto order = foldersIn(top + "/README.md");
    const auto place = [&](const std::string& folder) {
        return std::find(order.begin(), order.end(), folder) - order.begin();
    };
    const auto own = "#include \"" + top + "/";
    std::set<std::string> seen;
    for (const auto& path : sourcesIn(top)) {
        const auto folder = folderOf(path.substr(top.size() + 1));
        if (folder.find('.') != std::string::npos) // a file in no folder, which all may include
            continue;
        CAPTURE(path);
        REQUIRE(place(folder) < static_cast<std::ptrdiff_t>(order.size()));
        seen.insert(folder);
        for (const auto& line : linesOf(path)) {
            CAPTURE(line);
            if (const auto included = line.starts_with(own) ? folderOf(line.substr(own.size())) : "";
                !included.empty() && included.find('.') == std::string::npos)
                CHECK(place(included) <= place(folder));
            else if (line.starts_with("#include \"") && included.empty() && !isOfMoc(line))
                CHECK(std::any_of(others.begin(), others.end(), [&](const std::string& other) {
                    return line.starts_with("#include \"" + other);
                }));
        }
    }
    CHECK(seen == std::set<std::string>(order.begin(), order.end()));
}

} // namespace

TEST_CASE("the engine's folders include only those before them, and nothing of Qt") {
    checkLayers("engine", {});
    for (const auto& path : sourcesIn("engine"))
        for (const auto& line : linesOf(path)) {
            CAPTURE(path);
            CHECK_FALSE(line.starts_with("#include <Q"));
        }
}

TEST_CASE("the widgets' folders include only those before them, the engine and libraries") {
    checkLayers("widgets", {"engine/"});
}
