// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/term.h"
#include "engine/evaluation/rates.h"
#include "engine/frontier/frontier_definition.h"
#include "engine/scenario/clip.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/servers/served_plan.h"
#include "engine/study/study.h"
#include "engine/validation/serving_row.h"

#include <limits>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// Rates of a run (silicon_serving.md, section 15). Ramp and drain are inside, as in the public
/// benchmark: ten waves underrate a steady server at many users.
struct FrontierRates {
    double outputPerDevice = 0.0; ///< output tok/s a device
    double totalPerDevice = 0.0;  ///< prompt and output tok/s a device
    double perUser = 0.0;         ///< tok/s: 1 / mean time per output token
    double perUserMedian = 0.0;   ///< 1 / its median
};

/// One server under one load.
struct FrontierPoint {
    static constexpr double kUnknownAmount = std::numeric_limits<double>::quiet_NaN();
    std::size_t system = 0;           ///< ordinal in the definition
    std::string layout;               ///< in words: "tp 4, ep 4"
    std::string server;               ///< "vllm"; empty: a design as the paper has it
    std::string precision;            ///< "fp8"
    double users = 1;                 ///< of one replica; of ready servers of all
    double devices = 1;               ///< accelerators of one replica; of ready servers of all
    double count = 0;                 ///< ready servers; 0: it has none
    double replicas = kUnknownAmount; ///< that the budget buys; NaN: no budget, or no price
    FrontierRates rates;
    double ttft = 0.0, ttftMedian = 0.0;                   ///< s
    double price = kUnknownAmount, watts = kUnknownAmount; ///< $, W of one replica; NaN: not known
    std::string why;                                       ///< why it has no answer; empty: it has
    ServedPlan plan;                                       ///< of a GPU server

    bool answered() const { return why.empty(); }
    static constexpr std::string_view kPending = "not computed yet";
};

/// Price of a server's devices, as far as the catalogue has it, of ready servers with what is around them;
/// power is not known before it is computed.
void setServedPrice(FrontierPoint& point, const Catalog& catalog);
/// Its replicas for a budget, $; 0: none.
inline void buyCopies(FrontierPoint& point, double budget) {
    point.replicas = budget > 0 ? replicasWithin(budget, point.price) : FrontierPoint::kUnknownAmount;
}

/// The design of a point: of a server with its GPUs, layout and settings as far as designs say them
/// (servedScenario()), else the system's with the definition's model, lengths and users. Throws Error.
Scenario frontierScenario(const FrontierDefinition& definition, const FrontierPoint& point,
                          const Catalog& catalog, const GpuServers& servers);

/// Output tok/s a device, a $, a W; prompt and output tok/s a device; output tok/s of all replicas. NaN where
/// price or power is not known, and where there is no copy.
double frontierValue(const FrontierPoint& point, FrontierAxis axis);
/// tok/s of one user, s, $; NaN where it is not known.
double frontierAlong(const FrontierPoint& point, FrontierAlong along);
inline int frontierBetter(FrontierAlong along) {
    return along == FrontierAlong::Speed ? 1 : -1;
}

inline constexpr std::size_t kMostFrontierPoints = 1'000'000;

/// All points of a definition without their answers (`why` says so), in its order: systems, servers,
/// precisions, layouts, counts of ready servers, users. Layouts whose weights leave no room for one request's
/// KV cache are left out, and those that would leave devices of a ready server idle.
/// Throws Error for what is not known, and for more points than are allowed.
std::vector<FrontierPoint> frontierGrid(const FrontierDefinition& definition, const Catalog& catalog,
                                        const GpuServers& servers);

/// The accelerators of a ready server. Throws Error (InvalidInput) naming the system where it has none, or
/// several sorts.
const Node& acceleratorsOf(const ReadyGroup& ready);
/// USD of so many of them with all that has a price; NaN where that of their devices is not known.
double priceOf(const ReadyGroup& ready, double count);
/// Why a ready server has no point in the grid: its model does not fit, or no software runs it there.
std::string whyNoPoint(const FrontierDefinition& definition, std::size_t system, const GpuServers& servers);
/// Users of each replica of a ready point, who are dealt out evenly.
double usersOfReplica(const FrontierPoint& point);

/// A frontier as a study: the list of its points in the order of the grid, each a design of its own, which
/// the axes "points.*" tell apart (isPointPath()), with its rates (rates.h) as columns. Its base keeps the
/// definition, of which the designs are made again when it is read from a store. Systems that are put away
/// are no part of it; limits are the study's. Throws Error as the grid, and where it has no point.
Study frontierStudy(const FrontierDefinition& definition, const Catalog& catalog, const GpuServers& servers);
/// The same of some points of its grid.
Study frontierStudy(const FrontierDefinition& definition, const std::vector<FrontierPoint>& points,
                    const Catalog& catalog, const GpuServers& servers);
/// Whether a study is one.
bool isFrontier(const Study& study);
/// The limits as a study has them.
std::vector<Limit> frontierLimits(const FrontierLimits& limits);
/// The columns of a study that stand for the axes of a frontier.
std::string frontierColumn(FrontierAxis axis, double budget);
std::string frontierColumn(FrontierAlong along);

/// All points with their answers: frontierStudy() evaluated in memory, systems that are put away with them.
std::vector<FrontierPoint> frontierPoints(const FrontierDefinition& definition, const Catalog& catalog,
                                          const GpuServers& servers, int threads, std::stop_token stop = {});

/// Points of a system that no other of it beats in both axes, by falling tok/s a device; only those within
/// the limits. Ordinals in `points`.
std::vector<std::size_t> frontierFront(std::span<const FrontierPoint> points, std::size_t system,
                                       FrontierAxis axis, const FrontierLimits& limits = {},
                                       FrontierAlong along = FrontierAlong::Speed);

/// A published measurement of a server like those of a frontier's system. Of the point: users, devices,
/// layout, speed of a user and time to first token as measured (means: no medians are published), and the
/// rate that N users get of those times in a closed loop, N O / (TTFT + (O - 1) TPOT) with O the mean output.
struct FrontierMeasured {
    std::string id;                    ///< of the row
    double prompt = 0.0, output = 0.0; ///< longest, tokens
    FrontierPoint point;
};

/// Rows of the shipped tables of this definition's model, of a system's GPU, servers and precisions, prefill
/// apart or not as there, with prompts and outputs at most a tenth longer or shorter and as many devices at
/// most. None that speculate, or that contradict themselves as their table marks it. In the order of systems,
/// then of the tables. Throws Error as reading does.
std::vector<FrontierMeasured> frontierMeasured(const FrontierDefinition& definition, const Catalog& catalog,
                                               const GpuServers& servers);

/// What is told of few points, as it takes some ms each: of the design that a point is opened as, in steady
/// state, what its tiles say. What waiting in queues makes of the errors is not in there.
struct FrontierDetail {
    ExpectedError rate;     ///< of tok/s, whatever they are held against
    ExpectedError speed;    ///< of a user's tok/s
    std::string bottleneck; ///< what limits the throughput: "HBM bandwidth"; empty: the design has no answer
    Truth truth = Truth::Modelled;
};

/// Of some answered points, in the order of `places`, by `threads`; what is left when `stop` is asked for is
/// empty.
std::vector<FrontierDetail> frontierDetails(std::span<const FrontierPoint> points,
                                            std::span<const std::size_t> places,
                                            const FrontierDefinition& definition, const Catalog& catalog,
                                            const GpuServers& servers, int threads,
                                            std::stop_token stop = {});

/// The kinds of truth of points that are looked at.
Truths truthsOf(const std::map<std::size_t, FrontierDetail>& details);

/// All points as CSV, one a line. `front`: which are on their system's front, parallel to the points.
/// `details`: of points, by their ordinals; those of others are left empty; where they rest on different
/// kinds of truth a last column says on which. `measured` stand below them, each with its id in the column
/// before.
std::string frontierCsv(const FrontierDefinition& definition, const std::vector<FrontierPoint>& points,
                        const std::vector<bool>& front,
                        const std::map<std::size_t, FrontierDetail>& details = {},
                        std::span<const FrontierMeasured> measured = {});

} // namespace heteroscape::engine
