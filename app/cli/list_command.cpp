// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/input.h"
#include "app/text_table.h"

#include "engine/claims/claims.h"
#include "engine/claims/figure_study.h"
#include "engine/scenario/clip.h"
#include "engine/store/schema.h"
#include "engine/store/store.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <iostream>
#include <memory>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

struct Row {
    std::string id;
    std::string name;
    std::string about;
};

/// The figures of the papers, then what the store holds.
std::vector<Row> studyRows(const std::string& db) {
    std::vector<Row> rows;
    for (const auto& id : listStudies(catalog())) {
        const auto study = loadStudy(catalog(), id, id);
        rows.push_back({id, study.name, study.about});
    }
    const auto path = db.empty() ? defaultStorePath() : db;
    checkStoreFile(path);
    std::error_code failure;
    std::vector<std::string> leftAside;
    if (std::filesystem::exists(path, failure)) // else nothing was stored yet
        for (const auto& s : Store(path).studies(&leftAside))
            rows.push_back(
                {s.view, s.name, std::to_string(s.done) + " of " + std::to_string(s.points) + " points"});
    for (const auto& problem : leftAside)
        std::cerr << "heteroscape-cli: left aside: " << problem << '\n';
    return rows;
}

std::vector<Row> rowsOf(const std::string& kind, const std::string& db) {
    std::vector<Row> rows;
    if (kind == "devices")
        for (const auto& d : catalog().devices)
            rows.push_back({d.id, d.name, std::string(deviceKindLabel(d.kind)) + ". " + d.about.str()});
    else if (kind == "models")
        for (const auto& m : catalog().models)
            rows.push_back({m.id, m.name, m.about});
    else if (kind == "runtimes")
        for (const auto& r : catalog().runtimes)
            rows.push_back({r.base.id, r.base.name, r.base.about});
    else if (kind == "servers")
        for (const auto& s : catalog().servers)
            rows.push_back({s.id, s.name, s.software + ". " + s.about.str()});
    else if (kind == "workloads")
        for (const auto& w : catalog().workloads)
            rows.push_back({w.id, w.name, ""});
    else if (kind == "links")
        for (const auto& l : catalog().linkTypes)
            rows.push_back({l.id, l.name, ""});
    else if (kind == "groups")
        for (const auto& g : loadGroups(catalog()))
            rows.push_back({g.id, g.name, g.about});
    else if (kind == "presets")
        for (const auto& p : listPresets(catalog()))
            rows.push_back({p.id, p.name, p.about});
    else if (kind == "papers")
        for (const auto& p : loadPapers(catalog()))
            rows.push_back({p.id, p.name, p.title});
    else
        for (auto& row : studyRows(db))
            rows.push_back(std::move(row));
    return rows;
}

} // namespace

void addList(CLI::App& app) {
    struct Options {
        std::string kind;
        std::string db; // empty: the default store
        bool json = false;
    };
    auto options = std::make_shared<Options>();
    auto* command = app.add_subcommand("list", "List what there is");
    command->add_option("kind", options->kind, "What to list")
        ->required()
        ->check(CLI::IsMember({"devices", "models", "runtimes", "servers", "workloads", "links", "groups",
                               "presets", "papers", "studies"}));
    command->add_option("--db", options->db, "Store of the studies (default: the user's)");
    command->add_flag("--json", options->json, "One JSON document");
    command->callback([options] {
        const auto rows = rowsOf(options->kind, options->db);
        if (options->json) {
            Json json = Json::array();
            for (const auto& row : rows)
                json.push_back({{"id", row.id}, {"name", row.name}, {"about", row.about}});
            printJson(json);
            return;
        }
        TextTable table({"id", "name", "about"});
        for (const auto& row : rows)
            table.add({row.id, row.name, row.about});
        table.print(std::cout);
    });
}

} // namespace heteroscape::cli
