// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/evaluator.h"

#include "engine/evaluation/evaluate.h"

#include <utility>

namespace heteroscape::widgets {

EvaluatedDesign evaluateDesign(engine::Scenario scenario) {
    const auto start = std::chrono::steady_clock::now();
    EvaluatedDesign design;
    design.evaluation = engine::evaluate(scenario);
    design.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    design.diagnostics = engine::validate(scenario);
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i)
        design.nodeIndex.emplace(scenario.nodes[i].id.value, i);
    for (std::size_t i = 0; i < scenario.links.size(); ++i)
        design.linkIndex.emplace(scenario.links[i].id.value, i);
    design.scenario = std::move(scenario);
    return design;
}

Evaluator::Evaluator(QObject* parent)
    : QObject(parent), m_thread([this](const std::stop_token& stop) { work(stop); }) {}

Evaluator::~Evaluator() {
    m_thread.request_stop();
    m_thread.join(); // before what it works on goes
}

void Evaluator::evaluate(engine::Scenario scenario) {
    const std::lock_guard lock(m_mutex);
    m_next = std::make_unique<engine::Scenario>(std::move(scenario));
    m_result.reset();
    ++m_generation;
    m_wakeUp.notify_one();
}

std::shared_ptr<const EvaluatedDesign> Evaluator::take(std::chrono::milliseconds patience) {
    std::unique_lock lock(m_mutex);
    m_done.wait_for(lock, patience, [this] { return m_result != nullptr; });
    return std::exchange(m_result, nullptr);
}

void Evaluator::work(const std::stop_token& stop) {
    for (;;) {
        std::unique_lock lock(m_mutex);
        if (!m_wakeUp.wait(lock, stop, [this] { return m_next != nullptr; }))
            return;
        const auto scenario = std::exchange(m_next, nullptr);
        const auto generation = m_generation;
        lock.unlock();
        auto design = std::make_shared<const EvaluatedDesign>(evaluateDesign(std::move(*scenario)));
        lock.lock();
        if (generation != m_generation)
            continue;
        m_result = std::move(design);
        m_done.notify_all();
        lock.unlock();
        QMetaObject::invokeMethod(
            this,
            [this, generation] {
                std::unique_lock check(m_mutex);
                const bool waiting = m_result && generation == m_generation;
                check.unlock();
                if (waiting)
                    emit finished();
            },
            Qt::QueuedConnection);
    }
}

} // namespace heteroscape::widgets
