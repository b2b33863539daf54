// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/surface.h"

class QPushButton;

namespace heteroscape::widgets {

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

    QPushButton* backlogButton() const { return m_backlog; }
    QPushButton* poissonButton() const { return m_poisson; }

private:
    TextLabel* m_text;
    QPushButton* m_backlog;
    QPushButton* m_poisson;
};

} // namespace heteroscape::widgets
