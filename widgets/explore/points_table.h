// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/study_marks.h"
#include "widgets/plots/surface.h"

#include <memory>
#include <optional>
#include <set>

class QLineEdit;
class QMenu;
class QPushButton;
class QTableView;

namespace heteroscape::widgets {

class ExportButton;
class StudyTableModel;
class TextLabel;

/// The kept points of a study in a tile: best first until a header is clicked; filtered by typing limits; as
/// CSV into a file or the clipboard. The row under the mouse is the hovered one of the marks and the other
/// way round; Ctrl+click activates.
class PointsTable : public Surface {
    Q_OBJECT
public:
    explicit PointsTable(StudyMarks* marks, QWidget* parent = nullptr);

    /// The study of the marks. `leading`: metrics that come before the others.
    void showStudy(const std::vector<std::string>& leading);
    void sortBestFirst(const std::string& metric); ///< unless the user sorted otherwise
    std::optional<std::size_t> best() const;       ///< of the kept points, by the metric sorted by first

signals:
    void rowActivated(std::size_t row); ///< double click, Enter or Ctrl+click
    void bestChanged();
    void done(const QString& message);
    void failed(const QString& message);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; ///< the row under the mouse

private:
    QWidget* makeHead();
    void makeTable();
    void readFilter();
    void showFilter(); ///< the limits as text
    void showWhole();  ///< whether all is read that is copied and written
    void showKept();
    void showNote();
    void showSelected();
    void hideColumns();
    void fillColumnMenu();

    StudyMarks* m_marks;
    std::shared_ptr<const LoadedStudy> m_study;
    std::string m_metric;
    bool m_userSorted = false; ///< a header was clicked: keep that order
    bool m_fresh = false;      ///< the columns are not as wide as this study needs yet
    bool m_following = false;  ///< the current row is being set by the marks
    /// Columns that the user took away, by name; a point's design says what the other axes do.
    std::set<std::string> m_hidden{engine::kPointDesign};
    TextLabel* m_note;
    TextLabel* m_error;
    QLineEdit* m_filter;
    QString m_shownFilter; ///< what it said last of the limits
    QPushButton* m_clear;
    QPushButton* m_copy = nullptr;
    ExportButton* m_save = nullptr;
    QMenu* m_columns;
    StudyTableModel* m_model;
    QTableView* m_table;
};

} // namespace heteroscape::widgets
