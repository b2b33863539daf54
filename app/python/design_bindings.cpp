// SPDX-License-Identifier: GPL-3.0-or-later
// Designs, what is evaluated and simulated of them, and how it came about.
#include "app/python/bindings.h"

#include "app/documents/catalog_document.h"
#include "app/documents/evaluation_document.h"
#include "app/documents/simulation_document.h"
#include "app/python/convert.h"
#include "app/python/work.h"
#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/catalog/hugging_face.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/expected_error.h"
#include "engine/evaluation/explain.h"
#include "engine/evaluation/metric_path.h"
#include "engine/evaluation/simulate.h"
#include "engine/exporters/timeline_export.h"
#include "engine/scenario/parameters.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/scenario/scenario_json.h"
#include "engine/scenario/scenario_key.h"
#include "engine/servers/launch.h"
#include "engine/units/number_text.h"

#include <nlohmann/json.hpp>
#include <pybind11/stl.h>

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace heteroscape::python {

namespace py = pybind11;
using namespace heteroscape::engine;

namespace {

/// An evaluation with the design that it is of.
struct Evaluated {
    std::shared_ptr<const Scenario> scenario;
    Evaluation evaluation;
};

struct Simulated {
    std::shared_ptr<const Scenario> scenario;
    Evaluation evaluation;
    ServingEvaluation serving;
};

Design holding(Scenario scenario) {
    return {std::make_shared<const Scenario>(std::move(scenario))};
}

Evaluated evaluated(const Design& design) {
    requireRunnable(design);
    if (!design->serving.isSimulated()) {
        const py::gil_scoped_release released;
        return {design.scenario, evaluate(*design)};
    }
    return interruptible([scenario = design.scenario](const std::stop_token& stop) {
        Evaluated of{scenario, evaluate(*scenario)};
        simulateInto(*scenario, of.evaluation, {.stop = stop});
        return of;
    });
}

struct SimulationWishes {
    cli::SimulatedLoad load;
    std::optional<double> until;
    std::uint64_t recorded = 0;
};

Simulated simulated(const Design& design, const SimulationWishes& wishes) {
    Notes notes;
    auto scenario = *design;
    const auto settings = cli::simulatedSettings(wishes.load);
    cli::putSettings(scenario, catalog(), settings, {}, notes.tell());
    cli::letSimulate(scenario, settings);
    cli::requireValid(scenario, notes.tell());
    notes.warn();
    const auto held = std::make_shared<const Scenario>(std::move(scenario));
    return interruptible([&](const std::stop_token& stop) {
        Simulated of{held, evaluate(*held), {}};
        SimulationOptions options;
        options.stop = stop;
        options.recorded = wishes.recorded;
        options.until = wishes.until.value_or(kEndless);
        of.serving = simulate(*held, of.evaluation, options);
        if (!of.serving.ran())
            throwInvalid(held->name, of.serving.reason);
        setServingMetrics(of.serving, of.evaluation);
        return of;
    });
}

py::tuple metricRow(const Evaluated& of, const MetricRef& ref) {
    return py::make_tuple(ref.path, ref.value, ref.unit, ref.label, cli::noteOf(*of.scenario, ref));
}

py::list metricRows(const Evaluated& of) {
    py::list rows;
    for (const auto& ref : listMetrics(*of.scenario, of.evaluation))
        rows.append(metricRow(of, ref));
    return rows;
}

/// heteroscape.ExpectedError of a value, or None where nothing is expected.
py::object errorOf(const ExpectedError& error, double value) {
    if (!error)
        return py::none();
    const auto [below, above] = error.band();
    const bool hasBand = above > 0.0;
    const auto named = py::module_::import("heteroscape._design").attr("ExpectedError");
    return named(std::isfinite(error.percent) ? py::object(py::float_(error.percent)) : py::none(),
                 hasBand ? py::object(py::float_(value * std::exp(-below))) : py::none(),
                 hasBand ? py::object(py::float_(value * std::exp(above))) : py::none(),
                 evidenceName(error.evidence()), error.text());
}

py::list diagnosticRows(const Design& design) {
    py::list rows;
    for (const auto& found : validate(*design)) {
        const auto* severity = found.severity == Severity::Error     ? "error"
                               : found.severity == Severity::Warning ? "warning"
                                                                     : "note";
        rows.append(py::make_tuple(severity, found.subject, found.message, found.remedy, found.code));
    }
    return rows;
}

std::vector<std::string> paths(const Design& design) {
    std::vector<std::string> list;
    for (auto& parameter : listParameters(*design, catalog()))
        list.push_back(std::move(parameter.path));
    return list;
}

void bindTerm(py::module_& module) {
    py::class_<Term>(
        module, "Term",
        "How a number came about: an operation on other terms, down to leaves with their sources.")
        .def_property_readonly("name", &Term::name, "What it is.")
        .def_property_readonly("value", &Term::shown, "The number, in `unit`.")
        .def_property_readonly("unit", &Term::unit, "Unit of the value; empty for counts and shares.")
        .def_property_readonly("formula", &Term::formula,
                               "The operation on the names of `terms`; empty at a leaf.")
        .def_property_readonly("terms", &Term::terms, "What it is made of; empty at a leaf.")
        .def_property_readonly("source", &Term::source, "Where the constant of a leaf comes from.")
        .def_property_readonly("remark", &Term::remark, "What else is said: \"bound by memory reads\".")
        .def_property_readonly(
            "expected_error", [](const Term& term) { return errorOf(expectedError(term), term.shown()); },
            "How far it is expected to be off, from what its leaves rest on; None where nothing was "
            "measured.")
        .def("__str__", [](const Term& term) { return termText(term); })
        .def("__repr__", [](const Term& term) {
            const auto unit = term.unit();
            return "<Term " + std::string(term.name()) + " = " + shortText(term.shown()) +
                   (unit.empty() ? ">" : " " + std::string(unit) + ">");
        });
}

void bindEvaluation(py::module_& module) {
    py::class_<Evaluated>(module, "Evaluation", "Metrics of one design.")
        .def_property_readonly("feasible", [](const Evaluated& of) { return of.evaluation.feasible; })
        .def_property_readonly("reason", [](const Evaluated& of) { return of.evaluation.reason; })
        .def_property_readonly("bound",
                               [](const Evaluated& of) { return boundKey(*of.scenario, of.evaluation); })
        .def_property_readonly("bound_label",
                               [](const Evaluated& of) { return boundLabel(*of.scenario, of.evaluation); })
        .def_property_readonly("truth", [](const Evaluated& of) { return truthName(truthOf(*of.scenario)); })
        .def_property_readonly("truth_text",
                               [](const Evaluated& of) { return truthText(truthOf(*of.scenario)); })
        .def("metrics", &metricRows, "(path, value, unit, label, note) of every metric.")
        .def(
            "metric",
            [](const Evaluated& of, const std::string& path) {
                return metricRow(of, findMetric(*of.scenario, of.evaluation, path));
            },
            py::arg("path"), "(path, value, unit, label, note) of one metric.")
        .def(
            "errors",
            [](const Evaluated& of, const std::vector<std::string>& paths) {
                const ExpectedErrors errors(*of.scenario, of.evaluation);
                py::dict all;
                for (const auto& path : paths)
                    all[py::str(path)] =
                        errorOf(errors.of(path), findMetric(*of.scenario, of.evaluation, path).value);
                return all;
            },
            py::arg("paths"), "How far metrics are expected to be off.")
        .def(
            "document",
            [](const Evaluated& of, bool operators, const std::vector<std::string>& explained) {
                return toPython([&] {
                    const py::gil_scoped_release released;
                    return cli::evaluationJson(*of.scenario, of.evaluation, operators, explained);
                }());
            },
            py::arg("operators") = false, py::arg("explain") = std::vector<std::string>{},
            "The document of heteroscape-cli evaluate --json.");
}

void bindSimulation(py::module_& module) {
    py::class_<Simulated>(module, "Simulation", "Requests simulated one by one.")
        .def(
            "document",
            [](const Simulated& of) {
                return toPython(cli::servingJson(*of.scenario, of.evaluation, of.serving));
            },
            "The document of heteroscape-cli simulate --json.")
        .def("requests_csv", [](const Simulated& of) { return servedRequestsCsv(of.serving); })
        .def("segments_csv", [](const Simulated& of) { return servingSegmentsCsv(*of.scenario, of.serving); })
        .def("queue_csv", [](const Simulated& of) { return queueDepthCsv(of.serving); })
        .def("trace", [](const Simulated& of) { return servingTrace(*of.scenario, of.serving); });
}

void bindDesign(py::module_& module) {
    py::class_<Design>(module, "Design", "A system, and what it serves.")
        .def_property_readonly("name", [](const Design& design) { return design->name; })
        .def_property_readonly("about", [](const Design& design) { return design->about; })
        .def(
            "describe",
            [](Design& design, const std::string& name, const std::string& about) {
                design.edit(SetDescription{name, about});
            },
            py::arg("name"), py::arg("about"))
        .def_property_readonly("key", [](const Design& design) { return keyText(scenarioKeyBytes(*design)); })
        .def("copy", [](const Design& design) { return design; })
        .def(
            "equals", [](const Design& one, const Design& other) { return *one == *other; }, py::arg("other"))
        .def(
            "document", [](const Design& design) { return toPython(writeScenario(*design)); },
            "The document of its file.")
        .def(
            "save", [](const Design& design, const std::string& path) { saveScenario(*design, path); },
            py::arg("path"))
        .def(
            "python_text",
            [](const Design& design) { return pythonText(*design, catalog(), design.origin.get()); },
            "Lines of Python that make it.")
        .def(
            "command_text",
            [](const Design& design) { return commandText(*design, catalog(), design.origin.get()); },
            "The command line that evaluates it.")
        .def(
            "launch_text",
            [](const Design& design, bool kubernetes) {
                return kubernetes ? launchManifest(*design, catalog()) : launchScript(*design, catalog());
            },
            py::arg("kubernetes"))
        .def("paths", &paths, "The paths of all parameters, in order.")
        .def("parameters",
             [](const Design& design) { return toPython(cli::parametersJson(*design, catalog())); })
        .def(
            "parameter",
            [](const Design& design, const std::string& path) {
                return toPython(cli::parameterJson(*design, catalog(), path));
            },
            py::arg("path"))
        .def(
            "put",
            [](Design& design, const std::string& path, const std::string& value) {
                Notes notes;
                auto changed = *design;
                cli::putSettings(changed, catalog(), {path + "=" + value}, {}, notes.tell());
                design.set(std::move(changed));
                notes.warn();
            },
            py::arg("path"), py::arg("value"))
        .def(
            "put_part",
            [](Design& design, const std::string& path, const std::string& json) {
                design.edit(partEdit(*design, catalog(), path, parseJson(json, path)));
            },
            py::arg("path"), py::arg("json"))
        .def(
            "serve",
            [](Design& design, const std::string& text, const std::string& where) {
                design.edit(
                    takeModel(*design, text.empty() ? loadModelFile(where) : readModelText(text, where)));
            },
            py::arg("text"), py::arg("where"))
        .def("diagnostics", &diagnosticRows)
        .def("evaluate", &evaluated)
        .def(
            "explain",
            [](const Design& design, const std::string& metric) {
                requireRunnable(design);
                return interruptible([&, scenario = design.scenario](const std::stop_token& stop) {
                    return explain(*scenario, metric, stop);
                });
            },
            py::arg("metric"))
        .def(
            "simulate",
            [](const Design& design, std::string arrivals, std::string requests, std::string rate,
               std::string trace, std::string seed, std::optional<double> until, std::uint64_t recorded) {
                return simulated(design, {{std::move(arrivals), std::move(requests), std::move(rate),
                                           std::move(trace), std::move(seed)},
                                          until,
                                          recorded});
            },
            py::arg("arrivals"), py::arg("requests"), py::arg("rate"), py::arg("trace"), py::arg("seed"),
            py::arg("until"), py::arg("recorded"));
}

} // namespace

void Design::edit(const GraphEdit& edit) {
    auto changed = *scenario;
    applyEdit(changed, edit);
    set(std::move(changed));
}

void bindDesigns(py::module_& module) {
    bindTerm(module);
    bindEvaluation(module);
    bindSimulation(module);
    bindDesign(module);
    module.def(
        "open_design",
        [](const std::string& presetOrFile) {
            auto design = holding(cli::openDesign(catalog(), presetOrFile));
            design.origin = std::make_shared<const DesignOrigin>(DesignOrigin{presetOrFile, *design});
            return design;
        },
        py::arg("preset_or_file"));
    module.def(
        "launched_design",
        [](const std::string& lines, const std::string& device, const std::string& model, double users,
           double prompt, double output) {
            const GpuServers servers(catalog(), shippedKernels());
            std::vector<std::string> leftAside;
            auto design = holding(launchedDesign(servers, lines, "launch line",
                                                 {device, model, users, prompt, output}, leftAside));
            return std::pair(std::move(design), leftAside);
        },
        py::arg("lines"), py::arg("device"), py::arg("model"), py::arg("users"), py::arg("prompt"),
        py::arg("output"));
    module.def(
        "read_design",
        [](const std::string& json, const std::string& where) {
            return holding(readScenario(parseJson(json, where), catalog(), where));
        },
        py::arg("json"), py::arg("where"));
}

} // namespace heteroscape::python
