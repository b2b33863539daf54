// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/search_method.h"

#include <QWidget>

class QComboBox;
class QProgressBar;
class QPushButton;

namespace heteroscape::widgets {

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
