// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/validation/benchmark_run.h"

#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/scenario/edit.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

namespace heteroscape::engine {

namespace {

/// A figure of a benchmark, and the same of a simulation.
struct Figure {
    std::array<std::string_view, 2> keys; ///< of vLLM and SGLang; empty: alike
    std::string_view label, unit;
    double scale; ///< of its unit
    double (*of)(const ServingResult&);
};

double perSecond(double amount, const ServingResult& result) {
    return amount / result.seconds();
}

constexpr std::array<Figure, 14> kFigures{
    {{{"mean_ttft_ms"}, "Time to first token, mean", "ms", 1e3, [](auto& r) { return r.ttft.mean(); }},
     {{"median_ttft_ms"},
      "Time to first token, median",
      "ms",
      1e3,
      [](auto& r) { return r.ttft.quantile(0.5); }},
     {{"p90_ttft_ms"}, "Time to first token, p90", "ms", 1e3, [](auto& r) { return r.ttft.quantile(0.9); }},
     {{"p99_ttft_ms"}, "Time to first token, p99", "ms", 1e3, [](auto& r) { return r.ttft.quantile(0.99); }},
     {{"mean_tpot_ms"}, "Time per output token, mean", "ms", 1e3, [](auto& r) { return r.tpot.mean(); }},
     {{"median_tpot_ms"},
      "Time per output token, median",
      "ms",
      1e3,
      [](auto& r) { return r.tpot.quantile(0.5); }},
     {{"p90_tpot_ms"}, "Time per output token, p90", "ms", 1e3, [](auto& r) { return r.tpot.quantile(0.9); }},
     {{"p99_tpot_ms"},
      "Time per output token, p99",
      "ms",
      1e3,
      [](auto& r) { return r.tpot.quantile(0.99); }},
     {{"mean_e2el_ms", "mean_e2e_latency_ms"},
      "End to end, mean",
      "ms",
      1e3,
      [](auto& r) { return r.latency.mean(); }},
     {{"median_e2el_ms", "median_e2e_latency_ms"},
      "End to end, median",
      "ms",
      1e3,
      [](auto& r) { return r.latency.quantile(0.5); }},
     {{"p99_e2el_ms", "p99_e2e_latency_ms"},
      "End to end, p99",
      "ms",
      1e3,
      [](auto& r) { return r.latency.quantile(0.99); }},
     {{"output_throughput"},
      "Output tokens",
      "tok/s",
      1,
      [](auto& r) { return perSecond(r.outputTokens, r); }},
     {{"request_throughput"},
      "Requests",
      "req/s",
      1,
      [](auto& r) { return perSecond(static_cast<double>(r.done), r); }},
     {{"duration"}, "Whole run", "s", 1, [](auto& r) { return r.seconds(); }}}};

constexpr double kMostLoad = 1e12; ///< users or requests/s: what is larger stands for none

/// A number of a run, 0 where it has none.
double numberOf(const Json& json, std::string_view key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_number() && std::isfinite(found->get<double>())
               ? found->get<double>()
               : 0.0;
}

double countOf(const Json& json, std::string_view key, const std::string& where) {
    const double count = numberOf(json, key);
    if (!(count >= 1.0) || count > kMostLoad)
        throwInvalid(where + "." + std::string(key), "a benchmark has a number from 1 here",
                     "Give the file that vllm bench serve --save-result or SGLang's bench_serving wrote");
    return count;
}

std::string textOf(const Json& json, std::string_view key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

BenchmarkRun runOf(const Json& json, const std::string& where) {
    if (!json.is_object())
        throwInvalid(where, "it is no JSON object of a benchmark's run",
                     "Give the file that vllm bench serve --save-result or SGLang's bench_serving wrote");
    BenchmarkRun run;
    run.software = textOf(json, "backend");
    run.requests = countOf(json, "completed", where);
    run.prompt = countOf(json, "total_input_tokens", where) / run.requests;
    run.output = countOf(json, "total_output_tokens", where) / run.requests;
    for (const auto& [key, member] :
         {std::pair{"max_concurrency", &BenchmarkRun::users}, std::pair{"request_rate", &BenchmarkRun::rate}})
        if (const double value = numberOf(json, key); value > 0.0 && value < kMostLoad)
            run.*member = value;
    for (const auto& figure : kFigures)
        for (const auto key : figure.keys)
            if (const double value = key.empty() ? 0.0 : numberOf(json, key); value > 0.0)
                run.told.push_back({figure.keys[0], figure.label, figure.unit, value});
    if (run.told.empty())
        throwInvalid(where, "it tells no time and no rate",
                     "Give a run with mean_ttft_ms, mean_tpot_ms or output_throughput");
    return run;
}

} // namespace

std::vector<BenchmarkRun> readBenchmarkRuns(const std::string& text, const std::string& where) {
    try {
        return {runOf(parsePythonsJson(text, where), where)};
    } catch (const Error&) {
        if (trimmed(text).find('\n') == std::string_view::npos)
            throw;
    }
    std::vector<BenchmarkRun> runs;
    std::istringstream lines(text);
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        const auto place = where + ":" + std::to_string(++number);
        if (!trimmed(line).empty())
            runs.push_back(runOf(parsePythonsJson(line, place), place));
    }
    return runs;
}

std::vector<LoadSetting> loadOf(const BenchmarkRun& run) {
    const bool hasRate = std::isfinite(run.rate), isLoop = std::isfinite(run.users) && !hasRate;
    const double users = std::min(run.users, run.requests);
    const auto count = [](double value) { return exactText(std::max(1.0, std::round(value))); };
    const auto ofLoop = [&](const std::string& value) { return isLoop ? value : std::string(); };
    return {{"workload.prompt_tokens", count(run.prompt)},
            {"workload.output_tokens", count(run.output)},
            {"serving.arrivals", isLoop    ? "closed_loop"
                                 : hasRate ? "poisson"
                                           : "backlog"},
            {"serving.users", ofLoop(exactText(users))},
            {"serving.waves", ofLoop(count(run.requests / users))},
            {"serving.length_ratio", ofLoop("1")},
            {"serving.warm_up", ofLoop("0")},
            {"serving.requests", isLoop ? std::string() : exactText(run.requests)},
            {"serving.rate_req_s", hasRate ? exactText(run.rate) : std::string()}};
}

Scenario underLoadOf(const BenchmarkRun& run, Scenario design, const Catalog& catalog) {
    for (const auto& [path, text] : loadOf(run))
        if (!text.empty())
            applyEdit(design, setEdit(design, catalog, std::string(path), text));
    return design;
}

std::vector<BenchmarkCell> besideMeasured(const BenchmarkRun& run, const ServingEvaluation& serving) {
    std::vector<BenchmarkCell> cells;
    for (const auto& told : run.told) {
        const auto figure =
            std::ranges::find_if(kFigures, [&](const Figure& one) { return one.keys[0] == told.key; });
        cells.push_back({told, figure->scale * figure->of(serving.result)});
    }
    return cells;
}

} // namespace heteroscape::engine
