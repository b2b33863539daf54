// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/two_line_delegate.h"

#include "widgets/theme/theme.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace heteroscape::widgets {

void TwoLineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
    const auto& theme = Theme::instance();
    painter->save();
    if (index.data(kHeading).toBool()) {
        painter->setFont(theme.font(TextSize::Caption, QFont::DemiBold));
        painter->setPen(theme.color(ColorRole::Muted));
        painter->drawText(option.rect.adjusted(8, 4, -8, -2), Qt::AlignLeft | Qt::AlignBottom,
                          index.data().toString());
        painter->restore();
        return;
    }
    if (option.state.testFlag(QStyle::State_Selected))
        painter->fillRect(option.rect, theme.color(ColorRole::Selection));
    else if (option.state.testFlag(QStyle::State_MouseOver))
        painter->fillRect(option.rect, theme.color(ColorRole::Sunken));
    const auto first = theme.font(TextSize::Dense, QFont::Medium), second = theme.font(TextSize::Caption);
    const auto box = option.rect.adjusted(8, 4, -8, -4);
    const auto aside = index.data(kAside).toString();
    const int asideWidth = aside.isEmpty() ? 0 : QFontMetrics(second).horizontalAdvance(aside) + 6;
    painter->setFont(first);
    painter->setPen(theme.color(ColorRole::Text));
    painter->drawText(
        box, Qt::AlignLeft | Qt::AlignTop,
        QFontMetrics(first).elidedText(index.data().toString(), Qt::ElideRight, box.width() - asideWidth));
    painter->setFont(second);
    painter->setPen(theme.color(ColorRole::Muted));
    painter->drawText(box, Qt::AlignRight | Qt::AlignTop, aside);
    painter->drawText(
        box, Qt::AlignLeft | Qt::AlignBottom,
        QFontMetrics(second).elidedText(index.data(kSecondLine).toString(), Qt::ElideMiddle, box.width()));
    painter->restore();
}

void TwoLineDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                           const QModelIndex&) const {
    auto box = option.rect.adjusted(1, 1, -1, -1);
    box.setHeight(std::min(box.height(), std::max(26, editor->sizeHint().height())));
    editor->setGeometry(box);
}

QSize TwoLineDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
    const auto& theme = Theme::instance();
    if (index.data(kHeading).toBool())
        return {160, QFontMetrics(theme.font(TextSize::Caption)).height() + 12};
    return {160, QFontMetrics(theme.font(TextSize::Dense)).height() +
                     QFontMetrics(theme.font(TextSize::Caption)).height() + 10};
}

} // namespace heteroscape::widgets
