// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/decisive.h"
#include "engine/evaluation/explain.h"
#include "widgets/jobs/job.h"

#include <QFrame>

class QTreeWidget;

namespace heteroscape::widgets {

class DecisiveList;
class TextLabel;

/// How a metric comes about: what decides it, and a tree of terms down to constants with their sources. Can
/// be copied as text (Ctrl+C too); closes at a click elsewhere or Esc. UI thread; quantities of a simulation
/// are worked out on a thread of their own and come when they are there.
class ExplanationPopup : public QFrame {
    Q_OBJECT
public:
    /// Opens below `anchor`; `metricKey` must be a metric's.
    static void show(const engine::Scenario& scenario, const std::string& metricKey, QWidget* anchor);
    /// Opens with its corner at a point of the screen, moved so that it is seen whole; a child of `parent`'s
    /// window.
    static void show(const engine::Scenario& scenario, const std::string& metricKey, QPoint globalPoint,
                     QWidget* parent);

    QTreeWidget* tree() const { return m_tree; }
    DecisiveList* decisive() const { return m_decisive; }
    QString text() const; ///< as it is copied

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Content {
        engine::Term explanation;
        std::optional<engine::DecisivePart> decisive;
        engine::ExpectedError expected{}; ///< of the whole
    };

    ExplanationPopup(engine::Scenario scenario, const std::string& metricKey, QWidget* parent);
    static Content work(const engine::Scenario& scenario, const std::string& metricKey,
                        const std::stop_token& stop = {});
    void present(Content content);
    void copy();

    TextLabel* m_heading;
    DecisiveList* m_decisive;
    QTreeWidget* m_tree;
    engine::Term m_explanation;
    Job m_job;
};

} // namespace heteroscape::widgets
