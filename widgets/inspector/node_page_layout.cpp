// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/node_page.h"

#include "engine/evaluation/layout_ranking.h"
#include "engine/scenario/layout_moves.h"
#include "engine/scenario/node_fields.h"
#include "engine/scenario/split_pool.h"
#include "engine/units/number_text.h"
#include "widgets/document/document.h"
#include "widgets/glossary/glossary.h"
#include "widgets/inspector/degree_row.h"
#include "widgets/inspector/layout_proposals.h"
#include "widgets/inspector/property_rows.h"
#include "widgets/inspector/quantity_row.h"
#include "widgets/inspector/ranks_picture.h"
#include "widgets/inspector/section.h"
#include "widgets/inspector/stack_bar.h"
#include "widgets/theme/text_label.h"

#include <algorithm>

// How the model lies over the devices of a node.

namespace heteroscape::widgets {

namespace {

QString degreePlain(double value) {
    return QString::fromStdString(engine::plainText(value, 6));
}

/// "2 × tp 4 × dp 4 = 4 × ep 8 = 32 devices, all used": what the degrees multiply to.
QString productText(const engine::LayoutMoves& moves, bool mixture) {
    const auto& [replicas, layout] = moves.now();
    QStringList factors;
    if (replicas > 1.0)
        factors << NodePage::tr("%1 replicas").arg(degreePlain(replicas));
    if (layout.side == engine::LayerSide::Ffn)
        factors << QStringLiteral("ep %1").arg(degreePlain(layout.ep))
                << QStringLiteral("etp %1").arg(degreePlain(layout.etp));
    const std::pair<const char*, double> cut[] = {
        {"pp", layout.pp}, {"tp", layout.tp}, {"dp", layout.dp}, {"cp", layout.cp}};
    for (const auto& [key, value] : cut)
        if (layout.side != engine::LayerSide::Ffn && (value > 1.0 || *key == 't'))
            factors << QStringLiteral("%1 %2").arg(QLatin1String(key), degreePlain(value));
    auto text = factors.join(QStringLiteral(" \u00d7 "));
    if (mixture && layout.side == engine::LayerSide::Whole && replicas == 1.0 && layout.pp == 1.0 &&
        layout.ep > 1.0)
        text += layout.etp > 1.0 ? QStringLiteral(" = ep %1 \u00d7 etp %2")
                                       .arg(degreePlain(layout.ep), degreePlain(layout.etp))
                                 : QStringLiteral(" = ep %1").arg(degreePlain(layout.ep));
    return NodePage::tr("%1 = %2").arg(
        text, moves.devices() == 1.0 ? NodePage::tr("1 device")
                                     : NodePage::tr("%1 devices").arg(degreePlain(moves.devices())));
}

} // namespace

void NodePage::addSide() {
    auto* section = addSection(tr("Part in every layer"));
    later(section, [=, this] {
        auto* choice = new SideChoice(this);
        section->addRow(choice);
        setTerm(choice, "attention_ffn");
        auto* partner = addText(section);
        connect(choice, &SideChoice::chosen, this, [this](engine::Role role) {
            document().perform(engine::SetRole{m_id, role});
        });
        onRefresh([this, section, choice, partner] {
            const auto& scenario = document().scenario();
            const bool splits = node() && engine::splitsLayers(*node());
            const auto accelerators =
                std::count_if(scenario.nodes.begin(), scenario.nodes.end(), [](const engine::Node& one) {
                    return engine::isAccelerator(one.device.kind) && one.runtime;
                });
            section->setVisible(node() && scenario.model.hasLayers() && (splits || accelerators > 1));
            if (!node())
                return;
            choice->show(node()->role, scenario.model.isMixture());
            const auto pool = splits ? engine::splitPoolOf(scenario, *node()) : std::nullopt;
            partner->setVisible(splits);
            if (pool) {
                const auto& other =
                    scenario.nodes[node()->role == engine::Role::Attention ? pool->ffn : pool->attention];
                partner->setText(
                    tr("With %1 \u00d7 %2")
                        .arg(degreePlain(other.count.value), QString::fromStdString(other.shownName())));
            } else {
                partner->setText(tr("No linked node does the other part"));
            }
        });
    });
}

void NodePage::addLayout() {
    addSide();
    auto* section = addSection(tr("Layout"));
    later(section, [=, this] {
        addDegrees(section);
        addProduct(section);
    });
    addRanks();
    addDeviceMemory();
    addProposals();
}

void NodePage::addDegrees(Section* section) {
    const struct {
        const char* key;
        QString sign, word, tip;
    } degrees[] = {
        {"copies", QStringLiteral("\u00d7"), tr("replicas"),
         tr("Copies of the model, each on devices of its own")},
        {"tp", QStringLiteral("tp"), tr("tensor"), tr("Devices that cut attention by heads")},
        {"pp", QStringLiteral("pp"), tr("stages"),
         tr("Stages that the layers are dealt to, one after the other")},
        {"dp", QStringLiteral("dp"), tr("requests"), tr("Ranks that each attend to requests of their own")},
        {"cp", QStringLiteral("cp"), tr("prompts"), tr("Ranks that cut the tokens of a prompt between them")},
        {"ep", QStringLiteral("ep"), tr("experts"), tr("Ranks that the experts are dealt to")},
        {"etp", QStringLiteral("etp"), tr("widths"), tr("Devices that cut each expert by its width")},
    };
    for (const auto& degree : degrees) {
        const std::string key = degree.key;
        auto* row = new DegreeRow(key, degree.sign, degree.word, degree.tip, this);
        section->addRow(row);
        setTerm(row, key == "copies" ? "replicas" : key == "etp" ? "layout" : key);
        // What the whole of the layout is swept by: experts' widths follow from it, so they have no path.
        new PropertyDrag(document(), m_prefix + (key == "copies" ? "replicas" : "layout"), row);
        connect(row, &DegreeRow::chosen, this, [this, key](double value) {
            if (!node())
                return;
            if (const auto laid = engine::LayoutMoves(document().scenario().model, *node()).with(key, value))
                document().perform(engine::copiedLayoutEdit(*node(), *laid));
        });
        onRefresh([this, row, key] {
            if (!node())
                return;
            const auto& model = document().scenario().model;
            row->refresh(engine::LayoutMoves(model, *node()));
            const auto side = engine::layoutOf(*node()).side;
            const bool experts = key == "ep" || key == "etp";
            if ((experts && (!model.isMixture() || side == engine::LayerSide::Attention)) ||
                (side == engine::LayerSide::Ffn && !experts && key != "copies"))
                row->hide();
        });
    }
}

void NodePage::addProduct(Section* section) {
    auto* product = addText(section);
    auto* microbatches = addQuantity(section, m_prefix + "microbatches");
    onRefresh([this, section, product, microbatches] {
        if (!node())
            return;
        const auto& model = document().scenario().model;
        const engine::LayoutMoves moves(model, *node());
        section->setVisible(node()->runtime && node()->count.valueOr(1.0) > 1.0);
        product->setText(productText(moves, model.isMixture()));
        microbatches->setVisible(moves.now().layout.pp > 1.0 ||
                                 moves.now().layout.side == engine::LayerSide::Attention);
        microbatches->setUnsetText(engine::splitsLayers(*node()) ? tr("3") : tr("as stages"));
        const auto* result = document().results().node(m_id);
        section->setSummary(!result                              ? QString()
                            : result->fits && !result->shortfall ? tr("fits")
                                                                 : tr("does not fit"));
    });
}

void NodePage::addRanks() {
    auto* section = addSection(tr("Ranks and stages"));
    later(section, [=, this] {
        auto* picture = new RanksPicture(this);
        section->addRow(picture);
        onRefresh([this, section, picture] {
            const bool shares = node() && node()->runtime && engine::tensorParallel(*node()) > 1.0;
            section->setVisible(shares);
            if (!shares)
                return;
            picture->show(document().scenario(), *node());
            section->setSummary(picture->summary());
        });
    });
}

void NodePage::addDeviceMemory() {
    auto* section = addSection(tr("Memory per device"));
    later(section, [=, this] {
        auto* bar = new MemoryBar(this);
        section->addRow(bar);
        addQuantity(section, m_prefix + "reserve_gb")->setUnsetText(tr("not counted"));
        onRefresh([this, section, bar] {
            const auto* use = document().results().node(m_id);
            const bool known =
                node() && use && use->memoryCapacity > 0.0 && use->weightBytes > 0.0 && !isOffloading();
            section->setVisible(known);
            if (!known)
                return;
            bar->show(engine::deviceMemory(document().scenario(), *node(), *use));
            section->setSummary(bar->summary());
        });
    });
}

void NodePage::addProposals() {
    auto* section = addSection(tr("Best valid layouts"));
    later(section, [=, this] {
        auto* proposals = new LayoutProposals(document(), m_id, this);
        section->addRow(proposals);
        connect(proposals, &LayoutProposals::changed, this, [section, proposals] {
            section->setVisible(proposals->offersChoice());
            section->setSummary(proposals->summary());
        });
        onRefresh([proposals] { proposals->refresh(); });
    });
}

} // namespace heteroscape::widgets
