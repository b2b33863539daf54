// SPDX-License-Identifier: GPL-3.0-or-later
// Papers, designs beside each other, measurements, and constants fitted to them.
#include "app/python/bindings.h"

#include "app/documents/calibration_document.h"
#include "app/documents/comparison_document.h"
#include "app/documents/validation_document.h"
#include "app/python/convert.h"
#include "app/python/work.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/catalog/named.h"
#include "engine/exporters/study_csv.h"
#include "engine/timing/kernels/kernel_catalog.h"

#include <nlohmann/json.hpp>
#include <pybind11/stl.h>

#include <optional>
#include <utility>

namespace heteroscape::python {

namespace py = pybind11;
using namespace heteroscape::engine;

namespace {

py::object comparePaper(const std::string& id) {
    const auto& parts = catalog();
    const auto paper = loadPaper(parts, id);
    return toPython(interruptible(
        [&](const std::stop_token& stop) { return cli::comparisonJson(compare(parts, paper, stop)); }));
}

py::object compareAll(const std::vector<Design>& designs) {
    const auto& parts = catalog();
    std::vector<Scenario> scenarios;
    for (const auto& design : designs) {
        requireRunnable(design);
        scenarios.push_back(*design);
    }
    return toPython(interruptible([&](const std::stop_token&) {
        return cli::designsJson(scenarios, compareDesigns(scenarios, parts));
    }));
}

/// (document, the sorts of rows that it has, in its order).
py::tuple validateFiles(const std::vector<std::string>& names, const std::vector<std::string>& keys) {
    const auto& parts = catalog();
    const auto files = cli::measuredFiles(parts, names, keys);
    std::vector<std::string> sorts;
    for (const auto& [sort, some] :
         {std::pair("kernels", &files.kernels), std::pair("serving", &files.servers),
          std::pair("metrics", &files.metrics)})
        if (!some->empty())
            sorts.emplace_back(sort);
    return py::make_tuple(toPython(interruptible([&](const std::stop_token& stop) {
                              return cli::validationJson(parts, files, keys, stop);
                          })),
                          sorts);
}

/// What all fits are asked.
struct FitWishes {
    std::vector<std::string> constants;
    std::vector<std::string> bounds; ///< "name=low:high"
    std::string loss;                ///< empty: the usual one
    std::optional<double> lossScale, heldOut;
    std::optional<std::uint64_t> seed;
    std::optional<int> starts;

    /// What fits of kernels, devices and designs have in common.
    template <class Options>
    void put(Options& options, const std::stop_token& stop) const {
        if (!loss.empty())
            options.loss.loss = static_cast<Loss>(indexOfName(loss, lossNames(), "loss"));
        options.loss.scale = lossScale.value_or(options.loss.scale);
        options.heldOutShare = heldOut.value_or(options.heldOutShare);
        options.seed = seed.value_or(options.seed);
        options.stop = stop;
    }
    CalibrationOptions options(const std::stop_token& stop) const {
        CalibrationOptions options;
        put(options, stop);
        options.constants = constants;
        for (const auto& text : bounds)
            options.bounds.push_back(cli::boundsOf(text));
        options.starts = starts.value_or(options.starts);
        return options;
    }
};

/// (document, the text of a runtime that carries the constants).
py::tuple calibrateFiles(const std::vector<std::string>& files, const FitWishes& wishes,
                         const std::string& runtime, const std::string& id) {
    const auto& parts = catalog();
    const auto [document, carrier] = interruptible([&](const std::stop_token& stop) {
        const auto options = wishes.options(stop);
        checkConstants(options.constants, options.bounds);
        std::vector<MeasuredTable> tables;
        for (const auto& file : files)
            tables.push_back(readMeasured(file));
        const auto calibration = calibrateKernels(loadKernelCatalog(parts.folder), tables, options);
        const auto base = runtime.empty() ? measuredRuntime(calibration) : runtime;
        return std::pair(cli::calibrationJson(calibration, tables),
                         writeRuntime(calibratedRuntime(parts.runtime(base, "runtime").base, calibration,
                                                        id.empty() ? base + "-calibrated" : id)));
    });
    return py::make_tuple(toPython(document), toPython(carrier));
}

/// (document, the fitted design).
py::tuple calibrateDesign(const Design& design, const std::vector<std::string>& files,
                          const FitWishes& wishes) {
    const auto& parts = catalog();
    auto [document, fitted] = interruptible([&, scenario = design.scenario](const std::stop_token& stop) {
        SystemCalibrationOptions options;
        wishes.put(options, stop);
        options.parameters = wishes.constants;
        for (const auto& text : wishes.bounds)
            options.bounds.push_back(cli::boundsOf(text, *scenario));
        const auto table = readSystemRows(files);
        const auto calibration = calibrateSystem(*scenario, parts, table, options);
        return std::pair(cli::systemJson(calibration, table), calibration.scenario);
    });
    return py::make_tuple(toPython(document), Design{std::make_shared<const Scenario>(std::move(fitted))});
}

/// `device`: the JSON of one, or the id of one of the catalogue.
py::object calibrateOne(const std::string& device, const std::string& file, const FitWishes& wishes) {
    const auto& parts = catalog();
    return toPython(interruptible([&](const std::stop_token& stop) {
        const auto base = device.starts_with('{') ? readDevice(parseJson(device, "device"), "device")
                                                  : parts.device(device, "device");
        return cli::deviceJson(calibrateDevice(base, readFile(file), file, wishes.options(stop)));
    }));
}

} // namespace

void bindMeasurements(py::module_& module) {
    module.def("compare_paper", &comparePaper, py::arg("paper"));
    module.def("compare_designs", &compareAll, py::arg("designs"));
    module.def("validate", &validateFiles, py::arg("files"), py::arg("by"));
    module.def("constants", [] { return toPython(cli::constantsJson()); });
    py::class_<FitWishes>(module, "FitWishes")
        .def(py::init([](std::vector<std::string> constants, std::vector<std::string> bounds,
                         std::string loss, std::optional<double> lossScale, std::optional<double> heldOut,
                         std::optional<std::uint64_t> seed, std::optional<int> starts) {
                 return FitWishes{std::move(constants),
                                  std::move(bounds),
                                  std::move(loss),
                                  lossScale,
                                  heldOut,
                                  seed,
                                  starts};
             }),
             py::arg("constants"), py::arg("bounds"), py::arg("loss"), py::arg("loss_scale"),
             py::arg("held_out"), py::arg("seed"), py::arg("starts"));
    module.def("calibrate_kernels", &calibrateFiles, py::arg("files"), py::arg("wishes"), py::arg("runtime"),
               py::arg("id"));
    module.def("calibrate_design", &calibrateDesign, py::arg("design"), py::arg("files"), py::arg("wishes"));
    module.def("calibrate_device", &calibrateOne, py::arg("device"), py::arg("file"), py::arg("wishes"));
}

} // namespace heteroscape::python
