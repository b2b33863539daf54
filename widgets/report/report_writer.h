// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/jobs/job.h"
#include "widgets/report/design_report.h"

#include <QTimer>

namespace heteroscape::widgets {

/// Writes a report while the window goes on: its pictures are drawn one in each turn of the event loop, as
/// drawing is for the UI thread alone; the file is made of them and written off it.
class ReportWriter : public QObject {
    Q_OBJECT
public:
    explicit ReportWriter(QObject* parent = nullptr);

    /// Begins; what was under way is given up. Throws Error (InvalidInput) for a suffix that says no format.
    void write(DesignReport report, const QString& path);
    bool isBusy() const { return m_turn.isActive() || m_job.isBusy(); }

signals:
    void drawn(int pictures, int of);
    void written(const QString& path);
    void failed(const QString& message); ///< what was at the path before is still there

private:
    void drawNext();
    void writeFile();

    DesignReport m_report;
    QString m_path;
    ReportFormat m_format = ReportFormat::Html;
    std::vector<QByteArray> m_drawings;
    QTimer m_turn;
    Job m_job;
};

} // namespace heteroscape::widgets
