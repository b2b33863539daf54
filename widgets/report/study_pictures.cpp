// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/study_pictures.h"

#include "widgets/explore/parallel_view.h"
#include "widgets/explore/plot_state.h"
#include "widgets/explore/plot_words.h"
#include "widgets/explore/plots/plot_form.h"
#include "widgets/report/design_pictures.h"

#include <QCoreApplication>

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

} // namespace heteroscape::widgets
