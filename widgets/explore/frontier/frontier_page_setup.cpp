// SPDX-License-Identifier: GPL-3.0-or-later
// What the page is set up to, and what changes it.
#include "engine/base/error.h"
#include "widgets/document/document.h"
#include "widgets/explore/frontier/frontier_bar.h"
#include "widgets/explore/frontier/frontier_page.h"
#include "widgets/explore/frontier/frontier_side.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/theme/plain_text.h"

#include <QComboBox>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace heteroscape::widgets {

std::string frontierComputedPart(engine::FrontierDefinition definition) {
    definition.shown = {};
    return engine::writeFrontier(definition).dump();
}

void FrontierPage::begin() {
    if (m_frontier->count() > 0)
        adopt(engine::findFrontier(m_document->catalog(), m_frontier->itemData(0).toString().toStdString()));
}

void FrontierPage::changeShown(const engine::FrontierShown& to) {
    auto definition = m_definition;
    definition.shown = to;
    adopt(std::move(definition));
}

void FrontierPage::adopt(engine::FrontierDefinition definition) {
    m_definition = std::move(definition);
    const auto folder = m_document->catalog().folder;
    const auto& systems = m_definition.systems;
    m_shipped = 0;
    const auto ids = engine::shippedFrontiers(folder);
    if (std::find(ids.begin(), ids.end(), m_definition.id) != ids.end()) {
        const auto shipped = engine::findFrontier(m_document->catalog(), m_definition.id).systems;
        while (m_shipped < std::min(systems.size(), shipped.size()) &&
               systems[m_shipped].name == shipped[m_shipped].name)
            ++m_shipped;
    }
    m_frontier->setCurrentIndex(m_frontier->findData(QString::fromStdString(m_definition.id)));
    m_frontier->setToolTip(plainTip(QString::fromStdString(m_definition.about)));
    m_axis->setCurrentIndex(static_cast<int>(m_definition.shown.axis));
    m_along->setCurrentIndex(static_cast<int>(m_definition.shown.along));
    m_bar->setDefinition(m_definition);
    m_side->setLimits(m_definition.shown);
    if (frontierComputedPart(m_definition) == m_ranWith)
        refresh();
    else
        run();
}

void FrontierPage::showFrontier(const QString& id) {
    load();
    try {
        auto to = engine::findFrontier(m_document->catalog(), id.toStdString());
        for (auto i = m_shipped; i < m_definition.systems.size(); ++i) // the user's go along
            to.systems.push_back(m_definition.systems[i]);
        adopt(std::move(to));
    } catch (const engine::Error& error) {
        m_notice->showError(QString::fromStdString(error.what()));
    }
}

void FrontierPage::addDesign(const QString& name, const engine::Scenario& design) {
    auto kept = design;
    kept.searches.clear(); // they are no part of it
    engine::FrontierSystem system;
    system.open = std::make_shared<const engine::Scenario>(std::move(kept));
    addSystem(name, std::move(system));
}

void FrontierPage::addSystem(const QString& name, engine::FrontierSystem system) {
    load();
    auto to = m_definition;
    const auto isTaken = [&](const std::string& wanted) {
        return std::any_of(to.systems.begin(), to.systems.end(),
                           [&](const auto& one) { return one.name == wanted; });
    };
    system.name = name.toStdString();
    for (int again = 2; isTaken(system.name); ++again)
        system.name = QStringLiteral("%1 (%2)").arg(name).arg(again).toStdString();
    to.systems.push_back(std::move(system));
    adopt(std::move(to));
}

} // namespace heteroscape::widgets
