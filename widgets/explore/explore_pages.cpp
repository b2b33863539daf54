// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/explore_pages.h"

#include "widgets/explore/frontier/frontier_page.h"
#include "widgets/plots/plot_view.h"

#include <QVBoxLayout>

namespace heteroscape::widgets {

namespace {

QWidget* emptyHolder(QWidget* parent) {
    auto* holder = new QWidget(parent);
    auto* column = new QVBoxLayout(holder);
    column->setContentsMargins(0, 0, 0, 0);
    return holder;
}

} // namespace

ExplorePages::ExplorePages(Document* document, QWidget* study, QWidget* parent)
    : PageSwitch(parent), m_document(document), m_holder(emptyHolder(this)), m_tools(emptyHolder(this)) {
    add(tr("Study"), tr("Explore: %1").arg(tr("Study")), study, nullptr); // in the order of Page
    add(tr("Frontier"), tr("Explore: %1").arg(tr("Frontier")), m_holder, m_tools);
    connect(this, &PageSwitch::pageChanged, this, [this](int page) {
        if (page == Frontier)
            frontier()->plot()->setFocus(Qt::OtherFocusReason);
    });
}

FrontierPage* ExplorePages::frontier() {
    if (!m_frontier) {
        m_frontier = new FrontierPage(m_document, m_holder);
        m_holder->layout()->addWidget(m_frontier);
        m_tools->layout()->addWidget(m_frontier->tools());
        m_frontier->show(); // now: the layouts would do it by and by
        m_frontier->tools()->show();
        connect(m_frontier, &FrontierPage::openDesignRequested, this, &ExplorePages::openDesignRequested);
    }
    return m_frontier;
}

bool ExplorePages::isFrontierBusy() const {
    return page() == Frontier && m_frontier && m_frontier->isBusy();
}

} // namespace heteroscape::widgets
