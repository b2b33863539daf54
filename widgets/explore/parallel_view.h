// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/parallel_painter.h"
#include "widgets/explore/study_marks.h"
#include "widgets/jobs/job.h"
#include "widgets/plots/chart_export.h"
#include "widgets/theme/seen_widget.h"

#include <QPixmap>

namespace heteroscape::widgets {

/// Parallel coordinates of a study on the screen: every axis of the study, then metrics; a line for every
/// row, put together where they run alike. Drag along an axis brushes it, dragging the brush moves it, a
/// double click or Del takes it away. The row under the mouse is the hovered one of the marks, a click
/// chooses it, a double click or Ctrl+click activates it. Keys: left and right choose an axis, up and down
/// move its brush (there is none: make one), with Shift its upper end. Follows the theme. UI thread only.
class ParallelView : public DrawnWidget {
    Q_OBJECT
public:
    explicit ParallelView(StudyMarks* marks, QWidget* parent = nullptr);

    void setColumns(std::vector<std::string> columns); ///< of the marks' study; also after the study changed
    const ParallelPicture& picture() const { return m_picture; }
    ParallelLayout parallelLayout() const;

    /// Writes it as a PNG, SVG or PDF by the path's suffix. Throws Error naming the path.
    void exportTo(const QString& path, const ImageSize& size) const;
    QByteArray render(ImageFormat format, const ImageSize& size) const; ///< the same as a file's bytes
    QString csv(bool keyed = false) const; ///< the kept rows in these columns, keyed: and their designs' keys

    QSize minimumSizeHint() const override { return {240, 140}; }
    QSize sizeHint() const override { return {560, 320}; }

signals:
    void rowActivated(std::size_t row);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void point(QMouseEvent& event) override;
    void pointAway() override { m_marks->hover({}); }
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void grab(const QMouseEvent& press); ///< an axis, or chooses the row there
    void drag(QPointF at);
    void readAxes();
    void readBundles();
    void readBrushes();
    void labelAxes();
    void brush(std::size_t axis, double low, double high); ///< shares
    std::optional<std::size_t> rowNear(QPointF at) const;
    void describe();
    void repaintAll(); ///< what is cached too

    StudyMarks* m_marks;
    std::shared_ptr<const LoadedStudy> m_study; ///< that the picture is of
    std::vector<std::string> m_columns;
    ParallelPicture m_picture;
    Job m_job{Job::Order::Patient}; ///< of many rows
    QPixmap m_lines;                ///< the bundles as painted last; null: to be painted
    std::optional<std::size_t> m_dragged;
    double m_anchor = 0;                                ///< share where the drag began
    std::optional<std::pair<double, double>> m_grabbed; ///< the brush as it was when it was taken hold of
};

} // namespace heteroscape::widgets
