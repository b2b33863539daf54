// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document.h"
#include "widgets/jobs/job.h"
#include "widgets/roofline/roofline_chart.h"
#include "widgets/theme/seen_widget.h"

#include <vector>

class QHBoxLayout;
class QPushButton;
class QStackedWidget;

namespace heteroscape::widgets {

class ExportButton;
class NoticeBar;
class OperatorList;
class PlotView;
class TextLabel;

/// The operators of the open design under the roofs of their devices. Follows the document; UI thread.
class RooflineWorkspace : public SeenWidget {
    Q_OBJECT
public:
    explicit RooflineWorkspace(Document* document, QWidget* parent = nullptr);

    const std::vector<engine::Roofline>& rooflines() const { return m_found.rooflines; }
    PlotView* view() const { return m_view; }
    ExportButton* exportButton() const { return m_export; }
    QString csv() const;  ///< of the operators, as the export is asked for: in the view, or all
    QString note() const; ///< what a shown roof would leave unexplained, and what is left out

private:
    /// What is drawn of a design.
    struct Found {
        std::vector<engine::Roofline> rooflines;              ///< as many as can be told apart: the slowest
        std::size_t leftOut = 0;                              ///< faster ones
        std::vector<std::vector<RooflineCeiling>> ceilings{}; ///< parallel to them
    };
    static Found find(const engine::Scenario& scenario); ///< any thread
    bool refresh() override;                             ///< of a large design elsewhere
    void present(Found found);
    void remakeChips();
    void redraw(bool keepView);
    void selectPoint(int point);
    int markOfPoint(int point) const; ///< -1 when it has no mark
    int pointOfMark(int mark) const;

    Document* m_document;
    Found m_found;
    Job m_job;
    std::set<std::size_t> m_hidden;
    std::vector<QString> m_chipNames;
    QHBoxLayout* m_chips;
    QPushButton* m_labels;
    QStackedWidget* m_pages;
    TextLabel* m_message;
    NoticeBar* m_notice;
    PlotView* m_view;
    OperatorList* m_list;
    TextLabel* m_note;
    ExportButton* m_export;
};

} // namespace heteroscape::widgets
