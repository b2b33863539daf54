// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/bottom_dock.h"

#include "widgets/document/document.h"
#include "widgets/plots/surface.h"
#include "widgets/requests/requests_panel.h"
#include "widgets/results/load_panel.h"
#include "widgets/results/serving_panel.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/theme.h"
#include "widgets/timeline/timeline_panel.h"
#include "widgets/window/messages_panel.h"

#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr int kHead = 32;
constexpr int kLeastOpen = 160;
constexpr int kFirstOpen = 244;

} // namespace

BottomDock::BottomDock(Document* document, SimulationRunner* runner, QWidget* parent)
    : QDockWidget(tr("Timelines, latency and messages"), parent), m_document(document),
      m_tabs(new QTabBar(this)), m_fold(new QToolButton(this)), m_pages(new QStackedWidget(this)),
      m_timeline(new TimelinePanel(document, this)), m_requests(new RequestsPanel(document, runner, this)),
      m_latency(new ServingPanel(runner, document, this)), m_load(new LoadPanel(document, runner, this)),
      m_messages(new MessagesPanel(document, this)), m_openHeight(kFirstOpen) {
    auto* body = new Surface(ColorRole::Panel, false, this);
    auto* head = new QWidget(body);
    head->setFixedHeight(kHead);
    auto* row = makeRow(head, {4, 0, 6, 0}, 4);
    for (const auto& name :
         {tr("Timeline"), tr("Requests"), tr("Latency"), tr("Load"), tr("Messages")}) // in the order of Page
        m_tabs->addTab(name);
    m_tabs->setAccessibleName(tr("Timelines, latency and messages"));
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(false); // all tabs always stand in full
    m_tabs->setElideMode(Qt::ElideNone);
    m_tabs->setDrawBase(false);
    m_tabs->setIconSize({16, 16});
    m_tabs->setFont(Theme::instance().font(TextSize::Dense, QFont::Medium));
    m_fold->setFixedSize(26, 26);
    m_fold->setIconSize({16, 16});
    row->addWidget(m_tabs, 0, Qt::AlignBottom);
    row->addWidget(m_timeline->bar(), 1); // the controls of the page that is shown share the head
    row->addWidget(m_requests->bar(), 1);
    row->addWidget(m_latency->bar(), 1);
    row->addWidget(m_load->bar(), 1);
    row->addStretch(0);
    row->addWidget(m_fold);
    setWidget(body); // before it is full: what moves with all in it is styled anew
    auto* column = makeColumn(body);
    column->addWidget(head);
    column->addWidget(m_pages, 1);
    m_pages->addWidget(m_timeline); // in the order of Page
    m_pages->addWidget(m_requests);
    m_pages->addWidget(m_latency);
    m_pages->addWidget(m_load);
    m_pages->addWidget(m_messages);

    connect(m_latency, &ServingPanel::publishedRunRequested, this, &BottomDock::publishedRunRequested);
    connect(m_fold, &QToolButton::clicked, this, [this] { setOpen(!m_open); });
    connect(m_tabs, &QTabBar::currentChanged, this, &BottomDock::refresh);
    connect(m_tabs, &QTabBar::tabBarClicked, this, [this](int index) {
        if (index >= 0) // a click on the open tab folds, as a click on any other unfolds
            setOpen(!m_open || index != m_tabs->currentIndex());
    });
    connect(document, &Document::changed, this, &BottomDock::refresh);
    connect(document, &Document::evaluated, this, &BottomDock::refresh);
    connect(&Theme::instance(), &Theme::changed, this, &BottomDock::refresh);
    connect(this, &QDockWidget::topLevelChanged, this, [this] { fold(m_open); });
    fold(m_open);
}

BottomDock::Page BottomDock::page() const {
    return static_cast<Page>(m_tabs->currentIndex());
}

void BottomDock::showPage(Page page) {
    m_tabs->setCurrentIndex(static_cast<int>(page));
    setOpen(true);
}

void BottomDock::setOpen(bool open) {
    if (open == m_open)
        return;
    if (!open && isVisible())
        m_openHeight = std::max(height(), kLeastOpen);
    fold(open);
    emit openChanged(open);
}

void BottomDock::fold(bool open) {
    m_open = open;
    m_pages->setVisible(open);
    // A floating dock has a title bar above the head, and its frame is the user's to pull.
    setMinimumHeight(open ? kLeastOpen : isFloating() ? 0 : kHead);
    setMaximumHeight(open || isFloating() ? QWIDGETSIZE_MAX : kHead);
    refresh();
}

QSize BottomDock::sizeHint() const {
    return {800, m_open ? m_openHeight : kHead};
}

void BottomDock::showEvent(QShowEvent* event) {
    QDockWidget::showEvent(event);
    // The tabs were measured before they were polished: once more, after everything is.
    QMetaObject::invokeMethod(
        m_tabs, [this] { m_tabs->updateGeometry(); }, Qt::QueuedConnection);
}

void BottomDock::refresh() {
    const auto& theme = Theme::instance();
    const auto summary = messagesSummary(*m_document);
    m_tabs->setTabText(static_cast<int>(Page::Messages),
                       summary.isEmpty() ? tr("Messages") : tr("Messages: %1").arg(summary));
    const int shown = m_tabs->currentIndex();
    const char* const icons[] = {"timeline", "play", "clock", "explore", "table"};
    for (int i = 0; i < m_tabs->count(); ++i)
        m_tabs->setTabIcon(
            i, theme.icon(QString::fromLatin1(icons[i]), i == shown ? ColorRole::Accent : ColorRole::Text2));
    m_pages->setCurrentIndex(shown);
    m_timeline->bar()->setVisible(m_open && page() == Page::Timeline);
    m_requests->bar()->setVisible(m_open && page() == Page::Requests);
    m_latency->bar()->setVisible(m_open && page() == Page::Latency);
    m_load->bar()->setVisible(m_open && page() == Page::Load);
    m_fold->setIcon(
        theme.icon(m_open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-up"), ColorRole::Muted));
    m_fold->setToolTip(plainTip(m_open ? tr("Fold") : tr("Unfold")));
    m_fold->setAccessibleName(m_open ? tr("Fold timeline and messages") : tr("Unfold timeline and messages"));
}

} // namespace heteroscape::widgets

#include "moc_bottom_dock.cpp"
