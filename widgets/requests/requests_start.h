// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/surface.h"

#include <QWidget>
#include <string_view>

class QPushButton;

namespace heteroscape::widgets {

class Document;

/// A row of buttons, one for each kind of arrivals that can be simulated without more ado. UI thread.
class ArrivalOffers : public QWidget {
    Q_OBJECT
public:
    explicit ArrivalOffers(Document* document, QWidget* parent = nullptr);

    QPushButton* button(std::string_view id) const; ///< null: that kind is not offered
};

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
