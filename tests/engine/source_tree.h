// SPDX-License-Identifier: GPL-3.0-or-later
// The tree that the tests are built from, for those that read it.
#pragma once

#include "engine/base/file.h"
#include "tests/places.h"

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace heteroscape::engine::test {

/// Where its top folder is; no slash at the end.
inline const std::string& treeFolder() {
    static const std::string folder = heteroscape::places::kTreeFolder;
    return folder;
}

/// A file by its path below the top folder: all of it, its lines.
inline std::string fileText(const std::string& path) {
    return readFile(treeFolder() + "/" + path);
}
inline std::vector<std::string> linesOf(const std::string& path) {
    std::vector<std::string> lines;
    std::istringstream text(fileText(path));
    for (std::string line; std::getline(text, line);)
        lines.push_back(line);
    return lines;
}

/// The paths of all C++ files below a folder, from the top folder on: "engine/base/error.h".
inline std::vector<std::string> sourcesIn(const std::string& folder) {
    std::vector<std::string> paths;
    for (const auto* suffix : {".h", ".cpp"})
        for (const auto& path : listFiles(treeFolder() + "/" + folder, suffix))
            paths.push_back(path.substr(treeFolder().size() + 1));
    return paths;
}

/// Whether a line takes in what moc makes.
inline bool isOfMoc(const std::string& line) {
    return line.starts_with("#include \"moc_") || line.ends_with(".moc\"");
}

/// What stands between backticks.
inline std::vector<std::string> quotedIn(const std::string& text) {
    std::vector<std::string> quoted;
    std::size_t at = 0;
    while ((at = text.find('`', at)) != std::string::npos) {
        const auto end = text.find('`', at + 1);
        if (end == std::string::npos)
            break;
        quoted.push_back(text.substr(at + 1, end - at - 1));
        at = end + 1;
    }
    return quoted;
}

/// A list of what has to be touched to add something, of CONTRIBUTING.md: "### Add a technique: 7 files".
struct AddList {
    struct Row {
        std::string file;
        std::vector<std::string> holds; ///< texts that the file holds; none in one that is made
    };
    std::string what;       ///< "a technique"
    std::size_t stated = 0; ///< files, by its heading
    std::string example;    ///< the line below that begins with "Example:"
    std::vector<Row> rows;
};
inline std::vector<AddList> addLists() {
    static const std::string heading = "### Add ";
    std::vector<AddList> lists;
    bool inside = false;
    for (const auto& line : linesOf("CONTRIBUTING.md")) {
        if (line.starts_with("#")) {
            const auto colon = line.find(": ");
            inside = line.starts_with(heading) && colon != std::string::npos;
            if (inside)
                lists.push_back({line.substr(heading.size(), colon - heading.size()),
                                 std::stoul(line.substr(colon + 2)),
                                 {},
                                 {}});
        } else if (inside && line.starts_with("| `")) {
            const auto last = line.rfind('|', line.size() - 2);
            lists.back().rows.push_back({quotedIn(line).front(), quotedIn(line.substr(last))});
        } else if (inside && line.starts_with("Example: ")) {
            lists.back().example = line;
        }
    }
    return lists;
}

} // namespace heteroscape::engine::test
