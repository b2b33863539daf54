// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/metrics_model.h"

#include "engine/evaluation/compare_designs.h"
#include "engine/units/number_text.h"
#include "widgets/compare/claim_text.h"
#include "widgets/document/metric_text.h"
#include "widgets/document/truth_text.h"
#include "widgets/glossary/glossary.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/theme.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heteroscape::widgets {

namespace {

/// Numbers for people; words as they are; what is not set as a dash.
QString shownValue(const std::string& value, const std::string& unit) {
    if (value.empty())
        return QStringLiteral("\u2013");
    const auto number = engine::parseNumber(value);
    const auto text = QString::fromStdString(number ? engine::plainText(*number) : value);
    return unit.empty() ? text : text + QChar(0x202f) + QString::fromStdString(unit);
}

} // namespace

void DifferencesModel::setProperties(std::vector<engine::PropertyComparison> rows,
                                     std::vector<QString> names) {
    remake([&] {
        m_all = std::move(rows);
        m_names = std::move(names);
        m_differences = static_cast<int>(
            std::count_if(m_all.begin(), m_all.end(), [](const auto& row) { return row.differs; }));
        arrange();
    });
}

void DifferencesModel::setSameShown(bool shown) {
    remake([&] {
        m_same = shown;
        arrange();
    });
}

void DifferencesModel::setNameWidth(int width) {
    m_nameWidth = width;
    emit headerDataChanged(Qt::Horizontal, 0, std::max(0, columns() - 1));
}

void DifferencesModel::arrange() {
    m_rows.clear();
    for (std::size_t i = 0; i < m_all.size(); ++i) {
        if (!m_same && !m_all[i].differs)
            continue;
        if (m_rows.empty() || m_rows.back().group != m_all[i].group)
            m_rows.push_back({m_all[i].group, {}});
        m_rows.push_back({m_all[i].group, i});
    }
}

const engine::PropertyComparison* DifferencesModel::at(int row) const {
    const auto& property = m_rows[static_cast<std::size_t>(row)].property;
    return property ? &m_all[*property] : nullptr;
}

QString DifferencesModel::nameOf(const engine::PropertyComparison& row) const {
    const auto label = QString::fromStdString(row.label);
    return row.subject.empty() ? label : QString::fromStdString(row.subject) + QStringLiteral(": ") + label;
}

QVariant DifferencesModel::cell(int at, int column, int role) const {
    const auto& theme = Theme::instance();
    const auto* row = this->at(at);
    if (!row) { // a heading
        const auto label = engine::propertyGroupLabel(m_rows[static_cast<std::size_t>(at)].group);
        if (role == Qt::DisplayRole && column == Property)
            return QString::fromUtf8(label);
        if (role == Qt::FontRole)
            return theme.font(TextSize::Dense, QFont::DemiBold);
        if (role == Qt::BackgroundRole)
            return theme.color(ColorRole::Sunken);
        return {};
    }
    const auto design = static_cast<std::size_t>(std::max(0, column - FirstDesign));
    switch (role) {
    case Qt::DisplayRole:
        return column == Property ? nameOf(*row) : shownValue(row->values[design], row->unit);
    case Qt::WhatsThisRole:
        return Glossary::instance().whatsThis(QString::fromStdString(row->label));
    case Qt::ToolTipRole:
        if (column == Property)
            return plainTip(nameOf(*row));
        return row->values[design].empty()
                   ? tr("Not set")
                   : plainTip(QString::fromStdString(row->values[design] + ' ' + row->unit).trimmed());
    case Qt::ForegroundRole:
        return theme.color(!row->differs                                      ? ColorRole::Muted
                           : column > Property && row->values[design].empty() ? ColorRole::Muted
                                                                              : ColorRole::Text);
    case Qt::FontRole:
        return theme.font(TextSize::Dense, column > Property && row->differs ? QFont::Medium : QFont::Normal);
    default:
        return {};
    }
}

QVariant DifferencesModel::head(int column, int role) const {
    if (role == Qt::TextAlignmentRole)
        return aligned(false);
    if (role == Qt::WhatsThisRole)
        return Glossary::instance().whatsThis(column == Property ? QStringLiteral("Property")
                                                                 : QStringLiteral("Reference"));
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const auto name =
        column == Property ? tr("Property") : m_names[static_cast<std::size_t>(column - FirstDesign)];
    return role == Qt::ToolTipRole ? plainTip(name) : cutName(name, m_nameWidth);
}

namespace {

constexpr int kIdealMark = 24; ///< px, with the room beside it

} // namespace

void MetricsModel::setDesigns(ComparedDesigns designs, std::size_t reference) {
    beginResetModel();
    m_designs = std::move(designs);
    m_truths.clear();
    for (const auto& design : m_designs)
        m_truths.push_back(engine::truthOf(design->input.scenario));
    m_reference = std::min(reference, m_designs.empty() ? 0 : m_designs.size() - 1);
    m_rows.clear();
    m_places.clear();
    for (const auto& spec : engine::metricSpecs())
        if (std::any_of(m_designs.begin(), m_designs.end(),
                        [&](const auto& design) { return std::isfinite(design->metric(spec)); }))
            m_rows.push_back(&spec);
    for (std::size_t i = 0; i < m_designs.size(); ++i) {
        m_places.push_back({i, false});
        if (i != m_reference)
            m_places.push_back({i, true});
    }
    endResetModel();
}

void MetricsModel::setNameWidth(int width) {
    m_nameWidth = width;
    emit headerDataChanged(Qt::Horizontal, 0, std::max(0, columns() - 1));
}

bool MetricsModel::isLike(std::size_t design) const {
    return m_truths[design] == m_truths[m_reference];
}

int MetricsModel::rowOf(engine::Metric metric) const {
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (m_rows[i]->metric == metric)
            return static_cast<int>(i);
    return -1;
}

int MetricsModel::valueColumn(std::size_t design) const {
    for (std::size_t i = 0; i < m_places.size(); ++i)
        if (m_places[i].design == design && !m_places[i].ratio)
            return FirstDesign + static_cast<int>(i);
    return -1;
}

int MetricsModel::ratioColumn(std::size_t design) const {
    return design == m_reference ? -1 : valueColumn(design) + 1;
}

std::optional<std::size_t> MetricsModel::designOf(int column) const {
    const auto place = static_cast<std::size_t>(column - FirstDesign);
    if (column < FirstDesign || place >= m_places.size())
        return {};
    return m_places[place].design;
}

MetricUnit MetricsModel::unitOf(const engine::MetricSpec& row) const {
    double decisive = std::numeric_limits<double>::quiet_NaN();
    for (const auto& design : m_designs)
        decisive = decidesUnit(row.key, decisive, std::fabs(design->metric(row)));
    return metricUnit(row, decisive);
}

QVariant MetricsModel::cell(int at, int column, int role) const {
    const auto& row = spec(at);
    if (role == Qt::WhatsThisRole)
        return Glossary::instance().whatsThis(QString::fromUtf8(row.key));
    if (column < FirstDesign) {
        switch (role) {
        case Qt::DisplayRole:
            return column == Name ? QString::fromUtf8(row.label) : unitOf(row).name;
        case Qt::ToolTipRole:
            return plainTip(QString::fromUtf8(row.about));
        case Qt::ForegroundRole:
            return Theme::instance().color(column == Name ? ColorRole::Text : ColorRole::Muted);
        default:
            return {};
        }
    }
    const auto [design, isRatio] = m_places[static_cast<std::size_t>(column - FirstDesign)];
    const double value = m_designs[design]->metric(row);
    auto ratio = isRatio ? ratioText(row, value, m_designs[m_reference]->metric(row)) : RatioText{};
    const bool noResult =
        isRatio && design != m_reference && isLike(design) &&
        engine::isNoResult(m_truths[design], row.metric, value / m_designs[m_reference]->metric(row));
    if (noResult)
        ratio = {tr("no result"), Standing::Same};
    switch (role) {
    case Qt::DisplayRole:
        return isRatio ? ratio.text : claimNumber(value * unitOf(row).factor);
    case Qt::ToolTipRole:
        if (!std::isfinite(value))
            return plainTip(tr("%1 has no such metric.").arg(m_designs[design]->input.name));
        return plainTip(
            isRatio
                ? tr("%1 times that of %2")
                      .arg(QString::fromStdString(
                               engine::exactText(value / m_designs[m_reference]->metric(row))),
                           m_designs[m_reference]->input.name)
                : tr("%1 %2\nE shows how it comes about.")
                          .arg(QString::fromStdString(engine::exactText(value * unitOf(row).factor)),
                               unitOf(row).name) +
                      (isUpperBound(m_designs[design]->input.scenario, row.metric) ? u'\n' + upperBoundText()
                                                                                   : QString()));
    case Qt::TextAlignmentRole:
        return aligned(!isRatio);
    case Qt::ForegroundRole:
        if (!isRatio) { // what is ideal stands pale behind others
            const bool pale = m_truths[design] == engine::Truth::Ideal &&
                              std::any_of(m_truths.begin(), m_truths.end(),
                                          [](auto truth) { return truth != engine::Truth::Ideal; });
            return Theme::instance().color(std::isfinite(value) && !pale ? ColorRole::Text
                                                                         : ColorRole::Muted);
        }
        if (!isLike(design)) // neither better nor worse
            return Theme::instance().color(ColorRole::Muted);
        return Theme::instance().color(ratio.standing == Standing::Better  ? ColorRole::Ok
                                       : ratio.standing == Standing::Worse ? ColorRole::Error
                                                                           : ColorRole::Muted);
    case Qt::FontRole:
        return Theme::instance().font(TextSize::Dense, isRatio ? QFont::Medium : QFont::Normal);
    default:
        return {};
    }
}

QVariant MetricsModel::head(int column, int role) const {
    const bool ratio =
        column >= FirstDesign && m_places[static_cast<std::size_t>(column - FirstDesign)].ratio;
    if (role == Qt::TextAlignmentRole)
        return aligned(column >= FirstDesign && !ratio);
    if (role == Qt::WhatsThisRole)
        return Glossary::instance().whatsThis(column == Name   ? QStringLiteral("Metric")
                                              : column == Unit ? QStringLiteral("Unit")
                                                               : QStringLiteral("Reference"));
    const bool ideal = column >= FirstDesign && !ratio && m_truths[*designOf(column)] == engine::Truth::Ideal;
    if (role == Qt::DecorationRole && ideal)
        return Theme::instance().icon(QStringLiteral("warning"), ColorRole::Warning);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    if (column < FirstDesign)
        return column == Name ? tr("Metric") : tr("Unit");
    const auto& name = m_designs[*designOf(column)]->input.name;
    if (role == Qt::ToolTipRole && ideal)
        return plainTip(name + u'\n' + upperBoundText() + u'\n' + upperBoundTip());
    return ratio ? role == Qt::ToolTipRole ? plainTip(tr("%1 (%2) against %3 (%4)")
                                                          .arg(name, truthWords(m_truths[*designOf(column)]),
                                                               m_designs[m_reference]->input.name,
                                                               truthWords(m_truths[m_reference])))
                                           : tr("Ratio")
           // Cut here: a header knows nothing of the padding that the style gives it.
           : role == Qt::ToolTipRole ? plainTip(name + u'\n' + truthWords(m_truths[*designOf(column)]))
                                     : cutName(name, m_nameWidth - (ideal ? kIdealMark : 0));
}

} // namespace heteroscape::widgets

#include "moc_metrics_model.cpp"
