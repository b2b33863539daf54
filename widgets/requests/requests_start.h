// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/surface.h"

#include <QWidget>
#include <string_view>

class QPushButton;

namespace heteroscape::widgets {

class Document;

/// A row of buttons, one for each kind of arrivals that can be simulated without more ado, named by its id.
/// UI thread.
class ArrivalOffers : public QWidget {
    Q_OBJECT
public:
    explicit ArrivalOffers(Document* document, QWidget* parent = nullptr);
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

private:
    TextLabel* m_text;
    ArrivalOffers* m_offers;
};

} // namespace heteroscape::widgets
