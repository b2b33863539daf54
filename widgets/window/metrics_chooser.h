// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/metric.h"

#include <QFrame>

#include <vector>

class QListWidget;

namespace heteroscape::widgets {

/// A popup with every metric that the strip could show: those chosen are ticked and stand first, in their
/// order; rows are ticked by a click or Space, and moved by dragging or with Alt and the arrow keys. UI
/// thread.
class MetricsChooser : public QFrame {
    Q_OBJECT
public:
    struct Row {
        engine::Metric metric;
        QString text;  ///< "Time to first token"
        QString value; ///< "4.19 s"; empty: none
        bool isChosen = false;
    };
    explicit MetricsChooser(const std::vector<Row>& rows, QWidget* parent = nullptr);

    QListWidget* list() const { return m_list; }

signals:
    void chosen(const std::vector<engine::Metric>& metrics); ///< another choice or order; never empty
    void resetRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void tell();
    void moveCurrent(int by);

    QListWidget* m_list;
};

} // namespace heteroscape::widgets
