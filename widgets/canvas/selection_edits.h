// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document.h"

#include <QPointF>
#include <QString>
#include <memory>

class QMenu;
class QMimeData;

namespace heteroscape::widgets {

/// Nodes, the links among them and notes on the clipboard: the JSON of engine::writeClip().
inline constexpr auto kNodesMimeType = "application/x-heteroscape.nodes;version=1";

/// The same text also as plain text, for an editor or a mail.
std::unique_ptr<QMimeData> encodeSelection(const engine::Scenario& scenario, const Selection& selection);

/// The text to be given to engine::readClip(): the nodes, or plain text that says it is such. Empty: nothing
/// of ours, or more than 64 MiB. Null data is none.
std::string nodesText(const QMimeData* data);

class CanvasScene;
class CanvasView;

/// What is done on one canvas with what is selected, whichever kind it is; and which is selected next.
class SelectionEdits : public QObject {
    Q_OBJECT
public:
    explicit SelectionEdits(CanvasView& view);

    void selectAll();
    bool selectNeighbour(bool next); ///< of nodes, then links, then notes; false at the end
    void remove();
    void duplicate();
    void duplicateBy(QPointF distance); ///< selects the copies
    void changeCount(int step);         ///< of the nodes
    void nudge(QPointF distance, bool repeated);
    void copy();
    void cut();
    void paste(); ///< at the pointer, else beside the original
    /// The menu of a right click; the caller owns it.
    std::unique_ptr<QMenu> makeMenu();

private:
    void describe(); ///< to who does not see it
    QPointF pasteOffset(const std::string& text, const QRectF& copied);

    CanvasView& m_view;
    Document& m_document;
    CanvasScene& m_scene;
    std::string m_pasted; ///< what was pasted last without a pointer
    int m_pastes = 0;     ///< how often
    int m_nudges = 0;     ///< numbers the gestures of the arrow keys
};

} // namespace heteroscape::widgets
