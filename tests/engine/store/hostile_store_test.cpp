// SPDX-License-Identifier: GPL-3.0-or-later
// Valid SQLite files that hold nonsense, names that are no files, files that go away or may not be written.
#include "engine/base/file.h"
#include "engine/store/column_block.h"
#include "engine/store/schema.h"
#include "engine/store/study_reader.h"
#include "tests/engine/store/store_fixtures.h"
#include "tests/places.h"

#include <cmath>
#include <fcntl.h>
#include <filesystem>
#include <limits>
#include <random>
#include <set>
#include <sqlite3.h>
#include <sys/file.h>
#include <unistd.h>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace fs = std::filesystem;

namespace {

/// A statement that SQLite refuses changes nothing.
void executeIn(const std::string& path, const std::string& sql) {
    sqlite3* database = nullptr;
    REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
    sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr);
    sqlite3_close(database);
}

/// A store with two small studies, in one file without a log beside it.
std::string storeIn(const TemporaryFolder& folder) {
    const auto path = folder.path() + "/s.sqlite";
    {
        Store store(path);
        runStudy(smallStudy(2, 3), store, withJobs(1));
        runStudy(smallStudy(3, 2), store, withJobs(1));
    }
    executeIn(path, "PRAGMA journal_mode = DELETE");
    return path;
}

/// Uses a store in every way that there is. What does not fit together may only be told.
void useAll(const std::string& path) {
    try {
        Store store(path);
        std::vector<std::string> leftAside;
        auto studies = store.studies(&leftAside);
        store.pointCount();
        for (const auto& study : studies)
            try {
                store.read(study.id);
                store.storedOrdinals(study);
                store.wholePoints(study);
                runStudy(store.definition(study.id, catalog()), store, withJobs(1));
                store.rename(study.id, "again");
                store.exportStudy(study.id, path + "." + std::to_string(study.id));
                store.remove(study.id);
            } catch (const Error& error) {
                CHECK_FALSE(error.remedy().empty());
            }
        const auto study = smallStudy(2, 3);
        runStudy(study, store, withJobs(1));
    } catch (const Error& error) {
        CHECK_FALSE(error.remedy().empty());
    }
}

/// Uses a copy of a whole store that a statement has broken, with nothing of an older one beside it.
void useBroken(const TemporaryFolder& folder, const std::string& whole, const std::string& sql) {
    for (const auto& entry : fs::directory_iterator(folder.path()))
        if (entry.path() != whole)
            fs::remove_all(entry.path());
    const auto path = folder.path() + "/broken.sqlite";
    fs::copy_file(whole, path);
    executeIn(path, sql);
    useAll(path);
}

} // namespace

TEST_CASE("store: nonsense in a valid file is told, and the other studies are there") {
    const TemporaryFolder folder;
    const auto whole = storeIn(folder);
    const std::pair<const char*, const char*> cases[] = {
        {"UPDATE grid_axes SET numbers = x'' WHERE study = 1",
         "values of workload.prompt_tokens are missing"},
        {"UPDATE grid_axes SET numbers = substr(numbers, 1, 8) WHERE study = 1 AND axis = 2", "are missing"},
        {"UPDATE studies SET points = -1 WHERE id = 1", "number of points is -1"},
        {"UPDATE studies SET points = 0 WHERE id = 1", "number of points is 0"},
        {"UPDATE studies SET points = 9000000000000000000 WHERE id = 1",
         "number of points is 9000000000000000000"},
        {"UPDATE studies SET points = 13 WHERE id = 1", "do not make its 13 points"},
        {"UPDATE studies SET done = -5 WHERE id = 1", "number of stored points is -5"},
        {"UPDATE studies SET done = 13 WHERE id = 1", "number of stored points is 13"},
        {"UPDATE grid_axes SET length = -1 WHERE study = 1", "length of workload.prompt_tokens is -1"},
        {"UPDATE grid_axes SET length = 1e15 WHERE study = 1",
         "length of workload.prompt_tokens is 1000000000000000"},
        {"UPDATE grid_axes SET length = 0 WHERE study = 1", "length of workload.prompt_tokens is 0"},
        {"UPDATE grid_axes SET length = 'two' WHERE study = 1", "length of workload.prompt_tokens is 0"},
        {"DELETE FROM grid_axes WHERE study = 1", "do not make its 12 points"},
        {"UPDATE grid_axes SET numbers = x'000000000000f07f000000000000f07f' WHERE study = 1 AND axis = 0",
         "do not fit together"},
        {"UPDATE grid_axes SET names = '[\"x\"]' WHERE study = 1 AND axis = 0", "do not fit together"},
        {"UPDATE grid_axes SET names = '[1, 2]' WHERE study = 1 AND axis = 0", "do not fit together"},
        {"UPDATE grid_axes SET names = '[' WHERE study = 1 AND axis = 0", "do not fit together"},
        {"UPDATE grid_axes SET path = 'workload.batches' WHERE study = 1 AND axis = 2",
         "the checksum of its axes does not fit"},
        {"UPDATE grid_axes SET numbers = x'000000000000f03f0000000000000040' WHERE study = 1 AND axis = 2",
         "the checksum of its axes does not fit"},
    };
    for (const auto& [sql, told] : cases) {
        CAPTURE(sql);
        const auto path = folder.path() + "/broken.sqlite";
        fs::copy_file(whole, path, fs::copy_options::overwrite_existing);
        executeIn(path, sql);
        Store store(path);
        std::vector<std::string> leftAside;
        const auto studies = store.studies(&leftAside);
        REQUIRE(leftAside.size() == 1);
        CHECK(leftAside[0].find(path + ": study 1: ") == 0);
        CHECK_MESSAGE(leftAside[0].find(told) != std::string::npos, leftAside[0]);
        REQUIRE(studies.size() == 1);
        CHECK(studies[0].id == 2);
        CHECK(store.read(2).rows() == 12);
        CHECK_THROWS_AS(store.studies(), Error);
        CHECK_THROWS_AS(store.read(1), Error);
        CHECK_THROWS_AS(store.definition(1, catalog()), Error);
    }
}

TEST_CASE("store: a base that was changed is told where the design is wanted; the points read") {
    const TemporaryFolder folder;
    const auto path = storeIn(folder);
    executeIn(path, "UPDATE studies SET base = replace(base, '1', '2') WHERE id = 1");
    Store store(path);
    CHECK(store.read(1).rows() == 12);
    CHECK(errorOf([&] { store.definition(1, catalog()); }).find("study 1: the checksum of its base") !=
          std::string::npos);
    CHECK_NOTHROW(store.definition(2, catalog()));
}

TEST_CASE("store: rows, points and tables that do not fit together are told") {
    const TemporaryFolder folder;
    const auto whole = storeIn(folder);
    const char* const cases[] = {
        "UPDATE chunks SET first = first + 100 WHERE study = 1",
        "UPDATE chunks SET first = -1 - first WHERE study = 1",
        "UPDATE chunks SET count = 9223372036854775807",
        "UPDATE chunks SET count = 0",
        "UPDATE chunks SET known = 77",
        "UPDATE chunks SET columns = 'x'",
        "UPDATE blocks SET chunk = chunk + 1",
        "UPDATE blocks SET \"column\" = -\"column\"",
        "UPDATE blocks SET data = 7",
        "DELETE FROM blocks",
        "UPDATE bounds SET id = 4611686018427387904 WHERE id = 1",
        "DELETE FROM bounds",
        "DELETE FROM block_columns",
        "UPDATE block_columns SET id = 4611686018427387904 WHERE id = 1",
        "DELETE FROM known_columns",
        "UPDATE known_columns SET names = ''",
        "INSERT INTO chunks(id, study, first, count, known, columns, sum) VALUES(9223372036854775807, 1, 3, "
        "1, 1, x'', 1)",
        "UPDATE studies SET base = '{}'",
        "UPDATE studies SET base = ''",
        "UPDATE studies SET family = x'00'",
        "UPDATE grid_axes SET path = 'nodes.gone.count'",
        "UPDATE grid_axes SET path = ''",
        "UPDATE studies SET view = 'chunks'",
        "DROP TABLE bounds",
        "ALTER TABLE chunks RENAME TO gone; CREATE VIEW chunks AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL"
        " SELECT x + 1 FROM n) SELECT 1 AS id, 1 AS study, x AS first, 1 AS count, 1 AS known, x'' AS "
        "columns, 1 AS"
        " sum FROM n",
        "CREATE TRIGGER t AFTER INSERT ON chunks BEGIN DELETE FROM studies; END",
        "ALTER TABLE chunks RENAME COLUMN count TO other",
        "PRAGMA user_version = 0",
        "PRAGMA user_version = -7",
    };
    for (const auto* sql : cases) {
        CAPTURE(sql);
        useBroken(folder, whole, sql);
    }
}

TEST_CASE("store: rows and values with right checksums that make no sense are told, and computed anew") {
    const TemporaryFolder folder;
    const auto whole = storeIn(folder);
    const auto good = Store(whole).read(1);
    const auto sumOf = [](std::string_view column, std::size_t first, const std::string& bytes) {
        return std::to_string(blockSum(column, first, 12, bytes));
    };
    const auto hex = [](const std::string& bytes) {
        std::string text;
        for (const char c : bytes) {
            constexpr std::string_view digits = "0123456789abcdef";
            text += digits[static_cast<unsigned char>(c) >> 4];
            text += digits[static_cast<unsigned char>(c) & 15];
        }
        return "x'" + text + "'";
    };
    const auto block = [&](const std::string& column, const std::vector<double>& values) {
        const auto bytes = packBlock(values);
        return "UPDATE blocks SET data = " + hex(bytes) + ", sum = " + sumOf(column, 0, bytes) +
               " WHERE chunk = (SELECT id FROM chunks WHERE study = 1) AND \"column\" ="
               " (SELECT id FROM block_columns WHERE name = '" +
               column + "')";
    };
    const auto chunk = [&](std::int64_t first, const std::string& columns) {
        return "UPDATE chunks SET first = " + std::to_string(first) + ", columns = " + hex(columns) +
               ", sum = " + sumOf("", static_cast<std::size_t>(first), columns) + " WHERE study = 1";
    };
    std::string columns;
    {
        Database database(whole, Database::Access::Read);
        columns = database.text("SELECT columns FROM chunks WHERE study = 1");
    }
    std::string many(std::size_t{8} << 20, '\1');
    const std::vector<std::string> cases = {
        chunk(-1, columns),
        chunk(-12, columns),
        chunk(std::numeric_limits<std::int64_t>::min(), columns),
        chunk(0, many),
        chunk(0, columns + "odd"),
        block("feasible", std::vector<double>(12, 7.5)),
        block("feasible", {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, kNone}),
        block("bound", std::vector<double>(12, 1.5)),
        block("bound", std::vector<double>(12, -1.0)),
        block("throughput_tok_s", std::vector<double>(12, INFINITY)),
        block("throughput_tok_s", {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -INFINITY}),
    };
    for (const auto& sql : cases) {
        CAPTURE(sql.substr(0, 200));
        const auto path = folder.path() + "/broken.sqlite";
        fs::copy_file(whole, path, fs::copy_options::overwrite_existing);
        executeIn(path, sql);
        Store store(path);
        const auto table = store.read(1);
        CHECK_FALSE(table.damage.empty());
        for (const auto& column : table.columns)
            for (const double value : column.values)
                REQUIRE_FALSE(std::isinf(value));
        CHECK(store.missing(store.study(1), {0, 12}).size() == 1);
        const auto run = runStudy(smallStudy(2, 3), store, withJobs(1));
        CHECK(run.computed > 0); // the other study lends some
        const auto again = store.read(1);
        CHECK(again.damage.empty());
        CHECK(again.rows() == 12);
        const auto& values = again.find("throughput_tok_s")->values;
        const auto& before = good.find("throughput_tok_s")->values;
        CHECK(std::equal(values.begin(), values.end(), before.begin(), before.end(),
                         [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }));
    }
}

TEST_CASE("store: texts and lists that are larger than any study has are told, not read") {
    const TemporaryFolder folder;
    const auto whole = storeIn(folder);
    const std::pair<const char*, const char*> cases[] = {
        {"UPDATE studies SET name = hex(zeroblob(40000000)) WHERE id = 1", "study 1: a text of it has"},
        {"UPDATE studies SET name = hex(zeroblob(90000000)) WHERE id = 1", "too big"},
        {"WITH RECURSIVE n(x) AS (SELECT 10 UNION ALL SELECT x + 1 FROM n WHERE x < 300000) INSERT INTO"
         " node_metrics SELECT 1, x, 'nodes.gpu.' || x, '', '' FROM n",
         "study 1: it has more than 1000 metrics of nodes"},
        {"UPDATE grid_axes SET names = '[' || replace(hex(zeroblob(4500000)), '0', '\"\",') || '\"\"]'"
         " WHERE study = 1 AND axis = 0",
         "the names of workload.prompt_tokens do not fit together"},
        {"UPDATE grid_axes SET label = hex(zeroblob(40000000)) WHERE study = 1",
         "study 1: a text of an axis has"},
        {"WITH RECURSIVE n(x) AS (SELECT 10 UNION ALL SELECT x + 1 FROM n WHERE x < 300000) INSERT INTO"
         " study_limits SELECT 1, x, 'ttft_s', 0, 1 FROM n",
         "study 1: it has more than 1000 limits"},
    };
    for (const auto& [sql, told] : cases) {
        CAPTURE(sql);
        const auto path = folder.path() + "/broken.sqlite";
        fs::copy_file(whole, path, fs::copy_options::overwrite_existing);
        executeIn(path, sql);
        Store store(path);
        std::vector<std::string> leftAside;
        const auto studies = store.studies(&leftAside);
        REQUIRE(leftAside.size() == 1);
        CHECK_MESSAGE(contains(leftAside[0], told), leftAside[0]);
        CHECK(leftAside[0].size() < 1000);
        CHECK(studies.size() == 1);
    }
}

TEST_CASE("store: random values in random places are told or answered") {
    const TemporaryFolder folder;
    const auto whole = storeIn(folder);
    const std::pair<const char*, std::vector<const char*>> tables[] = {
        {"studies",
         {"fingerprint", "name", "view", "created", "equations", "base", "points", "done", "family",
          "base_sum", "shape_sum"}},
        {"grid_axes", {"study", "axis", "path", "label", "unit", "length", "numbers", "names", "prints"}},
        {"chunks", {"id", "study", "first", "count", "known", "columns", "sum"}},
        {"blocks", {"chunk", "\"column\"", "sum", "data"}},
        {"bounds", {"id", "text", "sum"}},
        {"block_columns", {"id", "name", "sum"}},
        {"known_columns", {"id", "names", "sum"}},
    };
    const char* const values[] = {"0",
                                  "-1",
                                  "1",
                                  "2",
                                  "7",
                                  "1e300",
                                  "-1e300",
                                  "9e999",
                                  "'x'",
                                  "''",
                                  "x'00ff'",
                                  "9223372036854775807",
                                  "-9223372036854775808",
                                  "4294967296",
                                  "'{\"a\":1}'"};
    std::mt19937 random(7);
    for (int i = 0; i < rounds(150); ++i) {
        const auto& [table, columns] = tables[random() % std::size(tables)];
        const std::string column = columns[random() % columns.size()];
        const std::string value = values[random() % std::size(values)];
        const auto rows = random() % 2 == 0 ? std::string() : " WHERE abs(random()) % 2 = 0";
        const auto sql = "UPDATE OR IGNORE " + std::string(table) + " SET " + column + " = " + value + rows;
        CAPTURE(sql);
        useBroken(folder, whole, sql);
    }
}

TEST_CASE("store: what is no path of a file is refused, and a path that only looks like one is a file") {
    for (const auto* name : {"", ":memory:", "file:x.sqlite", "file::memory:", "file:x?mode=memory"})
        CHECK(errorOf([&] { Store store{std::string(name)}; }).find("not the path of a file") !=
              std::string::npos);
    const TemporaryFolder folder;
    for (const auto* name : {"/:memory:", "/file:x?mode=memory", "/a%20b?c#d.sqlite"}) {
        const auto path = folder.path() + name;
        CAPTURE(path);
        { Store(path).ensureStudy(smallStudy(1, 2)); }
        CHECK(fs::is_regular_file(path));
        CHECK(Store(path).studies().size() == 1);
    }
}

TEST_CASE("store: what a killed program left beside a new file is swept away, and nothing else") {
    const TemporaryFolder folder;
    const auto path = storeIn(folder);
    const auto make = [&](const std::string& name, const std::string& file) {
        fs::create_directory(folder.path() + "/" + name);
        writeFileAtomically(folder.path() + "/" + name + "/" + file, "x");
    };
    make("gone.sqlite.part-abcdef", "study.sqlite");
    make("gone.sqlite.part-fedcba", "study.sqlite-wal");
    make("mine.part-abcdef", "notes.txt");
    make("other.part-abcdefg", "study.sqlite");
    make("alive.sqlite.part-abcdef", "study.sqlite");
    const int alive = ::open((folder.path() + "/alive.sqlite.part-abcdef").c_str(), O_RDONLY | O_DIRECTORY);
    REQUIRE(::flock(alive, LOCK_EX | LOCK_NB) == 0);
    Store(path).exportStudy(1, folder.path() + "/new.sqlite");
    ::close(alive);
    std::set<std::string> left;
    for (const auto& entry : fs::directory_iterator(folder.path()))
        left.insert(entry.path().filename());
    CHECK(left == std::set<std::string>{"s.sqlite", "new.sqlite", "mine.part-abcdef", "other.part-abcdefg",
                                        "alive.sqlite.part-abcdef"});
}

TEST_CASE("store: one that is moved or deleted under a sweep is told") {
    for (const bool deleted : {false, true}) {
        const TemporaryFolder folder;
        const auto path = folder.path() + "/s.sqlite";
        Store store(path);
        RunOptions options = withJobs(1);
        options.progress = [&](const StudyProgress&) {
            if (!fs::exists(path))
                return;
            deleted ? static_cast<void>(fs::remove(path)) : fs::rename(path, path + ".moved");
        };
        CHECK(errorOf([&] {
                  runStudy(smallStudy(300, 100), store, options);
              }).find(path + ": was moved or deleted while it was being written") == 0);
    }
}

TEST_CASE("store: one that may not be written is listed, read and exported") {
    const TemporaryFolder folder;
    const auto path = storeIn(folder);
    // As it is opened where nothing may be written; whoever runs the tests may write everywhere.
    Database database(path, Database::Access::ReadUnchanging);
    prepareStore(database);
    const auto studies = readStudyInfos(database, nullptr);
    REQUIRE(studies.size() == 2);
    CHECK(readStudyTable(database, studies[0], {}, {0, 12}).rows() == 12);
    copyStudy(database, studies[0], folder.path() + "/copy.sqlite");
    CHECK(Store(folder.path() + "/copy.sqlite").studies().size() == 1);
    CHECK_FALSE(fs::exists(path + "-wal"));
    CHECK(errorOf([&] { database.execute("DELETE FROM studies"); }).find("you may write to it") !=
          std::string::npos);
}

TEST_CASE("store: how a file is opened follows from what may be written") {
    const TemporaryFolder folder;
    const auto path = storeIn(folder);
    CHECK(accessTo(path) == Database::Access::Write);
    CHECK(accessTo(folder.path() + "/none.sqlite") == Database::Access::Write);
    if (::geteuid() == 0)
        return; // who may write everything is never refused
    fs::permissions(path, fs::perms::owner_read);
    CHECK(accessTo(path) == Database::Access::ReadUnchanging);
    CHECK(Store(path).studies().size() == 2);
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
    fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
    CHECK(accessTo(path) == Database::Access::ReadUnchanging);
    CHECK(Store(path).studies().size() == 2);
    fs::permissions(folder.path(), fs::perms::owner_all);
}
