// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/frontier/frontier_detail.h"
#include "engine/units/number_text.h"
#include "widgets/plots/chart.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace heteroscape::widgets {

/// The points of a frontier, as far as they are computed.
struct FrontierRun {
    engine::FrontierDefinition definition;
    std::vector<engine::FrontierPoint> points;
    std::vector<engine::FrontierMeasured> measured;
    std::size_t done = 0; ///< of the points
    double seconds = 0.0; ///< that it took

    bool isDone() const { return done == points.size(); }
};

/// What of it is drawn, of the window alone.
struct FrontierDrawn {
    bool fronts = true; ///< the lines
    bool others = true; ///< points that are on no front
    bool errors = true; ///< bands of the expected error
    bool measured = false;
};

/// What is shown, and how.
struct FrontierChoice {
    engine::FrontierShown shown;
    FrontierDrawn drawn;

    double up(const engine::FrontierPoint& point) const { return engine::frontierValue(point, shown.axis); }
    double along(const engine::FrontierPoint& point) const {
        return engine::frontierAlong(point, shown.along);
    }
    bool isOff(const engine::FrontierSystem& system) const { return shown.off.contains(system.name); }
};

/// Of points of a run, by their ordinals.
using FrontierDetails = std::map<std::size_t, engine::FrontierDetail>;

/// A run as it is shown by a choice. Never changed once it is made.
struct FrontierView {
    std::shared_ptr<const FrontierRun> run;
    FrontierChoice choice;
    std::vector<std::size_t> placed; ///< points that have a place in the plot, in the order of the run
    /// Of each system the points on its front, by falling rate; empty for one that is not shown.
    std::vector<std::vector<std::size_t>> fronts;
    std::vector<std::size_t> rows;  ///< those of all systems, by falling rate
    std::vector<bool> onFront;      ///< parallel to the points
    std::size_t beyond = 0;         ///< points of shown systems that are beyond a limit
    std::size_t without = 0;        ///< that have no answer
    std::vector<std::string> whys;  ///< of each system why a point has no answer; empty: all have
    std::vector<std::size_t> sizes; ///< points of each system
    std::shared_ptr<const FrontierDetails> details; ///< of those on fronts that are looked at already
    engine::Truths truths;                          ///< of these, on the fronts that are shown
    engine::ShownUnit firstToken, perToken; ///< what times are read in: by all points that have an answer

    const engine::FrontierPoint& point(std::size_t i) const { return run->points[i]; }
    /// Null: it is not known.
    const engine::FrontierDetail* detail(std::size_t i) const {
        const auto found = details->find(i);
        return found == details->end() ? nullptr : &found->second;
    }
    /// What lies along is written in; without a name: in its own unit.
    engine::ShownUnit shownAlong() const {
        return choice.shown.along == engine::FrontierAlong::FirstToken ? firstToken : engine::ShownUnit();
    }
    double rateError(std::size_t i) const; ///< per cent either way; NaN: not known
    /// The median over the front of a system; NaN: nothing is known.
    double frontError(std::size_t system) const;
    /// Whether a point's design, or one of a system's front, is known to run without any loss.
    bool isIdeal(std::size_t i) const { return detail(i) && detail(i)->truth == engine::Truth::Ideal; }
    bool isIdealSystem(std::size_t system) const;
    /// The same where others are there too: they are drawn pale.
    bool isPale(std::size_t i) const { return truths.areIdealAmongOthers() && isIdeal(i); }
    bool isPaleSystem(std::size_t system) const {
        return truths.areIdealAmongOthers() && isIdealSystem(system);
    }
    const engine::FrontierSystem& systemOf(std::size_t i) const {
        return run->definition.systems[point(i).system];
    }
};

/// What of a definition its points depend on, as text.
std::string frontierComputedPart(engine::FrontierDefinition definition);

/// Any thread; costs a sort of the points.
std::shared_ptr<const FrontierView> frontierView(std::shared_ptr<const FrontierRun> run,
                                                 const FrontierChoice& choice,
                                                 std::shared_ptr<const FrontierDetails> details);

/// How a system is drawn, by its ordinal.
struct FrontierLook {
    ChartColor color;
    ChartMarker marker;
    ChartDash dash;
};
FrontierLook frontierLook(std::size_t system);

QString frontierAxisLabel(engine::FrontierAxis axis);    ///< "Throughput per device (tok/s)"
QString frontierAxisName(engine::FrontierAxis axis);     ///< "per device"
QString frontierAlongLabel(engine::FrontierAlong along); ///< "Speed for one user (tok/s)"
QString frontierErrorText(double percent);               ///< "\u00b114 %"; empty where it is not known
/// "vLLM, FP8, tp 4, 64 users"; of a design "8 x A100, 64 users".
QString frontierPointWords(const engine::FrontierPoint& point);

} // namespace heteroscape::widgets
