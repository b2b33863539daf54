// SPDX-License-Identifier: GPL-3.0-or-later
// Processor time of a published row of 128 users, without and with the step times that another row of the
// thread left; of the shipped table, and of a frontier of 2,880 points, on two threads.

#include "engine/frontier/frontier.h"
#include "engine/timing/kernels/kernel_catalog.h"
#include "engine/validation/serving_validation.h"

#include <cstdio>
#include <ctime>
#include <exception>
#include <thread>

using namespace heteroscape::engine;

namespace {

constexpr int kRepeats = 20;

double secondsOf(auto work) {
    const auto start = std::clock(); // of this process: other work on the machine does not count
    work();
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

ServedPlan rowOf128Users(const GpuServers& servers, const char* model, const char* server,
                         const ServedLayout& layout) {
    RecipeLabels labels;
    labels.model = model;
    labels.system = "h200_sxm";
    labels.backend = server;
    labels.precision = labels.denseFormat = labels.expertFormat = "fp8";
    labels.users = 128;
    return servers.plan(labels, layout);
}

void measureRow(const Catalog& catalog, const char* model, const char* server, const ServedLayout& layout) {
    double cold = 0.0, warm = 0.0;
    const GpuServers servers(catalog, shippedKernels());
    const auto plan = rowOf128Users(servers, model, server, layout);
    for (int i = 0; i < kRepeats; ++i)
        std::thread([&] { // steps are kept by the thread
            cold += secondsOf([&] { servers.serve(plan); });
            warm += secondsOf([&] { servers.serve(plan); });
        })
            .join();
    std::printf("%-14s %-7s 128 users, 1k in, 1k out  %7.2f ms, again %7.2f ms\n", model, server,
                1e3 * cold / kRepeats, 1e3 * warm / kRepeats);
}

} // namespace

int main() {
    try {
        const auto catalog = loadCatalog(findPresetsFolder());
        for (const auto* server : {"vllm", "sglang", "trtllm"}) {
            measureRow(catalog, "llama3-1-70b", server, {4, 1, 4, 1});
            measureRow(catalog, "deepseek-v3", server, {8, 1, 1, 8});
        }
        const GpuServers servers(catalog, shippedKernels());
        const auto table = readServing(shippedServing(catalog.folder).front());
        const double rows = secondsOf([&] { validateServing(servers, std::span(&table, 1), 2); });
        std::printf("%zu published rows %.2f s\n", table.rows.size(), rows);
        auto definition = findFrontier(catalog, "gpt-oss-120b");
        definition.systems = {definition.systems.front()};
        definition.users.clear();
        for (double users = 1; definition.users.size() < 96; users += 10)
            definition.users.push_back(users);
        std::size_t points = 0;
        const double seconds =
            secondsOf([&] { points = frontierPoints(definition, catalog, servers, 2).size(); });
        std::printf("%zu points of one system's frontier %.2f s\n", points, seconds);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
