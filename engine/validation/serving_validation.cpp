// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/validation/serving_validation.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/catalog/named.h"
#include "engine/servers/served_plan.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace heteroscape::engine {

namespace {

constexpr std::array<std::string_view, 18> kServingKeys{
    "group", "set", "model", "device", "framework", "version", "precision", "mode",  "lengths",
    "users", "isl", "gpus",  "kind",   "date",      "regime",  "age",       "crowd", "step_prompts"};

/// "aggregated", "aggregated, fixed lengths", ...: the sets that errors are told of.
std::string setOf(const ServingRow& row) {
    std::string text = row.isApart() ? "disaggregated" : "aggregated";
    if (row.hasFixedLengths())
        text += ", fixed lengths";
    return row.speculates ? text + ", speculating" : text;
}

double gpusOf(const ServingRow& row) {
    if (!row.isApart())
        return row.tp * row.dp;
    return row.prefill.count * row.prefill.tp * row.prefill.dp +
           row.decode.count * row.decode.tp * row.decode.dp;
}

} // namespace

std::span<const std::string_view> servingKeys() {
    return kServingKeys;
}

std::string servingLabel(const ValidatedServing& validated, std::string_view key) {
    const auto& row = *validated.row;
    std::string label;
    switch (indexOfName(key, kServingKeys, "--by")) {
    case 0:
        return row.group();
    case 1:
        return setOf(row);
    case 2:
        label = row.model;
        break;
    case 3:
        label = row.system;
        break;
    case 4:
        label = row.backend;
        break;
    case 5:
        label = row.version;
        break;
    case 6:
        label = row.precision;
        break;
    case 7:
        label = row.mode;
        break;
    case 8:
        label = row.lengths;
        break;
    case 9:
        label = exactText(row.users);
        break;
    case 10:
        label = exactText(row.isl);
        break;
    case 11:
        label = exactText(gpusOf(row));
        break;
    case 12:
        label = validated.served.kind;
        break;
    case 13:
        label = row.date;
        break;
    case 14:
        label = validated.served.regime;
        break;
    case 15:
        label = ageName(validated.served.older);
        break;
    case 16:
        label = validated.served.crowd;
        break;
    default:
        label = validated.served.stepPrompts;
        break;
    }
    return label.empty() ? "-" : label;
}

std::vector<ValidatedServing> validateServing(const GpuServers& servers, std::span<const ServingTable> tables,
                                              int threads, std::stop_token stop) {
    std::vector<ValidatedServing> rows;
    for (std::size_t i = 0; i < tables.size(); ++i)
        for (const auto& row : tables[i].rows) {
            rows.emplace_back();
            rows.back().table = i;
            rows.back().row = &row;
        }
    inParallel(
        rows.size(), 1,
        [&](std::size_t begin, std::size_t end) {
            for (auto i = begin; i < end; ++i) {
                auto& validated = rows[i];
                if (stop.stop_requested()) {
                    validated.why = "cancelled";
                    continue;
                }
                try {
                    const auto plan = servedPlan(servers, *validated.row);
                    const auto design = servedScenario(servers, plan);
                    validated.served = servedCaseOf(design, validated.row->date);
                    const auto result = servedResult(design, stop);
                    validated.ttftMs = 1e3 * result.ttft;
                    validated.tpotMs = std::isfinite(result.tpot) ? 1e3 * result.tpot : 0.0;
                    if (!std::isfinite(result.ttft) || result.ttft <= 0)
                        validated.why = "the simulation has no finite time for it";
                } catch (const Error& error) {
                    validated.why = error.what();
                }
            }
        },
        threads);
    return rows;
}

std::vector<ServingGroup> groupServing(std::span<const ValidatedServing> rows,
                                       std::span<const std::string> keys) {
    for (const auto& key : keys)
        indexOfName(key, kServingKeys, "--by");
    const auto& known = SystemErrors::shipped();
    struct Errors {
        std::vector<double> tpot, ttft;
        BandCount tpotBands, ttftBands;
    };
    std::map<std::vector<std::string>, Errors> errors;
    for (const auto& row : rows) {
        if (!row.answered() || row.row->contradicts)
            continue;
        std::vector<std::string> labels;
        for (const auto& key : keys)
            labels.push_back(servingLabel(row, key));
        auto& of = errors[std::move(labels)];
        if (row.hasTpot()) {
            of.tpot.push_back(100 * (row.tpotMs / row.row->tpotMs - 1));
            of.tpotBands.add(known.of(row.served, SystemQuantity::Tokens), row.tpotMs, row.row->tpotMs);
        }
        if (row.hasTtft()) {
            of.ttft.push_back(100 * (row.ttftMs / row.row->ttftMs - 1));
            of.ttftBands.add(known.of(row.served, SystemQuantity::Prompts), row.ttftMs, row.row->ttftMs);
        }
    }
    std::vector<ServingGroup> groups;
    for (auto& [labels, of] : errors)
        groups.push_back({labels, of.tpotBands.into(errorsOf(std::move(of.tpot))),
                          of.ttftBands.into(errorsOf(std::move(of.ttft)))});
    return groups;
}

WorstServing worstServing(std::span<const ValidatedServing> rows, std::size_t most) {
    constexpr std::size_t kFewest = 10; // rows: a median of fewer tells little
    const auto groups = groupServing(rows, std::vector<std::string>{"group"});
    const auto worst = [&](ValidationGroup ServingGroup::*errors) {
        std::vector<WorstServing::Group> found;
        for (const auto& group : groups)
            if ((group.*errors).rows >= kFewest)
                found.push_back({group.labels, group.*errors});
        std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
            return a.errors.medianPercent > b.errors.medianPercent;
        });
        found.resize(std::min(found.size(), most));
        return found;
    };
    return {worst(&ServingGroup::tpot), worst(&ServingGroup::ttft)};
}

} // namespace heteroscape::engine
