// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/link_page.h"

#include "widgets/document/document.h"
#include "widgets/inspector/choice_edit.h"
#include "widgets/inspector/property_rows.h"
#include "widgets/inspector/section.h"
#include "widgets/inspector/stack_bar.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/text_label.h"

namespace heteroscape::widgets {

LinkPage::LinkPage(Document& document, engine::LinkId id, QWidget* parent)
    : InspectorPage(document, parent), m_id(std::move(id)) {
    const auto prefix = "links." + m_id.value + ".";
    auto* section = addSection(tr("Connection"));
    later(section, [=, this] { offerKinds(*addChoice(section, prefix + "type")); });
    for (const auto& field : engine::linkTypeFields())
        laterQuantity(section, prefix + std::string(field.spec.key));
    auto* traffic = addSection(tr("Traffic"));
    later(traffic, [=, this] { addTraffic(traffic); });
}

std::string LinkPage::shape() const {
    return document().scenario().findLink(m_id) ? "link " + m_id.value : std::string();
}

void LinkPage::offerKinds(ChoiceRow& row) {
    const auto& scenario = document().scenario();
    const auto* link = scenario.findLink(m_id);
    const auto* from = link ? scenario.findNode(link->from) : nullptr;
    const auto* to = link ? scenario.findNode(link->to) : nullptr;
    if (!from || !to)
        return;
    std::vector<std::string> ids;
    for (const auto* kind : document().catalog().linkOffers(from->device, to->device))
        ids.push_back(kind->id);
    if (!ids.empty()) // else every kind, as the canvas linked them by the slower port
        row.field()->setChoices(ids);
}

void LinkPage::addTraffic(Section* section) {
    auto* text = new TextLabel(TextSize::Caption, ColorRole::Text2, this);
    text->setContentsMargins(14, 4, 14, 0);
    text->setWordWrap(true);
    auto* bar = new StackBar(false, this);
    section->addRow(text);
    section->addRow(bar);
    onRefresh([this, section, text, bar] {
        const auto* traffic = document().results().link(m_id);
        const bool known = document().evaluation().feasible && traffic && traffic->capacity > 0.0;
        section->setVisible(known);
        if (!known)
            return;
        section->setSummary(shareText(traffic->utilisation()));
        text->setText(tr("%1 of %2, each way, on each of the parallel links")
                          .arg(rateText(traffic->bytesPerSecond), rateText(traffic->capacity)));
        auto& theme = Theme::instance();
        bar->setParts({{tr("In use"), shareText(traffic->utilisation()), traffic->utilisation(),
                        theme.color(traffic->utilisation() > 0.8 ? ColorRole::Hot : ColorRole::Accent)}});
    });
}

} // namespace heteroscape::widgets
