// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/node_page.h"

#include "engine/base/error.h"
#include "engine/evaluation/breakdown.h"
#include "engine/scenario/node_fields.h"
#include "widgets/document/document.h"
#include "widgets/inspector/operator_groups.h"
#include "widgets/inspector/property_rows.h"
#include "widgets/inspector/section.h"
#include "widgets/inspector/stack_bar.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/text_label.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace heteroscape::widgets {

namespace {

using engine::DeviceKind;
using engine::TimingModel;

enum class Group { Compute, Memory, Cost };

Group groupOf(std::string_view key) {
    if (key.starts_with("memory_"))
        return Group::Memory;
    if (key.starts_with("power_") || key.starts_with("price_") || key.starts_with("die_"))
        return Group::Cost;
    return Group::Compute;
}

/// Whether a figure of the device is worth a row although nobody set it.
bool matters(std::string_view key, DeviceKind kind) {
    if (key == "price_usd" || key == "power_limit_w")
        return true;
    if (!engine::isAccelerator(kind))
        return key == "lanes";
    if (key == "clock_mhz" || key == "memory_channels")
        return kind == DeviceKind::Fpga;
    return key != "lanes";
}

/// The same for a figure of the runtime.
bool matters(std::string_view key, const engine::Runtime& runtime, DeviceKind kind) {
    const auto runs = [&](TimingModel model) {
        return runtime.prefillTiming == model || runtime.decodeTiming == model;
    };
    if (key == "launch_floor_ms")
        return runs(TimingModel::LaunchFloor);
    if (key == "peak_compute_tops")
        return kind == DeviceKind::Fpga;
    return runs(TimingModel::InstructionStream);
}

} // namespace

NodePage::NodePage(Document& document, engine::NodeId id, bool all, QWidget* parent)
    : InspectorPage(document, parent), m_id(std::move(id)), m_prefix("nodes." + m_id.value + ".") {
    addSystem();
    addDeviceFigures(all);
    if (!all) {
        auto* more = new QPushButton(tr("Show all figures"), this);
        more->setFlat(true);
        connect(more, &QPushButton::clicked, this, &NodePage::allRequested);
        auto* section = addSection(tr("More"));
        section->addRow(more);
    }
    addStretch();
    refresh();
}

const engine::Node* NodePage::node() const {
    return document().scenario().findNode(m_id);
}

std::string NodePage::shape() const {
    const auto* found = node();
    if (!found)
        return {};
    return m_id.value + '|' + found->device.id + '|' + (found->runtime ? found->runtime->id : "");
}

void NodePage::addSystem() {
    auto* section = addSection(tr("System"));
    auto* name = new TextRow(
        tr("Name"), [this] { return node() ? QString::fromStdString(node()->shownName()) : QString(); },
        [this](const QString& text, const QString& gesture) {
            document().perform(engine::RenameNode{m_id, text.trimmed().toStdString()}, gesture);
        },
        this);
    section->addRow(name);
    onRefresh([name] { name->refresh(); });
    for (const auto& field : engine::nodeFields())
        addFigure(section, m_prefix + std::string(field.spec.key));
    addChoice(section, m_prefix + "device");
    if (engine::isAccelerator(node()->device.kind)) {
        addChoice(section, m_prefix + "role");
        addChoice(section, m_prefix + "runtime");
    }
}

void NodePage::addDeviceFigures(bool all) {
    const auto& device = node()->device;
    const bool accelerator = engine::isAccelerator(device.kind);
    const auto addGroup = [&](Group group, const QString& title) {
        Section* section = nullptr;
        for (const auto& field : engine::deviceFields()) {
            const auto& key = field.spec.key;
            if (groupOf(key) != group ||
                !(all || (device.*field.member).isSet() || matters(key, device.kind)))
                continue;
            if (!section)
                section = addSection(title);
            addFigure(section, m_prefix + "device." + std::string(key));
        }
        return section;
    };
    addGroup(Group::Compute, accelerator ? tr("Compute") : tr("Device"));
    if (auto* memory = addGroup(Group::Memory, tr("Memory")); memory && accelerator)
        addMemoryUse(memory);
    if (node()->runtime && node()->runtime->mergesLoads)
        addTechnique(addSection(tr("Load merging")), "load_merging");
    if (accelerator) {
        addStep(engine::Phase::Decode);
        addStep(engine::Phase::Prefill);
    }
    addGroup(Group::Cost, tr("Cost, power and area"));
    addRuntimeFigures(all);
}

void NodePage::addMemoryUse(Section* section) {
    auto* text = new TextLabel(TextSize::Caption, ColorRole::Text2, this);
    text->setWordWrap(true);
    text->setContentsMargins(14, 4, 14, 0);
    auto* bar = new StackBar(false, this);
    section->addRow(text);
    section->addRow(bar);
    onRefresh([this, text, bar] {
        const auto* use = nodeEvaluation(document(), m_id);
        const bool known = use && use->memoryCapacity > 0.0 && use->weightBytes > 0.0;
        text->setVisible(known);
        bar->setVisible(known);
        if (!known)
            return;
        const double used = use->weightBytes + use->kvBytes;
        text->setRole(use->fits ? ColorRole::Text2 : ColorRole::Error);
        text->setText((use->fits ? tr("%1 of %2 GB used: weights %3, KV cache %4")
                                 : tr("Needs %1 of %2 GB: weights %3, KV cache %4"))
                          .arg(shortNumber(used / 1e9), shortNumber(use->memoryCapacity / 1e9),
                               shortNumber(use->weightBytes / 1e9), shortNumber(use->kvBytes / 1e9)));
        auto& theme = Theme::instance();
        const auto share = [&](double bytes) { return bytes / std::max(use->memoryCapacity, used); };
        bar->setParts({{tr("Weights"), shortNumber(use->weightBytes / 1e9) + tr(" GB"),
                        share(use->weightBytes), theme.kind(node()->device.kind)},
                       {tr("KV cache"), shortNumber(use->kvBytes / 1e9) + tr(" GB"), share(use->kvBytes),
                        use->fits ? theme.series(4) : theme.color(ColorRole::Error)}});
    });
}

void NodePage::addStep(engine::Phase phase) {
    const bool decode = phase == engine::Phase::Decode;
    auto* section = addSection(decode ? tr("One decode token") : tr("One prefill"));
    auto* bar = new StackBar(true, this);
    section->addRow(bar);
    onRefresh([this, phase, section, bar] {
        const auto* evaluation = nodeEvaluation(document(), m_id);
        const bool decodes = phase == engine::Phase::Decode;
        const bool runs =
            evaluation && (evaluation->role == engine::Role::Both ||
                           evaluation->role == (decodes ? engine::Role::Decode : engine::Role::Prefill));
        std::vector<StackPart> parts;
        if (runs) {
            try {
                const auto step = engine::breakdown(document().scenario(), m_id, phase);
                section->setSummary(secondsText(step.seconds));
                parts = operatorGroups(step);
            } catch (const engine::Error&) { // figures that the step needs are not set; Messages says which
            }
        }
        section->setVisible(!parts.empty());
        bar->setParts(std::move(parts));
    });
}

void NodePage::addRuntimeFigures(bool all) {
    if (!node()->runtime)
        return;
    const auto& runtime = *node()->runtime;
    auto* section = addSection(tr("Runtime constants"));
    for (const auto& field : engine::runtimeFields()) {
        const auto& spec = field.spec;
        const bool set = (runtime.*field.member).isSet();
        if (all || spec.required || set || matters(spec.key, runtime, node()->device.kind))
            addFigure(section, m_prefix + "runtime." + std::string(spec.key));
    }
}

} // namespace heteroscape::widgets
