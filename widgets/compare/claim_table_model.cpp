// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/claim_table_model.h"

#include "engine/exporters/claims_csv.h"
#include "engine/units/number_text.h"
#include "widgets/glossary/glossary.h"
#include "widgets/plots/chart.h"
#include "widgets/theme/plain_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace heteroscape::widgets {

namespace {

QString kindText(engine::ClaimKind kind) {
    const auto name = engine::claimKindName(kind);
    return QString::fromUtf8(name);
}

QString variantLabel(const engine::Paper& paper, const std::string& id) {
    for (const auto& variant : paper.variants)
        if (variant.id == id)
            return QString::fromStdString(variant.label);
    return QString::fromStdString(id);
}

/// "at 136 MB: 6 (ring allreduce 6); at 144 MB: 5 (ring allreduce 5)"
QString partsText(const engine::Paper& paper, const engine::ClaimResult& result) {
    QStringList texts;
    for (std::size_t i = 0; i < result.claim.parts.size(); ++i) {
        const auto& part = result.claim.parts[i];
        const auto value = [&](double number) {
            return withUnit(claimNumber(number, 4), QString::fromStdString(part.unit));
        };
        auto text =
            ClaimTableModel::tr("%1: %2").arg(QString::fromStdString(part.label), value(result.parts[i]));
        for (std::size_t v = 0; v < result.variants.size(); ++v)
            text +=
                ClaimTableModel::tr(" (%1 %2)")
                    .arg(variantLabel(paper, result.claim.variants[v]), value(result.variants[v].parts[i]));
        texts << text;
    }
    return texts.join(QStringLiteral("; "));
}

bool isNumber(int column) {
    return column == ClaimTableModel::PaperValue || column == ClaimTableModel::ModelValue ||
           column == ClaimTableModel::Error;
}

} // namespace

void ClaimTableModel::setComparisons(const std::vector<engine::PaperComparison>& comparisons) {
    beginResetModel();
    m_comparisons = comparisons;
    m_rows.clear();
    for (const auto& comparison : comparisons)
        for (const auto& result : comparison.results) {
            QStringList variants;
            for (std::size_t i = 0; i < result.variants.size(); ++i)
                variants << tr("%1 (%2)").arg(claimValueText(result.claim, result.variants[i].model),
                                              variantLabel(comparison.paper, result.claim.variants[i]));
            m_rows.push_back({comparison.paper.id, comparison.paper.name, result,
                              variants.join(QStringLiteral(", ")), partsText(comparison.paper, result)});
        }
    reorder();
    endResetModel();
}

void ClaimTableModel::setHidden(std::set<ClaimStatus> hidden) {
    beginResetModel();
    m_hidden = std::move(hidden);
    reorder();
    endResetModel();
}

void ClaimTableModel::sort(int column, Qt::SortOrder order) {
    beginResetModel();
    m_sortColumn = column;
    m_sortOrder = order;
    reorder();
    endResetModel();
}

void ClaimTableModel::reorder() {
    m_order.clear();
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (!m_hidden.contains(claimStatus(m_rows[i].result)))
            m_order.push_back(i);
    const auto number = [this](const Row& row) {
        const auto& result = row.result;
        const double value = m_sortColumn == PaperValue   ? result.claim.paper
                             : m_sortColumn == ModelValue ? result.model
                                                          : std::fabs(result.error);
        return std::isnan(value) ? -1e308 : value;
    };
    const auto less = [&](std::size_t a, std::size_t b) {
        if (isNumber(m_sortColumn))
            return number(m_rows[a]) < number(m_rows[b]);
        return text(m_rows[a], m_sortColumn).localeAwareCompare(text(m_rows[b], m_sortColumn)) < 0;
    };
    std::stable_sort(m_order.begin(), m_order.end(), [&](std::size_t a, std::size_t b) {
        return m_sortOrder == Qt::AscendingOrder ? less(a, b) : less(b, a);
    });
}

int ClaimTableModel::find(const std::string& paperId, const std::string& claim) const {
    for (std::size_t i = 0; i < m_order.size(); ++i)
        if (m_rows[m_order[i]].paperId == paperId && m_rows[m_order[i]].result.claim.id == claim)
            return static_cast<int>(i);
    return -1;
}

int ClaimTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int ClaimTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QString ClaimTableModel::text(const Row& row, int column) const {
    const auto& claim = row.result.claim;
    switch (column) {
    case Status:
        return claimStatusText(claimStatus(row.result));
    case Paper:
        return QString::fromStdString(row.paper);
    case Claim:
        return QString::fromStdString(claim.quantity);
    case Condition:
        return QString::fromStdString(claim.condition);
    case PaperValue:
        return paperValueText(claim);
    case ModelValue:
        return modelValueText(row.result);
    case Error:
        return errorText(row.result.error);
    case Variants:
        return row.variants;
    case Kind:
        return kindText(claim.kind);
    case Where:
        return QString::fromStdString(claim.where);
    default:
        return QString::fromStdString(claim.note);
    }
}

QVariant ClaimTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const auto& row = at(index.row());
    const auto status = claimStatus(row.result);
    const auto& theme = Theme::instance();
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case Qt::ToolTipRole:
        if (index.column() == Status)
            return plainTip(claimStatusAbout(status));
        if (index.column() == ModelValue)
            return QString::fromStdString(engine::exactText(row.result.model));
        return plainTip(text(row, index.column()));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment((isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    case Qt::ForegroundRole:
        if (index.column() == Status || (index.column() == Error && status == ClaimStatus::Misfit))
            return theme.color(claimStatusRole(status));
        return {};
    case Qt::FontRole:
        if (index.column() == Error || index.column() == Status)
            return theme.font(TextSize::Dense, QFont::Medium);
        return {};
    case Qt::DecorationRole:
        if (index.column() == Status)
            return claimStatusIcon(status);
        return {};
    default:
        return {};
    }
}

QVariant ClaimTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    if (role == Qt::WhatsThisRole)
        return Glossary::instance().whatsThis(QStringLiteral("Claim"));
    if (role != Qt::DisplayRole)
        return {};
    const std::array<QString, kColumns> names{
        tr("Status"), tr("Paper"),     tr("Claim"), tr("Condition"), tr("Paper value"), tr("Model value"),
        tr("Error"),  tr("Otherwise"), tr("Kind"),  tr("Where"),     tr("Why")};
    // The arrow is part of the words: Qt's own would lie over right-aligned ones.
    const auto arrow = section != m_sortColumn             ? QString()
                       : m_sortOrder == Qt::AscendingOrder ? QStringLiteral(" ▴")
                                                           : QStringLiteral(" ▾");
    return names[static_cast<std::size_t>(section)] + arrow;
}

QString ClaimTableModel::csv() const {
    return QString::fromStdString(engine::claimsCsv(m_comparisons));
}

} // namespace heteroscape::widgets
