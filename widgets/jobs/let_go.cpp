// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/let_go.h"

#include "widgets/jobs/job.h"

#include <QCoreApplication>
#include <QPointer>

namespace heteroscape::widgets {

void letGo(std::shared_ptr<const void> value) {
    static QPointer<Job> job; // as long as the application
    if (!qApp)
        return;
    if (!job)
        job = new Job(Job::Order::EachToTheEnd, qApp);
    job->start([value = std::move(value)](JobRun&) mutable -> Job::Show {
        value.reset();
        return {};
    });
}

} // namespace heteroscape::widgets
