// SPDX-License-Identifier: GPL-3.0-or-later
// What the page is set up to: the design keeps it, and every change of it is an edit.
#include "engine/base/error.h"
#include "widgets/document/document.h"
#include "widgets/explore/frontier/frontier_bar.h"
#include "widgets/explore/frontier/frontier_lines.h"
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
    m_kept.reset();
    follow();
}

void FrontierPage::follow() {
    const auto& kept = m_document->scenario().frontier;
    if (!m_begun || kept == m_kept)
        return;
    m_kept = kept;
    try {
        const auto& catalog = m_document->catalog();
        if (auto definition = engine::keptFrontier(m_document->scenario(), catalog))
            adopt(*std::move(definition));
        else if (m_frontier->count() > 0)
            adopt(engine::findFrontier(catalog, m_frontier->itemData(0).toString().toStdString()));
    } catch (const engine::Error& error) {
        m_notice->showError(QString::fromStdString(error.what()));
    }
}

void FrontierPage::change(engine::FrontierDefinition to, const QString& text, const QString& gesture) {
    m_begun = true;
    m_kept = engine::keepFrontier(to);
    adopt(std::move(to));
    m_document->perform(engine::SetFrontier{*m_kept}, gesture, text);
}

void FrontierPage::changeShown(const engine::FrontierShown& to, const QString& text, const QString& gesture) {
    auto definition = m_definition;
    definition.shown = to;
    change(std::move(definition), text, gesture);
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
        const auto name = QString::fromStdString(to.name);
        change(std::move(to), tr("Show the frontier \u201c%1\u201d").arg(name));
    } catch (const engine::Error& error) {
        m_notice->showError(QString::fromStdString(error.what()));
    }
}

void FrontierPage::addDesign(const QString& name, const engine::Scenario& design) {
    auto kept = design;
    kept.dropKept();
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
    change(std::move(to), tr("Put %1 on the frontier").arg(name));
}

void FrontierPage::moveLine(int line, double at, bool done) {
    const auto lines = frontierLines(m_definition.shown);
    if (line < 0 || static_cast<std::size_t>(line) >= lines.size())
        return;
    const auto kind = lines[static_cast<std::size_t>(line)].kind;
    auto shown = m_definition.shown;
    setFrontierLine(shown, {kind, frontierLineValue(kind, at)});
    if (!m_held)
        m_held = m_definition.shown;
    m_definition.shown = shown;
    m_side->setLimits(shown);
    if (done && shown != std::exchange(m_held, std::nullopt))
        return changeShown(shown, tr("Move a limit of the frontier"));
    refresh();
}

} // namespace heteroscape::widgets
