// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/requests/arrival_offers.h"

#include "widgets/document/document.h"
#include "widgets/document/serving_view.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"

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

QPushButton* ArrivalOffers::button(std::string_view id) const {
    return findChild<QPushButton*>(words(id));
}

} // namespace heteroscape::widgets
