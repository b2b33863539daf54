// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/study_marks.h"

#include <QWidget>

#include <array>
#include <optional>

class QGridLayout;
class QLabel;
class QPushButton;

namespace heteroscape::widgets {

class Pill;
class TextLabel;

/// The chosen point of a study, else its best: its values, its key metrics, as ratios too while something is
/// pinned, and what can be done with it.
class SelectedPanel : public QWidget {
    Q_OBJECT
public:
    explicit SelectedPanel(StudyMarks* marks, QWidget* parent = nullptr);

    /// `best`: it is the best of those shown. `leading`: the metrics that come first.
    void showPoint(std::optional<std::size_t> row, bool best, const std::vector<std::string>& leading);

signals:
    void openRequested();
    void pinRequested();
    void pinDesignRequested();
    void unpinRequested();

private:
    struct Metric {
        TextLabel* name = nullptr;
        TextLabel* value = nullptr;
    };
    void makeMetrics();
    void fillMetrics(const std::vector<std::string>& leading);
    void showMetric(const Metric& metric, const engine::StudyColumn& column);

    StudyMarks* m_marks;
    std::optional<std::size_t> m_row;
    QLabel* m_star;
    TextLabel* m_heading;
    Pill* m_ideal;
    TextLabel* m_name;
    QGridLayout* m_grid;
    std::array<Metric, 4> m_metrics; ///< the first of them are shown
    TextLabel* m_reason;             ///< why there are none
    QPushButton* m_alike;
    QPushButton* m_open;
    QPushButton* m_pin;
    QPushButton* m_pinDesign;
    QPushButton* m_unpin;
};

} // namespace heteroscape::widgets
