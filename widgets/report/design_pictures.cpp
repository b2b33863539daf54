// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/design_pictures.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/catalog/named.h"
#include "engine/evaluation/breakdown.h"
#include "engine/evaluation/evaluate.h"
#include "engine/exporters/timeline_export.h"
#include "engine/study/sensitivity.h"
#include "widgets/explore/parallel_view.h"
#include "widgets/explore/plot_words.h"
#include "widgets/explore/plots/plot_form.h"
#include "widgets/explore/study_plot.h"
#include "widgets/explore/tornado_chart.h"
#include "widgets/requests/requests_painter.h"
#include "widgets/roofline/roofline_chart.h"
#include "widgets/timeline/timeline_painter.h"
#include "widgets/timeline/timeline_source.h"
#include "widgets/timeline/timeline_text.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>

namespace heteroscape::widgets {

namespace {

/// All rows, none brushed.
Picture parallelPicture(const QString& id, const std::shared_ptr<const LoadedStudy>& study,
                        const engine::StudyPlot& plot) {
    struct Drawn {
        StudyMarks marks;
        ParallelView view{&marks};
    };
    const auto drawn = std::make_shared<Drawn>();
    drawn->marks.setStudy(study);
    std::vector<std::string> columns;
    for (const auto& axis : study->table.info.axes)
        columns.push_back(axis.path);
    columns.insert(columns.end(), plot.metrics.begin(), plot.metrics.end());
    drawn->view.setColumns(std::move(columns));
    const auto title = QCoreApplication::translate("heteroscape::widgets::Picture", "Parallel coordinates");
    drawn->view.setAccessibleName(title);
    return {id, title,
            [drawn](ImageFormat format, const ImageSize& size) { return drawn->view.render(format, size); },
            [drawn] { return drawn->view.csv(); }};
}

Picture studyPicture(const QString& id, const std::shared_ptr<const LoadedStudy>& loaded,
                     engine::StudyPlot plot) {
    const auto& study = *loaded;
    const auto& base = *study.definition.base;
    const auto& form = plotForm(plot.kind);
    if (form.isTimeline())
        return plot.requests ? requestsPicture(id, base)
                             : timelinePicture(id, base, {}, engine::Phase::Decode, plot.without);
    if (!form.isChart())
        return parallelPicture(id, loaded, plot);
    HeldValues held;
    settle(plot, study.table, held);
    return chartPicture(id, plotTitle(study, plot), studyChart(study, plot).chart);
}

} // namespace

std::vector<Picture> studyPictures(const std::shared_ptr<const LoadedStudy>& study,
                                   const std::vector<engine::StudyPlot>& plots) {
    std::vector<Picture> pictures;
    for (const auto& plot : plots) {
        auto picture = studyPicture(QString::number(pictures.size() + 1), study, plot);
        if (!plot.title.empty())
            picture.title = QString::fromStdString(plot.title);
        pictures.push_back(std::move(picture));
    }
    return pictures;
}

void writePicture(const Picture& picture, const QString& path, const ImageSize& size) {
    if (QFileInfo(path).suffix().toLower() == QLatin1String("csv")) {
        exportText(picture.csv(), path);
        return;
    }
    const auto bytes = picture.render(imageFormatOf(path), size);
    engine::writeFileAtomically(path.toStdString(),
                                {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

Picture chartPicture(const QString& id, const QString& title, Chart chart) {
    const auto shared = std::make_shared<const Chart>(std::move(chart));
    return {
        id, title,
        [shared](ImageFormat format, const ImageSize& size) { return renderChart(*shared, format, size); },
        [shared] { return chartCsv(*shared); }};
}

const Picture& findPicture(const std::vector<Picture>& pictures, const QString& id,
                           const std::string& where) {
    const auto found =
        std::find_if(pictures.begin(), pictures.end(), [&](const auto& one) { return one.id == id; });
    if (found != pictures.end())
        return *found;
    std::vector<std::string> ids;
    ids.reserve(pictures.size());
    for (const auto& one : pictures)
        ids.push_back(one.id.toStdString());
    throw engine::Error(engine::ErrorCode::NotFound, where,
                        "there is no plot \"" + id.toStdString().substr(0, 80) + "\"",
                        "There are: " + engine::joined(ids));
}

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
