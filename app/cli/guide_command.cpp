// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/html.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/exporters/guide.h"

#include <CLI/CLI.hpp>

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
