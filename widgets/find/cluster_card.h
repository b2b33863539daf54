// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/find/found_search.h"
#include "widgets/jobs/job.h"
#include "widgets/plots/surface.h"

#include <QObject>
#include <QString>
#include <QTimer>
#include <functional>
#include <vector>

class QComboBox;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace heteroscape::widgets {

/// How the pieces of a search are run: as packaging/cluster/shards does.
struct ClusterWay {
    QString id;   ///< "slurm", "mpi", "shell"
    QString name; ///< "Slurm"
};
/// Those that this machine has the programs for, the most able first; a plain shell always.
std::vector<ClusterWay> clusterWays();

/// A search in pieces in a folder that all machines share: writes it, starts it, follows it and merges what
/// the pieces found, by the same script and program as the command line. What was started goes on when this
/// goes; a folder can be followed again. UI thread.
class ClusterJob : public QObject {
    Q_OBJECT
public:
    explicit ClusterJob(std::shared_ptr<const engine::Catalog> catalog, QObject* parent = nullptr);

    /// The design, the script of the shards, `run.sh` and the search itself. Throws Error (Io, InvalidInput:
    /// its method cannot be cut in pieces).
    static void write(const QString& folder, const engine::SearchRecord& record, int pieces,
                      const QString& way);
    /// Runs what was written, and follows it.
    void start(const QString& folder);
    void follow(const QString& folder);

signals:
    void progressed(int done, int pieces);
    void merged(const std::shared_ptr<const heteroscape::widgets::FoundSearch>& search);
    void failed(const QString& message);

private:
    void look(); ///< the folder may hold a million pieces and lie anywhere: on the job's thread

    std::shared_ptr<const engine::Catalog> m_catalog;
    QString m_folder;
    QTimer m_timer; ///< from one look to the next
    Job m_job;
};

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
