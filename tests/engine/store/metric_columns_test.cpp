// SPDX-License-Identifier: GPL-3.0-or-later
// Metrics of a store are found by name: files of programs with more, fewer or other metrics.

#include "engine/store/schema.h"
#include "engine/store/study_forecast.h"
#include "tests/engine/store/store_fixtures.h"

#include <algorithm>
#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// What another program left: `statements` on the file.
void change(const std::string& path, const std::string& statements) {
    Database database(path);
    database.execute(statements);
}

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

    /// The file of a program that did not have the metric.
    void forget(const std::string& metric) {
        Database database(path);
        auto sql = database.text("SELECT sql FROM sqlite_master WHERE name = '" + info.view + "'");
        const auto column = ", p." + quotedName(metric) + " AS " + quotedName(metric);
        REQUIRE(sql.find(column) != std::string::npos);
        sql.erase(sql.find(column), column.size());
        database.execute("DROP VIEW " + quotedName(info.view));
        database.execute("ALTER TABLE points DROP COLUMN " + quotedName(metric));
        database.execute("DELETE FROM metric_columns WHERE key = '" + metric + "'");
        database.execute(sql);
    }
};

} // namespace

TEST_CASE(
    "store: a metric that is new reads N/A, and the points are computed again when they are asked for") {
    Stored stored;
    stored.forget("price_usd"); // in the middle of the others
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
    SUBCASE("after all points were removed") {
        store.remove(stored.info.id);
        CHECK(runStudy(stored.study, store, withJobs(1)).computed == 24);
    }
    CHECK(runStudy(stored.study, store, withJobs(1)).computed == 0);
    CHECK(forecastStudy(stored.study, &store, {}).stored == 24);
    Database plain(stored.path);
    CHECK(plain.text("PRAGMA integrity_check") == "ok");
    const auto view = store.studies().back().view;
    CHECK(plain.number("SELECT count(price_usd) FROM " + view) > 0);
}

TEST_CASE("store: metrics that this program does not know are left alone, wherever they stand") {
    Stored stored;
    // A program that has renamed the throughput, removed the latency and has one more metric.
    change(stored.path, "ALTER TABLE points RENAME COLUMN throughput_tok_s TO speed_tok_s;"
                        "UPDATE metric_columns SET key = 'speed_tok_s' WHERE key = 'throughput_tok_s';"
                        "ALTER TABLE points ADD COLUMN noise_db REAL;"
                        "INSERT INTO metric_columns VALUES('noise_db', 0);"
                        "UPDATE points SET noise_db = id");
    stored.forget("latency_s");
    Store store(stored.path);
    CHECK(differing(stored.table, store.read(stored.info.id)) ==
          std::vector<std::string>{"throughput_tok_s", "latency_s"});
    CHECK(store.read(stored.info.id).find("noise_db") == nullptr);
    Database plain(stored.path);
    CHECK(plain.number("SELECT count(*) FROM points WHERE noise_db = id") == 24);
    CHECK(plain.number("SELECT count(speed_tok_s) FROM points") > 0);

    // Points written now do not have them: that program will compute them again, and knows which.
    CHECK(plain.number("SELECT since FROM metric_columns WHERE key = 'noise_db'") == 0);
    CHECK(runStudy(stored.study, store, withJobs(1)).computed == 24);
    const auto last = plain.number("SELECT max(id) FROM points");
    CHECK(plain.number("SELECT since FROM metric_columns WHERE key = 'noise_db'") == last + 1);
    CHECK(runStudy(stored.study, store, withJobs(1)).computed == 0);
    CHECK(plain.number("SELECT since FROM metric_columns WHERE key = 'noise_db'") == last + 1);
    CHECK(differing(stored.table, store.read(stored.info.id)).empty());
}

TEST_CASE("store: columns in another order hold the same metrics, also in an exported study") {
    Stored stored;
    stored.forget("ttft_s"); // which comes back as the last column
    Store store(stored.path);
    CHECK(runStudy(stored.study, store, withJobs(1)).computed == 24);
    const auto copy = stored.folder.path() + "/copy.sqlite";
    store.exportStudy(stored.info.id, copy);
    Store other(copy);
    CHECK(differing(stored.table, other.read(other.studies().at(0).id)).empty());
    CHECK(runStudy(stored.study, other, withJobs(1)).computed == 0);
}
