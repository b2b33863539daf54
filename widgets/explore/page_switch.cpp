// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/page_switch.h"

#include "widgets/plots/surface.h"
#include "widgets/theme/layouts.h"

#include <QFrame>
#include <QPushButton>
#include <QStackedWidget>

namespace heteroscape::widgets {

PageSwitch::PageSwitch(QWidget* parent)
    : QWidget(parent), m_bar(new Surface(ColorRole::Surface, false, this)), m_rule(new QFrame(m_bar)),
      m_row(new QHBoxLayout), m_tools(new QStackedWidget(m_bar)), m_pages(new QStackedWidget(this)) {
    m_rule->setFrameShape(QFrame::VLine);
    auto* bar = makeRow(m_bar, {12, 8, 12, 8}, 10);
    m_row->setSpacing(6);
    bar->addLayout(m_row);
    bar->addWidget(m_rule);
    bar->addWidget(m_tools, 1);
    m_bar->hide();
    auto* whole = makeColumn(this);
    whole->addWidget(m_bar);
    whole->addWidget(m_pages, 1);
}

void PageSwitch::addPage(const QString& name, QWidget* page, QWidget* tools) {
    auto* button = new QPushButton(name, m_bar);
    button->setCheckable(true);
    button->setChecked(m_pages->count() == 0);
    button->setProperty("chip", true);
    button->setAccessibleName(tr("Explore: %1").arg(name));
    m_buttons.push_back(button);
    m_row->addWidget(button);
    m_pages->addWidget(page);
    m_tools->addWidget(tools ? tools : new QWidget(m_tools));
    m_bar->setVisible(m_pages->count() > 1);
    showRule();
    connect(button, &QPushButton::clicked, this, [this, page] { setPage(page); });
}

void PageSwitch::setPage(const QWidget* page) {
    for (int i = 0; i < m_pages->count(); ++i) {
        const bool shown = m_pages->widget(i) == page;
        m_buttons[static_cast<std::size_t>(i)]->setChecked(shown);
        if (!shown)
            continue;
        m_pages->setCurrentIndex(i);
        m_tools->setCurrentIndex(i);
    }
    showRule();
    emit pageChanged();
}

void PageSwitch::showRule() {
    const auto* tools = m_tools->currentWidget();
    m_rule->setVisible(tools && !tools->children().isEmpty());
}

QWidget* PageSwitch::page() const {
    return m_pages->currentWidget();
}

} // namespace heteroscape::widgets
