// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

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

/// The arguments of a line, as they are handed over; `options`: the text of its file of options.
std::vector<std::string> launchArguments(const LaunchLine& line, std::string& options);

/// The lines of a text for a shell that start a server: comments, continued lines, quotes, files written in
/// place, variables before and a container around a command are read as a shell has them. Throws Error naming
/// the place: no line starts a server that is known, quotes do not end.
std::vector<LaunchLine> readLaunchLines(const std::string& text, const std::string& where);

} // namespace heteroscape::engine
