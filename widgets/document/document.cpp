// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/document.h"

#include "engine/base/error.h"
#include "engine/claims/claims.h"
#include "engine/evaluation/evaluate.h"
#include "engine/scenario/scenario_json.h"
#include "widgets/document/edit_command.h"

#include <QFileInfo>

#include <algorithm>
#include <chrono>

namespace heteroscape::widgets {

Document::Document(std::shared_ptr<const engine::Catalog> catalog, QObject* parent)
    : QObject(parent), m_catalog(std::move(catalog)) {
    // The stack is consistent again when it says that its index moved, so what listens to changed() may edit.
    connect(&m_undoStack, &QUndoStack::indexChanged, this, &Document::stackMoved);
    connect(&m_undoStack, &QUndoStack::cleanChanged, this, &Document::titleChanged);
    newDesign();
}

bool Document::perform(const engine::GraphEdit& edit, const QString& gesture, const QString& text) {
    const auto before = m_scenario;
    engine::GraphEdit inverse;
    try {
        inverse = engine::applyEdit(m_scenario, edit);
    } catch (const engine::Error& error) {
        emit refused(QString::fromStdString(error.what()));
        return false;
    }
    if (m_scenario == before)
        return true;
    const auto name = text.isEmpty() ? QString::fromStdString(engine::describe(before, edit)) : text;
    m_stale = true;
    m_undoStack.push(new EditCommand(*this, edit, std::move(inverse), gesture, name));
    return true;
}

bool Document::set(const std::string& path, const std::string& text, const QString& gesture) {
    try {
        return perform(engine::setEdit(m_scenario, *m_catalog, path, text), gesture);
    } catch (const engine::Error& error) {
        emit refused(QString::fromStdString(error.what()));
        return false;
    }
}

void Document::replaceScenario(const engine::Scenario& scenario, const QString& text) {
    if (scenario != m_scenario)
        m_undoStack.push(new ReplaceCommand(*this, scenario, text));
}

engine::GraphEdit Document::applyNow(const engine::GraphEdit& edit) {
    m_stale = true;
    return engine::applyEdit(m_scenario, edit);
}

void Document::replaceNow(const engine::Scenario& scenario) {
    m_stale = true;
    m_scenario = scenario;
}

void Document::newDesign() {
    engine::Scenario scenario;
    const auto& models = m_catalog->models;
    const auto& workloads = m_catalog->workloads;
    if (!models.empty()) // the smallest fits most devices
        scenario.model = *std::min_element(models.begin(), models.end(), [](const auto& a, const auto& b) {
            return a.parameters() < b.parameters();
        });
    if (!workloads.empty())
        scenario.workload = workloads.front();
    adopt(std::move(scenario), {});
}

void Document::openPreset(const std::string& id) {
    adopt(engine::loadPreset(*m_catalog, id, "preset"), {});
}

void Document::openFile(const QString& path) {
    adopt(engine::loadScenario(path.toStdString(), *m_catalog), path);
}

void Document::saveFile(const QString& path) {
    engine::saveScenario(m_scenario, path.toStdString());
    m_path = path;
    m_undoStack.setClean();
    emit titleChanged();
}

QString Document::title() const {
    if (!m_path.isEmpty())
        return QFileInfo(m_path).fileName();
    return m_scenario.name.empty() ? tr("Untitled") : QString::fromStdString(m_scenario.name);
}

void Document::select(Selection selection) {
    std::erase_if(selection.nodes, [this](const auto& id) { return !m_scenario.findNode(id); });
    std::erase_if(selection.links, [this](const auto& id) { return !m_scenario.findLink(id); });
    if (selection == m_selection)
        return;
    m_selection = std::move(selection);
    emit selectionChanged();
}

void Document::adopt(engine::Scenario scenario, const QString& path) {
    m_scenario = std::move(scenario);
    m_path = path;
    const bool hadSelection = !m_selection.empty();
    m_selection = {};
    evaluateNow(); // before anybody hears of it: evaluation() always belongs to scenario()
    m_undoStack.clear();
    m_undoStack.setClean();
    emit reset();
    if (hadSelection)
        emit selectionChanged();
    emit changed();
    emit titleChanged();
}

void Document::stackMoved() {
    if (m_stale)
        refresh();
}

void Document::evaluateNow() {
    const auto start = std::chrono::steady_clock::now();
    m_evaluation = engine::evaluate(m_scenario);
    m_evaluationSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    m_diagnostics = engine::validate(m_scenario);
    m_stale = false;
}

void Document::refresh() {
    evaluateNow();
    select(Selection(m_selection)); // forgets what is gone
    emit changed();
    emit titleChanged();
}

} // namespace heteroscape::widgets
