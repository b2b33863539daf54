// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/calibration/calibration_source.h"

#include "engine/base/csv_reader.h"
#include "engine/base/file.h"
#include "engine/units/number_text.h"
#include "widgets/validation/validation_words.h"

#include <QCoreApplication>

#include <array>
#include <cmath>

namespace heteroscape::widgets {

extern const CalibrationReader kernelCalibrationReader;
extern const CalibrationReader systemCalibrationReader;

namespace {

class CalibrationWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::CalibrateDialog)
};

constexpr double kStrong = 0.9; ///< correlation worth a word

const std::array<const CalibrationReader*, 2> kCalibrations{&systemCalibrationReader,
                                                            &kernelCalibrationReader};

QString textOf(const std::string& text) {
    return QString::fromStdString(text);
}

} // namespace

std::shared_ptr<const CalibrationSource> readCalibration(const QString& path, const engine::Scenario& design,
                                                         std::shared_ptr<const engine::Catalog> catalog) {
    std::vector<std::string> columns;
    {
        engine::InputFile in(path.toStdString());
        columns = engine::CsvReader(in, path.toStdString()).header();
    }
    const auto* reader = kCalibrations.back(); // whose errors name the columns that there may be
    for (const auto* one : kCalibrations)
        if (one->accepts(columns)) {
            reader = one;
            break;
        }
    return reader->read(path, design, std::move(catalog));
}

bool isTied(const engine::Fit& fit, std::size_t constant) {
    for (std::size_t other = 0; other < fit.parameters.size(); ++other)
        if (other != constant && std::abs(fit.correlation(constant, other)) > kStrong)
            return true;
    return false;
}

QStringList fitWarnings(const engine::Fit& fit, const QString& group) {
    QStringList warnings;
    for (const auto& open : fit.undetermined)
        warnings << CalibrationWords::tr(
                        "%1: the rows do not tell %2, which is kept as it was: %3 changes them "
                        "by less than their scatter. Leave it out, or add rows that differ more.")
                        .arg(group, textOf(open.kept), textOf(open.text()));
    for (std::size_t i = 0; i < fit.parameters.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (const double r = fit.correlation(i, j); std::abs(r) > kStrong)
                warnings << CalibrationWords::tr(
                                "%1: %2 and %3 move together (correlation %4): each alone is "
                                "not sure. Keep one, or add rows that tell them apart.")
                                .arg(group, textOf(fit.parameters[j].name), textOf(fit.parameters[i].name),
                                     QString::fromStdString(engine::shortText(r, 2)));
    for (const auto& parameter : fit.parameters)
        if (parameter.standing == engine::Standing::AtBound)
            warnings << CalibrationWords::tr("%1: %2 is at its bound.").arg(group, textOf(parameter.name));
    if (!fit.converged)
        warnings << CalibrationWords::tr("%1: the fit ended after its %2 steps, not at a minimum.")
                        .arg(group)
                        .arg(fit.steps);
    return warnings;
}

QString CalibrationOutcome::report() const {
    QStringList lines{says};
    const auto add = [&](const QString& of, const engine::KernelConstants::Errors& before,
                         const engine::KernelConstants::Errors& after) {
        if (before.rows > 0.0)
            lines << CalibrationWords::tr(
                         "%1: %2 rows, median %3 before, %4 after; 90th percentile %5 before, "
                         "%6 after")
                         .arg(of, textOf(engine::plainText(before.rows)), errorPercent(before.medianPercent),
                              errorPercent(after.medianPercent), errorPercent(before.p90Percent),
                              errorPercent(after.p90Percent));
    };
    add(CalibrationWords::tr("Fitted"), fittedBefore, fittedAfter);
    add(CalibrationWords::tr("Held out"), heldBefore, heldAfter);
    return (lines + warnings).join(u'\n') + u'\n';
}

} // namespace heteroscape::widgets
