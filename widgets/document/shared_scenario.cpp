// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/shared_scenario.h"

#include "widgets/document/one_of_document.h"

namespace heteroscape::widgets {

std::shared_ptr<const engine::Scenario> SharedScenario::of(Document& document) {
    auto& shared = oneOf<SharedScenario>(document, [&] { return new SharedScenario(document); });
    auto copy = shared.m_generation == document.generation() ? shared.m_copy.lock() : nullptr;
    if (!copy) {
        copy = std::make_shared<const engine::Scenario>(document.scenario());
        shared.m_copy = copy;
        shared.m_generation = document.generation();
    }
    return copy;
}

} // namespace heteroscape::widgets
