// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/calibration_document.h"

#include "app/documents/number.h"

#include "engine/base/error.h"
#include "engine/scenario/parameters.h"
#include "engine/units/number_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

Json fitErrorsJson(const KernelConstants::Errors& errors) {
    return {{"rows", errors.rows},
            {"median_percent", number(errors.medianPercent)},
            {"p90_percent", number(errors.p90Percent)}};
}

template <class Of>
Json allErrorsJson(const Of& of) {
    return {{"training",
             {{"before", fitErrorsJson(of.errors(false, false))},
              {"after", fitErrorsJson(of.errors(false, true))}}},
            {"held_out",
             {{"before", fitErrorsJson(of.errors(true, false))},
              {"after", fitErrorsJson(of.errors(true, true))}}}};
}

Json fitJson(const Fit& fit) {
    Json parameters = Json::array(), correlations = Json::array(), undetermined = Json::array();
    for (std::size_t i = 0; i < fit.parameters.size(); ++i) {
        const auto& parameter = fit.parameters[i];
        parameters.push_back({{"constant", parameter.name},
                              {"before", number(parameter.start)},
                              {"after", number(parameter.value)},
                              {"standard_error_percent", number(100.0 * parameter.standardError)},
                              {"standing", standingName(parameter.standing)}});
        Json row = Json::array();
        for (std::size_t j = 0; j < fit.parameters.size(); ++j)
            row.push_back(number(fit.correlation(i, j)));
        correlations.push_back(std::move(row));
    }
    for (const auto& open : fit.undetermined) {
        Json direction = Json::object();
        for (const auto& part : open.direction)
            direction[part.name] = number(part.share);
        undetermined.push_back({{"constant", open.kept},
                                {"direction", std::move(direction)},
                                {"standard_error_percent", number(100.0 * open.standardError)}});
    }
    return {{"constants", std::move(parameters)},
            {"correlations", std::move(correlations)},
            {"undetermined", std::move(undetermined)},
            {"spread_percent", number(100.0 * fit.spread)},
            {"steps", fit.steps},
            {"converged", fit.converged}};
}

} // namespace

std::string_view standingName(Standing standing) {
    return standing == Standing::Fitted ? "fitted" : standing == Standing::AtBound ? "at its bound" : "kept";
}

ConstantBounds boundsOf(const std::string& text) {
    const auto equals = text.find('='), colon = text.find(':');
    if (equals != std::string::npos && colon != std::string::npos && equals < colon) {
        const auto low = parseNumber(text.substr(equals + 1, colon - equals - 1));
        const auto high = parseNumber(text.substr(colon + 1));
        if (low && high)
            return {text.substr(0, equals), *low, *high};
    }
    throwInvalid("--bounds", "\"" + text.substr(0, 80) + "\" sets no bounds",
                 "Write them like gemm.e_c=0.5:1");
}

ConstantBounds boundsOf(const std::string& text, const Scenario& design) {
    auto bounds = boundsOf(text);
    const double scale = resolveQuantity(design, bounds.name).spec.scale;
    bounds.minimum *= scale;
    bounds.maximum *= scale;
    return bounds;
}

Json constantsJson() {
    Json families = Json::array();
    for (const auto& family : kernelFamilies()) {
        Json constants = Json::array();
        const auto usual = usualConstants(family.family);
        for (const auto& constant : family.constants)
            constants.push_back(
                {{"key", constant.key},
                 {"usual", std::find(usual.begin(), usual.end(), constant.key) != usual.end()},
                 {"minimum", constant.minimum},
                 {"maximum", constant.maximum}});
        families.push_back(
            {{"family", family.family}, {"names", family.names}, {"constants", std::move(constants)}});
    }
    return {{"families", std::move(families)}};
}

Json calibrationJson(const Calibration& calibration, const std::vector<MeasuredTable>& tables) {
    Json entries = Json::array(), passed = Json::array();
    for (const auto& entry : calibration.entries) {
        Json json = {{"family", entry.family}, {"names", entry.names}, {"errors", allErrorsJson(entry)}};
        if (entry.fitted()) {
            json["fit"] = fitJson(entry.fit);
            json["zero"] = entry.zeros;
        } else {
            json["why"] = entry.why;
        }
        entries.push_back(std::move(json));
    }
    for (const auto& row : calibration.passed)
        passed.push_back({{"file", tables[row.table].name}, {"line", row.row->line()}, {"why", row.why}});
    return {{"calibrated", calibration.constants.text()},
            {"errors", allErrorsJson(calibration)},
            {"entries", std::move(entries)},
            {"passed", std::move(passed)},
            {"kernel_constants", writeKernelConstants(calibration.constants)}};
}

Json systemJson(const SystemCalibration& calibration, const SystemTable& table) {
    Json points = Json::array();
    for (const auto& point : calibration.points) {
        const double scale = metricSpec(point.metric).scale;
        points.push_back({{"line", table.rows[point.row].line},
                          {"metric", metricSpec(point.metric).key},
                          {"measured", number(point.measured / scale)},
                          {"before", number(point.before / scale)},
                          {"after", number(point.after / scale)},
                          {"held_out", point.heldOut}});
    }
    Json values = Json::object(); // as --set takes them
    for (const auto& parameter : calibration.fit.parameters)
        values[parameter.name] =
            number(parameter.value / resolveQuantity(calibration.scenario, parameter.name).spec.scale);
    return {{"errors", allErrorsJson(calibration)},
            {"fit", fitJson(calibration.fit)},
            {"set", std::move(values)},
            {"points", std::move(points)}};
}

Json deviceJson(const DeviceCalibration& calibration) {
    Json fits = Json::array();
    for (const auto& of : calibration.fits)
        fits.push_back({{"of", of.title}, {"errors", allErrorsJson(of)}, {"fit", fitJson(of.fit)}});
    return {{"fits", std::move(fits)},
            {"passed_rows", calibration.passed},
            {"device", writeDevice(calibration.device)}};
}

} // namespace heteroscape::cli
