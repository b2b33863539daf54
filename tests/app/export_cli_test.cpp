// SPDX-License-Identifier: GPL-3.0-or-later
// Studies in other programs: exported as plain tables, and shown by the extension of SQLite.
#include "engine/store/store.h"
#include "tests/app/run_cli.h"
#include "tests/engine/fixtures.h"

#include <cmath>
#include <filesystem>
#include <map>
#include <sqlite3.h>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// Any program with SQLite.
class PlainSql {
public:
    explicit PlainSql(const std::string& path) {
        REQUIRE(sqlite3_open(path.c_str(), &m_database) == SQLITE_OK);
    }
    ~PlainSql() { sqlite3_close(m_database); }
    PlainSql(const PlainSql&) = delete;
    PlainSql& operator=(const PlainSql&) = delete;

    void loadExtension() {
        sqlite3_db_config(m_database, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, nullptr);
        char* message = nullptr;
        const int code = sqlite3_load_extension(m_database, STUDIES_EXTENSION, nullptr, &message);
        CAPTURE(std::string(message ? message : ""));
        sqlite3_free(message);
        REQUIRE(code == SQLITE_OK);
    }

    /// Rows of text; empty where NULL. A failure is one row of its message.
    std::vector<std::vector<std::string>> rows(const std::string& sql) {
        sqlite3_stmt* statement = nullptr;
        if (sqlite3_prepare_v2(m_database, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK)
            return {{sqlite3_errmsg(m_database)}};
        std::vector<std::vector<std::string>> found;
        int code = SQLITE_ROW;
        while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
            found.emplace_back();
            for (int i = 0; i < sqlite3_column_count(statement); ++i) {
                const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, i));
                found.back().emplace_back(text ? text : "");
            }
        }
        if (code != SQLITE_DONE)
            found.push_back({sqlite3_errmsg(m_database)});
        sqlite3_finalize(statement);
        return found;
    }
    std::string text(const std::string& sql) { return rows(sql).at(0).at(0); }

private:
    sqlite3* m_database = nullptr;
};

struct Swept {
    TemporaryFolder folder;
    std::string path = folder.path() + "/study.sqlite";
    std::string view = "study_1_counts";

    Swept() {
        REQUIRE(cli({"sweep", "glitches/a100-7u280", "--axis", "nodes.fpga.count=1:9", "--axis",
                     "techniques.load_merging.enabled=*", "--axis", "workload.batch=1,4096", "--name",
                     "Counts", "--db", path})
                    .exitCode == 0);
        REQUIRE(cli({"sweep", "preserve/llama3-70b-8h100", "--axis", "workload.batch=1:4", "--name", "Other",
                     "--db", path})
                    .exitCode == 0);
    }
};

} // namespace

TEST_CASE("export: a store becomes plain tables beside it, or in a new file, and nothing is overwritten") {
    const Swept swept;
    const auto tables = swept.folder.path() + "/study-tables.sqlite";
    auto answer = cli({"export", swept.path});
    CHECK(answer.exitCode == 0);
    CHECK(contains(answer.out, "study_1_counts: 36 of 36 points"));
    CHECK(contains(answer.err, tables));
    const auto stored = Store(swept.path).read(1);
    {
        PlainSql plain(tables);
        CHECK(plain.text("SELECT count(*) FROM study_1_counts") == "36");
        CHECK(plain.text("SELECT count(*) FROM study_2_other") == "4");
        CHECK(plain.text(
                  "SELECT group_concat(DISTINCT \"techniques.load_merging.enabled\") FROM study_1_counts") ==
              "false,true");
        CHECK(plain.text("SELECT label || '|' || unit FROM study_columns WHERE study_table = "
                         "'study_1_counts' AND name ="
                         " 'throughput_tok_s'") == "Throughput|tok/s");
        double most = 0;
        for (const double value : stored.find("throughput_tok_s")->values)
            most = std::isnan(value) ? most : std::max(most, value);
        CHECK(std::stod(plain.text("SELECT max(throughput_tok_s) FROM study_1_counts")) ==
              doctest::Approx(most).epsilon(1e-14));
    }
    answer = cli({"export", swept.path});
    CHECK(answer.exitCode == 1);
    CHECK(contains(answer.err, "the file is there already"));
    const auto one = swept.folder.path() + "/one.sqlite";
    CHECK(cli({"export", one, "--db", swept.path, "--study", "Other"}).exitCode == 0);
    CHECK(PlainSql(one).text(
              "SELECT group_concat(name) FROM sqlite_master WHERE name LIKE 'study!_%' ESCAPE '!'") ==
          "study_2_other,study_columns");
    const auto csv = swept.folder.path() + "/one.csv";
    CHECK(cli({"export", swept.path, "--study", "2", "--out", csv}).exitCode == 0);
    CHECK(std::filesystem::file_size(csv) > 100);
    CHECK(contains(cli({"export", swept.path, "--out", csv}).err, "one file for 2 studies"));
    CHECK(contains(cli({"export", swept.path, "--study", "9"}).err,
                   "There are: study_1_counts, study_2_other"));
    CHECK(contains(cli({"export", one + "x", "--db", swept.folder.path() + "/none.sqlite"}).err,
                   "no such file"));
    CHECK_FALSE(std::filesystem::exists(swept.folder.path() + "/none.sqlite"));
}

TEST_CASE("the extension of SQLite shows the studies of a store as tables, with the values of the store") {
    const Swept swept;
    PlainSql plain(swept.path);
    plain.loadExtension();
    const auto table = Store(swept.path).read(1);
    CHECK(plain.text("SELECT count(*) FROM study_1_counts") == "36");
    CHECK(plain.text("SELECT count(*) FROM study_2_other") == "4");
    std::size_t values = 0;
    for (const auto& column : table.columns) {
        CAPTURE(column.name);
        const auto rows = plain.rows("SELECT \"" + column.name + "\", bound, ordinal FROM study_1_counts");
        REQUIRE(rows.size() == 36);
        for (std::size_t row = 0; row < rows.size(); ++row) {
            CHECK(rows[row][1] == table.bound(row));
            CHECK(rows[row][2] == std::to_string(row));
            if (std::isnan(column.at(row))) {
                CHECK(rows[row][0].empty());
                continue;
            }
            if (column.isChoice())
                CHECK(rows[row][0] == column.text(column.at(row)));
            else
                CHECK(std::stod(rows[row][0]) ==
                      doctest::Approx(column.at(row)).epsilon(1e-14)); // SQLite's text
            ++values;
        }
    }
    CHECK(values > 36 * 10);
    CHECK(plain.text("SELECT count(*) FROM study_1_counts a JOIN study_1_counts b USING(\"nodes.fpga.count\","
                     " \"workload.batch\") WHERE a.\"techniques.load_merging.enabled\" = 'true' AND"
                     " b.\"techniques.load_merging.enabled\" = 'false' AND a.throughput_tok_s >= "
                     "b.throughput_tok_s") != "0");
    // One by its number; what is run since is shown when asked.
    CHECK(plain.rows("CREATE VIRTUAL TABLE temp.t USING heteroscape_study(main, 2)").empty());
    CHECK(plain.text("SELECT count(*) FROM t") == "4");
    CHECK(contains(plain.text("CREATE VIRTUAL TABLE temp.u USING heteroscape_study(main, 7)"),
                   "no study has the number 7"));
    CHECK(contains(plain.text("CREATE VIRTUAL TABLE temp.u USING heteroscape_study"), "give the schema"));
    REQUIRE(cli({"sweep", "glitches/a100-7u280", "--axis", "workload.batch=1,2", "--name", "Third", "--db",
                 swept.path})
                .exitCode == 0);
    CHECK(plain.text("SELECT heteroscape_studies()") == "3");
    CHECK(plain.text("SELECT count(*) FROM study_3_third") == "2");
}

TEST_CASE(
    "the extension of SQLite names a damaged block, shows attached stores, and none where there is none") {
    const Swept swept;
    {
        PlainSql plain(":memory:");
        plain.loadExtension();
        CHECK(plain.text("SELECT heteroscape_studies()") == "0");
        CHECK(plain.rows("ATTACH '" + swept.path + "' AS other").empty());
        CHECK(plain.text("SELECT heteroscape_studies('other')") == "2");
        CHECK(plain.text("SELECT count(*) FROM study_1_counts") == "36");
    }
    PlainSql plain(swept.path);
    CHECK(plain
              .rows("UPDATE blocks SET data = zeroblob(9) WHERE chunk = 1 AND \"column\" = (SELECT id FROM "
                    "block_columns"
                    " WHERE name = 'ttft_s')")
              .empty());
    plain.loadExtension();
    CHECK(contains(plain.text("SELECT max(ttft_s) FROM study_1_counts"),
                   "study 1, ttft_s of the points 0 to 35: the checksum does not fit"));
    CHECK(plain.text("SELECT count(tpot_s) > 0 FROM study_1_counts") == "1");
    const auto answer = cli({"export", swept.path});
    CHECK(answer.exitCode == 1);
    CHECK(contains(answer.err, "study 1, ttft_s of the points 0 to 35"));
    CHECK_FALSE(std::filesystem::exists(swept.folder.path() + "/study-tables.sqlite"));
    // Run again, it is computed anew, and told.
    const auto again =
        cli({"sweep", "glitches/a100-7u280", "--axis", "nodes.fpga.count=1:9", "--axis",
             "techniques.load_merging.enabled=*", "--axis", "workload.batch=1,4096", "--db", swept.path});
    CHECK(again.exitCode == 0);
    CHECK(contains(again.err, "computed again: study 1, ttft_s"));
    CHECK(cli({"export", swept.path}).exitCode == 0);
}

TEST_CASE("the extension of SQLite reads tables alone, and tells what a file says without its escapes") {
    const Swept swept;
    PlainSql plain(swept.path);
    plain.loadExtension();
    const auto refuse = [&](const std::string& change) {
        CHECK(plain.rows("BEGIN").empty());
        CHECK(plain.rows(change).empty());
        const auto told = plain.text("CREATE VIRTUAL TABLE temp.t USING heteroscape_study(main, 1)");
        CHECK(plain.rows("ROLLBACK").empty());
        CHECK(told.find('\x1b') == std::string::npos);
        return told;
    };
    CHECK(contains(refuse("UPDATE grid_axes SET path = char(27) || '[31m', numbers = x'' WHERE study = 1"),
                   "the values of ?[31m do not fit together"));
    CHECK(contains(refuse("UPDATE grid_axes SET numbers = zeroblob(9000000) WHERE study = 1"),
                   "larger than those of any study"));
    CHECK(contains(refuse("UPDATE studies SET points = 37 WHERE id = 1"), "do not make its 37 points"));
    CHECK(plain.rows("ALTER TABLE studies RENAME TO gone").empty());
    CHECK(plain
              .rows("CREATE VIEW studies AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
                    " SELECT x AS id, 'v' || x AS view, 36 AS points FROM n")
              .empty());
    CHECK(plain.text("SELECT heteroscape_studies()") == "0");
}
