// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/page.h"
#include "widgets/timeline/timeline_source.h"

class QComboBox;
class QPushButton;
class QToolButton;

namespace heteroscape::widgets {

class Document;
class TextLabel;
class TimelineView;

/// The step timeline of the open design with everything that chooses what it shows: node, phase, baseline,
/// stretch of time, export. Follows the document and its selection while it is seen. UI thread.
class TimelinePanel : public DockPage {
    Q_OBJECT
public:
    explicit TimelinePanel(Document* document, QWidget* parent = nullptr);

    TimelineView* view() const { return m_view; }

    /// Compares the step with itself without a technique, or without any where `technique` is empty; falls
    /// back as timelineSource() does.
    void compareWithout(const std::string& technique);

    const TimelineSource& source() const { return m_source; }
    QString reason() const; ///< what stands in place of the timeline; empty while one is shown

private:
    void makeBar();
    bool refresh() override;
    void showNodes();
    void showBaselines();
    void choosePhase(engine::Phase phase);

    Document* m_document;
    TimelineSource m_source;
    TimelineChoice m_wanted;
    TextLabel* m_headline;
    QComboBox* m_node;
    QPushButton* m_prefill;
    QPushButton* m_decode;
    QComboBox* m_baseline;
    QToolButton* m_layer;
    QToolButton* m_step;
    TimelineView* m_view;
    TextLabel* m_reason;
    bool m_other = false; ///< another design was opened since the last refresh
};

} // namespace heteroscape::widgets
