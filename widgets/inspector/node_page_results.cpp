// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/base/error.h"
#include "engine/evaluation/breakdown.h"
#include "engine/techniques/l2_prefetch.h"
#include "widgets/document/document.h"
#include "widgets/inspector/node_page.h"
#include "widgets/inspector/section.h"
#include "widgets/inspector/stack_bar.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/text_label.h"
#include "widgets/theme/theme.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace heteroscape::widgets {

/// The operators of a step in a few groups (projections, attention, FFN, ...), in the order of the step.
/// Shares add up to 1. Groups that take no time are left out.
std::vector<StackPart> operatorGroups(const engine::StepBreakdown& step);

namespace {

struct OperatorGroupsText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::OperatorGroups)
};

enum Group { AllReduce, Projections, Attention, Ffn, Head, Rest, Waiting, GroupCount };

Group groupOf(const engine::OperatorRow& row) {
    const std::string_view key = row.key;
    if (row.collectiveBytes > 0.0)
        return AllReduce;
    if (key == "lm_head")
        return Head;
    if (key == "waiting")
        return Waiting;
    if (key.ends_with("_norm") || key.ends_with("_residual") || row.segment == engine::Segment::Head)
        return Rest;
    if (row.segment == engine::Segment::Ffn)
        return Ffn;
    if (key == "scores" || key == "softmax" || key == "values" || key == "attention" || key == "index" ||
        key == "convolution" || key.ends_with("_cache"))
        return Attention;
    return key.ends_with("_rope") || key == "positions" ? Rest : Projections;
}

QString labelOf(int group, bool allReducesOnly) {
    switch (group) {
    case AllReduce:
        return allReducesOnly ? OperatorGroupsText::tr("Allreduce") : OperatorGroupsText::tr("Collectives");
    case Projections:
        return OperatorGroupsText::tr("Attention projections");
    case Attention:
        return OperatorGroupsText::tr("Attention and KV cache");
    case Ffn:
        return OperatorGroupsText::tr("Feed-forward network");
    case Head:
        return OperatorGroupsText::tr("LM head");
    case Waiting:
        return OperatorGroupsText::tr("Waiting for others");
    default:
        return OperatorGroupsText::tr("Norms, positions, residuals");
    }
}

} // namespace

std::vector<StackPart> operatorGroups(const engine::StepBreakdown& step) {
    std::array<double, GroupCount> seconds{};
    bool allReducesOnly = true;
    for (const auto& row : step.operators) {
        const auto group = groupOf(row);
        seconds[static_cast<std::size_t>(group)] += row.seconds;
        allReducesOnly = allReducesOnly && (group != AllReduce || row.key.ends_with("_allreduce"));
    }
    // Series that differ most beside each other; the rest is grey.
    static constexpr std::array<int, GroupCount> kSeries{1, 0, 3, 2, 4, 7, 5};
    std::vector<StackPart> parts;
    for (int group = 0; group < GroupCount; ++group) {
        const auto at = static_cast<std::size_t>(group);
        if (seconds[at] > 0.0)
            parts.push_back({labelOf(group, allReducesOnly), secondsText(seconds[at]),
                             seconds[at] / step.seconds, Theme::instance().series(kSeries[at])});
    }
    return parts;
}

} // namespace heteroscape::widgets

// What the evaluation says of a node.

namespace heteroscape::widgets {

namespace {

QString megabytes(double bytes) {
    return shortNumber(bytes / 1e6);
}

} // namespace

TextLabel* NodePage::addText(Section* section) {
    auto* text = new TextLabel(TextSize::Caption, ColorRole::Text2, this);
    text->setWordWrap(true);
    text->setContentsMargins(14, 4, 14, 0);
    section->addRow(text);
    return text;
}

void NodePage::addSharing(Section* section) {
    auto* text = addText(section);
    onRefresh([this, text] {
        if (!node())
            return;
        const double devices = node()->count.valueOr(1.0);
        const double each = engine::tensorParallel(*node());
        const double replicas = engine::replicas(*node());
        text->setVisible(devices > 1.0);
        if (each <= 1.0)
            text->setText(tr("Each of the %1 devices holds a replica of its own").arg(devices));
        else if (replicas <= 1.0)
            text->setText(tr("%1 devices share one replica (tensor parallel)").arg(each));
        else
            text->setText(tr("%1 replicas, %2 devices share each (tensor parallel)").arg(replicas).arg(each));
    });
}

void NodePage::addDecoderLayer() {
    auto* section = addSection(tr("One decoder layer"));
    later(section, [=, this] {
        auto* bar = new StackBar(true, this);
        section->addRow(bar);
        auto* allReduce = addText(section);
        onRefresh([this, section, bar, allReduce] {
            const auto* evaluation = document().results().node(m_id);
            const bool decodes = evaluation && (evaluation->role == engine::Role::Both ||
                                                evaluation->role == engine::Role::Decode);
            const auto layer = evaluation ? evaluation->layer : engine::LayerEvaluation();
            const double seconds = layer.attentionSeconds + layer.ffnSeconds;
            const bool known = node() && decodes && std::isfinite(seconds) && seconds > 0.0;
            section->setVisible(known);
            if (!known)
                return;
            const auto& theme = Theme::instance();
            section->setSummary(secondsText(seconds));
            bar->setParts({{tr("Attention segment"), secondsText(layer.attentionSeconds),
                            layer.attentionSeconds / seconds, theme.series(3)},
                           {tr("FFN segment"), secondsText(layer.ffnSeconds), layer.ffnSeconds / seconds,
                            theme.series(2)}});
            allReduce->setVisible(layer.allReduceSeconds > 0.0);
            allReduce->setText(
                tr("Each segment opens with an allreduce of %1").arg(secondsText(layer.allReduceSeconds)));
        });
        addPrefetch(section, engine::Segment::Attention);
        addPrefetch(section, engine::Segment::Ffn);
    });
}

void NodePage::addPrefetch(Section* section, engine::Segment segment) {
    auto* text = addText(section);
    auto* bar = new StackBar(false, this);
    section->addRow(bar);
    onRefresh([this, segment, text, bar] {
        const bool acts =
            node() && document().evaluation().feasible && engine::prefetches(document().scenario(), *node());
        text->setVisible(acts);
        bar->setVisible(acts);
        if (!acts)
            return;
        double held = 0.0; // of L2; each segment has all of it in turn
        for (const auto& row :
             engine::breakdown(document().scenario(), m_id, engine::Phase::Decode).operators)
            if (row.segment == segment)
                held += row.l2Bytes;
        const double l2 = node()->device.l2Capacity.value;
        const bool attention = segment == engine::Segment::Attention;
        text->setText((attention ? tr("Attention: %1 of %2 MB of L2 prefetched")
                                 : tr("FFN: %1 of %2 MB of L2 prefetched"))
                          .arg(megabytes(held), megabytes(l2)));
        bar->setParts(
            {{tr("Prefetched"), megabytes(held) + tr(" MB"), held / l2, Theme::instance().series(4)}});
    });
}

void NodePage::addDie(Section* section) {
    auto* text = addText(section);
    onRefresh([this, section, text] {
        if (!node())
            return;
        const auto& device = node()->device;
        const double area = engine::dieArea(device);
        const double cores = engine::coreCount(device);
        const bool derived = !device.dieArea.isSet() && std::isfinite(area);
        const auto shown = shortNumber(area * 1e6) + QStringLiteral("\u202fmm\u00b2");
        section->setSummary(std::isfinite(area) ? shown : tr("not set"));
        text->setVisible(derived || std::isfinite(cores));
        if (derived)
            text->setText(
                tr("%1 cores and the L2 take %2, which stands for the die").arg(shortNumber(cores), shown));
        else
            text->setText(tr("%1 cores").arg(shortNumber(cores)));
    });
}

void NodePage::addStep(engine::Phase phase) {
    const bool decode = phase == engine::Phase::Decode;
    auto* section = addSection(decode ? tr("One decode token") : tr("One prefill"));
    later(section, [=, this] {
        auto* bar = new StackBar(true, this);
        section->addRow(bar);
        onRefresh([this, phase, section, bar] {
            const auto* evaluation = document().results().node(m_id);
            const bool decodes = phase == engine::Phase::Decode;
            const bool runs = evaluation &&
                              !(decodes && isOffloading()) && // its flows are told apart elsewhere
                              (evaluation->role == engine::Role::Both ||
                               evaluation->role == (decodes ? engine::Role::Decode : engine::Role::Prefill));
            std::vector<StackPart> parts;
            if (runs) {
                try {
                    const auto step = engine::breakdown(document().scenario(), m_id, phase);
                    section->setSummary(secondsText(step.seconds));
                    parts = operatorGroups(step);
                } catch (
                    const engine::Error&) { // quantities that the step needs are not set; Messages says which
                }
            }
            section->setVisible(!parts.empty());
            bar->setParts(std::move(parts));
        });
    });
}

} // namespace heteroscape::widgets
