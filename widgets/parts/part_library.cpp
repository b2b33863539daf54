// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/part_library.h"

#include <QCoreApplication>
#include <QDir>
#include <QStandardPaths>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

template <class Parts>
bool holds(const Parts& parts, const std::string& id) {
    return std::any_of(parts.begin(), parts.end(), [&id](const auto& part) { return part.id == id; });
}

/// Of a library or of a design's own parts.
template <class Owner>
bool holds(const Owner& owner, engine::PartKind kind, const std::string& id) {
    switch (kind) {
    case engine::PartKind::Device:
        return holds(owner.devices, id);
    case engine::PartKind::Model:
        return holds(owner.models, id);
    case engine::PartKind::Workload:
        break;
    }
    return holds(owner.workloads, id);
}

} // namespace

PartLibrary::PartLibrary(QString folder, QObject* parent) : QObject(parent), m_folder(std::move(folder)) {
    m_parts = engine::loadLibrary(m_folder.toStdString());
    watch();
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &PartLibrary::load);
}

PartLibrary* PartLibrary::shared() {
    static PartLibrary* library = nullptr;
    if (!library) {
        const auto data = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
        library = new PartLibrary(QDir(data).filePath(QStringLiteral("library")), qApp);
        connect(library, &QObject::destroyed, qApp, [] { library = nullptr; });
    }
    return library;
}

void PartLibrary::watch() {
    // A folder that is not there cannot be watched, so they are made; where that fails, only what this
    // program writes is seen.
    for (const auto* kind : {"devices", "models", "workloads"}) {
        const auto folder = QDir(m_folder).filePath(QLatin1String(kind));
        if (QDir().mkpath(folder) && !m_watcher.directories().contains(folder))
            m_watcher.addPath(folder);
    }
}

void PartLibrary::load() {
    auto parts = engine::loadLibrary(m_folder.toStdString());
    watch();
    if (parts.devices == m_parts.devices && parts.models == m_parts.models &&
        parts.workloads == m_parts.workloads && parts.problems == m_parts.problems)
        return;
    m_parts = std::move(parts);
    emit changed();
}

QStringList PartLibrary::problems() const {
    QStringList lines;
    for (const auto& problem : m_parts.problems)
        lines << QString::fromStdString(problem);
    return lines;
}

bool PartLibrary::has(engine::PartKind kind, const std::string& id) const {
    return holds(m_parts, kind, id);
}

std::shared_ptr<const engine::Catalog>
PartLibrary::over(const std::shared_ptr<const engine::Catalog>& shipped) const {
    if (m_parts.devices.empty() && m_parts.models.empty() && m_parts.workloads.empty())
        return shipped;
    return std::make_shared<const engine::Catalog>(
        engine::withParts(*shipped, m_parts.devices, m_parts.models, m_parts.workloads));
}

void PartLibrary::save(const OwnPart& part) {
    std::visit([this](const auto& one) { engine::saveToLibrary(m_folder.toStdString(), one); }, part);
    load();
}

void PartLibrary::remove(engine::PartKind kind, const std::string& id) {
    // Both list device, model and workload.
    engine::removeFromLibrary(m_folder.toStdString(), static_cast<engine::LibraryKind>(kind), id);
    load();
}

PartOrigin originOf(const engine::OwnParts& design, const engine::Library& library, engine::PartKind kind,
                    const std::string& id) {
    if (holds(design, kind, id))
        return PartOrigin::Design;
    return holds(library, kind, id) ? PartOrigin::Library : PartOrigin::Shipped;
}

} // namespace heteroscape::widgets
