// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

} // namespace heteroscape::widgets
