// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/validate_serving.h"

#include "app/cli/input.h"
#include "app/text_table.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/scenario/scenario_json.h"
#include "engine/servers/served_plan.h"
#include "engine/timing/kernels/kernel_catalog.h"
#include "engine/validation/serving_validation.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <utility>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

/// What errors are told by where nothing is asked for.
constexpr std::array kTold{"set", "group", "precision", "device", "framework", "users", "lengths"};

struct Served {
    std::vector<ServingTable> tables;
    std::vector<ValidatedServing> rows;
};

Served served(const std::vector<std::string>& files) {
    Served all;
    for (const auto& file : files)
        all.tables.push_back(readServing(file));
    const GpuServers servers(catalog(), shippedKernels());
    all.rows = validateServing(servers, all.tables, coreCount());
    return all;
}

Json measuredOrNull(bool there, double value) {
    return there ? number(value) : Json(nullptr);
}

Json servedRowJson(const Served& all, const ValidatedServing& validated) {
    const auto& row = *validated.row;
    const bool answered = validated.answered();
    Json json = {{"file", all.tables[validated.table].name},
                 {"line", row.line},
                 {"id", row.id},
                 {"group", row.group()},
                 {"contradicts", row.contradicts},
                 {"measured_ttft_ms", measuredOrNull(row.ttftMs > 0, row.ttftMs)},
                 {"predicted_ttft_ms", measuredOrNull(answered, validated.ttftMs)},
                 {"measured_tpot_ms", measuredOrNull(row.tpotMs > 0, row.tpotMs)},
                 {"predicted_tpot_ms", measuredOrNull(answered && validated.tpotMs > 0, validated.tpotMs)}};
    for (const auto* key : {"set", "framework", "kind", "regime", "age", "crowd", "step_prompts"})
        json[key] = servingLabel(validated, key);
    const auto& errors = SystemErrors::shipped();
    if (!answered)
        json["why"] = validated.why;
    if (validated.hasTtft())
        addBand(json, "ttft_ms_", errors.of(validated.served, SystemQuantity::Prompts), validated.ttftMs);
    if (validated.hasTpot())
        addBand(json, "tpot_ms_", errors.of(validated.served, SystemQuantity::Tokens), validated.tpotMs);
    return json;
}

void printGroups(const Served& all, const std::vector<std::string>& keys) {
    auto header = keys;
    for (const auto* column : {"rows", "TPOT median %", "p90 %", "bias %", "in 50 %", "in 80 %",
                               "TTFT median %", "p90 %", "bias %", "in 50 %", "in 80 %"})
        header.emplace_back(column);
    TextTable table(header);
    for (const auto& group : groupServing(all.rows, keys)) {
        auto cells = group.labels;
        cells.push_back(std::to_string(std::max(group.tpot.rows, group.ttft.rows)));
        addErrors(cells, group.tpot, true);
        addErrors(cells, group.ttft, true);
        table.add(std::move(cells));
    }
    table.print(std::cout);
    std::cout << '\n';
}

/// The groups of whatever kind that are furthest off.
void printOffenders(const Served& all) {
    const auto worst = worstServing(all.rows, 3);
    const auto print = [](const char* what, const std::vector<WorstServing::Group>& groups) {
        if (groups.empty())
            return;
        std::cout << "furthest off in " << what << ':';
        const char* between = " ";
        for (const auto& group : groups) {
            std::cout << between << group.labels.front() << ' ' << percentOf(group.errors.medianPercent)
                      << " % (bias " << percentOf(group.errors.biasPercent) << ", " << group.errors.rows
                      << " rows)";
            between = "; ";
        }
        std::cout << '\n';
    };
    print("TPOT", worst.tpot);
    print("TTFT", worst.ttft);
    std::cout << '\n';
}

} // namespace

Json errorsJson(const ValidationGroup& errors, bool ofSystems) {
    Json json = {{"rows", errors.rows}};
    if (errors.rows > 0 && ofSystems) {
        json["in_band_50_percent"] = number(errors.inHalfPercent);
        json["in_band_80_percent"] = number(errors.inMostPercent);
    }
    if (errors.rows > 0) {
        json["median_percent"] = number(errors.medianPercent);
        json["p90_percent"] = number(errors.p90Percent);
        json["bias_percent"] = number(errors.biasPercent);
    }
    return json;
}

std::string percentOf(double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.1f", value);
    return buffer;
}

void addErrors(std::vector<std::string>& cells, const ValidationGroup& errors, bool ofSystems) {
    if (errors.rows == 0) {
        cells.insert(cells.end(), ofSystems ? 5 : 3, "-");
        return;
    }
    cells.push_back(percentOf(errors.medianPercent));
    cells.push_back(percentOf(errors.p90Percent));
    cells.push_back(percentOf(errors.biasPercent));
    if (!ofSystems)
        return;
    cells.push_back(percentOf(errors.inHalfPercent));
    cells.push_back(percentOf(errors.inMostPercent));
}

void addBand(Json& json, const std::string& of, const SystemError& band, double predicted) {
    json[of + "band_50"] = {number(predicted / (1.0 + band.half)), number(predicted * (1.0 + band.half))};
    json[of + "band_80"] = {number(predicted / (1.0 + band.most)), number(predicted * (1.0 + band.most))};
}

bool areServingKeys(const std::vector<std::string>& keys) {
    const auto there = servingKeys();
    return std::all_of(keys.begin(), keys.end(), [&](const std::string& key) {
        return std::find(there.begin(), there.end(), key) != there.end();
    });
}

Json servingJson(const std::vector<std::string>& files, const std::vector<std::string>& keys) {
    groupServing({}, keys); // an unknown key, before any work
    const auto all = served(files);
    const auto by = keys.empty() ? std::vector<std::string>{"group"} : keys;
    Json list = Json::array(), rows = Json::array(), unanswered = Json::array(), groups = Json::array();
    for (const auto& table : all.tables)
        list.push_back({{"file", table.name}, {"rows", table.rows.size()}});
    for (const auto& row : all.rows) {
        rows.push_back(servedRowJson(all, row));
        if (!row.answered())
            unanswered.push_back(rows.back());
    }
    for (const auto& group : groupServing(all.rows, by)) {
        Json json = {{"tpot", errorsJson(group.tpot, true)}, {"ttft", errorsJson(group.ttft, true)}};
        for (std::size_t i = 0; i < by.size(); ++i)
            json[by[i]] = group.labels[i];
        groups.push_back(std::move(json));
    }
    Json json = {{"unit", "ms"},
                 {"files", std::move(list)},
                 {"by", by},
                 {"groups", std::move(groups)},
                 {"rows", std::move(rows)},
                 {"unanswered", std::move(unanswered)}};
    for (const auto* key : kTold)
        for (const auto& group : groupServing(all.rows, std::vector<std::string>{key}))
            json["errors_by"][key][group.labels.front()] = {{"tpot", errorsJson(group.tpot, true)},
                                                            {"ttft", errorsJson(group.ttft, true)}};
    const auto worst = worstServing(all.rows, 3);
    const auto addWorst = [&json](const char* what, const std::vector<WorstServing::Group>& offenders) {
        for (const auto& group : offenders) {
            auto one = errorsJson(group.errors, true);
            one["group"] = group.labels.front();
            json["furthest_off"][what].push_back(std::move(one));
        }
    };
    addWorst("tpot", worst.tpot);
    addWorst("ttft", worst.ttft);
    const auto whole = groupServing(all.rows, {});
    if (!whole.empty())
        json["all"] = {{"tpot", errorsJson(whole.front().tpot, true)},
                       {"ttft", errorsJson(whole.front().ttft, true)}};
    return json;
}

void printServing(const std::vector<std::string>& files, const std::vector<std::string>& keys) {
    groupServing({}, keys);
    const auto all = served(files);
    if (keys.empty())
        for (const auto* key : kTold)
            printGroups(all, {key});
    else
        printGroups(all, keys);
    printOffenders(all);
    printAnswered(all.rows,
                  "measured servers have an answer; rows that contradict themselves are in no error.",
                  [&](const ValidatedServing& row) {
                      return all.tables[row.table].name + ':' + std::to_string(row.row->line);
                  });
}

bool writeServedDesign(const std::vector<std::string>& files, const std::string& id, const std::string& out) {
    const GpuServers servers(catalog(), shippedKernels());
    for (const auto& file : files)
        for (const auto& row : readServing(file).rows)
            if (row.id == id) {
                saveScenario(servedScenario(servers, servedPlan(servers, row)), out);
                return true;
            }
    return false;
}

} // namespace heteroscape::cli
