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

Group groupOf(std::string_view key) {
    if (key.ends_with("_allreduce"))
        return AllReduce;
    if (key == "gate_proj" || key == "up_proj" || key == "down_proj" || key == "silu_mul")
        return Ffn;
    if (key.ends_with("_proj"))
        return Projections;
    if (key == "scores" || key == "softmax" || key == "values" || key == "attention" ||
        key.ends_with("_cache"))
        return Attention;
    return key == "lm_head" ? Head : Rest;
}

QString labelOf(int group) {
    switch (group) {
    case AllReduce:
        return OperatorGroupsText::tr("Allreduce");
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
    for (const auto& row : step.operators)
        seconds[static_cast<std::size_t>(groupOf(row.key))] += row.seconds;
    // Series that differ most beside each other; the rest is grey.
    static constexpr std::array<int, GroupCount> kSeries{1, 0, 3, 2, 4, 7};
    std::vector<StackPart> parts;
    for (int group = 0; group < GroupCount; ++group) {
        const auto at = static_cast<std::size_t>(group);
        if (seconds[at] > 0.0)
            parts.push_back({labelOf(group), secondsText(seconds[at]), seconds[at] / step.seconds,
                             Theme::instance().series(kSeries[at])});
    }
    return parts;
}

} // namespace heteroscape::widgets
