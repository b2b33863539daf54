// SPDX-License-Identifier: GPL-3.0-or-later
// The house's rule: a folder of the engine includes only itself and the folders before it.
#include "engine/base/file.h"
#include "tests/engine/fixtures.h"
#include "tests/places.h"

#include <algorithm>
#include <sstream>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const std::vector<std::string> kOrder{"base",       "units",      "catalog",     "scenario",  "operators",
                                      "techniques", "timing",     "schedule",    "serving",   "evaluation",
                                      "study",      "search",     "store",       "study_run", "plotting",
                                      "claims",     "validation", "calibration", "exporters", "frontier"};

/// The folders that a document lists in the first column of a table: "| `" + prefix + "base/` |".
std::vector<std::string> listedIn(const std::string& document, const std::string& prefix) {
    const auto start = "| `" + prefix;
    std::vector<std::string> listed;
    std::istringstream lines(readFile(std::string(heteroscape::places::kEngineFolder) + "/" + document));
    for (std::string line; std::getline(lines, line);) {
        if (!listed.empty() && !line.starts_with("|"))
            break; // the first table alone
        if (const auto end = line.find("/` |");
            line.starts_with(start) && end > start.size() && end < line.size())
            listed.push_back(line.substr(start.size(), end - start.size()));
    }
    return listed;
}

} // namespace

TEST_CASE("the engine's folders include only those before them, and nothing of Qt") {
    const std::string root = heteroscape::places::kEngineFolder;
    const auto folderOf = [&](const std::string& path) { return path.substr(0, path.find('/')); };
    const auto place = [&](const std::string& folder) {
        return std::find(kOrder.begin(), kOrder.end(), folder) - kOrder.begin();
    };
    std::size_t files = 0;
    for (const auto* suffix : {".h", ".cpp"}) {
        for (const auto& path : listFiles(root, suffix)) {
            const auto folder = folderOf(path.substr(root.size() + 1));
            if (folder == "version.h")
                continue;
            CAPTURE(path);
            REQUIRE(place(folder) < static_cast<std::ptrdiff_t>(kOrder.size()));
            ++files;
            std::istringstream lines(readFile(path));
            for (std::string line; std::getline(lines, line);) {
                CAPTURE(line);
                CHECK_FALSE(line.starts_with("#include <Q"));
                CHECK_FALSE(line.starts_with("#include \"widgets/"));
                if (line.starts_with("#include \"engine/") && line.find("version.h") == std::string::npos)
                    CHECK(place(folderOf(line.substr(17))) <= place(folder));
            }
        }
    }
    CHECK(files > 60);
}

TEST_CASE("the documents list the engine's folders in the order of their includes") {
    CHECK(listedIn("README.md", "") == kOrder);
    CHECK(listedIn("../ARCHITECTURE.md", "engine/") == kOrder);
}
