// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study_run/study_forecast.h"
#include "widgets/jobs/job.h"

#include <QObject>
#include <QString>

#include <optional>
#include <string>

class QTimer;

namespace heteroscape::widgets {

/// Tells what running a study would come to, from a thread of its own: a little after the last question, and
/// only to that one. UI thread.
class StudyForecaster : public QObject {
    Q_OBJECT
public:
    explicit StudyForecaster(QObject* parent = nullptr);

    void setStorePath(const QString& path); ///< where points may be stored already; empty: nowhere
    void ask(const engine::Study& study);   ///< instead of what was asked before
    void drop();                            ///< nothing is asked any more

signals:
    void told(const heteroscape::engine::StudyForecast& forecast);
    void failed(const QString& message);

private:
    void hand(); ///< the question to the thread

    std::string m_storePath;
    std::optional<engine::Study> m_next; ///< asked, not handed over yet
    QTimer* m_delay;
    Job m_job;
};

} // namespace heteroscape::widgets
