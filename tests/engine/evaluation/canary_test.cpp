// SPDX-License-Identifier: GPL-3.0-or-later

// Stored points are reused by the name of their equations. So when a number moves, kEquationsVersion has to
// move with it: tests/data/canary.json holds some 300 evaluations and the version that they were made with.
//
//   HETEROSCAPE_WRITE_CANARY=1 build/bin/engine_test -tc="canary:*"
//
// writes it anew, after kEquationsVersion was raised where a number has moved. (=again: also where the
// version of the file has not landed yet, and was raised for this already.)

#include "engine/base/file.h"
#include "engine/claims/claims.h"
#include "engine/evaluation/simulate.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/parameters.h"
#include "engine/units/number_text.h"
#include "engine/version.h"
#include "tests/engine/fixtures.h"
#include "tests/places.h"
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

constexpr double kSame = 1e-12; // relative; another compiler may round otherwise
const std::string kHowToWrite = "HETEROSCAPE_WRITE_CANARY=1 build/bin/engine_test -tc=\"canary:*\"";

using Edits = std::vector<std::pair<std::string, std::string>>;

struct Design {
    std::string text; ///< "glitches/8u280 workload.batch=2"
    Scenario scenario;
};

/// What an evaluation says: N/A is left out.
struct Answer {
    bool feasible = false;
    std::string bound;
    std::map<std::string, double> metrics; ///< by key, in the shown unit

    bool operator==(const Answer&) const = default;
};

struct Canary {
    std::string equations;
    std::map<std::string, bool> defaults;  ///< switches that keys leave out where they are so
    std::map<std::string, Answer> answers; ///< by the text of the design
};

/// The edits of one preset: counts, batches, lengths, devices, models, bandwidths, techniques, requests.
std::vector<Edits> editsOf(const Scenario& scenario, std::size_t number) {
    const auto& nodes = scenario.nodes;
    const auto node = std::find_if(nodes.begin(), nodes.end(), [](const Node& one) {
        return isAccelerator(one.device.kind) && one.role != Role::Fabric;
    });
    REQUIRE(node != nodes.end());
    const auto at = "nodes." + node->id.value + ".";
    const auto& link = scenario.links.front();
    const auto half = [](const Quantity& quantity, double scale) {
        return exactText(toEdge(quantity.value, scale) / 2.0);
    };
    std::vector<Edits> all{
        {},
        {{"workload.batch", "3"}},
        {{"workload.batch", "64"}, {"workload.prompt_tokens", "76"}, {"workload.output_tokens", "445"}},
        {{"workload.prompt_tokens", "2450"}, {"workload.output_tokens", "1"}},
        {{"workload.batch", "65536"}, {"workload.prompt_tokens", "1000000"}}, // fits nowhere
        {{at + "count", exactText(2.0 * node->count.value)}},
        {{at + "device.memory_bandwidth_gbps", half(node->device.memoryBandwidth, 1e9)},
         {at + "device.price_usd", "12345"}},
        {{"links." + link.id.value + ".bandwidth_gbps", half(link.type.bandwidth, 1e9)},
         {"links." + link.id.value + ".latency_us", "55"}},
        {{"model", number % 2 ? "llama2-7b" : "mixtral-8x7b"}},
        {{at + "device", number % 3 == 0   ? "h100-sxm"
                         : number % 3 == 1 ? "tpu-v5p"
                                           : "v100s"}},
        {{"serving.arrivals", number % 2 ? "poisson" : "backlog"}, {"serving.requests", "40"}},
        {{"serving.arrivals", "poisson"},
         {"serving.batching", "continuous"},
         {"serving.rate_req_s", "0.5"},
         {"serving.requests", "40"},
         {"workload.batch", "4"}},
    };
    std::vector<std::string> switches;
    for (const auto& parameter : listParameters(scenario, catalog()))
        if (parameter.kind == ParameterKind::Boolean)
            switches.push_back(parameter.path);
    for (std::size_t i = 0; i < 2; ++i) { // other ones for each preset
        const auto& path = switches[(2 * number + i) % switches.size()];
        const auto parameter = findParameter(scenario, catalog(), path);
        all.push_back({{path, parameterText(scenario, parameter) == "true" ? "false" : "true"}});
    }
    return all;
}

/// Always the same designs in the same order.
std::vector<Design> designs() {
    std::vector<Design> all;
    std::size_t number = 0;
    for (const auto& info : listPresets(catalog())) {
        const auto base = preset(info.id);
        for (const auto& edits : editsOf(base, number)) {
            Design design{info.id, base};
            for (const auto& [path, text] : edits) {
                design.text += " " + path + "=" + text;
                design.scenario = with(design.scenario, path, text);
            }
            all.push_back(std::move(design));
        }
        ++number;
    }
    return all;
}

Answer answerOf(const Scenario& scenario) {
    auto evaluation = evaluate(scenario, Detail::Metrics);
    Answer answer{evaluation.feasible, boundKey(scenario, evaluation), {}};
    if (scenario.serving.isSimulated() && !hasErrors(validate(scenario))) {
        const auto serving = simulate(scenario, evaluation);
        setServingMetrics(serving, evaluation);
        answer.feasible |= serving.ran();
    }
    for (const auto& spec : metricSpecs())
        if (const double value = evaluation.metric(spec.metric); !std::isnan(value))
            answer.metrics[std::string(spec.key)] = toEdge(value, spec.scale);
    return answer;
}

Canary canaryNow() {
    Canary canary{std::string(kEquationsVersion), {}, {}};
    const Scenario fresh;
    for (const auto& parameter : listParameters(fresh, catalog()))
        if (parameter.kind == ParameterKind::Boolean)
            canary.defaults[parameter.path] = parameterText(fresh, parameter) == "true";
    for (const auto& design : designs())
        canary.answers[design.text] = answerOf(design.scenario);
    return canary;
}

/// One line a design; the metrics in the order of the metrics that the head names, without those at the end
/// that there are none of.
std::string textOf(const Canary& canary) {
    std::set<std::string> keys;
    for (const auto& [design, answer] : canary.answers)
        for (const auto& [key, value] : answer.metrics)
            keys.insert(key);
    std::string text = "{\"equations\": " + Json(canary.equations).dump() +
                       ",\n\"defaults\": " + Json(canary.defaults).dump() +
                       ",\n\"metrics\": " + Json(keys).dump() + ",\n\"evaluations\": [";
    const char* separator = "\n";
    for (const auto& [design, answer] : canary.answers) {
        Json metrics = Json::array();
        for (const auto& key : keys) {
            const auto found = answer.metrics.find(key);
            metrics.push_back(found == answer.metrics.end() ? Json() : Json(found->second));
        }
        while (!metrics.empty() && metrics.back().is_null())
            metrics.erase(metrics.size() - 1);
        text += separator + Json({design, answer.feasible, answer.bound, metrics}).dump();
        separator = ",\n";
    }
    return text + "\n]}\n";
}

Canary readCanary(const std::string& path) {
    const auto json = parseJson(readFile(path), path);
    Canary canary{json.at("equations"), json.at("defaults"), {}};
    for (const auto& line : json.at("evaluations")) {
        auto& answer = canary.answers[line.at(0)];
        answer.feasible = line.at(1);
        answer.bound = line.at(2);
        for (std::size_t i = 0; i < line.at(3).size(); ++i)
            if (const auto& metric = line.at(3)[i]; !metric.is_null())
                answer.metrics[json.at("metrics").at(i)] = metric;
    }
    return canary;
}

std::string text(const std::map<std::string, double>& metrics, const std::string& key) {
    const auto found = metrics.find(key);
    return found == metrics.end() ? "N/A" : exactText(found->second);
}

bool isSame(const Answer& was, const Answer& is, const std::string& key) {
    const auto before = was.metrics.find(key), now = is.metrics.find(key);
    if (before == was.metrics.end() || now == is.metrics.end())
        return before == was.metrics.end() && now == is.metrics.end();
    return std::fabs(now->second - before->second) <= kSame * std::fabs(before->second);
}

/// A line for every number that moved.
std::string differences(const Canary& was, const Canary& is) {
    std::string lines;
    const auto add = [&](const std::string& what, const std::string& before, const std::string& now) {
        lines.append(what).append(": ").append(before).append(" -> ").append(now).append("\n");
    };
    for (const auto& [path, on] : was.defaults)
        if (const auto now = is.defaults.find(path); now != is.defaults.end() && now->second != on)
            add("default of " + path, on ? "true" : "false", on ? "false" : "true");
    for (const auto& [design, answer] : was.answers) {
        const auto found = is.answers.find(design);
        if (found == is.answers.end())
            continue;
        const auto& now = found->second;
        if (answer.feasible != now.feasible)
            add(design + " feasible", answer.feasible ? "true" : "false", now.feasible ? "true" : "false");
        if (answer.bound != now.bound)
            add(design + " bound", answer.bound, now.bound);
        for (const auto& spec : metricSpecs()) // those that both know
            if (const std::string key(spec.key); !isSame(answer, now, key))
                add(design + " " + key, text(answer.metrics, key), text(now.metrics, key));
    }
    return lines;
}

template <class Map>
std::set<std::string> namesOf(const Map& map) {
    std::set<std::string> names;
    for (const auto& [name, value] : map)
        names.insert(name);
    return names;
}

std::set<std::string> metricsOf(const Canary& canary) {
    std::set<std::string> names;
    for (const auto& [design, answer] : canary.answers)
        names.merge(namesOf(answer.metrics));
    return names;
}

} // namespace

TEST_CASE("canary: no number moves while the equations keep their name") {
    const std::string path = std::string(heteroscape::places::kTestData) + "/canary.json";
    const char* wish = std::getenv("HETEROSCAPE_WRITE_CANARY");
    const auto now = canaryNow();
    const bool isThere = !listFiles(heteroscape::places::kTestData, "canary.json").empty();
    if (!isThere) {
        REQUIRE_MESSAGE(wish, path << " is missing: write it with " << kHowToWrite);
        writeFileAtomically(path, textOf(now));
    }
    const auto stored = readCanary(path);
    const auto moved = differences(stored, now);
    const bool sameName = stored.equations == now.equations;
    const bool forced = wish && std::string_view(wish) == "again";
    if (wish && (forced || !sameName || moved.empty())) {
        writeFileAtomically(path, textOf(now));
        return;
    }
    if (!moved.empty() || !sameName) {
        writeFileAtomically(path + ".actual", textOf(now));
        writeFileAtomically(path + ".diff.actual", moved);
    }
    const auto first = moved.substr(0, moved.find('\n'));
    const auto count = std::count(moved.begin(), moved.end(), '\n');
    CHECK_MESSAGE(
        (moved.empty() || !sameName),
        count << " number(s) moved (" << path << ".diff.actual), the first: " << first
              << "\nStored points would be wrong: raise kEquationsVersion in engine/version.h, then "
                 "write the canary anew with "
              << kHowToWrite);
    CHECK_MESSAGE(sameName, "the canary is of "
                                << stored.equations << ", the program of " << now.equations << ", " << count
                                << " number(s) moved: write the canary anew with " << kHowToWrite);
    const bool sameList = namesOf(stored.answers) == namesOf(now.answers) &&
                          namesOf(stored.defaults) == namesOf(now.defaults) &&
                          metricsOf(stored) == metricsOf(now);
    CHECK_MESSAGE(sameList, "other designs, metrics or switches than those of "
                                << path << ": write it anew with " << kHowToWrite);
}

TEST_CASE("canary: it notices a number that moves, a bound, a default, and reads what it wrote") {
    Canary was{"equations-1", {{"a", true}}, {}};
    was.answers["design"] = {true, "gpu decode memory", {{"throughput_tok_s", 100.0}, {"ttft_s", 0.25}}};
    const TemporaryFolder folder;
    writeFileAtomically(folder.path() + "/canary.json", textOf(was));
    const auto read = readCanary(folder.path() + "/canary.json");
    CHECK(read.equations == was.equations);
    CHECK(read.defaults == was.defaults);
    CHECK(read.answers == was.answers);
    CHECK(differences(was, read).empty());
    auto now = was;
    now.answers["design"].metrics["throughput_tok_s"] *= 1.0 + 1e-11;
    CHECK(differences(was, now).starts_with("design throughput_tok_s: 100 -> 100.00000000"));
    now = was;
    now.answers["design"].metrics.erase("ttft_s");
    CHECK(differences(was, now) == "design ttft_s: 0.25 -> N/A\n");
    now = was;
    now.answers["design"].bound = "none";
    CHECK(differences(was, now) == "design bound: gpu decode memory -> none\n");
    now = was;
    now.defaults["a"] = false;
    CHECK(differences(was, now) == "default of a: true -> false\n");
}
