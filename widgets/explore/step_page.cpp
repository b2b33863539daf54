// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/step_page.h"

#include "engine/evaluation/evaluate.h"
#include "widgets/plots/scrolled.h"
#include "widgets/timeline/timeline_source.h"
#include "widgets/timeline/timeline_view.h"

#include <QScrollArea>

namespace heteroscape::widgets {

StepPage::StepPage(QWidget* parent) : QStackedWidget(parent) {
    m_timeline = new TimelineView;
    auto* scroll = scrolled(m_timeline, this); // lanes keep their height in a low tile
    m_none = new TextLabel({}, TextSize::Body, ColorRole::Text2, this);
    m_none->setWordWrap(true);
    m_none->setAlignment(Qt::AlignCenter);
    m_none->setMargin(16);
    addWidget(scroll);
    addWidget(m_none);
    connect(&m_job, &Job::failed, this, &StepPage::tell);
}

void StepPage::tell(const QString& reason) {
    m_none->setText(reason);
    setCurrentIndex(reason.isEmpty() ? 0 : 1);
}

void StepPage::showStep(const LoadedStudy& study, std::optional<std::size_t> row,
                        const std::string& without) {
    if (!row)
        return tell(tr("Choose a point: its step is shown here."));
    TimelineChoice choice;
    if (!without.empty())
        choice.without = without;
    m_job.start([this, choice, scenario = study.scenarioOf(*row)](JobRun&) -> Job::Show {
        auto source =
            timelineSource(scenario, engine::evaluate(scenario), engine::validate(scenario), choice);
        return [this, source = std::move(source)] {
            tell(source.reason);
            m_timeline->setTracks(source.tracks, true);
        };
    });
}

} // namespace heteroscape::widgets
