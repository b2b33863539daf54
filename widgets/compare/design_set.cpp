// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/design_set.h"

#include <algorithm>

namespace heteroscape::widgets {

DesignSet::DesignSet(QObject* parent) : QObject(parent) {
    connect(&m_job, &Job::failed, this, &DesignSet::failed);
}

void DesignSet::setOpen(DesignInput open) {
    if (m_inputs.front() == open && (isBusy() || !m_designs.empty()))
        return;
    m_inputs.front() = std::move(open);
    emit inputsChanged();
    run();
}

void DesignSet::add(DesignInput design) {
    const auto taken = [this](const QString& name) {
        return std::any_of(m_inputs.begin(), m_inputs.end(),
                           [&](const DesignInput& input) { return input.name == name; });
    };
    const auto stem = design.name;
    for (int i = 2; taken(design.name); ++i)
        design.name = QStringLiteral("%1 (%2)").arg(stem).arg(i);
    m_inputs.push_back(std::move(design));
    emit inputsChanged();
    run();
}

void DesignSet::remove(std::size_t index) {
    if (index == 0 || index >= m_inputs.size())
        return;
    m_inputs.erase(m_inputs.begin() + static_cast<std::ptrdiff_t>(index));
    if (m_reference == index)
        m_reference = 0;
    else if (m_reference > index)
        --m_reference;
    emit inputsChanged();
    run();
}

void DesignSet::serveAlike() {
    const auto& open = m_inputs.front().scenario;
    for (auto& input : m_inputs) {
        auto served = input.scenario;
        served.model = open.model;
        served.workload = open.workload;
        served.serving = open.serving;
        if (served == input.scenario)
            continue;
        input.scenario = std::move(served);
        const auto suffix = tr(", same workload");
        if (!input.name.endsWith(suffix))
            input.name += suffix;
    }
    emit inputsChanged();
    run();
}

void DesignSet::setReference(std::size_t index) {
    if (index >= m_inputs.size() || index == m_reference)
        return;
    m_reference = index;
    emit inputsChanged();
    if (!isBusy())
        emit evaluated();
}

void DesignSet::run() {
    m_job.start([this, inputs = m_inputs, known = m_designs](JobRun& run) -> Job::Show {
        ComparedDesigns designs;
        std::vector<engine::Scenario> scenarios;
        for (const auto& input : inputs) {
            if (run.isStopped())
                return {};
            const auto same = std::find_if(known.begin(), known.end(),
                                           [&](const auto& design) { return design->input == input; });
            designs.push_back(same != known.end() ? *same : compareDesign(input, run.stop()));
            scenarios.push_back(input.scenario);
        }
        return [this, designs, properties = engine::compareProperties(scenarios)] {
            m_designs = designs;
            m_properties = properties;
            emit evaluated();
        };
    });
}

} // namespace heteroscape::widgets
