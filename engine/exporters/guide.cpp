// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/exporters/guide.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/json.h"
#include "engine/catalog/catalog.h"
#include "engine/claims/claims.h"
#include "engine/evaluation/explain.h"
#include "engine/evaluation/metric.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <sstream>
#include <utility>

namespace heteroscape::engine {

namespace {

namespace fs = std::filesystem;

struct MadePage {
    std::string_view file, title, about;
};
/// Pages of the engine's tables, as contents list them.
constexpr std::array kMadePages{
    MadePage{"metrics.md", "Metrics",
             "What an evaluation or a simulation gives. Click a number in the window, or run "
             "`heteroscape-cli evaluate DESIGN --explain KEY`, to see how it comes about."},
    MadePage{"techniques.md", "Techniques",
             "What can be switched on to run the same model otherwise: `techniques.ID.enabled`. A technique "
             "that cannot act in a design says why."},
    MadePage{"timing-models.md", "Timing models",
             "How the time of a step follows from its operators. A runtime names one for each phase."},
    MadePage{
        "servers.md", "Servers",
        "Serving software as measured: what it adds to the kernels that it runs. What the constants mean "
        "stands under [Servers](parameters.md#servers)."},
    MadePage{"kinds.md", "Arrivals, batching, attention, formats",
             "The other things of which a design chooses one."},
    MadePage{"parameters.md", "Parameters",
             "Every number and choice of a design. `heteroscape-cli show preset ID` lists those of a design "
             "with path, value, unit, what is allowed and source."},
    MadePage{"words.md", "Words", "Words of the field and of this program that no table has."}};

const MadePage* madePage(std::string_view file) {
    const auto* found = std::find_if(kMadePages.begin(), kMadePages.end(),
                                     [&](const MadePage& page) { return page.file == file; });
    return found == kMadePages.end() ? nullptr : found;
}

std::string small(std::string_view text) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return lower;
}

/// The names of a word in files: with their owners, unless there are many.
std::string codeList(const Word& word) {
    constexpr std::size_t kMany = 5;
    const auto isEndOf = [](const std::string& key, const std::string& other) {
        return other.ends_with("." + key);
    };
    std::string text;
    for (const auto& key : word.keys)
        if (std::none_of(word.keys.begin(), word.keys.end(), [&](const std::string& other) {
                return word.keys.size() < kMany ? isEndOf(key, other) : isEndOf(other, key);
            }))
            text.append(text.empty() ? "`" : ", `").append(key).append("`");
    return text;
}

std::string wordText(const Word& word, const std::string& equation) {
    std::string text = word.group == word.label ? "## " : "### ";
    text += markdownText(word.label) + "\n\n" + markdownText(word.about) + "\n\n";
    if (!equation.empty())
        text += (equation.find(" = ") == std::string::npos ? "= " : "") + equation + "\n\n";
    text += codeList(word);
    if (!word.unit.empty())
        text += ", in " + markdownText(word.unit);
    text += ". " + markdownText(word.allowed);
    if (!word.source.empty())
        text += " Source: " + markdownText(word.source) + ".";
    return text + "\n\n";
}

const Catalog& shippedCatalog() {
    static const Catalog catalog = loadCatalog(findPresetsFolder());
    return catalog;
}

/// How metrics of the steady state follow from others in shipped designs: the first of these that has it.
std::unordered_map<std::string, std::string> metricEquations() {
    std::unordered_map<std::string, std::string> equations;
    for (const auto* id : {"glitches/a100-7u280", "served/gpt-oss-120b-h100", "inf2/opt-30b-a100-16csd"}) {
        const auto design = loadPreset(shippedCatalog(), id, "guide");
        for (const auto& spec : metricSpecs()) {
            const std::string key(spec.key);
            if (isSimulated(spec.metric) || equations.contains(key))
                continue;
            if (const auto formula = explain(design, key).formula(); !formula.empty())
                equations[key] = markdownText(formula) + " (of `" + id + "`)";
        }
    }
    return equations;
}

std::string serverText(const Server& server) {
    auto text = "## " + markdownText(server.name) + "\n\n" + markdownText(std::string(server.about)) +
                "\n\n`" + server.id + "`: " + markdownText(server.software) +
                ", fitted on what was measured until " + markdownText(server.date) +
                ". Runs the kernels of `" + server.runtime + "`; fills its steps as `" + server.batching +
                "`.\n\nFitted on: " + markdownText(joined(server.fittedOn)) +
                ".\n\n| constant | value | unit | from |\n|---|---|---|---|\n";
    std::vector<std::string> sources;
    for (const auto& field : serverFields())
        if (const auto& quantity = server.*field.member; quantity.isSet()) {
            const auto kind = std::string(provenanceName(quantity.provenance));
            text += "| " + markdownText(field.spec.label) + " | " +
                    exactText(shownValue(quantity.value, field.spec.scale)) + " | " +
                    markdownText(field.spec.unit) + " | " + kind + " |\n";
            const auto source = "- " + kind + ": " + markdownText(std::string(quantity.source)) + "\n";
            if (std::find(sources.begin(), sources.end(), source) == sources.end())
                sources.push_back(source);
        }
    text += "\n";
    for (const auto& source : sources)
        text += source;
    return text + "\n";
}

/// The depth of a Markdown heading, else 0. Lines of fences are not asked.
std::size_t headingDepth(std::string_view line) {
    const auto depth = std::min(line.find_first_not_of('#'), line.size());
    return depth > 0 && depth < line.size() && line[depth] == ' ' ? depth : 0;
}

/// Calls back for each line, with whether it lies in a fenced block.
template <class Seen>
void eachLine(const std::string& markdown, Seen seen) {
    std::istringstream lines(markdown);
    bool fenced = false;
    for (std::string line; std::getline(lines, line);) {
        const bool fence = line.starts_with("```");
        seen(line, fenced || fence);
        fenced ^= fence;
    }
}

/// A section of a document of the presets folder, its heading included.
std::string sectionOf(const std::string& document, const std::string& title, const std::string& where) {
    const auto path = fs::path(findPresetsFolder()).parent_path() / document;
    std::string text;
    std::size_t depth = 0;
    eachLine(readFile(path.string()), [&](const std::string& line, bool fenced) {
        const auto level = fenced ? 0 : headingDepth(line);
        if (depth == 0 && level > 0 && line.substr(level + 1) == title)
            depth = level;
        else if (level > 0 && level <= depth)
            depth = 99; // behind it
        if (depth > 0 && depth < 99)
            text += line + "\n";
    });
    if (text.empty())
        throw Error(ErrorCode::NotFound, where, document + " has no section \"" + title + "\"",
                    "Name a heading of it");
    return text;
}

std::string findHelpFolder() {
    std::vector<fs::path> candidates;
    std::error_code failure;
    const auto presets = fs::path(findPresetsFolder()).parent_path();
    candidates = {presets / "help", presets / "resources" / "help"};
    const auto own = fs::weakly_canonical("/proc/self/exe", failure);
    for (auto folder = own.parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
        candidates.push_back(folder / "share" / "heteroscape" / "help");
        candidates.push_back(folder / "resources" / "help");
    }
    for (const auto& candidate : candidates)
        if (fs::exists(candidate / "index.md", failure))
            return candidate.string();
    throw Error(ErrorCode::NotFound, candidates.front().string(), "the guide is not there",
                "Install heteroscape-data, or copy resources/help beside the presets");
}

} // namespace

std::string markdownText(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (std::string_view("\\`*_[]<>#|~").find(c) != std::string_view::npos)
            out += '\\';
        out += c;
    }
    return out;
}

std::string Guide::slug(std::string_view heading) {
    std::string text;
    for (const char c : heading) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == ' ' || c == '-')
            text += '-';
        else if (c == '_' || byte >= 0x80 || std::isalnum(byte))
            text += static_cast<char>(std::tolower(byte));
    }
    return text;
}

const Guide& Guide::shipped() {
    static const Guide guide(findHelpFolder());
    return guide;
}

Guide::Guide(std::string folder) : m_folder(std::move(folder)) {
    readGlossary();
    readPages();
    for (auto& word : m_words) {
        if (word.link.empty())
            word.link = word.page + "#" + slug(word.label);
        const auto* of = page(word.page);
        if (of->file != word.link || of->markdown.empty()) // else its headings are added below
            m_sections.push_back({{word.label, word.link, of->title}, word.keys, word.about});
    }
    for (auto& one : m_pages)
        if (!one.markdown.empty()) {
            one.markdown = linked(one.markdown, one.file);
            addSections(one);
        }
}

void Guide::readGlossary() {
    const auto path = m_folder + "/glossary.json";
    const auto glossary = parseJson(readFile(path), path);
    for (const auto& one : glossary.at("words")) {
        auto& word = m_words.emplace_back();
        word.label = one.at("term").get<std::string>();
        word.about = one.at("text").get<std::string>();
        word.unit = one.value("unit", std::string());
        word.equation = one.value("equation", std::string());
        word.source = one.value("source", std::string());
        word.keys = one.value("names", std::vector<std::string>());
        word.page = "words.md";
        word.group = word.label;
    }
    const auto own = m_words.size();
    for (auto& word : engine::words())
        m_words.push_back(std::move(word));
    for (std::size_t i = 0; i < m_words.size(); ++i) {
        const auto& names = m_words[i].keys;
        for (const auto& name : names)
            if (i < own || names.size() == 1 || name != names.back()) // of a table whole keys
                know(name, i);
    }
    for (std::size_t i = 0; i < m_words.size(); ++i) // a name of another goes before
        know(m_words[i].label, i);
    for (std::size_t i = own; i < m_words.size(); ++i) // the last step of a key is that of others too
        for (const auto& name : m_words[i].keys)
            know(name, i);
    for (const auto& [key, told] : glossary.at("equations").items()) {
        auto& word = m_words[m_byName.at(small(key))];
        word.equation = told.value("equation", std::string());
        word.source = told.value("source", std::string());
    }
    for (const auto& [name, key] : glossary.at("other_names").items()) {
        const auto of = m_byName.at(small(key.get<std::string>()));
        m_words[of].keys.push_back(name);
        know(name, of);
    }
}

void Guide::readPages() {
    const auto add = [this](const std::string& file, const std::string& part, std::string markdown) {
        const auto end = markdown.find('\n');
        m_pages.push_back({file, markdown.substr(2, end - 2), part, std::move(markdown)});
    };
    add("index.md", {}, readFile(m_folder + "/index.md"));
    std::string part;
    const auto contents = m_pages.front().markdown;
    eachLine(contents, [&](const std::string& line, bool) {
        if (const auto depth = headingDepth(line); depth == 2)
            part = line.substr(depth + 1);
        for (auto at = line.find("]("); at != std::string::npos; at = line.find("](", at + 1)) {
            const auto file = line.substr(at + 2, line.find(')', at) - at - 2);
            if (file.ends_with(".md") && !page(file))
                add(file, part, readFile(m_folder + "/" + file));
        }
    });
    m_pages.front().markdown += "\n## Reference\n\nMade from the tables of the program:\n\n";
    for (const auto& made : kMadePages) {
        m_pages.push_back({std::string(made.file), std::string(made.title), "Reference", {}});
        m_pages.front().markdown += "- [" + m_pages.back().title + "](" + m_pages.back().file + ")\n";
    }
    for (const auto& one : m_pages) {
        Word word;
        word.label = one.title;
        word.keys = {one.file};
        word.page = word.link = one.file;
        const auto* made = madePage(one.file);
        // Its first paragraph.
        const auto begin = made ? 0 : one.markdown.find("\n\n") + 2;
        word.about = made ? std::string(made->about)
                          : one.markdown.substr(begin, one.markdown.find("\n\n", begin) - begin);
        m_words.push_back(std::move(word));
        know(one.file, m_words.size() - 1);
    }
    for (std::size_t i = m_words.size() - m_pages.size(); i < m_words.size(); ++i)
        know(m_words[i].label, i);
}

/// With links of words led to their pages, and sections of other documents taken in.
std::string Guide::linked(const std::string& markdown, const std::string& file) const {
    std::string text;
    eachLine(markdown, [&](const std::string& line, bool fenced) {
        constexpr std::string_view kWord = "](word:", kTaken = "<!-- ";
        if (!fenced && line.starts_with(kTaken)) {
            const auto colon = line.find(": ");
            text += sectionOf(line.substr(kTaken.size(), colon - kTaken.size()),
                              line.substr(colon + 2, line.rfind(" -->") - colon - 2), file);
            return;
        }
        auto out = line;
        for (auto at = out.find(kWord); !fenced && at != std::string::npos; at = out.find(kWord, at + 2)) {
            const auto begin = at + kWord.size(), end = out.find(')', at);
            const auto* word = find(out.substr(begin, end - begin));
            if (!word)
                throw Error(ErrorCode::NotFound, file, "no word is called " + out.substr(begin, end - begin),
                            "Name a word of the glossary or a key");
            out.replace(at + 2, end - at - 2, word->link);
        }
        text += out + "\n";
    });
    return text;
}

void Guide::addSections(const GuidePage& page) {
    bool first = true;
    eachLine(page.markdown, [&](const std::string& line, bool fenced) {
        const auto depth = fenced ? 0 : headingDepth(line);
        if (depth > 0 && !first) {
            const auto title = line.substr(depth + 1);
            m_sections.push_back({{title, page.file + "#" + slug(title), page.title}, {}, {}});
        } else if (depth > 0)
            m_sections.push_back({{page.title, page.file, {}}, {page.file}, {}});
        else if (!first)
            m_sections.back().text += line + "\n";
        first = first && depth == 0;
    });
}

const GuidePage* Guide::page(std::string_view file) const {
    const auto found =
        std::find_if(m_pages.begin(), m_pages.end(), [&](const GuidePage& one) { return one.file == file; });
    return found == m_pages.end() ? nullptr : &*found;
}

std::string Guide::markdown(const GuidePage& page) const {
    if (!page.markdown.empty())
        return page.markdown;
    auto text = "# " + page.title + "\n\n" + std::string(madePage(page.file)->about) + "\n\n";
    if (page.file == "servers.md")
        for (const auto& server : shippedCatalog().servers)
            text += serverText(server);
    std::unordered_map<std::string, std::string> equations;
    if (page.file == "metrics.md")
        equations = metricEquations();
    std::vector<std::string> groups;
    for (const auto& word : m_words)
        if (word.page == page.file && word.link != page.file &&
            std::find(groups.begin(), groups.end(), word.group) == groups.end())
            groups.push_back(word.group);
    for (const auto& group : groups) {
        const auto isHead = [&](const Word& word) {
            return word.page == page.file && word.group == group && word.label == group;
        };
        const auto head = std::find_if(m_words.begin(), m_words.end(), isHead);
        text += head == m_words.end() ? "## " + markdownText(group) + "\n\n"
                                      : wordText(*head, markdownText(head->equation));
        for (const auto& word : m_words)
            if (word.page == page.file && word.group == group && word.label != group) {
                const auto equation = equations.find(word.keys.front());
                text += wordText(word, equation == equations.end() ? markdownText(word.equation)
                                                                   : equation->second);
            }
    }
    return text;
}

const Word* Guide::find(std::string_view name) const {
    auto wanted = small(name);
    if (wanted.ends_with(".enabled")) // a technique's switch is the technique
        wanted.resize(wanted.size() - 8);
    for (;;) {
        if (const auto found = m_byName.find(wanted); found != m_byName.end())
            return &m_words[found->second];
        const auto dot = wanted.find('.');
        if (dot == std::string::npos)
            return nullptr;
        wanted.erase(0, dot + 1);
    }
}

void Guide::know(const std::string& name, std::size_t word) {
    m_byName.try_emplace(small(name), word);
}

std::vector<Guide::Found> Guide::search(std::string_view text) const {
    struct Ranked {
        int rank; ///< is called so, begins so, has it in its title, among its names, in its text
        const Found* found;
    };
    const auto wanted = small(text);
    std::vector<Ranked> ranked;
    if (wanted.empty())
        return {};
    for (const auto& section : m_sections) {
        const auto title = small(section.found.title);
        const auto named = [&](auto test) {
            return std::any_of(section.names.begin(), section.names.end(),
                               [&](const std::string& name) { return test(small(name)); });
        };
        const auto has = [&](const std::string& where) { return where.find(wanted) != std::string::npos; };
        const int rank = title == wanted || named([&](const auto& name) { return name == wanted; }) ? 0
                         : title.starts_with(wanted)                                                ? 1
                         : has(title)                                                               ? 2
                         : named(has)                                                               ? 3
                         : has(small(section.text))                                                 ? 4
                                                                                                    : 5;
        if (rank < 5)
            ranked.push_back({rank, &section.found});
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
        return a.rank != b.rank ? a.rank < b.rank : small(a.found->title) < small(b.found->title);
    });
    std::vector<Found> found;
    for (const auto& one : ranked)
        found.push_back(*one.found);
    return found;
}

} // namespace heteroscape::engine
