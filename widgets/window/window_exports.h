// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/jobs/job.h"
#include "widgets/window/window_pieces.h"

#include <QObject>
#include <QString>

namespace heteroscape::widgets {

class CanvasView;

/// Writes the whole system as drawn on the canvas, in the light theme on white, as PNG, SVG or PDF by the
/// file's suffix. Throws engine::Error naming the file when it cannot be written or the suffix is another. UI
/// thread.
void exportCanvas(CanvasView& canvas, const QString& path);

struct DesignReport;

/// What leaves the window: the shown workspace as a picture or a table, and the report of the design. UI
/// thread.
class WindowExports : public QObject {
    Q_OBJECT
public:
    explicit WindowExports(const WindowPieces& window);

    void exportShown(); ///< of the workspace that is shown
    void makeReport();  ///< of the design, with the plots of the study that is shown
    void copyPython();  ///< lines that make this design: of what was opened by what was changed
    void copyCommand(); ///< the same for a shell
    void copyLaunch();  ///< commands that start its servers

private:
    void showReport(const DesignReport& report);
    void exportPicture();
    void copy(const std::string& lines);

    const WindowPieces& m_window;
    Job m_report; ///< what is told in it
};

} // namespace heteroscape::widgets
