// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/plots/plot_form.h"

namespace heteroscape::widgets {

extern const PlotForm timelineForm;
const PlotForm timelineForm{.label = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "Step timeline"),
                            .name = QT_TRANSLATE_NOOP("heteroscape::widgets::StudyTile", "Timeline"),
                            .shows = PlotForm::Shows::Designs,
                            .page = PlotForm::Page::Timeline};

} // namespace heteroscape::widgets
