// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/scenario/clip.h"
#include "engine/scenario/scenario.h"
#include "engine/servers/recipes.h"
#include "engine/timing/kernels/kernel_catalog.h"

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// Workers that are alike.
struct ServedWorkers {
    double count = 1;
    ServedLayout layout;
    bool operator==(const ServedWorkers&) const = default;
};

/// In place of a server (RecipeLabels::backend): the rule of a device's class, by the runtime of that id, in
/// steps that are mixed. For devices whose kernels nobody measured.
inline constexpr std::string_view kClassSoftware = "class-rule";

/// A server, what is served and to how many users: one published row, or one point of a frontier.
struct ServedPlan {
    RecipeLabels labels; ///< with the model's preset id, the users and the lengths
    Recipe recipe;
    ServedWorkers workers;                ///< one copy; where prefill is apart, the workers that decode
    std::optional<ServedWorkers> prefill; ///< apart; none: prompts and decodes share `workers`
    double decodeSlots = std::numeric_limits<double>::infinity(); ///< requests that a decode rank works on
    bool drafts = false;                                          ///< speculation
    double ratio = 0.8;                                           ///< of lengths; 1: fixed
    bool atOnce = false;         ///< the users' requests come together, and no more; else a closed loop
    bool firstWaveCounts = true; ///< false: the client warms up first, and the first wave is in no mean

    std::string source = "launch script of the public benchmark"; ///< of its numbers

    bool isByClass() const { return labels.backend == kClassSoftware; }
    double gpus() const;
    std::string words() const; ///< "vLLM, tp 4" or "2 x (tp 8) prefill, 3 x (dp 8, ep 8) decode"
};

/// What a plan gives, s.
struct ServedResult {
    double ttft = 0.0, tpot = 0.0; ///< means, as the public benchmark reports them
    double tpotMedian = 0.0;       ///< over requests
    double ttftMedian = 0.0;
    double end = 0.0; ///< of the last answer
    double outputTokens = 0.0;
    double promptTokens = 0.0;  ///< that were prefilled
    double promptSeconds = 0.0; ///< of steps with prompts, of one worker
    double decodeSeconds = 0.0; ///< of the others
    double decodedTokens = 0.0; ///< outputs without their first tokens
    double gpus = 1.0;
    double watts = 0.0; ///< mean
};

/// Servers of this installation: the settings of their launch scripts, and as they are sold. serve() may be
/// called from any thread.
class GpuServers {
public:
    /// The catalogues outlive it. Throws Error naming file and key.
    GpuServers(const Catalog& catalog, const KernelCatalog& kernels);

    const Catalog& catalog() const { return m_catalog; }
    const KernelCatalog& kernels() const { return m_kernels; }
    const Recipes& recipes() const { return m_recipes; }
    /// Ready servers of the catalogue, in its order.
    const std::vector<ReadyGroup>& ready() const { return m_ready; }
    /// One by its id. Throws Error (NotFound) naming those that there are.
    const ReadyGroup& ready(const std::string& id) const;
    /// A plan of these labels with the settings of its recipe and one copy of the layout. By the rule of a
    /// class `labels.device` says of what. Throws Error for what is not known.
    ServedPlan plan(RecipeLabels labels, const ServedLayout& layout) const;

    /// Simulates the plan's design (see servedScenario()): the closed loop of the public benchmark. Throws
    /// Error for what has no time.
    ServedResult serve(const ServedPlan& plan, std::stop_token stop = {}) const;

private:
    const Catalog& m_catalog;
    const KernelCatalog& m_kernels;
    Recipes m_recipes;
    std::vector<ReadyGroup> m_ready;
};

/// What a design in a closed loop gives on its accelerators. Throws Error for what has no time.
ServedResult servedResult(const Scenario& scenario, std::stop_token stop = {});

/// A published server as a design: its GPUs with their runtime, server and layout, the model in its weights'
/// format, lengths, users, the scheduler with its limits. Workers that prefill apart are a pool of their own
/// on a link; what drafts yield is the acceptance of speculation. Throws Error (NotFound) where the catalogue
/// has no device with such kernels.
Scenario servedScenario(const GpuServers& servers, const ServedPlan& plan);

/// Requests of each of so many users: ten, as the public benchmark sends, cut to whole waves beyond 5,000 in
/// all (4,000 where prefill is apart), at least 3.
double publicWaves(double users, bool apart);

} // namespace heteroscape::engine
