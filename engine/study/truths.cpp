// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/truths.h"

namespace heteroscape::engine {

PointTruths::PointTruths(const Study& study) : m_setter(study), m_isList(study.isList) {
    for (const auto& axis : study.axes) {
        m_axes.push_back({axis.path, axis.values, axis.names});
        // Of designs of their own system, server and weights do: each need not be made.
        const bool onlyNames = axis.path == kPointDesign || axis.path == kPointLayout;
        m_decides.push_back((axis.isChoice() && !onlyNames) ||
                            axis.path.find(".timing.") != std::string::npos);
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

Truths PointTruths::all() {
    Truths found;
    if (m_isList) {
        for (std::size_t i = 0; i < m_axes.front().values.size(); ++i)
            found.add(at(i));
        return found;
    }
    std::vector<std::size_t> ordinals{0}; // every combination of what decides, the rest at its first value
    std::size_t stride = 1;
    for (auto i = m_axes.size(); i-- > 0;) {
        const auto length = m_axes[i].values.size(), before = ordinals.size();
        for (std::size_t position = 1; m_decides[i] && position < length; ++position)
            for (std::size_t one = 0; one < before; ++one)
                ordinals.push_back(ordinals[one] + position * stride);
        stride *= length;
    }
    for (const auto ordinal : ordinals)
        found.add(at(ordinal));
    return found;
}

Truths addTruths(StudyTable& table, const Study& study, bool orIdeal) {
    PointTruths truths(study);
    const auto found = truths.all();
    if (!found.areMixed() && !(orIdeal && found.has(Truth::Ideal)))
        return found;
    StudyColumn column{std::string(kTruthColumn), "Rests on", {}, false, {}};
    column.names.assign(truthNames().begin(), truthNames().end());
    column.values.reserve(table.rows());
    for (std::size_t row = 0; row < table.rows(); ++row)
        column.values.push_back(static_cast<double>(truths.at(table.ordinal(row))));
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
