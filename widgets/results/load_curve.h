// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/field.h"
#include "engine/study/study.h"
#include "widgets/plots/chart.h"

#include <stop_token>
#include <string>
#include <vector>

namespace heteroscape::widgets {

/// Simulations of one design at several loads: metrics in their shown units, NaN where it does not run.
struct LoadCurve {
    std::vector<double> loads;
    std::vector<double> ttft50, ttft99, tpot50, tpot99, tokens;
};

/// Loads to draw curves over, in the shown unit: users, two a doubling from one to at least 256; rates, two a
/// doubling to beyond `capacity` (req/s of the closed form; NaN: not known). The last is a power of two above
/// `load`, so that they stay while it moves below that.
std::vector<double> loadsFor(const engine::FieldSpec& spec, double load, double capacity);

/// On all cores; any thread. Throws engine::Error (Cancelled, or an invalid design).
LoadCurve simulatedLoads(const engine::Scenario& design, const std::string& path, std::vector<double> loads,
                         const std::stop_token& stop);

/// TTFT and TPOT (p50, p99) and throughput over the load, the knee of the throughput, and limits on the
/// times. Without a curve: an empty chart that says that it comes.
Chart loadChart(const LoadCurve* curve, const engine::FieldSpec& spec,
                const std::vector<engine::Limit>& limits);

} // namespace heteroscape::widgets
