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

/// One file that needs no other: pictures are drawings within it. UI thread.
QString htmlReport(const DesignReport& report);
/// A4 pages with text as text and pictures at 300 dpi. UI thread.
QByteArray pdfReport(const DesignReport& report);

/// By the file's suffix (.html, .pdf); replaced atomically. Throws Error (InvalidInput for another suffix,
/// Io) naming the path.
void writeReportFile(const DesignReport& report, const QString& path);

} // namespace heteroscape::widgets
