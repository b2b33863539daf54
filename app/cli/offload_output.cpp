// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/offload_output.h"

#include "app/text_table.h"
#include "engine/units/number_text.h"
#include "engine/units/units.h"

#include <array>
#include <iostream>

namespace heteroscape::cli {

using namespace engine;

namespace {

constexpr std::array kTiers{Tier::Device, Tier::Host, Tier::Storage};

} // namespace

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
