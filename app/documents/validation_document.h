// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/catalog/catalog.h"
#include "engine/validation/metric_validation.h"
#include "engine/validation/serving_validation.h"
#include "engine/validation/validation.h"

#include <stop_token>
#include <string>
#include <vector>

namespace heteroscape::cli {

/// Files of measurements by what their rows are of.
struct MeasuredFiles {
    std::vector<std::string> kernels, servers, metrics;
};
/// Of those named; of none named the shipped ones, without those whose rows lack what they are grouped by.
MeasuredFiles measuredFiles(const engine::Catalog& catalog, const std::vector<std::string>& files,
                            const std::vector<std::string>& keys);

/// Measured rows beside what the models give for them. Rows refer to their tables.
struct KernelValidation {
    std::vector<engine::MeasuredTable> tables;
    std::vector<std::string> keys;
    std::vector<engine::ValidatedRow> rows;
    std::vector<engine::ValidationGroup> groups; ///< by the keys
    std::vector<engine::ValidationGroup> all;    ///< one group of all, none where no row has an answer

    std::string place(const engine::ValidatedRow& row) const;
};
struct ServingValidation {
    std::vector<engine::ServingTable> tables;
    std::vector<engine::ValidatedServing> rows;

    std::string place(const engine::ValidatedServing& row) const;
};
struct MetricValidation {
    std::vector<engine::MetricTable> tables;
    std::vector<engine::ValidatedMetric> rows;

    std::string place(const engine::ValidatedMetric& row) const;
};

/// Each by what it is grouped by (empty: the usual ones). Throws Error naming file and line, or an unknown
/// key. Asked to stop, the answer means nothing.
KernelValidation validatedKernels(const engine::Catalog& catalog, const std::vector<std::string>& files,
                                  const std::vector<std::string>& keys, const std::stop_token& stop = {});
ServingValidation validatedServers(const engine::Catalog& catalog, const std::vector<std::string>& files,
                                   const std::vector<std::string>& keys, const std::stop_token& stop = {});
MetricValidation validatedMetrics(const engine::Catalog& catalog, const std::vector<std::string>& files,
                                  const std::vector<std::string>& keys, const std::stop_token& stop = {});

/// The five published runs that are nearest to a design, beside the model's answers; `apart` is parallel to
/// the rows.
struct NearValidation {
    ServingValidation runs;
    std::vector<engine::NearServing> apart;
    std::vector<std::string> words; ///< nearText() of each
};
NearValidation nearRuns(const engine::Catalog& catalog, const engine::Scenario& design,
                        const std::vector<std::string>& files, const std::stop_token& stop = {});
engine::Json nearJson(const NearValidation& near);

/// What errors of servers, and of metrics of servers, are told by where nothing is asked for.
const std::vector<std::vector<std::string>>& servingTold();
const std::vector<std::vector<std::string>>& metricsTold();

/// All of it: rows of kernels (us), in "serving" those of servers (ms), in "metrics" those of metrics; the
/// first of these that there is stands without a name.
engine::Json validationJson(const engine::Catalog& catalog, const MeasuredFiles& files,
                            const std::vector<std::string>& keys, const std::stop_token& stop = {});

} // namespace heteroscape::cli
