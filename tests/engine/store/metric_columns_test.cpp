// SPDX-License-Identifier: GPL-3.0-or-later
// Metrics of a store are found by name: files of programs with more, fewer or other metrics.

#include "engine/store/column_block.h"
#include "engine/store/point_writer.h"
#include "engine/store/schema.h"
#include "engine/study_run/evaluate_study.h"
#include "tests/engine/store/store_fixtures.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

bool sameValue(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

/// Columns of one name in which two tables differ.
std::vector<std::string> differing(const StudyTable& a, const StudyTable& b) {
    std::vector<std::string> names;
    for (const auto& column : a.columns) {
        const auto* other = b.find(column.name);
        REQUIRE(other);
        for (std::size_t row = 0; row < a.rows(); ++row)
            if (!sameValue(column.at(row), other->at(row))) {
                names.push_back(column.name);
                break;
            }
    }
    return names;
}

/// A store with a study, and what it read.
struct Stored {
    TemporaryFolder folder;
    std::string path = folder.path() + "/s.sqlite";
    Study study = smallStudy(4, 3);
    StudyInfo info;
    StudyTable table;

    Stored() {
        Store store(path);
        info = runStudy(study, store, withJobs(1)).study;
        table = store.read(info.id);
    }

    /// The file of a program that has other metrics: its one chunk is written again, of these columns.
    void rewrite(const std::vector<std::pair<std::string, std::string>>& renamed,
                 const std::vector<std::string>& removed) {
        Database database(path);
        ColumnNames names(database);
        ChunkReader reader(database, names, info.id, info.points);
        std::vector<std::string> damage;
        const auto chunk = reader.chunks({0, info.points}, damage).at(0);
        auto known = names.known(chunk.known);
        std::map<std::string, std::vector<double>> columns;
        for (const auto column : chunk.columns) {
            auto& values = columns[names.name(column)];
            values.resize(chunk.count);
            reader.read(chunk, names.name(column), values, damage);
        }
        REQUIRE(damage.empty());
        for (const auto& [from, to] : renamed) {
            std::replace(known.begin(), known.end(), from, to);
            if (columns.contains(from))
                columns[to] = std::move(columns.extract(from).mapped());
        }
        for (const auto& column : removed) {
            std::erase(known, column);
            columns.erase(column);
        }
        std::erase(known, kBoundColumn); // goes with the points
        database.execute("DELETE FROM blocks; DELETE FROM chunks");
        PackedPoints points{0, info.points, {}, {}, table.bounds, {}};
        for (const auto& name : known)
            points.blocks.push_back(columns.contains(name) ? packBlock(columns[name]) : std::string());
        points.columns = std::make_shared<const std::vector<std::string>>(std::move(known));
        PointWriter(database, names).write(info, std::span(&points, 1), table.boundNames, {});
    }
};

} // namespace

TEST_CASE(
    "store: a metric that is new reads N/A, and the points are computed again when they are asked for") {
    Stored stored;
    stored.rewrite({}, {"price_usd"}); // in the middle of the others
    Store store(stored.path);
    CHECK(store.studies().at(0).done == 24);
    CHECK(differing(stored.table, store.read(stored.info.id)) == std::vector<std::string>{"price_usd"});
    CHECK(store.read(stored.info.id).find("price_usd")->values.empty());
    CHECK(forecastStudy(stored.study, &store, {}).stored == 0);
    CHECK(store.wholePoints(stored.info) == 0);

    SUBCASE("by the same study") {
        const auto run = runStudy(stored.study, store, withJobs(1));
        CHECK(run.computed == 24);
        CHECK(store.wholePoints(run.study) == 24);
        CHECK(run.study.id == stored.info.id);
        CHECK(run.study.done == 24);
        CHECK(differing(stored.table, store.read(run.study.id)).empty());
    }
    SUBCASE("by another study of the same points") {
        auto other = stored.study;
        std::reverse(other.axes[0].values.begin(), other.axes[0].values.end());
        const auto run = runStudy(other, store, withJobs(1));
        CHECK(run.computed == 24);
        CHECK_FALSE(store.read(run.study.id).find("price_usd")->values.empty());
        // The first one still reads as it was, and takes them over when it runs.
        CHECK(store.read(stored.info.id).find("price_usd")->values.empty());
        CHECK(runStudy(stored.study, store, withJobs(1)).computed == 0);
        CHECK(differing(stored.table, store.read(stored.info.id)).empty());
    }
    SUBCASE("after it was removed") {
        store.remove(stored.info.id);
        CHECK(runStudy(stored.study, store, withJobs(1)).computed == 24);
    }
    CHECK(runStudy(stored.study, store, withJobs(1)).computed == 0);
    CHECK(forecastStudy(stored.study, &store, {}).stored == 24);
    CHECK(Database(stored.path).text("PRAGMA integrity_check") == "ok");
}

TEST_CASE("store: metrics that this program does not know are left alone") {
    Stored stored;
    // A program that has renamed the throughput and removed the latency.
    stored.rewrite({{"throughput_tok_s", "speed_tok_s"}}, {"latency_s"});
    Store store(stored.path);
    CHECK(differing(stored.table, store.read(stored.info.id)) ==
          std::vector<std::string>{"throughput_tok_s", "latency_s"});
    CHECK(store.read(stored.info.id).find("speed_tok_s") == nullptr);
    Database plain(stored.path);
    const std::string speed = "SELECT count(*) FROM blocks b JOIN block_columns c ON c.id = b.\"column\""
                              " WHERE c.name = 'speed_tok_s'";
    CHECK(plain.number(speed) == 1);
    // Computed again, they are points of this program: the other one will see that they lack its own.
    CHECK(runStudy(stored.study, store, withJobs(1)).computed == 24);
    CHECK(plain.number(speed) == 0);
    CHECK(runStudy(stored.study, store, withJobs(1)).computed == 0);
    CHECK(differing(stored.table, store.read(stored.info.id)).empty());
}

TEST_CASE("store: an exported study has its columns, by name") {
    Stored stored;
    stored.rewrite({}, {"ttft_s"});
    Store store(stored.path);
    CHECK(runStudy(stored.study, store, withJobs(1)).computed == 24);
    const auto copy = stored.folder.path() + "/copy.sqlite";
    store.exportStudy(stored.info.id, copy);
    Store other(copy);
    CHECK(differing(stored.table, other.read(other.studies().at(0).id)).empty());
    CHECK(runStudy(stored.study, other, withJobs(1)).computed == 0);
    Database plain(copy);
    CHECK(plain.number("SELECT count(ttft_s) FROM " + stored.info.view) > 0);
}
