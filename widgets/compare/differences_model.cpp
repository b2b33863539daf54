// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/differences_model.h"

#include "engine/units/number_text.h"
#include "widgets/glossary/glossary.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/theme.h"

#include <algorithm>

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
    beginResetModel();
    m_all = std::move(rows);
    m_names = std::move(names);
    m_differences = static_cast<int>(
        std::count_if(m_all.begin(), m_all.end(), [](const auto& row) { return row.differs; }));
    arrange();
    endResetModel();
}

void DifferencesModel::setSameShown(bool shown) {
    beginResetModel();
    m_same = shown;
    arrange();
    endResetModel();
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

int DifferencesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int DifferencesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : FirstDesign + static_cast<int>(m_names.size());
}

QVariant DifferencesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const auto& theme = Theme::instance();
    const auto* row = at(index.row());
    if (!row) { // a heading
        const auto label = engine::propertyGroupLabel(m_rows[static_cast<std::size_t>(index.row())].group);
        if (role == Qt::DisplayRole && index.column() == Property)
            return QString::fromUtf8(label);
        if (role == Qt::FontRole)
            return theme.font(TextSize::Dense, QFont::DemiBold);
        if (role == Qt::BackgroundRole)
            return theme.color(ColorRole::Sunken);
        return {};
    }
    const auto column = static_cast<std::size_t>(std::max(0, index.column() - FirstDesign));
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == Property ? nameOf(*row) : shownValue(row->values[column], row->unit);
    case Qt::WhatsThisRole:
        return Glossary::instance().whatsThis(QString::fromStdString(row->label));
    case Qt::ToolTipRole:
        if (index.column() == Property)
            return plainTip(nameOf(*row));
        return row->values[column].empty()
                   ? tr("Not set")
                   : plainTip(QString::fromStdString(row->values[column] + ' ' + row->unit).trimmed());
    case Qt::ForegroundRole:
        return theme.color(!row->differs                                              ? ColorRole::Muted
                           : index.column() > Property && row->values[column].empty() ? ColorRole::Muted
                                                                                      : ColorRole::Text);
    case Qt::FontRole:
        return theme.font(TextSize::Dense,
                          index.column() > Property && row->differs ? QFont::Medium : QFont::Normal);
    default:
        return {};
    }
}

QVariant DifferencesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
    if (role == Qt::WhatsThisRole)
        return Glossary::instance().whatsThis(section == Property ? QStringLiteral("Property")
                                                                  : QStringLiteral("Reference"));
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const auto name =
        section == Property ? tr("Property") : m_names[static_cast<std::size_t>(section - FirstDesign)];
    return role == Qt::ToolTipRole ? plainTip(name) : name;
}

} // namespace heteroscape::widgets
