// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"
#include "engine/scenario/diagnostics.h"

#include <QObject>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <unordered_map>

namespace heteroscape::widgets {

/// A design and what came of it: values, for any thread.
struct EvaluatedDesign {
    engine::Scenario scenario;
    engine::Evaluation evaluation;
    std::vector<engine::Diagnostic> diagnostics;
    double seconds = 0.0; ///< that it took
    std::unordered_map<std::string, std::size_t> nodeIndex;
    std::unordered_map<std::string, std::size_t> linkIndex;
};

/// Evaluates and checks designs on a thread of its own, always the newest that it was given: one that waits
/// is forgotten when another comes. Public functions are for the thread that owns it; destroying it waits for
/// what is under way.
class Evaluator : public QObject {
    Q_OBJECT
public:
    explicit Evaluator(QObject* parent = nullptr);
    ~Evaluator() override;

    void evaluate(engine::Scenario scenario);
    /// The newest design once it is done, waiting at most that long for it; null when it is not done yet.
    /// Then finished() comes later.
    std::shared_ptr<const EvaluatedDesign> take(std::chrono::milliseconds patience);

signals:
    /// The newest design is done and was not taken yet; on the owner's thread.
    void finished();

private:
    void work(const std::stop_token& stop);

    std::mutex m_mutex;
    std::condition_variable_any m_wakeUp;
    std::condition_variable m_done;
    std::unique_ptr<engine::Scenario> m_next;
    std::shared_ptr<const EvaluatedDesign> m_result; ///< of m_generation, else null
    std::uint64_t m_generation = 0;
    std::jthread m_thread;
};

/// The same at once, on the calling thread.
EvaluatedDesign evaluateDesign(engine::Scenario scenario);

} // namespace heteroscape::widgets
