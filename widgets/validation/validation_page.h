// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/jobs/job.h"
#include "widgets/plots/page.h"
#include "widgets/validation/validation_view.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace heteroscape::widgets {

class ErrorGroupModel;
class FilterPanel;
class KernelPanel;
class MeasuredRowsModel;
class PlotView;
class TextLabel;

/// Measured times against what the models predict: a scatter, the distribution of errors, groups and rows,
/// filters, one row opened. The shipped tables are read when the page is first shown; any CSV of the user's
/// own is opened by a button or dropped. All reading, predicting and counting is done on threads of their
/// own, and what is there is shown. UI thread.
class ValidationPage : public LatePage {
    Q_OBJECT
public:
    explicit ValidationPage(QString presetsFolder, QWidget* parent = nullptr);

    /// Reads a file of the user's own, in place of an older one of that name. Once it is there it is shown
    /// alone; what is wrong with it is told and changes nothing.
    void addFile(const QString& path);
    /// Chooses the row of a line of the shipped table of servers, which are simulated and shown alone for it.
    void showServedRun(std::size_t line);
    bool isBusy() const; ///< simulated servers that are still under way apart
    const std::shared_ptr<const ValidationView>& view() const { return m_view; } ///< null: none yet
    void choose(std::size_t point);                                              ///< of the view
    void setChoice(ValidationChoice choice);
    const ValidationChoice& choice() const { return m_choice; }
    QString ownFile() const { return m_ownFile; } ///< the last that was read; may be empty

signals:
    void calibrateRequested(const QString& path); ///< the user's last file, or empty
    void openDesignRequested(const engine::Scenario& scenario, const QString& name);

private:
    void begin() override;
    void makeTools();
    QWidget* makeBar();
    QWidget* makeTableTile();
    void layOut();
    void put(const QString& source, bool in);
    void putServersAlone();
    void chooseWanted();
    void read(const QString& path, const QString& source, Job& job);
    void take(const std::shared_ptr<const MeasuredChunk>& chunk);
    void showAlone(const QString& source);
    void refresh(); ///< asks for a view of the choice
    void present(std::shared_ptr<const ValidationView> view, Chart scatter, const Chart& errors);
    void showSources();
    void showSummary();
    void showChosen();
    void keepOnly(MeasuredKey key, const std::string& label); ///< of the labels that there are
    void keepLike();

    QString m_presets;
    std::vector<QString> m_servers; ///< shipped tables of servers, until they are put in
    MeasuredChunks m_chunks;
    std::vector<std::pair<QString, bool>> m_sources; ///< in the order they came; the user's own
    ValidationChoice m_choice;
    std::shared_ptr<const ValidationView> m_view;
    std::shared_ptr<const MeasuredChunk> m_chosen; ///< null: none
    std::size_t m_chosenRow = 0;
    std::optional<std::size_t> m_wanted;            ///< the line of a server, to be chosen when it is there
    std::shared_ptr<const MeasuredChunk> m_leftOut; ///< the last whose file had rows that are left out
    QString m_ownFile;
    Chart m_named; ///< the scatter with the names of its groups, as it is exported

    QHBoxLayout* m_chips = nullptr;
    QComboBox* m_colour = nullptr;
    QComboBox* m_group = nullptr;
    TextLabel* m_summary = nullptr;
    TextLabel* m_count = nullptr;
    QPushButton* m_clear = nullptr;
    QStackedWidget* m_tables = nullptr;
    QTableView* m_groupTable = nullptr;
    QTableView* m_rowTable = nullptr;
    FilterPanel* m_filters;
    TextLabel* m_unanswered;
    PlotView* m_scatter;
    PlotView* m_errors;
    TextLabel* m_errorsNote;
    KernelPanel* m_kernel;
    ErrorGroupModel* m_groups;
    MeasuredRowsModel* m_rows;
    Job m_reading{Job::Order::Each};
    Job m_simulating{Job::Order::Each}; ///< of servers, which takes long: nothing else waits for it
    Job m_counting;
};

} // namespace heteroscape::widgets
