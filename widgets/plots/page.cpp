// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/page.h"

#include "widgets/plots/export_button.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"

#include <QStackedWidget>

namespace heteroscape::widgets {

DockPage::DockPage(QWidget* parent) : PageOf(parent), m_pages(new QStackedWidget(this)) {
    auto* column = makeColumn(this);
    column->addWidget(m_tools);
    column->addWidget(m_notice);
    column->addWidget(m_pages, 1);
}

QHBoxLayout* DockPage::makeBarRow(int gap) {
    return makeRow(m_tools, {8, 2, 8, 2}, gap);
}

void DockPage::setExport(ExportButton* button, const QString& tip) {
    PageOf::setExport(button);
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setToolTip(plainTip(tip));
    button->offerExtents();
}

} // namespace heteroscape::widgets
