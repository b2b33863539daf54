// SPDX-License-Identifier: GPL-3.0-or-later
// What the documents for people who work on the project say, held to the files: paths, where kinds are
// registered, the lists of what has to be touched to add something, and the words of the glossary.
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/json.h"
#include "engine/evaluation/metric.h"
#include "engine/exporters/guide.h"
#include "engine/scenario/technique.h"
#include "tests/engine/fixtures.h"
#include "tests/engine/source_tree.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

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

bool exists(const std::string& path) {
    return std::filesystem::exists(treeFolder() + "/" + path);
}

/// What git prints, its first line; empty where it fails.
std::string git(const std::string& arguments) {
    const auto command = "git -C '" + treeFolder() + "' " + arguments + " 2>/dev/null";
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), &::pclose);
    std::string line;
    for (int c = 0; pipe && (c = std::fgetc(pipe.get())) != EOF && c != '\n';)
        line += static_cast<char>(c);
    return line;
}

/// Whether the tree is a checkout with all of its history, not an archive and not a shallow clone.
bool hasHistory() {
    std::error_code unknown;
    return std::filesystem::equivalent(git("rev-parse --show-toplevel"), treeFolder(), unknown) &&
           git("rev-parse --is-shallow-repository") == "false";
}

/// What follows `mark` up to `end`, for each place where `mark` stands.
std::vector<std::string> namesAfter(const std::string& text, const std::string& mark, char end) {
    std::vector<std::string> names;
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1))
        names.push_back(text.substr(at + mark.size(), text.find(end, at) - at - mark.size()));
    return names;
}

} // namespace

TEST_CASE("documents name paths that exist, in lines that can be read") {
    for (const std::string document :
         {"ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "engine/README.md", "widgets/README.md",
          "tests/README.md", "presets/README.md", "packaging/README.md", "app/README.md"}) {
        CAPTURE(document);
        for (const auto& line : linesOf(document))
            for (const auto& quoted : quotedIn(line)) {
                if (!startsWithFolder(quoted) || quoted.find('*') != std::string::npos)
                    continue;
                CAPTURE(quoted);
                CHECK(exists(existingPart(quoted)));
            }
    }
    for (const std::string document : {"ARCHITECTURE.md", "CONTRIBUTING.md", "engine/README.md"})
        for (const auto& line : linesOf(document)) {
            CAPTURE(document);
            CAPTURE(line);
            CHECK(line.size() <= 160);
        }
}

TEST_CASE(
    "lists of what has to be touched name files that hold what is looked for, and a commit as an example") {
    const bool history = hasHistory();
    for (const auto& list : addLists()) {
        CAPTURE(list.what);
        CHECK(list.rows.size() == list.stated);
        for (const auto& row : list.rows) {
            CAPTURE(row.file);
            REQUIRE(exists(existingPart(row.file)));
            CHECK(row.holds.empty() == (row.file.find('<') != std::string::npos)); // to be made
            for (const auto& text : row.holds) {
                CAPTURE(text);
                CHECK(fileText(existingPart(row.file)).find(text) != std::string::npos);
            }
        }
        const auto hash = quotedIn(list.example);
        REQUIRE(!hash.empty());
        const auto subject = list.example.substr(list.example.find("` ") + 2);
        CAPTURE(list.example);
        CHECK(subject.size() >= 20);
        if (history)
            CHECK(git("log -1 --format=%s " + hash.front()).starts_with(subject));
    }
}

TEST_CASE("every registry of kinds is named where people look for it") {
    const auto lists = addLists();
    const auto architecture = quotedIn(fileText("ARCHITECTURE.md"));
    std::size_t registries = 0;
    for (const auto& file : sourcesIn("engine")) {
        const auto kinds = namesAfter(fileText(file), "static Registry<", '>');
        if (kinds.empty())
            continue;
        ++registries;
        const auto registry = "Registry<" + kinds.front() + ">";
        CAPTURE(file);
        CAPTURE(registry);
        CHECK(std::count(architecture.begin(), architecture.end(), file) > 0);
        CHECK(std::any_of(lists.begin(), lists.end(), [&](const AddList& list) {
            return std::any_of(list.rows.begin(), list.rows.end(), [&](const AddList::Row& row) {
                return row.file == file && row.holds == std::vector<std::string>{registry};
            });
        }));
    }
    CHECK(registries >= 5);
}

TEST_CASE("whoever asks which kind a plot is stands in the list of what a kind of plot costs") {
    std::set<std::string> listed;
    for (const auto& list : addLists())
        if (list.what == "a kind of plot")
            for (const auto& row : list.rows)
                for (const auto& text : row.holds)
                    if (text.find("PlotKind") != std::string::npos && !row.file.starts_with("tests/"))
                        listed.insert(row.file);
    std::set<std::string> asking;
    for (const auto* folder : {"engine", "widgets"})
        for (const auto& path : sourcesIn(folder))
            if (fileText(path).find("PlotKind::") != std::string::npos)
                asking.insert(path);
    CHECK(asking == listed);
}

TEST_CASE("tables of the engine explain their words, each once, and every table is asked") {
    std::set<std::string> labels;
    for (const auto& word : words()) {
        CAPTURE(word.keys.front());
        CHECK(labels.insert(word.label).second);
        CHECK(std::isupper(static_cast<unsigned char>(word.label.front())));
        CHECK(word.about.ends_with('.'));
        CHECK(word.about.size() <= 400); // short
    }
    CHECK(labels.size() >= 250);
    const auto asking = fileText("engine/exporters/words.cpp");
    std::size_t tables = 0;
    for (const auto& file : sourcesIn("engine"))
        if (file.ends_with(".h")) {
            const auto text = fileText(file);
            for (const auto* mark : {"\nRegistry<", "\nstd::span<const Field<"})
                for (const auto& table : namesAfter(text, mark, ';')) {
                    const auto name = table.find(' ') + 1;
                    const auto call = table.substr(name, table.find(')') + 1 - name);
                    CAPTURE(call);
                    if (call != "layoutFields()") // part of nodeFields()
                        CHECK(asking.find(call) != std::string::npos);
                    ++tables;
                }
        }
    CHECK(tables >= 15);
}

TEST_CASE("the glossary has words that no table has, and other names of those that one has") {
    std::set<std::string> taken; // as they are looked for: whatever their case
    const auto small = [](std::string text) {
        for (auto& c : text)
            c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        return text;
    };
    std::set<std::string> keys;
    for (const auto& word : words()) {
        taken.insert(small(word.label));
        for (const auto& key : word.keys) {
            keys.insert(key);
            taken.insert(small(key));
        }
    }
    const auto glossary = parseJson(fileText("resources/help/glossary.json"), "glossary.json");
    std::set<std::string> names;
    for (const auto& word : glossary["words"]) {
        const auto term = word["term"].get<std::string>();
        CAPTURE(term);
        CHECK_FALSE(taken.contains(small(term)));
        CHECK(names.insert(term).second);
        const auto text = word["text"].get<std::string>();
        CHECK_FALSE(text.empty());
        CHECK(text.size() <= 260); // short
        for (const auto& name : word.value("names", Json::array())) {
            CAPTURE(name.get<std::string>());
            CHECK_FALSE(taken.contains(small(name)));
            CHECK((name == term || names.insert(name).second)); // each leads to one word
        }
    }
    CHECK(names.size() >= 50);
    for (const auto& [name, key] : glossary["other_names"].items()) {
        CAPTURE(name);
        CHECK_FALSE(taken.contains(small(name)));
        CHECK(names.insert(name).second);
        CHECK(keys.contains(key));
    }
}

namespace {

/// The anchors of a page, and what its links and pictures name.
struct MarkdownPage {
    std::set<std::string> anchors;
    std::vector<std::string> targets;
};

MarkdownPage markdownPage(const std::string& markdown) {
    MarkdownPage page;
    std::istringstream lines(markdown);
    bool fenced = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("```"))
            fenced = !fenced;
        if (fenced)
            continue;
        if (line.starts_with("#")) {
            CAPTURE(line); // else a link would lead to the first of two
            CHECK(page.anchors.insert(Guide::slug(line.substr(line.find(' ') + 1))).second);
        }
        for (const auto& target : namesAfter(line, "](", ')'))
            page.targets.push_back(target);
    }
    return page;
}

} // namespace

TEST_CASE("the guide: every link, picture and word holds, every page is in the contents") {
    const auto& guide = Guide::shipped();
    std::map<std::string, MarkdownPage> pages;
    for (const auto& page : guide.pages()) {
        CAPTURE(page.file);
        const auto text = guide.markdown(page);
        CHECK(text.starts_with("# " + page.title + "\n"));
        CHECK((page.file == "index.md" || !page.part.empty()));
        pages[page.file] = markdownPage(text);
    }
    std::size_t links = 0;
    for (const auto& [file, page] : pages)
        for (const auto& target : page.targets) {
            CAPTURE(file);
            CAPTURE(target);
            const auto sign = target.find('#');
            const auto to = sign == 0 ? file : target.substr(0, sign);
            ++links;
            if (const auto found = pages.find(to); found == pages.end())
                CHECK(exists("resources/help/" + to)); // a picture, an example
            else if (sign != std::string::npos)
                CHECK(found->second.anchors.contains(target.substr(sign + 1)));
        }
    CHECK(links >= 80);
    for (const auto& word : guide.words()) {
        CAPTURE(word.link);
        const auto sign = word.link.find('#');
        REQUIRE(pages.contains(word.link.substr(0, sign)));
        if (sign != std::string::npos)
            CHECK(pages[word.page].anchors.contains(word.link.substr(sign + 1)));
    }
    for (const auto& entry : std::filesystem::directory_iterator(guide.folder()))
        if (entry.path().extension() == ".md")
            CHECK(guide.page(entry.path().filename().string()));
}

TEST_CASE("the guide: pages of tables have every metric with its equation, and every server") {
    const auto& guide = Guide::shipped();
    const auto metrics = guide.markdown(*guide.page("metrics.md"));
    for (const auto& spec : metricSpecs())
        CHECK(metrics.find("`" + std::string(spec.key) + "`") != std::string::npos);
    CHECK(metrics.find("= Request rate \u00d7 Output (of `glitches/a100-7u280`)") != std::string::npos);
    const auto techniques = guide.markdown(*guide.page("techniques.md"));
    for (const auto* kind : techniqueKinds().all())
        CHECK(techniques.find("\n## " + std::string(kind->label()) + "\n") != std::string::npos);
    for (const auto& word : guide.words())
        if (word.group == word.label && (word.page == "timing-models.md" || word.page == "techniques.md")) {
            CAPTURE(word.label);
            CHECK_FALSE(word.source.empty());
            CHECK_FALSE(word.equation.empty());
        }
    const auto servers = guide.markdown(*guide.page("servers.md"));
    for (const auto& server : catalog().servers)
        CHECK(servers.find("`" + server.id + "`: ") != std::string::npos);
    const auto accuracy = guide.markdown(*guide.page("accuracy.md")); // from the document beside the data
    CHECK(accuracy.find("| AMD | 57 |") != std::string::npos);
    CHECK(accuracy.find("<!--") == std::string::npos);
}

TEST_CASE("the guide is searched by titles, names and text, and words are found by their names") {
    const auto& guide = Guide::shipped();
    CHECK(guide.search("").empty());
    CHECK(guide.search("no such word").empty());
    CHECK(guide.search("goodp").front().title == "Goodput");
    CHECK(guide.search("TPOT").front().link == "metrics.md#time-per-token"); // by a name of it
    CHECK(guide.search("find.md").front().link == "find.md");
    const auto shards = guide.search("cut into shards"); // in the text of a page alone
    REQUIRE(!shards.empty());
    CHECK(shards.front().link == "command-line.md#many-designs");
    CHECK(shards.front().page == "The command line");
    CHECK(guide.find("nodes.gpu.device.price_usd")->link == guide.find("device.price_usd")->link);
    CHECK(guide.find("techniques.load_merging.enabled")->link == "techniques.md#load-merging");
    CHECK(guide.find("explore.md")->link == "explore.md");
    CHECK(guide.find("nothing like that") == nullptr);
}

TEST_CASE("a guide that names what is not there says where") {
    const TemporaryFolder folder;
    const auto refusal = [&](const std::string& page) {
        writeFileAtomically(folder.path() + "/one.md", "# One\n\nText.\n\n" + page + "\n");
        try {
            const Guide guide(folder.path());
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    writeFileAtomically(folder.path() + "/glossary.json",
                        R"({"words": [], "equations": {}, "other_names": {}})");
    writeFileAtomically(folder.path() + "/index.md", "# Guide\n\n## Part\n\n- [One](one.md)\n");
    CHECK(refusal("[TTFT](word:ttft_s)").empty());
    CHECK(refusal("[that](word:no_such_word)").find("one.md: no word is called no_such_word") == 0);
    CHECK(refusal("<!-- presets/README.md: No such section -->")
              .find("one.md: presets/README.md has no section \"No such section\"") == 0);
    CHECK(refusal("```text\n[that](word:no_such_word)\n```").empty()); // as it stands
    writeFileAtomically(folder.path() + "/index.md", "# Guide\n\n- [Two](two.md)\n");
    CHECK(refusal("").find("two.md") != std::string::npos);
}
