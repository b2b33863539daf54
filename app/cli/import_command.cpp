// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/input.h"

#include "engine/base/file.h"
#include "engine/catalog/hugging_face.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

struct ImportOptions {
    std::string file;
    std::string id;
    std::string name;
    std::string out;
    bool json = true;
};

/// A catalogue entry on stdout, or into a file.
void deliver(const Json& entry, const std::string& out) {
    if (out.empty())
        printJson(entry);
    else
        writeFileAtomically(out, entry.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

void importModel(const ImportOptions& options) {
    deliver(writeModel(readModelText(readFile(options.file), options.file, options.id, options.name)),
            options.out);
}

void importDevice(const ImportOptions& options) {
    deliver(writeDevice(readDevice(readJsonFile(options.file), options.file)), options.out);
}

} // namespace

void addImport(CLI::App& app) {
    auto* import = app.add_subcommand("import", "Turn a file into an entry of the catalogue");
    import->require_subcommand(1);
    auto options = std::make_shared<ImportOptions>();
    const auto add = [&](const char* kind, const char* about, void (*run)(const ImportOptions&)) {
        auto* command = import->add_subcommand(kind, about);
        command->add_option("file", options->file, "File to read")->required();
        command->add_option("--out", options->out, "Write the entry here instead of printing it");
        command->add_flag("--json", options->json, "One JSON document (it always is)");
        command->callback([options, run] { run(*options); });
        return command;
    };
    auto* model = add("model", "A Hugging Face config.json, or a model entry, checked", importModel);
    model->add_option("--id", options->id, "Id of the model (default: from the file)");
    model->add_option("--name", options->name, "Name of the model (default: from the file)");
    add("device", "A device entry, checked", importDevice);
}

} // namespace heteroscape::cli
