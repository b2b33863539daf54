// SPDX-License-Identifier: GPL-3.0-or-later
// Points of a study each second on one core, with steps of nodes kept from point to point and without: inner
// axes that leave the operators alone, L2 prefetch at every point, kernels of GPUs. Medians of pairs.

#include "engine/claims/claims.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/step_cache.h"
#include "engine/study/study.h"
#include "engine/techniques/l2_prefetch.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <exception>
#include <string_view>

using namespace heteroscape::engine;

namespace {

std::string_view g_only;

double secondsOfThis() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; // other work on the machine does not count
}

double pointsPerSecond(const Study& study, bool keep, double& checksum) {
    PointSetter setter(study);
    StepCache cache;
    Evaluation out;
    const auto count = study.pointCount();
    std::size_t done = 0;
    const double start = secondsOfThis();
    double elapsed = 0.0;
    do {
        for (std::size_t i = 0; i < 2000; ++i, ++done) {
            const auto& scenario = setter.at(done % count);
            if (keep) {
                cache.setKeys(setter.stepKeys(), setter.graphKeys());
                evaluateInto(scenario, out, cache);
            } else {
                evaluateInto(scenario, out);
            }
            checksum += out.feasible ? out.metric(Metric::Throughput) : 0.0;
        }
        elapsed = secondsOfThis() - start;
    } while (elapsed < 0.25);
    return static_cast<double>(done) / elapsed;
}

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + 2, values.end());
    return values[2];
}

/// `count` devices of one kind share the model; one needs no fabric.
Scenario served(const Catalog& catalog, const char* model, const char* device, const char* runtime,
                double count = 8) {
    Scenario scenario;
    scenario.model = catalog.model(model, "benchmark");
    scenario.workload.outputTokens.value = 200;
    Node node;
    node.id = {"gpu"};
    node.device = catalog.device(device, "benchmark");
    node.count.value = count;
    node.replicas.value = 1;
    node.runtime = catalog.runtime(runtime, "benchmark").on(node.device);
    scenario.nodes = {node};
    if (count <= 1.0)
        return scenario;
    Node fabric;
    fabric.id = {"nvswitch"};
    fabric.device = catalog.device("nvswitch", "benchmark");
    fabric.role = Role::Fabric;
    scenario.nodes = {node, fabric};
    scenario.links = {{{"link"}, node.id, fabric.id, catalog.linkType("nvlink4", "benchmark")}};
    return scenario;
}

void report(const Catalog& catalog, const char* what, const Scenario& base,
            const std::vector<std::string>& axes) {
    if (std::string_view(what).find(g_only) == std::string_view::npos)
        return;
    Study study{what, base, {}};
    for (const auto& axis : axes)
        study.axes.push_back(parseAxis(base, catalog, axis));
    std::vector<double> kept, plain;
    double checksum = 0.0, same = 0.0;
    for (int i = 0; i < 5; ++i) {
        kept.push_back(pointsPerSecond(study, true, checksum));
        plain.push_back(pointsPerSecond(study, false, same));
    }
    std::printf("%-58s %10.0f points/s on one core; %10.0f with nothing kept\n", what, median(kept),
                median(plain));
}

} // namespace

/// All of them, or those whose description contains what the only argument says.
int main(int count, char** arguments) {
    try {
        g_only = count > 1 ? arguments[1] : "";
        const auto catalog = loadCatalog(findPresetsFolder());
        const auto split = loadPreset(catalog, "glitches/a100-7u280", "benchmark");
        const auto link = "links." + split.links.front().id.value + ".bandwidth_gbps=1:64:lin32";
        report(catalog, "GLITCHES, batch, then count", split,
               {"workload.batch=1:16:*2", "nodes.fpga.count=1:512"});
        report(catalog, "GLITCHES, batch, then price and count", split,
               {"workload.batch=1:16:*2", "nodes.fpga.device.price_usd=1000:8000:lin64",
                "nodes.fpga.count=1:64"});
        report(catalog, "GLITCHES, batch, then link rate", split, {"workload.batch=1:16:*2", link});
        const auto gpus = served(catalog, "llama3-1-70b", "h100-sxm", "best");
        report(catalog, "Llama-3.1-70B on GPUs by kernels, price and electricity", gpus,
               {"workload.batch=1:64:*2", "nodes.gpu.device.price_usd=1000:50000:lin64",
                "cost.electricity_usd_per_kwh=0.05:0.5:lin64"});
        auto prefetch = loadPreset(catalog, "preserve/llama3-70b-8npu", "benchmark");
        prefetch.techniques[l2Prefetch()].enabled = true;
        report(catalog, "PRESERVE, Algorithm 1 at each point (L2, bandwidth)", prefetch,
               {"nodes." + prefetch.nodes.front().id.value + ".device.l2_mb=8:520",
                "nodes." + prefetch.nodes.front().id.value + ".device.memory_bandwidth_gbps=800:4000:lin64"});
        report(catalog, "Llama-3.1-70B on GPUs, kernels at each point", gpus,
               {"workload.prompt_tokens=128:4096:64", "workload.batch=1:64"});
        report(catalog, "Llama-3.1-70B on GPUs, roofline, batch x length",
               served(catalog, "llama3-1-70b", "h100-sxm", "ideal"),
               {"workload.prompt_tokens=128:4096:64", "workload.batch=1:64"});
        // What LLM-Viewer computes: one model on one device, each batch at each length.
        report(catalog, "Llama-3.1-8B on one GPU, roofline, batch x length",
               served(catalog, "llama3-1-8b", "h100-sxm", "ideal", 1),
               {"workload.batch=1:64", "workload.prompt_tokens=128:4096:64"});
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
