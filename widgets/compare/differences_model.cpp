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

} // namespace heteroscape::widgets
