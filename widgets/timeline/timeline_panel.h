// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/seen_widget.h"
#include "widgets/timeline/timeline_source.h"

class QComboBox;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace heteroscape::widgets {

class Document;
class ExportButton;
class NoticeBar;
class TextLabel;
class TimelineView;

/// The step timeline of the open design with everything that chooses what it shows: node, phase, baseline,
/// stretch of time, export. Follows the document and its selection while it is seen. UI thread.
class TimelinePanel : public SeenWidget {
    Q_OBJECT
public:
    explicit TimelinePanel(Document* document, QWidget* parent = nullptr);

    /// The row of controls, above the timeline; a dock may take it into its own head.
    QWidget* bar() const { return m_bar; }
    TimelineView* view() const { return m_view; }
    QComboBox* nodeChoice() const { return m_node; }
    QPushButton* prefillButton() const { return m_prefill; }
    QPushButton* decodeButton() const { return m_decode; }
    QComboBox* baselineChoice() const { return m_baseline; }
    ExportButton* exportButton() const { return m_export; }

    /// Compares the step with itself without a technique, or without any where `technique` is empty; falls
    /// back as timelineSource() does.
    void compareWithout(const std::string& technique);

    const TimelineSource& source() const { return m_source; }
    QString headlineText() const;
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
    QWidget* m_bar;
    TextLabel* m_headline;
    QComboBox* m_node;
    QPushButton* m_prefill;
    QPushButton* m_decode;
    QComboBox* m_baseline;
    QToolButton* m_layer;
    QToolButton* m_step;
    ExportButton* m_export;
    NoticeBar* m_notice;
    QStackedWidget* m_pages;
    TimelineView* m_view;
    TextLabel* m_reason;
    bool m_other = false; ///< another design was opened since the last refresh
};

} // namespace heteroscape::widgets
