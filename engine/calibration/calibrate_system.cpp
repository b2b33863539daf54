// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/calibration/calibrate_system.h"

#include "engine/base/csv_reader.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/calibration/fitted_constants.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/simulate.h"
#include "engine/evaluation/system_errors.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/parameters.h"
#include "engine/units/number_text.h"
#include "engine/units/units.h"
#include "engine/validation/benchmark_run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kMostSystemRows = 10000;
constexpr double kFarthestQuantity = 100.0;

double measuredCell(const CsvReader& csv, std::size_t column, const MetricSpec& spec) {
    const auto value = parseNumber(csv.cells()[column]);
    if (!value)
        csv.failAt(column, quotedPiece(csv.cells()[column]) + " is not a number", "Write it like 0.25");
    if (!(*value > 0.0 && std::isfinite(*value)))
        csv.failAt(column, quotedPiece(csv.cells()[column]) + " is not positive",
                   "Give what was measured, in " + std::string(spec.unit));
    return *value * spec.scale;
}

std::string placeOf(const SystemTable& table, const SystemTable::Row& row) {
    return table.files[row.file] + ":" + std::to_string(row.line);
}

/// The design as a row has it.
Scenario designOf(const Scenario& design, const Catalog& catalog, const SystemTable& table,
                  const SystemTable::Row& row) {
    auto scenario = design;
    for (std::size_t i = 0; i < table.paths.size(); ++i) {
        if (row.settings[i].empty())
            continue;
        try {
            applyEdit(scenario, setEdit(scenario, catalog, table.paths[i], row.settings[i]));
        } catch (const Error& error) {
            throw Error(error.code(), placeOf(table, row) + ": column " + table.paths[i], error.message(),
                        error.remedy());
        }
    }
    return scenario;
}

/// Designs of rows, their measurements, and the quantities that are moved.
class SystemModel {
public:
    SystemModel(const Scenario& design, const Catalog& catalog, const SystemTable& table,
                const SystemCalibrationOptions& options)
        : m_table(table), m_stop(options.stop) {
        for (const auto& row : table.rows)
            m_designs.push_back(designOf(design, catalog, table, row));
        for (const auto& path : options.parameters)
            addParameter(design, path, options.bounds);
        for (const auto& set : options.bounds)
            bound(set);
    }

    const std::vector<FitParameter>& parameters() const { return m_parameters; }

    /// What the model gives for every cell of a row. Throws Error where it cannot serve.
    std::vector<double> metricsOf(std::size_t row, std::span<const double> values) {
        auto& design = m_designs[row];
        for (std::size_t i = 0; i < values.size(); ++i)
            m_quantities[i].access(design).value = values[i];
        auto evaluation = evaluate(design);
        const auto& cells = m_table.rows[row].cells;
        if (std::any_of(cells.begin(), cells.end(),
                        [](const SystemTable::Cell& cell) { return isSimulated(cell.metric); }))
            simulateInto(design, evaluation, {.stop = m_stop});
        std::vector<double> metrics;
        for (const auto& cell : cells) {
            const double value = evaluation.metric(cell.metric);
            if (!evaluation.feasible || !(value > 0.0 && std::isfinite(value)))
                throwInvalid(placeOf(m_table, m_table.rows[row]),
                             evaluation.reason.empty()
                                 ? "the design has no " + std::string(metricSpec(cell.metric).key) + " there"
                                 : evaluation.reason,
                             "Leave the row out, or mend the design");
            metrics.push_back(value);
        }
        return metrics;
    }

private:
    const SystemTable& m_table;
    std::stop_token m_stop;
    std::vector<Scenario> m_designs;
    std::vector<ResolvedQuantity> m_quantities;
    std::vector<FitParameter> m_parameters;

    /// One that is not set starts in the middle of its bounds.
    void addParameter(const Scenario& design, const std::string& path,
                      const std::vector<ConstantBounds>& bounds) {
        if (std::find(m_table.paths.begin(), m_table.paths.end(), path) != m_table.paths.end())
            throwInvalid(path, "rows of " + m_table.files.front() + " set it", "Leave it out of one of them");
        auto resolved = resolveQuantity(design, path);
        double start = resolved.in(design).valueOr(0.0);
        const auto set = std::find_if(bounds.begin(), bounds.end(),
                                      [&](const ConstantBounds& one) { return one.name == path; });
        if (!(start > 0.0) && set != bounds.end() && set->minimum > 0.0)
            start = std::sqrt(set->minimum * set->maximum);
        if (!(start > 0.0))
            throwInvalid(path, "it is not a positive number in this design, so there is nowhere to start",
                         "Give its bounds (--bounds " + path + "=from:to), set it, or leave it out");
        const auto& spec = resolved.spec;
        m_parameters.push_back({path, start, std::max(start / kFarthestQuantity, spec.minimum * spec.scale),
                                std::min(start * kFarthestQuantity, spec.maximum * spec.scale)});
        m_quantities.push_back(std::move(resolved));
    }

    void bound(const ConstantBounds& set) {
        for (std::size_t i = 0; i < m_parameters.size(); ++i) {
            if (m_parameters[i].name != set.name)
                continue;
            const auto& spec = m_quantities[i].spec;
            if (!(set.minimum > 0.0 && set.maximum > set.minimum && std::isfinite(set.maximum)) ||
                set.minimum < spec.minimum * spec.scale || set.maximum > spec.maximum * spec.scale)
                throwInvalid("bounds of " + set.name,
                             exactText(set.minimum / spec.scale) + " to " +
                                 exactText(set.maximum / spec.scale) +
                                 " are not two positive numbers in order, within its range",
                             "Allowed: from " + exactText(spec.minimum) + " to " + exactText(spec.maximum));
            m_parameters[i].minimum = set.minimum;
            m_parameters[i].maximum = set.maximum;
            m_parameters[i].start = std::clamp(m_parameters[i].start, set.minimum, set.maximum);
            return;
        }
        throwInvalid("bounds of " + set.name, "it is not fitted", "Fit it, or leave its bounds out");
    }
};

std::vector<SystemPoint> pointsOf(SystemModel& model, const SystemTable& table,
                                  const std::vector<bool>& heldOut, std::span<const double> start) {
    std::vector<SystemPoint> points;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const auto metrics = model.metricsOf(i, start);
        for (std::size_t j = 0; j < metrics.size(); ++j) {
            const auto& cell = table.rows[i].cells[j];
            points.push_back({i, cell.metric, cell.measured, metrics[j], metrics[j], heldOut[i]});
        }
    }
    return points;
}

/// The fitted values in the design, each with what it was fitted on.
void putInDesign(SystemCalibration& calibration, const SystemTable& table) {
    const auto errors = calibration.errors(calibration.errors(true, true).rows > 0.0, true);
    KernelConstants words;
    for (const auto& file : table.files)
        words.calibratedOn +=
            (words.calibratedOn.empty() ? "" : " and ") + file.substr(file.find_last_of("/\\") + 1);
    words.calibratedOn = words.calibratedOn.substr(0, 200);
    words.rows = static_cast<double>(table.rows.size());
    words.errors = errors;
    for (const auto& parameter : calibration.fit.parameters) {
        if (parameter.standing == Standing::Undetermined)
            continue;
        auto& quantity = resolveQuantity(calibration.scenario, parameter.name).access(calibration.scenario);
        quantity.value = parameter.value;
        quantity.provenance = Provenance::Calibrated;
        quantity.source = words.text();
        const auto& name = parameter.name;
        for (const std::string own : {".device.class_", ".device.power_"}) {
            const auto at = name.find(own);
            if (at == std::string::npos)
                continue;
            std::vector<double> off;
            for (const auto& point : calibration.points)
                if (point.heldOut == errors.heldOut &&
                    (own == ".device.power_") == (systemQuantityOf(point.metric) == SystemQuantity::Energy))
                    off.push_back(std::log(point.after / point.measured));
            if (!off.empty())
                resolveQuantity(calibration.scenario, name.substr(0, at) + own + "band_pct")
                    .access(calibration.scenario) = {
                    bandWithin(std::move(off), errors.heldOut ? 0 : calibration.fit.parameters.size()),
                    Provenance::Calibrated, words.text()};
        }
    }
}

} // namespace

SystemTable parseSystemRows(std::istream& in, const std::string& name) {
    CsvReader csv(in, name);
    SystemTable table;
    table.files = {name};
    std::vector<const MetricSpec*> metrics;
    for (const auto& column : csv.header()) {
        metrics.push_back(findMetric(column));
        if (!metrics.back())
            table.paths.push_back(column);
    }
    if (table.paths.size() == metrics.size())
        csv.fail("no column is a metric that was measured",
                 "Name columns like ttft_s, tpot_s or throughput_tok_s; others are parameters of the design");
    csv.eachRow(kMostSystemRows, "Give one line for each system", [&] {
        SystemTable::Row row;
        row.line = csv.line();
        for (std::size_t i = 0; i < metrics.size(); ++i)
            if (!metrics[i])
                row.settings.push_back(csv.cells()[i]);
            else if (!csv.cells()[i].empty())
                row.cells.push_back({metrics[i]->metric, measuredCell(csv, i, *metrics[i])});
        if (row.cells.empty())
            csv.fail("nothing was measured in this row", "Fill a column of a metric, or leave the row out");
        table.rows.push_back(std::move(row));
    });
    return table;
}

namespace {

/// Of what a benchmark tells, what constants are fitted to: tails hang on chance.
constexpr std::array<std::pair<std::string_view, Metric>, 4> kFittedFigures{
    {{"mean_ttft_ms", Metric::FirstTokenMean},
     {"median_ttft_ms", Metric::FirstTokenP50},
     {"mean_tpot_ms", Metric::TokenMean},
     {"median_tpot_ms", Metric::TokenP50}}};

SystemTable::Row rowOf(const BenchmarkRun& run, std::size_t file, std::size_t line) {
    SystemTable::Row row{file, line, {}, {}};
    for (auto& setting : loadOf(run))
        row.settings.push_back(std::move(setting.text));
    for (const auto& told : run.told)
        for (const auto& [key, metric] : kFittedFigures)
            if (told.key == key)
                row.cells.push_back({metric, told.value * units::milli});
    return row;
}

} // namespace

SystemTable readSystemRows(const std::vector<std::string>& paths) {
    SystemTable table;
    table.files = paths;
    for (std::size_t file = 0; file < paths.size(); ++file) {
        const auto text = readFile(paths[file]);
        if (!trimmed(text).starts_with('{')) {
            if (paths.size() > 1)
                throwInvalid(paths[file], "it is no run of a benchmark",
                             "Name one CSV of measured metrics, or runs of benchmarks alone");
            std::istringstream csv(text);
            return parseSystemRows(csv, paths[file]);
        }
        const auto runs = readBenchmarkRuns(text, paths[file]);
        for (std::size_t i = 0; i < runs.size(); ++i) {
            if (table.paths.empty())
                for (const auto& setting : loadOf(runs[i]))
                    table.paths.emplace_back(setting.path);
            table.rows.push_back(rowOf(runs[i], file, i + 1));
            if (table.rows.back().cells.empty())
                throwInvalid(placeOf(table, table.rows.back()), "it tells neither TTFT nor TPOT",
                             "Leave the run out");
        }
    }
    if (table.rows.empty())
        throwInvalid("calibrate", "there is nothing measured",
                     "Name one CSV of measured metrics, or runs of a serving benchmark");
    return table;
}

KernelConstants::Errors SystemCalibration::errors(bool heldOut, bool after) const {
    std::vector<double> all;
    for (const auto& point : points)
        if (point.heldOut == heldOut)
            all.push_back(100.0 * std::abs((after ? point.after : point.before) / point.measured - 1.0));
    return errorSummary(std::move(all), heldOut);
}

SystemCalibration calibrateSystem(const Scenario& design, const Catalog& catalog, const SystemTable& table,
                                  const SystemCalibrationOptions& options) {
    checkHeldOutShare(options.heldOutShare);
    SystemModel model(design, catalog, table, options);
    const auto heldOut = heldOutRows(table.rows.size(), options.heldOutShare, options.seed);
    std::vector<double> start;
    for (const auto& parameter : model.parameters())
        start.push_back(parameter.start);
    SystemCalibration calibration;
    calibration.scenario = design;
    auto& points = calibration.points = pointsOf(model, table, heldOut, start);
    std::vector<std::size_t> fitted;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!points[i].heldOut)
            fitted.push_back(i);
    // Cells of a row stand beside each other: each row is evaluated once.
    const auto ratios = [&](std::span<const double> values, std::span<double> out) {
        std::vector<double> metrics;
        for (std::size_t i = 0, cell = 0; i < fitted.size(); ++i) {
            const auto& point = points[fitted[i]];
            cell = i > 0 && points[fitted[i - 1]].row == point.row ? cell + 1 : 0;
            try {
                if (cell == 0)
                    metrics = model.metricsOf(point.row, values);
                out[i] = std::log(metrics[cell] / point.measured);
            } catch (const Error&) {
                metrics.assign(table.rows[point.row].cells.size(), HUGE_VAL); // the fit goes elsewhere
                out[i] = HUGE_VAL;
            }
        }
    };
    FitOptions fitting;
    fitting.loss = options.loss;
    fitting.seed = options.seed;
    fitting.stop = options.stop;
    if (options.onStep)
        fitting.onStep = [&](std::span<const double> values, double cost) {
            auto now = points;
            for (std::size_t i = 0, cell = 0; i < fitted.size(); ++i) {
                auto& point = now[fitted[i]];
                cell = i > 0 && now[fitted[i - 1]].row == point.row ? cell + 1 : 0;
                point.after = model.metricsOf(point.row, values)[cell];
            }
            options.onStep(cost, now);
        };
    calibration.fit = fit(ratios, fitted.size(), model.parameters(), fitting);
    const auto values = calibration.fit.values();
    for (std::size_t i = 0, cell = 0; i < points.size(); ++i) {
        cell = i > 0 && points[i - 1].row == points[i].row ? cell + 1 : 0;
        points[i].after = model.metricsOf(points[i].row, values)[cell];
    }
    putInDesign(calibration, table);
    return calibration;
}

} // namespace heteroscape::engine
