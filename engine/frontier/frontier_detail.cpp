// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/frontier/frontier_detail.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/expected_error.h"
#include "engine/scenario/runtime_choice.h"

namespace heteroscape::engine {

namespace {

FrontierDetail detailOf(const Scenario& scenario) {
    const auto evaluation = evaluate(scenario);
    if (!evaluation.feasible)
        return {};
    const ExpectedErrors errors(scenario, evaluation);
    return {errors.of(Metric::Throughput), errors.of(Metric::TimePerToken), boundLabel(scenario, evaluation),
            runsIdeal(scenario)};
}

} // namespace

std::vector<FrontierDetail> frontierDetails(std::span<const FrontierPoint> points,
                                            std::span<const std::size_t> places,
                                            const FrontierDefinition& definition, const Catalog& catalog,
                                            const GpuServers& servers, int threads, std::stop_token stop) {
    std::vector<FrontierDetail> details(places.size());
    inParallel(
        places.size(), 1,
        [&](std::size_t begin, std::size_t end) {
            for (auto i = begin; i < end && !stop.stop_requested(); ++i)
                try {
                    details[i] = detailOf(frontierScenario(definition, points[places[i]], catalog, servers));
                } catch (const Error&) { // of what no design can be made nothing is told
                }
        },
        threads);
    return details;
}

} // namespace heteroscape::engine
