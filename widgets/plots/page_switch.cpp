// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/page_switch.h"

#include "widgets/plots/surface.h"

#include <QButtonGroup>
#include <QFrame>
#include <QHBoxLayout>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace heteroscape::widgets {

PageSwitch::PageSwitch(QWidget* parent) : QWidget(parent) {
    auto* bar = new Surface(ColorRole::Surface, false, this);
    auto* head = new QHBoxLayout(bar);
    head->setContentsMargins(12, 8, 12, 8);
    head->setSpacing(6);
    m_buttons = new QHBoxLayout;
    m_buttons->setSpacing(6);
    new QButtonGroup(bar);
    auto* rule = new QFrame(bar);
    rule->setFrameShape(QFrame::VLine);
    m_tools = new QStackedWidget(bar);
    m_pages = new QStackedWidget(this);
    head->addLayout(m_buttons);
    head->addSpacing(4);
    head->addWidget(rule);
    head->addSpacing(4);
    head->addWidget(m_tools, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(m_pages, 1);
}

void PageSwitch::add(const QString& name, const QString& spoken, QWidget* page, QWidget* tools) {
    const auto at = static_cast<int>(m_switch.size());
    auto* button = new QPushButton(name, m_tools->parentWidget());
    button->setCheckable(true);
    button->setProperty("chip", true);
    button->setAccessibleName(spoken);
    m_tools->parentWidget()->findChild<QButtonGroup*>()->addButton(button);
    connect(button, &QPushButton::clicked, this, [this, at] { setPage(at); });
    m_buttons->addWidget(button);
    m_switch.push_back(button);
    m_pages->addWidget(page);
    m_tools->addWidget(tools ? tools : new QWidget);
    if (at == 0)
        setPage(0);
}

void PageSwitch::setPage(int page) {
    const bool another = page != m_pages->currentIndex();
    m_pages->setCurrentIndex(page);
    m_tools->setCurrentIndex(page);
    m_switch[static_cast<std::size_t>(page)]->setChecked(true);
    if (another)
        emit pageChanged(page);
}

int PageSwitch::page() const {
    return m_pages->currentIndex();
}

} // namespace heteroscape::widgets
