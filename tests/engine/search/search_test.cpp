// SPDX-License-Identifier: GPL-3.0-or-later
// Searches against references that look at every point by other means.
#include "engine/base/file.h"
#include "engine/evaluation/evaluate.h"
#include "engine/plotting/pareto.h"
#include "engine/scenario/scenario_json.h"
#include "engine/search/search_record.h"
#include "engine/search/search_result.h"
#include "engine/study_run/evaluate_study.h"
#include "engine/techniques/l2_prefetch.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

SearchProblem problemOf(const Scenario& base, const std::vector<std::string>& axes,
                        std::vector<SearchGoal> goals, const std::vector<std::string>& limits = {}) {
    SearchProblem problem;
    problem.study.base = base;
    problem.study.name = "search";
    for (const auto& axis : axes)
        problem.study.axes.push_back(parseAxis(base, catalog(), axis));
    for (const auto& limit : limits)
        problem.study.limits.push_back(parseLimit(limit));
    problem.goals = std::move(goals);
    return problem;
}

const std::vector<SearchGoal> kTwo{{"throughput_tok_s", 1}, {"price_usd", -1}};
const std::vector<SearchGoal> kThree{{"throughput_tok_s", 1}, {"price_usd", -1}, {"ttft_s", -1}};

SearchProblem glitches(const std::vector<std::string>& axes, std::vector<SearchGoal> goals,
                       const std::vector<std::string>& limits = {}) {
    return problemOf(preset("glitches/a100-7u280"), axes, std::move(goals), limits);
}

/// The values of the goals at every point that runs and keeps the limits, by the evaluation of whole studies.
struct Reference {
    std::vector<std::vector<double>> goals;
    std::vector<std::uint64_t> ordinals;

    explicit Reference(const SearchProblem& problem) : goals(problem.goals.size()) {
        std::vector<std::string> names;
        for (const auto& goal : problem.goals)
            names.push_back(goal.column);
        for (const auto& limit : problem.study.limits)
            names.push_back(limit.column);
        const auto table = evaluateStudy(problem.study, {}, names);
        for (std::size_t row = 0; row < table.rows(); ++row) {
            bool kept = table.find("feasible")->at(row) != 0.0;
            for (const auto& limit : problem.study.limits)
                kept &= limit.holds(table.find(limit.column)->at(row));
            if (!kept)
                continue;
            ordinals.push_back(row);
            for (std::size_t g = 0; g < goals.size(); ++g)
                goals[g].push_back(table.find(names[g])->at(row));
        }
    }
    std::vector<std::uint64_t> front(const SearchProblem& problem) const {
        std::vector<Objective> objectives;
        for (std::size_t g = 0; g < goals.size(); ++g)
            objectives.push_back({goals[g], problem.goals[g].better});
        std::vector<std::uint64_t> found;
        for (const auto row : paretoFront(objectives))
            found.push_back(ordinals[row]);
        return found;
    }
};

std::vector<std::uint64_t> frontOf(const SearchTally& tally) {
    std::vector<std::uint64_t> found;
    for (const auto& entry : tally.front())
        found.push_back(entry.ordinal);
    return found;
}

/// The area that a front of two goals covers above the worst of each over `corner`.
double hypervolume(const std::vector<SearchEntry>& front, const std::vector<SearchGoal>& goals,
                   std::array<double, 2> corner) {
    double area = 0.0;
    double reached = corner[1];
    for (const auto& entry : front) { // best first in the first goal
        const double x = goals[0].better * entry.values[0], y = goals[1].better * entry.values[1];
        if (x > corner[0] && y > reached) {
            area += (x - corner[0]) * (y - reached);
            reached = y;
        }
    }
    return area;
}

} // namespace

TEST_CASE("the front of up to 1,000,000 points is that of a reference that looks at all of them") {
    const auto prices = rounds(std::size_t{100});
    const auto problem =
        glitches({"nodes.fpga.count=1:100", "workload.batch=1:10",
                  "nodes.fpga.device.price_usd=1000:" + std::to_string(950 + 50 * prices) + ":50",
                  "nodes.gpu.count=1:10"},
                 kTwo);
    REQUIRE(problem.study.pointCount() == 10'000 * prices);
    const auto tally = exhaustiveSearch().run(problem, {});
    CHECK(tally.points() == 10'000 * prices);
    const Reference reference(problem);
    CHECK(tally.kept() == reference.ordinals.size());
    const auto front = frontOf(tally);
    CHECK(front.size() > 10);
    CHECK(front == reference.front(problem));
}

TEST_CASE("fronts of three goals, the best of each and what each value reaches, with limits and choices") {
    auto problem =
        glitches({"workload=p128-d128,p512-d512,p1024-d1024", "nodes.fpga.count=1:12",
                  "techniques.load_merging.enabled=*", "workload.batch=1,2,4,8", "nodes.gpu.count=1:4"},
                 kThree, {"latency_s<=60", "price_usd<=120000"});
    problem.best = 7;
    const auto tally = exhaustiveSearch().run(problem, {});
    const Reference reference(problem);
    REQUIRE(tally.kept() == reference.ordinals.size());
    CHECK(tally.kept() > 100);
    CHECK(tally.kept() < tally.running());
    auto expected = reference.front(problem);
    auto found = frontOf(tally);
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    CHECK(found == expected);
    const SearchSpace space(problem);
    for (std::size_t g = 0; g < problem.goals.size(); ++g) {
        const int better = problem.goals[g].better;
        std::vector<std::size_t> rows(reference.ordinals.size());
        for (std::size_t i = 0; i < rows.size(); ++i)
            rows[i] = i;
        std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
            return better * reference.goals[g][a] > better * reference.goals[g][b];
        });
        REQUIRE(tally.best(g).size() == 7);
        for (std::size_t i = 0; i < 7; ++i)
            CHECK(tally.best(g)[i].ordinal == reference.ordinals[rows[i]]);
        for (std::size_t walked = 0; walked < space.order().size(); ++walked) {
            const auto axis = space.order()[walked];
            std::size_t stride = 1;
            for (auto i = problem.study.axes.size() - 1; i > axis; --i)
                stride *= problem.study.axes[i].values.size();
            const auto length = problem.study.axes[axis].values.size();
            for (std::size_t value = 0; value < length; ++value) {
                double most = kUnset;
                for (std::size_t i = 0; i < reference.ordinals.size(); ++i)
                    if (reference.ordinals[i] / stride % length == value &&
                        !(better * most >= better * reference.goals[g][i]))
                        most = reference.goals[g][i];
                const double reached = tally.reached(g, walked)[value].value;
                CHECK((reached == most || (std::isnan(reached) && std::isnan(most))));
            }
        }
    }
}

TEST_CASE("one, two and seven shards, two of them lost and run again, in any order: the same bytes") {
    const auto problem = glitches({"nodes.fpga.count=1:20", "workload.batch=1:6", "nodes.gpu.count=1:5"},
                                  kThree, {"latency_s<=40"});
    const auto whole = searchJson(problem, exhaustiveSearch().run(problem, {})).dump();
    const TemporaryFolder folder;
    for (const std::size_t count : {1, 2, 7}) {
        std::vector<std::string> files;
        const auto run = [&](std::size_t index) {
            SearchOptions options;
            options.shard = {index, count};
            options.jobs = static_cast<int>(1 + index % 3);
            writeFileAtomically(files[index - 1], searchPartText(problem, options.shard,
                                                                 exhaustiveSearch().run(problem, options)));
        };
        for (std::size_t i = 1; i <= count; ++i)
            files.push_back(folder.path() + "/" + std::to_string(count) + "-" + std::to_string(i));
        for (std::size_t i = 1; i <= count; ++i)
            run(i);
        if (count == 7) {
            const auto lost = std::vector<std::string>{files[0], files[1], files[3], files[5], files[6]};
            const auto told = errorOf([&] { mergeSearch(lost, catalog()); });
            CHECK(told.find("3/7, 5/7") != std::string::npos);
            run(5);
            run(3);
        }
        auto order = files;
        std::reverse(order.begin(), order.end());
        order.push_back(files.front()); // twice
        const auto merged = mergeSearch(order, catalog());
        CHECK(searchJson(merged.problem, merged.tally).dump() == whole);
        CHECK(searchCsv(merged.problem, merged.tally) ==
              searchCsv(problem, exhaustiveSearch().run(problem, {})));
    }
    const auto other = glitches({"nodes.fpga.count=1:20"}, kTwo);
    const auto foreign = folder.path() + "/foreign";
    writeFileAtomically(foreign, searchPartText(other, {1, 2}, exhaustiveSearch().run(other, {{1, 2}})));
    CHECK(errorOf([&] {
              mergeSearch({folder.path() + "/2-2", foreign}, catalog());
          }).find("another search") != std::string::npos);
}

TEST_CASE("a sample of points for pictures is the same in whatever order and in how many parts they come") {
    const auto ordinalsOf = [](const std::vector<SearchEntry>& entries) {
        std::vector<std::uint64_t> ordinals;
        for (const auto& entry : entries)
            ordinals.push_back(entry.ordinal);
        return ordinals;
    };
    const auto problem = glitches({"nodes.fpga.count=1:100", "nodes.fpga.device.price_usd=1000:10000:100"},
                                  kTwo, {"price_usd<=300000"});
    SearchOptions options;
    options.jobs = 1;
    const auto whole = exhaustiveSearch().run(problem, options);
    const auto within = whole.sampleWithin(), outside = whole.sampleOutside();
    REQUIRE(whole.kept() > 2 * PointSample::kMost);
    REQUIRE(whole.running() - whole.kept() > 2 * PointSample::kMost);
    CHECK(within.size() == PointSample::kMost);
    CHECK(outside.size() == PointSample::kMost);
    const Reference reference(problem);
    for (const auto& entry : within) {
        const auto at = std::lower_bound(reference.ordinals.begin(), reference.ordinals.end(), entry.ordinal);
        REQUIRE(at != reference.ordinals.end());
        REQUIRE(*at == entry.ordinal);
        CHECK(entry.values[0] ==
              reference.goals[0][static_cast<std::size_t>(at - reference.ordinals.begin())]);
    }
    for (const auto& entry : outside)
        CHECK(entry.values[1] > 300000);
    // All over the points, not from one end of them.
    const auto middle = reference.ordinals[reference.ordinals.size() / 2];
    const auto early = std::count_if(within.begin(), within.end(),
                                     [&](const auto& entry) { return entry.ordinal < middle; });
    CHECK(early > 200);
    CHECK(early < 312);
    // In parts, the last first, by several threads.
    const SearchSpace space(problem);
    SearchTally parts(problem, space);
    for (const std::size_t index : {3U, 1U, 2U}) {
        options.jobs = 2;
        options.shard = {index, 3};
        parts.add(exhaustiveSearch().run(problem, options).json(), "part");
    }
    CHECK(ordinalsOf(parts.sampleWithin()) == ordinalsOf(within));
    CHECK(ordinalsOf(parts.sampleOutside()) == ordinalsOf(outside));
    // Of few points it has all.
    const auto few = glitches({"nodes.fpga.count=1:9", "workload.batch=1:8"}, kTwo, {"price_usd<=60000"});
    CHECK(ordinalsOf(exhaustiveSearch().run(few, {}).sampleWithin()) == Reference(few).ordinals);
}

TEST_CASE("what has no solution says which limit cannot be met and by how much") {
    const std::vector<std::string> axes{"nodes.fpga.count=1:8", "workload.batch=1:4"};
    const auto open = glitches(axes, kTwo);
    const auto all = exhaustiveSearch().run(open, {});
    const double cheapest = all.best(1).front().values[1];
    const double most = all.best(0).front().values[0];
    const auto one = glitches(axes, kTwo, {"price_usd<=" + std::to_string(cheapest / 2)});
    const auto words = searchResult(one, exhaustiveSearch().run(one, {})).unmet;
    CHECK(words.find("price_usd<=") == 0);
    CHECK(words.find("cannot be met") != std::string::npos);
    CHECK(words.find("100 % over") != std::string::npos);
    CHECK(words.find("nodes.fpga.count=1") != std::string::npos);
    const auto both = glitches(axes, kTwo,
                               {"price_usd<=" + std::to_string(cheapest * 1.001),
                                "throughput_tok_s>=" + std::to_string(most * 0.999)});
    const auto together = searchResult(both, exhaustiveSearch().run(both, {})).unmet;
    CHECK(together.find("not all together") != std::string::npos);
    CHECK(together.find("% ") != std::string::npos);
    CHECK(searchJson(both, exhaustiveSearch().run(both, {})).contains("unmet"));
}

TEST_CASE("bad problems are refused with what to do") {
    const auto refuse = [](const SearchProblem& problem) {
        return errorOf([&] { exhaustiveSearch().run(problem, {}); });
    };
    auto problem = glitches({"nodes.fpga.count=1:8"}, {});
    CHECK(refuse(problem).find("one to three") != std::string::npos);
    problem.goals = {{"no_such", 1}};
    CHECK(refuse(problem).find("no_such") != std::string::npos);
    problem.goals = {{"ttft_s", -1}, {"ttft_s", 1}};
    CHECK(refuse(problem).find("given twice") != std::string::npos);
    SearchOptions stopped;
    std::stop_source stop;
    stop.request_stop();
    stopped.stop = stop.get_token();
    problem.goals = kTwo;
    CHECK(errorOf([&] { exhaustiveSearch().run(problem, stopped); }).find("cancelled") != std::string::npos);
    CHECK(errorOf([&] { parsePointShard("8/7"); }).find("i from 1 to n") != std::string::npos);
}

TEST_CASE("NSGA-II reaches 99 % of the front's hypervolume with 1 % of the evaluations, on three problems") {
    auto npus = preset("preserve/llama3-70b-8npu");
    npus.techniques[l2Prefetch()].enabled = true;
    const std::vector<SearchProblem> problems{
        glitches({"nodes.fpga.count=1:40", "workload.batch=1:25", "nodes.gpu.count=1:10",
                  "techniques.load_merging.ratio=1:20"},
                 kTwo),
        problemOf(preset("inf2/opt-30b-a100-16csd"),
                  {"workload.batch=1:40", "nodes.storage.count=1:32", "workload.output_tokens=16:1600:16"},
                  {{"throughput_tok_s", 1}, {"latency_s", -1}}),
        problemOf(npus,
                  {"workload.batch=1:64", "nodes.npu.device.l2_mb=8:520:8", "nodes.npu.count=8:64:8",
                   "links.npu-switch.bandwidth_gbps=50:400:50"},
                  {{"throughput_tok_s", 1}, {"tpot_s", -1}})};
    for (const auto& problem : problems) {
        const auto tally = exhaustiveSearch().run(problem, {});
        std::array<double, 2> corner{INFINITY, INFINITY}; // the worst of the front in each goal
        for (const auto& entry : tally.front())
            for (std::size_t g = 0; g < 2; ++g)
                corner[g] = std::min(corner[g], problem.goals[g].better * entry.values[g]);
        const double whole = hypervolume(tally.front(), problem.goals, corner);
        SearchOptions options;
        options.evaluations = tally.points() / 100;
        const auto bred = evolutionarySearch().run(problem, options);
        CAPTURE(problem.study.base->name);
        CAPTURE(tally.front().size());
        CHECK(bred.points() <= options.evaluations);
        CHECK(whole > 0.0);
        CHECK(hypervolume(bred.front(), problem.goals, corner) >= 0.99 * whole);
        CHECK(bred.front().size() > 1);
        const auto again = evolutionarySearch().run(problem, options);
        CHECK(frontOf(again) == frontOf(bred)); // of one seed
    }
}

TEST_CASE("a search that is stopped goes on from its checkpoint and comes to the same bytes") {
    const auto every = glitches({"nodes.fpga.count=1:60", "workload.batch=1:50", "nodes.gpu.count=1:20",
                                 "nodes.fpga.device.price_usd=1000:2000:100"},
                                kThree, {"latency_s<=40", "price_usd<=200000"});
    const auto bred = glitches({"nodes.fpga.count=1:60", "workload.batch=1:50", "nodes.gpu.count=1:20"}, kTwo,
                               {"latency_s<=40"});
    struct Case {
        const SearchProblem& problem;
        const SearchMethod& method;
        std::uint64_t evaluations;
    };
    const TemporaryFolder folder;
    for (const auto& one :
         {Case{every, exhaustiveSearch(), 10'000}, Case{bred, evolutionarySearch(), 4'000}}) {
        SearchRecord record;
        record.problem = one.problem;
        record.method = &one.method;
        record.evaluations = one.evaluations;
        const auto whole = one.method.run(one.problem, record.options()).json().dump();
        SearchCheckpoint file(folder.path() + "/checkpoint", record);
        CHECK(file.read(catalog()) == nullptr);
        std::size_t stops = 0;
        std::uint64_t reached = 0;
        std::string found;
        while (found.empty() && stops < 100) {
            std::stop_source stop;
            auto options = record.options();
            options.from = file.read(catalog());
            CHECK((options.from ? options.from->done : 0) == reached);
            options.jobs = static_cast<int>(1 + stops % 2);
            options.stop = stop.get_token();
            options.stateEvery = std::chrono::milliseconds(stops < 3 ? 0 : 1000); // until it is let run
            options.soFar = [&](const std::shared_ptr<const SearchState>& state) {
                reached = state->done;
                file.write(state);
                if (stops < 3 && !stop.stop_requested() &&
                    (!options.from || state->done > options.from->done))
                    stop.request_stop();
            };
            try {
                found = one.method.run(one.problem, options).json().dump();
            } catch (const Error& error) {
                CHECK(error.code() == ErrorCode::Cancelled);
                ++stops;
            }
        }
        CHECK(stops > 0);
        CHECK(found == whole);
        // A search that differs in anything does not go on from it, nor what is damaged.
        auto other = record;
        other.problem.best = 9;
        CHECK(errorOf([&] {
                  SearchCheckpoint(folder.path() + "/checkpoint", other).read(catalog());
              }).find("another search") != std::string::npos);
        auto text = readFile(folder.path() + "/checkpoint");
        const auto digit = text.find("\"points\":") + 9;
        text[digit] = text[digit] == '1' ? '2' : '1';
        writeFileAtomically(folder.path() + "/checkpoint", text);
        CHECK(errorOf([&] { file.read(catalog()); }).find("checksum") != std::string::npos);
        file.remove();
        CHECK(file.read(catalog()) == nullptr);
    }
}

TEST_CASE("a design keeps searches, in its file and in no key") {
    const auto problem =
        glitches({"nodes.fpga.count=1:20", "workload.batch=1:6"}, kTwo, {"price_usd<=90000"});
    SearchRecord record;
    record.problem = problem;
    record.method = &exhaustiveSearch();
    auto state = std::make_shared<SearchState>(exhaustiveSearch().run(problem, {}));
    state->done = record.total();
    record.state = state;
    auto design = *problem.study.base;
    const auto key = scenarioKey(design);
    design.searches.push_back({"best", std::make_shared<const std::string>(writeSearch(record).dump())});
    CHECK(scenarioKey(design) == key);
    const TemporaryFolder folder;
    const auto path = folder.path() + "/kept.hscape";
    saveScenario(design, path);
    const auto again = loadScenario(path, catalog());
    REQUIRE(again.searches.size() == 1);
    CHECK(again.searches.front() == design.searches.front());
    const auto read = readSearch(parseJson(*again.searches.front().found, "kept"), catalog(), "kept");
    CHECK(read.isDone());
    CHECK(read.isCurrent);
    CHECK(searchJson(read.problem, read.state->tally) == searchJson(problem, state->tally));
    CHECK(read.problem.study.base->searches.empty());
}
