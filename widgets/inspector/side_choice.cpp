// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/side_choice.h"

#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

#include <QButtonGroup>
#include <QPushButton>

namespace heteroscape::widgets {

namespace {

constexpr std::array kSides{engine::Role::Both, engine::Role::Attention, engine::Role::Ffn};

} // namespace

SideChoice::SideChoice(QWidget* parent) : QWidget(parent) {
    auto* group = new QButtonGroup(this);
    auto* row = makeRow(this, {14, 4, 14, 2}, 4);
    for (std::size_t i = 0; i < kSides.size(); ++i) {
        auto* button = new QPushButton(this);
        button->setCheckable(true);
        button->setFont(Theme::instance().font(TextSize::Dense));
        group->addButton(button);
        row->addWidget(button, 1);
        connect(button, &QPushButton::clicked, this, [this, side = kSides[i]] {
            if (side != m_now)
                emit chosen(side);
        });
        m_buttons[i] = button;
    }
    m_buttons[0]->setText(tr("Whole"));
    m_buttons[0]->setToolTip(tr("All of every layer"));
    m_buttons[1]->setText(tr("Attention"));
    m_buttons[1]->setToolTip(
        tr("Attention of every layer with its KV cache; another node works off the feed-forward networks"));
    m_buttons[2]->setToolTip(tr("The feed-forward networks of every layer; another node attends"));
}

void SideChoice::show(engine::Role role, bool mixture) {
    m_buttons[2]->setText(mixture ? tr("Experts") : tr("FFN"));
    m_now = role == engine::Role::Attention || role == engine::Role::Ffn ? role : engine::Role::Both;
    button(m_now)->setChecked(true);
}

QPushButton* SideChoice::button(engine::Role role) const {
    for (std::size_t i = 0; i < kSides.size(); ++i)
        if (kSides[i] == role)
            return m_buttons[i];
    return nullptr;
}

} // namespace heteroscape::widgets
