// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/part_mime.h"
#include "widgets/parts/part_library.h"

#include <QObject>

#include <functional>

namespace heteroscape::widgets {

class DeviceEditor;
class ModelSummary;
class PartDialog;
class WorkloadEditor;
struct PartStart;

/// Making, editing, importing and removing parts, for one window. Every dialog opens over the window and
/// works by itself; what is done to the design can be undone. UI thread.
class PartsFlow : public QObject {
    Q_OBJECT
public:
    /// `document` and `library` outlive it.
    PartsFlow(Document* document, PartLibrary* library, QWidget* window);

    DeviceEditor* newDevice();
    DeviceEditor* deviceOfNode(const engine::NodeId& id); ///< null when there is no such node
    WorkloadEditor* newWorkload();
    /// A copy of a device or workload, opened to be edited; null when there is no such part.
    PartDialog* duplicatePart(const PartRef& part);
    PartDialog* editPart(const PartRef& part); ///< an own part; null when there is none
    /// Out of the design by an undoable edit; out of the library once the user confirms it.
    void removePart(const PartRef& part);

    /// Reads a model, keeps it in the design, serves it (one undoable edit), and opens its summary. False
    /// when it cannot be read: the user was told which key is wrong and what to do, and nothing changed.
    bool importModelText(const QString& text, const QString& where);
    bool importModelFile(const QString& path);
    bool pasteModel(); ///< from the clipboard

    using ErrorPrompt = std::function<void(const QString& title, const QString& text)>;
    void setErrorPrompt(ErrorPrompt prompt) { m_showError = std::move(prompt); }

signals:
    void message(const QString& text); ///< what was done, one line

private:
    PartDialog* open(const PartStart& start);
    bool import(const std::function<engine::Model()>& read);
    void takeFromLibrary(engine::PartKind kind, const std::string& id, const QString& name);

    Document* m_document;
    PartLibrary* m_library;
    QWidget* m_window;
    ErrorPrompt m_showError;
};

} // namespace heteroscape::widgets
