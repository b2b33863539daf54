// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/expected_error_finder.h"

#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/expected_error.h"
#include "widgets/document/document.h"
#include "widgets/document/one_of_document.h"

#include <QStringList>

#include <cmath>
#include <set>
#include <utility>

namespace heteroscape::widgets {

struct ExpectedErrorFinder::Errors {
    std::array<engine::ExpectedError, engine::kMetricCount> of;
    QStringList calibrations; ///< "calibrated on rows.csv, 120 rows, ±4.2 %", each once
};

ExpectedErrorFinder& ExpectedErrorFinder::of(Document& document) {
    return oneOf<ExpectedErrorFinder>(document, [&] { return new ExpectedErrorFinder(document); });
}

ExpectedErrorFinder::ExpectedErrorFinder(Document& document) : QObject(&document), m_document(document) {
    connect(&document, &Document::changed, this, &ExpectedErrorFinder::look);
    look();
}

void ExpectedErrorFinder::look() {
    m_job.drop();
    const bool had = std::exchange(m_errors, nullptr) != nullptr;
    if (!engine::hasExpectedErrors(m_document.scenario())) {
        if (had)
            emit found();
        return;
    }
    m_job.start([this, shared = m_document.shared()](JobRun&) -> Job::Show {
        const auto& scenario = *shared;
        auto errors = std::make_shared<Errors>();
        const engine::ExpectedErrors expected(scenario, engine::evaluate(scenario));
        for (std::size_t i = 0; i < errors->of.size(); ++i)
            errors->of[i] = expected.of(static_cast<engine::Metric>(i));
        std::set<std::string> told;
        for (const auto& node : scenario.nodes)
            if (node.runtime && node.runtime->ownKernels &&
                told.insert(node.runtime->ownKernels->text()).second)
                errors->calibrations << QString::fromStdString(node.runtime->ownKernels->text());
        return [this, errors = std::shared_ptr<const Errors>(std::move(errors))] {
            m_errors = errors;
            emit found();
        };
    });
}

QString ExpectedErrorFinder::note(engine::Metric metric) const {
    const auto error = m_errors ? m_errors->of[static_cast<std::size_t>(metric)] : engine::ExpectedError();
    if (!error)
        return {};
    const auto evidence = QString::fromUtf8(engine::evidenceText(error.evidence()));
    if (std::isnan(error.percent))
        return evidence;
    return tr("±%1\u202f%, %2")
        .arg(QString::number(std::max(1.0, std::round(error.percent)), 'f', 0), evidence);
}

QString ExpectedErrorFinder::tip(engine::Metric metric) const {
    const auto error = m_errors ? m_errors->of[static_cast<std::size_t>(metric)] : engine::ExpectedError();
    if (!error)
        return {};
    QStringList lines{tr("Expected within %1: half of the kernels that nothing was fitted on were nearer to "
                         "their measurement.")
                          .arg(QString::fromStdString(error.text()))};
    for (const auto& calibration : m_errors->calibrations)
        lines << calibration.left(1).toUpper() + calibration.mid(1);
    return lines.join(u'\n');
}

} // namespace heteroscape::widgets
