// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/exporters/study_csv.h"

#include "engine/scenario/scenario_key.h"
#include "engine/study_run/evaluate_study.h"
#include "tests/engine/store/store_fixtures.h"
#include "tests/rounds.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// The cells of each, or every so manieth, row by the names of the header. No cell of these studies is
/// quoted.
std::vector<std::map<std::string, std::string>> rowsOf(const std::string& csv, std::size_t every = 1) {
    std::istringstream lines(csv);
    std::string line;
    std::vector<std::string> header;
    std::vector<std::map<std::string, std::string>> rows;
    for (std::size_t number = 0; std::getline(lines, line); ++number) {
        if (number > 0 && (number - 1) % every != 0)
            continue;
        std::vector<std::string> cells(1);
        for (const char c : line)
            if (c == ',')
                cells.emplace_back();
            else
                cells.back() += c;
        if (header.empty()) {
            header = cells;
            continue;
        }
        REQUIRE(cells.size() == header.size());
        auto& row = rows.emplace_back();
        for (std::size_t i = 0; i < cells.size(); ++i)
            row[header[i]] = cells[i];
    }
    return rows;
}

/// As a file has it, put together.
std::string storedCsv(Store& store, std::int64_t id, const std::vector<std::string>& metrics = {}) {
    std::string text;
    studyCsv(store, id, store.definition(id, catalog()), metrics,
             [&](std::string_view piece) { text += piece; });
    return text;
}

} // namespace

TEST_CASE("a study becomes CSV with exact numbers, empty where not set") {
    StudyTable table;
    table.columns = {{"a,b", "", "", true, {0.1, 1e300, NAN}}, {"c", "", "", false, {1, -2, 1.0 / 3}}};
    table.boundNames = {"none"};
    table.bounds = {0, 0, 0};
    CHECK(studyCsv(table) == "\"a,b\",c,bound,status,key\n0.1,1,none,ok,\n1e+300,-2,none,ok,\n"
                             ",0.3333333333333333,none,ok,\n");
}

TEST_CASE("the metrics of a study's CSV can be chosen") {
    StudyTable table;
    table.columns = {{"workload.batch", "", "", true, {1, 2}},
                     {"feasible", "", "", false, {1, 0}},
                     {"throughput_tok_s", "", "", false, {10.5, NAN}},
                     {"price_usd", "", "", false, {5, 6}}};
    table.boundNames = {"gpu decode memory", "none"};
    table.bounds = {0, 1};
    CHECK(studyCsv(table) == "workload.batch,feasible,throughput_tok_s,price_usd,bound,status,key\n"
                             "1,1,10.5,5,gpu decode memory,ok,\n2,0,,6,none,infeasible,\n");
    CHECK(studyCsv(table, {"price_usd"}) ==
          "workload.batch,feasible,price_usd,bound,status,key\n1,1,5,gpu decode memory,ok,\n"
          "2,0,6,none,infeasible,\n");
    const auto error = errorOf([&] { studyCsv(table, {"speed"}); });
    CHECK(error.find("\"speed\"") != std::string::npos);
    CHECK(error.find("throughput_tok_s") != std::string::npos);
}

TEST_CASE("a study's CSV tells what fits, what is filtered out, and what was not computed yet") {
    const TemporaryFolder folder;
    Store store(folder.path() + "/s.sqlite");
    auto study = smallStudy(
        400, 250); // some are stored before it is stopped; every second point, of batch 4096, does not fit
    std::stop_source stop;
    RunOptions options;
    options.stop = stop.get_token();
    options.progress = [&](const StudyProgress& progress) {
        if (progress.done > progress.total / 4)
            stop.request_stop();
    };
    const auto part = runStudy(study, store, options);
    REQUIRE(part.cancelled);
    REQUIRE(part.study.done > 0);
    REQUIRE(part.study.done < study.pointCount());
    const auto table = store.read(part.study.id);
    const auto* ttft = table.find("ttft_s");
    double middle = 0;
    for (std::size_t row = 0; row < table.rows(); ++row)
        if (table.find("feasible")->at(row) == 1.0)
            middle = ttft->at(row);
    store.setLimits(part.study.id, {{"ttft_s", 0, middle * 0.999}});

    const auto csv = storedCsv(store, part.study.id, {"ttft_s"});
    REQUIRE(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')) == study.pointCount() + 1);
    const std::size_t every = stride() | 1; // odd: of batch 1 and of batch 4096
    const auto rows = rowsOf(csv, every);
    REQUIRE(rows.size() == (study.pointCount() - 1) / every + 1);
    std::map<std::string, std::size_t> counts;
    PointSetter setter(study);
    std::vector<double> place;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto& row = rows[i];
        const auto ordinal = i * every;
        const auto& status = row.at("status");
        ++counts[status];
        PointSetter::coordinates(study.axes, ordinal, place);
        REQUIRE(std::stod(row.at("workload.prompt_tokens")) == place[0]);
        REQUIRE(std::stod(row.at("workload.batch")) == place[2]);
        if (status == "not computed") {
            REQUIRE(row.at("feasible").empty());
            REQUIRE(row.at("ttft_s").empty());
            REQUIRE(row.at("bound").empty());
            REQUIRE(row.at("key").empty());
            continue;
        }
        REQUIRE(row.at("key") == keyText(scenarioKeyBytes(setter.at(ordinal))));
        REQUIRE((status == "infeasible") == (row.at("feasible") == "0"));
        if (status != "infeasible")
            REQUIRE((status == "ok") == (std::stod(row.at("ttft_s")) <= middle * 0.999));
    }
    CHECK(counts.size() == 4);
    CHECK(counts["ok"] > 0);
    CHECK(counts["filtered"] > 0);
    CHECK(counts["infeasible"] > 0);
    std::size_t missing = 0;
    for (auto at = csv.find(",not computed,"); at != csv.npos; at = csv.find(",not computed,", at + 1))
        ++missing;
    CHECK(missing == study.pointCount() - part.study.done);

    // Other limits take the place of the study's own; without keys the column is empty.
    for (const auto& row : rowsOf(studyCsv(table, {"ttft_s"}, {{}, std::vector<Limit>{}}), every)) {
        REQUIRE(row.at("status") != "filtered");
        REQUIRE(row.at("key").empty());
    }
}

TEST_CASE("a study in memory has the keys that the store would give it") {
    const TemporaryFolder folder;
    Store store(folder.path() + "/s.sqlite");
    const auto study = smallStudy(6, 5);
    const auto id = runStudy(study, store, {}).study.id;
    const auto table = evaluateStudy(study);
    CHECK(studyCsv(table, {}, {studyKeys(table, study)}) == storedCsv(store, id));
}
