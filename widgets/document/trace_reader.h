// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/serving.h"
#include "widgets/jobs/job.h"

#include <QObject>
#include <QString>

#include <functional>

namespace heteroscape::widgets {

/// Reads traces of requests off the UI thread: done() follows. UI thread.
class TraceReader : public QObject {
    Q_OBJECT
public:
    /// What the reader takes from the design and gives to it.
    struct Design {
        std::function<engine::Serving()> serving;
        std::function<QString()> path;                  ///< of its file; empty when it is in none
        std::function<void(engine::TraceFile)> arrived; ///< what the design names was read, or has a problem
        std::function<void(engine::TraceFile)> chosen;  ///< becomes its arrivals
    };
    TraceReader(Design design, QObject* parent);

    /// Reads what the open design names, where the rights allow it (engine::loadTrace()): with others than at
    /// first once its user has said so.
    void read(engine::TraceRights rights);
    void readAgain(); ///< after another design was opened
    /// Reads a trace that the user chose and makes it the arrivals, or refused() tells why not.
    void choose(const QString& path);
    bool isReading() const { return m_job.isBusy(); }

signals:
    void done(); ///< no trace is being read any more
    void refused(const QString& message);

private:
    Design m_design;
    Job m_job;
};

} // namespace heteroscape::widgets
