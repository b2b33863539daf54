// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/validation/validation.h"

#include "engine/base/error.h"
#include "engine/catalog/named.h"
#include "engine/validation/row_detail.h"
#include "engine/validation/row_shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace heteroscape::engine {

namespace {

constexpr std::array<std::string_view, 10> kValidationKeys{
    "op", "device", "framework", "version", "precision", "kernel", "kv_dtype", "routing", "odd", "bound"};

} // namespace

double quantile(std::span<const double> sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const auto above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (sorted[above] - sorted[below]) * (place - static_cast<double>(below));
}

std::span<const std::string_view> validationKeys() {
    return kValidationKeys;
}

std::string validationLabel(const ValidatedRow& validated, std::string_view key) {
    if (key == "bound")
        return validated.answered() ? std::string(kernelBoundName(validated.bound)) : "-";
    const auto& row = *validated.row;
    auto label = row.text(key);
    if (row.form() == MeasuredForm::Experts) {
        if (key == "framework")
            label = row.text("kernel").substr(0, row.text("kernel").find(' '));
        else if (key == "precision")
            label = row.text("format");
    }
    return label.empty() ? "-" : std::string(label);
}

void BandCount::add(const SystemError& band, double predicted, double measured) {
    rows += 1.0;
    half += band.holdsHalf(predicted, measured) ? 1.0 : 0.0;
    most += band.holdsMost(predicted, measured) ? 1.0 : 0.0;
}

ValidationGroup BandCount::into(ValidationGroup group) const {
    if (rows > 0.0) {
        group.inHalfPercent = 100.0 * half / rows;
        group.inMostPercent = 100.0 * most / rows;
    }
    return group;
}

ValidationGroup errorsOf(std::vector<double> errors) {
    ValidationGroup group;
    group.rows = errors.size();
    if (errors.empty())
        return group;
    std::sort(errors.begin(), errors.end());
    group.biasPercent = quantile(errors, 0.5);
    for (auto& error : errors)
        error = std::abs(error);
    std::sort(errors.begin(), errors.end());
    group.medianPercent = quantile(errors, 0.5);
    group.p90Percent = quantile(errors, 0.9);
    return group;
}

ValidatedRow validateRow(const KernelCatalog& catalog, const MeasuredRow& row, std::size_t table) {
    ValidatedRow validated;
    validated.table = table;
    validated.row = &row;
    validated.measuredUs = row.measuredUs();
    try {
        const auto time = predictRow(catalog, row);
        validated.predictedUs = time.us;
        validated.bound = time.bound;
        if (!std::isfinite(time.us) || time.us <= 0.0)
            validated.why = "the model has no finite time for such a shape";
        else
            validated.rooflineUs = rooflineUs(catalog, row);
    } catch (const Error& error) {
        validated.why = error.what();
    }
    return validated;
}

std::vector<ValidatedRow> validateKernels(const KernelCatalog& catalog, std::span<const MeasuredTable> tables,
                                          const std::stop_token& stop) {
    std::vector<ValidatedRow> rows;
    for (std::size_t i = 0; i < tables.size(); ++i)
        for (const auto& row : tables[i].rows) {
            if (stop.stop_requested())
                return rows;
            rows.push_back(validateRow(catalog, row, i));
        }
    return rows;
}

std::vector<ValidationGroup> groupErrors(std::span<const ValidatedRow> rows,
                                         std::span<const std::string> keys) {
    for (const auto& key : keys)
        indexOfName(key, kValidationKeys, "--by");
    std::map<std::vector<std::string>, std::pair<std::vector<double>, std::vector<double>>> errors;
    for (const auto& row : rows) {
        if (!row.answered())
            continue;
        std::vector<std::string> labels;
        for (const auto& key : keys)
            labels.push_back(validationLabel(row, key));
        auto& [models, rooflines] = errors[std::move(labels)];
        models.push_back(100.0 * row.error());
        rooflines.push_back(std::abs(100.0 * row.rooflineError()));
    }
    std::vector<ValidationGroup> groups;
    for (auto& [labels, both] : errors) {
        auto& [of, rooflines] = both;
        ValidationGroup group;
        group.labels = labels;
        group.rows = of.size();
        std::sort(of.begin(), of.end());
        group.biasPercent = quantile(of, 0.5);
        for (auto& error : of)
            error = std::abs(error);
        std::sort(of.begin(), of.end());
        group.medianPercent = quantile(of, 0.5);
        group.p90Percent = quantile(of, 0.9);
        std::sort(rooflines.begin(), rooflines.end());
        group.rooflinePercent = quantile(rooflines, 0.5);
        groups.push_back(std::move(group));
    }
    return groups;
}

} // namespace heteroscape::engine
