// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study/hints.h"
#include "widgets/jobs/job.h"
#include "widgets/plots/surface.h"

class QToolButton;
class QVBoxLayout;

namespace heteroscape::widgets {

class Document;
class TextLabel;

/// What an architect would look at next: what decides and what idles meanwhile, what changes would gain, one
/// number worth a sweep. Lies over a corner of its parent, not over what is selected, and follows the design
/// while it is shown. It goes when something else is selected, unless it is pinned. UI thread.
class HintCard : public Surface {
    Q_OBJECT
public:
    HintCard(Document* document, QWidget* parent);

    const engine::Hints& hints() const { return m_hints; }
    bool isBusy() const { return m_job.isBusy(); }
    bool isPinned() const;

    /// Something was selected on the parent, whose coordinates `selected` has; null: nothing.
    void selectionMoved(const QRect& selected);

signals:
    void compareRequested(const QString& name, const heteroscape::engine::Scenario& design);
    void sweepRequested(const std::string& path);
    void closed();

protected:
    void showEvent(QShowEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override; ///< Esc closes
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void find();
    void showHints(engine::Hints found);
    void addSection(const QString& caption);
    void addChanges();
    void addSweep(const engine::SweepIdea& sweep);
    void place();

    Document* m_document;
    engine::Hints m_hints;
    Job m_job;
    TextLabel* m_heading;
    QToolButton* m_pin;
    QRect m_selected;          ///< of the parent, kept clear
    QWidget* m_body = nullptr; ///< of the hints that are shown
    QVBoxLayout* m_rows = nullptr;
};

} // namespace heteroscape::widgets
