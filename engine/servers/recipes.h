// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// How weights and cache are kept. The precision of linears: "bfloat16", "fp8", "fp8_block", "nvfp4"; of
/// experts a format of presets/kernels/moe.json.
struct ServedFormats {
    std::string attention = "bfloat16", dense = "bfloat16", experts = "bf16";
    bool staticScales = false; ///< of fp8: whoever writes the inputs quantizes them
    double cacheBytes = 2;     ///< of an element: 2 or 1

    bool operator==(const ServedFormats&) const = default;
};

/// One copy of a model on its GPUs, tp x dp x pp of them.
struct ServedLayout {
    double tp = 1;                     ///< attention by heads
    double dp = 1;                     ///< ranks of data-parallel attention, which step together
    double expertTp = 1, expertEp = 1; ///< experts by width, dealt to ranks of a stage
    bool bigDomain = false;            ///< NVLink joins 72 GPUs (GB200, GB300), else 8
    double pp = 1;                     ///< stages that its layers are dealt to

    double ranks() const { return tp * dp * pp; }
    bool operator==(const ServedLayout&) const = default;
};

/// What a server may use of a device's memory for KV cache (silicon_serving.md, section 3), bytes and shares.
struct MemoryRule {
    double share = 0.9;  ///< u
    bool ofFree = false; ///< of what weights and the rest leave (TensorRT-LLM), else of the whole memory
    double rest = 4e9;   ///< for activations and the runtime
};

/// What a recipe is chosen by: the labels of a published row or of a frontier's point.
struct RecipeLabels {
    std::string model;   ///< a preset's id
    std::string system;  ///< a GPU of presets/kernels: "h100_sxm"
    std::string device;  ///< of the catalogue, with kernels; empty: the first with those of `system`
    std::string arch;    ///< its architecture
    std::string backend; ///< "vllm"
    std::string precision, denseFormat, expertFormat; ///< "fp8"; formats as labelled
    std::string mode = "agg", lengths = "uniform";    ///< "disagg"; "fixed"
    std::string date;                                 ///< "2025-11-20"; may be empty
    std::string script = "public"; ///< that of the public benchmark; "none": a server's defaults
    double isl = 1024, osl = 1024, users = 1, gpus = 1; ///< gpus: of one replica
};

/// Settings of a server's launch script (silicon_serving.md, section 3), a rank's.
struct Recipe {
    ServedFormats formats;
    MemoryRule memory;
    double budget = 8192, sequences = 1024, reserve = 1;
    double look = 1, waitShare = 0, waitSteps = 0, balance = 0;
};

/// A model as published rows name it.
struct RecipeModel {
    std::string match; ///< part of the name, lower case
    std::string model; ///< a preset's id
};

struct RecipeDevice {
    std::string system;
    std::string device; ///< of the catalogue, where several have the kernels of the system; else empty
    bool bigDomain = false;
};

/// Rules that say which script sets what: presets/measured/recipes.json.
class Recipes {
public:
    /// Throws Error naming file and key: unknown keys, values out of range.
    explicit Recipes(const std::string& presetsFolder);

    /// The first that a name holds; throws Error (NotFound) naming those that there are.
    const RecipeModel& model(std::string_view name) const;
    const RecipeDevice& device(std::string_view system) const; ///< throws Error (NotFound)
    /// Null where there is none; `device` as in RecipeDevice, empty: any.
    const RecipeDevice* findDevice(std::string_view system, std::string_view device) const;
    Recipe of(const RecipeLabels& labels) const;

private:
    struct Rule {
        std::map<std::string, std::vector<std::string>, std::less<>> texts; ///< label -> any of
        std::map<std::string, std::vector<double>, std::less<>> numbers;
        std::map<std::string, std::string, std::less<>> textValues;
        std::map<std::string, double, std::less<>> values;

        bool holds(const RecipeLabels& labels) const;
    };
    std::string m_where;
    std::vector<RecipeDevice> m_devices;
    std::vector<RecipeModel> m_models;
    std::vector<Rule> m_rules;

    static void apply(const Rule& rule, const RecipeLabels& labels, Recipe& recipe);
};

} // namespace heteroscape::engine
