// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"
#include "engine/scenario/edit.h"
#include "widgets/plots/surface.h"

#include <optional>

class QPushButton;

namespace heteroscape::widgets {

class Document;
class TextLabel;

/// What lets requests come independently of each other, as one edit: at seven tenths of what the design can
/// serve, as long as nobody chose a rate.
engine::GraphEdit poissonEdit(const engine::Scenario& scenario, const engine::Evaluation& evaluation);

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
