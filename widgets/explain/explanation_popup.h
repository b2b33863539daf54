// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/decisive.h"
#include "engine/evaluation/explain.h"
#include "engine/scenario/scenario.h"
#include "widgets/jobs/job.h"

#include <QFrame>
#include <QModelIndex>
#include <QWidget>
#include <functional>
#include <optional>
#include <string>

class QAbstractItemView;
class QTreeWidget;

namespace heteroscape::widgets {

/// A quantity of a design that can be explained.
struct ExplainTarget {
    engine::Scenario scenario;
    std::string metric; ///< key of a metric
};

/// What a cell shows; nothing where it is no such quantity.
using ExplainCell = std::function<std::optional<ExplainTarget>(const QModelIndex&)>;

/// Lets the quantities of a table or list explain themselves: key E on the current cell, and "How it comes
/// about" in its context menu; with `enter`, the keys Enter and a double click too. `cell` is called as long
/// as the view lives. UI thread.
void explainCells(QAbstractItemView* view, ExplainCell cell, bool enter);

/// What a quantity hangs on: the bound that decides, and the operators that take most of the step, with their
/// shares as bars. Hidden where no step decides. UI thread.
class DecisiveList : public QWidget {
    Q_OBJECT
public:
    explicit DecisiveList(QWidget* parent);

    void setPart(std::optional<engine::DecisivePart> part);
    const std::optional<engine::DecisivePart>& part() const { return m_part; }

    QString heading() const; ///< "Decided by decode on Alveo U280: memory reads"
    QString text() const;    ///< heading and rows as lines

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::optional<engine::DecisivePart> m_part;
};

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
