// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/simulation_runner.h"

#include <QString>

#include <vector>

namespace heteroscape::widgets {

/// One metric of a simulation in words.
struct ServingFact {
    QString name;  ///< "Goodput"
    QString value; ///< "0.48 req/s, 96 % within the limits"
    QString tip;
    bool warns = false; ///< requests were refused or are left over
};

/// Requests, throughput against the closed form, goodput, power and energy. Any thread.
std::vector<ServingFact> servingFacts(const SimulationRun& run);

/// "1,000 requests, Poisson at 0.51 req/s, seed 1: done in 32.6 min".
QString servingHeadline(const SimulationRun& run);

} // namespace heteroscape::widgets
