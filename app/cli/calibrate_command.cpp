// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/input.h"
#include "app/documents/calibration_document.h"
#include "app/text_table.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/calibration/calibrate_kernels.h"
#include "engine/calibration/calibrate_system.h"
#include "engine/catalog/named.h"
#include "engine/scenario/parameters.h"
#include "engine/scenario/scenario_json.h"
#include "engine/units/number_text.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

constexpr double kStrong = 0.9; ///< correlation worth a word

struct CalibrateOptions {
    std::vector<std::string> files;
    std::vector<std::string> bounds;
    std::vector<std::string> settings;
    std::string fit, loss = "soft_l1", out, runtime, id, design, device;
    CalibrationOptions fitting;
    bool list = false, json = false;
};

void printConstants() {
    TextTable table({"family", "constant", "usual", "from", "to"});
    for (const auto& family : kernelFamilies()) {
        const auto usual = usualConstants(family.family);
        for (const auto& constant : family.constants)
            table.add({std::string(family.family), std::string(constant.key),
                       std::find(usual.begin(), usual.end(), constant.key) != usual.end() ? "yes" : "",
                       exactText(constant.minimum), exactText(constant.maximum)});
    }
    table.print(std::cout);
    std::cout << "\nFitted unless --fit names others: the usual ones of the kernels that the rows are of.\n";
}

std::string titleOf(const CalibratedEntry& entry) {
    return entry.family + " of " + joined(entry.names);
}

std::vector<std::string> errorCells(const KernelConstants::Errors& before,
                                    const KernelConstants::Errors& after) {
    if (before.rows == 0.0)
        return {"0", "-", "-"};
    const auto text = [](const KernelConstants::Errors& errors) {
        return percentText(errors.medianPercent) + " / " + percentText(errors.p90Percent);
    };
    return {plainText(before.rows), text(before), text(after)};
}

template <class Of>
void addFitErrors(TextTable& table, const std::string& title, const Of& of) {
    std::vector<std::string> cells{title};
    for (const bool heldOut : {false, true})
        for (auto& cell : errorCells(of.errors(heldOut, false), of.errors(heldOut, true)))
            cells.push_back(std::move(cell));
    table.add(std::move(cells));
}

/// Numbers are divided by `scales`, where there are any.
void printFitted(const Fit& fit, const std::vector<double>& scales = {}) {
    TextTable table({"constant", "before", "after", "+- %", ""});
    for (std::size_t i = 0; i < fit.parameters.size(); ++i) {
        const auto& parameter = fit.parameters[i];
        const double scale = scales.empty() ? 1.0 : scales[i];
        table.add(
            {parameter.name, shortText(parameter.start / scale, 4), shortText(parameter.value / scale, 4),
             std::isnan(parameter.standardError) ? "-" : percentText(100.0 * parameter.standardError),
             parameter.standing == Standing::Fitted ? "" : std::string(standingName(parameter.standing))});
    }
    table.print(std::cout);
    for (const auto& open : fit.undetermined)
        std::cout << open.kept << " is not determined by these rows and is kept: " << open.text()
                  << (std::isinf(open.standardError)
                          ? ", and on, changes none of them.\n"
                          : ", and on, past a factor of 2, stays within their scatter.\n");
    for (std::size_t i = 0; i < fit.parameters.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (const double r = fit.correlation(i, j); std::abs(r) > kStrong)
                std::cout << fit.parameters[j].name << " and " << fit.parameters[i].name
                          << " are hardly told apart: correlation " << shortText(r, 3) << ".\n";
    if (!fit.converged)
        std::cout << "The fit ended after its " << fit.steps << " steps, not at a minimum.\n";
}

template <class Of>
void warnOfWorse(const Of& of) {
    const auto before = of.errors(true, false), after = of.errors(true, true);
    if (after.medianPercent > before.medianPercent)
        std::cout << "Worse on the rows held out: " << percentText(before.medianPercent) << " % before, "
                  << percentText(after.medianPercent) << " % after. More rows, or fewer constants.\n";
}

void printFit(const CalibratedEntry& entry) {
    std::cout << '\n' << titleOf(entry);
    if (entry.started != entry.names)
        std::cout << ", started from " << joined(entry.started);
    std::cout << '\n';
    printFitted(entry.fit);
    for (const auto& zero : entry.zeros)
        std::cout << zero << " is 0 in this kernel, and stays.\n";
    warnOfWorse(entry);
}

TextTable errorTable() {
    return TextTable({"constants", "rows", "median / p90 % before", "after", "held out", "before", "after"});
}

void printCalibration(const Calibration& calibration, const std::vector<MeasuredTable>& tables) {
    auto table = errorTable();
    for (const auto& entry : calibration.entries)
        if (entry.fitted())
            addFitErrors(table, titleOf(entry), entry);
    addFitErrors(table, "all", calibration);
    table.print(std::cout);
    for (const auto& entry : calibration.entries)
        if (entry.fitted())
            printFit(entry);
    std::cout << '\n';
    for (const auto& entry : calibration.entries)
        if (!entry.fitted())
            std::cout << "not fitted: " << titleOf(entry) << " (" << entry.rows.size()
                      << (entry.rows.size() == 1 ? " row, " : " rows, first ")
                      << tables[entry.rows.front().table].name << ':' << entry.rows.front().row->line()
                      << "): " << entry.why << '\n';
    std::map<std::string, std::vector<const PassedRow*>> reasons;
    for (const auto& row : calibration.passed)
        reasons[row.why].push_back(&row);
    for (const auto& [why, rows] : reasons)
        std::cout << "passed over: " << rows.size() << (rows.size() == 1 ? " row, " : " rows, first ")
                  << tables[rows.front()->table].name << ':' << rows.front()->row->line() << ": " << why
                  << '\n';
    std::cout << calibration.constants.text()
              << (calibration.constants.errors.heldOut ? " (median of held-out rows)\n"
                                                       : " (median of the fitted rows: none was held out)\n");
}

/// Writes the runtime that carries the constants.
void writeCalibrated(const Calibration& calibration, const CalibrateOptions& options) {
    const auto base = options.runtime.empty() ? measuredRuntime(calibration) : options.runtime;
    const auto id = options.id.empty() ? base + "-calibrated" : options.id;
    const auto runtime = calibratedRuntime(catalog().runtime(base, "--runtime").base, calibration, id);
    writeFileAtomically(options.out,
                        writeRuntime(runtime).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    if (!options.json)
        std::cout << "runtime " << id << " written; to use it: --set nodes.<node>.runtime=" << options.out
                  << '\n';
}

/// Quantities of a design, fitted to measured metrics.
void runSystem(const CalibrateOptions& options) {
    SystemCalibrationOptions fitting;
    fitting.parameters = CLI::detail::split(options.fit, ',');
    if (options.fit.empty())
        throwInvalid("--fit", "there is no quantity of the design to fit",
                     "Name parameters, such as nodes.gpu.timing.decode.memory_efficiency");
    fitting.loss = options.fitting.loss;
    fitting.heldOutShare = options.fitting.heldOutShare;
    fitting.seed = options.fitting.seed;
    const auto design = scenarioFrom(options.design, options.settings);
    for (const auto& text : options.bounds)
        fitting.bounds.push_back(boundsOf(text, design));
    const auto table = readSystemRows(options.files);
    const auto calibration = calibrateSystem(design, catalog(), table, fitting);
    if (options.json) {
        printJson(systemJson(calibration, table));
    } else {
        std::vector<double> scales;
        for (const auto& parameter : calibration.fit.parameters)
            scales.push_back(resolveQuantity(design, parameter.name).spec.scale);
        auto errors = errorTable();
        addFitErrors(errors, "metrics", calibration);
        errors.print(std::cout);
        std::cout << '\n';
        printFitted(calibration.fit, scales);
        warnOfWorse(calibration);
    }
    if (!options.out.empty())
        writeFileAtomically(
            options.out,
            writeScenario(calibration.scenario).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

/// A device's own power constants, or shares of its class, fitted to watts or kernels.
void runDevice(const CalibrateOptions& options) {
    if (options.files.size() != 1 || !options.bounds.empty())
        throwInvalid("calibrate", "a device is fitted to one file", "Name one CSV, without --bounds");
    auto fitting = options.fitting;
    if (!options.fit.empty())
        fitting.constants = CLI::detail::split(options.fit, ',');
    const auto device = options.device.ends_with(".json")
                            ? readDevice(readJsonFile(options.device), options.device)
                            : catalog().device(options.device, "--device");
    const auto& file = options.files.front();
    const auto calibration = calibrateDevice(device, readFile(file), file, fitting);
    if (options.json) {
        printJson(deviceJson(calibration));
    } else {
        auto errors = errorTable();
        for (const auto& of : calibration.fits)
            addFitErrors(errors, of.title, of);
        errors.print(std::cout);
        for (const auto& of : calibration.fits) {
            std::cout << '\n' << of.title << '\n';
            printFitted(of.fit);
            warnOfWorse(of);
        }
        if (calibration.passed > 0)
            std::cout << "\npassed over: " << calibration.passed << " rows of other operations\n";
        std::cout << '\n';
        TextTable own({"the device", "before", "now"});
        for (const auto& field : deviceFields())
            if (const auto& now = calibration.device.*field.member; !(now == device.*field.member))
                own.add({std::string(field.spec.key),
                         (device.*field.member).isSet()
                             ? shortText((device.*field.member).value / field.spec.scale, 4)
                             : "-",
                         now.isSet() ? shortText(now.value / field.spec.scale, 4) : "-"});
        own.print(std::cout);
    }
    if (!options.out.empty())
        writeFileAtomically(
            options.out,
            writeDevice(calibration.device).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

void runCalibrate(CalibrateOptions& options) {
    if (options.list) {
        if (options.json)
            printJson(constantsJson());
        else
            printConstants();
        return;
    }
    if (options.files.empty())
        throwInvalid(
            "calibrate", "there is no file of measurements",
            "Name a CSV in the columns of presets/measured/kernels.csv, experts.csv or attention.csv");
    auto& fitting = options.fitting;
    fitting.loss.loss = static_cast<Loss>(indexOfName(options.loss, lossNames(), "--loss"));
    if (!options.device.empty() && !options.design.empty())
        throwInvalid("calibrate", "a device and a design are not fitted at once", "Leave one of them out");
    if (!options.design.empty())
        return runSystem(options);
    if (!options.device.empty())
        return runDevice(options);
    if (!options.fit.empty())
        fitting.constants = CLI::detail::split(options.fit, ',');
    for (const auto& text : options.bounds)
        fitting.bounds.push_back(boundsOf(text));
    checkConstants(fitting.constants, fitting.bounds);
    std::vector<MeasuredTable> tables;
    for (const auto& file : options.files)
        tables.push_back(readMeasured(file));
    const auto calibration = calibrateKernels(loadKernelCatalog(catalog().folder), tables, fitting);
    if (options.json)
        printJson(calibrationJson(calibration, tables));
    else
        printCalibration(calibration, tables);
    if (!options.out.empty())
        writeCalibrated(calibration, options);
}

} // namespace

void addCalibrate(CLI::App& app) {
    auto options = std::make_shared<CalibrateOptions>();
    auto* command = app.add_subcommand("calibrate", "Fit constants of kernel models to measured kernels");
    command
        ->add_option("measured", options->files,
                     "CSV in the columns of presets/measured/kernels.csv, experts.csv or attention.csv; with "
                     "--design of metrics, or runs of vLLM's or SGLang's serving benchmark (JSON)")
        ->type_name("FILE");
    command->add_flag("--list", options->list, "List the constants that can be fitted, and leave");
    command->add_option("--fit", options->fit,
                        "Constants, by commas: e_c, gemm.e_c, all (default: the usual ones of --list)");
    command
        ->add_option("--bounds", options->bounds,
                     "Bounds of a constant, or of a quantity of the design, which begins in their "
                     "middle where it is not set: gemm.e_c=0.5:1; may be repeated")
        ->type_name("NAME=LOW:HIGH");
    command->add_option("--loss", options->loss,
                        "Loss of log(model / measured): " + joined(lossNames()) + " (default: soft_l1)");
    command->add_option("--loss-scale", options->fitting.loss.scale,
                        "Residual where an outlier begins (default: 0.1)");
    command->add_option("--held-out", options->fitting.heldOutShare,
                        "Share of rows that nothing is fitted on, 0 to 0.9 (default: 0.25)");
    command->add_option("--seed", options->fitting.seed, "Which rows are held out (default: 1)");
    command->add_option("--starts", options->fitting.starts,
                        "Points from which a fit starts; the best is taken (default: 3)");
    command->add_option(
        "--design", options->design,
        "Fit quantities of this design instead, to a CSV of metrics (ttft_s, tpot_s, ...) with "
        "columns of the parameters that rows set; --fit names their paths");
    command->add_option(
        "--device", options->device,
        "Fit this device instead (one of the catalogue, or a file): its power constants to watts "
        "(columns watts, kernel_share, tb_s, tflops16, ...), or its shares of the rule of its "
        "class to kernels (measured_us)");
    command->add_option("--set", options->settings, "Set a parameter of that design")
        ->type_name("PATH=VALUE");
    command
        ->add_option("--out", options->out,
                     "Write a runtime that carries the constants, or the fitted design or device")
        ->type_name("FILE");
    command->add_option("--runtime", options->runtime,
                        "Runtime that it starts from (default: that of the rows' framework)");
    command->add_option("--id", options->id, "Its id (default: that runtime's with -calibrated)");
    command->add_flag("--json", options->json, "One JSON document, with correlations and the constants");
    command->callback([options] { runCalibrate(*options); });
}

} // namespace heteroscape::cli
