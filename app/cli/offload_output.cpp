// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/offload_output.h"

#include "app/cli/input.h"
#include "app/text_table.h"
#include "engine/units/number_text.h"
#include "engine/units/units.h"

#include <iostream>
#include <nlohmann/json.hpp>

namespace heteroscape::cli {

using namespace engine;

namespace {

constexpr std::array kTiers{Tier::Device, Tier::Host, Tier::Storage};

} // namespace

Json shortfallJson(const Scenario& scenario, const Evaluation& evaluation) {
    const auto& shortfall = *evaluation.nodes[evaluation.shortNode].shortfall;
    return {{"node", scenario.nodes[evaluation.shortNode].id.value},
            {"tier", tierName(shortfall.tier)},
            {"what", shortfall.what},
            {"needed_bytes", shortfall.needed},
            {"available_bytes", shortfall.available}};
}

Json offloadJson(const OffloadEvaluation& offload) {
    Json tiers = Json::object();
    for (const auto which : kTiers) {
        const auto& tier = offload.tier(which);
        tiers[std::string(tierName(which))] = {{"weights_gb", tier.weights / units::GB},
                                               {"kv_gb", tier.kv / units::GB},
                                               {"x_gb", tier.x / units::GB},
                                               {"buffers_gb", tier.buffers / units::GB},
                                               {"used_gb", tier.used() / units::GB},
                                               {"capacity_gb", number(tier.capacity / units::GB)}};
    }
    Json decode = Json::object();
    for (std::size_t i = 0; i < kWorkCount; ++i)
        if (offload.decode[i] > 0.0)
            decode[std::string(workName(static_cast<Work>(i)))] = offload.decode[i];
    return {{"near_storage", offload.near},     {"working_copies", offload.activeReplicas},
            {"kv_host_share", offload.kv.host}, {"kv_storage_share", offload.kv.storage},
            {"x_cache_share", offload.kv.x},    {"tiers", std::move(tiers)},
            {"decode_s", std::move(decode)}};
}

void printOffload(const std::string& node, const OffloadEvaluation& offload) {
    std::cout << '\n' << node << ": what lies where, GB\n";
    TextTable tiers({"tier", "weights", "KV cache", "X cache", "buffers", "used", "of"});
    const auto gigabytes = [](double bytes) { return shortText(bytes / units::GB, 4); };
    for (const auto which : kTiers) {
        const auto& tier = offload.tier(which);
        tiers.add({std::string(tierLabel(which)), gigabytes(tier.weights), gigabytes(tier.kv),
                   gigabytes(tier.x), gigabytes(tier.buffers), gigabytes(tier.used()),
                   gigabytes(tier.capacity)});
    }
    tiers.print(std::cout);
    double total = 0.0;
    for (const double seconds : offload.decode)
        total += seconds;
    if (!(total > 0.0))
        return; // it does not fit
    std::cout << '\n' << node << ": what the decode of one batch waits for\n";
    TextTable parts({"part", "s", "%"});
    for (std::size_t i = 0; i < kWorkCount; ++i)
        if (const double seconds = offload.decode[i]; seconds > 0.0)
            parts.add({std::string(workLabel(static_cast<Work>(i))), shortText(seconds, 4),
                       shortText(100.0 * seconds / total, 3)});
    parts.print(std::cout);
}

} // namespace heteroscape::cli
