// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/loaded_study.h"
#include "widgets/plots/surface.h"

#include <memory>
#include <optional>

class QTableView;

namespace heteroscape::widgets {

class StudyTableModel;
class TextLabel;

/// All points of a study in a tile: best first until a header is clicked; as CSV into a file or the
/// clipboard.
class PointsTable : public Surface {
    Q_OBJECT
public:
    explicit PointsTable(QWidget* parent = nullptr);

    /// `leading`: metrics that come before the others.
    void setStudy(std::shared_ptr<const LoadedStudy> study, const std::vector<std::string>& leading);
    void sortBestFirst(const std::string& metric); ///< unless the user sorted otherwise
    void selectRow(std::size_t row);               ///< of the study

signals:
    void rowChosen(std::size_t row);
    void rowActivated(std::size_t row); ///< double click or Enter
    void done(const QString& message);
    void failed(const QString& message);

private:
    void makeTable();

    std::shared_ptr<const LoadedStudy> m_study;
    std::string m_metric;
    bool m_userSorted = false; ///< a header was clicked: keep that order
    bool m_fresh = false;      ///< the columns are not as wide as this study needs yet
    TextLabel* m_note;
    StudyTableModel* m_model;
    QTableView* m_table;
};

} // namespace heteroscape::widgets
