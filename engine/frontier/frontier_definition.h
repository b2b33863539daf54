// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/catalog/catalog.h"
#include "engine/scenario/scenario.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heteroscape::engine {

struct FrontierPoint;

/// Workers that prefill apart from those that decode. Every count of both is tried, in every layout of their
/// GPUs, as far as the system has so many.
struct FrontierApart {
    std::vector<double> prefillWorkers, decodeWorkers; ///< how many
    std::vector<double> prefillDevices, decodeDevices; ///< GPUs of one worker; none given: 1, 2, 4, ...
};

/// A system on a frontier: GPUs under servers, or a design.
struct FrontierSystem {
    std::string name;
    // GPUs
    std::string gpu;                     ///< of presets/measured/recipes.json: "h100_sxm"; empty: a design
    double devices = 8;                  ///< layouts take 1 to so many of them
    std::vector<std::string> servers;    ///< "vllm", ...
    std::vector<std::string> precisions; ///< "fp8", "fp4", "bf16", "int4"
    std::optional<FrontierApart> apart;  ///< none: every copy prefills and decodes
    // Ready servers of the catalogue, whole ones, in place of GPUs; class-rule may stand among `servers`
    std::string ready;          ///< "hgx-h200"; empty: GPUs by themselves
    std::vector<double> counts; ///< how many of them; users are those of all
    // A design
    std::string design;                                        ///< a preset's id
    std::vector<std::pair<std::string, std::string>> settings; ///< path, value; in order
    std::shared_ptr<const Scenario> open; ///< the design itself, in place of a preset; null: none

    bool isDesign() const { return open || !design.empty(); }
    bool isReady() const { return !ready.empty(); }
};

/// What a number of users is for a design: one batch of so many in steady state, or users in a closed loop
/// who are simulated. GPUs under servers are always simulated.
enum class FrontierLoad { Batch, Users };
std::span<const std::string_view> frontierLoadNames(); ///< "batch", "users"

/// What tok/s are held against on the upward axis.
enum class FrontierAxis { Device, Dollar, Watt, Total, Budget };
std::span<const std::string_view> frontierAxisNames(); ///< "device", "usd", "watt", "total", "budget"

/// What lies along: tok/s of one user, of which more is better; median time to first token, or the price of
/// one copy, of which less is.
enum class FrontierAlong { Speed, FirstToken, Price };
std::span<const std::string_view> frontierAlongNames(); ///< "speed", "ttft", "price"

/// What points may not go beyond to take part; 0: no limit.
struct FrontierLimits {
    double ttft = 0.0;         ///< median time to first token, s
    double timePerToken = 0.0; ///< mean time per output token, s
    double price = 0.0;        ///< of one replica, $; one whose price is not known takes no part

    FrontierLimits(double ttft_ = 0.0, double timePerToken_ = 0.0, double price_ = 0.0)
        : ttft(ttft_), timePerToken(timePerToken_), price(price_) {}
    bool hold(const FrontierPoint& point) const; ///< of an answered point
    bool operator==(const FrontierLimits&) const = default;
};

/// What of a frontier is shown: no point is computed anew for it.
struct FrontierShown {
    FrontierAxis axis = FrontierAxis::Device;
    FrontierAlong along = FrontierAlong::Speed;
    FrontierLimits limits;
    double goal = 0.0; ///< mean time per output token that is wished for, s; leaves nothing out; 0: none
    std::set<std::string> off; ///< systems that are put away, by name

    bool operator==(const FrontierShown&) const = default;
};

/// tok/s a device against tok/s a user: what is put on the axes.
struct FrontierDefinition {
    std::string id, name, about;
    std::string where; ///< it was read from, for messages
    std::string model; ///< a preset's id
    double prompt = 1024, output = 1024;
    double ratio = 0.8; ///< lengths are uniform from this share; 1: fixed
    std::vector<double> users;
    FrontierLoad load = FrontierLoad::Batch; ///< what they are for designs
    double budget = 0.0;                     ///< $, of all accelerators or of a whole design; 0: none
    bool rented = false;                     ///< ready servers are rented by the hour; else bought
    std::vector<FrontierSystem> systems;
    FrontierShown shown;
};

inline constexpr std::size_t kMostFrontierValues = 1000; ///< of a list
inline constexpr double kMostFrontierUsers = 100'000;
inline constexpr double kMostFrontierTokens = 1 << 22; ///< of a prompt, of an output
inline constexpr double kMostReady = 4096;             ///< of one ready server

/// Reads one that writeFrontier() gave or that somebody wrote; what is not told is as in a definition made
/// anew. A design is a preset's id or, as an object, a design. Throws Error naming `where` and key.
FrontierDefinition readFrontier(const Json& json, const std::string& where, const Catalog& catalog);
/// What is as in a definition made anew is left out.
Json writeFrontier(const FrontierDefinition& definition);

/// What a design keeps; none: nothing. Throws Error as reading does.
std::optional<FrontierDefinition> keptFrontier(const Scenario& design, const Catalog& catalog);
KeptFrontier keepFrontier(const FrontierDefinition& definition);

/// Ids of the shipped ones: "llama-3-1-70b".
std::vector<std::string> shippedFrontiers(const std::string& presetsFolder);
/// A shipped one by its id, or by its path a file that is one or a design that keeps one.
FrontierDefinition findFrontier(const Catalog& catalog, const std::string& idOrFile);

} // namespace heteroscape::engine
