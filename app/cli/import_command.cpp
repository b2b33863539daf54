// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/input.h"

#include "engine/base/file.h"
#include "engine/catalog/hugging_face.h"
#include "engine/scenario/scenario_json.h"
#include "engine/servers/launch.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
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

struct LaunchInput {
    std::string lines; ///< or a file that holds them
    LaunchSurroundings around;
    std::string out;
    bool json = true;
};

void importLaunch(const LaunchInput& input) {
    std::error_code error;
    const bool isFile = std::filesystem::is_regular_file(input.lines, error);
    const GpuServers servers(catalog(), shippedKernels());
    std::vector<std::string> leftAside;
    const auto design = launchedDesign(servers, isFile ? readFile(input.lines) : input.lines,
                                       isFile ? input.lines : "launch line", input.around, leftAside);
    for (const auto& words : leftAside)
        std::cerr << "says nothing of a design: " << words << '\n';
    if (input.out.empty())
        printJson(writeScenario(design));
    else
        saveScenario(design, input.out);
}

void addImportLaunch(CLI::App& import) {
    auto input = std::make_shared<LaunchInput>();
    auto* launch =
        import.add_subcommand("launch", "Commands that start vLLM, SGLang or TensorRT-LLM, as a design");
    launch->add_option("lines", input->lines, "The commands, or a file that holds them")->required();
    auto& around = input->around;
    launch->add_option("--device", around.device, "What they run on: a device of the catalogue")
        ->capture_default_str();
    launch->add_option("--model", around.model, "A model of the catalogue, in place of the one they name");
    launch->add_option("--users", around.users, "Users in a closed loop")->capture_default_str();
    launch->add_option("--prompt", around.prompt, "Prompt tokens")->capture_default_str();
    launch->add_option("--output", around.output, "Output tokens")->capture_default_str();
    launch->add_option("--out", input->out, "Write the design here (.hscape) instead of printing it");
    launch->add_flag("--json", input->json, "One JSON document (it always is)");
    launch->callback([input] { importLaunch(*input); });
}

} // namespace

void addImport(CLI::App& app) {
    auto* import = app.add_subcommand("import", "Turn a file into an entry of the catalogue: a model, unless "
                                                "device or launch stands before it");
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
addImportLaunch(*import);
} // namespace heteroscape::cli

} // namespace heteroscape::cli
