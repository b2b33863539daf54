// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/requests/requests_start.h"

#include "widgets/document/document.h"
#include "widgets/document/serving_view.h"
#include "widgets/theme/text_label.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace heteroscape::widgets {

RequestsStart::RequestsStart(Document* document, QWidget* parent)
    : Surface(ColorRole::Surface, false, parent),
      m_text(new TextLabel(TextSize::Body, ColorRole::Text2, this)),
      m_backlog(new QPushButton(tr("Simulate a backlog"), this)),
      m_poisson(new QPushButton(tr("Simulate Poisson arrivals"), this)) {
    m_text->setWordWrap(true);
    m_text->setAlignment(Qt::AlignCenter);
    m_backlog->setToolTip(tr("All requests are there at the start"));
    m_poisson->setToolTip(tr("Requests come independently of each other, at a mean rate"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch(1);
    buttons->addWidget(m_backlog);
    buttons->addWidget(m_poisson);
    buttons->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 8, 16, 8);
    column->setSpacing(12);
    column->addStretch(1);
    column->addWidget(m_text);
    column->addLayout(buttons);
    column->addStretch(1);
    connect(m_backlog, &QPushButton::clicked, document,
            [document] { setArrivals(*document, engine::Arrivals::Backlog); });
    connect(m_poisson, &QPushButton::clicked, document,
            [document] { setArrivals(*document, engine::Arrivals::Poisson); });
}

void RequestsStart::present(const QString& reason, bool offer) {
    m_text->setText(reason);
    m_backlog->setVisible(offer);
    m_poisson->setVisible(offer);
}

QString RequestsStart::text() const {
    return m_text->text();
}

} // namespace heteroscape::widgets
