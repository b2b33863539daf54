// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/calibration/calibration_source.h"
#include "widgets/plots/chart.h"

#include <QTreeWidget>
#include <map>

namespace heteroscape::widgets {

/// Measured against model, before a fit and now; rows that nothing is fitted on by their own marker. Any
/// thread.
Chart calibrationChart(const std::vector<CalibrationPoint>& points, const QString& unit);

/// Constants by group: checked to be fitted, where they start, their bounds, what came out. A constant that
/// several groups have is checked and bounded in all of them. Double click or Enter edits bounds. UI thread.
class ConstantsTree : public QTreeWidget {
    Q_OBJECT
public:
    enum Column { Name, Start, Bounds, Fitted, kColumns };

    explicit ConstantsTree(QWidget* parent = nullptr);

    void setGroups(const std::vector<CalibrationGroup>& groups); ///< the usual ones are checked
    void setOutcome(const CalibrationOutcome& outcome);
    void clearOutcome();
    std::vector<std::string> checked() const; ///< keys, each once
    std::vector<CalibrationRequest::Bounds> bounds() const { return m_bounds; }
    void checkAll(bool on);       ///< all that are possible, or the usual ones
    std::size_t possible() const; ///< keys that may be checked

signals:
    void changed();
    void refused(const QString& message); ///< bounds that are none

private:
    void edited(QTreeWidgetItem* item, int column);
    const CalibrationConstant& constantOf(const QTreeWidgetItem* item) const;
    template <class Do>
    void eachItem(Do what) const;
    int widthFor(int column) const;

    std::vector<CalibrationGroup> m_groups;
    std::vector<CalibrationRequest::Bounds> m_bounds; ///< that the user set
    bool m_filling = false;
};

} // namespace heteroscape::widgets
