// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_source.h"

#include "engine/base/error.h"
#include "engine/evaluation/evaluate.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

using engine::Phase;
using engine::Role;

struct TimelineText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::Timeline)
};

std::vector<TimelineSource::Accelerator> acceleratorsOf(const engine::Scenario& scenario) {
    std::vector<TimelineSource::Accelerator> found;
    for (const auto& node : scenario.nodes) {
        if (!engine::isAccelerator(node.device.kind) || !node.runtime)
            continue;
        const auto name = QString::fromStdString(node.shownName());
        const auto count = std::lround(node.count.valueOr(1.0));
        const auto role = engine::effectiveRole(scenario, node);
        found.push_back({node.id, count > 1 ? TimelineText::tr("%1 \u00d7 %2").arg(count).arg(name) : name,
                         role == Role::Prefill || role == Role::Both,
                         role == Role::Decode || role == Role::Both});
    }
    return found;
}

/// What the step is compared with, brought to the techniques that are there.
void settleBaseline(TimelineSource& source) {
    auto& without = source.shown.without;
    const auto& all = source.techniques;
    if (!without || all.empty())
        without.reset();
    else if (std::find(all.begin(), all.end(), *without) == all.end())
        without = all.size() == 1 ? all.front() : std::string();
}

/// The node wanted when it is there, and the phase wanted unless that node never runs it.
void settle(TimelineSource& source) {
    auto& shown = source.shown;
    const auto& all = source.accelerators;
    auto node = std::find_if(all.begin(), all.end(), [&](const auto& a) { return a.id == shown.node; });
    if (node == all.end())
        node = std::find_if(all.begin(), all.end(), [&](const auto& a) { return a.runs(shown.phase); });
    if (node == all.end())
        node = all.begin();
    shown.node = node->id;
    if (!node->runs(shown.phase) && (node->prefills || node->decodes))
        shown.phase = node->decodes ? Phase::Decode : Phase::Prefill;
}

void addStages(TimelineTracks& tracks, engine::StepTimeline step) { // a copy: the tracks grow
    for (std::size_t i = 0; i < step.stages.size(); ++i)
        tracks.emplace_back(step, i);
}

QString reasonOf(const engine::Scenario& scenario, const engine::Evaluation& evaluation,
                 const std::vector<engine::Diagnostic>& diagnostics, bool accelerators) {
    if (scenario.nodes.empty())
        return TimelineText::tr("Nothing here computes yet. Put a GPU, NPU or FPGA on the canvas.");
    for (const auto& finding : diagnostics)
        if (finding.severity == engine::Severity::Error)
            return QString::fromStdString(finding.remedy.empty()
                                              ? finding.message + "."
                                              : finding.message + ". " + finding.remedy + ".");
    if (!accelerators)
        return TimelineText::tr("Nothing here computes yet. Put a GPU, NPU or FPGA on the canvas.");
    if (!evaluation.feasible)
        return QString::fromStdString(evaluation.reason);
    return {};
}

} // namespace

QString techniqueText(const std::string& id) {
    if (id.empty())
        return TimelineText::tr("any technique");
    if (const auto* kind = engine::techniqueKinds().find(id)) {
        const auto name = kind->label();
        auto label = QString::fromUtf8(name);
        if (label.size() > 1 && label[1].isLower()) // "L2 prefetch", "KV in host memory" and "X-cache" stay
            label[0] = label[0].toLower();
        return label;
    }
    return QString::fromStdString(id);
}

TimelineSource timelineSource(const engine::Scenario& scenario, const engine::Evaluation& evaluation,
                              const std::vector<engine::Diagnostic>& diagnostics,
                              const TimelineChoice& wanted) {
    TimelineSource source;
    source.shown = wanted;
    source.accelerators = acceleratorsOf(scenario);
    source.reason = reasonOf(scenario, evaluation, diagnostics, !source.accelerators.empty());
    if (!source.accelerators.empty())
        settle(source);
    if (!source.reason.isEmpty())
        return source;
    const auto& id = source.shown.node;
    for (const auto technique : engine::scheduleTechniques(scenario, id))
        source.techniques.emplace_back(technique);
    settleBaseline(source);
    try {
        const auto timelineOf = [&](const engine::Scenario& design, const engine::Evaluation& evaluated) {
            auto step = engine::stepTimeline(design, id, source.shown.phase);
            engine::addPower(design, evaluated, step);
            return step;
        };
        auto own = timelineOf(scenario, evaluation);
        if (own.segments.empty() || !std::isfinite(own.seconds) || own.seconds <= 0.0) {
            source.reason =
                TimelineText::tr("The step of %1 takes no time that is known. Set the quantities that its "
                                 "runtime needs.")
                    .arg(QString::fromStdString(own.name));
            return source;
        }
        const auto& without = source.shown.without;
        if (!without) {
            const auto& track = source.tracks.emplace_back(TimelineText::tr("As designed"), std::move(own));
            addStages(source.tracks, track.step());
            return source;
        }
        source.tracks.emplace_back(without->empty()
                                       ? TimelineText::tr("As designed")
                                       : TimelineText::tr("With %1").arg(techniqueText(*without)),
                                   std::move(own));
        const auto plain = engine::withoutTechnique(scenario, *without);
        source.tracks.emplace_back(TimelineText::tr("Without %1").arg(techniqueText(*without)),
                                   timelineOf(plain, engine::evaluate(plain)));
        addStages(source.tracks, source.tracks.front().step());
    } catch (const engine::Error& error) {
        source.tracks.clear();
        source.reason = QString::fromStdString(error.what());
    }
    return source;
}

} // namespace heteroscape::widgets
