// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/goal_seek.h"
#include "widgets/jobs/job.h"

#include <QWidget>

#include <optional>
#include <utility>
#include <vector>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace heteroscape::widgets {

class AxisPicker;
class Document;
class TextLabel;

/// Goal seek beside the limits: the largest batch that keeps them, or which value of any parameter gives a
/// wanted value of a metric; of a found design or of the open one. UI thread; it seeks on a thread of its
/// own.
class SeekPanel : public QWidget {
    Q_OBJECT
public:
    explicit SeekPanel(Document* document, QWidget* parent = nullptr);

    void setLimits(std::vector<engine::Limit> limits); ///< of the search: those on metrics count
    /// The designs on cards A, B, C, with their names; the first is taken until another one is chosen.
    void setFound(std::vector<std::pair<QString, engine::Scenario>> found);
    bool isBusy() const { return m_job.isBusy(); }
    QString answer() const;

signals:
    /// The value that was sought is to be set in the design, which is a found one.
    void setRequested(const QString& what, const heteroscape::engine::Scenario& design);

private:
    void seekBatch();
    void seekValue();
    void seek(engine::GoalSeek wanted, const QString& what);
    void show(const engine::Sought& sought);
    const engine::Scenario& design() const; ///< what is sought in
    void take();                            ///< sets what was found
    void follow();                          ///< that design is another one

    Document* m_document;
    AxisPicker* m_picker;
    std::vector<engine::Limit> m_limits;
    std::string m_path;                                          ///< of the parameter that is sought
    bool m_picked = false;                                       ///< by the user
    std::vector<std::pair<QString, engine::Scenario>> m_designs; ///< on cards
    bool m_ofOpen = false;                                       ///< the user chose the open design
    QComboBox* m_of;
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
    engine::Scenario m_askedOf;
    QString m_askedName;
    bool m_askedOpen = true;
    std::optional<double> m_found;
    Job m_job;
};

} // namespace heteroscape::widgets
