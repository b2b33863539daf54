// SPDX-License-Identifier: GPL-3.0-or-later
// The house's rule: a folder of the widgets includes only itself, the folders before it, and the engine.
#include "engine/base/file.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <sstream>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const std::vector<std::string> kOrder{
    "theme",       "settings", "jobs",    "glossary", "document", "plots",    "canvas",  "inspector",
    "parts",       "palette",  "explain", "timeline", "roofline", "requests", "results", "validation",
    "calibration", "compare",  "explore", "report",   "start",    "window"};

std::string folderOf(const std::string& path) {
    return path.substr(0, path.find('/'));
}

std::ptrdiff_t place(const std::string& folder) {
    return std::find(kOrder.begin(), kOrder.end(), folder) - kOrder.begin();
}

} // namespace

TEST_CASE("the widgets' folders include only those before them, the engine and libraries") {
    const std::string root = WIDGETS_FOLDER;
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
        std::istringstream lines(readFile(std::string(WIDGETS_FOLDER) + "/" + document));
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
        for (const auto& path : listFiles(WIDGETS_FOLDER, suffix)) {
            CAPTURE(path);
            const auto text = readFile(path);
            CHECK(std::count(text.begin(), text.end(), '\n') <= 400);
            ++files;
        }
    CHECK(files > 500);
}
