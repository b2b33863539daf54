// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/evaluator.h"

#include "engine/evaluation/evaluate.h"

#include <exception>
#include <future>
#include <utility>

namespace heteroscape::widgets {

namespace {

/// Null where the evaluation has none.
template <class Result>
const Result* resultOf(const std::unordered_map<std::string, std::size_t>& index,
                       const std::vector<Result>& results, const std::string& id) {
    const auto found = index.find(id);
    return found == index.end() || found->second >= results.size() ? nullptr : &results[found->second];
}

} // namespace

const engine::NodeEvaluation* EvaluatedDesign::node(const engine::NodeId& id) const {
    return resultOf(nodeIndex, evaluation.nodes, id.value);
}

const engine::LinkEvaluation* EvaluatedDesign::link(const engine::LinkId& id) const {
    return resultOf(linkIndex, evaluation.links, id.value);
}

EvaluatedDesign evaluateDesign(const engine::Shared<engine::Scenario>& scenario) {
    const auto start = std::chrono::steady_clock::now();
    EvaluatedDesign design;
    design.evaluation = engine::evaluate(scenario);
    design.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    design.diagnostics = engine::validate(scenario);
    for (std::size_t i = 0; i < scenario->nodes.size(); ++i)
        design.nodeIndex.emplace(scenario->nodes[i].id.value, i);
    for (std::size_t i = 0; i < scenario->links.size(); ++i)
        design.linkIndex.emplace(scenario->links[i].id.value, i);
    design.scenario = scenario;
    return design;
}

namespace {

/// No metrics, and why.
EvaluatedDesign brokenDesign(const char* problem) {
    EvaluatedDesign design;
    design.diagnostics.push_back(
        {engine::Severity::Error,
         {},
         Evaluator::tr("This design cannot be evaluated: %1").arg(QString::fromUtf8(problem)).toStdString(),
         Evaluator::tr("Undo the last change, or save the design and report the problem with it")
             .toStdString(),
         "evaluation_broke_off"});
    return design;
}

} // namespace

/// What the UI thread waits for a moment.
struct Evaluator::Answer {
    std::promise<std::shared_ptr<const EvaluatedDesign>> promise;
    std::future<std::shared_ptr<const EvaluatedDesign>> design = promise.get_future();
};

Evaluator::Evaluator(QObject* parent, Evaluate evaluate) : QObject(parent), m_evaluate(std::move(evaluate)) {}

Evaluator::~Evaluator() = default;

void Evaluator::evaluate(const engine::Shared<engine::Scenario>& scenario) {
    m_answer = std::make_shared<Answer>();
    m_job.start([this, answer = m_answer, evaluate = m_evaluate, scenario](JobRun&) -> Job::Show {
        EvaluatedDesign design;
        try {
            design = evaluate(scenario);
        } catch (const std::exception& problem) { // an answer too: else the design would be waited for
            design = brokenDesign(problem.what());
        } catch (...) {
            design = brokenDesign("unknown error");
        }
        answer->promise.set_value(std::make_shared<const EvaluatedDesign>(std::move(design)));
        return [this, answer] {
            if (answer == m_answer)
                emit finished();
        };
    });
}

std::shared_ptr<const EvaluatedDesign> Evaluator::take(std::chrono::milliseconds patience) {
    if (!m_answer || m_answer->design.wait_for(patience) != std::future_status::ready)
        return nullptr;
    return std::exchange(m_answer, nullptr)->design.get();
}

} // namespace heteroscape::widgets

#include "moc_evaluator.cpp"
