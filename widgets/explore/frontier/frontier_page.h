// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/pins.h"
#include "widgets/explore/frontier/frontier_view.h"
#include "widgets/jobs/job.h"
#include "widgets/plots/page.h"

#include <QWidget>
#include <functional>
#include <optional>

class QComboBox;
class QMenu;
class QProgressBar;
class QPushButton;
class QTableView;

namespace heteroscape::engine {
struct Scenario;
}

namespace heteroscape::widgets {

class Document;
class FrontierPage;

/// Where the page of frontiers stands: it is made when it is first shown or asked for. UI thread.
class FrontierTab : public QWidget {
    Q_OBJECT
public:
    explicit FrontierTab(Document* document, QWidget* parent = nullptr);

    FrontierPage* page();
    QWidget* tools() const { return m_tools; } ///< the page's part of the bar above it
    bool isBusy() const;                       ///< it is shown and works

signals:
    void openDesignRequested(const engine::Scenario& scenario, const QString& name);

protected:
    void showEvent(QShowEvent* event) override;

private:
    Document* m_document;
    QWidget* m_tools;
    FrontierPage* m_page = nullptr;
};

class FrontierBar;
class FrontierSide;
class FrontierTableModel;
class PlotView;
class TextLabel;

/// Throughput against speed: systems of a shipped frontier, designs and pins on the same axes, over layouts,
/// users, formats and servers; their fronts, limits, each point with a design to open. Computed on a thread
/// of its own when the page is first shown and when something of it is changed, and shown while it comes.
/// What is set up here is an edit of the design, which keeps it (Scenario::frontier); until then the first
/// shipped one is shown. What is computed is kept as long as the window. UI thread.
class FrontierPage : public LatePage {
    Q_OBJECT
public:
    explicit FrontierPage(Document* document, QWidget* parent = nullptr);

    void showFrontier(const QString& id); ///< a shipped one
    void addDesign(const QString& name, const engine::Scenario& design);
    void run();
    void cancel(); ///< what is computed stays
    bool isBusy() const {
        return m_running.isBusy() || m_drawing.isBusy() || m_looking.isBusy() || m_opening.isBusy();
    }

    bool isRunning() const { return m_running.isBusy(); }
    const std::shared_ptr<const FrontierView>& view() const { return m_view; } ///< null: none yet
    void choose(std::size_t point);                                            ///< of the run
    std::optional<std::size_t> chosen() const { return m_chosen; }
    void openPoint(std::size_t point);
    void pinPoint(std::size_t point);

    FrontierBar* bar() const { return m_bar; }
    PlotView* plot() const { return m_plot; }

signals:
    void openDesignRequested(const engine::Scenario& scenario, const QString& name);

protected:
    void resizeEvent(QResizeEvent* event) override; ///< a low page has no room for all plots

private:
    void begin() override;
    void makeTools();
    QWidget* makeTableTile();
    QWidget* makePlotTile(const QString& heading, PlotView* plot, const QString& baseName);
    void layOut();
    void fillAddMenu();
    void addSystem(const QString& name, engine::FrontierSystem system);
    void connectParts();
    /// Makes a definition the design's, as an undoable step.
    void change(engine::FrontierDefinition to, const QString& text, const QString& gesture = {});
    void changeShown(const engine::FrontierShown& to, const QString& text, const QString& gesture = {});
    void follow(); ///< the design's frontier may be another
    void adopt(engine::FrontierDefinition definition);
    void moveLine(int line, double at, bool done); ///< the field follows; kept once it is let go
    void lookAtFronts();                           ///< asks for what is told of their points alone
    void showProgress(std::size_t done, std::size_t total);
    void refresh(); ///< draws the run by the choice
    void present(std::shared_ptr<const FrontierView> view, Chart plot, const Chart& best,
                 const Chart& layouts);
    void showChosen();
    /// The design of a point, made and evaluated on a thread; then `take` has it.
    struct PointDesign {
        QString name;
        engine::Scenario design;
        Pins::Values metrics;
    };
    void withDesign(std::size_t point, std::function<void(const PointDesign&)> take);

    Document* m_document;
    engine::FrontierDefinition m_definition;     ///< as it is set up
    std::optional<engine::KeptFrontier> m_kept;  ///< the design's, of which it is; none before there is one
    std::optional<engine::FrontierShown> m_held; ///< what was shown before a line of it was moved
    std::string m_ranWith;                       ///< what of the definition the run is of
    std::size_t m_shipped = 0;                   ///< of its systems; the others are the user's
    std::shared_ptr<const FrontierRun> m_run;
    std::shared_ptr<const FrontierDetails> m_details = std::make_shared<FrontierDetails>(); ///< of the run
    FrontierDrawn m_drawn;
    std::shared_ptr<const FrontierView> m_view;
    std::optional<std::size_t> m_chosen; ///< of the run
    Chart m_named;                       ///< the plot with the names of its systems, as it is exported

    QComboBox* m_frontier = nullptr;
    QComboBox* m_axis = nullptr;
    QComboBox* m_along = nullptr;
    QProgressBar* m_progress = nullptr;
    TextLabel* m_status = nullptr;
    QPushButton* m_again = nullptr;
    QMenu* m_addMenu;
    FrontierBar* m_bar;
    FrontierSide* m_side;
    PlotView* m_plot;
    PlotView* m_best;
    PlotView* m_layouts;
    FrontierTableModel* m_rows;
    QTableView* m_table = nullptr;
    QWidget* m_layoutsTile = nullptr;
    Job m_running;
    Job m_drawing{Job::Order::Patient};
    Job m_looking{Job::Order::Patient};
    Job m_opening{Job::Order::Each};
};

} // namespace heteroscape::widgets
