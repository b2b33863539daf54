// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"

#include <QString>

#include <string>
#include <vector>

namespace heteroscape::widgets {

/// Writes the figures and the data of a finished study into a folder, which is made when it is not there:
/// throughput.png, cost_efficiency.png, roofline.png (of the study's base; 178 mm, 200 dpi) and study.csv.
/// x is the first axis, the curves are the second; further axes stand at their first value. Needs a
/// QApplication (offscreen will do) and the theme installed. Returns the paths written; throws Error naming
/// the path.
std::vector<QString> writeReport(const engine::StudyTable& table, const engine::Scenario& base,
                                 const QString& folder);

} // namespace heteroscape::widgets
