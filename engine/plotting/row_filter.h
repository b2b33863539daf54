// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study/limit.h"
#include "engine/study/study_table.h"

#include <cstdint>
#include <span>
#include <vector>

namespace heteroscape::engine {

/// One flag a row of a study: 1 kept, 0 filtered out.
using RowMask = std::vector<std::uint8_t>;

/// The rows within all limits; a limit on a column that the table lacks keeps nothing. Without limits: all.
RowMask rowsWithin(const StudyTable& table, std::span<const Limit> limits);

std::size_t keptCount(const RowMask& mask);

} // namespace heteroscape::engine
