// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/search_problem.h"

#include <QWidget>

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

} // namespace heteroscape::widgets
