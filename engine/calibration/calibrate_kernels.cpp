// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/calibration/calibrate_kernels.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/calibration/fitted_constants.h"
#include "engine/units/number_text.h"
#include "engine/validation/row_detail.h"
#include "engine/validation/validation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

std::string measuredRuntime(const Calibration& calibration) {
    std::string found;
    for (const auto& entry : calibration.entries) {
        if (!entry.fitted())
            continue;
        for (const auto& row : entry.rows) {
            ValidatedRow asked;
            asked.row = row.row;
            const auto framework = validationLabel(asked, "framework");
            if (std::find(kKernelFrameworks.begin(), kKernelFrameworks.end(), framework) ==
                    kKernelFrameworks.end() ||
                (!found.empty() && found != framework))
                return "best";
            found = framework;
        }
    }
    return found.empty() ? "best" : found;
}

Runtime calibratedRuntime(const Runtime& base, const Calibration& calibration, const std::string& id) {
    auto runtime = base;
    runtime.id = id;
    runtime.name = base.name + ", calibrated on " + calibration.constants.calibratedOn;
    runtime.about = "Constants of its kernels: " + calibration.constants.text() + ". " + base.about.str();
    runtime.ownKernels = OwnKernels(calibration.constants);
    return readRuntime(writeRuntime(runtime), "runtime " + id); // whatever a file could not hold is refused
}

namespace {

void checkOptions(const CalibrationOptions& options) {
    checkConstants(options.constants, options.bounds);
    checkHeldOutShare(options.heldOutShare);
    if (options.starts < 1 || options.starts > 1000)
        throwInvalid("starts", std::to_string(options.starts) + " is out of range",
                     "Allowed: from 1 to 1000");
}

/// Empty where the model has an answer.
std::string whyNot(const MeasuredRow& row, double predictedUs) {
    if (!std::isfinite(predictedUs) || predictedUs <= 0.0)
        return "the model has no finite time for such a shape";
    if (row.form() == MeasuredForm::Experts && row.number("odd", 0) != 0)
        return "it is marked odd";
    return {};
}

/// Rows by their entries; what has none is passed over.
std::vector<CalibratedEntry> entriesOf(const KernelCatalog& catalog, std::span<const MeasuredTable> tables,
                                       std::vector<PassedRow>& passed) {
    std::map<std::pair<std::string, std::vector<std::string>>, CalibratedEntry> entries;
    for (std::size_t i = 0; i < tables.size(); ++i)
        for (const auto& row : tables[i].rows) {
            try {
                const auto place = constantsPlace(catalog, row);
                const double us = predictRow(catalog, row).us;
                if (auto why = whyNot(row, us); !why.empty()) {
                    passed.push_back({i, &row, std::move(why)});
                    continue;
                }
                auto& entry = entries[{place.family, place.names}];
                entry.family = place.family;
                entry.names = place.names;
                entry.started = place.answers;
                entry.rows.push_back({i, &row, row.measuredUs(), us, us, false});
            } catch (const Error& error) {
                passed.push_back({i, &row, error.what()});
            }
        }
    std::vector<CalibratedEntry> sorted;
    for (auto& [key, entry] : entries)
        sorted.push_back(std::move(entry));
    return sorted;
}

void holdOut(CalibratedEntry& entry, std::size_t ordinal, const CalibrationOptions& options) {
    const auto heldOut = heldOutRows(entry.rows.size(), options.heldOutShare,
                                     options.seed + 0x9e3779b97f4a7c15ULL * (ordinal + 1));
    for (std::size_t i = 0; i < entry.rows.size(); ++i)
        entry.rows[i].heldOut = heldOut[i];
}

/// Moves constants of a catalogue of its own, and asks the models.
class EntryFit {
public:
    EntryFit(const KernelCatalog& shipped, CalibratedEntry& entry, std::size_t ordinal,
             const CalibrationOptions& options)
        : m_catalog(shipped), m_entry(entry), m_ordinal(ordinal), m_options(options) {
        makeEntry(m_catalog, entry.family, entry.names, entry.started);
        m_choice = chooseConstants(m_catalog, entry.family, entry.names, options.constants, options.bounds);
        entry.zeros = m_choice.zeros;
    }

    void run() {
        for (auto& row : m_entry.rows)
            if (!row.heldOut)
                m_rows.push_back(&row);
        if (m_choice.parameters.empty()) {
            m_entry.why = "none of the constants that were named is one of " + m_entry.family;
            return;
        }
        FitOptions options;
        options.loss = m_options.loss;
        options.starts = m_options.starts;
        options.seed = m_options.seed;
        options.stop = m_options.stop;
        if (m_options.onStep)
            options.onStep = [this](std::span<const double> values, double cost) {
                predict(values);
                m_options.onStep({m_ordinal, cost, m_entry.rows});
            };
        const Residuals residuals = [this](std::span<const double> values, std::span<double> out) {
            set(values);
            for (std::size_t i = 0; i < m_rows.size(); ++i)
                out[i] = std::log(predictRow(m_catalog, *m_rows[i]->row).us / m_rows[i]->measuredUs);
        };
        m_entry.fit = fit(residuals, m_rows.size(), m_choice.parameters, options);
        const auto& parameters = m_entry.fit.parameters;
        if (std::all_of(parameters.begin(), parameters.end(), [](const FittedParameter& parameter) {
                return parameter.standing == Standing::Undetermined;
            })) {
            m_entry.why = "these rows determine none of its constants";
            return;
        }
        predict(m_entry.fit.values());
    }

    KernelConstants::Entry result() {
        KernelConstants::Entry entry;
        entry.family = m_entry.family;
        const auto& keys = kernelFamily(m_entry.family).names;
        for (std::size_t i = 0; i < keys.size(); ++i)
            entry.names[std::string(keys[i])] = m_entry.names[i];
        for (const auto& constant : constantsOf(m_catalog, m_entry.family, m_entry.names))
            entry.values[std::string(constant.key)] = *constant.value;
        const auto held = m_entry.errors(true, true);
        entry.errors = held.rows > 0.0 ? held : m_entry.errors(false, true);
        return entry;
    }

private:
    KernelCatalog m_catalog;
    CalibratedEntry& m_entry;
    std::size_t m_ordinal;
    const CalibrationOptions& m_options;
    ConstantChoice m_choice;
    std::vector<const CalibratedRow*> m_rows;

    void set(std::span<const double> values) {
        for (std::size_t i = 0; i < values.size(); ++i)
            *m_choice.values[i] = values[i];
    }
    void predict(std::span<const double> values) {
        set(values);
        for (auto& row : m_entry.rows)
            row.afterUs = predictRow(m_catalog, *row.row).us;
    }
};

void collect(const CalibratedEntry& entry, bool heldOut, bool after, std::vector<double>& errors) {
    for (const auto& row : entry.rows)
        if (row.heldOut == heldOut)
            errors.push_back(100.0 * std::abs((after ? row.afterUs : row.beforeUs) / row.measuredUs - 1.0));
}

/// The names of the files, without their folders.
std::string fileNames(std::span<const MeasuredTable> tables) {
    std::string names;
    for (const auto& table : tables)
        names += (names.empty() ? "" : " and ") + table.name.substr(table.name.find_last_of("/\\") + 1);
    return names.substr(0, 200);
}

[[noreturn]] void throwNothing(const Calibration& calibration, std::span<const MeasuredTable> tables) {
    std::string place = fileNames(tables), why = "there is no row";
    const auto take = [&](std::size_t table, const MeasuredRow& row, const std::string& reason) {
        place = tables[table].name + ":" + std::to_string(row.line());
        why = reason;
    };
    if (!calibration.entries.empty()) {
        const auto& entry = calibration.entries.front();
        take(entry.rows.front().table, *entry.rows.front().row,
             entry.family + " of " + joined(entry.names) + ": " + entry.why);
    } else if (!calibration.passed.empty()) {
        const auto& row = calibration.passed.front();
        take(row.table, *row.row, row.why);
    }
    while (why.ends_with('.'))
        why.pop_back();
    throwInvalid(place, "no constant could be fitted: " + why,
                 "Give more rows that differ in shape, or name fewer constants");
}

} // namespace

KernelConstants::Errors CalibratedEntry::errors(bool heldOut, bool after) const {
    std::vector<double> all;
    collect(*this, heldOut, after, all);
    return errorSummary(std::move(all), heldOut);
}

KernelConstants::Errors Calibration::errors(bool heldOut, bool after) const {
    std::vector<double> all;
    for (const auto& entry : entries)
        if (entry.fitted())
            collect(entry, heldOut, after, all);
    return errorSummary(std::move(all), heldOut);
}

Calibration calibrationStart(const KernelCatalog& catalog, std::span<const MeasuredTable> tables) {
    Calibration calibration;
    calibration.entries = entriesOf(catalog, tables, calibration.passed);
    return calibration;
}

Calibration calibrateKernels(const KernelCatalog& catalog, std::span<const MeasuredTable> tables,
                             const CalibrationOptions& options) {
    checkOptions(options);
    auto calibration = calibrationStart(catalog, tables);
    auto& entries = calibration.entries;
    std::vector<KernelConstants::Entry> results(entries.size());
    inParallel(entries.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            holdOut(entries[i], i, options);
            try {
                EntryFit fitting(catalog, entries[i], i, options);
                fitting.run();
                if (entries[i].fitted())
                    results[i] = fitting.result();
            } catch (const Error& error) {
                if (error.code() == ErrorCode::Cancelled)
                    throw;
                entries[i].why = error.what();
            }
        }
    });
    auto& constants = calibration.constants;
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (entries[i].fitted())
            constants.entries.push_back(std::move(results[i]));
    if (constants.entries.empty())
        throwNothing(calibration, tables);
    constants.calibratedOn = fileNames(tables);
    const auto held = calibration.errors(true, true);
    const auto training = calibration.errors(false, true);
    constants.rows = training.rows;
    constants.errors = held.rows > 0.0 ? held : training;
    return calibration;
}

} // namespace heteroscape::engine
