// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/scenario/design_text.h"
#include "engine/scenario/scenario.h"
#include "engine/scenario/serving.h"
#include "widgets/jobs/job.h"

#include <QObject>
#include <QString>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace heteroscape::widgets {

/// The shipped catalogue with the user's library, and over them the parts of the open design.
class DesignCatalog {
public:
    explicit DesignCatalog(std::shared_ptr<const engine::Catalog> base);

    const std::shared_ptr<const engine::Catalog>& shared() const { return m_catalog; }
    /// Replaces what the design's own parts add to.
    void setBase(std::shared_ptr<const engine::Catalog> base);
    bool merge(const engine::OwnParts& own); ///< false: it has them already

private:
    std::shared_ptr<const engine::Catalog> m_base;
    std::shared_ptr<const engine::Catalog> m_catalog; ///< m_base and m_merged
    engine::OwnParts m_merged;
};

/// Reads traces of requests off the UI thread: done() follows. UI thread.
class TraceReader : public QObject {
    Q_OBJECT
public:
    /// What the reader takes from the design and gives to it.
    struct Design {
        std::function<engine::Serving()> serving;
        std::function<QString()> path;                  ///< of its file; empty when it is in none
        std::function<void(engine::TraceFile)> arrived; ///< what the design names was read, or has a problem
        std::function<void(engine::TraceFile)> chosen;  ///< becomes its arrivals
    };
    TraceReader(Design design, QObject* parent);

    /// Reads what the open design names, where the rights allow it (engine::loadTrace()): with others than at
    /// first once its user has said so.
    void read(engine::TraceRights rights);
    void readAgain(); ///< after another design was opened
    /// Reads a trace that the user chose and makes it the arrivals, or refused() tells why not.
    void choose(const QString& path);
    bool isReading() const { return m_job.isBusy(); }

signals:
    void done(); ///< no trace is being read any more
    void refused(const QString& message);

private:
    Design m_design;
    Job m_job;
};

/// What a file was when it was looked at. Programs that replace a file leave another one in its place, those
/// that write into it another time or size: either differs. All zero where there is no file.
struct FileStamp {
    std::uint64_t device = 0;
    std::uint64_t file = 0; ///< its number on the device
    std::int64_t size = 0;
    std::int64_t changed = 0; ///< ns since the epoch

    static FileStamp of(const QString& path);
    bool operator==(const FileStamp&) const = default;
};

/// The file of the open design: where it is, what it was when it was read or written, and its writing off the
/// UI thread. UI thread.
class DesignFile : public QObject {
    Q_OBJECT
public:
    /// `written`: the file holds this scenario now; called before saved().
    explicit DesignFile(std::function<void(const engine::Scenario&)> written, QObject* parent);

    QString path() const { return m_path; } ///< empty for a design never saved
    /// The preset or file that the open design was made of, or written to last, as it was; null: it began
    /// empty.
    const engine::DesignOrigin* origin() const { return m_origin ? &*m_origin : nullptr; }
    /// Another design was opened; `stamp`: of the file when it was read. `origin`: the preset's id or the
    /// file's path; empty: neither.
    void belongTo(const QString& path, const FileStamp& stamp, const std::string& origin,
                  const engine::Scenario& scenario);
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
    std::optional<engine::DesignOrigin> m_origin;
    Job m_job{Job::Order::EachToTheEnd};
    unsigned m_opened = 0; ///< designs so far
};

} // namespace heteroscape::widgets
