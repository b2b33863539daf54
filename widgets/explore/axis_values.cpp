// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/axis_values.h"

#include "engine/study/spaced_values.h"
#include "engine/units/number_text.h"

#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr std::size_t kShortestRun = 4; // fewer values are as short written out

/// The end (past the last) of the stretch from `from` that goes on as its first two values do.
std::size_t runEnd(const std::vector<double>& values, std::size_t from, bool doubling) {
    std::size_t end = std::min(from + 2, values.size());
    const double step = end == from + 2 ? engine::cleaned(values[from + 1] - values[from]) : 0.0;
    while (end < values.size() &&
           (doubling ? values[end] == 2 * values[end - 1]
                     : values[end] == engine::cleaned(values[from] + static_cast<double>(end - from) * step)))
        ++end;
    return end;
}

/// Whether the values lie evenly on a log scale, so that they read back the same whether or not the
/// parameter is whole.
bool isLogSpaced(const std::vector<double>& values) {
    return values.size() >= kShortestRun && values.front() > 0 && values.back() > 0 &&
           values == engine::spacedValues(values.front(), values.back(), values.size(), engine::Spacing::Log,
                                          false);
}

} // namespace

AxisText axisText(const engine::Axis& axis) {
    std::string text;
    const auto add = [&text](const std::string& piece) { text += (text.empty() ? "" : ",") + piece; };
    for (const auto& name : axis.names)
        add(name);
    const bool doubles = axis.values.size() > 1 && runEnd(axis.values, 0, true) == axis.values.size();
    if (axis.names.empty() && !doubles && isLogSpaced(axis.values))
        return {axis.path, engine::exactText(axis.values.front()) + ":" +
                               engine::exactText(axis.values.back()) + ":log" +
                               std::to_string(axis.values.size())};
    for (std::size_t i = 0; axis.names.empty() && i < axis.values.size();) {
        const auto& values = axis.values;
        const auto steps = runEnd(values, i, false);
        const bool mayDouble = i + 1 < values.size() && values[i + 1] == 2 * values[i];
        const auto doublings = mayDouble ? runEnd(values, i, true) : i;
        const auto end = std::max(steps, doublings);
        if (end - i < kShortestRun) {
            add(engine::exactText(values[i++]));
            continue;
        }
        auto run = engine::exactText(values[i]) + ":" + engine::exactText(values[end - 1]);
        if (end == doublings)
            run += ":*2";
        else if (const double step = engine::cleaned(values[i + 1] - values[i]); step != 1)
            run += ":" + engine::exactText(step);
        add(run);
        i = end;
    }
    return {axis.path, text};
}

} // namespace heteroscape::widgets
