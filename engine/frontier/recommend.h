// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/field.h"
#include "engine/evaluation/evaluation.h"
#include "engine/evaluation/metric.h"
#include "engine/frontier/frontier.h"
#include "engine/scenario/runtime_choice.h"

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heteroscape::engine {

/// "What should I buy?": what is to be served to how many, and what a system must keep. Users send one
/// request after another and do not think in between; lengths are uniform from `ratio` of the longest.
struct RecommendQuestion {
    std::string model; ///< a preset's id
    double prompt = 1024, output = 1024;
    double ratio = 0.8; ///< 1: fixed lengths
    double users = 1;
    // Limits; 0: none
    double ttft = 0.0;     ///< s, p99 of the time to first token
    double tpot = 0.0;     ///< s, p99 of the time per output token over requests
    bool meanTpot = false; ///< its mean in place of p99
    double power = 0.0;    ///< W that the servers are rated for
    double price = 0.0;    ///< USD of all servers; not of what is rented
    double cost = 0.0;     ///< USD a token under this load
    bool byToken = false;  ///< the best is the cheapest a token; else the cheapest a year
    bool rented = false;   ///< by the hour; else bought
    // What may be taken; empty: all
    std::vector<std::string> vendors;  ///< of devices: "NVIDIA"
    std::vector<std::string> ready;    ///< ready servers: "hgx-h200"
    std::vector<std::string> software; ///< "vllm", "class-rule"
    std::vector<std::string> formats;  ///< of weights: "bf16", "fp8", "fp4", "int4"
    // The robust best
    double lengthError = 0.2; ///< 80 % of the mean lengths lie within 1 + it, either way; 0: they are known
    std::size_t draws = 200;  ///< 0: no robust best is looked for
    std::uint64_t seed = 1;
};

/// A number of a question, as it is asked for; one that is not required is 0 where there is none.
struct RecommendNumber {
    FieldSpec spec;
    double (*get)(const RecommendQuestion& question); ///< SI
    void (*set)(RecommendQuestion& question, double si);
};
std::span<const RecommendNumber> recommendNumbers();

/// What a question may name: ids, but vendors.
struct RecommendChoices {
    std::vector<std::string> vendors, ready, software, formats;
};
RecommendChoices recommendChoices(const GpuServers& servers);

/// What is told of each system.
enum class RecommendFigure { Year, Token, Price, FirstToken, PerToken, Throughput, Rated, Drawn };
inline constexpr std::size_t kRecommendFigures = 8;
struct RecommendFigureSpec {
    std::string_view key;         ///< "usd_per_year"
    std::string_view label;       ///< "Cost a year"
    std::string_view unit;        ///< "$"
    double scale;                 ///< SI = shown value x scale
    std::optional<Metric> metric; ///< none: the cost of a year
};
RecommendFigureSpec recommendFigureSpec(RecommendFigure figure, const RecommendQuestion& question);
/// "$104k", "1.32 s", "48.1 ms", "14.3 kW".
std::string recommendText(const RecommendQuestion& question, RecommendFigure figure, double value);

/// 80 % lie from `low` to `high`; both are the value where no band is known.
struct RecommendValue {
    double value = 0.0, low = 0.0, high = 0.0; ///< SI
    bool hasBand() const { return low < high; }
};

/// With its band, in the same unit: "$104k (77 to 141k)".
std::string recommendText(const RecommendQuestion& question, RecommendFigure figure,
                          const RecommendValue& value);

std::string recommendTimes(double ratio); ///< "2.4 times", "1.02 times"

struct RecommendedSystem {
    FrontierPoint point;
    std::string ready, name; ///< the ready server
    Scenario design;         ///< as it opens, and as it was simulated
    std::array<RecommendValue, kRecommendFigures> figures{};
    std::string tooClose; ///< why it and the first of its list are too close to call; empty: they are apart
    double kept = 0.0;    ///< share of the draws in which it keeps all limits

    const RecommendValue& of(RecommendFigure figure) const {
        return figures[static_cast<std::size_t>(figure)];
    }
    /// What systems are ranked by.
    double rank(const RecommendQuestion& question) const {
        return of(question.byToken ? RecommendFigure::Token : RecommendFigure::Year).value;
    }
};

/// "2 x HGX H200, 8 GPUs".
std::string recommendName(const RecommendedSystem& system);

/// Systems that rest on the same, ranked among themselves: those of two lists are no comparison.
struct RecommendList {
    Truth truth = Truth::Served;
    std::vector<RecommendedSystem> systems; ///< the best of its three best ready servers, the cheapest first
    std::string nearest; ///< ready server that comes nearest where none keeps the limits; empty: none runs
};

/// A ready server that is in no list; without an id what no ready server is made of.
struct RecommendPassed {
    std::string ready, name;
    std::string why;
    std::optional<Truth> truth; ///< of the list that it would be in; none: it was not asked for
    double miss = std::numeric_limits<double>::infinity(); ///< figure over limit; infinite: it has no figure
    bool isTried = false; ///< simulated; else further limits may be missed by more
};

/// What is uncertain.
enum class RecommendInput { FirstToken, PerToken, Prompt, Output, Price };
inline constexpr std::size_t kRecommendInputs = 5;
std::string_view recommendInputText(RecommendInput input); ///< "the time to first token", ...

/// Something uncertain that can be measured or asked for.
struct RecommendMeasurement {
    RecommendInput input = RecommendInput::FirstToken;
    std::string ready, name; ///< of which ready server; empty: lengths, which are those of all
    /// In how many draws the cheapest servers (which, and how many) that keep the limits are others where its
    /// error is 0.
    std::size_t changed = 0;
};

/// The cheapest system of a list that keeps its limits with a probability of 0.9.
struct RobustBest {
    std::optional<Truth> truth;                     ///< of the list; none: nothing was looked for
    std::optional<RecommendedSystem> system;        ///< none: no system does
    double needed = 0.0;                            ///< share of the draws that it had to keep
    double most = 0.0;                              ///< largest share of any that was tried
    std::vector<RecommendMeasurement> measurements; ///< what changes the answer most comes first; all that do
    std::size_t draws = 0;
};

struct Recommendation {
    RecommendQuestion question;
    FrontierDefinition definition;        ///< whose points were searched
    std::vector<RecommendList> lists;     ///< one for each truth that was asked for, what says most first
    std::vector<RecommendPassed> passed;  ///< in the order of the catalogue, all that compute
    RobustBest robust;                    ///< of the first list that has systems
    std::vector<FrontierPoint> simulated; ///< in the order of the grid
    std::size_t points = 0;               ///< of the grid
};

using RecommendProgress = std::function<void(std::size_t done, std::size_t all)>;

/// The cheapest systems that keep the limits, one of each ready server (presets/groups): software whose
/// kernels were measured there, or the rule of its class where none was; formats that the device runs;
/// layouts of tp, ep and dp that leave no device idle; any number of servers. By the cost of a year (price
/// over lifetime and electricity, or rent) it is of each ready server the fewest that keep the limits, of
/// these what is cheapest a token; by tokens what is cheapest a token. Every software, format and layout is
/// simulated from the fewest servers on that pass in steady state with a fifth to spare. What rests on unlike
/// evidence is ranked in lists of their own. Same answer for any number of threads. Throws Error naming the
/// field and what is allowed.
/// `progress`: ready servers that were looked at, of all that may be taken; by any thread, one at a time.
Recommendation recommend(const RecommendQuestion& question, const GpuServers& servers, int threads,
                         const std::stop_token& stop = {}, const RecommendProgress& progress = {});

/// The definition of what is searched, and of each ready server without a point why; last, of whom the
/// catalogue has devices and no ready server.
std::pair<FrontierDefinition, std::vector<RecommendPassed>>
recommendDefinition(const RecommendQuestion& question, const GpuServers& servers);

/// What systems of accelerators rest on under software of a FrontierSystem.
Truth truthUnder(const std::string& software, const Node& accelerators, const Catalog& catalog);

/// Share of the draws of a seed in which a system keeps its limits.
double keptShare(const RecommendQuestion& question, const RecommendedSystem& system, std::uint64_t seed,
                 std::size_t draws, int threads = 1, const std::stop_token& stop = {});

/// What a design comes to, simulated.
struct RecommendAnswer {
    std::string why; ///< why it has no figures; empty: it has
    Evaluation evaluation;
    std::array<double, kRecommendFigures> values{}; ///< SI, by RecommendFigure

    double of(RecommendFigure figure) const { return values[static_cast<std::size_t>(figure)]; }
};
RecommendAnswer recommendAnswer(const Scenario& design, const RecommendQuestion& question,
                                const std::stop_token& stop = {});

struct RecommendLimit {
    RecommendFigure figure = RecommendFigure::FirstToken;
    double most = 0.0;     ///< SI
    std::string_view name; ///< "TTFT p99"
};
std::vector<RecommendLimit> recommendLimits(const RecommendQuestion& question);
/// The limit that figures are beyond most, and their ratio; at most 1 where they keep all. Infinite where a
/// figure is not known; null where there is no limit.
std::pair<double, const RecommendLimit*> worstMiss(const std::vector<RecommendLimit>& limits,
                                                   const std::array<double, kRecommendFigures>& values);

/// Whether a system is worth trying, of a ready server: with so many of these and such an answer.
using RecommendWanted =
    std::function<bool(const std::string& ready, double count, const RecommendAnswer& answer)>;
/// Further systems among which the robust best is looked for: of a way to serve (software, format and layout
/// on a ready server) one with `more` steps of servers than the fewest that keep the limits. None where there
/// are no more, or where it is not wanted.
using RecommendWays = std::function<std::optional<RecommendedSystem>(std::size_t way, std::size_t more,
                                                                     const RecommendWanted& wanted)>;
/// The robust best of the systems, whose `kept` is set, and of `ways`, those of one ready server after each
/// other by recommendOrder(). Of each ready server it is the first by that order that keeps the limits, of
/// these the cheapest.
RobustBest robustBest(const RecommendQuestion& question, std::vector<RecommendedSystem>& systems,
                      std::size_t ways, const RecommendWays& further, int threads,
                      const std::stop_token& stop = {});
/// Of systems of one ready server the least is preferred: the fewest servers (of costs a token any number),
/// then what is cheapest a token.
std::pair<double, double> recommendOrder(const RecommendQuestion& question, double count, double token);

/// The points that were simulated as a study, with the limits of the question: a list whose points open as
/// designs.
Study recommendStudy(const Recommendation& recommendation, const GpuServers& servers);

/// What is said of a recommendation, in the same words wherever it is said: sentences.
struct RecommendWords {
    struct List {
        std::string head;               ///< what it rests on; ends in ":" where systems follow
        std::vector<std::string> close; ///< what is too close to call
    };
    std::string asked, terms, limits;
    std::vector<List> lists;                                 ///< parallel to those of the recommendation
    std::string robust, chosen, measure;                     ///< empty where no robust best was looked for
    std::vector<std::pair<std::string, std::string>> others; ///< why they fell out, and who
    std::string notes;
};
RecommendWords recommendWords(const Recommendation& found, const Catalog& catalog);

/// One line a system, list by list, with its bands, then the ready servers that fell out.
std::string recommendCsv(const Recommendation& recommendation);

} // namespace heteroscape::engine
