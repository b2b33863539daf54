// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/operator_groups.h"

#include "widgets/inspector/value_text.h"
#include "widgets/theme/theme.h"

#include <QCoreApplication>

#include <array>

namespace heteroscape::widgets {

namespace {

struct OperatorGroupsText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::OperatorGroups)
};

enum Group { AllReduce, Projections, Attention, Ffn, Head, Rest, GroupCount };

Group groupOf(const engine::OperatorRow& row) {
    const std::string_view key = row.key;
    if (row.collectiveBytes > 0.0)
        return AllReduce;
    if (key == "lm_head")
        return Head;
    if (key.ends_with("_norm") || key.ends_with("_residual") || row.segment == engine::Segment::Head)
        return Rest;
    if (row.segment == engine::Segment::Ffn)
        return Ffn;
    if (key == "scores" || key == "softmax" || key == "values" || key == "attention" || key == "index" ||
        key == "convolution" || key.ends_with("_cache"))
        return Attention;
    return key.ends_with("_rope") || key == "positions" ? Rest : Projections;
}

QString labelOf(int group, bool allReducesOnly) {
    switch (group) {
    case AllReduce:
        return allReducesOnly ? OperatorGroupsText::tr("Allreduce") : OperatorGroupsText::tr("Collectives");
    case Projections:
        return OperatorGroupsText::tr("Attention projections");
    case Attention:
        return OperatorGroupsText::tr("Attention and KV cache");
    case Ffn:
        return OperatorGroupsText::tr("Feed-forward network");
    case Head:
        return OperatorGroupsText::tr("LM head");
    default:
        return OperatorGroupsText::tr("Norms, positions, residuals");
    }
}

} // namespace

std::vector<StackPart> operatorGroups(const engine::StepBreakdown& step) {
    std::array<double, GroupCount> seconds{};
    bool allReducesOnly = true;
    for (const auto& row : step.operators) {
        const auto group = groupOf(row);
        seconds[static_cast<std::size_t>(group)] += row.seconds;
        allReducesOnly = allReducesOnly && (group != AllReduce || row.key.ends_with("_allreduce"));
    }
    // Series that differ most beside each other; the rest is grey.
    static constexpr std::array<int, GroupCount> kSeries{1, 0, 3, 2, 4, 7};
    std::vector<StackPart> parts;
    for (int group = 0; group < GroupCount; ++group) {
        const auto at = static_cast<std::size_t>(group);
        if (seconds[at] > 0.0)
            parts.push_back({labelOf(group, allReducesOnly), secondsText(seconds[at]),
                             seconds[at] / step.seconds, Theme::instance().series(kSeries[at])});
    }
    return parts;
}

} // namespace heteroscape::widgets
