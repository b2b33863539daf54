// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/study_table.h"

#include "engine/units/number_text.h"

#include <algorithm>
#include <limits>

namespace heteroscape::engine {

double StudyColumn::at(std::size_t row) const {
    return values.empty() ? std::numeric_limits<double>::quiet_NaN() : values[row];
}

std::string StudyColumn::text(double value) const {
    if (!isChoice() || !(value >= 0 && value < static_cast<double>(names.size())))
        return exactText(value);
    return names[static_cast<std::size_t>(value)];
}

const StudyColumn* StudyTable::find(const std::string& name) const {
    const auto it =
        std::find_if(columns.begin(), columns.end(), [&](const auto& c) { return c.name == name; });
    return it == columns.end() ? nullptr : &*it;
}

} // namespace heteroscape::engine
