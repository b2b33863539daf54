// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/goal_seek.h"
#include "widgets/jobs/job.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace heteroscape::widgets {

class AxisPicker;
class Document;
class TextLabel;

/// Goal seek beside the limits: the largest batch that keeps them, or which value of any parameter of the
/// open design gives a wanted value of a metric. UI thread; it seeks on a thread of its own.
class SeekPanel : public QWidget {
    Q_OBJECT
public:
    explicit SeekPanel(Document* document, QWidget* parent = nullptr);

    void setLimits(std::vector<engine::Limit> limits); ///< of the search: those on metrics count
    bool isBusy() const { return m_job.isBusy(); }
    QString answer() const;

private:
    void seekBatch();
    void seekValue();
    void seek(engine::GoalSeek wanted, const QString& what);
    void show(const engine::Sought& sought);
    void setFound();
    void showParameter();

    Document* m_document;
    AxisPicker* m_picker;
    std::vector<engine::Limit> m_limits;
    std::string m_path;    ///< of the parameter that is sought
    bool m_picked = false; ///< by the user
    QPushButton* m_batch;
    QPushButton* m_parameter;
    QComboBox* m_metric;
    QLineEdit* m_target;
    QPushButton* m_seek;
    TextLabel* m_answer;
    TextLabel* m_why;
    QPushButton* m_set;
    engine::GoalSeek m_asked; ///< last
    QString m_what;           ///< is sought, in words
    std::optional<double> m_found;
    Job m_job;
};

} // namespace heteroscape::widgets
