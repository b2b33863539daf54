// SPDX-License-Identifier: GPL-3.0-or-later
// tests/data/formats/ holds a design of each format and a store of each schema, as the program that had them
// wrote them, and what it said of them: none of it ever changes. tests/README.md says how the next are added.

#include "engine/base/csv.h"
#include "engine/base/file.h"
#include "engine/evaluation/simulate.h"
#include "engine/exporters/study_csv.h"
#include "engine/frontier/frontier_definition.h"
#include "engine/scenario/scenario_json.h"
#include "engine/search/search_record.h"
#include "engine/store/recover_store.h"
#include "engine/store/schema.h"
#include "engine/units/number_text.h"
#include "engine/version.h"
#include "tests/engine/store/store_fixtures.h"
#include "tests/places.h"
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace fs = std::filesystem;

namespace {

const std::string kFolder = std::string(heteroscape::places::kTestData) + "/formats/";
constexpr std::size_t kStudies = 4; ///< of a store

/// The texts of a CSV by the names of its columns; none of ours holds a comma.
std::map<std::string, std::vector<std::string>> columnsOf(const std::string& csv) {
    std::vector<std::vector<std::string>> lines;
    std::istringstream in(csv);
    for (std::string line; std::getline(in, line);) {
        auto& cells = lines.emplace_back();
        std::istringstream text(line + ',');
        for (std::string cell; std::getline(text, cell, ',');)
            cells.push_back(cell);
        REQUIRE(cells.size() == lines.front().size());
    }
    std::map<std::string, std::vector<std::string>> columns;
    for (std::size_t line = 1; line < lines.size(); ++line)
        for (std::size_t i = 0; i < lines[line].size(); ++i)
            columns[lines[0][i]].push_back(lines[line][i]);
    return columns;
}

std::vector<std::string> tablesOf(Database& store) {
    std::vector<std::string> tables;
    Statement all(store, "SELECT name || ': ' || coalesce(sql, '') FROM sqlite_master ORDER BY name");
    while (all.step())
        tables.emplace_back(all.text(0));
    return tables;
}

std::string storeOf(int version) {
    return kFolder + "store" + std::to_string(version);
}

/// Whether what stands at a place of JSON is called otherwise today.
bool isRenamed(const std::string& path) {
    const auto name = path.substr(path.rfind('/') + 1);
    return currentName(name) != name;
}

} // namespace

TEST_CASE("a design of every format opens without a catalogue and says what it said then") {
    for (int version = 1; version <= kScenarioFormatVersion; ++version) {
        CAPTURE(version);
        const auto stem = kFolder + "v" + std::to_string(version);
        const auto written = readJsonFile(stem + ".hscape");
        REQUIRE(written.at("formatVersion") == version);
        const auto scenario = loadScenario(stem + ".hscape", Catalog{});
        CHECK_FALSE(hasErrors(validate(scenario)));
        auto evaluation = evaluate(scenario);
        setServingMetrics(simulate(scenario, evaluation), evaluation);
        const auto then = readJsonFile(stem + ".json");
        CHECK(evaluation.feasible);
        CHECK(boundKey(scenario, evaluation) == then.at("bound").get<std::string>());
        std::size_t compared = 0;
        for (const auto& [key, value] : then.items())
            if (const auto* spec = findMetric(key); spec && value.is_number()) {
                CAPTURE(key);
                CHECK(toEdge(evaluation.metric(spec->metric), spec->scale) ==
                      doctest::Approx(value.get<double>()).epsilon(1e-9));
                ++compared;
            }
        CHECK(compared > 40);
        REQUIRE(scenario.searches.size() == 1);
        CHECK(readSearch(parseJson(*scenario.searches[0].found, "found"), catalog(), "found").isDone());
        CHECK(keptFrontier(scenario, catalog()));

        const auto now = writeScenario(scenario);
        CHECK(readScenario(now, Catalog{}, "again") == scenario);
        if (version == kScenarioFormatVersion) // a key that is new is no new format: see scenario_json.h
            for (const auto& change : Json::diff(written, now))
                CHECK_MESSAGE((change.at("op") == "add" || isRenamed(change.at("path"))), change.dump());
    }
}

TEST_CASE("a store of every schema opens: its studies read as they were written, and run again") {
    for (int version = 1; version <= kStoreSchemaVersion; ++version) {
        CAPTURE(version);
        const TemporaryFolder folder;
        const auto path = folder.path() + "/s.sqlite", fresh = folder.path() + "/fresh.sqlite";
        fs::copy_file(storeOf(version) + ".sqlite", path);
        bool ofToday = false; // the equations that the points were worked out by
        {
            Database plain(path);
            REQUIRE(plain.number("PRAGMA user_version") == version);
            ofToday = plain.text("SELECT min(equations) FROM studies") == kEquationsVersion;
            if (version == kStoreSchemaVersion) {
                Database made(fresh);
                prepareStore(made);
                CHECK(tablesOf(plain) == tablesOf(made));
            }
        }
        Store store(path);
        REQUIRE(store.studies().size() == kStudies);
        for (const auto& info : store.studies()) {
            CAPTURE(info.name);
            CHECK(store.read(info.id).damage.empty());
            const auto then = columnsOf(readFile(storeOf(version) + "-" + info.name + ".csv"));
            writeStudyCsv(store, info.id, catalog(), {}, path + ".csv");
            const auto now = columnsOf(readFile(path + ".csv"));
            CHECK(then.size() > 20);
            for (const auto& [column, values] : then) {
                CAPTURE(column);
                REQUIRE(now.contains(column));
                if (ofToday || column != "key") // which is of the equations too
                    CHECK(now.at(column) == values);
            }
            const auto run = runStudy(store.definition(info.id, catalog()), store, withJobs(1));
            // By other equations the old points stay as they are, and new ones are kept beside them.
            CHECK((run.study.id == info.id) == ofToday);
            CHECK((run.computed == 0) == ofToday);
        }
    }
}

TEST_CASE("a store of every schema is recovered where the list of its tables is gone") {
    for (int version = 1; version <= kStoreSchemaVersion; ++version) {
        CAPTURE(version);
        const TemporaryFolder folder;
        const auto path = folder.path() + "/s.sqlite", out = folder.path() + "/out.sqlite";
        auto bytes = readFile(storeOf(version) + ".sqlite");
        std::fill_n(bytes.begin(), 16384, 'x');
        writeFileAtomically(path, bytes);
        CHECK(recoverStore(path, out) == std::vector<std::string>{});
        CHECK(readFile(path) == bytes);
        Store store(out);
        REQUIRE(store.studies().size() == kStudies);
        for (const auto& info : store.studies())
            CHECK(store.read(info.id).rows() == info.points);
        CHECK(contains(errorOf([&] { recoverStore(path, out); }), "the file is there already"));
    }
}
