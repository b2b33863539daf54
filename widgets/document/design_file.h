// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"
#include "widgets/document/file_stamp.h"
#include "widgets/jobs/job.h"

#include <QObject>
#include <QString>

#include <functional>

namespace heteroscape::widgets {

/// The file of the open design: where it is, what it was when it was read or written, and its writing off the
/// UI thread. UI thread.
class DesignFile : public QObject {
    Q_OBJECT
public:
    /// `written`: the file holds this scenario now; called before saved().
    explicit DesignFile(std::function<void(const engine::Scenario&)> written, QObject* parent);

    QString path() const { return m_path; } ///< empty for a design never saved
    /// Another design was opened; `stamp`: of the file when it was read.
    void belongTo(const QString& path, const FileStamp& stamp);
    /// The file is not as it was left here when it was read or written last: somebody else saved it.
    bool isChanged() const;

    /// Writes the design as it is now, even when its document goes meanwhile: saved() or failed() follows.
    /// What is changed until then stays modified. Not while isSaving().
    void save(const engine::Scenario& scenario, const QString& path);
    bool isSaving() const { return m_job.isBusy(); }

signals:
    void saved(const QString& path);
    void failed(const QString& message);

private:
    std::function<void(const engine::Scenario&)> m_written;
    QString m_path;
    FileStamp m_stamp; ///< as it was when it was read or written
    Job m_job{Job::Order::EachToTheEnd};
    unsigned m_opened = 0; ///< designs so far
};

} // namespace heteroscape::widgets
