// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/frontier/frontier_definition.h"
#include "widgets/plots/chart.h"

#include <vector>

namespace heteroscape::widgets {

/// A limit or goal that stands as a line across a frontier: those of what lies along. In the units of the
/// fields beside the plot: ms of a token, s, $.
struct FrontierLine {
    enum class Kind { Token, Goal, FirstToken, Price };
    Kind kind = Kind::Token;
    double value = 0.0;
};

/// In the order of frontierReferences().
std::vector<FrontierLine> frontierLines(const engine::FrontierShown& shown);
/// As they are drawn: hard ones hatched beyond, goals dashed; each can be dragged.
std::vector<ChartReference> frontierReferences(const engine::FrontierShown& shown);
/// What a line stands for at a place along the axis, to three digits.
double frontierLineValue(FrontierLine::Kind kind, double at);
void setFrontierLine(engine::FrontierShown& shown, const FrontierLine& line);

} // namespace heteroscape::widgets
