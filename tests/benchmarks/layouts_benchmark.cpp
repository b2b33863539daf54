// SPDX-License-Identifier: GPL-3.0-or-later
// DeepSeek-V3 on a pool of 256 H200: seconds that 10,000 layouts take, enumerated and evaluated with their
// memory, on one core; evaluations a second under dp and ep.

#include "engine/catalog/catalog.h"
#include "engine/evaluation/evaluate.h"
#include "engine/scenario/layout_choices.h"

#include <cstdio>
#include <ctime>
#include <exception>

using namespace heteroscape::engine;

namespace {

constexpr double kGpus = 256.0;
constexpr std::size_t kLayouts = 10'000;

Scenario pool(const Catalog& catalog) {
    Scenario scenario;
    scenario.model = catalog.model("deepseek-v3", "benchmark");
    scenario.workload.promptTokens.value = 2048;
    scenario.workload.outputTokens.value = 512;
    scenario.workload.batch = {256.0, Provenance::User, {}};
    Node node;
    node.id = {"gpu"};
    node.device = catalog.device("h200-sxm", "benchmark");
    node.count.value = kGpus;
    node.replicas = {1.0, Provenance::User, {}};
    node.runtime = catalog.runtime("ideal", "benchmark").on(node.device);
    Node fabric;
    fabric.id = {"nvswitch"};
    fabric.device = catalog.device("nvswitch", "benchmark");
    fabric.role = Role::Fabric;
    Link link;
    link.id = {"link"};
    link.from = node.id;
    link.to = fabric.id;
    link.type = catalog.linkType("nvlink4", "benchmark");
    scenario.nodes = {node, fabric};
    scenario.links = {link};
    return scenario;
}

double secondsSince(std::clock_t start) { // of this process: other work on the machine does not count
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

void lay(Node& node, const Layout& layout) {
    node.replicas.value = kGpus / layout.devices();
    node.dp = {layout.dp, Provenance::User, {}};
    node.ep = {layout.ep, Provenance::User, {}};
    node.pp = {layout.pp, Provenance::User, {}};
    node.cp = {layout.cp, Provenance::User, {}};
}

/// Every layout of every number of replicas, batch after batch until there are enough.
void reportLayouts(Scenario scenario, double& checksum) {
    Evaluation out;
    std::size_t evaluated = 0;
    std::size_t fitting = 0;
    std::size_t distinct = 0;
    const auto start = std::clock();
    for (double batch = 1.0; evaluated < kLayouts; ++batch) {
        scenario.workload.batch.value = 64.0 * batch;
        for (double devices = kGpus; devices >= 1.0 && evaluated < kLayouts; devices /= 2.0)
            for (const auto& layout : validLayouts(scenario.model, {devices})) {
                if (evaluated >= kLayouts)
                    break;
                lay(scenario.nodes[0], layout);
                evaluateInto(scenario, out, Detail::Metrics);
                fitting += out.feasible ? 1 : 0;
                distinct += batch == 1.0 ? 1 : 0;
                checksum += out.metric(Metric::Throughput);
                ++evaluated;
            }
    }
    std::printf("layouts of 256 GPUs    %8.3f s for %zu (%zu distinct, by batches), %zu fit\n",
                secondsSince(start), evaluated, distinct, fitting);
    const auto again = std::clock();
    std::size_t enumerated = 0;
    while (enumerated < kLayouts)
        enumerated += validLayouts(scenario.model, {kGpus}).size();
    std::printf("enumerated, 6 degrees  %8.4f s for %zu\n", secondsSince(again), enumerated);
}

void reportRate(Scenario scenario, double& checksum) {
    lay(scenario.nodes[0], layoutOfRanks(32.0, 32.0, 32.0));
    Evaluation out;
    std::size_t evaluated = 0;
    const auto start = std::clock();
    do {
        for (int i = 1; i <= 512; ++i, ++evaluated) {
            scenario.workload.batch.value = 32.0 * i;
            evaluateInto(scenario, out, Detail::Metrics);
            checksum += out.metric(Metric::Throughput);
        }
    } while (secondsSince(start) < 1.0);
    std::printf("DeepSeek-V3, dp 32 ep 32 %8.0f evaluations/s\n",
                static_cast<double>(evaluated) / secondsSince(start));
}

} // namespace

int main() {
    try {
        const auto scenario = pool(loadCatalog(findPresetsFolder()));
        double checksum = 0.0;
        reportLayouts(scenario, checksum);
        reportRate(scenario, checksum);
        return checksum > 0.0 ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
