// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/input.h"
#include "app/documents/catalog_document.h"
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

/// The figures of the papers, then what the store holds.
std::vector<CatalogRow> studyRows(const std::string& db) {
    std::vector<CatalogRow> rows;
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

} // namespace

void addList(CLI::App& app) {
    struct Options {
        std::string kind;
        std::string db; // empty: the default store
        bool json = false;
    };
    auto options = std::make_shared<Options>();
    auto kinds = catalogKinds();
    kinds.emplace_back("studies");
    auto* command = app.add_subcommand("list", "List what there is");
    command->add_option("kind", options->kind, "What to list")->required()->check(CLI::IsMember(kinds));
    command->add_option("--db", options->db, "Store of the studies (default: the user's)");
    command->add_flag("--json", options->json, "One JSON document");
    command->callback([options] {
        const auto rows =
            options->kind == "studies" ? studyRows(options->db) : catalogRows(catalog(), options->kind);
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
