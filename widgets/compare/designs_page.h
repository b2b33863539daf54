// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "widgets/compare/design_set.h"
#include "widgets/jobs/job.h"
#include "widgets/plots/page.h"

class QCheckBox;
class QHBoxLayout;
class QMenu;
class QTableView;

namespace heteroscape::widgets {

class BreakdownBars;
class DesignCard;
class DifferencesModel;
class Document;
class MetricsModel;
class NoticeBar;
class TextLabel;
class TimelineView;

/// Designs side by side: how they are built, what they reach against a reference, where the time of a batch
/// goes, and one decode step of each on one scale of time. The first is the open design; others come from
/// presets, files, other windows, or as a copy of the open one as it is now. Metrics explain themselves (E,
/// Enter, context menu). UI thread; evaluates elsewhere.
class DesignsPage : public PageOf<SeenWidget> {
    Q_OBJECT
public:
    explicit DesignsPage(std::shared_ptr<const engine::Catalog> catalog, QWidget* parent = nullptr);

    void setDocument(Document* document);
    void addPreset(const std::string& id); ///< an id that is none is told in the view
    void addDesign(const QString& name, const engine::Scenario& design);
    void addFile(const QString& path); ///< a file that cannot be read is told in the view

    bool isBusy() const;
    const DesignSet& designs() const { return *m_set; }
    const std::vector<DesignCard*>& cards() const { return m_cards; }

signals:
    void openDesignRequested(const engine::Scenario& scenario, const QString& name);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeTools();
    QWidget* makeMetrics();
    QWidget* makeDifferences();
    QWidget* makeBars();
    QWidget* makeTimelines();
    void fillAddMenu();
    bool refresh() override;
    void remakeCards();
    void present();
    void fitTables(); ///< their columns, into the room that they have
    void presentTimelines();
    void warnOfUnlike();
    void warnOfMixed();
    std::vector<engine::EditList> likeForLike() const; ///< of each design; empty: there is none
    void timeAlike();

    std::shared_ptr<const engine::Catalog> m_catalog;
    Document* m_document = nullptr;
    DesignSet* m_set;
    Job m_reading{Job::Order::Each}; ///< files, with the traces they name
    QMenu* m_addMenu;
    NoticeBar* m_unlike; ///< they do not serve the same
    NoticeBar* m_mixed;  ///< they rest on different kinds of truth
    NoticeBar* m_alike;  ///< they were made to: the way back
    QHBoxLayout* m_cardRow;
    std::vector<DesignCard*> m_cards;
    MetricsModel* m_metrics;
    DifferencesModel* m_differences;
    QTableView* m_metricsTable = nullptr;
    QTableView* m_differencesTable = nullptr;
    TextLabel* m_differencesNote = nullptr;
    QCheckBox* m_same = nullptr;
    BreakdownBars* m_bars;
    TimelineView* m_timelines;
    TextLabel* m_timelineNote = nullptr;
};

} // namespace heteroscape::widgets
