// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/json.h"
#include "engine/exporters/guide.h"

#include <CLI/CLI.hpp>
#include <md4c-html.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <regex>
#include <vector>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

constexpr std::string_view kStyle =
    R"css(:root { color-scheme: light dark; --text: #18202a; --soft: #566271; --ground: #fff;
  --panel: #f6f7f9; --sunken: #ebeef2; --border: #d3d9e0; --accent: #1f5ad6; }
@media (prefers-color-scheme: dark) { :root { --text: #e9edf2; --soft: #9aa5b3; --ground: #21272f;
  --panel: #1a1f26; --sunken: #161b21; --border: #333c47; --accent: #7fabff; } }
body { margin: 0; display: flex; color: var(--text); background: var(--ground);
  font: 15px/1.5 Inter, "Segoe UI", "Noto Sans", sans-serif; }
nav { flex: 0 0 250px; height: 100vh; overflow: auto; position: sticky; top: 0; background: var(--panel);
  border-right: 1px solid var(--border); padding: 16px; box-sizing: border-box; font-size: 13px; }
nav b { display: block; margin: 14px 0 4px; font-weight: 600; }
nav a { display: block; padding: 3px 0; color: var(--text); text-decoration: none; }
nav a:hover, nav a[aria-current] { color: var(--accent); }
main { padding: 24px 32px 64px; max-width: 860px; min-width: 0; box-sizing: border-box; }
a { color: var(--accent); } img { max-width: 100%; border: 1px solid var(--border); border-radius: 6px; }
h1, h2, h3 { font-weight: 600; line-height: 1.25; } h2 { margin-top: 2em; }
code, pre { background: var(--sunken); border-radius: 4px; font-size: 13px; } code { padding: 1px 4px; }
pre { padding: 10px 12px; overflow-x: auto; } pre code { padding: 0; }
table { border-collapse: collapse; display: block; overflow-x: auto; font-size: 13px; }
td, th { border: 1px solid var(--border); padding: 4px 8px; text-align: left; vertical-align: top; }
@media (max-width: 760px) { body { display: block; } nav { height: auto; position: static; } }
)css";

std::string htmlText(std::string_view text) {
    std::string out;
    for (const char c : text)
        out += c == '&'   ? "&amp;"
               : c == '<' ? "&lt;"
               : c == '>' ? "&gt;"
               : c == '"' ? "&quot;"
                          : std::string(1, c);
    return out;
}

/// Headings get the anchors that links name, and links of pages lead to their HTML.
std::string anchored(const std::string& html) {
    static const std::regex heading("<(h[1-6])>(.*?)</h[1-6]>"), markup("<[^>]*>|&[a-z]+;"),
        link("href=\"([a-z-]+)\\.md([\"#])");
    std::string out;
    auto end = html.cbegin();
    for (std::sregex_iterator at(html.begin(), html.end(), heading), none; at != none; ++at) {
        out.append(end, (*at)[0].first);
        const auto id = Guide::slug(std::regex_replace((*at)[2].str(), markup, ""));
        out += "<" + (*at)[1].str() + " id=\"" + id + "\">" + (*at)[2].str() + "</" + (*at)[1].str() + ">";
        end = (*at)[0].second;
    }
    out.append(end, html.cend());
    return std::regex_replace(out, link, "href=\"$1.html$2");
}

std::string htmlOf(const std::string& markdown, const std::string& where) {
    std::string html;
    const auto take = [](const MD_CHAR* text, MD_SIZE size, void* out) {
        static_cast<std::string*>(out)->append(text, size);
    };
    if (md_html(markdown.data(), static_cast<MD_SIZE>(markdown.size()), take, &html,
                MD_DIALECT_GITHUB | MD_FLAG_NOHTML, 0) != 0)
        throw Error(ErrorCode::InvalidInput, where, "cannot be read as Markdown", "Make the page shorter");
    return anchored(html);
}

std::string htmlName(const GuidePage& page) {
    return page.file.substr(0, page.file.size() - 3) + ".html";
}

/// A script whose cells begin with "# %%", and say there what they do, as a Jupyter notebook.
std::string notebookOf(std::string_view script) {
    struct Cell {
        std::string words, code;
    };
    std::vector<Cell> cells(1);
    constexpr std::string_view kCell = "# %%", kQuotes = "\"\"\"";
    while (!script.empty()) {
        const auto line = script.substr(0, script.find('\n'));
        script.remove_prefix(std::min(line.size() + 1, script.size()));
        if (line.starts_with(kCell))
            cells.push_back({std::string(line.substr(std::min(kCell.size() + 1, line.size()))), {}});
        else if (cells.size() == 1 && line.starts_with(kQuotes)) // what the script is for, on a line
            cells.front().words = "# " + std::string(line.substr(3, line.size() - 6));
        else if (cells.size() > 1)
            cells.back().code += std::string(line) + "\n";
    }
    auto told = Json::array();
    const auto add = [&](const char* type, std::string text) {
        text.erase(text.find_last_not_of('\n') + 1);
        if (text.empty())
            return;
        Json cell{{"cell_type", type},
                  {"id", "cell-" + std::to_string(told.size())},
                  {"metadata", Json::object()},
                  {"source", text}};
        if (type == std::string_view("code")) {
            cell["execution_count"] = nullptr;
            cell["outputs"] = Json::array();
        }
        told.push_back(std::move(cell));
    };
    for (const auto& cell : cells) {
        add("markdown", cell.words);
        add("code", cell.code);
    }
    return Json{{"cells", told},
                {"metadata",
                 {{"kernelspec",
                   {{"display_name", "Python 3"}, {"language", "python"}, {"name", "python3"}}}}},
                {"nbformat", 4},
                {"nbformat_minor", 5}}
               .dump(1) +
           "\n";
}

/// What --help says of each command.
GuidePage optionsOf(const CLI::App& app) {
    GuidePage page{"options.md", "Options of every command", "Reference", "# Options of every command\n\n"};
    const std::function<void(const CLI::App&, const std::string&)> add = [&](const CLI::App& of,
                                                                             const std::string& before) {
        for (const auto* command : of.get_subcommands([](const CLI::App*) { return true; })) {
            const auto name = before + command->get_name();
            page.markdown +=
                "## " + name + "\n\n```text\n" + command->help("heteroscape-cli " + name) + "```\n\n";
            add(*command, name + " ");
        }
    };
    add(app, {});
    return page;
}

std::string contentsOf(const std::vector<GuidePage>& pages, const GuidePage& shown) {
    std::string html, part;
    for (const auto& page : pages) {
        if (page.part != part)
            html += "<b>" + htmlText(page.part) + "</b>\n";
        part = page.part;
        html += "<a href=\"" + htmlName(page) + "\"" + (&page == &shown ? " aria-current=\"page\"" : "") +
                ">" + htmlText(page.title) + "</a>\n";
    }
    return html;
}

void writeSite(const std::filesystem::path& folder, const CLI::App& app) {
    namespace fs = std::filesystem;
    const auto& guide = Guide::shipped();
    auto pages = guide.pages();
    for (auto& page : pages)
        page.markdown = guide.markdown(page);
    pages.push_back(optionsOf(app));
    std::error_code failure;
    fs::create_directories(folder, failure);
    for (const auto* beside : {"pictures", "examples"})
        if (!failure)
            fs::copy(fs::path(guide.folder()) / beside, folder / beside,
                     fs::copy_options::recursive | fs::copy_options::overwrite_existing, failure);
    if (failure)
        throw Error(ErrorCode::Io, folder.string(), "cannot be written: " + failure.message(),
                    "Choose another folder");
    for (const auto& file : fs::directory_iterator(fs::path(guide.folder()) / "examples"))
        if (file.path().extension() == ".py")
            writeFileAtomically((folder / "examples" / file.path().stem()).string() + ".ipynb",
                                notebookOf(readFile(file.path().string())));
    writeFileAtomically((folder / "style.css").string(), kStyle);
    for (const auto& page : pages)
        writeFileAtomically((folder / htmlName(page)).string(),
                            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta "
                            "name=\"viewport\" content=\"width=device-width\">\n<title>" +
                                htmlText(page.title) +
                                " - Heteroscape</title>\n<link rel=\"stylesheet\" "
                                "href=\"style.css\"></head>\n<body><nav>\n" +
                                contentsOf(pages, page) + "</nav><main>\n" +
                                htmlOf(page.markdown, page.file) + "</main></body></html>\n");
    std::cout << pages.size() << " pages: " << (folder / "index.html").string() << '\n';
}

} // namespace

void addGuide(CLI::App& app) {
    auto folder = std::make_shared<std::string>();
    auto* command = app.add_subcommand("guide", "Write the user guide as a web site");
    command->add_option("--out", *folder, "Folder of the site; pages that are there are written over")
        ->required()
        ->type_name("DIR");
    command->callback([folder, &app] { writeSite(*folder, app); });
}

} // namespace heteroscape::cli
