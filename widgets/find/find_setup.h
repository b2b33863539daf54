// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/search_problem.h"
#include "engine/search/search_tally.h"
#include "widgets/explore/default_axes.h"
#include "widgets/theme/seen_widget.h"

#include <QWidget>
#include <optional>
#include <vector>

class QComboBox;
class QPushButton;
class QVBoxLayout;

namespace heteroscape::widgets {

/// What is wanted of a design: one to three rows, each much or little of a metric, of the devices or of a
/// variable. UI thread.
class ObjectiveList : public QWidget {
    Q_OBJECT
public:
    explicit ObjectiveList(QWidget* parent = nullptr);

    std::vector<engine::SearchGoal> goals() const;
    void setGoals(const std::vector<engine::SearchGoal>& goals); ///< tells nobody
    /// The variables that can be objectives: paths and what they are called.
    void setVariables(const std::vector<std::pair<QString, QString>>& variables);

    QPushButton* addButton() const { return m_add; } ///< to be put where the list is headed

signals:
    void edited();

private:
    struct Row {
        QWidget* widget;
        QComboBox* way;
        QComboBox* what;
    };
    void addRow(const engine::SearchGoal& goal);
    void fill(QComboBox* what, const QString& chosen) const;
    void remove(const QWidget* row);
    void showAdd();

    QPushButton* m_add;
    QVBoxLayout* m_column;
    std::vector<Row> m_rows;
    std::vector<std::pair<QString, QString>> m_variables;
};

class AxisList;
class Document;
class LimitList;
class SeekPanel;
class TextLabel;

/// Where a search of the open design is set up: variables, objectives, limits; and what a goal seek answers.
/// UI thread.
class FindSetup : public SeenWidget {
    Q_OBJECT
public:
    explicit FindSetup(Document* document, QWidget* parent = nullptr);

    /// The problem as set up; none while something in it does not hold.
    const std::optional<engine::SearchProblem>& problem() const { return m_problem; }
    void setProblem(const engine::SearchProblem& problem); ///< it stays when the design changes

    /// How often each limit was in the way; null: nothing was found of this problem.
    void showBroken(const engine::SearchTally* tally, const std::vector<engine::Limit>& limits);

    LimitList* limits() const { return m_limits; }
    SeekPanel* seek() const { return m_seek; }

signals:
    void changed(); ///< problem() differs

protected:
    bool refresh() override; ///< with the open design

private:
    void check();

    Document* m_document;
    bool m_touched = false; ///< the user has set variables: they stay when the design changes
    std::optional<engine::SearchProblem> m_problem;
    AxisList* m_variables;
    ObjectiveList* m_objectives;
    LimitList* m_limits;
    SeekPanel* m_seek;
    TextLabel* m_points;
    TextLabel* m_error;
};

} // namespace heteroscape::widgets
