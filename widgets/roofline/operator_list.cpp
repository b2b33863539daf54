// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/roofline/operator_list.h"

#include "widgets/theme/theme.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

/// The share as a bar on a track, in the hue of its device.
class BarDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const auto share = index.data(OperatorModel::ShareRole);
        if (!share.isValid())
            return;
        const auto& theme = Theme::instance();
        QRectF track(option.rect.left() + 4, option.rect.center().y() - 2, option.rect.width() - 12, 6);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme.color(ColorRole::Track));
        painter->drawRoundedRect(track, 3, 3);
        track.setWidth(std::max(3.0, track.width() * std::clamp(share.toDouble(), 0.0, 1.0)));
        painter->setBrush(
            theme.kind(static_cast<engine::DeviceKind>(index.data(OperatorModel::KindRole).toInt())));
        painter->drawRoundedRect(track, 3, 3);
        painter->restore();
    }
};

} // namespace

OperatorList::OperatorList(QWidget* parent) : QTreeView(parent), m_model(new OperatorModel(this)) {
    setModel(m_model);
    header()->setStretchLastSection(false);
    header()->setMinimumSectionSize(30);
    header()->setSectionResizeMode(OperatorModel::Name, QHeaderView::Stretch);
    for (const auto& [column, width] :
         {std::pair{OperatorModel::Share, 50}, {OperatorModel::Time, 64}, {OperatorModel::OfRoof, 60}}) {
        header()->setSectionResizeMode(column, QHeaderView::Fixed);
        header()->resizeSection(column, width);
    }
    setIndentation(0);
    setRootIsDecorated(false);
    setItemsExpandable(false);
    setUniformRowHeights(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setItemDelegateForColumn(OperatorModel::Share, new BarDelegate(this));
    setFont(Theme::instance().font(TextSize::Dense));
    setAccessibleName(tr("Operators"));
    connect(&Theme::instance(), &Theme::changed, viewport(), qOverload<>(&QWidget::update));
    connect(selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& current) {
        emit pointSelected(current.isValid() ? m_model->pointAt(current.row()) : -1);
    });
}

void OperatorList::setRooflines(const std::vector<engine::Roofline>& rooflines,
                                const std::set<std::size_t>& hidden) {
    m_model->setRooflines(rooflines, hidden);
    spanHeadings();
}

void OperatorList::setFilter(const QString& text) {
    m_model->setFilter(text.trimmed());
    spanHeadings();
}

void OperatorList::spanHeadings() {
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (m_model->isHeading(row))
            setFirstColumnSpanned(row, {}, true);
}

void OperatorList::selectPoint(int point) {
    setCurrentIndex(m_model->index(m_model->rowOf(point), 0)); // no row: nothing is current
}

} // namespace heteroscape::widgets
