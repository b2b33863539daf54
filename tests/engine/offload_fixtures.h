// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/tiers.h"
#include "engine/schedule/offloading.h"
#include "tests/engine/fixtures.h"

#include <random>
#include <string>
#include <vector>

namespace heteroscape::engine::test {

/// The techniques of INF2. An interval of 0: no delayed writeback; a share of -1: the balanced one.
struct NearStorage {
    bool attention = true;
    double interval = 0.0;
    bool xCache = false;
    double xShare = -1.0;
    bool hostKv = false;
    double hostShare = -1.0;
};
void setTechniques(Scenario& scenario, const NearStorage& techniques);

/// A100 or H100 ("a100-40gb", "h100-pcie") with a runtime over one host, 16 CSDs behind an uplink, at the
/// rates of INF2's model. Storage of any size, links below the uplink of any rate.
Scenario inf2System(const std::string& accelerator, const std::string& runtime, const std::string& model);

/// One node offloading, with what its decode is made of; all its replicas at work.
struct Offloaded {
    explicit Offloaded(const Scenario& of, std::size_t nodeIndex = 0);
    OffloadInput input() const;

    const Scenario& scenario;
    std::size_t node;
    Machine machine;
    TierMap map;
    Offloading offloading;
};

/// The longest chain of a decode layer at the mean context, under any shares.
double chainSeconds(const OffloadInput& input, const KvShares& kv);

/// Between two numbers, evenly over their logarithms.
double drawn(std::mt19937& random, double low, double high);

/// A random system of one accelerator over the ranges of INF2's experiments and beyond: model, lengths,
/// batch, devices, memory, rates, weights on storage. Runtime and techniques as given.
Scenario randomOffloading(std::mt19937& random, const std::string& runtime, bool anyRates);

/// Index of a node by its id.
std::size_t indexOf(const Scenario& scenario, const std::string& id);
Link& link(Scenario& scenario, const std::string& id);
Node& node(Scenario& scenario, const std::string& id);
const Node& node(const Scenario& scenario, const std::string& id);

/// The model and workload of a preset of INF2 without any node.
Scenario emptySystem();
/// Adds a node of the catalogue's device.
Node& place(Scenario& scenario, const std::string& id, const std::string& device, double count = 1.0,
            const std::string& runtime = {});
/// Adds a link of so many GB/s, called "from-to".
void connect(Scenario& scenario, const std::string& from, const std::string& to, double gigabytesPerSecond);

/// Every preset of INF2 that offloads.
const std::vector<std::string>& offloadingPresets();

} // namespace heteroscape::engine::test
