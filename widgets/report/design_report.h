// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"
#include "engine/scenario/scenario.h"
#include "widgets/jobs/job.h"
#include "widgets/report/design_pictures.h"

#include <QString>
#include <QTimer>
#include <vector>

namespace heteroscape::widgets {

/// A table of a report. Every row has as many cells as there are headers.
struct ReportTable {
    QString id; ///< "metrics"
    QString title;
    std::vector<QString> headers;
    std::vector<bool> numeric; ///< columns set to the right
    std::vector<std::vector<QString>> rows;
};

/// "system" (nodes and links), "workload" (model, workload, techniques), "metrics" (those that are set, exact
/// numbers), "operators" (where the time of each phase goes) and "sources" (every figure of the devices and
/// runtimes that has a source).
std::vector<ReportTable> designTables(const engine::Scenario& design, const engine::Evaluation& evaluation);

/// A design on paper: what it is, chosen tables and pictures.
struct DesignReport {
    QString title;
    QString about;
    QString made; ///< version and key of the design: what it can be made again from
    std::vector<ReportTable> tables;
    std::vector<Picture> pictures;
};

/// All tables and pictures of a design, further pictures (of studies) behind them. Throws Error
/// (InvalidInput) for a design that cannot run.
DesignReport designReport(const engine::Scenario& design, std::vector<Picture> further = {});

/// What a report is written as.
enum class ReportFormat {
    Html, ///< one file that needs no other: pictures are drawings within it
    Pdf,  ///< A4 pages with text as text and pictures at 300 dpi
};
/// By the file's suffix (.html, .pdf). Throws Error (InvalidInput) for another, naming the path.
ReportFormat reportFormat(const QString& path);

/// A picture as a report of that format holds it. UI thread.
QByteArray reportDrawing(const Picture& picture, ReportFormat format);
/// The file, with `drawings` in the order of the report's pictures. Any thread.
QByteArray reportFile(const DesignReport& report, ReportFormat format,
                      const std::vector<QByteArray>& drawings);

/// Draws and writes it, in the format of reportFormat(path); replaced atomically. Throws Error (InvalidInput
/// for another suffix, Io) naming the path. UI thread; ReportWriter does not hold it up.
void writeReportFile(const DesignReport& report, const QString& path);

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
