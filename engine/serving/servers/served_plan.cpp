// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/servers/served_plan.h"

#include "engine/base/error.h"
#include "engine/catalog/named.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr double kMostRequests = 5000, kMostRequestsApart = 4000; ///< of a run before waves are cut
constexpr double kWaves = 10, kLeastWaves = 3;
constexpr std::size_t kMostStepModels = 256; ///< kept

const StepRule& ruleOf(const ServerConstants& server) {
    if (server.scheduler == "whole")
        return wholeRule();
    return server.scheduler == "first" ? firstRule() : mixedRule();
}

std::string layoutWords(const ServedLayout& layout) {
    std::string text = layout.dp > 1 ? "dp " + exactText(layout.dp) : "tp " + exactText(layout.tp);
    if (layout.dp > 1 && layout.tp > 1)
        text += ", tp " + exactText(layout.tp);
    if (layout.expertEp > 1)
        text += ", ep " + exactText(layout.expertEp);
    return text;
}

std::string workersWords(const ServedWorkers& workers) {
    return exactText(workers.count) + " x (" + layoutWords(workers.layout) + ")";
}

} // namespace

double ServedPlan::gpus() const {
    const double own = workers.count * workers.layout.ranks();
    return prefill ? own + prefill->count * prefill->layout.ranks() : own;
}

std::string ServedPlan::words() const {
    if (prefill)
        return workersWords(*prefill) + " prefill, " + workersWords(workers) + " decode";
    return layoutWords(workers.layout);
}

GpuServers::GpuServers(const Catalog& catalog, const KernelCatalog& kernels)
    : m_catalog(catalog), m_kernels(kernels), m_recipes(catalog.folder) {
    for (const auto& server : catalog.servers)
        m_servers.push_back(constantsOf(server, catalog.runtime(server.runtime, server.id).base));
}

const ServerConstants& GpuServers::server(std::string_view id) const {
    std::vector<std::string> there;
    for (const auto& server : m_servers) {
        if (server.id == id)
            return server;
        there.push_back(server.id);
    }
    throw Error(ErrorCode::NotFound, m_catalog.folder + "/servers",
                "unknown server \"" + std::string(id.substr(0, 80)) + "\"", "There are: " + joined(there));
}

ServedShape GpuServers::shape(const std::string& model) const {
    return servedShape(m_catalog.model(model, "model"), m_recipes.queryNorm(model));
}

ServedPlan GpuServers::plan(RecipeLabels labels, const ServedLayout& layout) const {
    const auto& device = m_recipes.device(labels.system);
    labels.system = device.system;
    labels.arch = m_kernels.gpu(device.system).arch;
    labels.gpus = layout.ranks();
    server(labels.backend);
    ServedPlan plan;
    plan.recipe = m_recipes.of(labels);
    plan.labels = std::move(labels);
    plan.workers.layout = layout;
    plan.workers.layout.bigDomain = device.bigDomain;
    return plan;
}

double GpuServers::kvTokens(const ServedPlan& plan) const {
    return servedKvTokens(shape(plan.labels.model), plan.recipe.formats, plan.workers.layout,
                          plan.recipe.memory, m_recipes.device(plan.labels.system).memory);
}

std::shared_ptr<const StepModel> GpuServers::steps(const ServedPlan& plan, const ServedLayout& layout,
                                                   bool drafts) const {
    const auto& formats = plan.recipe.formats;
    std::string key;
    for (const auto& part : {plan.labels.model, plan.labels.system, plan.labels.backend, formats.attention,
                             formats.dense, formats.experts})
        key += part + '|';
    for (const double number :
         {formats.staticScales ? 1.0 : 0.0, formats.cacheBytes, layout.tp, layout.dp, layout.expertTp,
          layout.expertEp, layout.bigDomain ? 1.0 : 0.0, drafts ? 1.0 : 0.0})
        key += exactText(number) + '|';
    const std::lock_guard lock(m_mutex);
    auto& kept = m_steps[key];
    if (!kept) {
        const auto& constants = server(plan.labels.backend);
        try {
            kept = std::make_shared<const KernelSteps>(m_kernels, m_kernels.gpu(plan.labels.system),
                                                       shape(plan.labels.model), formats, layout, constants,
                                                       drafts ? constants.drafts : 0.0);
        } catch (...) {
            m_steps.erase(key);
            throw;
        }
    }
    auto steps = kept;
    if (m_steps.size() > kMostStepModels)
        m_steps.clear();
    return steps;
}

ServerSettings GpuServers::settings(const ServedPlan& plan, const ServedLayout& layout) const {
    const auto& constants = server(plan.labels.backend);
    const auto& recipe = plan.recipe;
    ServerSettings settings;
    settings.rule = &ruleOf(constants);
    settings.budget = recipe.budget;
    settings.sequences = recipe.sequences;
    settings.reserve = recipe.reserve;
    settings.look = recipe.look;
    settings.waitShare = recipe.waitShare;
    settings.waitSteps = recipe.waitSteps;
    settings.balance = layout.dp > 1 ? recipe.balance : 0.0;
    settings.ranks = layout.dp;
    settings.kvTokens = servedKvTokens(shape(plan.labels.model), recipe.formats, layout, recipe.memory,
                                       m_recipes.device(plan.labels.system).memory);
    settings.request = plan.prefill ? constants.requestApart : constants.request;
    settings.token = plan.prefill ? 0.0 : constants.token;
    settings.tokensPerStep = plan.drafts ? constants.tokensAStep : 1.0;
    return settings;
}

ServedRun GpuServers::run(const ServedPlan& plan, std::stop_token stop) const {
    const auto& constants = server(plan.labels.backend);
    const double users = plan.labels.users;
    ClosedLoop loop;
    loop.users = static_cast<std::uint64_t>(users);
    ClientLengths lengths;
    lengths.prompt = plan.labels.isl;
    lengths.output = plan.labels.osl;
    lengths.ratio = plan.ratio;
    loop.requests = drawLengths(lengths, static_cast<std::size_t>(kWaves * users));
    const double most = plan.prefill ? kMostRequestsApart : kMostRequests;
    if (kWaves * users > most)
        loop.requests.resize(
            static_cast<std::size_t>(users * std::max(kLeastWaves, std::floor(most / users))));
    auto own = settings(plan, plan.workers.layout);
    const auto steps = this->steps(plan, plan.workers.layout, plan.drafts);
    if (!plan.prefill) {
        loop.frontRequest = constants.frontRequest;
        loop.frontToken = constants.frontToken;
        return serveClosedLoop(loop, own, *steps, stop);
    }
    auto prefill = settings(plan, plan.prefill->layout);
    Disaggregation split;
    split.prefillWorkers = plan.prefill->count;
    split.decodeWorkers = plan.workers.count;
    split.decodeSlots = plan.decodeSlots;
    split.transferLatency = constants.linkLatency;
    split.transferToken = servedTokenBytes(shape(plan.labels.model), plan.recipe.formats, 1) /
                          (constants.linkRate * plan.prefill->layout.tp);
    return serveDisaggregated(loop, prefill, *this->steps(plan, plan.prefill->layout, false), own, *steps,
                              split, stop);
}

ServedResult GpuServers::serve(const ServedPlan& plan, std::stop_token stop) const {
    const auto run = this->run(plan, stop);
    ServedResult result;
    const auto from = plan.firstWaveCounts ? 0 : run.firstWave;
    const auto ttft = run.ttft(from), tpot = run.tpot(from);
    result.ttft = plan.firstWaveCounts ? run.tenWaveTtft() : ttft.mean;
    result.tpot = tpot.mean;
    result.ttftMedian = ttft.p50;
    result.tpotMedian = tpot.p50;
    result.end = run.end;
    result.promptTokens = run.promptTokens();
    result.outputTokens = run.outputTokens();
    result.gpus = plan.gpus();
    return result;
}

} // namespace heteroscape::engine
