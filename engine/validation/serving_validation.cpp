// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/validation/serving_validation.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/catalog/named.h"
#include "engine/servers/served_plan.h"
#include "engine/techniques/speculation.h"
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
                const auto table = rows[i].table;
                rows[i] = validateServing(servers, *rows[i].row, stop);
                rows[i].table = table;
            }
        },
        threads);
    return rows;
}

ValidatedServing validateServing(const GpuServers& servers, const ServingRow& row, std::stop_token stop) {
    ValidatedServing validated;
    validated.row = &row;
    if (stop.stop_requested()) {
        validated.why = "cancelled";
        return validated;
    }
    try {
        const auto plan = servedPlan(servers, row);
        const auto design = servedScenario(servers, plan);
        validated.served = servedCaseOf(design, row.date);
        const auto result = servedResult(design, stop);
        validated.ttftMs = 1e3 * result.ttft;
        validated.tpotMs = std::isfinite(result.tpot) ? 1e3 * result.tpot : 0.0;
        if (!std::isfinite(result.ttft) || result.ttft <= 0)
            validated.why = "the simulation has no finite time for it";
    } catch (const Error& error) {
        validated.why = error.what();
    }
    return validated;
}

namespace {

/// What published runs are near to.
struct ServedHere {
    const Scenario& design;
    const Node* node = nullptr; ///< the first with a server
    double gpus = 0.0, users = askedAtOnce(design);
    bool apart = false;

    explicit ServedHere(const Scenario& design_) : design(design_) {
        for (const auto& one : design.nodes)
            if (one.server) {
                node = node ? node : &one;
                gpus += one.count.value;
                apart = apart || one.role == Role::Prefill;
            }
    }
};

/// How far a run is from a design; none: it is of another model, GPU or way, or too far.
std::optional<NearServing> nearness(const ServedHere& here, const GpuServers& servers,
                                    const ServingRow& row) {
    const auto& workload = here.design.workload;
    if (row.fault || row.contradicts || row.impossible || row.isApart() != here.apart ||
        row.system != here.node->device.kernels || (row.speculates && !speculates(here.design, *here.node)))
        return {};
    try {
        if (servers.recipes().model(row.modelPath + ' ' + row.model).model != here.design.model.id)
            return {};
    } catch (const Error&) { // a model that nothing here knows
        return {};
    }
    NearServing near{0, &row, 0.0, {}};
    const auto compare = [&](double theirs, double ours, const char* unit) {
        if (!(theirs > 0.0 && ours > 0.0))
            return;
        near.apart += std::fabs(std::log(theirs / ours));
        if (theirs != ours)
            near.differs.push_back(exactText(theirs) + unit + ", here " + exactText(ours));
    };
    constexpr double kFar = 8.0;
    for (const auto& [theirs, ours] : {std::pair(row.users, here.users),
                                       {row.isl, workload.promptTokens.value},
                                       {row.osl, workload.outputTokens.value}})
        if (ours > 0.0 && !(theirs <= kFar * ours && ours <= kFar * theirs))
            return {};
    if (row.backend != here.node->server->id) {
        near.apart += 1.0;
        near.differs.push_back(row.backend + ", here " + here.node->server->id);
    }
    compare(row.users, here.users, " users");
    compare(gpusOf(row), here.gpus, " GPUs");
    compare(row.isl, workload.promptTokens.value, " tokens in");
    compare(row.osl, workload.outputTokens.value, " tokens out");
    return near;
}

} // namespace

std::vector<NearServing> nearServing(const Scenario& design, const GpuServers& servers,
                                     std::span<const ServingTable> tables, std::size_t most) {
    const ServedHere here(design);
    std::vector<NearServing> found;
    if (!here.node)
        return found;
    for (std::size_t i = 0; i < tables.size(); ++i)
        for (const auto& row : tables[i].rows)
            if (auto near = nearness(here, servers, row)) {
                near->table = i;
                found.push_back(*std::move(near));
            }
    const auto byDistance = [](const NearServing& a, const NearServing& b) { return a.apart < b.apart; };
    std::stable_sort(found.begin(), found.end(), byDistance);
    found.resize(std::min(found.size(), 4 * most)); // to be looked at more closely
    for (auto& near : found)
        try {
            const auto theirs = servedScenario(servers, servedPlan(servers, *near.row));
            const double bits = ServedHere(theirs).node->runtime->weightBits.value;
            const double ours = here.node->runtime ? here.node->runtime->weightBits.value : bits;
            if (bits != ours) {
                near.apart += 0.7;
                near.differs.push_back(exactText(bits) + " bits a weight, here " + exactText(ours));
            }
        } catch (const Error&) { // no server here is like it
            near.row = nullptr;
        }
    std::erase_if(found, [](const NearServing& near) { return !near.row; });
    std::stable_sort(found.begin(), found.end(), byDistance);
    found.resize(std::min(found.size(), most));
    return found;
}

std::string nearText(const GpuServers& servers, const ValidatedServing& validated) {
    const auto& row = *validated.row;
    const auto times = [&](double measured, double here, const char* what) {
        return ", " + shortText(measured) + " ms " + what + " measured, " + shortText(here) + " by the model";
    };
    std::string text = row.backend + (row.version.empty() ? "" : " " + row.version) + ", " +
                       servedPlan(servers, row).words() + " on " + row.system + ", " + row.precision + ", " +
                       exactText(row.users) + (row.users == 1 ? " user, " : " users, ") + exactText(row.isl) +
                       " in, " + exactText(row.osl) + " out";
    if (!validated.answered())
        return text + ": " + validated.why;
    if (validated.hasTtft())
        text += times(row.ttftMs, validated.ttftMs, "to the first token");
    if (validated.hasTpot())
        text += times(row.tpotMs, validated.tpotMs, "a token");
    return text;
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
