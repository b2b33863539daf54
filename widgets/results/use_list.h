// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/simulation_runner.h"

#include <QString>
#include <QWidget>
#include <vector>

class QVBoxLayout;

namespace heteroscape::widgets {

/// Lies over all of a widget whose metrics are out of date, and lets the pointer through. Hidden at first. UI
/// thread.
class Veil : public QWidget {
    Q_OBJECT
public:
    explicit Veil(QWidget* over);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

class LegendLine;
class StackBar;
class TextLabel;
struct StackPart;

/// How busy each node and each link was in a simulation: a bar of prefill, KV transfer, decode and idle for
/// a node, of the bandwidth used for a link. Bars stay as long as the system keeps its shape. UI thread.
class UseList : public QWidget {
    Q_OBJECT
public:
    explicit UseList(QWidget* parent = nullptr);

    void setRun(std::shared_ptr<const SimulationRun> run);
    int rows() const { return static_cast<int>(m_rows.size()); }
    QString nameOf(int row) const;
    QString valueOf(int row) const;
    const StackBar* bar(int row) const { return m_rows[static_cast<std::size_t>(row)].bar; }

private:
    struct Line {
        QString name;
        QString value;
        std::vector<StackPart> parts;
    };
    struct Row {
        QWidget* widget;
        TextLabel* name;
        TextLabel* value;
        StackBar* bar;
    };

    void refresh();
    std::vector<Line> lines() const;
    Row makeRow();

    std::shared_ptr<const SimulationRun> m_run;
    QVBoxLayout* m_column;
    LegendLine* m_legend;
    std::vector<Row> m_rows;
};

} // namespace heteroscape::widgets
