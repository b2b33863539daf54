// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/find/find_charts.h"
#include "widgets/find/search_bar.h"
#include "widgets/jobs/job.h"

#include <QWidget>

#include <array>
#include <memory>

class QComboBox;
class QPushButton;
class QSpinBox;

namespace heteroscape::widgets {

class ClusterCard;
class Document;
class ExportButton;
class FindSetup;
class FoundCard;
class NoticeBar;
class PlotView;
class ReachedBars;
class TextLabel;
class UnmetNote;

/// The best designs within limits, among all that variables of the open design span: set up at the left, its
/// front filled while the search runs, designs of it as cards to open, pin and compare. A search can be
/// paused, goes on after a kill, and is kept with the design. UI thread; searching has its own.
class FindPage : public QWidget {
    Q_OBJECT
public:
    /// `folder`: where searches are kept while they run.
    FindPage(Document* document, const QString& folder, QWidget* parent = nullptr);

    QWidget* tools() const { return m_bar; } ///< for the bar above it

    void search(); ///< begins, or goes on
    void pause();
    void cancel();
    bool isBusy() const;
    const std::shared_ptr<const FoundSearch>& found() const { return m_found; } ///< null: nothing yet

    PlotView* plot() const { return m_plot; }
    ExportButton* exportButton() const { return m_export; }
    const std::array<FoundCard*, 3>& cards() const { return m_cards; }
    void choose(std::uint64_t ordinal); ///< a design of the plot becomes card A
    void openFound(const FoundFacts& facts);

signals:
    void designOpened();
    void compareRequested(const QString& name, const engine::Scenario& design);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void layOut();
    QWidget* makeMethodRow();
    void connectRunner();
    void connectCards();
    engine::SearchRecord asked() const; ///< as set up now
    void follow();                      ///< the set-up or the design changed
    void take(const std::shared_ptr<const FoundSearch>& found);
    void present();
    void presentCards();
    void showCards(); ///< as many as there is room for
    void showFront(bool keepView);
    void moveLimit(int line, double at, bool done);
    void searchLikeForLike();
    void relax(const std::vector<engine::Limit>& limits);
    void ended();
    void keep();
    void openKept(int index);
    void removeKept();
    void showKept();
    void pin(const FoundFacts& facts);

    Document* m_document;
    SearchRunner* m_runner;
    SearchBar* m_bar;
    FindSetup* m_setup;
    NoticeBar* m_notice;
    QComboBox* m_method;
    QSpinBox* m_evaluations;
    TextLabel* m_summary;
    QPushButton* m_alike; ///< leaves ideal designs out
    UnmetNote* m_unmet;
    TextLabel* m_hint;
    PlotView* m_plot;
    TextLabel* m_reachedHeading;
    ReachedBars* m_reached;
    PlotView* m_growthPlot;
    std::array<FoundCard*, 3> m_cards{};
    std::size_t m_shownCards = 0;
    ClusterCard* m_cluster;
    ExportButton* m_export;

    std::shared_ptr<const FoundSearch> m_found;
    std::shared_ptr<const FoundSearch> m_cutOff; ///< offered to go on with
    FrontGrowth m_growth;
    std::optional<std::uint64_t> m_chosen;
    std::vector<FoundMark> m_marks;                ///< of the cards
    std::optional<engine::SearchRecord> m_running; ///< what runs or is paused
    std::uint64_t m_begunAt = 0;
    double m_secondsOfAll = 0.0; ///< one core; NaN: not known
    bool m_cancelled = false;
    QString m_keptName; ///< of the kept search that is shown; empty: none
    bool m_looked = false;
    Job m_facts; ///< makes the cards
    Job m_reading;
};

} // namespace heteroscape::widgets
