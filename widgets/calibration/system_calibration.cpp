// SPDX-License-Identifier: GPL-3.0-or-later
// Quantities of the open design fitted to measured metrics of systems; accepted as their new values.
#include "engine/base/error.h"
#include "engine/calibration/calibrate_system.h"
#include "engine/evaluation/evaluate.h"
#include "engine/scenario/parameters.h"
#include "widgets/calibration/calibration_source.h"

#include <QCoreApplication>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

class SystemCalibrationWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::CalibrateDialog)
};

/// What of a design is usually fitted: how much of its peaks a runtime reaches.
bool isShareOfPeak(const std::string& path) {
    return path.find(".timing.") != std::string::npos && path.ends_with("_efficiency");
}

class SystemCalibrationSource : public CalibrationSource {
public:
    SystemCalibrationSource(const QString& path, engine::Scenario design,
                            std::shared_ptr<const engine::Catalog> catalog)
        : m_catalog(std::move(catalog)), m_design(std::move(design)),
          m_table(engine::readSystemRows({path.toStdString()})) {
        CalibrationGroup group{.title = SystemCalibrationWords::tr("Quantities of the open design"),
                               .rows = m_table.rows.size(),
                               .constants = {}};
        for (const auto& parameter : engine::listParameters(m_design, *m_catalog)) {
            const bool fixed =
                std::find(m_table.paths.begin(), m_table.paths.end(), parameter.path) != m_table.paths.end();
            if (parameter.kind != engine::ParameterKind::Number || parameter.spec.integer || fixed)
                continue;
            const auto& quantity = engine::resolveQuantity(m_design, parameter.path).in(m_design);
            if (!quantity.isSet() || !(quantity.value > 0.0) || !isConstant(parameter.path))
                continue;
            group.constants.push_back(constantOf(parameter, quantity.value));
        }
        if (group.constants.empty())
            engine::throwInvalid("design \"" + m_design.name + "\"",
                                 "it has no quantity that could be fitted",
                                 "Open the design that was measured");
        m_groups.push_back(std::move(group));
    }

    QString unit() const override { return QStringLiteral("ms"); }
    std::vector<CalibrationGroup> groups() const override { return m_groups; }
    std::vector<CalibrationPoint> points() const override { return {}; }
    QStringList passed() const override { return {}; }

    CalibrationOutcome run(const CalibrationRequest& request, const Tell& tell,
                           const std::stop_token& stop) const override {
        engine::SystemCalibrationOptions options;
        options.parameters = request.constants;
        for (const auto& set : request.bounds) {
            const double scale = engine::resolveQuantity(m_design, set.key).spec.scale;
            options.bounds.push_back({set.key, set.minimum * scale, set.maximum * scale});
        }
        options.loss = request.loss;
        options.heldOutShare = request.heldOutShare;
        options.stop = stop;
        int steps = 0;
        options.onStep = [&](double cost, std::span<const engine::SystemPoint> points) {
            CalibrationProgress progress{.steps = ++steps, .cost = cost, .points = shown(points)};
            tell(std::move(progress));
        };
        return outcomeOf(engine::calibrateSystem(m_design, *m_catalog, m_table, options));
    }

private:
    std::shared_ptr<const engine::Catalog> m_catalog;
    engine::Scenario m_design;
    engine::SystemTable m_table;
    std::vector<CalibrationGroup> m_groups;

    /// What a runtime or a link has of its own, not what is asked of the system.
    static bool isConstant(const std::string& path) {
        return path.find(".timing.") != std::string::npos || path.find(".offload.") != std::string::npos ||
               path.find(".runtime.") != std::string::npos || path.starts_with("links.") ||
               path.ends_with("memory_bandwidth_gbps");
    }

    static CalibrationConstant constantOf(const engine::Parameter& parameter, double value) {
        constexpr double kFarthest = 100.0; // factor either way, as calibrateSystem() has it
        const auto& spec = parameter.spec;
        CalibrationConstant shown;
        shown.key = parameter.path;
        shown.name = QString::fromStdString(parameter.path);
        shown.unit = QString::fromStdString(std::string(spec.unit));
        shown.start = value / spec.scale;
        shown.minimum = std::max(shown.start / kFarthest, spec.minimum);
        shown.maximum = std::min(shown.start * kFarthest, spec.maximum);
        shown.usual = isShareOfPeak(parameter.path);
        return shown;
    }

    static std::vector<CalibrationPoint> shown(std::span<const engine::SystemPoint> points) {
        std::vector<CalibrationPoint> shown;
        for (const auto& point : points) {
            const double scale = engine::metricSpec(point.metric).unit == std::string_view("s") ? 1e3 : 1.0;
            shown.push_back(
                {point.measured * scale, point.before * scale, point.after * scale, point.heldOut});
        }
        return shown;
    }

    CalibrationOutcome outcomeOf(const engine::SystemCalibration& calibration) const {
        CalibrationOutcome outcome;
        const auto& fit = calibration.fit;
        const auto& constants = m_groups.front().constants;
        engine::EditList edits;
        for (std::size_t i = 0; i < fit.parameters.size(); ++i) {
            const auto& parameter = fit.parameters[i];
            const auto found = std::find_if(constants.begin(), constants.end(),
                                            [&](const auto& one) { return one.key == parameter.name; });
            const auto resolved = engine::resolveQuantity(calibration.scenario, parameter.name);
            const double scale = resolved.spec.scale;
            outcome.constants.push_back(
                {0, static_cast<std::size_t>(found - constants.begin()), parameter.value / scale,
                 parameter.value * parameter.standardError / scale, parameter.standing, isTied(fit, i)});
            if (parameter.standing != engine::Standing::Undetermined) {
                const auto& quantity = resolved.in(calibration.scenario);
                outcome.says = QString::fromStdString(quantity.source);
                edits.edits.emplace_back(engine::SetQuantity{parameter.name, quantity});
            }
        }
        outcome.warnings = fitWarnings(fit, m_groups.front().title);
        outcome.points = shown(calibration.points);
        outcome.fittedBefore = calibration.errors(false, false);
        outcome.fittedAfter = calibration.errors(false, true);
        outcome.heldBefore = calibration.errors(true, false);
        outcome.heldAfter = calibration.errors(true, true);
        outcome.steps = fit.steps;
        outcome.converged = fit.converged;
        edits.text = SystemCalibrationWords::tr("Use what was %1").arg(outcome.says).toStdString();
        outcome.edit = [edits](const engine::Scenario& design, const QString&) {
            if (edits.edits.empty())
                engine::throwInvalid("design \"" + design.name + "\"", "these rows determine none of it",
                                     "Give rows that differ more, or choose other quantities");
            return engine::GraphEdit(edits);
        };
        return outcome;
    }
};

bool acceptsSystems(const std::vector<std::string>& columns) {
    return std::any_of(columns.begin(), columns.end(),
                       [](const std::string& column) { return engine::findMetric(column) != nullptr; });
}

std::shared_ptr<const CalibrationSource> readSystems(const QString& path, const engine::Scenario& design,
                                                     std::shared_ptr<const engine::Catalog> catalog) {
    return std::make_shared<const SystemCalibrationSource>(path, design, std::move(catalog));
}

} // namespace

extern const CalibrationReader systemCalibrationReader;
const CalibrationReader systemCalibrationReader{.accepts = acceptsSystems, .read = readSystems};

} // namespace heteroscape::widgets
