// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done with a point of the study: chosen, opened, pinned.
#include "widgets/explore/explore_workspace.h"
#include "widgets/explore/study_marks.h"

namespace heteroscape::widgets {

void ExploreWorkspace::selectRow(std::size_t row) {
    if (m_study && row < m_study->table.rows())
        m_marks->select(row);
}

void ExploreWorkspace::openRow(std::size_t row) {
    if (!m_study || row >= m_study->table.rows())
        return;
    selectRow(row);
    openScenario(m_study->scenarioOf(row));
}

void ExploreWorkspace::openScenario(const engine::Scenario& scenario) {
    m_document->replaceScenario(scenario, tr("Open a point of a study"));
    m_opened = engine::scenarioKey(scenario);
    emit designOpened();
}

void ExploreWorkspace::pinRow(std::size_t row) {
    if (!m_study || row >= m_study->table.rows())
        return;
    m_marks->setBaseline(baselineOf(*m_study, row, m_study->nameOf(row)));
    Pins::Values metrics;
    for (const auto& spec : engine::metricSpecs()) {
        const auto* column = m_study->table.find(std::string(spec.key));
        metrics[static_cast<std::size_t>(spec.metric)] =
            column ? engine::feasibleValue(m_study->table, *column, row) * spec.scale : engine::kUnset;
    }
    m_document->pins().add(m_study->nameOf(row), m_study->scenarioOf(row), metrics);
}

void ExploreWorkspace::pinDesign() {
    m_marks->setBaseline(baselineOf(m_document->evaluation(), m_document->title()));
}

void ExploreWorkspace::unpin() {
    m_marks->setBaseline(nullptr);
}

} // namespace heteroscape::widgets
