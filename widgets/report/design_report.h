// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/report/design_tables.h"
#include "widgets/report/picture.h"

#include <QString>

#include <vector>

namespace heteroscape::widgets {

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

} // namespace heteroscape::widgets
