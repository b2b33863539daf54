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
    deliver(writeModel(loadModelFile(options.file, options.id, options.name)), options.out);
}

void importDevice(const ImportOptions& options) {
    deliver(writeDevice(readDevice(readJsonFile(options.file), options.file)), options.out);
}

} // namespace

void addImport(CLI::App& app) {
    auto* import = app.add_subcommand("import", "Turn a file into an entry of the catalogue: a model, unless "
                                                "device stands before it");
    import->require_subcommand(0, 1);
    auto options = std::make_shared<ImportOptions>();
    const auto addFile = [options](CLI::App& command) {
        auto* file =
            command.add_option("file", options->file, "File to read, or the folder of a config.json");
        command.add_option("--out", options->out, "Write the entry here instead of printing it");
        command.add_flag("--json", options->json, "One JSON document (it always is)");
        return file;
    };
    const auto addModelWords = [options](CLI::App& command) {
        command.add_option("--id", options->id, "Id of the model (default: from the file)");
        command.add_option("--name", options->name, "Name of the model (default: from the file)");
    };
    addFile(*import);
    addModelWords(*import);
    import->callback([import, options] {
        if (!import->get_subcommands().empty())
            return;
    if (options->file.empty())
        throw CLI::RequiredError("file");
    importModel(*options);
});
auto* model = import->add_subcommand("model", "A Hugging Face config.json, or a model entry, checked");
addFile(*model)->required();
addModelWords(*model);
model->callback([options] { importModel(*options); });
auto* device = import->add_subcommand("device", "A device entry, checked");
addFile(*device)->required();
device->callback([options] { importDevice(*options); });
} // namespace heteroscape::cli

} // namespace heteroscape::cli
