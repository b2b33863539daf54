// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/find/cluster_job.h"
#include "widgets/plots/surface.h"

#include <functional>

class QComboBox;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace heteroscape::widgets {

class TextLabel;

/// "On a cluster": how many pieces and by what, a job folder written or submitted, how far it is. UI thread.
class ClusterCard : public Surface {
    Q_OBJECT
public:
    ClusterCard(std::shared_ptr<const engine::Catalog> catalog, QWidget* parent);

    /// What is run; null: nothing that holds. `seconds`: how long one core takes; NaN: not known.
    void setSearch(const engine::SearchRecord* record, double seconds);
    /// Asks for a folder; replaced by tests.
    std::function<QString()> askFolder;
    ClusterJob* job() const { return m_job; }

signals:
    void told(const QString& message);
    void failed(const QString& message);

private:
    void write(bool submit);
    void followFolder();
    void tellPieces();

    std::optional<engine::SearchRecord> m_record;
    double m_seconds;
    ClusterJob* m_job;
    TextLabel* m_state;
    TextLabel* m_words;
    QSpinBox* m_pieces;
    QComboBox* m_way;
    QProgressBar* m_bar;
    QPushButton* m_submit;
    QPushButton* m_write;
    QPushButton* m_follow;
};

} // namespace heteroscape::widgets
