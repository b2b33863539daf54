// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/validation/metric_row.h"

#include "engine/base/csv_reader.h"
#include "engine/base/file.h"
#include "engine/catalog/named.h"
#include "engine/units/number_text.h"
#include "engine/validation/measured_table.h"
#include "engine/validation/validation.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kMostMetricRows = 100000;
constexpr double kMillis = 1e3; // in a second

constexpr std::array<ServedMetric, 13> kServedMetrics{{
    {"ttft_ms", "ms", "prompts", [](const ServedResult& run, double) { return kMillis * run.ttft; }},
    {"prefill_ms", "ms", "prompts",
     [](const ServedResult& run, double) { return kMillis * run.promptSeconds; }},
    {"prefill_tok_s", "tok/s", "prompts",
     [](const ServedResult& run, double) { return run.promptTokens / run.promptSeconds; }},
    {"tpot_ms", "ms", "tokens", [](const ServedResult& run, double) { return kMillis * run.tpot; }},
    // Of the gaps between tokens none are kept: the median over requests of their means.
    {"itl_median_ms", "ms", "tokens",
     [](const ServedResult& run, double) { return kMillis * run.tpotMedian; }},
    {"decode_step_ms", "ms", "tokens",
     [](const ServedResult& run, double users) {
         return kMillis * run.decodeSeconds * users / run.decodedTokens;
     }},
    {"decode_tok_s", "tok/s", "tokens",
     [](const ServedResult& run, double) { return run.decodedTokens / run.decodeSeconds; }},
    {"output_tok_s", "tok/s", "rates",
     [](const ServedResult& run, double) { return run.outputTokens / run.end; }},
    {"output_tok_s_gpu", "tok/s", "rates",
     [](const ServedResult& run, double) { return run.outputTokens / run.end / run.gpus; }},
    {"total_tok_s", "tok/s", "rates",
     [](const ServedResult& run, double) { return (run.promptTokens + run.outputTokens) / run.end; }},
    {"processed_tok_s", "tok/s", "rates",
     [](const ServedResult& run, double) { return (run.promptTokens + run.outputTokens) / run.end; }},
    {"power_w_gpu", "W", "power", [](const ServedResult& run, double) { return run.watts / run.gpus; }},
    {"energy_j_tok", "J/tok", "energy",
     [](const ServedResult& run, double) { return run.watts * run.end / run.outputTokens; }},
}};

struct MetricText {
    std::string_view column;
    std::string MetricRow::*member;
    bool needed;
};
constexpr std::array<MetricText, 11> kMetricTexts{{{"device", &MetricRow::device, true},
                                                   {"model", &MetricRow::model, true},
                                                   {"weight_format", &MetricRow::weightFormat, true},
                                                   {"layout", &MetricRow::layout, true},
                                                   {"framework", &MetricRow::framework, true},
                                                   {"concurrency_or_batch", &MetricRow::load, true},
                                                   {"metric", &MetricRow::metric, true},
                                                   {"kv_format", &MetricRow::kvFormat, false},
                                                   {"unit", &MetricRow::unit, false},
                                                   {"source", &MetricRow::source, false},
                                                   {"date", &MetricRow::date, false}}};

struct MetricNumber {
    std::string_view column;
    double MetricRow::*member;
    bool whole;
    double most;
};
constexpr std::array<MetricNumber, 4> kMetricNumbers{{{"count", &MetricRow::count, true, 4096},
                                                      {"isl", &MetricRow::isl, true, 1e7},
                                                      {"osl", &MetricRow::osl, true, 1e7},
                                                      {"measured", &MetricRow::measured, false, 1e12}}};

void checkColumns(const CsvReader& csv) {
    const RowCells cells(csv);
    std::vector<std::string_view> missing;
    for (const auto& text : kMetricTexts)
        if (text.needed && cells.place(text.column) == csv.header().size())
            missing.push_back(text.column);
    for (const auto& number : kMetricNumbers)
        if (cells.place(number.column) == csv.header().size())
            missing.push_back(number.column);
    if (!missing.empty())
        csv.fail("columns are missing: " + joined(missing), "Give all of them");
}

void readMetricRow(const CsvReader& csv, MetricRow& row) {
    constexpr std::size_t kLongestText = 200;
    const RowCells cells(csv);
    for (const auto& text : kMetricTexts) {
        const auto cell = cells.text(text.column);
        row.*text.member = std::string(cell.substr(0, kLongestText));
        if (text.needed && cell.empty())
            csv.failAt(cells.place(text.column), "is empty", "Each row needs it");
        if (cell.size() > kLongestText)
            csv.failAt(cells.place(text.column), "longer than 200 bytes", "Give a name");
    }
    for (const auto& number : kMetricNumbers) {
        cells.read(number.column, row.*number.member, number.whole, number.most);
        if (!(row.*number.member > 0))
            csv.failAt(cells.place(number.column), "is not told", "Give a number above 0");
    }
}

/// In small letters, with hyphens for blanks.
std::string dashed(std::string_view text) {
    auto lower = lowered(text);
    std::replace(lower.begin(), lower.end(), ' ', '-');
    return lower;
}

/// "h100-sxm" is part of "h100-sxm-80gb", and "a100-80gb" of "a100-pcie-80gb": the number of words; 0: not.
std::size_t wordsWithin(std::string_view id, std::string_view name) {
    const auto padded = '-' + std::string(name) + '-';
    std::size_t words = 0;
    for (std::size_t from = 0; from <= id.size(); ++words) {
        const auto end = std::min(id.find('-', from), id.size());
        if (padded.find('-' + std::string(id.substr(from, end - from)) + '-') == padded.npos)
            return 0;
        from = end + 1;
    }
    return words;
}

/// The device of the catalogue that a name means: the one with the most words in it, else the only one whose
/// id begins with it. Throws Error where there is none, or where it has no measured kernels.
const Device& deviceNamed(const Catalog& catalog, const std::string& text) {
    const auto name = dashed(text);
    const Device* found = nullptr;
    std::size_t most = 0;
    for (const auto& device : catalog.devices)
        if (const auto words = wordsWithin(device.id, name); words > most) {
            found = &device;
            most = words;
        }
    if (!found) {
        std::vector<std::string> begun;
        for (const auto& device : catalog.devices)
            if (device.id.starts_with(name + '-')) {
                begun.push_back(device.id);
                found = &device;
            }
        if (begun.size() != 1)
            throw Error(ErrorCode::NotFound, "device",
                        begun.empty() ? "no device of the catalogue is \"" + text + "\""
                                      : "\"" + text + "\" may be any of " + joined(begun),
                        begun.empty() ? "Name one by its id; list devices shows them" : "Name one of them");
    }
    if (found->kernels.empty())
        throw Error(ErrorCode::NotFound, "device",
                    "no kernels were measured on " + found->name + ", nor on one of its architecture",
                    "Servers are known on NVIDIA GPUs from Ampere on");
    const auto room = name.rfind('-') == name.npos ? std::string() : name.substr(name.rfind('-') + 1);
    if (room.ends_with("gb") && wordsWithin(room, found->id) == 0) {
        const auto told = parseNumber(room.substr(0, room.size() - 2));
        const double memory = found->memoryCapacity.value;
        if (told && std::abs(1e9 * *told / memory - 1) > 0.1) // 94 GB are sold as 96, 180 as 192
            throw Error(ErrorCode::NotFound, "device",
                        "\"" + text + "\" is another card than " + found->name + ", of " +
                            exactText(memory / 1e9) + " GB",
                        "Add a device with its memory to the catalogue");
    }
    return *found;
}

/// "TensorRT-LLM 0.17", "SGLang (version not in the file)": the server whose software it names.
const Server& serverNamed(const Catalog& catalog, const std::string& text) {
    const auto name = dashed(text);
    std::vector<std::string> there;
    for (const auto& server : catalog.servers) {
        const auto version = server.software.find_first_of("0123456789");
        const auto software = dashed(server.software.substr(0, version));
        const auto end = software.find_last_not_of('-');
        if (name.starts_with(server.id) ||
            (end != software.npos && name.starts_with(software.substr(0, end + 1))))
            return server;
        there.push_back(server.id);
    }
    throw Error(ErrorCode::NotFound, "framework", "no server of the catalogue is \"" + text + "\"",
                "There are: " + joined(there));
}

/// Formats of weights by the names that people give them.
struct FormatNames {
    std::string_view names; ///< each between blanks
    const char* precision;  ///< of recipes: "fp8"
    const char* dense;
    const char* experts;
};
constexpr std::array<FormatNames, 9> kFormatNames{{
    {" bf16 bfloat16 fp16 half ", "bf16", "bfloat16", "bf16"},
    {" fp8 ", "fp8", "fp8", "fp8"},
    {" fp8_block ", "fp8", "fp8_block", "fp8_block"},
    {" nvfp4 fp4 ", "nvfp4", "nvfp4", "nvfp4"},
    {" nvfp4_moe ", "nvfp4", "nvfp4", "nvfp4"},
    {" mxfp4_moe mxfp4 ", "mxfp4", "bfloat16", "mxfp4"},
    {" int4_g128 int4 awq gptq w4a16 int4_awq int4_gptq awq_int4 gptq_int4 ", "int4", "int4_g128",
     "int4_g128"},
    {" int4_g32_moe ", "int4", "bfloat16", "int4_g32"},
    {" int8 w8a8 ", "int8", "int8", "int8"},
}};

const FormatNames& formatNamed(const std::string& text) {
    const auto name = ' ' + dashed(text) + ' ';
    std::vector<std::string_view> there;
    for (const auto& format : kFormatNames) {
        if (format.names.find(name) != format.names.npos)
            return format;
        there.push_back(format.names.substr(1, format.names.find(' ', 1) - 1));
    }
    throw Error(ErrorCode::NotFound, "weight_format",
                "no kernels were measured of weights in \"" + text + "\"", "Known: " + joined(there));
}

double cacheBytesOf(const std::string& text) {
    const auto name = dashed(text);
    for (const auto* wide : {"", "auto", "bf16", "bfloat16", "fp16"})
        if (name == wide)
            return 2;
    if (!name.starts_with("fp8"))
        throw Error(ErrorCode::NotFound, "kv_format",
                    "no attention was measured over a cache in \"" + text + "\"", "Known: bf16, fp8");
    return 1;
}

/// "tp4 ep4", of `count` GPUs; ranks of data parallelism of a dense model are copies.
ServedWorkers workersNamed(const MetricRow& row, bool dense) {
    ServedWorkers workers;
    auto& layout = workers.layout;
    const std::string where = "layout";
    const std::array<std::pair<std::string_view, double*>, 4> parts{
        {{"tp", &layout.tp}, {"dp", &layout.dp}, {"ep", &layout.expertEp}, {"pp", &layout.pp}}};
    for (std::size_t from = 0; from < row.layout.size();) {
        const auto end = std::min(row.layout.find(' ', from), row.layout.size());
        const auto word = row.layout.substr(from, end - from);
        from = end + 1;
        const auto at = std::find_if(parts.begin(), parts.end(),
                                     [&](const auto& part) { return word.starts_with(part.first); });
        const auto size = at == parts.end() ? std::nullopt : parseNumber(word.substr(2));
        if (!size || !(*size >= 1 && *size <= 4096) || *size != std::floor(*size))
            throwInvalid(where, "\"" + word + "\" is no part of a layout",
                         "Write tp, dp, ep or pp with a whole number behind it, such as tp4 ep4");
        *at->second = *size;
    }
    if (dense && layout.expertEp > 1)
        throwInvalid(where, "a dense model has no experts that ranks are dealt", "Leave ep out");
    if (dense)
        workers.count = std::exchange(layout.dp, 1.0);
    const double ranks = workers.count * layout.ranks();
    if (std::fmod(row.count, ranks) != 0)
        throwInvalid(where,
                     "\"" + row.layout + "\" takes " + exactText(ranks) + " GPUs, of which count " +
                         exactText(row.count) + " is no multiple",
                     "Give the count of GPUs that the layout takes, or more replicas of it");
    workers.count *= row.count / ranks;
    const double stage = layout.ranks() / layout.pp;
    if (std::fmod(stage, layout.expertEp) != 0)
        throwInvalid(where, "experts are dealt to more ranks than share them",
                     "Give an ep that divides tp x dp");
    layout.expertTp = stage / layout.expertEp;
    return workers;
}

} // namespace

std::span<const ServedMetric> servedMetrics() {
    return kServedMetrics;
}

std::string MetricRow::served() const {
    std::string text;
    for (const auto& part : kMetricTexts)
        if (part.member != &MetricRow::metric && part.member != &MetricRow::unit)
            text += this->*part.member + '\n';
    for (const double number : {count, isl, osl})
        text += exactText(number) + '\n';
    return text;
}

bool isMetricHeader(const std::vector<std::string>& header) {
    const auto has = [&](std::string_view column) {
        return std::find(header.begin(), header.end(), column) != header.end();
    };
    return has("metric") && has("measured");
}

MetricTable parseMetrics(std::istream& in, const std::string& name) {
    CsvReader csv(in, name);
    checkColumns(csv);
    MetricTable table;
    table.name = name;
    for (bool more = true; more;) {
        MetricRow row;
        try {
            more = csv.next();
            if (!more)
                break;
            readMetricRow(csv, row);
        } catch (const Error& error) {
            if (in.fail() && !in.eof()) // of a line without an end nothing more can be read
                throw;
            row.fault = error;
        }
        row.line = csv.line();
        if (table.rows.size() == kMostMetricRows)
            csv.fail("more than 100,000 rows", "Cut the table into several files");
        table.rows.push_back(std::move(row));
    }
    if (table.rows.empty())
        csv.fail("there is no row after the header", "Give one line for each measurement");
    return table;
}

MetricTable readMetrics(const std::string& path) {
    InputFile file(path);
    return parseMetrics(file, path);
}

bool isMetricFile(const std::string& path) {
    InputFile file(path);
    return isMetricHeader(CsvReader(file, path).header());
}

const ServedMetric& servedMetric(const MetricRow& row) {
    std::vector<std::string_view> there;
    for (const auto& metric : kServedMetrics) {
        if (metric.key == row.metric) {
            if (!row.unit.empty() && row.unit != metric.unit)
                throwInvalid("unit", row.metric + " is told in " + row.unit,
                             "Give it in " + std::string(metric.unit));
            return metric;
        }
        there.push_back(metric.key);
    }
    throw Error(ErrorCode::NotFound, "metric", "the program gives no \"" + row.metric + "\"",
                "It gives " + joined(there));
}

ServedPlan servedPlan(const GpuServers& servers, const MetricRow& row) {
    constexpr double kMostRequests = 1e6, kMostPromptSteps = 1e6;
    if (row.fault)
        throw Error(*row.fault);
    const auto& catalog = servers.catalog();
    RecipeLabels labels;
    labels.backend = serverNamed(catalog, row.framework).id;
    labels.device = deviceNamed(catalog, row.device).id;
    const auto& model = catalog.model(row.model, "model");
    labels.model = model.id;
    const auto& format = formatNamed(row.weightFormat);
    labels.precision = format.precision;
    labels.denseFormat = format.dense;
    labels.expertFormat = format.experts;
    labels.script = "none";
    labels.date = row.date;
    labels.isl = row.isl;
    labels.osl = row.osl;
    const auto blank = std::min(row.load.find(' '), row.load.size());
    const auto kind = row.load.substr(0, blank);
    const double number =
        parseNumber(std::string_view(row.load).substr(std::min(blank + 1, row.load.size()))).value_or(0.0);
    const bool known = kind == "users" || kind == "backlog" || kind == "batch";
    if (!known || !(number >= 1 && number <= kMostRequests) || number != std::floor(number))
        throwInvalid("concurrency_or_batch", "\"" + row.load + "\" is no load",
                     "Write users, backlog or batch with a whole number behind it, such as users 64");
    labels.users = number;
    const auto workers = workersNamed(row, kindOf(model) == "dense");
    auto plan = servers.plan(std::move(labels), workers.layout);
    plan.workers.count = workers.count;
    auto& formats = plan.recipe.formats;
    formats.cacheBytes = cacheBytesOf(row.kvFormat);
    if (dashed(row.weightFormat) == "nvfp4_moe")
        formats.attention = "bfloat16";
    plan.atOnce = kind != "users";
    plan.ratio = 1.0;
    plan.source = row.source.empty() ? "document of the row" : row.source;
    if (plan.labels.users * std::ceil(row.isl / plan.recipe.budget) > kMostPromptSteps)
        throwInvalid("row", "its prompts take more than a million steps to be read once",
                     "Give fewer users or shorter prompts");
    return plan;
}

} // namespace heteroscape::engine
