// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/document.h"

#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/claims/claims.h"
#include "engine/scenario/scenario_json.h"
#include "widgets/document/edit_command.h"

#include <nlohmann/json.hpp>

#include <QFileInfo>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr std::chrono::milliseconds kPatience{12};
constexpr std::chrono::milliseconds kPatienceToOpen{100};

} // namespace

Document::Document(std::shared_ptr<const engine::Catalog> catalog, QObject* parent)
    : QObject(parent), m_base(std::move(catalog)), m_catalog(m_base) {
    connect(&m_evaluator, &Evaluator::finished, this, &Document::takeLate);
    // The stack is consistent again when it says that its index moved, so what listens to changed() may edit.
    connect(&m_undoStack, &QUndoStack::indexChanged, this, &Document::stackMoved);
    connect(&m_undoStack, &QUndoStack::cleanChanged, this, &Document::titleChanged);
    connect(&m_saveJob, &Job::failed, this, &Document::saveFailed);
    connect(&m_traceJob, &Job::failed, this, &Document::traceRefused);
    connect(&m_traceJob, &Job::finished, this, &Document::traceRead);
    newDesign();
}

bool Document::perform(const engine::GraphEdit& edit, const QString& gesture, const QString& text) {
    engine::GraphEdit inverse;
    auto name = text;
    try {
        if (name.isEmpty())
            name = QString::fromStdString(engine::describe(m_scenario, edit));
        inverse = engine::applyEdit(m_scenario, edit);
    } catch (const engine::Error& error) {
        emit refused(QString::fromStdString(error.what()));
        return false;
    }
    if (engine::changesNothing(edit, inverse))
        return true;
    m_stale = true;
    m_undoStack.push(new EditCommand(*this, edit, inverse, gesture, name));
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
    const auto file = path.toStdString();
    const auto before = FileStamp::of(path); // what is written while it is read counts as changed
    adopt(engine::readScenario(engine::readJsonFile(file), *m_catalog, file), path);
    m_file = before;
}

bool Document::isFileChanged() const {
    const auto now = m_path.isEmpty() ? FileStamp() : FileStamp::of(m_path);
    return now != FileStamp() && now != m_file;
}

void Document::openRecovered(engine::Scenario scenario, const QString& path) {
    adopt(std::move(scenario), path);
    m_undoStack.resetClean(); // tells titleChanged()
}

void Document::save(const QString& path) {
    m_saveJob.start([this, path, scenario = m_scenario, opened = m_opened](JobRun&) -> Job::Show {
        engine::saveScenario(scenario, path.toStdString());
        return [this, path, scenario, opened, stamp = FileStamp::of(path)] {
            if (opened != m_opened)
                return;
            m_path = path;
            m_file = stamp;
            if (m_scenario == scenario)
                m_undoStack.setClean();
            else
                m_undoStack.resetClean(); // no step that is known is what the file holds
            emit titleChanged();
            emit saved(path);
        };
    });
}

QString Document::title() const {
    if (!m_path.isEmpty())
        return QFileInfo(m_path).fileName();
    return m_scenario.name.empty() ? tr("Untitled") : QString::fromStdString(m_scenario.name);
}

void Document::select(Selection selection) {
    std::erase_if(selection.nodes, [this](const auto& id) { return !m_scenario.findNode(id); });
    std::erase_if(selection.links, [this](const auto& id) { return !m_scenario.findLink(id); });
    std::erase_if(selection.notes, [this](const auto& id) { return !m_scenario.findNote(id); });
    if (selection == m_selection)
        return;
    m_selection = std::move(selection);
    emit selectionChanged();
}

void Document::adopt(engine::Scenario scenario, const QString& path) {
    m_scenario = std::move(scenario);
    m_path = path;
    m_file = path.isEmpty() ? FileStamp() : FileStamp::of(path);
    const bool hadSelection = !m_selection.empty();
    ++m_opened;
    m_selection = {};
    m_evaluated = std::make_shared<EvaluatedDesign>(); // of the same ids in another design
    evaluateWithin(kPatienceToOpen);
    mergeCatalog();
    m_undoStack.clear();
    m_undoStack.setClean();
    m_traceJob.drop();
    readTrace(engine::TraceRights::BelowFolder);
    emit reset();
    if (hadSelection)
        emit selectionChanged();
    emit changed();
    emit titleChanged();
}

void Document::stackMoved() {
    if (!m_stale)
        return;
    if (const auto& trace = m_scenario.serving.trace; trace.problem.empty() && !m_traceJob.isBusy())
        readTrace(engine::TraceRights::BelowFolder); // a step of the time before it was read was taken back
    refresh();
}

void Document::readTrace(engine::TraceRights rights) {
    const auto& trace = m_scenario.serving.trace;
    if (trace.requests || trace.path.empty())
        return;
    const auto folder = m_path.isEmpty() ? std::string() : engine::designFolder(m_path.toStdString());
    m_traceJob.start([this, serving = m_scenario.serving, folder, rights](JobRun&) mutable -> Job::Show {
        engine::loadTrace(serving, folder, rights);
        return [this, read = std::move(serving.trace)] {
            auto& wanted = m_scenario.serving.trace;
            if (wanted.requests || wanted.path != read.path)
                return; // another was chosen meanwhile
            wanted = read;
            refresh();
        };
    });
}

void Document::chooseTrace(const QString& path) {
    m_traceJob.start([this, file = path.toStdString()](JobRun&) -> Job::Show {
        auto requests = std::make_shared<const engine::RequestTrace>(engine::readRequestTrace(file));
        return [this, file, requests = std::move(requests)] {
            engine::SetServing edit{m_scenario.serving};
            edit.serving.setTrace({file, requests, {}});
            perform(edit);
        };
    });
}

void Document::evaluateWithin(std::chrono::milliseconds patience) {
    m_stale = false;
    m_evaluator.evaluate(m_scenario);
    auto design = m_evaluator.take(patience);
    m_evaluating = !design;
    if (design)
        m_evaluated = std::move(design);
}

void Document::takeLate() {
    auto design = m_evaluator.take({});
    if (!design)
        return;
    m_evaluated = std::move(design);
    m_evaluating = false;
    emit evaluated();
}

void Document::setCatalog(std::shared_ptr<const engine::Catalog> catalog) {
    m_base = m_catalog = std::move(catalog);
    m_merged = {};
    mergeCatalog();
    if (m_merged.empty())
        emit catalogChanged();
}

void Document::mergeCatalog() {
    if (m_merged == m_scenario.own)
        return;
    m_merged = m_scenario.own;
    m_catalog = m_merged.empty() ? m_base
                                 : std::make_shared<const engine::Catalog>(engine::withParts(
                                       *m_base, m_merged.devices, m_merged.models, m_merged.workloads));
    emit catalogChanged();
}

const engine::NodeEvaluation* Document::nodeResult(const engine::NodeId& id) const {
    const auto found = m_evaluated->nodeIndex.find(id.value);
    const auto& results = m_evaluated->evaluation.nodes;
    return found == m_evaluated->nodeIndex.end() || found->second >= results.size() ? nullptr
                                                                                    : &results[found->second];
}

const engine::LinkEvaluation* Document::linkResult(const engine::LinkId& id) const {
    const auto found = m_evaluated->linkIndex.find(id.value);
    const auto& results = m_evaluated->evaluation.links;
    return found == m_evaluated->linkIndex.end() || found->second >= results.size() ? nullptr
                                                                                    : &results[found->second];
}

void Document::refresh() {
    mergeCatalog();
    evaluateWithin(kPatience);
    select(Selection(m_selection)); // forgets what is gone
    emit changed();
    emit titleChanged();
}

} // namespace heteroscape::widgets
