// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/scenario/scenario.h"

#include <QFrame>

class QLineEdit;
class QListView;
class QSortFilterProxyModel;
class QStandardItemModel;

namespace heteroscape::widgets {

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

} // namespace heteroscape::widgets
