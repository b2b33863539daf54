// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/node_page.h"

#include "engine/scenario/node_fields.h"
#include "widgets/document/document.h"
#include "widgets/inspector/choice_edit.h"
#include "widgets/inspector/property_rows.h"
#include "widgets/inspector/quantity_row.h"
#include "widgets/inspector/section.h"
#include "widgets/inspector/stack_bar.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/text_label.h"

#include <QHBoxLayout>
#include <QPushButton>

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

namespace {

/// Quantities that storage shares with memories go by other names there.
QString storageLabel(std::string_view key) {
    if (key == "memory_gb")
        return NodePage::tr("Capacity");
    if (key == "memory_bandwidth_gbps")
        return NodePage::tr("Read bandwidth");
    return {};
}

/// Of what runs a model the degrees of its layout stand apart.
bool isOfSystem(const engine::Node& node, const engine::Field<engine::Node>& field) {
    return !engine::isAccelerator(node.device.kind) || !node.runtime ||
           field.member == &engine::Node::count || field.member == &engine::Node::replicas;
}

} // namespace

NodePage::NodePage(Document& document, engine::NodeId id, bool all, QWidget* parent)
    : InspectorPage(document, parent), m_id(std::move(id)), m_prefix("nodes." + m_id.value + ".") {
    addProblem();
    const bool laysOut = engine::isAccelerator(node()->device.kind) && node()->runtime;
    if (laysOut)
        addLayout();
    addSystem(all);
    if (engine::isAccelerator(node()->device.kind)) {
        addBatchTime(false);
        addBatchTime(true);
        addKvShares();
        addTiers();
    } else {
        addHeld();
        addInsideCsd();
    }
    addDeviceQuantities(all);
    auto* more = addSection(tr("More"));
    later(more, [=, this] { addButtons(more, all); });
}

void NodePage::addButtons(Section* section, bool all) {
    const auto addButton = [&](const QString& text, auto signal) {
        auto* button = new QPushButton(text, this);
        button->setFlat(true);
        connect(button, &QPushButton::clicked, this, signal);
        section->addRow(button);
        return button;
    };
    if (!all)
        addButton(tr("Show all quantities"), &NodePage::allRequested);
    addButton(tr("Save as own device\u2026"), &NodePage::ownDeviceRequested)
        ->setToolTip(tr("Keep this device, as it stands here, among your own parts"));
}

const engine::Node* NodePage::node() const {
    return document().scenario().findNode(m_id);
}

std::string NodePage::shape() const {
    const auto* found = node();
    if (!found)
        return {};
    return m_id.value + '|' + found->device.id + '|' + (found->runtime ? found->runtime->id : "") + '|' +
           (found->server ? found->server->id : "") +
           (document().scenario().model.hasLayers() ? "|layers" : "") +
           (document().scenario().model.isMixture() ? "|experts" : "");
}

void NodePage::addSystem(bool all) {
    auto* section = addSection(tr("System"));
    later(section, [=, this] { addName(section); });
    const bool accelerator = engine::isAccelerator(node()->device.kind);
    const auto fields = all ? std::vector(engine::nodeFields().begin(), engine::nodeFields().end())
                            : engine::nodeFields(*node(), document().scenario().model);
    for (const auto& field : fields) {
        if (!all && !isOfSystem(*node(), field)) // the section of the layout has it
            continue;
        laterQuantity(section, m_prefix + std::string(field.spec.key), [=](QuantityRow& row) {
            if (field.member == &engine::Node::replicas && accelerator)
                row.setUnsetText(tr("one a device"));
        });
    }
    if (accelerator)
        later(section, [=, this] { addSharing(section); });
    later(section, [=, this] { addChoice(section, m_prefix + "device"); });
    if (!accelerator)
        return;
    later(section, [=, this] { addChoice(section, m_prefix + "role"); });
    later(section, [=, this] { addChoice(section, m_prefix + "runtime"); });
    if (!node()->runtime)
        return;
    if (node()->server || node()->runtime->decode.kind->takesKernelConstants())
        later(section, [=, this] { addChoice(section, m_prefix + "server"); });
    later(section, [=, this] {
        auto* allReduce = addChoice(section, m_prefix + "runtime.allreduce");
        onRefresh([this, allReduce] { // alone, a device reduces nothing
            allReduce->setVisible(node() && engine::tensorParallel(*node()) > 1.0);
        });
    });
}

void NodePage::addName(Section* section) {
    auto* name = new TextRow(
        tr("Name"), [this] { return node() ? QString::fromStdString(node()->shownName()) : QString(); },
        [this](const QString& text, const QString& gesture) {
            document().perform(engine::RenameNode{m_id, text.trimmed().toStdString()}, gesture);
        },
        this);
    section->addRow(name);
    onRefresh([name] { name->refresh(); });
}

void NodePage::addDeviceQuantities(bool all) {
    const auto& device = node()->device;
    const bool accelerator = engine::isAccelerator(device.kind);
    const bool storage = engine::isStorage(device.kind);
    const auto addGroup = [&](QuantityGroup group, const QString& title) {
        Section* section = nullptr;
        for (const auto& field : engine::deviceFields()) {
            const auto& key = field.spec.key;
            if (quantityGroup(key) != group ||
                !(all || (device.*field.member).isSet() || quantityMatters(key, device.kind)))
                continue;
            if (!section)
                section = addSection(title);
            laterQuantity(section, m_prefix + "device." + std::string(key), [=](QuantityRow& row) {
                if (const auto label = storageLabel(key); storage && !label.isEmpty())
                    row.setLabel(label);
            });
        }
        return section;
    };
    const bool csd = device.kind == engine::DeviceKind::Csd;
    addGroup(QuantityGroup::Compute, accelerator ? tr("Compute")
                                     : csd       ? tr("Attention kernel")
                                                 : tr("Device"));
    addGroup(QuantityGroup::Memory, storage ? tr("Storage") : tr("Memory"));
    addGroup(QuantityGroup::L2, tr("L2"));
    if (node()->runtime)
        addTechniques(*node()->runtime);
    if (accelerator) {
        addDecoderLayer();
        addStep(engine::Phase::Decode);
        addStep(engine::Phase::Prefill);
    }
    addGroup(QuantityGroup::Cost, tr("Cost and power"));
    if (auto* die = addGroup(QuantityGroup::Die, tr("Cores and area")); die) {
        later(die, [=, this] { addDie(die); });
        die->setOpen(all);
    }
    addRuntimeQuantities(all);
}

void NodePage::addTechniques(const engine::Runtime& runtime) {
    Section* section = nullptr;
    std::string_view group;
    for (const auto* kind : engine::techniqueKinds().all()) {
        if (!kind->concerns(runtime))
            continue;
        if (!section || kind->group() != group) {
            group = kind->group();
            section = addSection(QString::fromUtf8(group));
        }
        later(section, [=, this] { addTechnique(section, *kind); });
    }
}

void NodePage::addRuntimeQuantities(bool all) {
    if (!node()->runtime)
        return;
    const auto& runtime = *node()->runtime;
    const auto words = [](std::string_view utf8) { return QString::fromUtf8(utf8); };
    const auto add = [&](const QString& title, std::string_view part, const engine::Kind* kind = nullptr) {
        Section* section = nullptr;
        for (const auto& [path, spec, quantity] : engine::runtimeQuantities(runtime)) {
            // The accelerator that is built on a device: of FPGAs alone.
            const bool matters = spec.key != "peak_compute_tops" || quantity->isSet() ||
                                 node()->device.kind == engine::DeviceKind::Fpga;
            if (path != std::string(part).append(spec.key) || !(all || matters))
                continue;
            if (!section)
                section = addSection(title);
            laterQuantity(section, m_prefix + path, [=, key = spec.key](QuantityRow& row) {
                if (const int index = kind ? kind->indexOf(key) : -1; index >= 0) // the title says the phase
                    row.setLabel(words(kind->parameters()[static_cast<std::size_t>(index)].spec.label));
            });
        }
        if (section)
            section->setOpen(all);
    };
    const auto addKind = [&](const QString& title, std::string_view part, const engine::Kind& kind) {
        add(tr("%1: %2").arg(title, words(kind.label())), part, &kind);
    };
    if (const auto& server = node()->server) {
        auto* section = addSection(tr("Server: %1").arg(QString::fromStdString(server->name)));
        for (const auto& field : engine::serverFields())
            laterQuantity(section, m_prefix + "server." + std::string(field.spec.key));
        section->setOpen(all);
    }
    add(tr("Runtime constants"), "runtime.");
    for (const auto* kind : engine::costKinds().all())
        add(words(kind->label()), "runtime." + std::string(kind->id()) + ".", kind);
    addKind(tr("Decode timing"), "timing.decode.", *runtime.decode.kind);
    addKind(tr("Prefill timing"), "timing.prefill.", *runtime.prefill.kind);
    if (runtime.offload)
        addKind(tr("Offloading"), "offload.", *runtime.offload.kind);
}

} // namespace heteroscape::widgets

#include "moc_node_page.cpp"
