// SPDX-License-Identifier: GPL-3.0-or-later
// Points per second on one core with Algorithm 1 run at each: L2 capacity x devices x batch x length.

#include "engine/claims/claims.h"
#include "engine/evaluation/evaluate.h"

#include <cmath>
#include <cstdio>
#include <ctime>
#include <exception>

using namespace heteroscape::engine;

namespace {

double pointsPerSecond(Scenario scenario, const char* nodeId, double& checksum, std::size_t& points) {
    auto& node = *scenario.findNode({nodeId});
    Evaluation out;
    const auto start = std::clock(); // of this process: other work on the machine does not count
    double elapsed = 0.0;
    points = 0;
    do {
        for (int devices = 4; devices <= 128; devices *= 2)
            for (int batch = 1; batch <= 64; batch *= 2)
                for (int tokens = 2048; tokens <= 32768; tokens *= 2)
                    for (int l2 = 8; l2 <= 200; l2 += 8) {
                        node.device.l2Capacity.value = l2 * 1e6;
                        node.count.value = devices;
                        scenario.workload.batch.value = batch;
                        scenario.workload.promptTokens.value = std::floor(tokens * 2.0 / 3.0);
                        scenario.workload.outputTokens.value = tokens - scenario.workload.promptTokens.value;
                        evaluateInto(scenario, out);
                        checksum += out.nodes[0].layer.prefetched;
                        ++points;
                    }
        elapsed = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    } while (elapsed < 2.0);
    return static_cast<double>(points) / elapsed;
}

} // namespace

int main() {
    try {
        const auto catalog = loadCatalog(findPresetsFolder());
        for (const auto& [id, node, model] : {std::tuple("preserve/llama3-405b-32", "npu", "llama3-405b"),
                                              std::tuple("preserve/llama3-405b-32", "npu", "llama3-8b"),
                                              std::tuple("preserve/llama3-405b-32", "npu", "mixtral-8x7b"),
                                              std::tuple("preserve/llama3-70b-8h100", "gpu", "llama3-70b")}) {
            auto scenario = loadPreset(catalog, id, id);
            scenario.model = catalog.model(model, model);
            double checksum = 0.0;
            std::size_t points = 0;
            const auto rate = pointsPerSecond(std::move(scenario), node, checksum, points);
            std::printf("%-26s %-13s %9.0f points/s on one core (%zu points, checksum %.6g)\n", id, model,
                        rate, points, checksum);
        }
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
