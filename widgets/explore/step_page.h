// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/loaded_study.h"
#include "widgets/jobs/job.h"
#include "widgets/theme/text_label.h"

#include <QStackedWidget>

namespace heteroscape::widgets {

class TimelineView;

/// The step of one point of a study, lane by lane, or why there is none. Scheduled on a thread of its own.
class StepPage : public QStackedWidget {
    Q_OBJECT
public:
    explicit StepPage(QWidget* parent);

    TimelineView* timeline() const { return m_timeline; }
    bool isBusy() const { return m_job.isBusy(); }
    /// `without`: the technique (id) that the step is compared without; empty: none.
    void showStep(const LoadedStudy& study, std::optional<std::size_t> row, const std::string& without);
    void drop() { m_job.drop(); }

private:
    void tell(const QString& reason); ///< empty: there is a step

    Job m_job{Job::Order::Patient};
    TimelineView* m_timeline;
    TextLabel* m_none;
};

} // namespace heteroscape::widgets
