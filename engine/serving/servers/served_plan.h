// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/serving/server/server.h"
#include "engine/serving/servers/recipes.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

namespace heteroscape::engine {

/// Workers that are alike.
struct ServedWorkers {
    double count = 1;
    ServedLayout layout;
    bool operator==(const ServedWorkers&) const = default;
};

/// A server, what is served and to how many users: one published row, or one point of a frontier.
struct ServedPlan {
    RecipeLabels labels; ///< with the model's preset id, the users and the lengths
    Recipe recipe;
    ServedWorkers workers;                ///< one copy; where prefill is apart, the workers that decode
    std::optional<ServedWorkers> prefill; ///< apart; none: prompts and decodes share `workers`
    double decodeSlots = std::numeric_limits<double>::infinity(); ///< requests that a decode rank works on
    bool drafts = false;                                          ///< speculation
    double ratio = 0.8;                                           ///< of lengths; 1: fixed
    bool firstWaveCounts = true; ///< false: the client warms up first, and the first wave is in no mean

    double gpus() const;
    std::string words() const; ///< "vLLM, tp 4" or "2 x (tp 8) prefill, 3 x (dp 8, ep 8) decode"
};

/// What a plan gives, s.
struct ServedResult {
    double ttft = 0.0, tpot = 0.0; ///< means, as the public benchmark reports them
    double tpotMedian = 0.0;       ///< over requests
    double ttftMedian = 0.0;
    double end = 0.0; ///< of the last answer
    double promptTokens = 0.0, outputTokens = 0.0;
    double gpus = 1.0;
};

/// GPU servers of this installation: kernels, constants of servers, recipes. Step models are kept for plans
/// that share them. serve() may be called from any thread.
class GpuServers {
public:
    /// The catalogues outlive it. Throws Error naming file and key.
    GpuServers(const Catalog& catalog, const KernelCatalog& kernels);

    const Recipes& recipes() const { return m_recipes; }
    const ServerConstants& server(std::string_view id) const; ///< throws Error (NotFound)
    const std::vector<ServerConstants>& servers() const { return m_servers; }
    /// A plan of these labels with the settings of its recipe and one copy of the layout. Throws Error for
    /// what is not known.
    ServedPlan plan(RecipeLabels labels, const ServedLayout& layout) const;
    ServedShape shape(const std::string& model) const;
    /// Tokens of KV cache of a rank.
    double kvTokens(const ServedPlan& plan) const;

    /// Simulates the closed loop of the public benchmark: 10 x users requests, cut to whole waves beyond
    /// 5,000 (4,000 where prefill is apart), at least 3. Throws Error for kernels that were not measured.
    ServedResult serve(const ServedPlan& plan, std::stop_token stop = {}) const;
    /// The run itself.
    ServedRun run(const ServedPlan& plan, std::stop_token stop = {}) const;
    /// The step model of a plan's workers.
    std::shared_ptr<const StepModel> steps(const ServedPlan& plan, const ServedLayout& layout,
                                           bool drafts) const;

private:
    const Catalog& m_catalog;
    const KernelCatalog& m_kernels;
    Recipes m_recipes;
    std::vector<ServerConstants> m_servers;
    mutable std::mutex m_mutex;
    mutable std::map<std::string, std::shared_ptr<const StepModel>> m_steps;

    ServerSettings settings(const ServedPlan& plan, const ServedLayout& layout) const;
};

} // namespace heteroscape::engine
