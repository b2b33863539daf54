// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "engine/store/recover_store.h"
#include "engine/store/store.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

struct RecoverOptions {
    std::string store;
    std::string out;
};

void runRecover(const RecoverOptions& options) {
    const auto lost = recoverStore(options.store, options.out);
    Store store(options.out);
    for (const auto& study : store.studies())
        std::cout << study.name << ": " << study.done << " of " << study.points << " points; study "
                  << study.view << " in " << options.out << '\n';
    for (const auto& what : lost)
        std::cout << "Lost: " << what << '\n';
    if (!lost.empty())
        std::cout << "Points that are lost are computed again when their study runs. " << options.store
                  << " was left as it is.\n";
}

} // namespace

void addRecover(CLI::App& app) {
    auto options = std::make_shared<RecoverOptions>();
    auto* command = app.add_subcommand(
        "recover", "Take what can be read of a damaged store into a new one, and tell what is lost");
    command->add_option("store", options->store, "The damaged store: it is only read")->required();
    command->add_option("--out", options->out, "The new store")->required();
    command->callback([options] { runRecover(*options); });
}

} // namespace heteroscape::cli
