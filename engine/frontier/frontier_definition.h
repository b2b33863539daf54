// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heteroscape::engine {

/// Workers that prefill apart from those that decode. Every count of both is tried, in every layout of their
/// GPUs, as far as the system has so many.
struct FrontierApart {
    std::vector<double> prefillWorkers, decodeWorkers; ///< how many
    std::vector<double> prefillDevices, decodeDevices; ///< GPUs of one worker; none given: 1, 2, 4, ...
};

/// A system on a frontier: GPUs under servers, or a design.
struct FrontierSystem {
    std::string name;
    // GPUs
    std::string gpu;                     ///< of presets/servers/recipes.json: "h100_sxm"; empty: a design
    double devices = 8;                  ///< layouts take 1 to so many of them
    std::vector<std::string> servers;    ///< "vllm", ...
    std::vector<std::string> precisions; ///< "fp8", "fp4", "bf16", "int4"
    std::optional<FrontierApart> apart;  ///< none: every copy prefills and decodes
    // A design, evaluated in steady state with one batch of so many users
    std::string design;                                        ///< a preset's id
    std::vector<std::pair<std::string, std::string>> settings; ///< path, value; in order
    std::shared_ptr<const Scenario> open; ///< the design itself, in place of a preset; null: none

    bool isDesign() const { return open || !design.empty(); }
};

/// tok/s a device against tok/s a user: what is put on the axes.
struct FrontierDefinition {
    std::string id, name, about;
    std::string model; ///< a preset's id
    double prompt = 1024, output = 1024;
    double ratio = 0.8; ///< lengths are uniform from this share; 1: fixed
    std::vector<double> users;
    double budget = 0.0;    ///< $, of all accelerators or of a whole design; 0: none
    double ttftLimit = 0.0; ///< s, median; 0: none
    std::vector<FrontierSystem> systems;
};

/// Reads one file of presets/frontiers/ or one's own. Throws Error naming file and key.
FrontierDefinition readFrontier(const std::string& path);
/// Ids of the shipped ones: "llama-3-1-70b".
std::vector<std::string> shippedFrontiers(const std::string& presetsFolder);
/// A shipped one by its id, or a file by its path.
FrontierDefinition findFrontier(const std::string& presetsFolder, const std::string& idOrFile);

} // namespace heteroscape::engine
