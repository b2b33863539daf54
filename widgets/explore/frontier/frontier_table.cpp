// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/frontier/frontier_table.h"

#include "engine/units/number_text.h"
#include "widgets/theme/plain_text.h"
#include "widgets/validation/filter_panel.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

void FrontierTableModel::setView(std::shared_ptr<const FrontierView> view) {
    beginResetModel();
    m_view = std::move(view);
    m_rows = m_view->rows;
    order();
    endResetModel();
}

void FrontierTableModel::sort(int column, Qt::SortOrder order) {
    m_column = column;
    m_order = order;
    beginResetModel();
    this->order();
    endResetModel();
}

void FrontierTableModel::order() {
    std::stable_sort(m_rows.begin(), m_rows.end(), [this](std::size_t one, std::size_t other) {
        if (m_order == Qt::DescendingOrder)
            std::swap(one, other);
        const double a = number(one, m_column), b = number(other, m_column);
        if (std::isnan(a) && std::isnan(b))
            return words(one, m_column) < words(other, m_column);
        return std::isnan(a) || a < b;
    });
}

int FrontierTableModel::rowOf(std::size_t point) const {
    const auto found = std::find(m_rows.begin(), m_rows.end(), point);
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int FrontierTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int FrontierTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

double FrontierTableModel::number(std::size_t place, int column) const {
    const auto& point = m_view->point(place);
    switch (column) {
    case Users:
        return point.users;
    case Rate:
        return m_view->choice.up(point);
    case Speed:
        return point.rates.perUser;
    case TimePerToken:
        return 1e3 / point.rates.perUser;
    case FirstToken:
        return point.ttftMedian;
    case Devices:
        return point.devices;
    case Price:
        return point.price;
    default:
        return std::nan("");
    }
}

QString FrontierTableModel::words(std::size_t place, int column) const {
    const auto& point = m_view->point(place);
    switch (column) {
    case System:
        return QString::fromStdString(m_view->systemOf(place).name);
    case Layout:
        return QString::fromStdString(point.layout);
    case Server:
        return point.server.empty()
                   ? tr("one batch")
                   : QStringLiteral("%1, %2").arg(QString::fromStdString(point.server),
                                                  QString::fromStdString(point.precision).toUpper());
    default:
        return QStringLiteral("\u2013");
    }
}

QVariant FrontierTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const auto place = pointAt(index.row());
    const double value = number(place, index.column());
    switch (role) {
    case Qt::DisplayRole:
        if (std::isnan(value))
            return words(place, index.column());
        return QString::fromStdString(index.column() == Users || index.column() == Devices
                                          ? engine::exactText(value)
                                          : engine::shortText(value, 4));
    case Qt::ToolTipRole:
        return plainTip(std::isnan(value) ? words(place, index.column())
                                          : QString::fromStdString(engine::exactText(value)));
    case Qt::TextAlignmentRole:
        return static_cast<int>(Qt::AlignVCenter | (index.column() < Users ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::DecorationRole:
        if (index.column() == System) {
            const auto look = frontierLook(m_view->point(place).system);
            return markerIcon({look.color, look.marker}, 2);
        }
        return {};
    default:
        return {};
    }
}

QString FrontierTableModel::heading(int column) const {
    switch (column) {
    case System:
        return tr("System");
    case Layout:
        return tr("Layout");
    case Server:
        return tr("Server");
    case Users:
        return tr("Users");
    case Rate:
        return m_view ? frontierAxisLabel(m_view->choice.axis) : QString();
    case Speed:
        return tr("Per user (tok/s)");
    case TimePerToken:
        return tr("Time per token (ms)");
    case FirstToken:
        return tr("First token (s)");
    case Devices:
        return tr("Devices");
    default:
        return tr("Price ($)");
    }
}

QString FrontierTableModel::exact(int row, int column) const {
    const double value = number(pointAt(row), column);
    return column < Users      ? words(pointAt(row), column)
           : std::isnan(value) ? QString()
                               : QString::fromStdString(engine::exactText(value));
}

QVariant FrontierTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignVCenter | (section < Users ? Qt::AlignLeft : Qt::AlignRight));
    if (role != Qt::DisplayRole)
        return {};
    if (section != m_column)
        return heading(section);
    return heading(section) +
           (m_order == Qt::DescendingOrder ? QStringLiteral(" \u25be") : QStringLiteral(" \u25b4"));
}

} // namespace heteroscape::widgets
