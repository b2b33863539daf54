// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/messages_dock.h"

#include "widgets/document/document.h"
#include "widgets/theme/theme.h"
#include "widgets/window/messages_panel.h"

#include <QToolButton>
#include <QVBoxLayout>

namespace heteroscape::widgets {

namespace {

constexpr int kHead = 32;
constexpr int kOpenHeight = 160;

} // namespace

MessagesDock::MessagesDock(Document* document, QWidget* parent)
    : QDockWidget(tr("Messages"), parent), m_document(document), m_head(new QToolButton(this)),
      m_panel(new MessagesPanel(document, this)) {
    setFeatures(QDockWidget::NoDockWidgetFeatures);
    setTitleBarWidget(new QWidget(this)); // the head below is its own title
    auto* body = new QWidget(this);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(4, 0, 4, 0);
    column->setSpacing(0);
    m_head->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_head->setFixedHeight(kHead - 4);
    m_head->setFont(Theme::instance().font(TextSize::Dense, QFont::DemiBold));
    m_head->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    column->addSpacing(2);
    column->addWidget(m_head, 0, Qt::AlignLeft);
    column->addWidget(m_panel, 1);
    setWidget(body);
    connect(m_head, &QToolButton::clicked, this, [this] { setOpen(!m_open); });
    connect(document, &Document::changed, this, &MessagesDock::refresh);
    connect(&Theme::instance(), &Theme::changed, this, &MessagesDock::refresh);
    setOpen(false);
}

void MessagesDock::setOpen(bool open) {
    m_open = open;
    m_panel->setVisible(open);
    setMinimumHeight(open ? kOpenHeight : kHead);
    setMaximumHeight(open ? QWIDGETSIZE_MAX : kHead);
    refresh();
}

void MessagesDock::refresh() {
    const auto summary = messagesSummary(*m_document);
    m_head->setText(summary.isEmpty() ? tr("Messages") : tr("Messages: %1").arg(summary));
    m_head->setIcon(Theme::instance().icon(
        m_open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-up"), ColorRole::Muted));
    m_head->setToolTip(m_open ? tr("Fold the messages") : tr("Show the messages"));
}

} // namespace heteroscape::widgets
