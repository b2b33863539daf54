// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDockWidget>

class QToolButton;

namespace heteroscape::widgets {

class Document;
class MessagesPanel;

/// The bottom dock: the messages below a head that tells how many there are; folded to the head alone until
/// it is opened. UI thread.
class MessagesDock : public QDockWidget {
    Q_OBJECT
public:
    explicit MessagesDock(Document* document, QWidget* parent = nullptr);

    MessagesPanel* panel() const { return m_panel; }
    bool isOpen() const { return m_open; }
    void setOpen(bool open);

private:
    void refresh();

    Document* m_document;
    QToolButton* m_head;
    MessagesPanel* m_panel;
    bool m_open = false;
};

} // namespace heteroscape::widgets
