// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/frontier/frontier_table.h"

#include "engine/units/number_text.h"
#include "widgets/document/metric_text.h"
#include "widgets/document/truth_text.h"
#include "widgets/theme/plain_text.h"
#include "widgets/validation/filter_panel.h"

#include <array>
#include <cmath>
#include <limits>

namespace heteroscape::widgets {

namespace {

bool isWords(int column) {
    return column < FrontierTableModel::Users || column >= FrontierTableModel::Bottleneck;
}

} // namespace

void FrontierTableModel::setView(std::shared_ptr<const FrontierView> view) {
    remake([&] {
        m_view = std::move(view);
        setPlaces(m_view->rows);
    });
}

SortedRowsModel::Key FrontierTableModel::keyOf(std::size_t point, int column) const {
    const double value = number(point, column);
    if (std::isnan(value)) // words, or not known: before all numbers
        return {-std::numeric_limits<double>::infinity(), words(point, column)};
    return {value};
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
    case Error:
        return m_view->rateError(place);
    default:
        return std::nan("");
    }
}

engine::ShownUnit FrontierTableModel::shown(int column) const {
    switch (column) {
    case TimePerToken:
        return {m_view->perToken.name, m_view->perToken.factor / 1e3}; // as data it is in ms
    case FirstToken:
        return m_view->firstToken;
    default:
        return {};
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
    case Truth:
        return m_view->detail(place) ? truthWords(m_view->detail(place)->truth) : QStringLiteral("\u2013");
    case Bottleneck:
        if (const auto* detail = m_view->detail(place); detail && !detail->bottleneck.empty())
            return QString::fromStdString(detail->bottleneck);
        [[fallthrough]];
    default:
        return QStringLiteral("\u2013");
    }
}

QVariant FrontierTableModel::cell(int row, int column, int role) const {
    const auto place = pointAt(row);
    const double value = engine::cleaned(number(place, column) * shown(column).factor);
    switch (role) {
    case Qt::DisplayRole:
        if (std::isnan(value))
            return words(place, column);
        if (column == Error)
            return frontierErrorText(value);
        return QString::fromStdString(column == Users || column == Devices ? engine::exactText(value)
                                                                           : engine::shortText(value, 4));
    case Qt::ToolTipRole:
        return plainTip(std::isnan(value) ? words(place, column)
                                          : QString::fromStdString(engine::exactText(value)));
    case Qt::TextAlignmentRole:
        return aligned(!isWords(column));
    case Qt::ForegroundRole:
        return m_view->isPale(place) ? QVariant(Theme::instance().color(ColorRole::Muted)) : QVariant();
    case Qt::DecorationRole:
        if (column == System) {
            const auto look = frontierLook(m_view->point(place).system);
            return markerIcon({m_view->isPale(place) ? ChartColor::role(kIdealInk) : look.color, look.marker},
                              2);
        }
        return {};
    default:
        return {};
    }
}

QString FrontierTableModel::heading(int column) const {
    const std::array<QString, kColumns> names{tr("System"),
                                              tr("Layout"),
                                              tr("Server"),
                                              tr("Users"),
                                              m_view ? frontierAxisLabel(m_view->choice.shown.axis)
                                                     : QString(),
                                              tr("Per user (tok/s)"),
                                              tr("Time per token (ms)"),
                                              tr("First token (s)"),
                                              tr("Devices"),
                                              tr("Price ($)"),
                                              tr("Expected error"),
                                              tr("Bottleneck"),
                                              tr("Rests on")};
    return names[static_cast<std::size_t>(column)];
}

QString FrontierTableModel::exact(int row, int column) const {
    const double value = number(pointAt(row), column);
    return isWords(column)     ? words(pointAt(row), column)
           : std::isnan(value) ? QString()
                               : QString::fromStdString(engine::exactText(value));
}

QVariant FrontierTableModel::head(int column, int role) const {
    if (role == Qt::TextAlignmentRole)
        return aligned(!isWords(column));
    if (role != Qt::DisplayRole)
        return {};
    const auto unit = m_view ? shown(column) : engine::ShownUnit();
    return withArrow(shownLabel(heading(column), unit), column);
}

} // namespace heteroscape::widgets

#include "moc_frontier_table.cpp"
