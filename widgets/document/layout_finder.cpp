// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/layout_finder.h"
#include "widgets/document/one_of_document.h"

#include "engine/scenario/node_fields.h"

namespace heteroscape::widgets {

LayoutFinder& LayoutFinder::of(Document& document) {
    return oneOf<LayoutFinder>(document, [&] { return new LayoutFinder(document); });
}

LayoutFinder::LayoutFinder(Document& document) : QObject(&document), m_document(document) {
    connect(&document, &Document::changed, this, &LayoutFinder::forget);
    connect(&document, &Document::evaluated, this, &LayoutFinder::forget);
    m_gather.setSingleShot(true);
    m_gather.setInterval(kGather);
    connect(&m_gather, &QTimer::timeout, this, &LayoutFinder::found);
    connect(&m_job, &Job::failed, this, &LayoutFinder::found); // nothing is known, and nothing proposed
    connect(&m_job, &Job::finished, this, [this] {
        if (m_gather.isActive())
            tell();
    });
}

void LayoutFinder::tell() {
    m_gather.stop();
    emit found();
}

void LayoutFinder::forget() {
    if (m_generation == m_document.generation())
        return;
    m_generation = m_document.generation();
    if (m_scenario && **m_scenario == m_document.scenario())
        return;
    m_gather.stop();
    m_job.drop();
    m_known.clear();
    m_scenario.reset();
}

const engine::LayoutRanking* LayoutFinder::known(const engine::NodeId& node, engine::Metric metric) const {
    const auto entry = m_known.find({node, metric});
    return entry == m_known.end() || !entry->second ? nullptr : &*entry->second;
}

const engine::LayoutRanking* LayoutFinder::ask(const engine::NodeId& node, engine::Metric metric) {
    if (m_document.isEvaluating()) // the answer would be about an older design
        return nullptr;
    forget(); // whoever asks may have been told of a change first
    const Key key{node, metric};
    if (const auto asked = m_known.find(key); asked != m_known.end())
        return asked->second ? &*asked->second : nullptr;
    m_known[key].reset();
    if (!m_scenario)
        m_scenario = m_document.shared();
    m_job.start([this, key, scenario = *m_scenario](JobRun& run) {
        auto ranking = engine::rankLayouts(*scenario, key.first, key.second, kMost, run.stop());
        return [this, key, ranking = std::move(ranking)] {
            if (!ranking.complete)
                return;
            m_known[key] = ranking;
            if (!m_gather.isActive())
                m_gather.start();
        };
    });
    return nullptr;
}

bool LayoutFinder::isOpen(const engine::Scenario& scenario, const engine::Node& node) {
    return engine::isAccelerator(node.device.kind) && node.runtime && !scenario.model.isUniform() &&
           engine::layoutChoiceDevices(node) > 1.0 && !engine::hasLayout(node);
}

const engine::RankedLayout* LayoutFinder::proposal(const engine::NodeId& id) const {
    const auto* node = m_document.scenario().findNode(id);
    if (!node || !isOpen(m_document.scenario(), *node))
        return nullptr;
    const auto* ranking = known(id, engine::Metric::Throughput);
    return ranking ? ranking->better(kWorthProposing) : nullptr;
}

} // namespace heteroscape::widgets
