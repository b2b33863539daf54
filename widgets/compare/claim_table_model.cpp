// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/claim_table_model.h"

#include "engine/exporters/study_csv.h"
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
    remake([&] {
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
        list();
    });
}

void ClaimTableModel::setHidden(std::set<ClaimStatus> hidden) {
    remake([&] {
        m_hidden = std::move(hidden);
        list();
    });
}

void ClaimTableModel::list() {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (!m_hidden.contains(claimStatus(m_rows[i].result)))
            places.push_back(i);
    setPlaces(std::move(places));
}

SortedRowsModel::Key ClaimTableModel::keyOf(std::size_t place, int column) const {
    const auto& row = m_rows[place];
    if (!isNumber(column))
        return {0.0, text(row, column)};
    const double value = column == PaperValue   ? row.result.claim.paper
                         : column == ModelValue ? row.result.model
                                                : std::fabs(row.result.error);
    return {std::isnan(value) ? -1e308 : value};
}

int ClaimTableModel::find(const std::string& paperId, const std::string& claim) const {
    for (int row = 0; row < rows(); ++row)
        if (at(row).paperId == paperId && at(row).result.claim.id == claim)
            return row;
    return -1;
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
        return QString::fromStdString(row.result.problem.empty() ? claim.note : row.result.problem);
    }
}

QVariant ClaimTableModel::cell(int line, int column, int role) const {
    const auto& row = at(line);
    const auto status = claimStatus(row.result);
    const auto& theme = Theme::instance();
    switch (role) {
    case Qt::DisplayRole:
        return text(row, column);
    case Qt::ToolTipRole:
        if (column == Status)
            return plainTip(claimStatusAbout(status));
        if (column == ModelValue)
            return QString::fromStdString(engine::exactText(row.result.model));
        return plainTip(text(row, column));
    case Qt::TextAlignmentRole:
        return aligned(isNumber(column));
    case Qt::ForegroundRole:
        if (column == Status || (column == Error && status == ClaimStatus::Misfit))
            return theme.color(claimStatusRole(status));
        return {};
    case Qt::FontRole:
        if (column == Error || column == Status)
            return theme.font(TextSize::Dense, QFont::Medium);
        return {};
    case Qt::DecorationRole:
        if (column == Status)
            return claimStatusIcon(status);
        return {};
    default:
        return {};
    }
}

QVariant ClaimTableModel::head(int column, int role) const {
    if (role == Qt::TextAlignmentRole)
        return aligned(isNumber(column));
    if (role == Qt::WhatsThisRole)
        return Glossary::instance().whatsThis(QStringLiteral("Claim"));
    if (role != Qt::DisplayRole)
        return {};
    const std::array<QString, kColumns> names{
        tr("Status"), tr("Paper"),     tr("Claim"), tr("Condition"), tr("Paper value"), tr("Model value"),
        tr("Error"),  tr("Otherwise"), tr("Kind"),  tr("Where"),     tr("Why")};
    return withArrow(names[static_cast<std::size_t>(column)], column);
}

QString ClaimTableModel::csv() const {
    return QString::fromStdString(engine::claimsCsv(m_comparisons));
}

} // namespace heteroscape::widgets

#include "moc_claim_table_model.cpp"
