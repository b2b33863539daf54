// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/library.h"
#include "engine/scenario/scenario.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>
#include <string>
#include <variant>

namespace heteroscape::widgets {

/// A part that somebody made, in the order of engine::PartKind.
using OwnPart = std::variant<engine::Device, engine::Model, engine::Workload>;

/// Where a part of the catalogue comes from.
enum class PartOrigin { Shipped, Library, Design };

/// The user's own parts, in files of one folder; all windows share one. What another program writes there is
/// read at once. UI thread.
class PartLibrary : public QObject {
    Q_OBJECT
public:
    explicit PartLibrary(QString folder, QObject* parent = nullptr);
    /// The user's; belongs to the application.
    static PartLibrary* shared();

    const QString& folder() const { return m_folder; }
    const engine::Library& parts() const { return m_parts; }
    QStringList problems() const; ///< files that could not be read, a line each
    bool has(engine::PartKind kind, const std::string& id) const;

    /// The shipped catalogue with these parts.
    std::shared_ptr<const engine::Catalog> over(const std::shared_ptr<const engine::Catalog>& shipped) const;

    /// Adds a part or replaces the one of its id. Throws engine::Error; the library is then as before.
    void save(const OwnPart& part);
    /// Throws engine::Error.
    void remove(engine::PartKind kind, const std::string& id);

signals:
    void changed(); ///< other parts or problems than before

private:
    void load();
    void watch();

    QString m_folder;
    engine::Library m_parts;
    QFileSystemWatcher m_watcher;
};

/// Where a part of that id comes from, in a design with those own parts.
PartOrigin originOf(const engine::OwnParts& design, const engine::Library& library, engine::PartKind kind,
                    const std::string& id);

} // namespace heteroscape::widgets
