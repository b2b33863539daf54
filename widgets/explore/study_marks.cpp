// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/study_marks.h"

#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace heteroscape::widgets {

void StudyMarks::setStudy(std::shared_ptr<const LoadedStudy> study) {
    const bool another = !study || !m_study || study->table.info.id != m_study->table.info.id;
    m_study = std::move(study);
    if (another) {
        m_hovered.reset();
        m_selected.reset();
        m_brush.clear();
        m_trying = false;
        m_limits = m_study ? m_study->table.info.limits : std::vector<engine::Limit>{};
    }
    filter();
}

void StudyMarks::hover(std::optional<std::size_t> row) {
    if (row == m_hovered)
        return;
    m_hovered = row;
    emit hoveredChanged();
}

void StudyMarks::select(std::optional<std::size_t> row) {
    if (row == m_selected)
        return;
    m_selected = row;
    emit selectedChanged();
}

void StudyMarks::setLimits(std::vector<engine::Limit> limits) {
    if (!std::exchange(m_trying, false) && limits == m_limits)
        return;
    m_limits = std::move(limits);
    emit limitsChanged();
    filter();
}

void StudyMarks::tryLimits(std::vector<engine::Limit> limits) {
    if (limits == m_limits)
        return;
    m_trying = true;
    m_limits = std::move(limits);
    emit limitsTried();
    filter();
}

void StudyMarks::brush(const engine::Limit& stretch) {
    brush(std::vector<engine::Limit>{stretch});
}

void StudyMarks::brush(std::vector<engine::Limit> stretches) {
    const auto before = m_brush;
    for (auto& stretch : stretches) {
        std::erase_if(m_brush, [&](const auto& one) { return one.column == stretch.column; });
        if (std::isfinite(stretch.least) || std::isfinite(stretch.most))
            m_brush.push_back(std::move(stretch));
    }
    if (m_brush != before)
        filter();
}

void StudyMarks::clearBrush() {
    if (m_brush.empty())
        return;
    m_brush.clear();
    filter();
}

void StudyMarks::setScrubbed(bool scrubbed) {
    if (scrubbed == m_scrubbed)
        return;
    m_scrubbed = scrubbed;
    emit scrubbedChanged();
}

void StudyMarks::setBaseline(std::shared_ptr<const engine::Baseline> baseline) {
    m_baseline = std::move(baseline);
    emit baselineChanged();
}

void StudyMarks::filter() {
    if (m_study) {
        auto all = m_limits;
        all.insert(all.end(), m_brush.begin(), m_brush.end());
        if (const auto alike = m_study->truths.only()) // there is no column of what all rest on
            std::erase_if(all, [&](const auto& limit) {
                return limit.column == engine::kTruthColumn && limit.holds(static_cast<double>(*alike));
            });
        m_kept = engine::rowsWithin(m_study->table, all);
    } else {
        m_kept.clear();
    }
    m_keptCount = engine::keptCount(m_kept);
    emit keptChanged();
}

std::shared_ptr<const engine::Baseline> baselineOf(const LoadedStudy& study, std::size_t row,
                                                   const QString& name) {
    auto baseline = std::make_shared<engine::Baseline>();
    baseline->name = (study.isIdeal(row) ? StudyMarks::tr("%1, ideal").arg(name) : name).toStdString();
    for (const auto& column : study.table.columns)
        if (isMetric(column))
            baseline->metrics[column.name] = engine::feasibleValue(study.table, column, row);
    return baseline;
}

std::shared_ptr<const engine::Baseline> baselineOf(const engine::Evaluation& evaluation,
                                                   const QString& name) {
    auto baseline = std::make_shared<engine::Baseline>();
    baseline->name = name.toStdString();
    for (const auto& spec : engine::metricSpecs())
        baseline->metrics[std::string(spec.key)] =
            evaluation.feasible ? engine::toEdge(evaluation.metric(spec.metric), spec.scale) : engine::kUnset;
    return baseline;
}

} // namespace heteroscape::widgets

#include "moc_study_marks.cpp"
