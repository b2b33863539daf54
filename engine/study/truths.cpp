// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/truths.h"

namespace heteroscape::engine {

PointTruths::PointTruths(const Study& study) : m_setter(study), m_isList(study.isList) {
    for (const auto& axis : study.axes) {
        m_axes.push_back({axis.path, axis.values, axis.names});
        m_decides.push_back(axis.isChoice() || axis.path.find(".timing.") != std::string::npos);
    }
}

Truth PointTruths::at(std::size_t ordinal) {
    std::uint64_t key = 0;
    auto rest = ordinal;
    for (auto i = m_axes.size(); i-- > 0;) {
        const auto length = m_axes[i].values.size();
        const auto position = m_isList ? ordinal : rest % length;
        rest /= length;
        if (m_decides[i])
            key = key * (length + 1) + (m_axes[i].isChoice() ? m_axes[i].choice(position) : position);
    }
    const auto [found, isNew] = m_known.try_emplace(key);
    if (isNew)
        found->second = truthOf(m_setter.at(ordinal));
    return found->second;
}

Truths addTruths(StudyTable& table, const Study& study) {
    StudyColumn column{std::string(kTruthColumn), "Rests on", {}, false, {}};
    column.names.assign(truthNames().begin(), truthNames().end());
    column.values.resize(table.rows());
    PointTruths truths(study);
    const auto* feasible = table.find("feasible");
    Truths found;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const auto truth = truths.at(table.ordinal(row));
        column.values[row] = static_cast<double>(truth);
        if (!feasible || feasible->at(row) == 1.0)
            found.add(truth);
    }
    if (found.areMixed())
        table.columns.push_back(std::move(column));
    return found;
}

Limit measuredLimit() {
    return {std::string(kTruthColumn), static_cast<double>(Truth::Kernels)};
}

Limit likeForLike(const Truths& truths) {
    return truths.anyMeasured() ? measuredLimit()
                                : Limit{std::string(kTruthColumn), static_cast<double>(Truth::Modelled)};
}

} // namespace heteroscape::engine
