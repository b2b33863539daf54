// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/input.h"
#include "app/documents/simulation_document.h"
#include "app/text_table.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/evaluation/simulate.h"
#include "engine/evaluation/system_terms.h"
#include "engine/exporters/timeline_export.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/study/largest_within.h"
#include "engine/units/number_text.h"
#include "engine/validation/benchmark_run.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <iostream>
#include <memory>
#include <optional>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

struct SimulateOptions {
    std::string design;
    std::vector<std::string> settings;
    std::string model; ///< file
    SimulatedLoad load;
    double until = kEndless;
    std::uint64_t recorded = 100000;
    std::string timeline; ///< files
    std::string segments;
    std::string served;
    std::string depth;
    std::string against;             ///< file of a benchmark's run
    std::string largest;             ///< path
    std::vector<std::string> within; ///< limits
    bool json = false;
};

std::string arrivalsText(const Scenario& scenario) {
    const auto& serving = scenario.serving;
    const RequestStream stream(serving, scenario.workload);
    return serving.arrivals->describe(serving, plainText(static_cast<double>(stream.size()), 9));
}

void printServing(const Scenario& scenario, const Evaluation& evaluation, const ServingEvaluation& serving) {
    const auto& result = serving.result;
    std::cout << scenario.name << ", " << scenario.model.name << "\n" << arrivalsText(scenario) << "\n\n";
    std::cout << plainText(static_cast<double>(result.done), 9) << " done, " << result.running << " running, "
              << result.queued << " queued, " << result.refused << " refused in "
              << shortText(result.seconds(), 6) << " s\n\n";
    TextTable times({"seconds", "mean", "p50", "p90", "p99", "most"});
    const auto add = [&](const char* name, const Distribution& of) {
        times.add({name, shortText(of.mean(), 5), shortText(of.quantile(0.5), 5),
                   shortText(of.quantile(0.9), 5), shortText(of.quantile(0.99), 5),
                   shortText(of.largest(), 5)});
    };
    add("wait for prefill", result.wait);
    add("time to first token", result.ttft);
    add("time per token", result.tpot);
    add("end to end", result.latency);
    times.print(std::cout);
    std::cout << '\n';
    TextTable rates({"metric", "value", "unit"});
    for (const auto metric :
         {Metric::ServedThroughput, Metric::ServedRequests, Metric::Goodput, Metric::QueueMean,
          Metric::QueueMost, Metric::ServedPower, Metric::ServedEnergy, Metric::ServedFacilityPower,
          Metric::ServedPerPower, Metric::ServedPerPrice, Metric::ServedCost, Metric::WithinLimits,
          Metric::FirstTokenFirstWave, Metric::FirstTokenLater, Metric::UserRate, Metric::Evictions,
          Metric::Throughput}) {
        const auto& spec = metricSpec(metric);
        if (metric > Metric::ServedEnergy && std::isnan(evaluation.metric(metric)))
            continue; // not of these arrivals
        rates.add({std::string(metric == Metric::Throughput ? "closed form" : spec.key),
                   shortText(toEdge(evaluation.metric(metric), spec.scale), 5), std::string(spec.unit)});
    }
    rates.print(std::cout);
    for (const auto metric : {Metric::ServedPower, Metric::ServedCost})
        if (const double value = evaluation.metric(metric); value == value)
            std::cout << metricSpec(metric).key << ": " << metricNote(scenario, metric) << '\n';
    std::cout << '\n';
    TextTable shares({"node or link", "prefill %", "decode %", "transfer %", "traffic GB/s", "used %"});
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i) {
        const auto& node = serving.nodes[i];
        if (node.replicas > 0)
            shares.add({scenario.nodes[i].shownName(), shortText(100.0 * node.prefillBusy),
                        shortText(100.0 * node.decodeBusy), shortText(100.0 * node.transferBusy), "",
                        shortText(100.0 * node.busy())});
    }
    for (std::size_t i = 0; i < scenario.links.size(); ++i)
        shares.add({scenario.links[i].id.value, "", "", "", shortText(serving.links[i].bytesPerSecond / 1e9),
                    shortText(100.0 * serving.links[i].utilisation())});
    shares.print(std::cout);
    Truths truths;
    truths.add(truthOf(scenario));
    std::cout << truths.remarks();
}

/// The largest value of a parameter within limits, and the metrics there.
void printLargest(const Scenario& scenario, const SimulateOptions& options) {
    std::vector<Limit> limits;
    for (const auto& text : options.within)
        limits.push_back(parseLimit(text));
    const auto found = largestWithin(scenario, options.largest, limits);
    if (options.json) {
        Json json = {{"design", scenario.name}, {"path", options.largest}, {"value", number(found.value)}};
        if (!found.stop.empty())
            json["stop"] = found.stop;
        for (const auto& spec : metricSpecs())
            if (isSimulated(spec.metric))
                json["metrics"][std::string(spec.key)] =
                    number(toEdge(found.evaluation.metric(spec.metric), spec.scale));
        printJson(json);
        return;
    }
    std::cout << options.largest << " = " << shortText(found.value, 6)
              << (found.stop.empty() ? ": the end of its range" : ". Above it: " + found.stop) << "\n\n";
    TextTable metrics({"metric", "value", "unit"});
    for (const auto& spec : metricSpecs())
        if (const double value = found.evaluation.metric(spec.metric);
            isSimulated(spec.metric) && !std::isnan(value))
            metrics.add(
                {std::string(spec.key), shortText(toEdge(value, spec.scale), 5), std::string(spec.unit)});
    metrics.print(std::cout);
}

/// What was measured beside what was simulated.
void printAgainst(const BenchmarkRun& run, const ServingEvaluation& serving) {
    TextTable table({"against " + (run.software.empty() ? "the benchmark" : run.software), "measured", "here",
                     "unit", "off by"});
    for (const auto& cell : besideMeasured(run, serving))
        table.add({std::string(cell.measured.label), shortText(cell.measured.value, 5),
                   shortText(cell.simulated, 5), std::string(cell.measured.unit),
                   shortText(100.0 * cell.error(), 3) + " %"});
    table.print(std::cout);
    std::cout << '\n';
}

Json againstJson(const BenchmarkRun& run, const ServingEvaluation& serving) {
    Json rows = Json::array();
    for (const auto& cell : besideMeasured(run, serving))
        rows.push_back({{"key", cell.measured.key},
                        {"unit", cell.measured.unit},
                        {"measured", number(cell.measured.value)},
                        {"simulated", number(cell.simulated)},
                        {"error_pct", number(100.0 * cell.error())}});
    return rows;
}

void runSimulate(const SimulateOptions& options) {
    const auto settings = simulatedSettings(options.load, options.settings);
    std::optional<BenchmarkRun> measured;
    if (!options.against.empty())
        measured = readBenchmarkRuns(readFile(options.against), options.against).back();
    auto scenario = scenarioFrom(options.design, measured ? std::vector<std::string>() : settings,
                                 measured ? std::string() : options.model);
    if (measured) { // what is set stands over the load that was measured
        scenario = underLoadOf(*measured, std::move(scenario), catalog());
        applySettings(scenario, settings, options.model);
    }
    if (std::isnan(options.until))
        throwInvalid("--until", "is no number", "Give seconds");
    letSimulate(scenario, settings);
    requireValid(scenario);
    if (!options.largest.empty()) {
        printLargest(scenario, options);
        return;
    }
    if (!measured)
        sayIdle({{}, scenario, {}}, options.design, settings, options.model);
    auto evaluation = evaluate(scenario);
    SimulationOptions simulation;
    simulation.until = options.until;
    const bool records = !options.timeline.empty() || !options.segments.empty() || !options.served.empty();
    simulation.recorded = records ? options.recorded : 0;
    const auto serving = simulate(scenario, evaluation, simulation);
    if (!serving.ran())
        throwInvalid(options.design, serving.reason);
    setServingMetrics(serving, evaluation);
    if (!options.timeline.empty())
        writeFileAtomically(options.timeline, servingTrace(scenario, serving));
    if (!options.segments.empty())
        writeFileAtomically(options.segments, servingSegmentsCsv(scenario, serving));
    if (!options.served.empty())
        writeFileAtomically(options.served, servedRequestsCsv(serving));
    if (!options.depth.empty())
        writeFileAtomically(options.depth, queueDepthCsv(serving));
    if (options.json) {
        auto json = servingJson(scenario, evaluation, serving);
        if (measured)
            json["against"] = againstJson(*measured, serving);
        printJson(json);
        return;
    }
    if (measured)
        printAgainst(*measured, serving);
    printServing(scenario, evaluation, serving);
}

} // namespace

void addSimulate(CLI::App& app) {
    auto options = std::make_shared<SimulateOptions>();
    auto* command = app.add_subcommand("simulate", "Simulate a design request by request");
    command->add_option("design", options->design, "Preset id or .hscape file")->required();
    command->add_option("--set", options->settings, "Set a parameter: path=value (see show preset <id>)")
        ->type_name("PATH=VALUE");
    addModelOption(*command, options->model);
    command->add_option("--arrivals", options->load.arrivals, simulatedArrivalsText());
    command->add_option("--requests", options->load.requests, "How many requests");
    command->add_option("--rate", options->load.rate, "Poisson arrivals at so many requests a second");
    command->add_option("--trace", options->load.trace, "Recorded requests (CSV, or JSON lines)")
        ->type_name("FILE");
    command->add_option("--seed", options->load.seed, "Of the Poisson arrivals");
    command->add_option("--until", options->until, "Stop after so many simulated seconds")
        ->check(CLI::Range(0.0, 1e15, "SECONDS from 0"));
    command
        ->add_option("--recorded", options->recorded, "Requests, from the first, that the files below hold")
        ->capture_default_str();
    command
        ->add_option("--timeline", options->timeline,
                     "Write the timeline as Chrome trace JSON, for Perfetto or chrome://tracing")
        ->type_name("FILE");
    command->add_option("--segments", options->segments, "Write the timeline as CSV")->type_name("FILE");
    command->add_option("--served", options->served, "Write the times of each request as CSV")
        ->type_name("FILE");
    command->add_option("--queue-depth", options->depth, "Write the queue depth over time as CSV")
        ->type_name("FILE");
    command
        ->add_option(
            "--against", options->against,
            "What vllm bench serve --save-result or SGLang's bench_serving wrote: its load is simulated, and "
            "what it measured stands beside")
        ->type_name("FILE");
    auto* largest = command
                        ->add_option("--largest", options->largest,
                                     "Find the largest value of a parameter within limits: serving.users, "
                                     "serving.rate_req_s, workload.batch")
                        ->type_name("PATH");
    command
        ->add_option("--within", options->within,
                     "A limit on a metric: \"ttft_p99_s<=2\", \"within_limits_share>=0.95\"")
        ->type_name("LIMIT")
        ->needs(largest);
    command->add_flag("--json", options->json, "One JSON document");
    command->callback([options] { runSimulate(*options); });
}

} // namespace heteroscape::cli
