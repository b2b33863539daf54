// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/claims/figure_study.h"
#include "engine/store/store.h"

#include <QStringList>
#include <QWidget>
#include <cstdint>
#include <memory>
#include <optional>

class QLineEdit;
class QListWidget;
class QListWidgetItem;
class QPoint;
class QToolButton;

namespace heteroscape::widgets {

/// The figures of papers, as far as they can be read.
class PaperFigures {
public:
    QStringList read(const std::shared_ptr<const engine::Catalog>& catalog); ///< what cannot be read, and why

    const std::vector<engine::FigureStudy>& all() const { return m_all; }
    const engine::FigureStudy* of(const engine::Study& study) const; ///< whose study it is; null: none
    std::vector<std::string> metricsOf(const std::vector<engine::Axis>& axes) const; ///< plotted over these

private:
    std::vector<engine::FigureStudy> m_all;
};

class TextLabel;

/// The studies in the store, newest first, with their points, when, and what they take of the file: a click
/// or Enter opens one, F2 renames it, Del deletes it after a question; resuming, extending and exporting from
/// buttons and its menu. Many can be filtered by name and axes. UI thread.
class StudyList : public QWidget {
    Q_OBJECT
public:
    explicit StudyList(QString storePath, QWidget* parent = nullptr);

    void refresh(); ///< from the store; a store that is not there yet counts as empty
    void setCurrent(std::int64_t id);
    void setDeletable(bool deletable); ///< not while a study runs
    int count() const;
    /// The newest study of exactly this design; none when the store does not answer.
    std::optional<std::int64_t> newestOf(const engine::Scenario& design,
                                         const engine::Catalog& catalog) const;

signals:
    void openRequested(qint64 id);
    void resumeRequested(qint64 id); ///< not all of its points are stored: the rest shall be
    void extendRequested(qint64 id); ///< its axes shall be set up again, to add values
    void exportRequested(qint64 id, const QString& format); ///< "csv" or "sqlite": see exportStudy()
    void renamed(qint64 id, const QString& name);
    void removed(qint64 id);
    void failed(const QString& message);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    const engine::StudyInfo* current() const;
    void addItem(const engine::StudyInfo& study);
    void showChosen(); ///< which buttons can be used
    void filter();
    void rename(QListWidgetItem* item);
    void askRemoval();
    void remove(std::int64_t id);
    void openMenu(const QPoint& at);

    QString m_storePath;
    std::vector<engine::StudyInfo> m_studies; ///< newest first, as in the list
    TextLabel* m_heading;
    TextLabel* m_empty;
    TextLabel* m_total;
    QToolButton* m_resume;
    QToolButton* m_extend;
    QToolButton* m_delete;
    QLineEdit* m_filter;
    QListWidget* m_list;
    bool m_deletable = true;
};

} // namespace heteroscape::widgets
