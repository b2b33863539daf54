// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/store.h"

#include "engine/base/file.h"
#include "engine/evaluation/evaluate.h"
#include "engine/store/column_block.h"
#include "engine/store/recover_store.h"
#include "engine/store/schema.h"
#include "engine/store/study_shape.h"
#include "engine/units/number_text.h"
#include "tests/engine/store/store_fixtures.h"

#include <cmath>
#include <csignal>
#include <filesystem>
#include <sqlite3.h>
#include <sys/resource.h>
#include <thread>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// Any SQLite tool: opens the file by the plain C API and gives rows of text, column names first.
/// NULL is "NULL", numbers are written exactly.
std::vector<std::vector<std::string>> plainQuery(const std::string& path, const std::string& sql) {
    sqlite3* database = nullptr;
    REQUIRE(sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READWRITE, nullptr) == SQLITE_OK);
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr);
    CAPTURE(sqlite3_errmsg(database));
    REQUIRE(code == SQLITE_OK);
    std::vector<std::vector<std::string>> rows(1);
    for (int i = 0; i < sqlite3_column_count(statement); ++i)
        rows[0].emplace_back(sqlite3_column_name(statement, i));
    while (sqlite3_step(statement) == SQLITE_ROW) {
        rows.emplace_back();
        for (int i = 0; i < sqlite3_column_count(statement); ++i)
            switch (sqlite3_column_type(statement, i)) {
            case SQLITE_NULL:
                rows.back().emplace_back("NULL");
                break;
            case SQLITE_FLOAT:
                rows.back().push_back(exactText(sqlite3_column_double(statement, i)));
                break;
            default:
                rows.back().emplace_back(reinterpret_cast<const char*>(sqlite3_column_text(statement, i)));
            }
    }
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return rows;
}

std::string number(const std::string& path, const std::string& sql) {
    return plainQuery(path, sql).at(1).at(0);
}

} // namespace

TEST_CASE("a study exported as a table reads in any SQLite tool, with the values of evaluate()") {
    TemporaryFolder folder;
    const auto path = folder.path() + "/s.sqlite";
    const auto table = folder.path() + "/table.sqlite";
    const auto study = smallStudy(6, 5);
    Store store(path);
    const auto info = runStudy(study, store, {}).study;
    CHECK(info.view == "study_1_a100_7_u280");
    store.exportTables({info.id}, table);
    CHECK_THROWS(store.exportTables({info.id}, table)); // never over a file
    const auto rows = plainQuery(table, "SELECT * FROM study_1_a100_7_u280");
    REQUIRE(rows.size() == study.pointCount() + 1);
    const auto read = store.read(info.id);
    std::vector<std::string> names;
    for (const auto& column : read.columns)
        names.push_back(column.name);
    names.emplace_back("bound");
    CHECK(names.size() > 20);
    CHECK(rows.at(0) == names);
    PointSetter setter(study);
    for (std::size_t i = 0; i < study.pointCount(); ++i) {
        const auto& scenario = setter.at(i);
        const auto expected = evaluate(scenario);
        std::vector<double> place;
        PointSetter::coordinates(study.axes, i, place);
        std::vector<std::string> row;
        for (const double value : place)
            row.push_back(exactText(value));
        row.emplace_back(expected.feasible ? "1" : "0");
        for (std::size_t k = row.size(); k + 1 < names.size(); ++k) {
            const auto& spec = *findMetric(names[k]);
            const double shown = toEdge(expected.metric(spec.metric), spec.scale);
            row.push_back(std::isnan(shown) ? "NULL" : exactText(shown));
        }
        row.push_back(boundKey(scenario, expected));
        REQUIRE(rows[i + 1] == row);
    }
    CHECK(number(table, "SELECT count(*) FROM study_1_a100_7_u280 WHERE \"workload.batch\" = 1") == "30");
    CHECK(number(table, "SELECT unit FROM study_columns WHERE name = 'ttft_s'") == "s");
    CHECK(number(path, "PRAGMA journal_mode") == "wal");
    CHECK(number(path, "PRAGMA integrity_check") == "ok");
}

TEST_CASE("a study is found again by its base and axes, and can be opened again") {
    TemporaryFolder folder;
    Store store(folder.path() + "/s.sqlite");
    auto study = smallStudy(4, 4);
    const auto info = store.ensureStudy(study);
    CHECK(info.points == 32);
    CHECK(info.done == 0);
    CHECK(info.axes == study.axes);
    CHECK(store.ensureStudy(study).id == info.id);
    study.base.change([](Scenario& base) {
        base.name = "only a name";
        base.nodes.at(0).position = {7, 7};
    });
    CHECK(store.ensureStudy(study).id == info.id);
    auto other = study;
    other.axes[2].values = {1};
    CHECK(store.ensureStudy(other).id == info.id + 1);
    other = study;
    other.base.change([](Scenario& base) { base.workload.batch.value = 3; });
    CHECK(store.ensureStudy(other).id == info.id + 2);
    CHECK(store.studies().size() == 3);

    const auto again = store.definition(info.id, catalog());
    CHECK(again.name == info.name);
    CHECK(again.axes == info.axes);
    CHECK(scenarioKey(again.base) == scenarioKey(study.base));
    CHECK(store.ensureStudy(again).id == info.id);
    CHECK(contains(errorOf([&] { store.study(99); }), "no study has the number 99. There are: 3, 2, 1"));
}

TEST_CASE("an axis that its design does not have is an error, and what was said of it is given back once") {
    auto study = smallStudy(2, 3);
    study.axes.push_back({"nodes.nowhere.replicas", {1, 2}, {}, {}});
    CHECK_THROWS_AS(storedAxes(study), Error);
}

TEST_CASE("removing a study keeps what others have taken over from it") {
    TemporaryFolder folder;
    const auto path = folder.path() + "/s.sqlite";
    Store store(path);
    const auto small = smallStudy(5, 5);
    const auto large = smallStudy(8, 5);
    const auto a = runStudy(small, store, {}).study;
    const auto b = runStudy(large, store, {}).study;
    CHECK(store.pointCount() == small.pointCount() + large.pointCount());
    store.remove(b.id);
    CHECK(store.pointCount() == small.pointCount());
    CHECK(store.studies().size() == 1);
    CHECK(store.read(a.id).rows() == small.pointCount());
    CHECK_THROWS_AS(store.read(b.id), Error);
    CHECK_THROWS_AS(store.remove(b.id), Error);
    const auto again = runStudy(large, store, {});
    CHECK(again.computed == large.pointCount() - small.pointCount());
    CHECK(again.study.id > b.id); // numbers are never given again
    store.remove(a.id);
    CHECK(store.read(again.study.id).rows() == large.pointCount());
    store.remove(again.study.id);
    CHECK(store.pointCount() == 0);
    for (const auto* table : {"grid_axes", "chunks", "blocks", "studies"})
        CHECK(number(path, "SELECT count(*) FROM " + std::string(table)) == "0");
}

TEST_CASE("hostile names make harmless tables") {
    TemporaryFolder folder;
    const auto path = folder.path() + "/s.sqlite";
    Store store(path);
    struct Row {
        std::string name;
        std::string slug;
    };
    const Row rows[] = {
        {"", ""},
        {"\"quoted\" 'name'", "_quoted_name"},
        {"x\"; DROP TABLE points; --", "_x_drop_table_points"},
        {"\u00dcber \u65e5\u672c\u8a9e \u2014 7", "_ber_7"},
        {"\u65e5\u672c\u8a9e", ""},
        {std::string(1000, 'A'), "_" + std::string(48, 'a')},
        {"a\nb\tc", "_a_b_c"},
        {std::string("a\0b", 3), "_a_b"},
        {"\xff\xfe", ""},
    };
    std::int64_t id = 0;
    for (const auto& row : rows) {
        ++id;
        CAPTURE(row.name);
        auto study = smallStudy(2, 2);
        study.name = row.name;
        study.base.change([&](Scenario& base) {
            base.workload.promptTokens.value = static_cast<double>(id); // another study
        });
        const auto info = runStudy(study, store, {}).study;
        CHECK(info.view == "study_" + std::to_string(id) + row.slug);
        CHECK((store.study(info.id).name == row.name));
        const auto table = folder.path() + "/" + std::to_string(id) + ".sqlite";
        store.exportTables({info.id}, table);
        CHECK(number(table, "SELECT count(*) FROM " + info.view) == "8");
    }
    CHECK(store.studies().size() == std::size(rows));
    CHECK(quotedName("a\"b") == "\"a\"\"b\"");
}

TEST_CASE("files that are no store of ours are refused and left untouched") {
    TemporaryFolder folder;
    const auto path = folder.path() + "/s.sqlite";
    const auto refuse = [&](const std::string& part) {
        const auto before = readFile(path);
        const auto error = errorOf([&] { Store store(path); });
        CAPTURE(error);
        CHECK(contains(error, path));
        CHECK(contains(error, part));
        CHECK((readFile(path) == before));
        CHECK_FALSE(std::filesystem::exists(path + "-wal"));
    };
    writeFileAtomically(path, "a letter to somebody");
    refuse("not an SQLite file");
    writeFileAtomically(path, std::string(5000, '\0'));
    refuse("not an SQLite file");

    std::filesystem::remove(path);
    {
        Database other(path);
        other.execute("CREATE TABLE mine(x); INSERT INTO mine VALUES(1)");
    }
    refuse("another program");

    std::filesystem::remove(path);
    { Store store(path); }
    {
        Database newer(path);
        newer.execute("PRAGMA journal_mode = DELETE; PRAGMA user_version = " +
                      std::to_string(kStoreSchemaVersion + 1));
    }
    refuse("newer");
    {
        Database nameless(path);
        nameless.execute("PRAGMA user_version = 0");
    }
    refuse("its schema has the number 0");

    for (const int version : {1, 8}) { // of before the first release, with tables of their own
        std::filesystem::remove(path);
        {
            Database old(path);
            old.execute("CREATE TABLE studies(x); INSERT INTO studies VALUES(1); PRAGMA application_id = " +
                        std::to_string(kUnreleasedApplicationId) +
                        "; PRAGMA user_version = " + std::to_string(version));
        }
        refuse("a store from before Heteroscape 0.9.0, which cannot be read. It was left as it is");
        const auto out = folder.path() + "/recovered.sqlite";
        CHECK(contains(errorOf([&] { recoverStore(path, out); }), "from before Heteroscape 0.9.0"));
        CHECK_FALSE(std::filesystem::exists(out));
    }

    std::filesystem::remove(path);
    { Store store(path); }
    {
        Database changed(path);
        changed.execute("PRAGMA journal_mode = DELETE; ALTER TABLE chunks RENAME COLUMN count TO number");
    }
    refuse("the table \"chunks\"");

    std::filesystem::remove(path);
    { Store store(path); }
    auto bytes = readFile(path);
    std::fill(bytes.begin() + 100, bytes.end(), '\x5a');
    writeFileAtomically(path, bytes);
    refuse("damaged");
}

TEST_CASE("an empty file becomes a store; a folder or a place without access gives a clear error") {
    TemporaryFolder folder;
    const auto path = folder.path() + "/empty.sqlite";
    writeFileAtomically(path, "");
    CHECK(Store(path).studies().empty());
    CHECK(contains(errorOf([&] { Store store(folder.path()); }), folder.path() + ": not a regular file"));
    const auto missing = folder.path() + "/no/such/s.sqlite";
    CHECK(contains(errorOf([&] { Store store(missing); }), missing));
    CHECK(contains(errorOf([&] { Store store("/proc/s.sqlite"); }), "/proc/s.sqlite"));
}

TEST_CASE("a damaged page is an error, not a crash") {
    TemporaryFolder folder;
    const auto path = folder.path() + "/s.sqlite";
    const auto study = smallStudy(40, 40);
    std::int64_t id = 0;
    {
        Store store(path);
        id = runStudy(study, store, {}).study.id;
    }
    auto bytes = readFile(path);
    std::fill(bytes.end() - static_cast<std::ptrdiff_t>(bytes.size() / 2), bytes.end(), '\x5a');
    writeFileAtomically(path, bytes);
    try {
        Store store(path);
        const auto table = store.read(id);
        CHECK(table.rows() < study.pointCount());
        REQUIRE_FALSE(table.damage.empty());
        CHECK(contains(table.damage.front(), "study 1, "));
    } catch (const Error& error) {
        CHECK(contains(error.what(), path));
        CHECK(contains(error.what(), "damaged"));
    }
}

TEST_CASE("a full disk is an error naming the file; what was committed stays") {
    TemporaryFolder folder;
    const auto path = folder.path() + "/s.sqlite";
    const auto small = smallStudy(5, 5);
    const auto large = smallStudy(400, 400);
    Store store(path);
    const auto done = runStudy(small, store, {}).study;
    // A limit on the size of files stands for the full disk: it holds for the superuser too.
    struct rlimit old {};
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &old) == 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    struct rlimit tight = old;
    tight.rlim_cur = 1 << 20;
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &tight) == 0);
    std::string error;
    try {
        runStudy(large, store, {});
    } catch (const Error& failure) {
        error = failure.what();
    }
    ::setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, handler);
    CHECK(contains(error, path));
    CHECK(contains(error, "disk"));
    CHECK(store.read(done.id).rows() == small.pointCount());
    CHECK(runStudy(large, store, {}).study.done == large.pointCount());
}

TEST_CASE("two runs on one file at the same time do not harm each other") {
    TemporaryFolder folder;
    const auto path = folder.path() + "/s.sqlite";
    const auto left = smallStudy(60, 50);
    auto right = smallStudy(90, 50);
    right.name = "right";
    StudyRun a, b;
    std::string failure;
    const auto run = [&](const Study& study, StudyRun& out) {
        try {
            Store store(path);
            out = runStudy(study, store, withJobs(1));
        } catch (const std::exception& error) {
            failure = error.what();
        }
    };
    std::thread first(run, std::cref(left), std::ref(a));
    std::thread second(run, std::cref(right), std::ref(b));
    first.join();
    second.join();
    CHECK(failure == "");
    Store store(path);
    CHECK(store.read(a.study.id).rows() == left.pointCount());
    CHECK(store.read(b.study.id).rows() == right.pointCount());
    CHECK(store.pointCount() == left.pointCount() + right.pointCount());
    CHECK(number(path, "PRAGMA integrity_check") == "ok");
}

TEST_CASE("two programs that write the same points: those that are there stay, and none is twice") {
    TemporaryFolder folder;
    const auto path = folder.path() + "/s.sqlite";
    Store store(path), other(path);
    const auto study = smallStudy(3, 3);
    const auto info = store.ensureStudy(study);
    const auto points = [](std::size_t first, std::size_t count, double value) {
        std::vector<std::string> columns = wholeColumns();
        std::erase(columns, kBoundColumn);
        PackedPoints packed{first, count, {}, {}, std::vector<std::uint32_t>(count, 0), {}};
        for (const auto& column : columns)
            packed.blocks.push_back(
                packBlock(std::vector<double>(count, column == kFeasibleColumn ? 1.0 : value)));
        packed.columns = std::make_shared<const std::vector<std::string>>(std::move(columns));
        return std::vector<PackedPoints>{packed};
    };
    store.addPoints(info, points(4, 3, 1.0), {"none"});
    other.addPoints(info, points(2, 10, 2.0), {"none"}); // 2, 3, 7 to 11
    other.addPoints(info, points(0, 18, 3.0), {"none"}); // 0, 1, 12 to 17
    const auto table = store.read(info.id);
    CHECK(table.rows() == 18);
    CHECK(table.damage.empty());
    CHECK(table.find("ttft_s")->values ==
          std::vector<double>{3, 3, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3});
    CHECK(store.study(info.id).done == 18);
    CHECK(store.missing(info, {0, 18}).empty());

    other.remove(info.id);
    CHECK(contains(errorOf([&] { store.addPoints(info, points(0, 1, 1.0), {"none"}); }),
                   "was removed meanwhile"));
    CHECK(store.pointCount() == 0);
}

TEST_CASE("points that come few at a time make few blocks") {
    TemporaryFolder folder;
    Store store(folder.path() + "/s.sqlite");
    const auto study = smallStudy(40, 40);
    const auto info = store.ensureStudy(study);
    const auto columns =
        std::make_shared<const std::vector<std::string>>(std::vector<std::string>{kFeasibleColumn, "ttft_s"});
    for (std::size_t i = 0; i < 1000; ++i) {
        const PackedPoints one{
            i,       1,
            columns, {packBlock(std::vector{1.0}), packBlock(std::vector{0.5 * static_cast<double>(i)})},
            {0},     {}};
        store.addPoints(info, std::span(&one, 1), {"none"});
    }
    CHECK(std::stoi(number(store.path(), "SELECT count(*) FROM chunks")) <= 10);
    const auto table = store.read(info.id);
    REQUIRE(table.rows() == 1000);
    for (std::size_t i = 0; i < 1000; ++i)
        REQUIRE(table.find("ttft_s")->at(i) == 0.5 * static_cast<double>(i));
}

TEST_CASE("a part of a study is read by its ordinals") {
    TemporaryFolder folder;
    Store store(folder.path() + "/s.sqlite");
    const auto info = runStudy(smallStudy(60, 80), store, {}).study;
    const auto whole = store.read(info.id);
    const auto part = store.read(info.id, {"ttft_s"}, PointRange{1000, 9001});
    REQUIRE(part.rows() == 8001);
    for (std::size_t row = 0; row < part.rows(); ++row) {
        REQUIRE(part.ordinal(row) == row + 1000);
        for (const auto* column : {"workload.prompt_tokens", "workload.batch", "feasible", "ttft_s"}) {
            const double wanted = whole.find(column)->at(row + 1000), found = part.find(column)->at(row);
            REQUIRE((wanted == found || (std::isnan(wanted) && std::isnan(found))));
        }
        REQUIRE(part.bound(row) == whole.bound(row + 1000));
    }
}

TEST_CASE("the default store lies in the data folder of the user") {
    TemporaryFolder folder;
    const char* old = std::getenv("XDG_DATA_HOME");
    const std::string saved = old ? old : "";
    ::setenv("XDG_DATA_HOME", folder.path().c_str(), 1);
    const auto path = defaultStorePath();
    if (old)
        ::setenv("XDG_DATA_HOME", saved.c_str(), 1);
    else
        ::unsetenv("XDG_DATA_HOME");
    CHECK(path == folder.path() + "/heteroscape/studies.sqlite");
    CHECK(std::filesystem::is_directory(folder.path() + "/heteroscape"));
}
