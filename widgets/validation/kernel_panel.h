// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/jobs/job.h"
#include "widgets/validation/validation_view.h"

#include <QWidget>

class QPushButton;

namespace heteroscape::widgets {

class NoticeBar;
class PlotView;
class ShareBars;
class TextLabel;

/// One measured row opened: its shape, its times, what bounds it and what its time hangs on, the model along
/// one number of the shape with what was measured there; and the design behind it where there is one. UI
/// thread; the models are asked on a thread of its own.
class KernelPanel : public QWidget {
    Q_OBJECT
public:
    explicit KernelPanel(QWidget* parent = nullptr);

    void open(std::shared_ptr<const MeasuredChunk> chunk, std::size_t row);
    void close();
    bool isBusy() const { return m_job.isBusy(); }
    const std::optional<RowDetail>& detail() const { return m_detail; } ///< none until it is there
    PlotView* plot() const { return m_plot; }

signals:
    void likeRequested(); ///< show only rows of the same kind, device, framework and precision
    void openDesignRequested(const engine::Scenario& scenario, const QString& name);

private:
    void present(RowDetail detail);

    std::shared_ptr<const MeasuredChunk> m_chunk;
    std::size_t m_row = 0;
    std::optional<RowDetail> m_detail;
    TextLabel* m_empty;
    QWidget* m_content;
    TextLabel* m_title;
    TextLabel* m_about;
    TextLabel* m_error;
    TextLabel* m_times;
    TextLabel* m_shape;
    TextLabel* m_bound;
    ShareBars* m_shares;
    TextLabel* m_note;
    TextLabel* m_seriesTitle;
    PlotView* m_plot;
    QPushButton* m_design;
    Job m_job;
};

} // namespace heteroscape::widgets
