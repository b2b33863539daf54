// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/units/number_text.h"
#include "widgets/canvas/node_summary.h"
#include "widgets/document/document.h"
#include "widgets/document/offload_view.h"
#include "widgets/inspector/node_page.h"
#include "widgets/inspector/section.h"
#include "widgets/inspector/stack_bar.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <algorithm>
#include <array>
#include <cmath>

// What offloading means for a node: tiers, shares of the KV cache, where a decode waits.

namespace heteroscape::widgets {

namespace {

using engine::Tier;
using engine::Work;

/// The series of a work in the bars of time; prefill has the first, all others the third.
constexpr Entry<Work, int> kBarSeries[]{
    {Work::WeightTransfer, 5},       {Work::KvRead, 4},      {Work::KvWrite, 4},   {Work::HostAttention, 6},
    {Work::NearStorageAttention, 1}, {Work::QkvTransfer, 7}, {Work::XTransfer, 3}, {Work::Regenerate, 3}};

int barSeriesOf(Work work) {
    return lookUp(kBarSeries, work, 2);
}

QString both(const QString& amount, double share) {
    return NodePage::tr("%1, %2").arg(amount, shareText(share));
}

std::vector<StackPart> stackOf(const engine::TierUse& use) {
    const auto& theme = Theme::instance();
    const double whole = std::max(use.capacity, use.used());
    std::vector<StackPart> parts;
    for (const auto& part : tierParts(use))
        parts.push_back(
            {part.label, both(sizeText(part.bytes), part.bytes / whole), part.bytes / whole,
             part.series == TierPart::kFree ? theme.color(ColorRole::Track) : theme.series(part.series)});
    return parts;
}

/// The parts of a decode, those of `whole` seconds that it really has.
std::vector<StackPart> decodeParts(const engine::OffloadEvaluation& offload, double whole) {
    std::vector<StackPart> parts;
    for (std::size_t i = 0; i < engine::kWorkCount; ++i) {
        const double seconds = offload.decode[i];
        if (!(seconds > 0.0))
            continue;
        const auto work = static_cast<Work>(i);
        const auto label = work == Work::Operator ? NodePage::tr("Accelerator's operators")
                                                  : QString::fromUtf8(engine::workLabel(work));
        parts.push_back({label, both(secondsText(seconds), seconds / whole), seconds / whole,
                         Theme::instance().series(barSeriesOf(work))});
    }
    std::stable_sort(parts.begin(), parts.end(),
                     [](const StackPart& a, const StackPart& b) { return a.share > b.share; });
    return parts;
}

} // namespace

bool NodePage::isOffloading() const {
    const auto* use = document().results().node(m_id);
    return node() && use && use->offload.active;
}

void NodePage::addProblem() {
    auto* section = addSection(tr("Problem"));
    later(section, [=, this] {
        auto* text = addText(section);
        onRefresh([this, section, text] {
            const auto card = cardOf(document(), m_id);
            const bool wrong = card && !card->error.isEmpty();
            const auto said = !card ? QString() : wrong ? card->error : card->warning;
            section->setVisible(!said.isEmpty());
            text->setRole(wrong ? ColorRole::Error : ColorRole::Warning);
            text->setText(said);
        });
    });
}

void NodePage::addTiers() {
    auto* section = addSection(tr("Where things lie"));
    later(section, [=, this] {
        static const std::array<const char*, engine::kTierCount> kNames{
            QT_TR_NOOP("Device memory"), QT_TR_NOOP("Host memory"), QT_TR_NOOP("Storage")};
        for (std::size_t i = 0; i < engine::kTierCount; ++i) {
            auto* text = addText(section);
            auto* bar = new StackBar(true, this);
            section->addRow(bar);
            onRefresh([this, text, bar, i] {
                const auto* use = document().results().node(m_id);
                const auto tier = use ? use->offload.tiers[i] : engine::TierUse();
                const bool known = isOffloading() && tier.capacity > 0.0;
                text->setVisible(known);
                bar->setVisible(known);
                if (!known)
                    return;
                const bool missing = use->shortfall && static_cast<std::size_t>(use->shortfall->tier) == i;
                text->setRole(missing ? ColorRole::Error : ColorRole::Text2);
                text->setText(missing
                                  ? tr("%1: %2 needed, %3 there")
                                        .arg(tr(kNames[i]), sizeText(use->shortfall->needed),
                                             sizeText(use->shortfall->available))
                                  : tr("%1: %2 of %3")
                                        .arg(tr(kNames[i]), sizeText(tier.used()), sizeText(tier.capacity)));
                bar->setParts(stackOf(tier));
            });
        }
        onRefresh([this, section] { section->setVisible(isOffloading()); });
    });
}

void NodePage::addKvShares() {
    auto* section = addSection(tr("KV cache"));
    later(section, [=, this] {
        auto* bar = new StackBar(true, this);
        section->addRow(bar);
        onRefresh([this, section, bar] {
            const auto* use = document().results().node(m_id);
            const auto kv = use ? use->offload.kv : engine::KvShares();
            const bool known =
                isOffloading() && document().evaluation().feasible && kv.host + kv.storage + kv.x > 0.0;
            section->setVisible(known);
            if (!known)
                return;
            section->setSummary(sizeText(use->offload.kvBytes));
            const auto& theme = Theme::instance();
            std::vector<StackPart> parts;
            const auto add = [&](const QString& label, double share, int series) {
                if (share > 0.0)
                    parts.push_back({label, shareText(share), share, theme.series(series)});
            };
            add(tr("Host memory, for the CPU"), kv.host, 6);
            add(use->offload.near ? tr("CSDs, attended to there") : tr("Storage, read back"), kv.storage, 4);
            add(tr("As X, made anew"), kv.x, 3);
            bar->setParts(std::move(parts));
        });
    });
}

void NodePage::addBatchTime(bool whole) {
    auto* section = addSection(whole ? tr("One batch, prefill and decode") : tr("Decode of one batch"));
    later(section, [=, this] {
        auto* bar = new StackBar(true, this);
        section->addRow(bar);
        onRefresh([this, section, bar, whole] {
            const auto* use = document().results().node(m_id);
            const bool runs = isOffloading() && document().evaluation().feasible &&
                              (whole ? use->role == engine::Role::Both : use->role != engine::Role::Prefill);
            section->setVisible(runs);
            if (!runs)
                return;
            const double prefill = whole ? use->prefill.totalSeconds : 0.0;
            const double seconds = prefill + use->decode.totalSeconds;
            section->setSummary(secondsText(seconds));
            auto parts = decodeParts(use->offload, seconds);
            if (whole)
                parts.insert(parts.begin(), {tr("Prefill"), both(secondsText(prefill), prefill / seconds),
                                             prefill / seconds, Theme::instance().series(0)});
            bar->setParts(std::move(parts));
        });
    });
}

void NodePage::addHeld() {
    auto* section = addSection(tr("What lies here"));
    later(section, [=, this] {
        auto* text = addText(section);
        auto* bar = new StackBar(true, this);
        section->addRow(bar);
        onRefresh([this, section, text, bar] {
            const auto held = node() ? tierAt(document(), m_id) : std::nullopt;
            const bool known = held && held->use.capacity > 0.0;
            section->setVisible(known);
            if (!known)
                return;
            text->setText(tr("%1 of %2").arg(sizeText(held->use.used()), sizeText(held->use.capacity)));
            bar->setParts(stackOf(held->use));
        });
    });
}

void NodePage::addInsideCsd() {
    if (node()->device.kind != engine::DeviceKind::Csd)
        return;
    auto* section = addSection(tr("Inside one CSD"));
    later(section, [=, this] {
        auto* text = addText(section);
        auto* bar = new StackBar(true, this);
        section->addRow(bar);
        onRefresh([this, section, text, bar] {
            const auto path = csdPathOf(document(), m_id);
            const bool known = path && std::isfinite(path->delivered) && path->delivered > 0.0;
            section->setVisible(known);
            if (!known)
                return;
            section->setSummary(rateText(path->delivered));
            const auto tokens = QString::fromStdString(engine::plainText(std::round(path->tokens)));
            text->setText((path->inUse
                               ? tr("One CSD attends to %1 of KV cache at %2 tokens: it is read from the "
                                    "flash, then the kernel works. The %3 limits.")
                               : tr("One CSD would attend to %1 of KV cache at %2 tokens, but no "
                                    "attention runs here. The %3 would limit."))
                              .arg(rateText(path->delivered), tokens,
                                   path->pathLimits ? tr("path from the flash") : tr("kernel")));
            const auto& theme = Theme::instance();
            const auto part = [&](const QString& label, double rate, bool limits) {
                const double share = path->delivered / rate; // of the time
                return StackPart{label, both(rateText(rate), share), share,
                                 limits ? theme.color(ColorRole::Hot) : theme.series(4)};
            };
            bar->setParts({part(tr("Flash to kernel"), path->flash, path->pathLimits),
                           part(tr("Kernel"), path->kernel, !path->pathLimits)});
        });
    });
}

} // namespace heteroscape::widgets
