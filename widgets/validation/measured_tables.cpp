// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/validation/measured_tables.h"

#include "engine/plotting/ticks.h"
#include "widgets/document/metric_text.h"
#include "widgets/glossary/glossary.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/theme.h"
#include "widgets/validation/filter_panel.h"
#include "widgets/validation/validation_words.h"

#include <QGuiApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

namespace heteroscape::widgets {

namespace {

QString wholeText(std::size_t rows) {
    return QString::fromStdString(engine::tickText(static_cast<double>(rows)));
}

/// What a column of words is about.
constexpr Entry<int, MeasuredKey> kKeysOfColumns[]{{MeasuredRowsModel::Device, MeasuredKey::Device},
                                                   {MeasuredRowsModel::Framework, MeasuredKey::Framework},
                                                   {MeasuredRowsModel::Precision, MeasuredKey::Precision},
                                                   {MeasuredRowsModel::Bound, MeasuredKey::Bound}};

MeasuredKey measuredKeyOf(int column) {
    return lookUp(kKeysOfColumns, column, MeasuredKey::Kind);
}

} // namespace

void ErrorGroupModel::setView(std::shared_ptr<const ValidationView> view) {
    remake([&] { m_view = std::move(view); });
}

const std::string* ErrorGroupModel::labelAt(int row) const {
    const auto at = static_cast<std::size_t>(row);
    return m_view && row >= 0 && at < m_view->groups.size() ? &m_view->groups[at].label : nullptr;
}

int ErrorGroupModel::rows() const {
    return !m_view || m_view->rows.empty() ? 0 : static_cast<int>(m_view->groups.size()) + 1;
}

QVariant ErrorGroupModel::cell(int row, int column, int role) const {
    const auto at = static_cast<std::size_t>(row);
    const bool all = at == m_view->groups.size();
    const auto& group = all ? m_view->all : m_view->groups[at];
    const auto key = m_view->choice.group;
    if (role == Qt::TextAlignmentRole)
        return aligned(column != Name);
    if (role == Qt::ForegroundRole && (group.isFew() || column == Roofline))
        return Theme::instance().color(ColorRole::Muted);
    if (role == Qt::FontRole && (all || column == Median))
        return Theme::instance().font(TextSize::Dense, QFont::DemiBold);
    if (role == Qt::DecorationRole && column == Name && !all && key == m_view->choice.colour) {
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
    switch (column) {
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

QVariant ErrorGroupModel::head(int column, int role) const {
    if (role == Qt::TextAlignmentRole)
        return aligned(column != Name);
    if (role == Qt::WhatsThisRole)
        return Glossary::instance().whatsThis(QStringLiteral("Measured against predicted"));
    if (role != Qt::DisplayRole)
        return {};
    const std::array<QString, kColumns> names{m_view ? measuredKeyText(m_view->choice.group) : QString(),
                                              tr("Rows"),
                                              tr("Median"),
                                              tr("90 %"),
                                              tr("Bias"),
                                              tr("In ±10 %"),
                                              tr("Roofline")};
    return names[static_cast<std::size_t>(column)];
}

void MeasuredRowsModel::setView(std::shared_ptr<const ValidationView> view) {
    remake([&] {
        m_view = std::move(view);
        std::vector<std::size_t> places(m_view->rows.size());
        std::iota(places.begin(), places.end(), std::size_t{0});
        if (places.size() > kMost) { // the worst of them
            std::nth_element(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(kMost),
                             places.end(), [this](std::size_t a, std::size_t b) {
                                 return std::abs(m_view->error(m_view->rows[a])) >
                                        std::abs(m_view->error(m_view->rows[b]));
                             });
            places.resize(kMost);
        }
        setPlaces(std::move(places));
    });
}

SortedRowsModel::Key MeasuredRowsModel::keyOf(std::size_t point, int column) const {
    const auto place = m_view->rows[point];
    const auto& chunk = m_view->chunkOf(place);
    switch (column) {
    case Measured:
        return {chunk.measured[place.row]};
    case Predicted:
        return {chunk.predicted[place.row]};
    case Error:
        return {std::abs(m_view->error(place))};
    case Place:
        return {0.0, chunk.source, static_cast<double>(chunk.lines[place.row])};
    default:
        return {0.0, measuredLabelText(measuredKeyOf(column), chunk.label(measuredKeyOf(column), place.row))};
    }
}

QVariant MeasuredRowsModel::cell(int row, int column, int role) const {
    const bool number = column == Measured || column == Predicted || column == Error;
    if (role == Qt::TextAlignmentRole)
        return aligned(number);
    if (role != Qt::DisplayRole)
        return {};
    const auto place = m_view->rows[pointAt(row)];
    const auto& chunk = m_view->chunkOf(place);
    switch (column) {
    case Measured:
        return durationText(chunk.measured[place.row]);
    case Predicted:
        return durationText(chunk.predicted[place.row]);
    case Error:
        return signedPercent(chunk.error(place.row));
    case Place:
        return tr("%1, line %2").arg(chunk.source, QString::number(chunk.lines[place.row]));
    default:
        return measuredLabelText(measuredKeyOf(column), chunk.label(measuredKeyOf(column), place.row));
    }
}

QVariant MeasuredRowsModel::head(int column, int role) const {
    if (role == Qt::WhatsThisRole)
        return Glossary::instance().whatsThis(QStringLiteral("Measured against predicted"));
    if (role != Qt::DisplayRole)
        return {};
    return column == Measured    ? tr("Measured")
           : column == Predicted ? tr("Predicted")
           : column == Error     ? tr("Error")
           : column == Place     ? tr("Where")
                                 : measuredKeyText(measuredKeyOf(column));
}

} // namespace heteroscape::widgets

#include "moc_measured_tables.cpp"
