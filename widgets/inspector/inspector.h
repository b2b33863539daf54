// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document.h"

#include <QPointer>
#include <QWidget>

#include <string>

class QScrollArea;

namespace heteroscape::widgets {

class InspectorHeader;
class InspectorPage;

/// Shows and edits every quantity of what is selected: one node, one link, what several share, else the
/// design. Rows are made once per subject and then only refreshed, so fields keep focus and cursor while the
/// design changes. A trace of requests dropped on it becomes the design's. UI thread.
class Inspector : public QWidget {
    Q_OBJECT
public:
    explicit Inspector(Document* document, QWidget* parent = nullptr);

    /// Makes the whole page now: for what needs all of it, as pictures.
    void finish();
    /// Shows a path of the present subject and gives its field the focus, and of a node all quantities where
    /// it is one of those; it stays in sight until the user scrolls. False when it has no row, or none that
    /// is of use.
    bool focusField(const std::string& path);
    /// Lets a trace of requests be the design's, and shows its row, which tells what is wrong with it.
    void takeTrace(const QString& path);
    std::string focusedPath() const; ///< of the field with the focus, for "sweep focused field"

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void sweepRequested(const std::string& path);
    void ownDeviceRequested(const engine::NodeId& id); ///< the node's device shall become a part

protected:
    void dragEnterEvent(QDragEnterEvent* event) override; ///< a trace of requests
    void dropEvent(QDropEvent* event) override;

private:
    void sync(); ///< from the document's signals
    void rebuild();
    bool focusShown(const std::string& path);        ///< of the rows that are there
    InspectorPage* pageOf(const Selection& subject); ///< a new one, or that of the design as it was kept
    InspectorPage* makePage(const Selection& subject, QWidget* parent);
    void showHeader();

    Document* m_document;
    InspectorHeader* m_header;
    QScrollArea* m_scroll;
    InspectorPage* m_page = nullptr;
    InspectorPage* m_design = nullptr; ///< what is shown while nothing is selected: kept while something is
    Selection m_subject;               ///< what the page is about
    std::string m_shape;               ///< of the page shown
    std::string m_designShape;
    std::string m_allFor; ///< the node whose every quantity is wanted; empty: none
    bool m_rebuilding = false;
    QPointer<QWidget> m_led; ///< the field that was led to, until the user scrolls
};

} // namespace heteroscape::widgets
