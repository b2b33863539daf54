// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/surface.h"

#include "widgets/theme/layouts.h"
#include "widgets/theme/text_label.h"

#include <QCoreApplication>
#include <QEvent>
#include <QHeaderView>
#include <QLayout>
#include <QPainter>
#include <QScrollArea>
#include <QTableView>

namespace heteroscape::widgets {

QScrollArea* scrolled(QWidget* content, QWidget* parent) {
    auto* area = new QScrollArea(parent);
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    return area;
}

QWidget* fieldInSight(const QWidget* content) {
    auto* field = content->window()->focusWidget();
    return field && content->isAncestorOf(field) && !field->visibleRegion().isEmpty() ? field : nullptr;
}

void layOutScrolled(QWidget* content, QWidget* field) {
    // From the inside: by itself each layout asks the one around it only in a later turn, and until then the
    // parts are squeezed into the height that was.
    for (auto* part : content->findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
        if (part->layout())
            part->layout()->activate();
    auto* viewport = content->parentWidget();
    for (auto* around : {content, viewport})
        QCoreApplication::sendPostedEvents(around, QEvent::LayoutRequest);
    if (field)
        qobject_cast<QScrollArea*>(viewport->parentWidget())->ensureWidgetVisible(field, 0, 8);
}

QWidget* headedTile(const QString& heading, TextLabel* note, const std::vector<QWidget*>& tools,
                    QWidget* content) {
    auto* tile = new Surface(ColorRole::Surface, true);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 8, 8, 0);
    head->setSpacing(8);
    head->addWidget(new TextLabel(heading, TextSize::Body, ColorRole::Text, QFont::DemiBold, tile));
    if (note)
        head->addWidget(note, 1);
    else
        head->addStretch(1);
    for (auto* tool : tools)
        head->addWidget(tool);
    auto* column = makeColumn(tile, {1, 1, 1, 4}, 6);
    column->addLayout(head);
    column->addWidget(content, 1);
    return tile;
}

QTableView* tileTable(QAbstractItemModel* model, const QString& name, int leastRows) {
    auto* table = new QTableView;
    table->setModel(model);
    table->setAccessibleName(name);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setShowGrid(false);
    table->setTabKeyNavigation(false);
    table->setWordWrap(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(kTileRow);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setStretchLastSection(true);
    table->horizontalHeader()->setTextElideMode(Qt::ElideRight);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setCornerWidget(new Surface(ColorRole::Surface, false));
    table->setMinimumHeight(leastRows * kTileRow);
    return table;
}

Surface::Surface(ColorRole fill, bool tile, QWidget* parent) : QWidget(parent), m_fill(fill), m_tile(tile) {
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void Surface::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const auto& theme = Theme::instance();
    if (!m_tile) {
        painter.fillRect(rect(), theme.color(m_fill));
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.color(ColorRole::Border), 1));
    painter.setBrush(theme.color(m_fill));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
}

} // namespace heteroscape::widgets

#include "moc_surface.cpp"
