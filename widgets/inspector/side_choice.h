// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

#include <QWidget>

#include <array>

class QPushButton;

namespace heteroscape::widgets {

/// What a node does of every layer, as one of three: all of it, attention, or the networks. UI thread.
class SideChoice : public QWidget {
    Q_OBJECT
public:
    explicit SideChoice(QWidget* parent = nullptr);

    void show(engine::Role role, bool mixture);
    QPushButton* button(engine::Role role) const; ///< both, attention or ffn; null for others

signals:
    void chosen(engine::Role role); ///< another one

private:
    std::array<QPushButton*, 3> m_buttons{};
    engine::Role m_now = engine::Role::Both;
};

} // namespace heteroscape::widgets
