// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/tier_card.h"

#include "widgets/canvas/canvas_words.h"
#include "widgets/canvas/design_index.h"

#include "engine/units/number_text.h"
#include "engine/units/units.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

QString rate(double bytesPerSecond) {
    return tr("%1 GB/s").arg(QString::fromStdString(engine::shortText(bytesPerSecond / engine::units::giga)));
}

/// The runtime, and what its decode waits for.
std::vector<CardChip> chipsOf(const Document& document, const engine::Node& node,
                              const engine::NodeEvaluation& evaluated) {
    std::vector<CardChip> chips{{QString::fromStdString(node.runtime->name), false}};
    const auto word = boundWord(evaluated.decodeBusy >= evaluated.prefillBusy ? evaluated.decode.bound
                                                                              : evaluated.prefill.bound);
    if (document.evaluation().feasible && evaluated.busy() > 0.0 && !word.isEmpty())
        chips.push_back({word, evaluated.bottleneck});
    return chips;
}

TierBar barOf(const TierAt& tier) {
    TierBar bar;
    const auto& use = tier.use;
    bar.whole = std::max(use.capacity, use.used());
    bar.share = use.used() / use.capacity;
    bar.label = use.used() > 0.0 ? tr("%1 of %2 in use").arg(sizeText(use.used()), sizeText(use.capacity))
                                 : tr("Nothing lies here");
    bar.parts = tierParts(use);
    return bar;
}

QString partLines(const TierBar& bar) {
    QStringList lines{bar.label};
    for (const auto& part : bar.parts)
        lines << tr("%1: %2, %3").arg(part.label, sizeText(part.bytes), percentText(part.bytes / bar.whole));
    return lines.join(QLatin1Char('\n'));
}

QString pathLines(const CsdPath& path) {
    QStringList lines{
        tr("Inside one CSD: flash to kernel %1, kernel %2").arg(rate(path.flash), rate(path.kernel)),
        tr("One CSD attends to %1 of KV cache at %2 tokens, read and computed in turn; its "
           "port has %3")
            .arg(rate(path.delivered), QString::fromStdString(engine::plainText(std::round(path.tokens))),
                 rate(path.port))};
    lines << (path.pathLimits ? tr("The path from the flash takes longer than the kernel")
                              : tr("The kernel takes longer than the path from the flash"));
    return lines.join(QLatin1Char('\n'));
}

} // namespace

void addOffloading(NodeCard& card, const DesignIndex& index, const engine::Node& node) {
    const auto& document = index.document();
    const auto* evaluated = document.results().node(node.id);
    if (!evaluated)
        return;
    if (evaluated->offload.active && node.runtime)
        card.chips = chipsOf(document, node, *evaluated);
    if (const auto& tier = index.tierAt(node.id); tier && std::isfinite(tier->use.capacity)) {
        card.memory = barOf(*tier);
        card.bar.reset();
        card.details += QLatin1Char('\n') + partLines(*card.memory);
    }
    if (node.device.kind == engine::DeviceKind::Csd)
        card.path = csdPathOf(document, node.id);
    if (card.path && std::isfinite(card.path->delivered))
        card.details += QLatin1Char('\n') + pathLines(*card.path);
    else
        card.path.reset();
    for (const auto& missing : index.shortfallsAt(node.id)) {
        if (card.problem.isEmpty())
            card.problem = missing.brief;
        const bool said = engine::isAccelerator(node.device.kind) && !evaluated->offload.active;
        if (!said && !card.error.contains(missing.full))
            card.error += (card.error.isEmpty() ? QString() : QStringLiteral("\n")) + missing.full;
    }
}

} // namespace heteroscape::widgets
