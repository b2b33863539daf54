// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/validation_document.h"

#include "app/documents/number.h"

#include "engine/base/parallel.h"
#include "engine/servers/served_plan.h"
#include "engine/timing/kernels/kernel_catalog.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

bool areAll(const std::vector<std::string>& keys, std::span<const std::string_view> there) {
    return std::all_of(keys.begin(), keys.end(), [&](const std::string& key) {
        return std::find(there.begin(), there.end(), key) != there.end();
    });
}

Json groupJson(const KernelValidation& validated, const ValidationGroup& group) {
    Json json = {{"rows", group.rows},
                 {"median_percent", number(group.medianPercent)},
                 {"p90_percent", number(group.p90Percent)},
                 {"bias_percent", number(group.biasPercent)},
                 {"roofline_median_percent", number(group.rooflinePercent)}};
    for (std::size_t i = 0; i < group.labels.size(); ++i)
        json[validated.keys[i]] = group.labels[i];
    return json;
}

Json rowJson(const KernelValidation& validated, const ValidatedRow& row) {
    Json json = {{"file", validated.tables[row.table].name},
                 {"line", row.row->line()},
                 {"measured", number(row.measuredUs)}};
    for (const auto* key : {"op", "device", "framework", "precision"})
        json[key] = validationLabel(row, key);
    for (const auto& key : validated.keys)
        json[key] = validationLabel(row, key);
    if (!row.answered()) {
        json["why"] = row.why;
        return json;
    }
    json["predicted"] = number(row.predictedUs);
    json["error"] = number(row.error());
    json["bound"] = kernelBoundName(row.bound);
    json["roofline"] = number(row.rooflineUs);
    return json;
}

Json kernelsJson(const KernelValidation& validated) {
    Json files = Json::array(), rows = Json::array(), unanswered = Json::array(), groups = Json::array();
    for (const auto& table : validated.tables)
        files.push_back({{"file", table.name}, {"rows", table.rows.size()}});
    for (const auto& row : validated.rows)
        (row.answered() ? rows : unanswered).push_back(rowJson(validated, row));
    for (const auto& group : validated.groups)
        groups.push_back(groupJson(validated, group));
    Json json = {{"unit", "us"},
                 {"files", std::move(files)},
                 {"by", validated.keys},
                 {"groups", std::move(groups)},
                 {"rows", std::move(rows)},
                 {"unanswered", std::move(unanswered)}};
    if (!validated.all.empty())
        json["all"] = groupJson(validated, validated.all.front());
    return json;
}

/// Errors of a group of systems, per cent, and the shares of rows within the bands of 50 and 80 %.
Json errorsJson(const ValidationGroup& errors) {
    Json json = {{"rows", errors.rows}};
    if (errors.rows > 0) {
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

/// The bands of one prediction: "band_50" and "band_80" behind `of`, from and to, in its unit.
void addBand(Json& json, const std::string& of, const SystemError& band, double predicted) {
    json[of + "band_50"] = {number(predicted / (1.0 + band.half)), number(predicted * (1.0 + band.half))};
    json[of + "band_80"] = {number(predicted / (1.0 + band.most)), number(predicted * (1.0 + band.most))};
}

Json measuredOrNull(bool there, double value) {
    return there ? number(value) : Json(nullptr);
}

Json servedRowJson(const ServingValidation& all, const ValidatedServing& validated) {
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

Json serversJson(const ServingValidation& all, const std::vector<std::string>& keys) {
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
        Json json = {{"tpot", errorsJson(group.tpot)}, {"ttft", errorsJson(group.ttft)}};
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
    for (const auto& told : servingTold())
        for (const auto& group : groupServing(all.rows, told))
            json["errors_by"][told.front()][group.labels.front()] = {{"tpot", errorsJson(group.tpot)},
                                                                     {"ttft", errorsJson(group.ttft)}};
    const auto worst = worstServing(all.rows, 3);
    const auto addWorst = [&json](const char* what, const std::vector<WorstServing::Group>& offenders) {
        for (const auto& group : offenders) {
            auto one = errorsJson(group.errors);
            one["group"] = group.labels.front();
            json["furthest_off"][what].push_back(std::move(one));
        }
    };
    addWorst("tpot", worst.tpot);
    addWorst("ttft", worst.ttft);
    const auto whole = groupServing(all.rows, {});
    if (!whole.empty())
        json["all"] = {{"tpot", errorsJson(whole.front().tpot)}, {"ttft", errorsJson(whole.front().ttft)}};
    return json;
}

Json groupsJson(const MetricValidation& all, const std::vector<std::string>& keys) {
    Json groups = Json::array();
    for (const bool apart : {false, true})
        for (const auto& group : groupMetrics(all.rows, keys, apart)) {
            auto json = errorsJson(group);
            json["power_and_energy"] = apart;
            for (std::size_t i = 0; i < keys.size(); ++i)
                json[keys[i]] = group.labels[i];
            groups.push_back(std::move(json));
        }
    return groups;
}

Json metricsJson(const MetricValidation& all, const std::vector<std::string>& keys) {
    const auto by = keys.empty() ? metricsTold().front() : keys;
    Json list = Json::array(), rows = Json::array(), unanswered = Json::array();
    for (const auto& table : all.tables)
        list.push_back({{"file", table.name}, {"rows", table.rows.size()}});
    for (const auto& row : all.rows) {
        Json json = {{"file", all.tables[row.table].name},
                     {"line", row.row->line},
                     {"measured", number(row.row->measured)},
                     {"predicted", row.answered() ? number(row.predicted) : Json(nullptr)},
                     {"unit", row.metric ? Json(std::string(row.metric->unit)) : Json(nullptr)}};
        for (const auto key : metricKeys())
            json[std::string(key)] = metricLabel(row, key);
        if (row.answered())
            json["error"] = number(row.errorPercent() / 100);
        if (row.answered())
            addBand(json, "",
                    SystemErrors::shipped().of(row.served, systemQuantityNamed(row.metric->quantity)),
                    row.predicted);
        else
            json["why"] = row.why;
        if (!row.answered())
            unanswered.push_back(json);
        rows.push_back(std::move(json));
    }
    Json json = {{"files", std::move(list)},
                 {"by", by},
                 {"groups", groupsJson(all, by)},
                 {"rows", std::move(rows)},
                 {"unanswered", std::move(unanswered)}};
    for (const bool apart : {false, true})
        for (const auto& group : groupMetrics(all.rows, {}, apart))
            json[apart ? "all_power_and_energy" : "all"] = errorsJson(group);
    return json;
}

} // namespace

std::string KernelValidation::place(const ValidatedRow& row) const {
    return tables[row.table].name + ':' + std::to_string(row.row->line());
}
std::string ServingValidation::place(const ValidatedServing& row) const {
    return tables[row.table].name + ':' + std::to_string(row.row->line);
}
std::string MetricValidation::place(const ValidatedMetric& row) const {
    return tables[row.table].name + ':' + std::to_string(row.row->line);
}

const std::vector<std::vector<std::string>>& servingTold() {
    static const std::vector<std::vector<std::string>> told{
        {"set"}, {"group"}, {"precision"}, {"device"}, {"framework"}, {"users"}, {"lengths"}};
    return told;
}

const std::vector<std::vector<std::string>>& metricsTold() {
    static const std::vector<std::vector<std::string>> told{{"kind", "quantity"}, {"source"}, {"framework"},
                                                            {"device"},           {"metric"}, {"date"}};
    return told;
}

MeasuredFiles measuredFiles(const Catalog& catalog, const std::vector<std::string>& files,
                            const std::vector<std::string>& keys) {
    MeasuredFiles sorted;
    if (files.empty()) {
        // With keys that only one sort of rows has, the others are left out.
        const bool ofServers = areAll(keys, servingKeys());
        if (keys.empty() || !ofServers || areAll(keys, validationKeys()))
            sorted.kernels = shippedMeasured(catalog.folder);
        if (keys.empty() || ofServers)
            sorted.servers = shippedServing(catalog.folder);
    }
    for (const auto& file : files)
        (isMetricFile(file)    ? sorted.metrics
         : isServingFile(file) ? sorted.servers
                               : sorted.kernels)
            .push_back(file);
    return sorted;
}

KernelValidation validatedKernels(const Catalog& catalog, const std::vector<std::string>& files,
                                  const std::vector<std::string>& keys, const std::stop_token& stop) {
    KernelValidation validated;
    validated.keys = keys.empty() ? std::vector<std::string>{"op"} : keys;
    groupErrors({}, validated.keys); // an unknown key, before any work
    for (const auto& file : files)
        validated.tables.push_back(readMeasured(file));
    validated.rows = validateKernels(loadKernelCatalog(catalog.folder), validated.tables, stop);
    validated.groups = groupErrors(validated.rows, validated.keys);
    validated.all = groupErrors(validated.rows, {});
    return validated;
}

ServingValidation validatedServers(const Catalog& catalog, const std::vector<std::string>& files,
                                   const std::vector<std::string>& keys, const std::stop_token& stop) {
    groupServing({}, keys); // an unknown key, before any work
    ServingValidation all;
    for (const auto& file : files)
        all.tables.push_back(readServing(file));
    const GpuServers servers(catalog, shippedKernels());
    all.rows = validateServing(servers, all.tables, coreCount(), stop);
    return all;
}

NearValidation nearRuns(const Catalog& catalog, const Scenario& design, const std::vector<std::string>& files,
                        const std::stop_token& stop) {
    NearValidation near;
    for (const auto& file : files)
        near.runs.tables.push_back(readServing(file));
    const GpuServers servers(catalog, shippedKernels());
    near.apart = nearServing(design, servers, near.runs.tables, 5);
    for (const auto& one : near.apart) {
        near.runs.rows.push_back(validateServing(servers, *one.row, stop));
        near.runs.rows.back().table = one.table;
        near.words.push_back(nearText(servers, near.runs.rows.back()));
    }
    return near;
}

Json nearJson(const NearValidation& near) {
    Json list = Json::array();
    for (std::size_t i = 0; i < near.apart.size(); ++i) {
        list.push_back(servedRowJson(near.runs, near.runs.rows[i]));
        list.back()["apart"] = number(near.apart[i].apart);
        list.back()["differs"] = near.apart[i].differs;
        list.back()["words"] = near.words[i];
    }
    return {{"unit", "ms"}, {"near", std::move(list)}};
}

MetricValidation validatedMetrics(const Catalog& catalog, const std::vector<std::string>& files,
                                  const std::vector<std::string>& keys, const std::stop_token& stop) {
    groupMetrics({}, keys); // an unknown key, before any work
    MetricValidation all;
    for (const auto& file : files)
        all.tables.push_back(readMetrics(file));
    const GpuServers servers(catalog, shippedKernels());
    all.rows = validateMetrics(servers, all.tables, coreCount(), stop);
    return all;
}

Json validationJson(const Catalog& catalog, const MeasuredFiles& files, const std::vector<std::string>& keys,
                    const std::stop_token& stop) {
    Json json = Json::object();
    const auto put = [&](const char* form, Json part) {
        if (json.empty())
            json = std::move(part);
        else
            json[form] = std::move(part);
    };
    if (!files.kernels.empty())
        put("kernels", kernelsJson(validatedKernels(catalog, files.kernels, keys, stop)));
    if (!files.servers.empty())
        put("serving", serversJson(validatedServers(catalog, files.servers, keys, stop), keys));
    if (!files.metrics.empty())
        put("metrics", metricsJson(validatedMetrics(catalog, files.metrics, keys, stop), keys));
    return json;
}

} // namespace heteroscape::cli
