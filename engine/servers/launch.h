// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/servers/served_plan.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// What starts the servers of a design, for a shell: a line for each copy of the model on each node, with its
/// layout, formats, limits and speculation, behind comments that say what it runs on and what no option says.
/// Throws Error (InvalidInput) naming a node that works without a server.
std::string launchScript(const Scenario& design, const Catalog& catalog);

/// The same as a manifest for Kubernetes: a deployment and a service for each node. Throws also where a copy
/// needs several machines.
std::string launchManifest(const Scenario& design, const Catalog& catalog);

/// What launch lines do not say.
struct LaunchSurroundings {
    std::string device = "h100-sxm"; ///< of the catalogue
    std::string model;               ///< a preset's id, in place of the one that the lines name; empty: that
    double users = 64, prompt = 1024, output = 1024; ///< in a closed loop; tokens of each
};

/// The design of what lines of a shell start: each copy's layout, formats and limits, in a closed loop of
/// users. Lines that are alike are copies; lines of prompts and of decodes alone are disaggregated.
/// `leftAside`: what they say that a design does not have. Throws Error naming the line: software, model or
/// device that is not known, numbers that do not fit.
Scenario launchedDesign(const GpuServers& servers, const std::string& text, const std::string& where,
                        const LaunchSurroundings& surroundings, std::vector<std::string>& leftAside);

/// What a launch line says, whatever its software calls it.
enum class LaunchField {
    Model,
    Tensor,        ///< ranks of tensor parallelism, as the software counts them
    Pipeline,      ///< stages
    Data,          ///< ranks, or copies, of data parallelism
    DataAttention, ///< attention alone is data parallel
    Expert,        ///< ranks of expert parallelism, or that there are
    Sequences,     ///< at most, of a rank
    Budget,        ///< tokens of a step, of a rank
    MemoryShare,   ///< of a device
    Context,       ///< tokens of a request
    Quantization,  ///< "fp8", "nvfp4", "int4", "int8"
    Cache,         ///< "fp8", "auto"
    Role,          ///< "prefill", "decode"
    Connector,     ///< what carries KV caches between the two
    Method,        ///< of speculation: "own", "eagle", "draft"
    Drafts,        ///< guessed tokens of a step
    Draft,         ///< a model that guesses them
    Verified,      ///< tokens that a step verifies
    Branches,      ///< of a tree of guesses
    Nodes,         ///< machines of a copy
    Rank,
    Head, ///< the machine that the others join
    Port
};

/// A software that serves models, as it is started.
struct LaunchSoftware {
    struct Flag {
        LaunchField field;
        std::string_view names;    ///< the first is written, all are read
        std::string_view within{}; ///< of an option that holds several: "kv_cache_config.dtype"
        bool isSwitch = false;     ///< on where it stands
    };
    struct Word { ///< of a value, where the software has its own; the first is written, all are read
        LaunchField field;
        std::string_view ours, theirs;
    };
    std::string_view server;              ///< of presets/servers
    std::string_view command;             ///< before the model's name
    std::vector<std::string_view> starts; ///< what a line holds that starts it
    std::string_view image;               ///< of a container
    std::string_view optionsFile{};       ///< option that names a file of options; none: they are JSON
    std::string_view across{};            ///< what a copy on several machines is started by
    std::vector<Flag> flags;
    std::vector<Word> words{};

    const Flag* find(LaunchField field) const; ///< null: it has none
};

/// Those that are known: vLLM, SGLang, TensorRT-LLM.
const std::vector<LaunchSoftware>& launchSoftware();

/// One line: of one copy of a model.
struct LaunchLine {
    const LaunchSoftware* software = nullptr;
    std::map<LaunchField, std::string> values; ///< in our words; "true" of a switch
    std::vector<std::string> leftAside;        ///< options that say nothing of a design

    std::optional<double> number(LaunchField field) const; ///< throws Error for what is none
    std::string text(LaunchField field) const;             ///< empty: it is not told
    bool isOn(LaunchField field) const { return text(field) == "true"; }
};

/// The arguments of a line, as they are handed over; `options`: the text of the file of options that they
/// name.
std::vector<std::string> launchArguments(const LaunchLine& line, const std::string& file,
                                         std::string& options);

/// A text as YAML has it: in quotes of JSON, which YAML reads.
std::string yamlText(const std::string& text);

/// The lines of a text for a shell that start a server: comments, continued lines, quotes, files written in
/// place, variables before and a container around a command are read as a shell has them. Throws Error naming
/// the place: no line starts a server that is known, quotes do not end.
std::vector<LaunchLine> readLaunchLines(const std::string& text, const std::string& where);

} // namespace heteroscape::engine
