// SPDX-License-Identifier: GPL-3.0-or-later
// tests/data/formats/ holds a design of each format and a store of each schema, as the last program that
// wrote them did (vN.json: what that program evaluated), and never changes.

#include "engine/base/file.h"
#include "engine/evaluation/simulate.h"
#include "engine/scenario/scenario_json.h"
#include "engine/store/column_block.h"
#include "engine/store/recover_store.h"
#include "engine/store/schema.h"
#include "engine/units/number_text.h"
#include "engine/version.h"
#include "tests/engine/store/store_fixtures.h"
#include "tests/places.h"
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <random>
#include <set>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const std::string kFolder = std::string(heteroscape::places::kTestData) + "/formats/";

/// What the equations of today say otherwise, by format: nothing else may differ.
const std::map<int, std::set<std::string>> kOtherEquations{};

/// Every metric that there is, in the shown unit.
std::map<std::string, double> quantitiesOf(const Scenario& scenario) {
    auto evaluation = evaluate(scenario);
    if (scenario.serving.isSimulated()) {
        const auto serving = simulate(scenario, evaluation);
        CHECK(serving.ran());
        setServingMetrics(serving, evaluation);
    }
    std::map<std::string, double> nodeMetrics;
    for (const auto& spec : metricSpecs())
        if (const double value = evaluation.metric(spec.metric); !std::isnan(value))
            nodeMetrics[std::string(spec.key)] = toEdge(value, spec.scale);
    return nodeMetrics;
}

/// The metrics of a study that lies in one chunk.
std::map<std::string, std::vector<double>> blocksOf(Database& store, std::size_t points) {
    std::map<std::string, std::vector<double>> values;
    Statement blocks(store,
                     "SELECT n.name, b.data FROM blocks b JOIN block_columns n ON n.id = b.\"column\"");
    while (blocks.step())
        if (findMetric(blocks.text(0))) {
            auto& column = values[std::string(blocks.text(0))];
            column.resize(points);
            REQUIRE(unpackBlock(blocks.blob(1), column));
        }
    return values;
}

} // namespace

TEST_CASE("a design of every format opens without a catalogue and says what it said then") {
    for (int version = 1; version < kScenarioFormatVersion; ++version) {
        CAPTURE(version);
        const auto stem = kFolder + "v" + std::to_string(version);
        REQUIRE(parseJson(readFile(stem + ".hscape"), stem).at("formatVersion") == version);
        const auto then = parseJson(readFile(stem + ".json"), stem);
        const auto scenario = loadScenario(stem + ".hscape", Catalog{});
        CHECK_FALSE(hasErrors(validate(scenario)));
        const auto evaluation = evaluate(scenario);
        CHECK(evaluation.feasible == then.at("feasible").get<bool>());
        CHECK(evaluation.feasible);
        CHECK(boundKey(scenario, evaluation) == then.at("bound").get<std::string>());
        const auto now = quantitiesOf(scenario);
        const auto moved = kOtherEquations.find(version);
        std::size_t compared = 0;
        for (const auto& [key, value] : then.at("metrics").items()) {
            CAPTURE(key);
            const auto found = now.find(key);
            REQUIRE(found != now.end());
            if (moved != kOtherEquations.end() && moved->second.contains(key))
                continue;
            const auto was = value.get<double>();
            CAPTURE(was);
            CHECK(found->second == doctest::Approx(was).epsilon(1e-9));
            ++compared;
        }
        CHECK(compared >= 10);
        // Saved again it is a design of today.
        const TemporaryFolder folder;
        const auto path = folder.path() + "/again.hscape";
        saveScenario(scenario, path);
        CHECK(parseJson(readFile(path), path).at("formatVersion") == kScenarioFormatVersion);
        const auto again = loadScenario(path, Catalog{});
        CHECK(again == scenario);
        CHECK(scenarioKey(again) == scenarioKey(scenario));
    }
}

TEST_CASE("a store of every schema opens: its study reads as it was written, and runs again") {
    for (int version = 1; version < kStoreSchemaVersion; ++version) {
        CAPTURE(version);
        const TemporaryFolder folder;
        const auto path = folder.path() + "/s.sqlite";
        std::filesystem::copy_file(kFolder + "store" + std::to_string(version) + ".sqlite", path);
        std::map<std::string, std::vector<double>> then;
        bool ofToday = false;
        {
            Database old(path);
            REQUIRE(old.number("PRAGMA user_version") == version);
            ofToday = old.text("SELECT equations FROM studies") == kEquationsVersion;
            if (version >= kFirstBlockVersion)
                then = blocksOf(old, 6);
            std::vector<std::string> metrics;
            Statement columns(old, "SELECT name FROM pragma_table_info('points')");
            while (columns.step())
                if (findMetric(columns.text(0)))
                    metrics.emplace_back(columns.text(0));
            for (const auto& metric : metrics) {
                Statement values(old, "SELECT p." + quotedName(metric) +
                                          " FROM study_rows r CROSS JOIN points p ON p.id = r.point"
                                          " ORDER BY r.ordinal");
                while (values.step())
                    then[metric].push_back(values.real(0));
            }
        }
        CHECK(then.size() >= 13);
        if (version >= kFirstBlockVersion) { // read as it is where it may not be written
            Database readOnly(path, Database::Access::ReadUnchanging);
            prepareStore(readOnly);
            CHECK(readOnly.number("PRAGMA user_version") == version);
        }
        Store store(path);
        REQUIRE(store.studies().size() == 1);
        const auto info = store.studies().front();
        CHECK(info.name == "Golden");
        CHECK(info.done == 6);
        const auto table = store.read(info.id);
        REQUIRE(table.rows() == 6);
        for (const auto& [metric, values] : then)
            for (std::size_t row = 0; row < values.size(); ++row) {
                CAPTURE(metric);
                const double value = table.find(metric)->at(row);
                CHECK((value == values[row] || (std::isnan(value) && std::isnan(values[row]))));
            }
        const auto study = store.definition(info.id, Catalog{});
        CHECK(study.axes.size() == 2);
        const auto run = runStudy(study, store, withJobs(1));
        CHECK(run.study.done == 6);
        CHECK(run.computed == (ofToday ? 0 : 6)); // points of other equations are lent to nobody
        CHECK(runStudy(study, store, withJobs(1)).computed == 0);
        CHECK(Database(path).text("PRAGMA integrity_check") == "ok");
    }
}

TEST_CASE("a store of rows is taken over: choices, simulated points and metrics of nodes") {
    const TemporaryFolder folder;
    const auto path = folder.path() + "/s.sqlite";
    std::filesystem::copy_file(kFolder + "store6-kinds.sqlite", path);
    std::map<std::pair<std::int64_t, std::string>, std::vector<double>> then;
    std::map<std::int64_t, std::vector<std::string>> bounds;
    std::set<std::string> views;
    bool ofToday = false; // the equations that the points were worked out by
    {
        Database old(path);
        REQUIRE(old.number("PRAGMA user_version") == 6);
        ofToday = old.text("SELECT equations FROM studies LIMIT 1") == kEquationsVersion;
        for (const auto& spec : metricSpecs()) {
            Statement values(
                old, "SELECT r.study, p." + quotedName(spec.key) +
                         " FROM study_rows r JOIN points p ON p.id = r.point ORDER BY r.study, r.ordinal");
            while (values.step())
                then[{values.integer(0), std::string(spec.key)}].push_back(values.real(1));
        }
        Statement nodes(old, "SELECT study, path, value FROM study_values ORDER BY study, path, ordinal");
        while (nodes.step())
            then[{nodes.integer(0), std::string(nodes.text(1))}].push_back(nodes.real(2));
        Statement texts(old, "SELECT r.study, b.text FROM study_rows r JOIN points p ON p.id = r.point"
                             " JOIN bounds b ON b.id = p.bound ORDER BY r.study, r.ordinal");
        while (texts.step())
            bounds[texts.integer(0)].emplace_back(texts.text(1));
        Statement names(old, "SELECT view FROM studies");
        while (names.step())
            views.emplace(names.text(0));
    }
    Store store(path);
    REQUIRE(store.studies().size() == 3);
    for (const auto& info : store.studies()) {
        CAPTURE(info.name);
        CHECK(views.contains(info.view));
        const auto table = store.read(info.id);
        CHECK(table.damage.empty());
        REQUIRE(table.rows() == bounds.at(info.id).size());
        for (std::size_t row = 0; row < table.rows(); ++row)
            CHECK(table.bound(row) == bounds.at(info.id)[row]);
        std::size_t values = 0;
        for (const auto& [column, was] : then) {
            if (column.first != info.id)
                continue;
            CAPTURE(column.second);
            REQUIRE(table.find(column.second));
            for (std::size_t row = 0; row < was.size(); ++row) {
                const double now = table.find(column.second)->at(row);
                CHECK((now == was[row] || (std::isnan(now) && std::isnan(was[row]))));
                values += std::isnan(now) ? 0 : 1;
            }
        }
        CHECK(values > 10 * table.rows());
        const auto study = store.definition(info.id, catalog());
        const auto run = runStudy(study, store, withJobs(1));
        // By other equations the old points stay as they are, and new ones are kept beside them.
        CHECK((run.study.id == info.id) == ofToday);
        CHECK((run.computed == 0) == ofToday);
    }
    CHECK(store.study(3).nodeMetrics.size() == 3);
    CHECK(store.read(3).columns.back().label.find(": ") != std::string::npos);
    // Simulated points are found by their keys, and choices lend what they are.
    auto simulated = store.definition(2, catalog());
    std::reverse(simulated.axes[0].values.begin(), simulated.axes[0].values.end());
    CHECK(runStudy(simulated, store, withJobs(1)).computed == 0);
    auto choices = store.definition(1, catalog());
    choices.axes[0] = parseAxis(choices.base, catalog(), "model=llama3-8b,mixtral-8x7b");
    CHECK(runStudy(choices, store, withJobs(1)).computed == 0);
    Database plain(path);
    CHECK(plain.text("PRAGMA integrity_check") == "ok");
    CHECK(plain.number("SELECT count(*) FROM sqlite_master WHERE name LIKE 'old_%' OR type = 'view'") == 0);
}

TEST_CASE("a store of rows that does not fit together is told and left as it is; the rest is recovered") {
    struct Case {
        const char* sql;
        const char* lost;              ///< of study 1 or of all
        std::vector<std::size_t> done; ///< of the studies that are left, by number
    };
    const Case cases[] = {
        {"UPDATE study_rows SET ordinal = ordinal + 100 WHERE study = 1 AND ordinal > 8",
         "study 1, the point 109: ",
         {9, 4, 6}},
        {"UPDATE points SET bound = 77", "study 1, 12 points in all", {0, 0, 0}},
        {"UPDATE studies SET points = 5 WHERE id = 1", "study 1: its axes do not make its 5 points", {4, 6}},
        {"DELETE FROM axis_values WHERE study = 1", "study 1: ", {4, 6}},
        {"DROP TABLE study_rows", "the table \"study_rows\": ", {0, 0, 0}},
    };
    for (const auto& one : cases) {
        CAPTURE(one.sql);
        const TemporaryFolder folder;
        const auto path = folder.path() + "/s.sqlite";
        std::filesystem::copy_file(kFolder + "store6-kinds.sqlite", path);
        {
            Database old(path);
            old.execute(one.sql);
        }
        const auto bytes = readFile(path);
        const auto message = errorOf([&] { Store store(path); });
        CHECK(message.find(path) == 0);
        CHECK(message.find("recover " + path + " --out FILE") != std::string::npos);
        CHECK(readFile(path) == bytes);

        const auto out = folder.path() + "/recovered.sqlite";
        const auto lost = recoverStore(path, out);
        CHECK(readFile(path) == bytes);
        CHECK(std::any_of(lost.begin(), lost.end(),
                          [&](const auto& what) { return what.starts_with(one.lost); }));
        Store store(out);
        std::vector<std::size_t> done;
        for (const auto& study : store.studies()) {
            done.push_back(study.done);
            const auto table = store.read(study.id);
            CHECK(table.rows() == study.done);
            CHECK(table.damage.empty());
            const auto again = runStudy(store.definition(study.id, catalog()), store, withJobs(1));
            CHECK(again.study.done == again.study.points);
        }
        CHECK(done == one.done);
        CHECK(errorOf([&] { recoverStore(path, out); }).find("is there already") != std::string::npos);
    }
}

TEST_CASE("each page of a store of rows damaged, one at a time: it opens, or what is left is recovered") {
    const auto whole = readFile(kFolder + "store6-kinds.sqlite");
    constexpr std::size_t page = 16384;
    std::mt19937_64 random(6);
    std::size_t opened = 0, recovered = 0, points = 0, hopeless = 0;
    for (std::size_t round = 0; round < 3 * (whole.size() / page); ++round) {
        auto bytes = whole;
        const auto at = round / 3 * page;
        const std::size_t from = round % 3 == 0 ? page / 2 : 0; // half of it, its header, all of it
        for (std::size_t i = from; i < (round % 3 == 1 ? 16 : page); ++i)
            bytes[at + i] = static_cast<char>(random());
        CAPTURE(round);
        const TemporaryFolder folder;
        const auto path = folder.path() + "/s.sqlite", out = folder.path() + "/out.sqlite";
        writeFileAtomically(path, bytes);
        try {
            Store store(path);
            ++opened;
            continue;
        } catch (const Error& error) {
            CHECK(error.where().find(path) == 0);
            CHECK_FALSE(error.remedy().empty());
        }
        CHECK(readFile(path) == bytes);
        try {
            const auto lost = recoverStore(path, out);
            Store store(out);
            std::size_t rows = 0;
            for (const auto& study : store.studies())
                rows += store.read(study.id).rows();
            CHECK((rows == 22 || !lost.empty())); // all of them, where an index was hit
            points += rows;
            ++recovered;
        } catch (const Error& error) { // not even the list of tables
            CHECK(error.where().find(path) == 0);
            CHECK_FALSE(error.remedy().empty());
            ++hopeless;
        }
        CHECK(readFile(path) == bytes);
    }
    MESSAGE(opened << " opened, " << recovered << " recovered with " << points << " points, " << hopeless
                   << " hopeless");
    CHECK(recovered > 10);
    CHECK(points > 5 * recovered); // of 22
    CHECK(hopeless < recovered);
}
