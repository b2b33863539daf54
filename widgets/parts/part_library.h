// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/library.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/scenario.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QStringList>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace heteroscape::widgets {

/// What a model or a workload is in a line: "6.74 B, 32 layers"; "4 × 128 → 512 tokens".
QString modelLine(const engine::Model& model);
QString workloadLine(const engine::Workload& workload);
/// The same in plain words: "4 requests at once, each a prompt of 128 tokens, then 512 tokens of output".
QString workloadSentence(const engine::Workload& workload);

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

class Document;

// Keeping parts that the user made, in the design or in the library, and doing what a part is for.

const std::string& partId(const OwnPart& part);
QString partName(const OwnPart& part);
engine::PartKind partKind(const OwnPart& part);

/// A name as an id: "A100, my own" -> "a100-my-own"; `fallback` when nothing of it is left.
std::string idFromName(const QString& name, const std::string& fallback);
/// The same with a number when the document's catalogue has a part of that kind and id already.
std::string freshPartId(const Document& document, engine::PartKind kind, const QString& name);

/// The document's own or library part of that id; throws engine::Error (NotFound).
OwnPart findPart(const Document& document, engine::PartKind kind, const std::string& id);

/// Keeps a part in the design (an undoable edit) or in the library (PartOrigin::Library; the design's own of
/// that id goes then, so that it does not hide it), together with `edits` as one step called `text`. Throws
/// engine::Error when the library refuses; nothing is changed then.
void keepPart(Document& document, PartLibrary& library, const OwnPart& part, PartOrigin where,
              std::vector<engine::GraphEdit> edits, const QString& text);

/// The edit that gives a node another device, as which its own is edited: its software stays when the runtime
/// is made for its kind, else engine::replaceDevice().
engine::GraphEdit deviceEdit(const Document& document, const engine::NodeId& id,
                             const engine::Device& device);
/// Serves a workload: where it names no batch, the design's stays.
engine::GraphEdit workloadEdit(const Document& document, engine::Workload workload);

/// Lays a model out over the devices of the selected accelerators, else of the only one that there is, as
/// one undoable step. Empty, or why nothing was done and what to do, in a line.
QString applyLayout(Document& document, const QString& layoutId);

} // namespace heteroscape::widgets
