// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/targets.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/calibration/calibrate_system.h"
#include "engine/catalog/hugging_face.h"
#include "engine/claims/claims.h"
#include "engine/claims/expression.h"
#include "engine/evaluation/evaluate.h"
#include "engine/scenario/clip.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/scenario_json.h"
#include "engine/study_run/run_study.h"
#include "engine/validation/validation.h"
#include "tests/places.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

namespace heteroscape::engine::fuzz {

namespace {

/// An evaluation of a design beyond these would be most of the time that a run takes.
constexpr std::size_t kMostNodes = 64;
constexpr std::size_t kMostLinks = 128;
constexpr std::size_t kMostEdits = 32;
constexpr std::size_t kMostPoints = 64;
constexpr std::size_t kMostFitted = 12;

const Catalog& catalog() {
    static const Catalog shipped = loadCatalog(heteroscape::places::kPresetsFolder);
    return shipped;
}

const Scenario& firstDesign() {
    static const Scenario design = loadPreset(catalog(), "glitches/a100-7u280", "design");
    return design;
}

void demand(bool holds, const char* what) {
    if (holds)
        return;
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
}

std::vector<std::string> linesOf(std::string_view bytes) {
    std::vector<std::string> lines;
    std::istringstream in{std::string(bytes)};
    for (std::string line; lines.size() < kMostEdits && std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

void evaluateSmall(const Scenario& scenario) {
    if (scenario.nodes.size() <= kMostNodes && scenario.links.size() <= kMostLinks)
        evaluate(scenario);
}

void readDesign(std::string_view bytes) {
    try {
        const auto scenario = readScenario(parseJson(bytes, "d"), catalog(), "d");
        const auto text = scenarioText(scenario);
        demand(readScenario(parseJson(text, "again"), Catalog{}, "again") == scenario,
               "a design is what was saved");
        evaluateSmall(scenario);
    } catch (const Error&) {
    }
}

void editDesign(std::string_view bytes) {
    auto scenario = firstDesign();
    std::vector<GraphEdit> inverses;
    for (const auto& line : linesOf(bytes)) {
        const auto equals = line.find('=');
        const auto path = line.substr(0, equals);
        if (path == "system" || path == "serving.trace") // these open files
            continue;
        try {
            const auto text = equals == std::string::npos ? std::string() : line.substr(equals + 1);
            inverses.push_back(applyEdit(scenario, setEdit(scenario, catalog(), path, text)));
        } catch (const Error&) {
        }
    }
    evaluateSmall(scenario);
    for (auto inverse = inverses.rbegin(); inverse != inverses.rend(); ++inverse)
        applyEdit(scenario, *inverse);
    demand(scenario == firstDesign(), "edits are taken back exactly");
}

void readConfig(std::string_view bytes) {
    try {
        const auto model = readModelText(std::string(bytes), "config.json");
        demand(readModel(parseJson(writeModel(model).dump(), "again"), "again") == model,
               "a model is what was saved");
    } catch (const Error&) {
    }
}

void readTrace(std::string_view bytes) {
    try {
        std::istringstream in{std::string(bytes)};
        const auto trace = parseRequestTrace(in, "t");
        std::istringstream again(traceText(trace));
        demand(parseRequestTrace(again, "again").requests == trace.requests, "a trace is what was saved");
    } catch (const Error&) {
    }
}

/// Lines of axes, as `sweep --axis` takes them.
void makeStudy(std::string_view bytes) {
    Study study{"fuzzed", firstDesign(), {}};
    try {
        for (const auto& line : linesOf(bytes))
            study.axes.push_back(parseAxis(study.base, catalog(), line));
        checkStudy(study);
        const auto points = study.pointCount();
        PointSetter setter(study);
        for (std::size_t i = 0; i < std::min(points, kMostPoints); ++i)
            setter.at(i * (points / std::min(points, kMostPoints)));
    } catch (const Error&) {
    }
}

void evaluateExpression(std::string_view bytes) {
    try {
        ExpressionEvaluator(catalog()).value(parseJson(bytes, "e"), "e");
    } catch (const Error&) {
    }
}

void pasteClip(std::string_view bytes) {
    try {
        auto scenario = firstDesign();
        std::vector<NodeId> pasted;
        applyEdit(scenario, pasteEdit(scenario, std::string(bytes), {24, 24}, pasted));
        demand(readScenario(parseJson(scenarioText(scenario), "again"), Catalog{}, "again") == scenario,
               "a design with a clip in it is what was saved");
    } catch (const Error&) {
    }
}

void readMeasuredKernels(std::string_view bytes) {
    static const KernelCatalog kernels = loadKernelCatalog(heteroscape::places::kPresetsFolder);
    try {
        std::istringstream in{std::string(bytes)};
        const std::vector<MeasuredTable> tables{parseMeasured(in, "m")};
        const auto rows = validateKernels(kernels, tables);
        demand(rows.size() == tables[0].rows.size(), "every row is told of");
        for (const auto& row : rows)
            demand(!row.answered() || row.predictedUs > 0.0, "what is answered takes time");
        groupErrors(rows, std::vector<std::string>{"op", "device"});
    } catch (const Error&) {
    }
}

void openStore(std::string_view bytes) {
    static const std::string folder = [] {
        auto name = (std::filesystem::temp_directory_path() / "heteroscape-fuzz-XXXXXX").string();
        demand(::mkdtemp(name.data()) != nullptr, "a folder can be made");
        return name;
    }();
    const auto path = folder + "/s.sqlite";
    for (const auto* ending : {"", "-wal", "-shm", "-journal"})
        std::filesystem::remove(path + ending);
    writeFileAtomically(path, bytes);
    try {
        Store store(path);
        std::vector<std::string> leftAside;
        for (const auto& study : store.studies(&leftAside))
            try {
                store.read(study.id);
                store.storedOrdinals(study);
                store.definition(study.id, catalog());
            } catch (const Error&) {
            }
    } catch (const Error&) {
    }
}

/// A table of whole systems, and fits to the first of its rows.
void readSystems(std::string_view bytes) {
    std::istringstream in{std::string(bytes)};
    try {
        auto table = parseSystemRows(in, "served.csv");
        demand(!table.rows.empty(), "a table has rows");
        if (std::find(table.paths.begin(), table.paths.end(), "serving.trace") != table.paths.end())
            return; // names a file of this machine
        table.rows.resize(std::min(table.rows.size(), kMostFitted));
        SystemCalibrationOptions options;
        options.parameters = {"nodes.gpu.timing.prefill.compute_efficiency"};
        for (const auto& parameter : calibrateSystem(firstDesign(), catalog(), table, options).fit.parameters)
            demand(std::isfinite(parameter.value) && parameter.value > 0.0, "a fitted value is a number");
    } catch (const Error&) {
    }
}

constexpr Target kTargets[] = {
    {"design", "a .hscape file: read, saved, evaluated", readDesign},
    {"edits", "lines of path=value on a design, and all of them taken back", editDesign},
    {"config", "a Hugging Face config.json, or a model of the catalogue", readConfig},
    {"trace", "a CSV of requests", readTrace},
    {"study", "lines of axes, and their points", makeStudy},
    {"expression", "an expression of a paper's claims", evaluateExpression},
    {"clip", "copied nodes, pasted", pasteClip},
    {"store", "a file of studies", openStore},
    {"measured", "a CSV of measured kernels, held against the models", readMeasuredKernels},
    {"served", "a CSV of whole systems, and a fit to it", readSystems},
};

} // namespace

std::span<const Target> targets() {
    return kTargets;
}

const Target& target(std::string_view name) {
    for (const auto& one : kTargets)
        if (one.name == name)
            return one;
    throw std::out_of_range("no target \"" + std::string(name) + "\"");
}

} // namespace heteroscape::engine::fuzz
