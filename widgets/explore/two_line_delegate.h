// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace heteroscape::widgets {

/// A list row of two lines: the item's text, and below it, small, kSecondLine; right of the first, kAside.
/// With kHeading it is one small line above the rows that belong together.
class TwoLineDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    static constexpr int kSecondLine = Qt::UserRole + 1;
    static constexpr int kAside = Qt::UserRole + 2;
    static constexpr int kHeading = Qt::UserRole + 3;

    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    /// Over the first line: it is the one that can be edited.
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace heteroscape::widgets
