// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/difference_name.h"

#include "engine/evaluation/scenario_differences.h"

#include <QStringList>

#include <algorithm>
#include <array>

namespace heteroscape::widgets {

namespace {

/// The first rows of what belongs together: where one differs, those after it follow from it.
constexpr std::array<std::string_view, 6> kNamingLabels{"Device",  "Type",     "Model",
                                                        "Runtime", "Switched", "Arrivals"};

bool isNaming(const engine::PropertyComparison& row) {
    return std::find(kNamingLabels.begin(), kNamingLabels.end(), row.label) != kNamingLabels.end();
}

std::vector<engine::PropertyComparison> decisiveRows(std::span<const engine::Scenario> designs) {
    std::vector<engine::PropertyComparison> rows;
    for (auto& row : engine::compareProperties(designs)) {
        const bool follows = std::any_of(rows.begin(), rows.end(), [&row](const auto& before) {
            return isNaming(before) && before.group == row.group && before.subject == row.subject;
        });
        if (row.differs && !follows)
            rows.push_back(std::move(row));
    }
    return rows;
}

/// "Batch" within a name, but "KV cache".
QString withinName(const std::string& label) {
    auto text = QString::fromStdString(label);
    if (text.size() > 1 && text[1].isLower())
        text[0] = text[0].toLower();
    return text;
}

QString partOf(const engine::PropertyComparison& row, std::size_t design) {
    const auto value = QString::fromStdString(row.values[design]);
    if (value.isEmpty())
        return {};
    if (row.group == engine::PropertyGroup::Techniques && isNaming(row))
        return QString::fromStdString(row.subject) + u' ' + value;
    if (isNaming(row))
        return value;
    return (withinName(row.label) + u' ' + value + u' ' + QString::fromStdString(row.unit)).trimmed();
}

} // namespace

std::vector<QString> differenceNames(std::span<const engine::Scenario> designs, std::size_t most) {
    std::vector<QString> texts(designs.size());
    const auto rows = decisiveRows(designs);
    if (rows.size() > most)
        return texts;
    for (std::size_t i = 0; i < designs.size(); ++i) {
        QStringList parts;
        for (const auto& row : rows)
            parts << partOf(row, i);
        parts.removeAll(QString());
        texts[i] = parts.join(QStringLiteral(", "));
    }
    return texts;
}

} // namespace heteroscape::widgets
