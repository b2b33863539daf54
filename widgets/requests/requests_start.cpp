// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/requests/requests_start.h"

#include "widgets/document/document.h"
#include "widgets/document/serving_view.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QPushButton>

namespace heteroscape::widgets {

ArrivalOffers::ArrivalOffers(Document* document, QWidget* parent) : QWidget(parent) {
    auto* row = makeRow(this, {}, 8);
    for (const auto* kind : readyArrivals()) {
        auto* button = new QPushButton(tr("Simulate %1").arg(words(kind->noun())), this);
        button->setObjectName(words(kind->id()));
        button->setToolTip(plainTip(words(kind->about())));
        button->setProperty("primary", row->isEmpty());
        connect(button, &QPushButton::clicked, document, [document, kind] { setArrivals(*document, kind); });
        row->addWidget(button);
    }
}

RequestsStart::RequestsStart(Document* document, QWidget* parent)
    : Surface(ColorRole::Surface, false, parent),
      m_text(new TextLabel(TextSize::Body, ColorRole::Text2, this)),
      m_offers(new ArrivalOffers(document, this)) {
    m_text->setWordWrap(true);
    m_text->setAlignment(Qt::AlignCenter);
    auto* column = makeColumn(this, {16, 8, 16, 8}, 12);
    column->addStretch(1);
    column->addWidget(m_text);
    column->addWidget(m_offers, 0, Qt::AlignHCenter);
    column->addStretch(1);
}

void RequestsStart::present(const QString& reason, bool offer) {
    m_text->setText(reason);
    m_offers->setVisible(offer);
}

QString RequestsStart::text() const {
    return m_text->text();
}

} // namespace heteroscape::widgets

#include "moc_requests_start.cpp"
