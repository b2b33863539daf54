// SPDX-License-Identifier: GPL-3.0-or-later
// What the documents for people who work on the project say, held to the files: paths, the order of the
// folders, where kinds are registered, and the lists of what has to be touched to add something.
#include "engine/base/file.h"
#include "engine/base/json.h"
#include "engine/catalog/offload_kind.h"
#include "engine/catalog/timing_kind.h"
#include "engine/evaluation/metric.h"
#include "engine/scenario/arrival_kind.h"
#include "engine/scenario/batching_kind.h"
#include "engine/scenario/node_fields.h"
#include "engine/scenario/scenario.h"
#include "engine/scenario/technique.h"
#include "tests/engine/fixtures.h"
#include "tests/places.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

std::string rootFolder() {
    return std::filesystem::path(heteroscape::places::kEngineFolder).parent_path().string();
}

std::vector<std::string> linesOf(const std::string& path) {
    std::vector<std::string> lines;
    std::istringstream text(readFile(rootFolder() + "/" + path));
    for (std::string line; std::getline(text, line);)
        lines.push_back(line);
    return lines;
}

/// What stands between backticks.
std::vector<std::string> quotedIn(const std::string& text) {
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

bool startsWithFolder(const std::string& text) {
    static const std::array<std::string, 7> folders{"engine/", "widgets/",   "app/",      "presets/",
                                                    "tests/",  "packaging/", "resources/"};
    return std::any_of(folders.begin(), folders.end(),
                       [&](const std::string& folder) { return text.starts_with(folder); });
}

/// A path as it stands in a text: the command without its arguments, the folder of a file to be made.
std::string existingPart(const std::string& quoted) {
    auto path = quoted.substr(0, quoted.find(' '));
    if (const auto placeholder = path.find('<'); placeholder != std::string::npos)
        path = path.substr(0, path.rfind('/', placeholder));
    return path;
}

struct Row {
    std::string file;
    std::vector<std::string> holds; ///< texts that the file holds
};
struct List {
    std::size_t stated = 0; ///< files, by its heading
    std::vector<Row> rows;
};

/// The lists below "### Add ...: n files", by what is added: "a technique".
std::map<std::string, List> listsOf(const std::vector<std::string>& lines) {
    static const std::string heading = "### Add ";
    std::map<std::string, List> lists;
    List* list = nullptr;
    for (const auto& line : lines) {
        if (line.starts_with("#")) {
            list = nullptr;
            const auto colon = line.find(": ");
            if (!line.starts_with(heading) || colon == std::string::npos)
                continue;
            list = &lists[line.substr(heading.size(), colon - heading.size())];
            list->stated = std::stoul(line.substr(colon + 2));
        } else if (list && line.starts_with("| `")) {
            const auto last = line.rfind('|', line.size() - 2);
            list->rows.push_back({quotedIn(line).front(), quotedIn(line.substr(last))});
        }
    }
    return lists;
}

} // namespace

TEST_CASE("documents name paths that exist, in lines that can be read") {
    for (const auto* document :
         {"ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "engine/README.md", "widgets/README.md",
          "tests/README.md", "presets/README.md", "packaging/README.md", "app/README.md"}) {
        CAPTURE(document);
        for (const auto& line : linesOf(document))
            for (const auto& quoted : quotedIn(line)) {
                if (!startsWithFolder(quoted) || quoted.find('*') != std::string::npos)
                    continue;
                CAPTURE(quoted);
                CHECK(std::filesystem::exists(rootFolder() + "/" + existingPart(quoted)));
            }
    }
    for (const auto* document : {"ARCHITECTURE.md", "CONTRIBUTING.md", "engine/README.md"})
        for (const auto& line : linesOf(document)) {
            CAPTURE(document);
            CAPTURE(line);
            CHECK(line.size() <= 160);
        }
}

TEST_CASE("what has to be touched to add something is what the lists say") {
    const auto lists = listsOf(linesOf("CONTRIBUTING.md"));
    // The most files that each may cost. Raise none of them without a reason that people can read.
    const std::map<std::string, std::size_t> most{{"a device property", 2},
                                                  {"a timing model", 3},
                                                  {"a kind of attention", 3},
                                                  {"a way of offloading", 1},
                                                  {"a technique", 3},
                                                  {"a kind of arrivals", 3},
                                                  {"a way to batch", 3},
                                                  {"a metric", 4},
                                                  {"a kind of plot", 5},
                                                  {"a search method", 3},
                                                  {"a model of the catalogue", 1},
                                                  {"a preset", 1}};
    CHECK(lists.size() == most.size());
    for (const auto& [what, limit] : most) {
        CAPTURE(what);
        const auto found = lists.find(what);
        REQUIRE(found != lists.end());
        const auto& [stated, rows] = found->second;
        CHECK(rows.size() == stated);
        CHECK(stated <= limit);
        for (const auto& row : rows) {
            CAPTURE(row.file);
            const auto path = rootFolder() + "/" + existingPart(row.file);
            REQUIRE(std::filesystem::exists(path));
            const bool isNew = row.file.find('<') != std::string::npos;
            CHECK(row.holds.empty() == isNew);
            for (const auto& text : row.holds) {
                CAPTURE(text);
                CHECK(readFile(path).find(text) != std::string::npos);
            }
        }
    }
}

TEST_CASE("every registry of kinds is named where people look for it") {
    const auto lists = listsOf(linesOf("CONTRIBUTING.md"));
    std::set<std::string> architecture;
    for (const auto& line : linesOf("ARCHITECTURE.md"))
        for (auto& quoted : quotedIn(line))
            architecture.insert(std::move(quoted));
    const std::string made = "static Registry<";
    std::size_t registries = 0;
    for (const auto& path : listFiles(heteroscape::places::kEngineFolder, ".cpp")) {
        const auto text = readFile(path);
        const auto at = text.find(made);
        if (at == std::string::npos)
            continue;
        ++registries;
        const auto file = path.substr(rootFolder().size() + 1);
        const auto begin = at + made.size() - std::string("Registry<").size();
        const auto registry = text.substr(begin, text.find('>', begin) + 1 - begin);
        CAPTURE(file);
        CAPTURE(registry);
        CHECK(architecture.contains(file));
        CHECK(std::any_of(lists.begin(), lists.end(), [&](const auto& list) {
            const auto& rows = list.second.rows;
            return std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
                return row.file == file && row.holds == std::vector<std::string>{registry};
            });
        }));
    }
    CHECK(registries >= 5);
}

TEST_CASE("whoever asks which kind a plot is stands in the list of what a kind of plot costs") {
    std::set<std::string> listed;
    auto lists = listsOf(linesOf("CONTRIBUTING.md"));
    for (const auto& row : lists["a kind of plot"].rows)
        for (const auto& text : row.holds)
            if (text.find("PlotKind") != std::string::npos)
                listed.insert(row.file);
    std::set<std::string> asking;
    for (const std::string folder : {heteroscape::places::kEngineFolder, heteroscape::places::kWidgetsFolder})
        for (const auto* suffix : {".h", ".cpp"})
            for (const auto& path : listFiles(folder, suffix))
                if (readFile(path).find("PlotKind::") != std::string::npos)
                    asking.insert(path.substr(rootFolder().size() + 1));
    CHECK(asking == listed);
}

TEST_CASE("ARCHITECTURE.md has the words of the glossary, in its order, and no others") {
    const auto glossary = parseJson(readFile(rootFolder() + "/resources/glossary.json"), "glossary.json");
    std::string expected;
    for (const auto& term : glossary) {
        const auto text = [&](const char* key) {
            return term.contains(key) ? term[key].get<std::string>() : std::string();
        };
        CAPTURE(text("term"));
        CHECK_FALSE(text("text").empty());
        CHECK(text("text").size() <= 260); // short
        CHECK_FALSE(term["names"].empty());
        expected += "**" + text("term") + "**";
        if (term.contains("unit"))
            expected += " (" + text("unit") + ")";
        expected += ": " + text("text");
        if (term.contains("equation"))
            expected += " Equation: " + text("equation") + ".";
        if (term.contains("source"))
            expected += " Source: " + text("source") + ".";
        expected += '\n';
    }
    std::string found; // a paragraph a line
    bool inside = false, within = false;
    for (const auto& line : linesOf("ARCHITECTURE.md")) {
        if (line.starts_with("## ")) {
            inside = line == "## Glossary";
            continue;
        }
        if (!inside)
            continue;
        if (line.starts_with("**")) {
            within = true;
            found += line;
        } else if (within && !line.empty()) {
            found += ' ' + line;
        } else if (within) {
            within = false;
            found += '\n';
        }
    }
    if (within)
        found += '\n';
    CHECK(glossary.size() >= 100);
    CHECK((found == expected));
}

TEST_CASE("every metric, field, technique and timing model is a word of the glossary") {
    const auto glossary = parseJson(readFile(rootFolder() + "/resources/glossary.json"), "glossary.json");
    std::set<std::string> names;
    for (const auto& term : glossary)
        for (const auto& name : term["names"]) {
            CAPTURE(name.get<std::string>());
            CHECK(names.insert(name.get<std::string>()).second); // each leads to one term
        }
    for (const auto& spec : metricSpecs()) {
        CAPTURE(spec.key);
        CHECK(names.contains(std::string(spec.key)));
    }
    const auto checkFields = [&](auto fields) {
        for (const auto& field : fields) {
            CAPTURE(field.spec.key);
            CHECK(names.contains(std::string(field.spec.key)));
        }
    };
    checkFields(deviceFields());
    checkFields(modelFields());
    checkFields(runtimeFields());
    checkFields(workloadFields());
    checkFields(linkTypeFields());
    checkFields(economicsFields());
    checkFields(nodeFields());
    checkFields(servingFields());
    for (const auto* technique : techniqueKinds().all()) {
        CAPTURE(technique->id());
        CHECK(names.contains(std::string(technique->id())));
        for (const auto& parameter : technique->parameters()) {
            CAPTURE(parameter.spec.key);
            CHECK((names.contains(std::string(parameter.spec.key)) ||
                   names.contains(std::string(technique->id()) + "." + std::string(parameter.spec.key))));
        }
    }
    const auto checkKinds = [&](const auto& kinds) {
        for (const auto* kind : kinds.all()) {
            CAPTURE(kind->id());
            CHECK(names.contains(std::string(kind->id())));
            for (const auto& parameter : kind->parameters()) {
                CAPTURE(parameter.spec.key);
                CHECK(names.contains(std::string(parameter.spec.key)));
            }
        }
    };
    checkKinds(timingKinds());
    checkKinds(arrivalKinds());
    checkKinds(batchingKinds());
    for (const auto* kind : offloadKinds().all())
        for (const auto& parameter : kind->parameters()) {
            CAPTURE(parameter.spec.key);
            CHECK(names.contains(std::string(parameter.spec.key)));
        }
}
