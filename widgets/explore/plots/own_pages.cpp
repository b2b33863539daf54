// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/plots/plot_form.h"

namespace heteroscape::widgets {

extern const PlotForm timelineForm;
const PlotForm timelineForm{.label = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "Step timeline"),
                            .name = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "Timeline"),
                            .shows = PlotForm::Shows::Designs,
                            .page = PlotForm::Page::Timeline};

extern const PlotForm parallelForm;
const PlotForm parallelForm{.label =
                                QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "Parallel coordinates"),
                            .name = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "All designs"),
                            .shows = PlotForm::Shows::Points,
                            .page = PlotForm::Page::Parallel,
                            .further = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "Axes beside it"),
                            .metrics = 4};

} // namespace heteroscape::widgets
