// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/node_summary.h"

#include "engine/timing/machine.h"
#include "engine/units/number_text.h"
#include "engine/units/units.h"
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/card_parts.h"
#include "widgets/canvas/design_index.h"
#include "widgets/canvas/layout_chips.h"
#include "widgets/canvas/part_edits.h"
#include "widgets/canvas/tier_card_paint.h"
#include "widgets/theme/plain_text.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

using engine::DeviceKind;

/// What an accelerator is busy with, by what keeps its work from being shorter.
struct BusyWords {
    Q_DECLARE_TR_FUNCTIONS(Canvas)
public:
    using enum engine::Bound;
    static constexpr auto kBusy = QT_TR_NOOP("Busy");
    static constexpr Word<engine::Bound> kTable[]{{Compute, QT_TR_NOOP("Busy, compute bound")},
                                                  {Memory, QT_TR_NOOP("Busy, memory bound")},
                                                  {LaunchFloor, QT_TR_NOOP("Busy, launch bound")},
                                                  {L2, QT_TR_NOOP("Busy, L2 bound")},
                                                  {Network, QT_TR_NOOP("Busy, network bound")},
                                                  {FixedLayer, QT_TR_NOOP("Busy, fixed time a layer")}};
};

/// Four quantities, as data sheets give them, without zeros that say nothing: "1,935", "24.5", "8".
QString number(double value, int digits = 4) {
    auto shown = QString::fromStdString(engine::shortText(value, digits));
    if (shown.contains(QLatin1Char('.'))) {
        while (shown.endsWith(QLatin1Char('0')))
            shown.chop(1);
        if (shown.endsWith(QLatin1Char('.')))
            shown.chop(1);
    }
    return shown;
}

void addQuantity(std::vector<KeyQuantity>& quantities, const engine::Quantity& quantity, double scale,
                 const QString& unit) {
    if (quantity.isSet() && quantities.size() < 3)
        quantities.push_back({number(engine::toEdge(quantity.value, scale)), unit});
}

/// Of a node that runs a phase; empty of others.
QString roleWord(engine::Role role) {
    using enum engine::Role;
    return role == Prefill || role == Decode || role == Both ? roleWords(role) : QString();
}

QString roleLine(const engine::Node& node, engine::Role role) {
    const auto& device = node.device;
    const auto word = roleWord(role);
    const auto label = QString::fromUtf8(engine::deviceKindLabel(device.kind));
    if (!word.isEmpty())
        return tr("%1, %2").arg(label, word);
    if (engine::splitsLayers(node))
        return role == engine::Role::Ffn ? tr("%1, FFN").arg(label) : tr("%1, attention").arg(label);
    if (role == engine::Role::Attention)
        return tr("Attention near storage");
    return role == engine::Role::Storage ? tr("Storage") : fabricWord(device);
}

const engine::NodeEvaluation* evaluationOf(const DesignIndex& index, const engine::NodeId& id) {
    return index.document().results().node(id);
}

const engine::LinkEvaluation* evaluationOf(const DesignIndex& index, const engine::LinkId& id) {
    const auto& document = index.document();
    return document.evaluation().feasible ? document.results().link(id) : nullptr;
}

/// The share of all time that an accelerator works, and what keeps that work from being shorter.
BusyBar acceleratorBar(const Document& document, const engine::NodeEvaluation* node) {
    BusyBar bar{BusyWords::tr(BusyWords::kBusy), {}};
    if (!node || !document.evaluation().feasible || !std::isfinite(node->busy()))
        return bar;
    bar.share = std::clamp(node->busy(), 0.0, 1.0);
    const auto& main = node->decodeBusy >= node->prefillBusy ? node->decode : node->prefill;
    if (node->offload.active) // its chips say what it waits for
        return bar;
    if (node->busy() > 0.0)
        bar.label = BusyWords::tr(lookUp(BusyWords::kTable, main.bound, BusyWords::kBusy));
    return bar;
}

/// "Decode: 89 % of the time, 11 % of peak compute, 45 % of memory bandwidth": a line for each phase that
/// runs.
QString phaseLines(const engine::NodeEvaluation& node) {
    QStringList lines;
    const auto add = [&lines](const QString& name, double busy, const engine::PhaseEvaluation& phase) {
        if (busy > 0.0 && std::isfinite(phase.computeUtilisation()) &&
            std::isfinite(phase.memoryUtilisation()))
            lines << tr("%1: %2 of the time, then %3 of peak compute and %4 of memory bandwidth")
                         .arg(name, percentText(busy), percentText(phase.computeUtilisation()),
                              percentText(phase.memoryUtilisation()));
    };
    add(tr("Prefill"), node.prefillBusy, node.prefill);
    add(tr("Decode"), node.decodeBusy, node.decode);
    return lines.join(QLatin1Char('\n'));
}

/// Fabric and storage have no phases of their own: their links tell how much they carry.
BusyBar fabricBar(const DesignIndex& index, const engine::NodeId& id) {
    BusyBar bar{tr("Not connected"), {}};
    for (const auto at : index.linksOf(*index.node(id))) {
        bar.label = tr("Busiest link");
        const auto* evaluated = evaluationOf(index, index.document().scenario().links[at].id);
        if (evaluated && std::isfinite(evaluated->utilisation()))
            bar.share = std::max(bar.share.value_or(0.0), std::clamp(evaluated->utilisation(), 0.0, 1.0));
    }
    return bar;
}

QString errorOf(const DesignIndex& index, const engine::Node& node, const engine::NodeEvaluation* evaluated) {
    QStringList lines;
    for (const auto* finding : index.findingsOf(node.id))
        if (finding->severity == engine::Severity::Error)
            lines << QString::fromStdString(finding->message +
                                            (finding->remedy.empty() ? "" : ". " + finding->remedy));
    if (evaluated && !evaluated->fits && !evaluated->offload.active)
        lines << tr("%1 needs %2 GB on each device but has %3 GB. Use narrower weights, a smaller batch or a "
                    "device "
                    "with more memory.")
                     .arg(QString::fromStdString(node.shownName()),
                          number((evaluated->weightBytes + evaluated->kvBytes) / engine::units::GB, 3),
                          number(evaluated->memoryCapacity / engine::units::GB, 3));
    return lines.join(QLatin1Char('\n'));
}

QString warningOf(const DesignIndex& index, const engine::Node& node) {
    QStringList lines;
    for (const auto* finding : index.findingsOf(node.id))
        if (finding->severity == engine::Severity::Warning && finding->subject == node.id.value)
            lines << QString::fromStdString(finding->message + ". " + finding->remedy);
    return lines.join(QLatin1Char('\n'));
}

/// A switch is known by what hangs on it.
void addLinkQuantities(NodeCard& card, const DesignIndex& index, const engine::NodeId& id) {
    int links = 0;
    double up = 0.0; // to hosts
    for (const auto at : index.linksOf(*index.node(id))) {
        const auto& link = index.document().scenario().links[at];
        ++links;
        const auto* other = index.findNode(link.from == id ? link.to : link.from);
        if (other && other->device.kind == DeviceKind::Cpu)
            up += link.type.bandwidth.value * index.parallelLinks(link);
    }
    if (links > 0)
        card.quantities.push_back({number(links), links == 1 ? tr("link") : tr("links")});
    if (up > 0.0)
        card.quantities.push_back({number(up / engine::units::giga), tr("GB/s up")});
}

} // namespace

QString percentText(double share) {
    const auto percent = share * 100.0;
    if (percent > 0.0 && percent < 1.0)
        return tr("< 1 %");
    return tr("%1 %").arg(std::lround(percent));
}

std::vector<KeyQuantity> keyQuantities(const engine::Device& device, const engine::Runtime* runtime) {
    std::vector<KeyQuantity> quantities;
    if (engine::isStorage(device.kind)) {
        addQuantity(quantities, device.memoryCapacity, 1e3 * engine::units::GB, tr("TB each"));
        addQuantity(quantities, device.memoryBandwidth, engine::units::giga, tr("GB/s read"));
        addQuantity(quantities, device.writeBandwidth, engine::units::giga, tr("GB/s write"));
        return quantities;
    }
    if (device.kind == DeviceKind::Cpu)
        addQuantity(quantities, device.hostMemory, engine::units::GiB, tr("GiB"));
    // FPGAs are known by their integer peak, everything else by its half precision one.
    // A runtime with 8-bit activations uses the integer peak.
    const auto peak = [&device](engine::Quantity engine::Device::*member) {
        auto quantity = device.*member;
        quantity.value = engine::devicePeak(device, member); // follows SMs and clock
        return quantity;
    };
    const bool integers = device.kind == DeviceKind::Fpga || !device.peakFp16.isSet() ||
                          (runtime && runtime->activationBits.value <= 8.0);
    if (runtime && runtime->peakCompute.isSet()) // the accelerator built on it, not the chip
        addQuantity(quantities, runtime->peakCompute, engine::units::tera,
                    runtime->activationBits.value <= 8.0 ? tr("TOP/s") : tr("TFLOP/s"));
    else if (integers && device.peakInt8.isSet())
        addQuantity(quantities, peak(&engine::Device::peakInt8), engine::units::tera, tr("TOP/s"));
    else
        addQuantity(quantities, peak(&engine::Device::peakFp16), engine::units::tera, tr("TFLOP/s"));
    addQuantity(quantities, device.lanes, 1.0, tr("lanes"));
    addQuantity(quantities, device.memoryBandwidth, engine::units::giga, tr("GB/s"));
    if (device.kind == DeviceKind::Npu) // what it can prefetch into tells more than how much it holds
        addQuantity(quantities, device.l2Capacity, engine::units::MB, tr("MB L2"));
    addQuantity(quantities, device.memoryCapacity, engine::units::GB, tr("GB"));
    return quantities;
}

QString keyQuantityLine(const engine::Device& device) {
    QStringList parts;
    if (engine::isStorage(device.kind)) { // "3.84 TB \u00b7 3.25 GB/s": what comes out counts
        if (device.memoryCapacity.isSet())
            parts << tr("%1 TB").arg(number(device.memoryCapacity.value / (1e3 * engine::units::GB)));
        if (device.kernelBandwidth.isSet())
            parts << tr("kernel %1 GB/s").arg(number(device.kernelBandwidth.value / engine::units::giga));
        else if (device.memoryBandwidth.isSet())
            parts << tr("%1 GB/s").arg(number(device.memoryBandwidth.value / engine::units::giga));
        return parts.join(QStringLiteral(" \u00b7 "));
    }
    for (const auto& quantity : keyQuantities(device))
        if (parts.size() < 2)
            parts << tr("%1 %2").arg(quantity.value, quantity.unit);
    return parts.join(QStringLiteral(" \u00b7 "));
}

NodeCard cardOf(const engine::Device& device) {
    NodeCard card;
    card.kind = device.kind;
    card.name = QString::fromStdString(device.name);
    card.role = engine::isAccelerator(device.kind) ? QString::fromUtf8(engine::deviceKindLabel(device.kind))
                                                   : fabricWord(device);
    card.quantities = keyQuantities(device);
    return card;
}

std::optional<NodeCard> cardOf(const Document& document, const engine::NodeId& id) {
    return cardOf(DesignIndex(document), id);
}

std::optional<NodeCard> cardOf(const DesignIndex& index, const engine::NodeId& id) {
    const auto& document = index.document();
    const auto* node = index.findNode(id);
    if (!node)
        return {};
    const auto* evaluated = evaluationOf(index, id);
    auto card = cardOf(node->device);
    card.quantities = keyQuantities(node->device, node->runtime ? &*node->runtime : nullptr);
    card.name = QString::fromStdString(node->shownName());
    card.role = roleLine(*node, engine::shownRole(document.scenario(), *node));
    card.switchesRole = engine::rolesOf(node->device.kind).size() > 1;
    card.roleNote = roleWithoutEffect(document.scenario(), *node);
    card.layout = layoutChips(document.scenario().model, *node);
    card.side = sideLabel(document.scenario().model, *node);
    card.isAttention = node->role == engine::Role::Attention;
    card.techniques = techniqueChips(document.scenario(), index.targets().on(id));
    card.count = static_cast<int>(std::lround(node->count.valueOr(1.0)));
    card.bar =
        engine::isAccelerator(node->device.kind) ? acceleratorBar(document, evaluated) : fabricBar(index, id);
    card.bottleneck = index.bottleneck().node == id;
    if (node->device.kind == DeviceKind::Switch)
        addLinkQuantities(card, index, id);
    card.selected = index.isSelected(id);
    card.error = errorOf(index, *node, evaluated);
    if (card.error.isEmpty())
        card.warning = warningOf(index, *node);
    card.details = QString::fromStdString(node->device.about);
    if (evaluated && document.evaluation().feasible && engine::isAccelerator(node->device.kind))
        card.details += QLatin1Char('\n') + phaseLines(*evaluated);
    if (index.hasTiers())
        addOffloading(card, index, *node);
    if (index.hasTiers() || !index.findingsOf(id).empty()) // else there are none, in large designs too
        addProblems(card, index, *node);
    return card;
}

QString nodeSentence(const Document& document, const engine::NodeId& id) {
    const DesignIndex index(document);
    const auto* node = index.findNode(id);
    const auto card = cardOf(index, id);
    if (!node || !card)
        return {};
    const auto* evaluated = evaluationOf(index, id);
    const auto shown = engine::shownRole(document.scenario(), *node);
    const auto role = roleWord(shown);
    QStringList parts{card->name};
    parts << (card->count == 1 ? tr("1 card") : tr("%1 cards").arg(card->count));
    parts << (!role.isEmpty()                        ? role
              : engine::isStorage(node->device.kind) ? roleWords(shown)
                                                     : fabricWord(node->device).toLower());
    for (const auto& chip : card->layout)
        parts << chipText(chip);
    for (const auto& chip : card->chips)
        parts << chip.text;
    for (const auto& chip : card->techniques)
        parts << chip.label;
    if (evaluated && document.evaluation().feasible && engine::isAccelerator(node->device.kind))
        parts << tr("%1 busy").arg(percentText(evaluated->busy()));
    if (card->memory) {
        parts << card->memory->label;
        for (const auto& part : card->memory->parts)
            parts << tr("%1 %2").arg(part.label.toLower(), sizeText(part.bytes));
    }
    if (card->path)
        parts << tr("each attends to %1 GB/s").arg(number(card->path->delivered / engine::units::giga, 3));
    if (card->bottleneck)
        parts << tr("bottleneck");
    if (!card->warning.isEmpty())
        parts << tr("warning: %1").arg(card->warning);
    if (!card->error.isEmpty())
        parts << tr("error: %1").arg(card->error);
    if (!card->note.isEmpty())
        parts << tr("note: %1").arg(card->note);
    return parts.join(QStringLiteral(", "));
}

std::optional<LinkLabel> linkLabel(const Document& document, const engine::LinkId& id) {
    return linkLabel(DesignIndex(document), id);
}

std::optional<LinkLabel> linkLabel(const DesignIndex& index, const engine::LinkId& id) {
    const auto* link = index.findLink(id);
    if (!link)
        return {};
    LinkLabel label;
    const auto each = tr("%1 GB/s").arg(number(link->type.bandwidth.value / engine::units::giga));
    const auto many = static_cast<int>(std::lround(index.parallelLinks(*link)));
    label.bandwidth = many > 1 ? tr("%1 \u00d7 %2").arg(many).arg(each) : each;
    label.type = many > 1 ? tr("%1, each").arg(QString::fromStdString(link->type.name))
                          : QString::fromStdString(link->type.name);
    // What a paper or a data sheet says of this very link is no edit.
    label.edited =
        editedFrom(index.document(), *link) && (link->type.bandwidth.provenance == engine::Provenance::User ||
                                                link->type.latency.provenance == engine::Provenance::User);
    label.techniques = techniqueChips(index.document().scenario(), index.targets().on(id));
    const auto* evaluated = evaluationOf(index, id);
    if (evaluated && evaluated->bytesPerSecond > 0.0) {
        const auto rate = evaluated->bytesPerSecond / engine::units::giga;
        const auto use = evaluated->utilisation();
        const auto amount = rate < 0.01 ? tr("< 0.01 GB/s") : tr("%1 GB/s").arg(number(rate, 2));
        label.use = std::isfinite(use) ? std::clamp(use, 0.0, 1.0) : 0.0;
        label.traffic = std::isfinite(use) ? tr("%1, %2").arg(amount, percentText(use)) : amount;
        label.bottleneck = index.bottleneck().link == id;
    }
    return label;
}

QString linkSentence(const Document& document, const engine::LinkId& id) {
    const auto* link = document.scenario().findLink(id);
    const auto label = linkLabel(document, id);
    if (!link || !label)
        return {};
    const auto nameOf = [&document](const engine::NodeId& node) {
        const auto* end = document.scenario().findNode(node);
        return end ? QString::fromStdString(end->shownName()) : QString::fromStdString(node.value);
    };
    QStringList parts{tr("Link from %1 to %2").arg(nameOf(link->from), nameOf(link->to)), label->type,
                      label->bandwidth};
    if (!label->traffic.isEmpty())
        parts << tr("carries %1").arg(label->traffic);
    if (label->edited)
        parts << tr("bandwidth or latency edited");
    for (const auto& chip : label->techniques)
        parts << chip.label;
    if (label->bottleneck)
        parts << tr("bottleneck");
    return parts.join(QStringLiteral(", "));
}

} // namespace heteroscape::widgets
