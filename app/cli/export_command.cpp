// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/html.h"
#include "app/cli/input.h"
#include "app/documents/paper_document.h"

#include "engine/base/csv.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/exporters/study_csv.h"
#include "engine/store/store.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

struct ExportOptions {
    std::string file;
    std::string db;    ///< empty: `file` where that is a store, else the default store
    std::string out;   ///< empty: `file` where that is not the store, else beside it
    std::string paper; ///< a folder: that is exported, and no store
    std::vector<std::string> studies;
};

/// A study by its number, its table's name or its own.
std::int64_t findStudy(const std::vector<StudyInfo>& studies, const std::string& wanted) {
    std::string names;
    for (const auto& study : studies) {
        if (wanted == std::to_string(study.id) || wanted == study.view || wanted == study.name)
            return study.id;
        names += (names.empty() ? "" : ", ") + study.view;
    }
    throw Error(ErrorCode::NotFound, "--study " + wanted.substr(0, 200), "no such study",
                names.empty() ? "The store has none" : "There are: " + names);
}

void exportPaper(const std::string& folder, const std::string& out) {
    if (out.empty())
        throwInvalid("--paper " + folder, "nothing says where the page goes", "Name it with --out FILE.html");
    auto parts = catalog();
    const auto paper = loadPaper(parts, addPaper(parts, folder));
    const auto comparison = compare(parts, paper);
    const auto page = selfContained(htmlOf(paperMarkdown(parts, comparison), folder), folder,
                                    (std::filesystem::path(folder) / "paper.md").string());
    writeFileAtomically(out, htmlPage(paper.title, "<style>" + std::string(kPageStyle) + "</style>",
                                      "<main>\n" + page + "</main>"));
    std::cout << paper.claims.size() << " claims, " << comparison.misfits << " misfits\n";
    std::cerr << "Written: " << out << '\n';
}

void runExport(const ExportOptions& options) {
    namespace fs = std::filesystem;
    const bool fileIsStore = options.db.empty() && fs::exists(options.file);
    const auto store = fileIsStore ? options.file : options.db.empty() ? defaultStorePath() : options.db;
    auto out = options.out;
    if (out.empty() && fileIsStore)
        out = (fs::path(store).parent_path() / (fs::path(store).stem().string() + "-tables.sqlite")).string();
    else if (out.empty())
        out = options.file;
    if (!fs::exists(store)) // opening would make it
        throw Error(ErrorCode::NotFound, store, "there is no such file",
                    "Name a store that sweep --db wrote");
    Store from(store);
    const auto studies = from.studies();
    std::vector<std::int64_t> ids;
    for (const auto& wanted : options.studies)
        if (const auto id = findStudy(studies, wanted); std::find(ids.begin(), ids.end(), id) == ids.end())
            ids.push_back(id);
    if (options.studies.empty())
        for (const auto& study : studies)
            ids.push_back(study.id);
    if (ids.empty())
        throw Error(ErrorCode::NotFound, store, "holds no study", "Run one first: sweep");
    if (fs::path(out).extension() == ".csv") {
        if (ids.size() != 1)
            throwInvalid(out, "one file for " + std::to_string(ids.size()) + " studies",
                         "Name one with --study");
        writeStudyCsv(from, ids.front(), catalog(), {}, out);
    } else {
        from.exportTables(ids, out, &catalog());
    }
    for (const auto id : ids) {
        const auto study = from.study(id);
        std::cout << study.view << ": " << study.done << " of " << study.points << " points\n";
    }
    std::cerr << "Written: " << out << '\n';
}

} // namespace

void addExport(CLI::App& app) {
    auto options = std::make_shared<ExportOptions>();
    auto* command = app.add_subcommand(
        "export",
        "Write studies as plain tables, for any SQL tool: a row a point, a column an axis or metric; or "
        "a paper's folder as one HTML page");
    auto* file = command->add_option(
        "file", options->file,
        "A store to export (into FILE-tables.sqlite, or --out); or a new file to export into");
    command->add_option("--db", options->db, "The store to export (default: the file, or the user's)");
    command->add_option("--out", options->out,
                        "The new file: .sqlite, or .csv for one study; of a paper .html");
    auto* studies = command->add_option("--study", options->studies,
                                        "Only these: number, name of the table, or name (default: all)");
    command
        ->add_option(
            "--paper", options->paper,
            "A paper's folder: words with live figures, designs, claims, studies as tables, own parts, "
            "as one page that needs nothing else")
        ->type_name("DIR")
        ->excludes(file)
        ->excludes(studies);
    command->callback([options] {
        if (!options->paper.empty())
            exportPaper(options->paper, options->out);
        else if (options->file.empty())
            throw CLI::RequiredError("file or --paper");
        else
            runExport(*options);
    });
}

} // namespace heteroscape::cli
