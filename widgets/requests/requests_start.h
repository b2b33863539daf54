// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/surface.h"

namespace heteroscape::widgets {

class ArrivalOffers;
class Document;
class TextLabel;

/// What stands in place of the requests while there are none: why, and the arrivals that would bring some.
class RequestsStart : public Surface {
    Q_OBJECT
public:
    explicit RequestsStart(Document* document, QWidget* parent = nullptr);

    /// `offer`: the arrivals can be chosen here.
    void present(const QString& reason, bool offer);
    QString text() const;

    const ArrivalOffers* offers() const { return m_offers; }

private:
    TextLabel* m_text;
    ArrivalOffers* m_offers;
};

} // namespace heteroscape::widgets
