// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/pins.h"

#include "widgets/document/difference_name.h"

#include <algorithm>
#include <array>

namespace heteroscape::widgets {

std::size_t Pins::add(const QString& name, const engine::Scenario& design, const Values& metrics) {
    const auto same = std::find_if(m_pins.begin(), m_pins.end(),
                                   [&design](const Pin& pin) { return pin.design == design; });
    if (same != m_pins.end())
        return static_cast<std::size_t>(same - m_pins.begin());
    const auto taken = [this](const QString& wanted) {
        return std::any_of(m_pins.begin(), m_pins.end(),
                           [&wanted](const Pin& pin) { return pin.name == wanted; });
    };
    auto own = name;
    const auto first =
        std::find_if(m_pins.begin(), m_pins.end(), [&name](const Pin& pin) { return pin.name == name; });
    if (first != m_pins.end()) // what tells it from the one that has the name
        if (const auto told = differenceNames(std::array{first->design, design})[1]; !told.isEmpty())
            own = tr("%1, %2").arg(name, told);
    for (int i = 2; taken(own); ++i)
        own = tr("%1, pin %2").arg(name).arg(i);
    m_pins.push_back({own, design, metrics});
    emit changed();
    return m_pins.size() - 1;
}

void Pins::setBaseline(std::optional<std::size_t> which) {
    if (which)
        static_cast<void>(m_pins.at(*which));
    if (m_baseline == which)
        return;
    m_baseline = which;
    emit changed();
}

void Pins::clear() {
    m_pins.clear();
    m_baseline.reset();
    emit changed();
}

} // namespace heteroscape::widgets
