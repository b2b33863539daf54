// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"

#include <QWidget>

#include <cstdint>
#include <optional>

class QListWidget;
class QToolButton;

namespace heteroscape::widgets {

class TextLabel;

/// The studies in the store, newest first: a click or Enter opens one, Del deletes it.
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
    void removed(qint64 id);
    void failed(const QString& message);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void removeCurrent();

    QString m_storePath;
    TextLabel* m_heading;
    TextLabel* m_empty;
    QToolButton* m_delete;
    QListWidget* m_list;
    bool m_deletable = true;
};

} // namespace heteroscape::widgets
