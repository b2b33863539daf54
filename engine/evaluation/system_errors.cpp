// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/system_errors.h"

#include "engine/base/csv_reader.h"
#include "engine/base/error.h"
#include "engine/catalog/catalog.h"
#include "engine/catalog/named.h"
#include "engine/evaluation/evaluation.h"
#include "engine/techniques/speculation.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>

namespace heteroscape::engine {

namespace {

constexpr std::array<std::string_view, 5> kRegimes{"at_once", "users", "users_fixed", "apart", "speculating"};
constexpr std::array<std::string_view, 5> kQuantities{"prompts", "tokens", "rates", "energy", "money"};
constexpr std::array<std::string_view, 2> kAges{"current", "older"};
constexpr std::array<std::string_view, 3> kCrowds{"to 8", "to 64", "over 64"};
constexpr std::array<std::string_view, 3> kStepPrompts{"to 64", "to 512", "over 512"};

std::string_view regimeOf(const Scenario& scenario, bool speculates) {
    if (speculates)
        return kRegimes[4];
    const bool apart = std::any_of(scenario.nodes.begin(), scenario.nodes.end(), [&](const Node& node) {
        return node.server && effectiveRole(scenario, node) == Role::Prefill;
    });
    if (apart)
        return kRegimes[3];
    const auto& serving = scenario.serving;
    const auto arrivals = serving.arrivals->id();
    if (arrivals == "steady" || arrivals == "backlog")
        return kRegimes[0];
    return arrivals == "closed_loop" && serving["length_ratio"].valueOr(1.0) < 1.0 ? kRegimes[1]
           : arrivals == "closed_loop"                                             ? kRegimes[2]
                                                                                   : kRegimes[1];
}

std::string_view levelOf(double value, double first, double second,
                         const std::array<std::string_view, 3>& levels) {
    if (value != value)
        return {};
    return levels[value <= first ? 0 : value <= second ? 1 : 2];
}

/// Months since year 0; none where it is no such date.
std::optional<int> monthsOf(std::string_view date) {
    int year = 0, month = 0;
    if (date.size() < 7 || date[4] != '-' ||
        std::from_chars(date.data(), date.data() + 4, year).ptr != date.data() + 4 ||
        std::from_chars(date.data() + 5, date.data() + 7, month).ptr != date.data() + 7)
        return {};
    return 12 * year + month;
}

constexpr std::array<std::string_view, 7> kColumns{"quantity", "of",   "level", "rows",
                                                   "groups",   "half", "most"};

double numberIn(const CsvReader& csv, std::size_t column) {
    const auto& cell = csv.cells()[column];
    double value = 0.0;
    const auto end = cell.data() + cell.size();
    if (std::from_chars(cell.data(), end, value).ptr != end || !(value >= 0.0))
        csv.failAt(column, quotedPiece(cell) + " is no number from 0", "Write the table anew");
    return value;
}

/// Errors of two factors that have nothing to do with each other.
double together(double a, double b) {
    return std::expm1(std::hypot(std::log1p(a), std::log1p(b)));
}

} // namespace

std::span<const std::string_view> servedRegimes() {
    return kRegimes;
}

std::span<const std::string_view> servedCrowds() {
    return kCrowds;
}

std::span<const std::string_view> servedStepPrompts() {
    return kStepPrompts;
}

std::string_view systemQuantityName(SystemQuantity quantity) {
    return kQuantities[static_cast<std::size_t>(quantity)];
}

SystemQuantity systemQuantityNamed(std::string_view name) {
    return static_cast<SystemQuantity>(
        indexOfName(name == "power" ? kQuantities[3] : name, kQuantities, "quantity"));
}

std::optional<SystemQuantity> systemQuantityOf(Metric metric) {
    switch (metric) {
    case Metric::TimeToFirstToken:
    case Metric::WaitMean:
    case Metric::FirstTokenMean:
    case Metric::FirstTokenP50:
    case Metric::FirstTokenP90:
    case Metric::FirstTokenP99:
    case Metric::FirstTokenFirstWave:
    case Metric::FirstTokenLater:
        return SystemQuantity::Prompts;
    case Metric::TimePerToken:
    case Metric::TokenMean:
    case Metric::TokenP50:
    case Metric::TokenP90:
    case Metric::TokenP99:
    case Metric::UserRate:
        return SystemQuantity::Tokens;
    case Metric::Throughput:
    case Metric::RequestRate:
    case Metric::Latency:
    case Metric::ThroughputPerArea:
    case Metric::ProcessedThroughput:
    case Metric::ProcessedThroughputPerDie:
    case Metric::ServedThroughput:
    case Metric::ServedRequests:
    case Metric::Goodput:
    case Metric::EndToEndMean:
    case Metric::EndToEndP50:
    case Metric::EndToEndP90:
    case Metric::EndToEndP99:
        return SystemQuantity::Rates;
    case Metric::Power:
    case Metric::ThroughputPerPower:
    case Metric::EnergyPerToken:
    case Metric::EnergyIdle:
    case Metric::EnergyBusy:
    case Metric::EnergyMemory:
    case Metric::EnergyProducts:
    case Metric::EnergyUnpacking:
    case Metric::EnergyLinks:
    case Metric::EnergyStated:
    case Metric::FacilityPower:
    case Metric::FacilityEnergy:
    case Metric::Carbon:
    case Metric::ServedPower:
    case Metric::ServedEnergy:
    case Metric::ServedPerPower:
    case Metric::ServedFacilityPower:
        return SystemQuantity::Energy;
    case Metric::ThroughputPerPrice:
    case Metric::CostPerToken:
    case Metric::ServedPerPrice:
    case Metric::ServedCost:
        return SystemQuantity::Money;
    default:
        return {};
    }
}

double askedAtOnce(const Scenario& scenario) {
    const auto& serving = scenario.serving;
    const auto arrivals = serving.arrivals->id();
    return arrivals == "closed_loop" ? serving["users"].value
           : arrivals == "backlog"   ? serving["requests"].value
           : arrivals == "steady"    ? scenario.workload.batch.value
                                     : kUnset;
}

std::optional<ServedCase> servedCaseOf(const Scenario& scenario) {
    const auto served = std::find_if(scenario.nodes.begin(), scenario.nodes.end(),
                                     [](const Node& node) { return node.server.has_value(); });
    if (served == scenario.nodes.end())
        return {};
    const double users = askedAtOnce(scenario);
    const auto& workload = scenario.workload;
    return ServedCase{served->server->id,
                      kindOf(scenario.model),
                      regimeOf(scenario, speculates(scenario, *served)),
                      false,
                      levelOf(users, 8.0, 64.0, kCrowds),
                      levelOf(users * workload.promptTokens.value / workload.outputTokens.value, 64.0, 512.0,
                              kStepPrompts)};
}

ServedCase servedCaseOf(const Scenario& served, std::string_view date) {
    auto found = servedCaseOf(served).value_or(ServedCase{});
    for (const auto& node : served.nodes)
        found.older = found.older || (node.server && isOlder(date, node.server->date));
    return found;
}

std::string_view ageName(bool older) {
    return kAges[older ? 1 : 0];
}

bool isOlder(std::string_view date, std::string_view constants) {
    constexpr int kAge = 9; // months
    const auto made = monthsOf(date), fitted = monthsOf(constants);
    return made && fitted && *fitted - *made > kAge;
}

SystemErrors::SystemErrors(const std::string& path) {
    std::ifstream in(path);
    CsvReader csv(in, path);
    if (!std::equal(kColumns.begin(), kColumns.end(), csv.header().begin(), csv.header().end()))
        csv.fail("not the columns of a table of system errors", "Write it with packaging/fit_servers.py");
    while (csv.next()) {
        const auto& cells = csv.cells();
        Factor factor{cells[0], cells[1], cells[2], numberIn(csv, 5), numberIn(csv, 6)};
        if (factor.of.empty())
            factor = {factor.quantity, {}, {}, std::log1p(factor.half), std::log1p(factor.most)};
        m_factors.push_back(std::move(factor));
    }
    for (const auto quantity : kQuantities) // those of any case
        find({}, quantity);
}

const SystemErrors& SystemErrors::shipped() {
    static const SystemErrors errors(findPresetsFolder() + "/servers/system_errors.csv");
    return errors;
}

SystemError SystemErrors::find(const ServedCase& served, std::string_view quantity) const {
    constexpr double kLeast = 1.2; // most / half, of the logarithms
    const auto aged = std::string(ageName(served.older)) + ", " + std::string(served.kind);
    const std::array<std::pair<std::string_view, std::string_view>, 7> levels{
        {{{}, {}},
         {"kind", served.kind},
         {"age", aged},
         {"regime", served.regime},
         {"crowd", served.crowd},
         {"step_prompts", served.stepPrompts},
         {"server", served.server}}};
    double half = 1.0, most = 1.0;
    bool any = false;
    for (const auto& factor : m_factors)
        if (factor.quantity == quantity && std::find(levels.begin(), levels.end(),
                                                     std::pair<std::string_view, std::string_view>(
                                                         factor.of, factor.level)) != levels.end()) {
            half *= factor.half;
            most *= factor.most;
            any = any || factor.of.empty();
        }
    if (!any)
        throwInvalid("system_errors.csv", "no errors of " + std::string(quantity) + " in any case",
                     "Write it with packaging/fit_servers.py");
    return {std::expm1(half), std::expm1(std::max(most, kLeast * half))};
}

SystemError SystemErrors::ofPrices() const {
    return find({}, systemQuantityName(SystemQuantity::Money));
}

SystemError SystemErrors::of(const ServedCase& served, SystemQuantity quantity) const {
    const auto error = find(served, systemQuantityName(quantity));
    if (quantity != SystemQuantity::Money)
        return error;
    const auto rates = find(served, systemQuantityName(SystemQuantity::Rates));
    return {together(error.half, rates.half), together(error.most, rates.most)};
}

} // namespace heteroscape::engine
