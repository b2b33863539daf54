// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/servers/served_plan.h"

#include "engine/base/error.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/simulate.h"
#include "engine/scenario/diagnostics.h"
#include "engine/servers/served_scenario.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <utility>

namespace heteroscape::engine {

namespace {

std::string layoutWords(const ServedLayout& layout) {
    std::string text = layout.dp > 1 ? "dp " + exactText(layout.dp) : "tp " + exactText(layout.tp);
    if (layout.dp > 1 && layout.tp > 1)
        text += ", tp " + exactText(layout.tp);
    if (layout.pp > 1)
        text += ", pp " + exactText(layout.pp);
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
    return workers.count > 1 ? workersWords(workers) : layoutWords(workers.layout);
}

GpuServers::GpuServers(const Catalog& catalog, const KernelCatalog& kernels)
    : m_catalog(catalog), m_kernels(kernels), m_recipes(catalog.folder) {}

ServedPlan GpuServers::plan(RecipeLabels labels, const ServedLayout& layout) const {
    if (!labels.device.empty())
        labels.system = m_catalog.device(labels.device, "device").kernels;
    const auto* device = labels.device.empty() ? &m_recipes.device(labels.system)
                                               : m_recipes.findDevice(labels.system, labels.device);
    if (device && labels.device.empty())
        labels.device = device->device;
    labels.arch = m_kernels.gpu(labels.system).arch;
    labels.gpus = layout.ranks();
    m_catalog.server(labels.backend, "backend");
    ServedPlan plan;
    plan.recipe = m_recipes.of(labels);
    plan.labels = std::move(labels);
    plan.workers.layout = layout;
    plan.workers.layout.bigDomain = device && device->bigDomain;
    return plan;
}

ServedResult GpuServers::serve(const ServedPlan& plan, std::stop_token stop) const {
    return servedResult(servedScenario(*this, plan), std::move(stop));
}

ServedResult servedResult(const Scenario& scenario, std::stop_token stop) {
    for (const auto& finding : validate(scenario))
        if (finding.severity == Severity::Error)
            throwInvalid(finding.subject.empty() ? "design" : finding.subject, finding.message,
                         finding.remedy);
    SimulationOptions options;
    options.stop = std::move(stop);
    options.whole = false;
    Evaluation steady;
    evaluateInto(scenario, steady);
    const auto serving = simulate(scenario, steady, options);
    const auto& run = serving.result;
    if (!serving.ran() || run.done == 0)
        throwInvalid("design", serving.ran() ? "no request is answered" : serving.reason);
    ServedResult result;
    result.ttft = run.ttft.mean();
    result.ttftMedian = run.ttft.quantile(0.5);
    result.tpot = run.tpot.mean();
    result.tpotMedian = run.tpot.quantile(0.5);
    result.end = run.end;
    result.outputTokens = run.outputTokens;
    for (const auto& pool : run.pools)
        result.promptTokens += pool.promptTokens;
    for (std::size_t i = 0; i < run.pools.size(); ++i) {
        const double replicas = std::max(1u, serving.nodes[serving.poolNodes[i]].replicas);
        result.promptSeconds += run.pools[i].prefillSeconds / replicas;
        result.decodeSeconds += run.pools[i].decodeSeconds / replicas;
        result.decodedTokens += run.pools[i].outputTokens;
    }
    result.gpus = 0.0;
    for (const auto& node : scenario.nodes)
        result.gpus += isAccelerator(node.device.kind) ? node.count.value : 0.0;
    result.watts = serving.power;
    return result;
}

} // namespace heteroscape::engine
