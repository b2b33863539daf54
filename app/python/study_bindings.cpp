// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps and searches.
#include "app/python/bindings.h"

#include "app/python/convert.h"
#include "app/python/work.h"
#include "app/study_input.h"
#include "engine/base/error.h"
#include "engine/claims/figure_study.h"
#include "engine/search/search_method.h"
#include "engine/search/search_result.h"
#include "engine/study/truths.h"
#include "engine/study_run/evaluate_study.h"
#include "engine/study_run/run_study.h"

#include <nlohmann/json.hpp>
#include <pybind11/stl.h>

#include <optional>
#include <utility>

namespace heteroscape::python {

namespace py = pybind11;
using namespace heteroscape::engine;

namespace {

struct Swept {
    StudyTable table;
    std::size_t computed = 0, reused = 0;
    double seconds = 0.0;
};

/// Columns with a value at some point, in the order of tables: (name, label, unit, numbers, names of choices).
py::dict sweptDict(Swept swept) {
    auto& table = swept.table;
    py::list columns;
    for (auto& column : table.columns)
        if (!column.values.empty())
            columns.append(py::make_tuple(column.name, column.label, column.unit,
                                          toArray(std::move(column.values)), column.names));
    std::vector<double> bounds(table.bounds.begin(), table.bounds.end());
    py::dict all;
    all["study"] = table.info.name;
    all["columns"] = columns;
    all["bounds"] = toArray(std::move(bounds));
    all["bound_names"] = table.boundNames;
    all["computed"] = swept.computed;
    all["reused"] = swept.reused;
    all["seconds"] = swept.seconds;
    return all;
}

Swept runInMemory(const Study& study, const std::vector<std::string>& metrics, const std::stop_token& stop) {
    const auto start = std::chrono::steady_clock::now();
    Swept swept;
    swept.table = evaluateStudy(study, stop, metrics);
    swept.computed = swept.table.rows();
    swept.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return swept;
}

Swept runInStore(const Study& study, const std::vector<std::string>& metrics, const std::string& path,
                 const std::stop_token& stop) {
    Store store(path);
    RunOptions options;
    options.stop = stop;
    const auto run = runStudy(study, store, options);
    if (run.cancelled)
        throw Error(ErrorCode::Cancelled, path, "cancelled");
    return {store.read(run.study.id, metrics), run.computed, run.reused, run.seconds};
}

py::dict sweep(const Design& design, const std::vector<std::string>& axes, const std::string& points,
               const std::vector<std::string>& metrics, const std::optional<std::string>& store,
               const std::string& name) {
    requireRunnable(design);
    auto study = cli::studyOf(Shared<Scenario>(design.scenario), catalog(), axes, points);
    if (!name.empty())
        study.name = name;
    checkStudy(study);
    cli::takeMetrics(metrics, study);
    std::vector<std::string> ofSystem;
    for (const auto& metric : metrics)
        if (findMetric(metric))
            ofSystem.push_back(metric);
    return sweptDict(interruptible([&](const std::stop_token& stop) {
        auto swept =
            store ? runInStore(study, metrics, *store, stop) : runInMemory(study, ofSystem, stop);
        addTruths(swept.table, study);
        return swept;
    }));
}

py::object find(const Design& design, cli::SearchWishes wishes, const std::string& methodId,
                std::uint64_t evaluations, std::uint32_t seed, int jobs) {
    const auto& method = searchMethods().at(methodId, "method");
    requireRunnable(design);
    const auto problem = cli::searchProblemOf(Shared<Scenario>(design.scenario), catalog(), wishes);
    return toPython(interruptible([&](const std::stop_token& stop) {
        SearchOptions options;
        options.stop = stop;
        options.evaluations = evaluations;
        options.seed = seed;
        options.jobs = jobs;
        return searchJson(problem, method.run(problem, options));
    }));
}

/// A figure of a paper: its base, and its axes as text.
py::tuple figure(const std::string& id) {
    const auto study = loadStudy(catalog(), id, "study").study;
    py::list axes;
    for (const auto& axis : study.axes) {
        py::list values;
        for (std::size_t i = 0; i < axis.values.size(); ++i)
            values.append(axis.text(i));
        axes.append(py::make_tuple(axis.path, values));
    }
    return py::make_tuple(Design{std::make_shared<const Scenario>(*study.base)}, study.name, axes,
                          study.isList);
}

} // namespace

void bindStudies(py::module_& module) {
    module.def("sweep", &sweep, py::arg("design"), py::arg("axes"), py::arg("points"), py::arg("metrics"),
               py::arg("store"), py::arg("name"));
    module.def(
        "find",
        [](const Design& design, std::vector<std::string> axes, std::vector<std::string> most,
           std::vector<std::string> least, std::vector<std::string> limits, std::size_t best,
           const std::string& method, std::uint64_t evaluations, std::uint32_t seed, int jobs) {
            return find(design,
                        {std::move(axes), std::move(most), std::move(least), std::move(limits), best}, method,
                        evaluations, seed, jobs);
        },
        py::arg("design"), py::arg("axes"), py::arg("maximize"), py::arg("minimize"), py::arg("limits"),
        py::arg("best"), py::arg("method"), py::arg("evaluations"), py::arg("seed"), py::arg("jobs"));
    module.def("figures", [] { return listStudies(catalog()); }, "Ids of the papers' figures.");
    module.def("figure", &figure, py::arg("id"));
}

} // namespace heteroscape::python
