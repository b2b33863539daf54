// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/claims/claims.h"
#include "widgets/plots/surface.h"

class QPushButton;

namespace heteroscape::widgets {

class TextLabel;

/// A paper on the start page: a drawing of its chief design, what it shows in one line, what it gains by this
/// program's own reckoning once that is known, and its designs to open. UI thread.
class PaperStartCard : public Surface {
    Q_OBJECT
public:
    PaperStartCard(const engine::Paper& paper, const engine::Catalog& catalog, QWidget* parent = nullptr);

    const std::string& paperId() const { return m_id; }
    void showGain(double factor);

signals:
    void openRequested(const std::string& preset);

protected:
    void mouseReleaseEvent(QMouseEvent* event) override; ///< anywhere on the card opens its design

private:
    std::string m_id;
    std::string m_preset; ///< the chief design
    TextLabel* m_factor;
    TextLabel* m_meaning;
};

} // namespace heteroscape::widgets
