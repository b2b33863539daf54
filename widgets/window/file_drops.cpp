// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/file_drops.h"

#include "widgets/canvas/part_mime.h"
#include "widgets/inspector/inspector.h"
#include "widgets/window/dock_layout.h"
#include "widgets/window/file_flow.h"
#include "widgets/window/status_line.h"
#include "widgets/window/window_pieces.h"

#include <QApplication>
#include <QDropEvent>
#include <QFileInfo>
#include <QMainWindow>
#include <QMimeData>
#include <QTabBar>
#include <QTimer>
#include <QUrl>
#include <algorithm>
#include <array>
#include <chrono>

namespace heteroscape::widgets {

namespace {

constexpr std::chrono::milliseconds kRest{250}; ///< passing over the tab does not open it

bool canBeSwept(const QMimeData& data) {
    constexpr std::array kinds{PartKind::Model, PartKind::Workload, PartKind::Technique, PartKind::Preset};
    return data.hasFormat(propertyMimeType()) ||
           std::any_of(kinds.begin(), kinds.end(),
                       [&data](PartKind kind) { return data.hasFormat(partMimeType(kind)); });
}

} // namespace

TabDrop::TabDrop(QTabBar* tabs, int tab) : QObject(tabs), m_tabs(tabs), m_tab(tab), m_rest(new QTimer(this)) {
    m_rest->setSingleShot(true);
    m_rest->setInterval(kRest);
    connect(m_rest, &QTimer::timeout, m_tabs, [this] { m_tabs->setCurrentIndex(m_tab); });
    m_tabs->setAcceptDrops(true);
    m_tabs->installEventFilter(this);
}

bool TabDrop::eventFilter(QObject* watched, QEvent* event) {
    const auto type = event->type();
    if (type == QEvent::DragLeave)
        m_rest->stop();
    if (type != QEvent::DragEnter && type != QEvent::DragMove && type != QEvent::Drop)
        return QObject::eventFilter(watched, event);
    auto* drop = static_cast<QDropEvent*>(event); // the base of the others
    const auto& data = *drop->mimeData();
    if (!canBeSwept(data)) {
        drop->ignore();
        return true;
    }
    const bool over = m_tabs->tabAt(drop->position().toPoint()) == m_tab;
    if (!over)
        m_rest->stop();
    else if (type != QEvent::Drop && m_tabs->currentIndex() != m_tab && !m_rest->isActive())
        m_rest->start();
    const auto path = over && m_read ? m_read(data) : std::string();
    if (type == QEvent::DragEnter || !path.empty()) // once refused it would not come back
        drop->acceptProposedAction();
    else
        drop->ignore();
    if (type == QEvent::Drop) {
        m_rest->stop();
        if (!path.empty())
            emit propertyDropped(path);
    }
    return true;
}

namespace {

enum class FileKind { Design, Model, Trace, Other };

FileKind fileKind(const QString& path) {
    const auto suffix = QFileInfo(path).suffix().toLower();
    if (QFileInfo(path).isDir())
        return FileKind::Other;
    return suffix == QStringLiteral("hscape") ? FileKind::Design
           : suffix == QStringLiteral("json") ? FileKind::Model
           : suffix == QStringLiteral("csv") || suffix == QStringLiteral("tsv") ||
                   suffix == QStringLiteral("jsonl")
               ? FileKind::Trace
               : FileKind::Other;
}

QStringList filesOf(const QMimeData* data) {
    QStringList files;
    for (const auto& url : data->urls())
        files << (url.isLocalFile() ? url.toLocalFile() : url.toString());
    return files;
}

/// Why the window does not take these files; empty when it does. One line.
QString dropRefusal(const QStringList& files) {
    auto only = FileDrops::tr("Drop a design (.hscape), a model\u2019s config.json or a trace of requests "
                              "(.csv, .tsv, .jsonl).");
    if (files.isEmpty())
        return only;
    const bool designs = std::all_of(files.begin(), files.end(),
                                     [](const QString& file) { return fileKind(file) == FileKind::Design; });
    if (designs)
        return {};
    if (files.size() > 1)
        return FileDrops::tr("Several files at once must all be designs (.hscape).");
    if (QFileInfo(files.front()).isDir())
        return FileDrops::tr("%1 is a folder. %2").arg(QFileInfo(files.front()).fileName(), only);
    return fileKind(files.front()) == FileKind::Other
               ? FileDrops::tr("%1 is none of the files that can be dropped here. %2")
                     .arg(QFileInfo(files.front()).fileName(), only)
               : QString();
}

/// Whether a part of the window wants these itself: all, or one file of a kind.
bool takesFiles(const QWidget& part, const QStringList& files) {
    const auto takes = part.property("takesFiles");
    return takes.typeId() == QMetaType::QString
               ? files.size() == 1 && QFileInfo(files.front()).suffix().toLower() == takes.toString()
               : takes.toBool();
}

} // namespace

FileDrops::FileDrops(const WindowPieces& window) : QObject(window.widget), m_window(window) {
    m_window.widget->setAcceptDrops(true);
    qApp->installEventFilter(this);
}

bool FileDrops::take(const QMimeData* dropped) {
    const auto files = filesOf(dropped);
    if (const auto refusal = dropRefusal(files); !refusal.isEmpty()) {
        m_window.status->showMessage(refusal, StatusLine::kRefusedMs);
        return false;
    }
    switch (fileKind(files.front())) {
    case FileKind::Design: {
        bool all = true;
        for (const auto& file : files)
            all = m_window.files->openPath(file) && all;
        return all;
    }
    case FileKind::Model:
        m_window.workspaces->leaveStart();
        return m_window.files->importModelFrom(files.front());
    default:
        m_window.workspaces->show(Workspace::Design);
        m_window.docks->showInspector();
        m_window.inspector->takeTrace(files.front()); // what is wrong with it stands there
        return true;
    }
}

bool FileDrops::eventFilter(QObject* watched, QEvent* event) {
    const auto type = event->type();
    if (type != QEvent::DragEnter && type != QEvent::DragMove && type != QEvent::Drop)
        return false;
    const auto* widget = qobject_cast<QWidget*>(watched);
    if (!widget || widget->window() != m_window.widget)
        return false;
    auto* drop = static_cast<QDropEvent*>(event);
    if (!drop->mimeData()->hasUrls())
        return false; // a part, or a text for a field
    for (const auto* at = widget; at && at != m_window.widget; at = at->parentWidget())
        if (takesFiles(*at, filesOf(drop->mimeData())))
            return false;
    if (type == QEvent::Drop) {
        drop->acceptProposedAction();
        take(drop->mimeData());
        return true;
    }
    const auto refusal = dropRefusal(filesOf(drop->mimeData()));
    drop->setAccepted(refusal.isEmpty());
    if (refusal.isEmpty())
        drop->acceptProposedAction();
    else
        m_window.status->showMessage(refusal, StatusLine::kRefusedMs);
    return true;
}

} // namespace heteroscape::widgets

#include "moc_file_drops.cpp"
