// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/document.h"

#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/claims/claims.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/scenario/scenario_json.h"

#include <QFileInfo>
#include <algorithm>
#include <nlohmann/json.hpp>

namespace heteroscape::widgets {

namespace {

constexpr int kEditCommandId = 1;

/// Both are of the kind and `same` says so of them.
template <class Edit, class Same>
bool bothAre(const engine::GraphEdit& first, const engine::GraphEdit& second, const Same& same) {
    const auto* one = first.as<Edit>();
    const auto* other = second.as<Edit>();
    return one && other && same(*one, *other);
}

/// Both set the same properties, so that the later one alone says it all.
bool sameTarget(const engine::GraphEdit& first, const engine::GraphEdit& second) {
    return bothAre<engine::SetQuantity>(first, second,
                                        [](const auto& a, const auto& b) { return a.path == b.path; }) ||
           bothAre<engine::MoveNode>(first, second,
                                     [](const auto& a, const auto& b) { return a.id == b.id; }) ||
           bothAre<engine::PutNote>(first, second,
                                    [](const auto& a, const auto& b) { return a.note->id == b.note->id; }) ||
           bothAre<engine::EditList>(first, second, [](const auto& a, const auto& b) {
               return std::is_permutation(a.edits.begin(), a.edits.end(), b.edits.begin(), b.edits.end(),
                                          sameTarget);
           });
}

} // namespace

EditCommand::EditCommand(Document& document, engine::GraphEdit edit, engine::GraphEdit inverse,
                         QString gesture, const QString& text)
    : QUndoCommand(text), m_document(document), m_edit(std::move(edit)), m_inverse(std::move(inverse)),
      m_gesture(std::move(gesture)) {}

int EditCommand::id() const {
    return m_gesture.isEmpty() ? -1 : kEditCommandId;
}

bool EditCommand::mergeWith(const QUndoCommand* other) {
    const auto& later = static_cast<const EditCommand&>(*other); // the stack asks for equal ids only
    if (later.m_gesture != m_gesture)
        return false;
    if (sameTarget(m_edit, later.m_edit)) {
        m_edit = later.m_edit;
        setObsolete(engine::changesNothing(m_edit, m_inverse));
    } else {
        m_edit = engine::EditList{{m_edit, later.m_edit}};
        m_inverse = engine::EditList{{later.m_inverse, m_inverse}};
    }
    setText(later.text());
    return true;
}

void EditCommand::undo() {
    m_document.applyNow(m_inverse);
}

void EditCommand::redo() {
    if (!m_applied)
        m_document.applyNow(m_edit);
    m_applied = false;
}

ReplaceCommand::ReplaceCommand(Document& document, engine::Shared<engine::Scenario> after,
                               const QString& text)
    : QUndoCommand(text), m_document(document), m_before(document.shared()), m_after(std::move(after)) {}

void ReplaceCommand::undo() {
    m_document.replaceNow(m_before);
}

void ReplaceCommand::redo() {
    m_document.replaceNow(m_after);
}

namespace {

constexpr std::chrono::milliseconds kPatience{12};
constexpr std::chrono::milliseconds kPatienceToOpen{100};
constexpr std::size_t kNodesAtOnce = 100; ///< a larger design is handed to the evaluator a turn later

/// Drops the ids that none of these items has.
template <class Id, class Items>
void keepKnown(std::vector<Id>& ids, const Items& items) {
    if (!ids.empty())
        std::erase_if(ids, [known = byId(items)](const Id& id) { return !known.contains(id.value); });
}

} // namespace

Document::Document(std::shared_ptr<const engine::Catalog> catalog, QObject* parent)
    : QObject(parent), m_catalog(std::move(catalog)),
      m_file(
          [this](const engine::Scenario& scenario) {
              if (m_scenario == scenario)
                  m_undoStack.setClean();
              else
                  m_undoStack.resetClean(); // no step that is known is what the file holds
              emit titleChanged();
          },
          nullptr),
      m_traces({[this] { return m_scenario.serving; }, [this] { return path(); },
                [this](engine::TraceFile read) {
                    auto& wanted = m_scenario.serving.trace;
                    if (wanted.requests || wanted.path != read.path)
                        return; // another was chosen meanwhile
                    wanted = std::move(read);
                    ++m_generation;
                    refresh();
                },
                [this](engine::TraceFile chosen) {
                    auto serving = m_scenario.serving;
                    serving.setTrace(std::move(chosen));
                    serving.batching = &engine::batchingUnder(m_scenario, *serving.arrivals);
                    perform(engine::SetServing{std::move(serving)});
                }},
               nullptr) {
    m_toEvaluate.setSingleShot(true);
    connect(&m_toEvaluate, &QTimer::timeout, this, [this] { m_evaluator.evaluate(shared()); });
    connect(&m_evaluator, &Evaluator::finished, this, [this] { // too late for changed()
        auto design = m_evaluator.take({});
        if (!design || m_toEvaluate.isActive())
            return;
        m_evaluated = std::move(design);
        m_evaluating = false;
        emit evaluated();
    });
    // The stack is consistent again when it says that its index moved, so what listens to changed() may edit.
    connect(&m_undoStack, &QUndoStack::indexChanged, this, [this] {
        if (!m_stale)
            return;
        if (const auto& trace = m_scenario.serving.trace; trace.problem.empty() && !m_traces.isReading())
            m_traces.read(engine::TraceRights::BelowFolder); // a step of before it was read was taken back
        refresh();
    });
    connect(&m_undoStack, &QUndoStack::cleanChanged, this, &Document::titleChanged);
    newDesign();
}

bool Document::perform(const engine::GraphEdit& edit, const QString& gesture, const QString& text) {
    engine::GraphEdit inverse;
    auto name = text;
    try {
        if (name.isEmpty())
            name = QString::fromStdString(engine::describe(m_scenario, edit));
        ++m_generation;
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
        return perform(engine::setEdit(m_scenario, catalog(), path, text), gesture);
    } catch (const engine::Error& error) {
        emit refused(QString::fromStdString(error.what()));
        return false;
    }
}

const engine::Shared<engine::Scenario>& Document::shared() const {
    if (m_sharedGeneration != m_generation) {
        m_shared = m_scenario;
        m_sharedGeneration = m_generation;
    }
    return m_shared;
}

void Document::replaceScenario(const engine::Shared<engine::Scenario>& scenario, const QString& text) {
    if (*scenario != m_scenario)
        m_undoStack.push(new ReplaceCommand(*this, scenario, text));
}

engine::GraphEdit Document::applyNow(const engine::GraphEdit& edit) {
    m_stale = true;
    ++m_generation;
    return engine::applyEdit(m_scenario, edit);
}

void Document::replaceNow(const engine::Shared<engine::Scenario>& scenario) {
    m_stale = true;
    m_scenario = *scenario;
    m_shared = scenario;
    m_sharedGeneration = ++m_generation;
}

void Document::newDesign() {
    engine::Scenario scenario;
    const auto& models = catalog().models;
    const auto& workloads = catalog().workloads;
    if (!models.empty()) // the smallest fits most devices
        scenario.model = *std::min_element(models.begin(), models.end(), [](const auto& a, const auto& b) {
            return a.parameters() < b.parameters();
        });
    if (!workloads.empty())
        scenario.workload = workloads.front();
    adopt(std::move(scenario), {}, {});
}

void Document::openPreset(const std::string& id) {
    adopt(engine::loadPreset(catalog(), id, "preset"), {}, {}, id);
}

void Document::openFile(const QString& path) {
    const auto file = path.toStdString();
    const auto before = FileStamp::of(path); // what is written while it is read counts as changed
    adopt(engine::readScenario(engine::readJsonFile(file), catalog(), file), path, before, file);
}

void Document::openRecovered(engine::Scenario scenario, const QString& path) {
    adopt(std::move(scenario), path, path.isEmpty() ? FileStamp() : FileStamp::of(path));
    m_undoStack.resetClean(); // tells titleChanged()
}

QString Document::title() const {
    if (!path().isEmpty())
        return QFileInfo(path()).fileName();
    return m_scenario.name.empty() ? tr("Untitled") : QString::fromStdString(m_scenario.name);
}

void Document::select(Selection selection) {
    keepKnown(selection.nodes, m_scenario.nodes);
    keepKnown(selection.links, m_scenario.links);
    keepKnown(selection.notes, m_scenario.notes);
    if (selection == m_selection)
        return;
    m_selection = std::move(selection);
    emit selectionChanged();
}

void Document::adopt(engine::Scenario scenario, const QString& path, const FileStamp& file,
                     const std::string& origin) {
    ++m_generation;
    m_scenario = std::move(scenario);
    m_file.belongTo(path, file, origin, m_scenario);
    const bool hadSelection = !m_selection.empty();
    m_selection = {};
    m_evaluated = std::make_shared<EvaluatedDesign>(); // of the same ids in another design
    evaluateWithin(kPatienceToOpen);
    if (m_catalog.merge(m_scenario.own))
        emit catalogChanged();
    m_undoStack.clear();
    m_undoStack.setClean();
    m_traces.readAgain();
    emit reset();
    if (hadSelection)
        emit selectionChanged();
    emit changed();
    emit titleChanged();
}

void Document::evaluateWithin(std::chrono::milliseconds patience) {
    m_stale = false;
    m_evaluating = true;
    if (m_scenario.nodes.size() > kNodesAtOnce)
        return m_toEvaluate.start(0);
    m_toEvaluate.stop();
    m_evaluator.evaluate(shared());
    if (auto design = m_evaluator.take(patience)) {
        m_evaluating = false;
        m_evaluated = std::move(design);
    }
}

void Document::setCatalog(std::shared_ptr<const engine::Catalog> catalog) {
    m_catalog.setBase(std::move(catalog));
    m_catalog.merge(m_scenario.own);
    emit catalogChanged();
}

void Document::refresh() {
    if (m_catalog.merge(m_scenario.own))
        emit catalogChanged();
    evaluateWithin(kPatience);
    select(Selection(m_selection)); // forgets what is gone
    emit changed();
    emit titleChanged();
}

} // namespace heteroscape::widgets

#include "moc_document.cpp"
