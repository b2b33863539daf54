// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/shared.h"
#include "engine/evaluation/evaluation.h"
#include "engine/scenario/diagnostics.h"
#include "widgets/jobs/job.h"

#include <QObject>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

namespace heteroscape::widgets {

/// A design and what came of it: values, for any thread.
struct EvaluatedDesign {
    engine::Shared<engine::Scenario> scenario;
    engine::Evaluation evaluation;
    std::vector<engine::Diagnostic> diagnostics;
    double seconds = 0.0; ///< that it took
    std::unordered_map<std::string, std::size_t> nodeIndex;
    std::unordered_map<std::string, std::size_t> linkIndex;

    /// Metrics of a node and of a link; null while there are none.
    const engine::NodeEvaluation* node(const engine::NodeId& id) const;
    const engine::LinkEvaluation* link(const engine::LinkId& id) const;
};

/// The same at once, on the calling thread.
EvaluatedDesign evaluateDesign(const engine::Shared<engine::Scenario>& scenario);

/// Evaluates and checks designs on a thread of its own, always the newest that it was given: one that waits
/// is forgotten when another comes. A design whose evaluation breaks off comes without metrics, with one
/// finding that says why. UI thread.
class Evaluator : public QObject {
    Q_OBJECT
public:
    using Evaluate =
        std::function<EvaluatedDesign(const engine::Shared<engine::Scenario>&)>; ///< called on the thread

    explicit Evaluator(QObject* parent = nullptr, Evaluate evaluate = evaluateDesign);
    ~Evaluator() override;

    void evaluate(const engine::Shared<engine::Scenario>& scenario);
    /// The newest design once it is done, waiting at most that long for it; null when it is not done yet.
    /// Then finished() comes later.
    std::shared_ptr<const EvaluatedDesign> take(std::chrono::milliseconds patience);

signals:
    /// The newest design is done and was not taken yet; on the owner's thread.
    void finished();

private:
    struct Answer;

    Evaluate m_evaluate;
    std::shared_ptr<Answer> m_answer; ///< of the newest design; null: taken, or nothing was asked
    Job m_job;
};

} // namespace heteroscape::widgets
