// SPDX-License-Identifier: GPL-3.0-or-later
// Simulated requests per second on one core: 8 cards without batching, continuous batching, and a trace of
// mixed lengths; with the memory that the process needed at most so far.

#include "engine/claims/claims.h"
#include "engine/evaluation/simulate.h"
#include "engine/serving/server_rules.h"
#include "engine/techniques/built_in.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <exception>
#include <fstream>
#include <random>
#include <string>

using namespace heteroscape::engine;

namespace {

/// MB, of this process at most.
double peakMemory() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:"))
            return std::stod(line.substr(6)) / 1024.0;
    return 0.0;
}

void measure(const char* name, const Scenario& scenario) {
    const auto evaluation = evaluate(scenario);
    const auto start = std::clock(); // of this process: other work on the machine does not count
    double elapsed = 0.0;
    std::uint64_t done = 0;
    ServingEvaluation serving;
    do {
        serving = simulate(scenario, evaluation);
        if (!serving.ran()) {
            std::printf("%-44s %s\n", name, serving.reason.c_str());
            return;
        }
        done += serving.result.done;
        elapsed = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    } while (elapsed < 2.0);
    const auto& result = serving.result;
    std::printf("%-44s %9.0f requests/s on one core, %5.0f MB (%.6g tok/s served, TTFT p99 %.4g s)\n", name,
                static_cast<double>(done) / elapsed, peakMemory(), result.tokenRate,
                result.ttft.quantile(0.99));
}

Scenario poisson(Scenario scenario, double load) {
    auto& serving = scenario.serving;
    serving.arrivals = arrivalsNamed("poisson");
    serving["requests"].value = 1e6;
    serving["rate_req_s"].value = load * evaluate(scenario).metric(Metric::RequestRate);
    return scenario;
}

/// A million requests whose lengths are spread over two decades.
TraceFile mixedTrace(double rate) {
    std::mt19937_64 random(1);
    const auto unit = [&random] { return static_cast<double>(random() >> 11) * 0x1p-53; };
    auto trace = std::make_shared<RequestTrace>();
    double now = 0.0;
    for (int i = 0; i < 1000000; ++i) {
        now -= std::log1p(-unit()) / rate;
        trace->requests.push_back({now, static_cast<std::uint32_t>(20.0 * std::exp(4.6 * unit())),
                                   static_cast<std::uint32_t>(10.0 * std::exp(4.6 * unit()))});
    }
    return {"mixed", std::move(trace), {}};
}

/// Requests of a closed loop by an affine step model: what the simulation of servers costs by itself.
void measureServer(const char* name, const StepRule& rule, double budget, double users, double prompt,
                   std::size_t requests) {
    class Steps final : public ServiceTimes {
    public:
        double prefill(double, double, double) override { return 0.0; } // servers take pieces
        double decode(const DecodeBatch& batch, double steps) override {
            return steps * (8e-3 + batch.requests * (2e-8 * (batch.context + 0.5 * (steps + 1.0)) + 1e-5));
        }
        PieceSeconds pieces(std::span<const PromptPiece> prompts, const DecodeBatch& batch) override {
            double tokens = batch.requests;
            for (const auto& piece : prompts)
                tokens += piece.tokens;
            const double seconds =
                std::max(8e-3, 1e-5 * tokens) + batch.requests * (2e-8 * (batch.context + 1.0) + 1e-5);
            return {seconds, seconds};
        }
    };
    ServerTraffic loop;
    loop.users = static_cast<std::uint64_t>(users);
    for (const auto& size : drawLengths({prompt, 1024, 0.8, 0}, requests))
        loop.requests.push_back({size});
    Steps steps;
    ServerSettings settings;
    settings.rule = &rule;
    settings.budget = budget;
    const auto start = std::clock();
    double elapsed = 0.0;
    std::size_t runs = 0;
    double ttft = 0.0;
    do {
        double sum = 0.0;
        for (const auto& served : serveTraffic(loop, settings, steps).requests)
            sum += served.ttft();
        ttft = sum / static_cast<double>(requests);
        ++runs;
        elapsed = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    } while (elapsed < 1.0);
    std::printf("%-44s %9.0f requests/s on one core, %8.3f ms a run (TTFT %.4g s)\n", name,
                static_cast<double>(runs * requests) / elapsed, 1e3 * elapsed / static_cast<double>(runs),
                ttft);
}

} // namespace

int main() {
    try {
        measureServer("a row: 128 users, 1k in, 1k out, mixed", mixedRule(), 8192, 128, 1024, 1280);
        measureServer("closed loop, mixed, no prompt is cut", mixedRule(), 8192, 64, 1024, 1000000);
        measureServer("closed loop, mixed, prompts are cut", mixedRule(), 2048, 64, 8192, 300000);
        measureServer("closed loop, prompts first", firstRule(), 8192, 64, 1024, 300000);
        const auto catalog = loadCatalog(findPresetsFolder());
        const auto load = [&](const char* id) { return loadPreset(catalog, id, id); };
        for (const char* id : {"glitches/8a100", "glitches/a100-7u280"})
            measure(id, poisson(load(id), 0.8));
        auto assisted = poisson(load("glitches/a100-7u280"), 0.9);
        assisted.techniques[gpuAssist()].enabled = true;
        measure("glitches/a100-7u280, preempt", assisted);
        auto batched = load("glitches/8a100");
        batched.serving.batching = batchingNamed("continuous");
        batched.workload.batch.value = 16.0;
        measure("glitches/8a100, continuous, batch 16", poisson(batched, 0.8));
        batched.serving["chunk_tokens"].value = 512.0;
        measure("the same, chunks of 512 tokens", poisson(batched, 0.6));
        for (const double batch : {1.0, 16.0}) {
            auto traced = load("glitches/8a100");
            traced.serving.batching = batchingNamed("continuous");
            traced.workload.batch.value = batch;
            traced.serving.setTrace(mixedTrace(batch == 1.0 ? 1.2 : 10.0));
            measure(batch == 1.0 ? "glitches/8a100, 1e6 mixed requests" : "the same, continuous, batch 16",
                    traced);
        }
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
