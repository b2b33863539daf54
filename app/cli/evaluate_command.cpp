// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/input.h"
#include "app/cli/offload_output.h"
#include "app/documents/evaluation_document.h"
#include "app/text_table.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/evaluation/breakdown.h"
#include "engine/evaluation/decisive.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/expected_error.h"
#include "engine/evaluation/explain.h"
#include "engine/evaluation/metric_path.h"
#include "engine/evaluation/simulate.h"
#include "engine/exporters/timeline_export.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/parameters.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/units/number_text.h"
#include "engine/units/units.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

struct EvaluateOptions {
    std::string design;
    std::vector<std::string> settings;
    std::string model;    ///< file
    std::string timeline; ///< file
    std::vector<std::string> explained;
    bool operators = false;
    bool json = false;
};

void printText(const Scenario& scenario, const Evaluation& evaluation, const EvaluateOptions& options) {
    std::cout << scenario.name << ", " << scenario.model.name << ", batch "
              << exactText(scenario.workload.batch.value) << ", "
              << exactText(scenario.workload.promptTokens.value) << " in, "
              << exactText(scenario.workload.outputTokens.value) << " out\n";
    std::cout << (!evaluation.feasible         ? "Cannot run: " + evaluation.reason
                  : !evaluation.reason.empty() ? "Serves fewer requests at a time: " + evaluation.reason
                                               : "Limited by " + boundLabel(scenario, evaluation))
              << '\n';
    if (const auto letIn = letInText(scenario, evaluation); !letIn.empty())
        std::cout << letIn << '\n';
    for (const auto& gain : evaluation.feasible ? techniqueGains(scenario) : std::vector<TechniqueGain>{})
        std::cout << gainText(gain) << '\n';
    std::cout << '\n';
    const ExpectedErrors errors(scenario, evaluation);
    std::vector<std::string> columns{"metric", "value", "unit"};
    if (hasExpectedErrors(scenario) || truthOf(scenario) == Truth::Ideal)
        columns.emplace_back("expected error");
    TextTable table(columns);
    std::map<std::string, std::string> notes; // what they say, and of what
    for (const auto& ref : listMetrics(scenario, evaluation)) {
        if (const auto note = noteOf(scenario, ref); !note.empty())
            notes[note] += (notes[note].empty() ? "" : ", ") + ref.path;
        const auto* spec = findMetric(ref.path);
        const bool special = spec && (isOfOffloading(spec->metric) || isSimulated(spec->metric));
        if (ref.value == ref.value || !special) // nothing is offloaded or simulated: they do not apply
        {
            std::vector<std::string> cells{ref.path, shortText(ref.value, 5), ref.unit};
            if (columns.size() > cells.size())
                cells.push_back(ref.value == ref.value ? errors.of(ref.path).text() : std::string());
            table.add(std::move(cells));
        }
    }
    table.print(std::cout);
    for (const auto& [note, metrics] : notes)
        std::cout << metrics << ": " << note << '\n';
    Truths truths;
    truths.add(truthOf(scenario));
    std::cout << truths.remarks();
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i)
        if (evaluation.nodes[i].offload.active)
            printOffload(scenario.nodes[i].id.value, evaluation.nodes[i].offload);
    if (options.operators)
        for (const auto& step : breakdowns(scenario)) {
            std::cout << '\n'
                      << step.node.value << ", " << phaseName(step.phase) << ", one step on one device\n";
            const bool prefetches = std::any_of(step.operators.begin(), step.operators.end(),
                                                [](const OperatorRow& op) { return op.prefetched; });
            std::vector<std::string> header{"operator", "repeat", "GFLOP", "MiB", "ms", "bound"};
            if (prefetches) // of one repeat
                header.insert(header.end(), {"L2", "prefetched MB", "L2 taken MB", "L2 left MB"});
            TextTable rows(std::move(header));
            for (const auto& op : step.operators) {
                std::vector<std::string> cells{op.key,
                                               exactText(op.repeat),
                                               shortText(op.flops / 1e9, 4),
                                               shortText(op.bytes / 1048576.0, 4),
                                               shortText(op.seconds * 1e3, 4),
                                               std::string(boundName(op.bound))};
                if (op.prefetched)
                    cells.insert(cells.end(),
                                 {"hit", shortText(op.prefetchBytes / units::MB, 4),
                                  shortText(op.l2Bytes / units::MB, 4), shortText(op.l2Left / units::MB, 4)});
                else if (prefetches)
                    cells.insert(cells.end(), {"", "", "", ""});
                rows.add(std::move(cells));
            }
            rows.print(std::cout);
        }
    for (const auto& metric : options.explained) {
        const auto term = explain(scenario, metric);
        std::cout << '\n' << termText(term);
        if (const auto error = expectedError(term))
            std::cout << "Expected error: " << error.text() << '\n';
    }
}

} // namespace

void addEvaluate(CLI::App& app) {
    auto options = std::make_shared<EvaluateOptions>();
    auto* command = app.add_subcommand("evaluate", "Evaluate one design");
    command->add_option("design", options->design, "Preset id or .hscape file")->required();
    command
        ->add_option("--set", options->settings,
                     "Set a parameter: path=value (see show preset <id>), with a unit if you like: 4.8TB/s")
        ->type_name("PATH=VALUE");
    addModelOption(*command, options->model);
    command->add_option("--explain", options->explained, "Show how a metric came about")->type_name("METRIC");
    command->add_flag("--operators", options->operators, "Show the operators of each phase");
    command
        ->add_option("--timeline", options->timeline,
                     "Write one request's timeline as Chrome trace JSON, for Perfetto or chrome://tracing")
        ->type_name("FILE");
    command->add_flag("--json", options->json, "One JSON document");
    command->callback([options] {
        const auto scenario = scenarioFrom(options->design, options->settings, options->model);
        requireValid(scenario);
        sayIdle({{}, scenario, {}}, options->design, options->settings, options->model);
        auto evaluation = evaluate(scenario);
        simulateInto(scenario, evaluation);
        if (!options->timeline.empty()) {
            auto request = requestTimeline(scenario);
            for (auto& part : request.parts)
                if (part.kind == RequestPart::Kind::Step)
                    addPower(scenario, evaluation, part.step);
            writeFileAtomically(options->timeline, requestTrace(request));
        }
        if (options->json)
            printJson(evaluationJson(scenario, evaluation, options->operators, options->explained));
        else
            printText(scenario, evaluation, *options);
    });
}

} // namespace heteroscape::cli
