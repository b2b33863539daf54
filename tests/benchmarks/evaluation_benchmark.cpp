// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluations per second on one core: the GLITCHES system over FPGA count, prefetch ratio, prompt and output;
// Llama-3.1-70B and DeepSeek-V3 on eight GPUs over prompt and batch, each step the sum of its measured
// kernels.

#include "engine/claims/claims.h"
#include "engine/evaluation/evaluate.h"
#include "engine/techniques/built_in.h"

#include <cstdio>
#include <ctime>
#include <exception>

using namespace heteroscape::engine;

namespace {

double evaluationsPerSecond(Scenario scenario, double& checksum) {
    auto& count = scenario.findNode({"fpga"})->count.value;
    auto& ratio = scenario.techniques[loadMerging()].quantity(kMergeRatio).value;
    Evaluation out;
    std::size_t evaluated = 0;
    const auto start = std::clock(); // of this process: other work on the machine does not count
    double elapsed = 0.0;
    do {
        for (int prompt = 128; prompt <= 1536; prompt += 128)
            for (int m = 1; m <= 32; ++m)
                for (int n = 1; n <= 7; ++n) {
                    scenario.workload.promptTokens.value = prompt;
                    ratio = m;
                    count = n;
                    evaluateInto(scenario, out);
                    checksum += out.metric(Metric::Throughput);
                    ++evaluated;
                }
        elapsed = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    } while (elapsed < 1.0);
    return static_cast<double>(evaluated) / elapsed;
}

Scenario served(const Catalog& catalog, const char* model, const char* device, const char* runtime) {
    Scenario scenario;
    scenario.model = catalog.model(model, "benchmark");
    scenario.workload.outputTokens.value = 200;
    Node node;
    node.id = {"gpu"};
    node.device = catalog.device(device, "benchmark");
    node.count.value = 8;
    node.replicas.value = 1;
    node.runtime = catalog.runtime(runtime, "benchmark").on(node.device);
    Node fabric;
    fabric.id = {"nvswitch"};
    fabric.device = catalog.device("nvswitch", "benchmark");
    fabric.count.value = 1;
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

double servedPerSecond(Scenario scenario, double& checksum) {
    Evaluation out;
    std::size_t evaluated = 0;
    const auto start = std::clock();
    double elapsed = 0.0;
    do {
        for (int prompt = 128; prompt <= 4096; prompt += 64)
            for (int batch = 1; batch <= 64; ++batch) {
                scenario.workload.promptTokens.value = prompt;
                scenario.workload.batch.value = batch;
                evaluateInto(scenario, out);
                checksum += out.metric(Metric::Throughput);
                ++evaluated;
            }
        elapsed = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    } while (elapsed < 1.0);
    return static_cast<double>(evaluated) / elapsed;
}

/// Keys of points, which a sweep makes one of for each.
double keysPerSecond(Scenario scenario, double& checksum) {
    std::size_t made = 0;
    const auto start = std::clock();
    double elapsed = 0.0;
    do {
        for (int prompt = 1; prompt <= 4096; ++prompt) {
            scenario.workload.promptTokens.value = prompt;
            checksum += scenarioKeyBytes(scenario)[0];
            ++made;
        }
        elapsed = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    } while (elapsed < 0.3);
    return static_cast<double>(made) / elapsed;
}

} // namespace

int main() {
    try {
        const auto catalog = loadCatalog(findPresetsFolder());
        for (const auto* id : {"glitches/a100-7u280", "glitches/8u280"}) {
            double checksum = 0.0;
            const auto design = loadPreset(catalog, id, id);
            const auto rate = evaluationsPerSecond(design, checksum);
            std::printf("%-22s %10.0f evaluations/s on one core (checksum %.6g)\n", id, rate, checksum);
            std::printf("%-22s %10.0f keys/s on one core\n", id, keysPerSecond(design, checksum));
        }
        struct Served {
            const char *model, *device;
        };
        for (const auto& [model, device] :
             {Served{"llama3-1-70b", "h100-sxm"}, Served{"deepseek-v3", "h200-sxm"}})
            for (const auto* runtime : {"ideal", "trtllm", "best"}) {
                double checksum = 0.0;
                const auto rate = servedPerSecond(served(catalog, model, device, runtime), checksum);
                std::printf("%s, %-8s %10.2f us an evaluation on one core (checksum %.6g)\n", model, runtime,
                            1e6 / rate, checksum);
            }
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
