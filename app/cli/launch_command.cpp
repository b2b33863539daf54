// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/input.h"

#include "engine/base/file.h"
#include "engine/servers/launch.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

struct LaunchOptions {
    std::string design;
    std::vector<std::string> settings;
    std::string out;
    bool manifest = false;
    bool json = false;
};

void runLaunch(const LaunchOptions& options) {
    const auto design = scenarioFrom(options.design, options.settings);
    const auto text = options.manifest ? launchManifest(design, catalog()) : launchScript(design, catalog());
    if (!options.out.empty())
        writeFileAtomically(options.out, text);
    else if (options.json)
        printJson({{"design", design.name}, {options.manifest ? "manifest" : "script", text}});
    else
        std::cout << text;
}

} // namespace

void addLaunch(CLI::App& app) {
    auto* command = app.add_subcommand(
        "launch", "Commands that start the servers of a design: vLLM, SGLang, TensorRT-LLM. "
                  "import launch reads such commands as a design");
    auto options = std::make_shared<LaunchOptions>();
    command->add_option("design", options->design, "Preset id, or .hscape file")->required();
    command->add_option("--set", options->settings, "path=value, applied in order");
    command->add_flag("--kubernetes", options->manifest,
                      "A manifest for Kubernetes instead of a script for a shell");
    command->add_option("--out", options->out, "Write it here instead of printing it");
    command->add_flag("--json", options->json, "One JSON document");
    command->callback([options] { runLaunch(*options); });
}

} // namespace heteroscape::cli
