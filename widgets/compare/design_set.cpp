// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/design_set.h"

#include <QMetaObject>

#include <algorithm>
#include <exception>

namespace heteroscape::widgets {

DesignSet::DesignSet(QObject* parent) : QObject(parent) {}

DesignSet::~DesignSet() {
    m_thread.request_stop();
    if (m_thread.joinable())
        m_thread.join(); // before this object goes: the thread posts to it
}

void DesignSet::setOpen(DesignInput open) {
    if (m_inputs.front() == open && (m_busy || !m_designs.empty()))
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

void DesignSet::setReference(std::size_t index) {
    if (index >= m_inputs.size() || index == m_reference)
        return;
    m_reference = index;
    emit inputsChanged();
    if (!m_busy)
        emit evaluated();
}

void DesignSet::run() {
    m_thread.request_stop();
    if (m_thread.joinable())
        m_thread.join(); // an evaluation takes little; a simulation heeds the stop
    m_busy = true;
    const auto generation = ++m_generation;
    m_thread = std::jthread([this, generation, inputs = m_inputs, known = m_designs](std::stop_token stop) {
        const auto post = [this](auto call) {
            QMetaObject::invokeMethod(this, std::move(call), Qt::QueuedConnection);
        };
        try {
            ComparedDesigns designs;
            std::vector<engine::Scenario> scenarios;
            for (const auto& input : inputs) {
                if (stop.stop_requested())
                    return;
                const auto same = std::find_if(known.begin(), known.end(),
                                               [&](const auto& design) { return design->input == input; });
                designs.push_back(same != known.end() ? *same : compareDesign(input, stop));
                scenarios.push_back(input.scenario);
            }
            auto properties = engine::compareProperties(scenarios);
            if (stop.stop_requested())
                return;
            post([this, generation, designs = std::move(designs),
                  properties = std::move(properties)]() mutable {
                take(generation, std::move(designs), std::move(properties));
            });
        } catch (const std::exception& error) {
            post([this, generation, message = QString::fromUtf8(error.what())] {
                if (generation != m_generation)
                    return;
                m_busy = false;
                emit failed(message);
            });
        }
    });
}

void DesignSet::take(std::uint64_t generation, ComparedDesigns designs,
                     std::vector<engine::PropertyComparison> properties) {
    if (generation != m_generation)
        return;
    m_busy = false;
    m_designs = std::move(designs);
    m_properties = std::move(properties);
    emit evaluated();
}

} // namespace heteroscape::widgets
