// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/frontier/frontier_definition.h"
#include "widgets/explore/frontier/frontier_view.h"
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

/// Throughput against speed: a point each, in the order of `placed`, the fronts as lines, limits across. Any
/// thread.
Chart frontierChart(const std::shared_ptr<const FrontierView>& view);

/// The best rate of each system for users who get at least so much speed, at a few speeds. Any thread.
Chart bestAtSpeedChart(const FrontierView& view);

/// Of each system which layouts its front consists of, over speed: a bar where the layout is the best. Any
/// thread.
Chart layoutsOnFrontChart(const FrontierView& view);

} // namespace heteroscape::widgets
