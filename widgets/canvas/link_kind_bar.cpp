// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/link_kind_bar.h"

#include "widgets/canvas/part_edits.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

namespace heteroscape::widgets {

LinkKindBar::LinkKindBar(QWidget* parent) : FloatingBar(parent), m_layout(new QHBoxLayout(this)) {
    m_layout->setContentsMargins(6, 6, 6, 6);
    m_layout->setSpacing(4);
    setAccessibleName(tr("Kind of the link"));
    auto* close = new QToolButton(this);
    close->setAutoRaise(true);
    close->setToolTip(tr("Keep it as it is"));
    close->setAccessibleName(tr("Keep the link as it is"));
    connect(close, &QToolButton::clicked, this, &LinkKindBar::dismissed);
    Theme::instance().follow(
        this, [close] { close->setIcon(Theme::instance().icon(QStringLiteral("close"), ColorRole::Muted)); });
    m_layout->addWidget(close);
    hide();
}

void LinkKindBar::offer(const std::vector<const engine::LinkType*>& kinds, const std::string& present) {
    std::vector<std::string> ids;
    for (const auto* kind : kinds)
        ids.push_back(kind->id);
    if (ids != m_kinds) {
        for (auto* button : m_buttons)
            button->deleteLater(); // one of them may be what was clicked
        for (auto* button : m_buttons)
            button->hide();
        m_buttons.clear();
        m_kinds = ids;
        for (const auto* kind : kinds) {
            auto* button = new QPushButton(linkKindText(*kind), this);
            button->setCheckable(true);
            button->setAutoExclusive(true);
            button->setToolTip(tr("Make it a link of this kind"));
            connect(button, &QPushButton::clicked, this,
                    [this, id = QString::fromStdString(kind->id)] { emit chosen(id); });
            m_layout->insertWidget(static_cast<int>(m_buttons.size()), button);
            m_buttons.push_back(button);
        }
    }
    for (std::size_t i = 0; i < m_kinds.size(); ++i)
        m_buttons[i]->setChecked(m_kinds[i] == present);
    m_layout->activate();
    adjustSize();
    show();
    raise();
}

void LinkKindBar::focusPresent() {
    for (auto* button : m_buttons)
        if (button->isChecked() || button == m_buttons.back()) {
            button->setFocus(Qt::OtherFocusReason);
            return;
        }
}

bool LinkKindBar::holdsFocus() const {
    const auto* focus = QApplication::focusWidget();
    return focus && isAncestorOf(focus);
}

void LinkKindBar::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        emit dismissed();
    else
        FloatingBar::keyPressEvent(event);
}

} // namespace heteroscape::widgets
