// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/scenario/scenario.h"
#include "engine/study/study.h"
#include "widgets/explore/default_axes.h"

#include <QFrame>
#include <QStyledItemDelegate>
#include <QWidget>
#include <optional>
#include <vector>

class QLineEdit;
class QListView;
class QPushButton;
class QSortFilterProxyModel;
class QStandardItemModel;
class QVBoxLayout;

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

/// A list of the parameters of a design, numbers, choices and switches, by what they belong to and searched
/// by typing: each with its name, unit or kind, and path.
class AxisPicker : public QFrame {
    Q_OBJECT
public:
    explicit AxisPicker(QWidget* parent);

    /// Opens below `anchor`; the paths in `taken` are left out.
    void open(const engine::Scenario& scenario, const engine::Catalog& catalog,
              const std::vector<std::string>& taken, const QWidget* anchor);

signals:
    void picked(const QString& path);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void pick(const QModelIndex& index);
    void step(int from, int by); ///< to the next row that can be picked

    QLineEdit* m_search;
    QListView* m_list;
    QStandardItemModel* m_model;
    QSortFilterProxyModel* m_filter;
};

class AxisRow;
class Document;

/// Parameters of the open design and what each takes, in rows that are added by typing what is meant. UI
/// thread.
class AxisList : public QWidget {
    Q_OBJECT
public:
    explicit AxisList(Document* document, QWidget* parent = nullptr);

    void setAxes(const std::vector<AxisText>& axes); ///< tells nobody
    std::vector<AxisText> axes() const;
    void add(const QString& path); ///< with values around the present one; what is there gets the focus

    /// Reads all rows against the open design; none while there is none or something in one is wrong.
    std::optional<std::vector<engine::Axis>> read();

    QPushButton* addButton() const { return m_add; } ///< to be put where the list is headed

signals:
    void edited(); ///< by the user

private:
    AxisRow* addRow(const AxisText& text);
    void remove(AxisRow* row);

    Document* m_document;
    AxisPicker* m_picker;
    QPushButton* m_add;
    QVBoxLayout* m_column;
    std::vector<AxisRow*> m_rows;
};

} // namespace heteroscape::widgets
