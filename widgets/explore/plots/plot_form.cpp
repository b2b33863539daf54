// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/plots/plot_form.h"

#include "widgets/explore/plot_words.h"

#include <algorithm>
#include <array>

namespace heteroscape::widgets {

extern const PlotForm linesForm, barsForm, heatMapForm, scatterForm, parallelForm, breakdownForm,
    rooflineForm, stackedForm, timelineForm, bestAtForm, onFrontForm;

std::span<const ListedForm> plotForms() {
    static constexpr std::array forms{ListedForm{engine::PlotKind::Lines, &linesForm},
                                      ListedForm{engine::PlotKind::Bars, &barsForm},
                                      ListedForm{engine::PlotKind::Stacked, &stackedForm},
                                      ListedForm{engine::PlotKind::HeatMap, &heatMapForm},
                                      ListedForm{engine::PlotKind::Scatter, &scatterForm},
                                      ListedForm{engine::PlotKind::BestAt, &bestAtForm},
                                      ListedForm{engine::PlotKind::OnFront, &onFrontForm},
                                      ListedForm{engine::PlotKind::Parallel, &parallelForm},
                                      ListedForm{engine::PlotKind::Breakdown, &breakdownForm},
                                      ListedForm{engine::PlotKind::Roofline, &rooflineForm},
                                      ListedForm{engine::PlotKind::Timeline, &timelineForm}};
    return forms;
}

const PlotForm& plotForm(engine::PlotKind kind) {
    return *std::ranges::find(plotForms(), kind, &ListedForm::kind)->form;
}

engine::PlotKind kindOf(const PlotForm& form) {
    return std::ranges::find(plotForms(), &form, &ListedForm::form)->kind;
}

bool PlotForm::offers(bool engine::StudyPlot::*mark) const {
    return std::ranges::find(marks, mark) != marks.end();
}

QString PlotForm::words(const char* text) {
    return PlotWords::tr(text);
}

} // namespace heteroscape::widgets
