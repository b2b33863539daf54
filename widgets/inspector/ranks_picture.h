// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"
#include "widgets/theme/seen_widget.h"

#include <vector>

namespace heteroscape::widgets {

/// The ranks of one replica, a row for a server or a stage: the upper half of a cell is attention,
/// the lower half experts or the dense network; cells that share what they hold touch. Over 64 ranks a cell
/// is a server. The rank under the pointer, or the one that the arrow keys reach, is told below. UI thread.
class RanksPicture : public DrawnWidget {
    Q_OBJECT
public:
    explicit RanksPicture(QWidget* parent = nullptr);

    void show(const engine::Scenario& scenario, const engine::Node& node);
    /// "1 stage, 61 layers".
    QString summary() const;
    int cells() const { return static_cast<int>(m_cells.size()); }
    int ranksInCell() const { return m_ranksInCell; }
    /// "Rank 11: 128 requests, experts 88 to 95".
    QString cellText(int cell) const;
    QRect cellRect(int cell) const;
    int marked() const { return m_marked; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void point(QMouseEvent& event) override;
    void pointAway() override { update(); }
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Cell {
        int row = 0;
        int column = 0;
        int stage = 0;
        int firstRank = 0;
    };
    struct Row {
        QString label;
        int stage = 0;
        bool opensStage = false;
    };
    void mark(int cell);
    int top(int row) const;
    QString layersOf(int stage) const;
    bool sharesAttention(int left, int right) const;
    bool sharesExperts(int left, int right) const;
    QStringList legend() const;

    engine::Layout m_layout;
    double m_layers = 0.0;
    double m_heads = 0.0;
    double m_experts = 0.0; ///< 0: dense
    double m_batch = 0.0;
    std::vector<Cell> m_cells;
    std::vector<Row> m_rows;
    int m_columns = 1;
    int m_ranksInCell = 1;
    int m_marked = 0;
};

} // namespace heteroscape::widgets
