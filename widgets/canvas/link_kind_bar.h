// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/link_type.h"
#include "widgets/canvas/canvas_overlays.h"

#include <vector>

class QHBoxLayout;
class QPushButton;

namespace heteroscape::widgets {

/// Offers, beside a link that was just made, the kinds that both its ends can use, fastest first. Left and
/// right walk over them, Esc or the cross closes it.
class LinkKindBar : public FloatingBar {
    Q_OBJECT
public:
    explicit LinkKindBar(QWidget* parent);

    /// Shows these kinds, the present one pressed.
    void offer(const std::vector<const engine::LinkType*>& kinds, const std::string& present);
    const std::vector<QPushButton*>& buttons() const { return m_buttons; }
    void focusPresent();
    bool holdsFocus() const;

signals:
    void chosen(const QString& linkTypeId);
    void dismissed();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QHBoxLayout* m_layout;
    std::vector<std::string> m_kinds;
    std::vector<QPushButton*> m_buttons;
};

} // namespace heteroscape::widgets
