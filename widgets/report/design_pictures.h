// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/claims/figure_study.h"
#include "engine/evaluation/evaluation.h"
#include "widgets/explore/loaded_study.h"
#include "widgets/plots/chart_export.h"

#include <QByteArray>
#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heteroscape::widgets {

/// Something that can be drawn into a file without a window, and its numbers. UI thread, with a QApplication.
struct Picture {
    QString id;    ///< names it on the command line and in file names: "timeline-decode", "1"
    QString title; ///< "Decode step of 8 × Ascend 910B"
    std::function<QByteArray(ImageFormat, const ImageSize&)> render;
    std::function<QString()> csv;
};

/// Writes a picture, or its numbers where the suffix is .csv; replaced atomically. Throws Error (InvalidInput
/// for another suffix, Io) naming the path.
void writePicture(const Picture& picture, const QString& path, const ImageSize& size = {});

/// A chart as a picture.
Picture chartPicture(const QString& id, const QString& title, Chart chart);

/// The one of an id; throws Error (NotFound) naming `where` and the ids that there are.
const Picture& findPicture(const std::vector<Picture>& pictures, const QString& id, const std::string& where);

/// What can be drawn of one design that can run: "roofline"; for each phase that a node runs
/// "timeline-<node>-prefill" and "timeline-<node>-decode" (beside the same step without its techniques), the
/// node's name left out where only one runs the phase; "sensitivity" of the throughput; "requests" where
/// arrivals are simulated. Evaluates and simulates the design. Throws Error (InvalidInput) saying why a
/// design has no pictures.
std::vector<Picture> designPictures(const engine::Scenario& design);

/// The timeline of one step, compared with it without one technique, or any when `without` is empty; nothing
/// compares it with nothing.
Picture timelinePicture(const QString& id, const engine::Scenario& design, const engine::NodeId& node,
                        engine::Phase phase, const std::optional<std::string>& without);

/// A tornado of a metric (by key) over every figure that moves it, by its stated uncertainty or 10 %.
Picture sensitivityPicture(const QString& id, const engine::Scenario& design, const std::string& metric);

/// The simulated requests of a design whose arrivals are not steady.
Picture requestsPicture(const QString& id, const engine::Scenario& design);

/// The plots of a study as pictures with the ids "1", "2", …: each brought to fit the study (settle()), its
/// numbers from the study's table. A study of one design has its timelines.
std::vector<Picture> studyPictures(const std::shared_ptr<const LoadedStudy>& study,
                                   const std::vector<engine::StudyPlot>& plots);

} // namespace heteroscape::widgets
