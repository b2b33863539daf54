// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/find/found_search.h"
#include "widgets/jobs/job.h"

#include <QObject>
#include <QString>

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

} // namespace heteroscape::widgets
