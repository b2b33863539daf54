// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/claims/figure_study.h"
#include "widgets/explore/loaded_study.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace heteroscape::widgets {

class PageSwitch;
class RunRow;

/// Where the points of the result page come from: a form that makes a study, which the page runs, keeps and
/// shows. Sweeps and frontiers are two; whatever makes a study is one. UI thread.
class SourceForm : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;

    /// The study as set up; none while something in it does not hold, or while it is being made.
    virtual std::optional<engine::Study> study() = 0;
    virtual bool isBusy() const { return false; }             ///< it is being made
    virtual bool makes(const engine::Study& study) const = 0; ///< it is one of this form's
    /// What a study that it made starts from is still what is set up.
    virtual bool isCurrent(const LoadedStudy& study) const = 0;
    virtual void takeStudy(const engine::Study& study) = 0; ///< a stored one to go on from
    virtual void awaitStudy() {}                            ///< the page is about to show a stored one
    virtual void showsStudy(const LoadedStudy&) {}          ///< the page shows it now

    virtual std::vector<engine::Limit> limits() const = 0;                ///< those that count
    virtual void setLimits(const std::vector<engine::Limit>& limits) = 0; ///< of what is shown; tells nobody
    /// They were changed elsewhere, by dragging a line or typing a filter.
    virtual void keepLimits(const std::vector<engine::Limit>& limits) { setLimits(limits); }

    virtual RunRow* runRow() const = 0; ///< runs, pauses and tells of it
    virtual void setRunning(bool running) = 0;
    /// What is drawn of a study of this form at first; nothing: what was drawn before.
    virtual std::vector<engine::StudyPlot> plots(const engine::Study&) const { return {}; }
    virtual QString emptyHeading() const = 0; ///< in the place of the plots before there is a study
    virtual QString emptyWords(bool isReady) const = 0;

signals:
    void changed();       ///< what it makes differs
    void limitsChanged(); ///< limits() differs: nothing needs computing
    void plotsChanged();  ///< plots() differs, nothing else
    void wanted();        ///< what it makes is to be run
    void refused(const QString& message);
};

/// The forms of the result page, each under a name of its control: one is shown, and one has the study that
/// runs, or ran last. What a form tells is passed on while it is shown. UI thread.
class SourceForms : public QObject {
    Q_OBJECT
public:
    /// `page` is what stands beside every form.
    SourceForms(PageSwitch* control, QWidget* page, QObject* parent);

    void add(SourceForm* form, const QString& name, QWidget* tools = nullptr); ///< the first is shown
    SourceForm* shown() const { return m_entries[m_shown].form; }
    SourceForm* running() const { return m_running; }
    SourceForm* of(const engine::Study& study) const; ///< that makes it
    void show(SourceForm* form);
    void await(SourceForm* form);      ///< shows it; a stored study of it follows
    void setRunning(SourceForm* form); ///< its study takes the place of the one that ran

    using Loaded = std::shared_ptr<const LoadedStudy>;
    const Loaded& last() const { return m_entries[m_shown].last; } ///< shown with the form that is shown
    void keepLast(const Loaded& study);                            ///< of its form, which need not be shown
    void forgetLast(qint64 id);

signals:
    void shownChanged();
    void runRequested();
    void cancelRequested();
    void pauseRequested();
    void changed();
    void wanted();
    void limitsChanged();
    void plotsChanged();
    void refused(const QString& message); ///< by any

private:
    struct Entry {
        SourceForm* form;
        int number; ///< in the control
        Loaded last;
    };
    Entry& entryOf(const SourceForm* form);

    PageSwitch* m_control;
    QWidget* m_page;
    std::vector<Entry> m_entries;
    std::size_t m_shown = 0;
    SourceForm* m_running = nullptr;
};

} // namespace heteroscape::widgets
