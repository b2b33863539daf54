// SPDX-License-Identifier: GPL-3.0-or-later
// Constants of kernel models fitted to measured kernels; accepted as a runtime that carries them.
#include "engine/base/error.h"
#include "engine/calibration/calibrate_kernels.h"
#include "engine/catalog/named.h"
#include "engine/units/number_text.h"
#include "engine/validation/row_detail.h"
#include "widgets/calibration/calibration_source.h"
#include "widgets/theme/plain_text.h"
#include "widgets/validation/validation_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <set>

namespace heteroscape::widgets {

namespace {

class KernelCalibrationWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::CalibrateDialog)
public:
    static constexpr Word<std::string_view> kConstants[]{{"t_launch", QT_TR_NOOP("Start of a kernel")},
                                                         {"t_0", QT_TR_NOOP("Start of a kernel")},
                                                         {"t0_us", QT_TR_NOOP("Start of a kernel")},
                                                         {"e_c", QT_TR_NOOP("Share of the tensor peak")},
                                                         {"eps", QT_TR_NOOP("Share of the tensor peak")},
                                                         {"e_m", QT_TR_NOOP("Share of the memory rate")},
                                                         {"eta", QT_TR_NOOP("Share of the memory rate")},
                                                         {"e_x", QT_TR_NOOP("Cost of exponentials")},
                                                         {"t_tile", QT_TR_NOOP("Start of a tile")},
                                                         {"t_u", QT_TR_NOOP("Start of a unit of work")},
                                                         {"t_split", QT_TR_NOOP("Split of K")},
                                                         {"t_l", QT_TR_NOOP("Split of the keys")},
                                                         {"lambda", QT_TR_NOOP("Latency of a step of K")},
                                                         {"a0", QT_TR_NOOP("Start of a message")},
                                                         {"nvlink", QT_TR_NOOP("Share of NVLink")},
                                                         {"network", QT_TR_NOOP("Share of the network")}};
};

constexpr double kSecondsPerUs = 1e-6;

QString constantWord(std::string_view key) {
    const auto* word = lookUp(KernelCalibrationWords::kConstants, key, nullptr);
    return word ? KernelCalibrationWords::tr(word)
                : QString::fromUtf8(key.data(), static_cast<qsizetype>(key.size()));
}

QString familyWord(const std::string& family) {
    auto words = QString::fromStdString(family).replace(u'-', u' ');
    if (family == "gemm" || family == "moe" || family == "nccl" || family.starts_with("mla"))
        return words.left(4).toUpper().trimmed() + words.mid(4);
    return words.left(1).toUpper() + words.mid(1);
}

QString titleOf(const engine::CalibratedEntry& entry) {
    return familyWord(entry.family) + QStringLiteral(": ") +
           QString::fromStdString(engine::joined(entry.names));
}

class KernelCalibration : public CalibrationSource {
public:
    KernelCalibration(const QString& path, std::shared_ptr<const engine::Catalog> catalog)
        : m_catalog(std::move(catalog)), m_kernels(engine::shippedKernels()) {
        m_tables.push_back(engine::readMeasured(path.toStdString()));
        m_start = engine::calibrationStart(m_kernels, m_tables);
        for (const auto& entry : m_start.entries)
            m_groups.push_back(groupOf(entry));
    }

    QString unit() const override { return QStringLiteral("µs"); }
    std::vector<CalibrationGroup> groups() const override { return m_groups; }
    std::vector<CalibrationPoint> points() const override {
        std::vector<CalibrationPoint> points;
        for (const auto& entry : m_start.entries)
            add(points, entry.rows);
        return points;
    }
    QStringList passed() const override {
        std::map<std::string, std::vector<std::size_t>> reasons;
        for (const auto& row : m_start.passed)
            reasons[row.why].push_back(row.row->line());
        QStringList texts;
        for (const auto& [why, lines] : reasons)
            texts << (lines.size() == 1
                          ? KernelCalibrationWords::tr("Line %1 is left out: %2")
                          : KernelCalibrationWords::tr("%3 rows are left out, the first in line %1: %2"))
                         .arg(lines.front())
                         .arg(QString::fromStdString(why))
                         .replace(QStringLiteral("%3"), QString::number(lines.size()));
        return texts;
    }

    CalibrationOutcome run(const CalibrationRequest& request, const Tell& tell,
                           const std::stop_token& stop) const override {
        engine::CalibrationOptions options;
        options.constants = namesOf(request);
        for (const auto& set : request.bounds)
            options.bounds.push_back({set.key, set.minimum, set.maximum});
        options.loss = request.loss;
        options.heldOutShare = request.heldOutShare;
        options.stop = stop;
        std::mutex mutex; // of what follows: fits of several entries tell at once
        CalibrationProgress progress{.points = points()};
        std::vector<double> costs(m_start.entries.size());
        options.onStep = [&](const engine::CalibrationStep& step) {
            const std::lock_guard lock(mutex);
            costs[step.entry] = step.cost;
            progress.cost = 0.0;
            for (const double cost : costs)
                progress.cost += cost;
            ++progress.steps;
            std::size_t at = 0;
            for (std::size_t entry = 0; entry < step.entry; ++entry)
                at += m_start.entries[entry].rows.size();
            for (const auto& row : step.rows) {
                progress.points[at].after = row.afterUs;
                progress.points[at++].heldOut = row.heldOut;
            }
            tell(progress);
        };
        return outcomeOf(engine::calibrateKernels(m_kernels, m_tables, options));
    }

private:
    std::shared_ptr<const engine::Catalog> m_catalog;
    const engine::KernelCatalog& m_kernels;
    std::vector<engine::MeasuredTable> m_tables;
    engine::Calibration m_start;
    std::vector<CalibrationGroup> m_groups;

    static void add(std::vector<CalibrationPoint>& points, const std::vector<engine::CalibratedRow>& rows) {
        for (const auto& row : rows)
            points.push_back({row.measuredUs, row.beforeUs, row.afterUs, row.heldOut});
    }

    CalibrationGroup groupOf(const engine::CalibratedEntry& entry) const {
        CalibrationGroup group{.title = titleOf(entry), .rows = entry.rows.size(), .constants = {}};
        auto kernels = m_kernels;
        engine::makeEntry(kernels, entry.family, entry.names, entry.started);
        const auto usual = engine::usualConstants(entry.family);
        for (const auto& constant : engine::constantsOf(kernels, entry.family, entry.names)) {
            CalibrationConstant shown;
            shown.key = entry.family + "." + std::string(constant.key);
            shown.name = constantWord(constant.key);
            shown.symbol = QString::fromStdString(std::string(constant.key));
            shown.start = *constant.value;
            shown.usual = std::find(usual.begin(), usual.end(), constant.key) != usual.end();
            shown.possible = shown.start > 0.0;
            if (shown.possible) {
                const std::vector<std::string> one{shown.key};
                auto copy = kernels;
                const auto choice = engine::chooseConstants(copy, entry.family, entry.names, one, {});
                shown.minimum = choice.parameters.front().minimum;
                shown.maximum = choice.parameters.front().maximum;
            }
            group.constants.push_back(std::move(shown));
        }
        return group;
    }

    /// Empty where they are the usual ones: these differ where a kernel has no such part.
    std::vector<std::string> namesOf(const CalibrationRequest& request) const {
        std::set<std::string> usual;
        for (const auto& group : m_groups)
            for (const auto& constant : group.constants)
                if (constant.usual && constant.possible)
                    usual.insert(constant.key);
        const std::set<std::string> asked(request.constants.begin(), request.constants.end());
        return asked == usual ? std::vector<std::string>() : request.constants;
    }

    CalibrationOutcome outcomeOf(engine::Calibration calibration) const {
        CalibrationOutcome outcome;
        for (std::size_t at = 0; at < calibration.entries.size(); ++at) {
            const auto& entry = calibration.entries[at];
            add(outcome.points, entry.rows);
            if (!entry.fitted()) {
                outcome.warnings << KernelCalibrationWords::tr(
                                        "%1: not fitted, its %2 rows stay as they were: %3")
                                        .arg(titleOf(entry))
                                        .arg(entry.rows.size())
                                        .arg(QString::fromStdString(entry.why));
                continue;
            }
            outcome.warnings << fitWarnings(entry.fit, titleOf(entry));
            outcome.steps += entry.fit.steps;
            outcome.converged = outcome.converged && entry.fit.converged;
            take(outcome, at, entry);
        }
        outcome.fittedBefore = calibration.errors(false, false);
        outcome.fittedAfter = calibration.errors(false, true);
        outcome.heldBefore = calibration.errors(true, false);
        outcome.heldAfter = calibration.errors(true, true);
        outcome.says = QString::fromStdString(calibration.constants.text());
        const auto base = m_catalog->runtime(engine::measuredRuntime(calibration), "runtime").base;
        const auto runtime = engine::calibratedRuntime(base, calibration, base.id + "-calibrated");
        outcome.name = QString::fromStdString(runtime.name);
        outcome.edit = [runtime, says = outcome.says](const engine::Scenario& design, const QString& name) {
            return editOf(runtime, says, design, name);
        };
        return outcome;
    }

    void take(CalibrationOutcome& outcome, std::size_t at, const engine::CalibratedEntry& entry) const {
        for (std::size_t i = 0; i < entry.fit.parameters.size(); ++i) {
            const auto& parameter = entry.fit.parameters[i];
            const auto& constants = m_groups[at].constants;
            const auto shown =
                std::find_if(constants.begin(), constants.end(), [&](const CalibrationConstant& one) {
                    return one.symbol.toStdString() == parameter.name;
                });
            if (shown != constants.end())
                outcome.constants.push_back({at, static_cast<std::size_t>(shown - constants.begin()),
                                             parameter.value, parameter.value * parameter.standardError,
                                             parameter.standing, isTied(entry.fit, i)});
        }
    }

    /// The runtime on every node whose device is one of measured kernels.
    static engine::GraphEdit editOf(engine::Runtime runtime, const QString& says,
                                    const engine::Scenario& design, const QString& name) {
        if (!name.trimmed().isEmpty())
            runtime.name = name.trimmed().toStdString();
        engine::EditList edits;
        for (const auto& node : design.nodes)
            if (!node.device.kernels.empty() && node.runtime)
                edits.edits.emplace_back(engine::SetDevice{node.id, node.device, runtime, node.role});
        if (edits.edits.empty())
            engine::throwInvalid("design \"" + design.name + "\"",
                                 "no node has a device whose kernels are measured",
                                 "Open a design with one, such as an H100 SXM");
        edits.text = KernelCalibrationWords::tr("Use what was %1").arg(says).toStdString();
        return edits;
    }
};

bool acceptsKernelTimes(const std::vector<std::string>& columns) {
    return std::find(columns.begin(), columns.end(), "op") != columns.end();
}

std::shared_ptr<const CalibrationSource> readKernelTimes(const QString& path, const engine::Scenario&,
                                                         std::shared_ptr<const engine::Catalog> catalog) {
    return std::make_shared<const KernelCalibration>(path, std::move(catalog));
}

} // namespace

extern const CalibrationReader kernelCalibrationReader;
const CalibrationReader kernelCalibrationReader{.accepts = acceptsKernelTimes, .read = readKernelTimes};

} // namespace heteroscape::widgets
