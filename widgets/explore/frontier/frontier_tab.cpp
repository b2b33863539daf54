// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/frontier/frontier_tab.h"

#include "widgets/explore/frontier/frontier_page.h"
#include "widgets/plots/plot_view.h"

#include <QVBoxLayout>

namespace heteroscape::widgets {

FrontierTab::FrontierTab(Document* document, QWidget* parent)
    : QWidget(parent), m_document(document), m_tools(new QWidget) {
    for (auto* holder : {static_cast<QWidget*>(this), m_tools}) {
        auto* column = new QVBoxLayout(holder);
        column->setContentsMargins(0, 0, 0, 0);
    }
}

FrontierPage* FrontierTab::page() {
    if (!m_page) {
        m_page = new FrontierPage(m_document, this);
        layout()->addWidget(m_page);
        m_tools->layout()->addWidget(m_page->tools());
        m_page->show(); // now: the layouts would do it by and by
        m_page->tools()->show();
        connect(m_page, &FrontierPage::openDesignRequested, this, &FrontierTab::openDesignRequested);
    }
    return m_page;
}

bool FrontierTab::isBusy() const {
    return isVisible() && m_page && m_page->isBusy();
}

void FrontierTab::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    page()->plot()->setFocus(Qt::OtherFocusReason);
}

} // namespace heteroscape::widgets
