// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps, searches, frontiers and what to buy.
#include "app/python/bindings.h"

#include "app/documents/frontier_document.h"
#include "app/documents/recommend_document.h"
#include "app/python/convert.h"
#include "app/python/work.h"
#include "app/study_input.h"
#include "app/study_text.h"
#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/claims/figure_study.h"
#include "engine/search/search_method.h"
#include "engine/search/search_result.h"
#include "engine/store/chunks.h"
#include "engine/study/truths.h"
#include "engine/study_run/evaluate_study.h"
#include "engine/study_run/run_study.h"
#include "engine/timing/kernels/kernel_catalog.h"

#include <nlohmann/json.hpp>
#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <map>
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

/// Columns that are shown, in the order of tables, and the bound, as one array; units and labels by column.
py::dict sweptDict(const Swept& swept, const std::vector<std::string>& metrics) {
    const auto& table = swept.table;
    std::vector<TableColumn> columns;
    py::dict units, labels;
    for (const auto* column : cli::shownColumns(table, metrics)) {
        if (column->values.empty() && metrics.empty())
            continue;
        columns.push_back({column->name, column->values,
                           column->isChoice()                ? TableColumn::Of::Texts
                           : column->name == kFeasibleColumn ? TableColumn::Of::Switches
                                                             : TableColumn::Of::Numbers,
                           column->names});
        labels[py::str(column->name)] = column->label;
        if (!column->unit.empty())
            units[py::str(column->name)] = column->unit;
    }
    const std::vector<double> bounds(table.bounds.begin(), table.bounds.end());
    columns.push_back({"bound", bounds, TableColumn::Of::Texts, table.boundNames});
    py::dict all;
    all["table"] = toTable(columns, table.rows());
    all["units"] = units;
    all["labels"] = labels;
    all["study"] = table.info.name;
    all["computed"] = swept.computed;
    all["reused"] = swept.reused;
    all["seconds"] = swept.seconds;
    return all;
}

Swept runInMemory(const Study& study, const std::vector<std::string>& metrics, int jobs,
                  const std::stop_token& stop) {
    const auto start = std::chrono::steady_clock::now();
    Swept swept;
    swept.table = evaluateStudy(study, stop, metrics, jobs);
    swept.computed = swept.table.rows();
    swept.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return swept;
}

Swept runInStore(const Study& study, const std::vector<std::string>& metrics, const std::string& path,
                 int jobs, const std::stop_token& stop) {
    Store store(path);
    RunOptions options;
    options.jobs = jobs;
    options.stop = stop;
    const auto run = runStudy(study, store, options);
    if (run.cancelled)
        throw Error(ErrorCode::Cancelled, path, "cancelled");
    return {store.read(run.study.id, metrics), run.computed, run.reused, run.seconds};
}

py::dict swept(Study study, const std::vector<std::string>& metrics, const std::optional<std::string>& store,
               const std::string& name, int jobs) {
    if (!name.empty())
        study.name = name;
    checkStudy(study);
    cli::takeMetrics(metrics, study);
    std::vector<std::string> ofSystem;
    for (const auto& metric : metrics)
        if (findMetric(metric))
            ofSystem.push_back(metric);
    return sweptDict(interruptible([&](const std::stop_token& stop) {
                         auto swept = store ? runInStore(study, metrics, *store, jobs, stop)
                                            : runInMemory(study, ofSystem, jobs, stop);
                         addTruths(swept.table, study);
                         return swept;
                     }),
                     metrics);
}

py::dict sweep(const Design& design, const std::vector<std::string>& axes, const std::string& points,
               const std::vector<std::string>& metrics, const std::optional<std::string>& store,
               const std::string& name, int jobs) {
    requireRunnable(design);
    return swept(cli::studyOf(Shared<Scenario>(design.scenario), catalog(), axes, points), metrics, store,
                 name, jobs);
}

/// A figure of a paper, with its own axes or points.
py::dict sweepFigure(const std::string& id, const std::vector<std::string>& metrics,
                     const std::optional<std::string>& store, const std::string& name, int jobs) {
    return swept(loadStudy(catalog(), id, "study").study, metrics, store, name, jobs);
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
        const auto tally = method.run(problem, options);
        return stop.stop_requested() ? Json() : searchJson(problem, tally);
    }));
}

py::object frontier(const std::string& id, const std::vector<std::pair<std::string, Design>>& systems,
                    const cli::FrontierWishes& wishes, bool all, bool measured, int jobs) {
    const auto& parts = catalog();
    auto definition = findFrontier(parts, id);
    cli::putWishes(definition, wishes);
    for (const auto& [name, design] : systems) {
        requireRunnable(design);
        cli::addSystem(definition, name, *design, name);
    }
    return toPython(interruptible([&](const std::stop_token& stop) {
        const auto computed = cli::computeFrontier(std::move(definition), parts, jobs, measured, stop);
        if (stop.stop_requested())
            throw Error(ErrorCode::Cancelled, id, "cancelled");
        return cli::frontierJson(computed, all, measured);
    }));
}

/// What a question may be given beside its numbers.
struct RecommendWishes {
    bool rented, byToken, meanTpot;
    std::vector<std::string> vendors, ready, software, formats;
};

/// The document, the designs of its lists in their order, and that of the robust best or None. `numbers`: as
/// texts by the keys of recommendNumbers().
py::tuple recommended(const std::string& model, const std::map<std::string, std::string>& numbers,
                      RecommendWishes wishes, int jobs) {
    RecommendQuestion question;
    question.model = model;
    question.rented = wishes.rented;
    question.byToken = wishes.byToken;
    question.meanTpot = wishes.meanTpot;
    question.vendors = std::move(wishes.vendors);
    question.ready = std::move(wishes.ready);
    question.software = std::move(wishes.software);
    question.formats = std::move(wishes.formats);
    for (const auto& number : recommendNumbers())
        if (const auto given = numbers.find(std::string(number.spec.key)); given != numbers.end())
            number.set(question, typedValue(number.spec, given->second, given->first) * number.spec.scale);
    const auto& parts = catalog();
    const auto found = interruptible([&](const std::stop_token& stop) {
        return recommend(question, GpuServers(parts, shippedKernels()), jobs > 0 ? jobs : coreCount(), stop);
    });
    const auto designOf = [](const RecommendedSystem& system) {
        return Design{std::make_shared<const Scenario>(system.design)};
    };
    std::vector<std::vector<Design>> designs;
    for (const auto& list : found.lists) {
        auto& row = designs.emplace_back();
        for (const auto& system : list.systems)
            row.push_back(designOf(system));
    }
    std::optional<Design> robust;
    if (found.robust.system)
        robust = designOf(*found.robust.system);
    return py::make_tuple(toPython(cli::recommendJson(found)), designs, robust);
}

} // namespace

void bindStudies(py::module_& module) {
    module.def("sweep", &sweep, py::arg("design"), py::arg("axes"), py::arg("points"), py::arg("metrics"),
               py::arg("store"), py::arg("name"), py::arg("jobs"));
    module.def(
        "find",
        [](const Design& design, std::vector<std::string> axes, std::vector<std::string> most,
           std::vector<std::string> least, std::vector<std::string> limits, std::size_t best,
           const std::string& method, std::uint64_t evaluations, std::uint32_t seed, int jobs) {
            return find(design, {std::move(axes), std::move(most), std::move(least), std::move(limits), best},
                        method, evaluations, seed, jobs);
        },
        py::arg("design"), py::arg("axes"), py::arg("maximize"), py::arg("minimize"), py::arg("limits"),
        py::arg("best"), py::arg("method"), py::arg("evaluations"), py::arg("seed"), py::arg("jobs"));
    module.def("sweep_figure", &sweepFigure, py::arg("id"), py::arg("metrics"), py::arg("store"),
               py::arg("name"), py::arg("jobs"));
    module.def(
        "figures", [] { return listStudies(catalog()); }, "Ids of the papers' figures.");
    module.def("frontier_units", &cli::frontierUnits, "Units of the columns of a frontier that have one.");
    module.def(
        "frontiers", [] { return shippedFrontiers(catalog().folder); }, "Ids of the shipped frontiers.");
    module.def(
        "frontier",
        [](const std::string& id, const std::vector<std::pair<std::string, Design>>& systems, std::string per,
           std::string against, std::string load, double ttft, double tpot, double price,
           std::vector<double> users, bool all, bool measured, int jobs) {
            return frontier(
                id, systems,
                {std::move(per), std::move(against), std::move(load), ttft, tpot, price, std::move(users)},
                all, measured, jobs);
        },
        py::arg("id"), py::arg("systems"), py::arg("per"), py::arg("against"), py::arg("load"),
        py::arg("ttft"), py::arg("tpot"), py::arg("price"), py::arg("users"), py::arg("all"),
        py::arg("measured"), py::arg("jobs"));
    module.def(
        "recommend",
        [](const std::string& model, const std::map<std::string, std::string>& numbers, bool rented,
           bool byToken, bool meanTpot, std::vector<std::string> vendors, std::vector<std::string> ready,
           std::vector<std::string> software, std::vector<std::string> formats, int jobs) {
            return recommended(model, numbers,
                               {rented, byToken, meanTpot, std::move(vendors), std::move(ready),
                                std::move(software), std::move(formats)},
                               jobs);
        },
        py::arg("model"), py::arg("numbers"), py::arg("rented"), py::arg("per_token"), py::arg("mean_tpot"),
        py::arg("vendors"), py::arg("ready"), py::arg("software"), py::arg("formats"), py::arg("jobs"));
}

} // namespace heteroscape::python
