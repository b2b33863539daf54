// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/validation/measured_tables.h"

#include "engine/plotting/ticks.h"
#include "widgets/document/duration_text.h"
#include "widgets/glossary/glossary.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/theme.h"
#include "widgets/validation/filter_panel.h"
#include "widgets/validation/validation_words.h"

#include <QGuiApplication>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

QString wholeText(std::size_t rows) {
    return QString::fromStdString(engine::tickText(static_cast<double>(rows)));
}

QVariant alignmentOf(bool number) {
    return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (number ? Qt::AlignRight : Qt::AlignLeft)));
}

MeasuredKey keyOf(int column) {
    switch (column) {
    case MeasuredRowsModel::Device:
        return MeasuredKey::Device;
    case MeasuredRowsModel::Framework:
        return MeasuredKey::Framework;
    case MeasuredRowsModel::Precision:
        return MeasuredKey::Precision;
    case MeasuredRowsModel::Bound:
        return MeasuredKey::Bound;
    default:
        return MeasuredKey::Kind;
    }
}

/// What of each row comes before the same of others: the order of its words, or a number.
struct SortKey {
    QString text;
    double number = 0.0;
};

SortKey sortKeyOf(const ValidationView& view, std::size_t point, int column) {
    const auto place = view.rows[point];
    const auto& chunk = view.chunkOf(place);
    switch (column) {
    case MeasuredRowsModel::Measured:
        return {{}, chunk.measured[place.row]};
    case MeasuredRowsModel::Predicted:
        return {{}, chunk.predicted[place.row]};
    case MeasuredRowsModel::Error:
        return {{}, std::abs(view.error(place))};
    case MeasuredRowsModel::Place:
        return {chunk.source, static_cast<double>(chunk.lines[place.row])};
    default:
        return {measuredLabelText(keyOf(column), chunk.label(keyOf(column), place.row)), 0.0};
    }
}

} // namespace

void ErrorGroupModel::setView(std::shared_ptr<const ValidationView> view) {
    beginResetModel();
    m_view = std::move(view);
    endResetModel();
}

const std::string* ErrorGroupModel::labelAt(int row) const {
    const auto at = static_cast<std::size_t>(row);
    return m_view && row >= 0 && at < m_view->groups.size() ? &m_view->groups[at].label : nullptr;
}

int ErrorGroupModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_view || m_view->rows.empty() ? 0
                                                               : static_cast<int>(m_view->groups.size()) + 1;
}

int ErrorGroupModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QVariant ErrorGroupModel::data(const QModelIndex& index, int role) const {
    const auto at = static_cast<std::size_t>(index.row());
    const bool all = at == m_view->groups.size();
    const auto& group = all ? m_view->all : m_view->groups[at];
    const auto key = m_view->choice.group;
    if (role == Qt::TextAlignmentRole)
        return alignmentOf(index.column() != Name);
    if (role == Qt::ForegroundRole && (group.isFew() || index.column() == Roofline))
        return Theme::instance().color(ColorRole::Muted);
    if (role == Qt::FontRole && (all || index.column() == Median))
        return Theme::instance().font(TextSize::Dense, QFont::DemiBold);
    if (role == Qt::DecorationRole && index.column() == Name && !all && key == m_view->choice.colour) {
        const auto& labels = m_view->labels[static_cast<std::size_t>(key)];
        const auto found = std::find_if(labels.begin(), labels.end(),
                                        [&](const auto& one) { return one.first == group.label; });
        return markerIcon(measuredLook(key, group.label, static_cast<std::size_t>(found - labels.begin())),
                          qApp->devicePixelRatio());
    }
    if (role == Qt::ToolTipRole && group.isFew())
        return plainTip(tr("Fewer than %1 rows: too few").arg(ErrorGroup::kFew));
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case Name:
        return all ? tr("All") : measuredLabelText(key, group.label);
    case Rows:
        return group.isFew() ? tr("%1, too few").arg(wholeText(group.rows)) : wholeText(group.rows);
    case Median:
        return errorPercent(group.median);
    case P90:
        return errorPercent(group.p90);
    case Bias:
        return signedPercent(group.bias / 100.0);
    case Within10:
        return errorPercent(group.within10);
    default:
        return std::isnan(group.roofline) ? QStringLiteral("–") : errorPercent(group.roofline);
    }
}

QVariant ErrorGroupModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return alignmentOf(section != Name);
    if (role == Qt::WhatsThisRole)
        return Glossary::instance().whatsThis(QStringLiteral("Measured against predicted"));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return m_view ? measuredKeyText(m_view->choice.group) : QString();
    case Rows:
        return tr("Rows");
    case Median:
        return tr("Median");
    case P90:
        return tr("90 %");
    case Bias:
        return tr("Bias");
    case Within10:
        return tr("In ±10 %");
    default:
        return tr("Roofline");
    }
}

void MeasuredRowsModel::setView(std::shared_ptr<const ValidationView> view) {
    beginResetModel();
    m_view = std::move(view);
    m_rows.resize(m_view->rows.size());
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        m_rows[i] = i;
    if (m_rows.size() > kMost) { // the worst of them
        std::nth_element(m_rows.begin(), m_rows.begin() + static_cast<std::ptrdiff_t>(kMost), m_rows.end(),
                         [this](std::size_t a, std::size_t b) {
                             return std::abs(m_view->error(m_view->rows[a])) >
                                    std::abs(m_view->error(m_view->rows[b]));
                         });
        m_rows.resize(kMost);
    }
    order();
    endResetModel();
}

void MeasuredRowsModel::order() {
    std::vector<std::pair<SortKey, std::size_t>> keyed;
    for (const auto point : m_rows)
        keyed.emplace_back(sortKeyOf(*m_view, point, m_column), point);
    const bool falling = m_order == Qt::DescendingOrder;
    std::stable_sort(keyed.begin(), keyed.end(), [falling](const auto& left, const auto& right) {
        const auto& a = falling ? right.first : left.first;
        const auto& b = falling ? left.first : right.first;
        const int words = QString::compare(a.text, b.text);
        return words != 0 ? words < 0 : a.number < b.number;
    });
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        m_rows[i] = keyed[i].second;
}

void MeasuredRowsModel::sort(int column, Qt::SortOrder order_) {
    beginResetModel();
    m_column = column;
    m_order = order_;
    if (m_view)
        order();
    endResetModel();
}

int MeasuredRowsModel::rowOf(std::size_t point) const {
    const auto found = std::find(m_rows.begin(), m_rows.end(), point);
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int MeasuredRowsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int MeasuredRowsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QVariant MeasuredRowsModel::data(const QModelIndex& index, int role) const {
    const bool number = index.column() == Measured || index.column() == Predicted || index.column() == Error;
    if (role == Qt::TextAlignmentRole)
        return alignmentOf(number);
    if (role != Qt::DisplayRole)
        return {};
    const auto place = m_view->rows[m_rows[static_cast<std::size_t>(index.row())]];
    const auto& chunk = m_view->chunkOf(place);
    switch (index.column()) {
    case Measured:
        return durationText(chunk.measured[place.row]);
    case Predicted:
        return durationText(chunk.predicted[place.row]);
    case Error:
        return signedPercent(chunk.error(place.row));
    case Place:
        return tr("%1, line %2").arg(chunk.source, QString::number(chunk.lines[place.row]));
    default:
        return measuredLabelText(keyOf(index.column()), chunk.label(keyOf(index.column()), place.row));
    }
}

QVariant MeasuredRowsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::WhatsThisRole)
        return Glossary::instance().whatsThis(QStringLiteral("Measured against predicted"));
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Measured:
        return tr("Measured");
    case Predicted:
        return tr("Predicted");
    case Error:
        return tr("Error");
    case Place:
        return tr("Where");
    default:
        return measuredKeyText(keyOf(section));
    }
}

} // namespace heteroscape::widgets
