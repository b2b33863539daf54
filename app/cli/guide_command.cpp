// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/html.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/json.h"
#include "engine/exporters/guide.h"

#include <CLI/CLI.hpp>
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

/// Links of pages lead to their HTML.
std::string pageHtml(const GuidePage& page) {
    static const std::regex link("href=\"([a-z-]+)\\.md([\"#])");
    return std::regex_replace(htmlOf(page.markdown, page.file), link, "href=\"$1.html$2");
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
    writeFileAtomically((folder / "style.css").string(), kPageStyle);
    for (const auto& page : pages)
        writeFileAtomically(
            (folder / htmlName(page)).string(),
            htmlPage(page.title + " - Heteroscape", "<link rel=\"stylesheet\" href=\"style.css\">",
                     "<nav>\n" + contentsOf(pages, page) + "</nav><main>\n" + pageHtml(page) + "</main>"));
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
