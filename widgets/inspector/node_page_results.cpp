// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/node_page.h"

#include "engine/base/error.h"
#include "engine/evaluation/breakdown.h"
#include "engine/techniques/l2_prefetch.h"
#include "widgets/document/document.h"
#include "widgets/inspector/operator_groups.h"
#include "widgets/inspector/section.h"
#include "widgets/inspector/stack_bar.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/text_label.h"

#include <algorithm>
#include <cmath>

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
        const double copies = engine::replicas(*node());
        text->setVisible(devices > 1.0);
        if (each <= 1.0)
            text->setText(tr("Each of the %1 devices holds its own copy of the model").arg(devices));
        else if (copies <= 1.0)
            text->setText(tr("%1 devices share one copy of the model (tensor parallel)").arg(each));
        else
            text->setText(
                tr("%1 copies of the model, %2 devices share each (tensor parallel)").arg(copies).arg(each));
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
