// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/search_method.h"
#include "widgets/find/found_search.h"
#include "widgets/jobs/job.h"

#include <QObject>
#include <QString>
#include <QWidget>

class QComboBox;
class QProgressBar;
class QPushButton;

namespace heteroscape::widgets {

/// Runs searches on a thread of its own. While one runs, what is found is told about twice a second, and kept
/// in a file of `folder` every ten seconds and when it is stopped: the same search goes on from there, after
/// a kill too, and comes to the same. The file goes when the search is done. UI thread.
class SearchRunner : public QObject {
    Q_OBJECT
public:
    SearchRunner(QString folder, std::shared_ptr<const engine::Catalog> catalog, QObject* parent = nullptr);

    void setCatalog(std::shared_ptr<const engine::Catalog> catalog) { m_catalog = std::move(catalog); }
    void run(engine::SearchRecord asked);           ///< from its state, or from the file of the same search
    void pause();                                   ///< what was found is kept; finished() follows
    void forget(const engine::SearchRecord& asked); ///< its file
    bool isBusy() const { return m_job.isBusy(); }

    /// Looks for a search of this design that was cut off: cutOff() follows where there is one.
    void lookForCutOff(const engine::Scenario& design);

signals:
    void progressed(const heteroscape::engine::SearchProgress& progress);
    void found(const std::shared_ptr<const heteroscape::widgets::FoundSearch>& search);
    void failed(const QString& message);
    void notKept(const QString& message); ///< the file cannot be written; it runs all the same
    void finished();
    void cutOff(const std::shared_ptr<const heteroscape::widgets::FoundSearch>& search);

private:
    QString m_folder;
    std::shared_ptr<const engine::Catalog> m_catalog;
    Job m_job;
    Job m_looking;
};

class TextLabel;

/// The bar above the Find page: the searches that the design keeps, how far the one that runs is, Search,
/// Pause, Go on, Cancel, Keep. UI thread.
class SearchBar : public QWidget {
    Q_OBJECT
public:
    enum class State { Idle, Running, Paused };

    explicit SearchBar(QWidget* parent = nullptr);

    State state() const { return m_state; }
    void setState(State state);
    void setRunnable(bool runnable);
    void setKeepable(bool keepable); ///< something was found that the design does not keep yet
    void showProgress(const engine::SearchProgress& progress, std::uint64_t begunAt);
    void showPlace(std::uint64_t done, std::uint64_t total); ///< where it stands, while nothing runs

    /// Names of the kept searches; -1: what is shown is none of them.
    void setKept(const QStringList& names, int current);
    void addTool(QWidget* tool); ///< at the right end

signals:
    void runRequested(); ///< Search or Go on
    void pauseRequested();
    void cancelRequested();
    void keepRequested();
    void keptChosen(int index);
    void removeRequested(); ///< the kept search that is shown

private:
    State m_state = State::Idle;
    bool m_runnable = false;
    QComboBox* m_kept;
    QPushButton* m_keep;
    QPushButton* m_remove;
    TextLabel* m_place;
    TextLabel* m_rate;
    QProgressBar* m_bar;
    QPushButton* m_run;
    QPushButton* m_pause;
    QPushButton* m_cancel;
};

} // namespace heteroscape::widgets
