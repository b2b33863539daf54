// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/design_pictures.h"

#include "engine/base/error.h"
#include "engine/evaluation/breakdown.h"
#include "engine/evaluation/evaluate.h"
#include "engine/exporters/serving_export.h"
#include "engine/study/sensitivity.h"
#include "widgets/explore/tornado_chart.h"
#include "widgets/requests/requests_export.h"
#include "widgets/roofline/roofline_chart.h"
#include "widgets/timeline/timeline_export.h"
#include "widgets/timeline/timeline_source.h"
#include "widgets/timeline/timeline_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

struct PictureText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::Picture)
};

[[noreturn]] void refuse(const engine::Scenario& design, const std::string& reason) {
    engine::throwInvalid("design \"" + design.name + "\"", "cannot be drawn: " + reason,
                         "Mend the design first");
}

struct Ready {
    engine::Evaluation evaluation;
    std::vector<engine::Diagnostic> diagnostics;
};

Ready evaluated(const engine::Scenario& design) {
    Ready ready{{}, engine::validate(design)};
    for (const auto& one : ready.diagnostics)
        if (one.severity == engine::Severity::Error)
            refuse(design, one.message);
    ready.evaluation = engine::evaluate(design);
    return ready;
}

QString phaseId(engine::Phase phase) {
    return phase == engine::Phase::Decode ? QStringLiteral("decode") : QStringLiteral("prefill");
}

} // namespace

Picture timelinePicture(const QString& id, const engine::Scenario& design, const engine::NodeId& node,
                        engine::Phase phase, const std::optional<std::string>& without) {
    const auto ready = evaluated(design);
    auto source = timelineSource(design, ready.evaluation, ready.diagnostics, {node, phase, without});
    if (source.tracks.empty())
        refuse(design, source.reason.toStdString());
    const auto title = (phase == engine::Phase::Decode ? PictureText::tr("Decode step of %1")
                                                       : PictureText::tr("Prefill of %1"))
                           .arg(QString::fromStdString(source.tracks.front().step().name));
    const auto tracks = std::make_shared<const TimelineTracks>(std::move(source.tracks));
    return {id, title,
            [tracks](ImageFormat format, const ImageSize& size) {
                return renderTimeline(*tracks, {0.0, endOf(*tracks)}, format, size);
            },
            [tracks] { return timelineCsv(*tracks); }};
}

Picture requestsPicture(const QString& id, const engine::Scenario& design) {
    auto run = std::make_shared<SimulationRun>();
    run->scenario = design;
    run->evaluation = evaluated(design).evaluation;
    engine::SimulationOptions options;
    options.recorded = SimulationRunner::kRecorded;
    run->serving = engine::simulate(design, run->evaluation, options);
    if (!run->serving.ran())
        refuse(design, run->serving.reason);
    const auto lanes = std::make_shared<const RequestLanes>(run);
    return {id, PictureText::tr("Requests over time"),
            [lanes](ImageFormat format, const ImageSize& size) {
                return renderRequests(*lanes, lanes->whole(), nullptr, 0, format, size);
            },
            [lanes] {
                return QString::fromStdString(
                    engine::servingSegmentsCsv(lanes->run().scenario, lanes->run().serving));
            }};
}

Picture sensitivityPicture(const QString& id, const engine::Scenario& design, const std::string& metric) {
    const auto* spec = engine::findMetric(metric);
    const auto chart = std::make_shared<TornadoChart>();
    TornadoPicture picture;
    picture.tornado = engine::tornado(design, engine::allInputs(design), metric);
    picture.metric = QString::fromUtf8(spec->label);
    picture.unit = QString::fromUtf8(spec->unit);
    const auto title = PictureText::tr("What moves the %1").arg(picture.metric.toLower());
    chart->setPicture(std::move(picture));
    return {id, title,
            [chart](ImageFormat format, const ImageSize& size) { return chart->render(format, size); },
            [chart] { return chart->csv(); }};
}

std::vector<Picture> designPictures(const engine::Scenario& design) {
    const auto ready = evaluated(design);
    if (!ready.evaluation.feasible)
        refuse(design, ready.evaluation.reason);
    std::vector<Picture> pictures;
    const auto roofs = engine::rooflines(design);
    RooflineOptions options;
    options.ceilings = rooflineCeilings(design, roofs);
    pictures.push_back(chartPicture(QStringLiteral("roofline"),
                                    PictureText::tr("Operators under their roofs"),
                                    rooflineChart(roofs, options)));
    for (const auto phase : {engine::Phase::Prefill, engine::Phase::Decode}) {
        const auto runs = std::count_if(roofs.begin(), roofs.end(),
                                        [phase](const auto& roof) { return roof.phase == phase; });
        for (const auto& roof : roofs)
            if (roof.phase == phase) {
                const auto id = runs == 1 ? QStringLiteral("timeline-%1").arg(phaseId(phase))
                                          : QStringLiteral("timeline-%1-%2")
                                                .arg(QString::fromStdString(roof.node.value), phaseId(phase));
                const bool compared = !engine::scheduleTechniques(design, roof.node).empty();
                pictures.push_back(timelinePicture(id, design, roof.node, phase,
                                                   compared ? std::optional<std::string>("") : std::nullopt));
            }
    }
    pictures.push_back(sensitivityPicture(QStringLiteral("sensitivity"), design, "throughput_tok_s"));
    if (design.serving.isSimulated())
        pictures.push_back(requestsPicture(QStringLiteral("requests"), design));
    return pictures;
}

} // namespace heteroscape::widgets
