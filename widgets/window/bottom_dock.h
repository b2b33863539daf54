// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDockWidget>

class QStackedWidget;
class QTabBar;
class QToolButton;

namespace heteroscape::widgets {

class Document;
class LoadPanel;
class MessagesPanel;
class RequestsPanel;
class ServingPanel;
class SimulationRunner;
class TimelinePanel;

/// The bottom dock: timeline, requests, their latency and messages as tabs in one head, with the controls of
/// the tab that is shown; folds to the head alone. UI thread.
class BottomDock : public QDockWidget {
    Q_OBJECT
public:
    enum class Page { Timeline, Requests, Latency, Load, Messages }; ///< in the order of the tabs

    BottomDock(Document* document, SimulationRunner* runner, QWidget* parent = nullptr);

    TimelinePanel* timeline() const { return m_timeline; }
    MessagesPanel* messages() const { return m_messages; }
    LoadPanel* load() const { return m_load; }

    Page page() const;
    void showPage(Page page); ///< unfolds
    bool isOpen() const { return m_open; }
    void setOpen(bool open);
    int openHeight() const { return m_openHeight; } ///< that it had when it was folded

    QSize sizeHint() const override;

signals:
    void openChanged(bool open);
    void publishedRunRequested(std::size_t line); ///< of the shipped table of servers

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fold(bool open);
    void refresh();

    Document* m_document;
    QTabBar* m_tabs;
    QToolButton* m_fold;
    QStackedWidget* m_pages;
    TimelinePanel* m_timeline;
    RequestsPanel* m_requests;
    ServingPanel* m_latency;
    LoadPanel* m_load;
    MessagesPanel* m_messages;
    bool m_open = true;
    int m_openHeight;
};

} // namespace heteroscape::widgets
