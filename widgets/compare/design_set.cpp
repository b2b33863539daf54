// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/design_set.h"

#include "widgets/document/difference_name.h"

#include <algorithm>
#include <array>

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

QString DesignSet::freeName(const QString& stem) const {
    auto name = stem;
    const auto isTaken = [this, &name] {
        return std::any_of(m_inputs.begin(), m_inputs.end(),
                           [&name](const DesignInput& input) { return input.name == name; });
    };
    for (int i = 2; isTaken(); ++i)
        name = QStringLiteral("%1 (%2)").arg(stem).arg(i);
    return name;
}

void DesignSet::add(DesignInput design) {
    const auto first = std::find_if(m_inputs.begin(), m_inputs.end(), [&design](const DesignInput& input) {
        return input.name == design.name;
    });
    if (first != m_inputs.end()) // what tells it from the one that has the name, as pins are named
        if (const auto told = differenceNames(std::array{first->scenario, design.scenario})[1];
            !told.isEmpty())
            design.name = tr("%1, %2").arg(design.name, told);
    design.name = freeName(design.name);
    m_inputs.push_back(std::move(design));
    m_own.emplace_back();
    emit inputsChanged();
    run();
}

void DesignSet::remove(std::size_t index) {
    if (index == 0 || index >= m_inputs.size())
        return;
    m_inputs.erase(m_inputs.begin() + static_cast<std::ptrdiff_t>(index));
    m_own.erase(m_own.begin() + static_cast<std::ptrdiff_t>(index));
    if (m_reference == index)
        m_reference = 0;
    else if (m_reference > index)
        --m_reference;
    emit inputsChanged();
    run();
}

void DesignSet::serveAlike() {
    const auto& open = m_inputs.front().scenario;
    for (std::size_t i = 1; i < m_inputs.size(); ++i) {
        auto& input = m_inputs[i];
        auto served = input.scenario;
        served.model = open.model;
        served.workload = open.workload;
        served.serving = open.serving;
        if (served == input.scenario)
            continue;
        if (!m_own[i]) {
            m_own[i] = input;
            input.name = freeName(tr("%1, same workload").arg(input.name));
        }
        input.scenario = std::move(served);
    }
    emit inputsChanged();
    run();
}

void DesignSet::serveOwn() {
    for (std::size_t i = 1; i < m_inputs.size(); ++i) {
        if (!m_own[i])
            continue;
        m_inputs[i].scenario = m_own[i]->scenario;
        m_inputs[i].name = freeName(m_own[i]->name); // another may have come by that name since
        m_own[i].reset();
    }
    emit inputsChanged();
    run();
}

bool DesignSet::anyServesAlike() const {
    return std::any_of(m_own.begin(), m_own.end(), [](const auto& own) { return own.has_value(); });
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
