// SPDX-License-Identifier: GPL-3.0-or-later
// Flipped bytes: told by study and block, never wrong numbers; the rest is read, and a run mends what is
// damaged.
#include "engine/base/file.h"
#include "engine/store/recover_store.h"
#include "engine/store/schema.h"
#include "tests/engine/store/store_fixtures.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace fs = std::filesystem;

namespace {

/// A store of two studies in one file without a log, and what they read.
struct Whole {
    TemporaryFolder folder;
    std::string path = folder.path() + "/s.sqlite";
    Study first, second;
    StudyTable tables[2];

    explicit Whole(std::size_t prompts = 60, std::size_t outputs = 100)
        : first(smallStudy(prompts, outputs)), second(smallStudy(20, 90)) {
        second.base.change([](Scenario& base) {
            base.workload.promptTokens.value = 5; // no points of the first: every study sets it, but
            base.workload.batch.value = 7;
            base.nodes.at(1).count.value = 3; // this none
        });
        {
            Store store(path);
            runStudy(first, store, withJobs(1));
            runStudy(second, store, withJobs(1));
        }
        {
            Database plain(path);
            plain.execute("PRAGMA journal_mode = DELETE");
        }
        Store store(path);
        tables[0] = store.read(1);
        tables[1] = store.read(2);
        fs::remove(path + "-wal");
        fs::remove(path + "-shm");
    }
};

/// Values of a table that are not those of the whole one: absent ones are counted apart.
struct Difference {
    std::size_t wrong = 0, absent = 0, rows = 0;
};

Difference compare(const StudyTable& whole, const StudyTable& table) {
    Difference found;
    found.rows = whole.rows() - table.rows();
    for (std::size_t i = 0; i < whole.columns.size(); ++i)
        for (std::size_t row = 0; row < table.rows(); ++row) {
            const double wanted = whole.columns[i].at(table.ordinal(row)),
                         value = table.columns.at(i).at(row);
            if (std::isnan(value))
                found.absent += std::isnan(wanted) ? 0 : 1;
            else
                found.wrong += value == wanted ? 0 : 1;
        }
    for (std::size_t row = 0; row < table.rows(); ++row)
        if (table.bound(row) != "unknown")
            found.wrong += table.bound(row) == whole.bound(table.ordinal(row)) ? 0 : 1;
    return found;
}

} // namespace

TEST_CASE(
    "store: bytes flipped in 200 places are told by study and block; nothing reads wrong, the rest reads") {
    const Whole whole(90, 150);
    const auto bytes = readFile(whole.path);
    std::mt19937_64 random(200);
    std::size_t damaged = 0, refused = 0, untouched = 0;
    for (int flip = 0; flip < rounds(200, 60); ++flip) {
        auto broken = bytes;
        const auto at = random() % broken.size();
        broken[at] = static_cast<char>(broken[at] ^ static_cast<char>(1 + random() % 255));
        CAPTURE(at);
        const TemporaryFolder folder;
        const auto path = folder.path() + "/broken.sqlite";
        writeFileAtomically(path, broken);
        try {
            Store store(path);
            std::vector<std::string> leftAside;
            const auto studies = store.studies(&leftAside);
            CHECK(studies.size() + leftAside.size() == 2);
            std::size_t told = leftAside.size();
            for (const auto& study : studies) {
                const auto& was = whole.tables[study.id - 1];
                const auto table = store.read(study.id);
                const auto difference = compare(was, table);
                REQUIRE(difference.wrong == 0);
                CHECK((table.damage.empty() == (difference.absent + difference.rows == 0) ||
                       !table.damage.empty()));
                for (const auto& damage : table.damage)
                    CHECK((damage.starts_with("study " + std::to_string(study.id)) ||
                           damage.starts_with("bound ")));
                told += table.damage.size();
            }
            damaged += told > 0 ? 1 : 0;
            untouched += told == 0 ? 1 : 0;
        } catch (const Error& error) { // the pages that say what a file is: told by the file
            ++refused;
            CHECK(error.where().find(path) == 0);
            CHECK_FALSE(error.remedy().empty());
        }
    }
    MESSAGE(damaged << " told, " << untouched << " in room that is free, " << refused << " files refused");
    CHECK(damaged > scaled(100u));
    CHECK(refused < rounds(200u) / 10);
}

TEST_CASE("store: 20 flips in the blocks of one file: the others read, and running the studies again mends "
          "the rest") {
    const Whole whole(90, 150);
    // Of pages that lead to many blocks each by itself is enough to lose them all: another test has those.
    std::vector<std::size_t> pages;
    std::size_t pageSize = 0;
    {
        Database plain(whole.path);
        pageSize = static_cast<std::size_t>(std::stoul(plain.text("PRAGMA page_size")));
        Statement leaves(plain, "SELECT pageno FROM dbstat WHERE name = 'blocks' AND pagetype <> 'internal'"
                                " ORDER BY pageno");
        while (leaves.step())
            pages.push_back(static_cast<std::size_t>(leaves.integer(0)));
    }
    REQUIRE(pages.size() > 40);
    auto bytes = readFile(whole.path);
    std::mt19937_64 random(7);
    for (int flip = 0; flip < 20; ++flip) {
        const auto page = pages[random() % pages.size()] - 1;
        const auto at = page * pageSize + random() % pageSize;
        bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
    }
    const auto path = whole.folder.path() + "/broken.sqlite";
    writeFileAtomically(path, bytes);
    const auto check = [&](Store& store) {
        std::vector<std::string> leftAside;
        std::size_t values = 0;
        for (const auto& study : store.studies(&leftAside)) {
            const auto table = store.read(study.id);
            CHECK(compare(whole.tables[study.id - 1], table).wrong == 0);
            for (const auto& column : table.columns)
                values += static_cast<std::size_t>(std::count_if(column.values.begin(), column.values.end(),
                                                                 [](double v) { return !std::isnan(v); }));
        }
        return values;
    };
    std::size_t readable = 0;
    {
        Store store(path);
        readable = check(store);
        CHECK(readable > 0);
    }
    // Pages of the file itself are hit too, where nothing can be written: what can be read goes into another.
    const auto out = whole.folder.path() + "/recovered.sqlite";
    const auto before = readFile(path);
    const auto lost = recoverStore(path, out);
    CHECK(readFile(path) == before);
    CHECK_FALSE(lost.empty());
    for (const auto& what : lost)
        CHECK((what.starts_with("study ") || what.starts_with("bound ")));
    Store store(out);
    CHECK(check(store) >= readable);
    const Study* studies[] = {&whole.first, &whole.second};
    for (int i = 0; i < 2; ++i) {
        const auto run = runStudy(*studies[i], store, withJobs(1));
        CHECK(run.study.done == run.study.points);
        const auto table = store.read(run.study.id);
        CHECK(table.damage.empty());
        const auto mended = compare(whole.tables[i], table);
        CHECK(mended.wrong + mended.absent + mended.rows == 0);
    }
}

TEST_CASE("store: cells upon each other and chains in circles are read so often as a whole file has them") {
    constexpr std::size_t size = 65536, pages = 16;
    const auto number = [](std::string& bytes, std::size_t at, std::uint32_t value, int count) {
        for (int i = 0; i < count; ++i)
            bytes[at + static_cast<std::size_t>(i)] = static_cast<char>(value >> 8 * (count - 1 - i));
    };
    // As SQLite writes it: seven bits a byte, the highest first, all but the last marked.
    const auto varint = [](std::uint32_t value, int count) {
        std::string bytes;
        for (int i = count - 1; i >= 0; --i)
            bytes += static_cast<char>((value >> 7 * i & 127) | (i > 0 ? 128 : 0));
        return bytes;
    };
    for (const std::uint32_t payload :
         {60000U, 1'000'000U}) { // within the page; in a chain that leads to itself
        const TemporaryFolder folder;
        const auto path = folder.path() + "/crafted";
        std::string file(pages * size, '\0');
        number(file, 16, 1, 2); // 65536 bytes a page
        number(file, size, 2, 4);
        for (std::size_t page = 2; page < pages; ++page) {
            const auto at = page * size;
            file[at] = 13;
            constexpr std::uint32_t cells = 2000, cell = 5000;
            number(file, at + 3, cells, 2);
            for (std::size_t i = 0; i < cells; ++i)
                number(file, at + 8 + 2 * i, cell, 2);
            const auto head = varint(payload, 4) + varint(1, 1) + varint(5, 1) +
                              varint(12 + 2 * (payload - 5), 4); // one blob
            file.replace(at + cell, head.size(), head);
            const std::uint32_t least = (size - 12) * 32 / 255 - 23;
            const auto fill = least + (payload - least) % (size - 4);
            number(file, at + cell + 5 + (fill <= size - 35 ? fill : least), 2, 4);
        }
        writeFileAtomically(path, file);
        std::size_t rows = 0, bytes = 0;
        forEachLeafRow(path, [&](const StoredRow& row) {
            ++rows;
            bytes += std::get<StoredBlob>(row.values.at(0)).bytes.size();
        });
        CHECK(rows > 0);
        CHECK(bytes <= 8 * file.size());
    }
}

TEST_CASE("store: the pages that lead to all others are gone: what they led to is recovered") {
    const Whole whole;
    auto bytes = readFile(whole.path);
    std::mt19937_64 random(11);
    {
        Database plain(whole.path);
        const auto pageSize = static_cast<std::size_t>(plain.number("PRAGMA page_size"));
        Statement pages(plain, "SELECT pageno FROM dbstat WHERE pagetype = 'internal'");
        std::size_t inner = 0;
        const auto spoil = [&](std::size_t page) {
            for (auto at = (page - 1) * pageSize; at < page * pageSize; ++at)
                bytes[at] = static_cast<char>(random());
        };
        for (; pages.step(); ++inner)
            spoil(static_cast<std::size_t>(pages.integer(0)));
        REQUIRE(inner > 0);
        SUBCASE("of one table") {}
        SUBCASE("and the names of the tables") {
            spoil(1);
        }
        SUBCASE("and the first byte of the file") {
            bytes[0] = 'X';
        }
    }
    const auto path = whole.folder.path() + "/broken.sqlite", out = whole.folder.path() + "/out.sqlite";
    writeFileAtomically(path, bytes);
    CHECK(recoverStore(path, out) == std::vector<std::string>{});
    CHECK(readFile(path) == bytes);
    Store store(out);
    REQUIRE(store.studies().size() == 2);
    for (int i = 0; i < 2; ++i) {
        const auto table = store.read(i + 1);
        CHECK(table.damage.empty());
        const auto difference = compare(whole.tables[i], table);
        CHECK(difference.wrong + difference.absent + difference.rows == 0);
    }
}

TEST_CASE("store: 200 flips at once, wherever they hit: what has none of them is recovered") {
    const Whole whole(300, 400);
    const auto bytes = readFile(whole.path);
    const auto valuesOf = [&](Store& store) {
        std::size_t values = 0;
        std::vector<std::string> leftAside;
        for (const auto& study : store.studies(&leftAside)) {
            const auto table = store.read(study.id);
            CHECK(compare(whole.tables[study.id - 1], table).wrong == 0);
            for (const auto& column : table.columns)
                if (!column.isAxis)
                    values += static_cast<std::size_t>(std::count_if(
                        column.values.begin(), column.values.end(), [](double v) { return !std::isnan(v); }));
        }
        return values;
    };
    std::size_t all = 0;
    {
        Store store(whole.path);
        all = valuesOf(store);
    }
    std::vector<double> shares;
    for (unsigned round = 0; round < rounds(6u, 3); ++round) {
        CAPTURE(round);
        std::mt19937_64 random(300 + round);
        auto broken = bytes;
        for (int flip = 0; flip < 200; ++flip) {
            auto& byte = broken[random() % broken.size()];
            byte = static_cast<char>(byte ^ static_cast<char>(1 << random() % 8));
        }
        const TemporaryFolder folder;
        const auto path = folder.path() + "/broken.sqlite", out = folder.path() + "/out.sqlite";
        writeFileAtomically(path, broken);
        CHECK_FALSE(recoverStore(path, out).empty());
        CHECK(readFile(path) == broken);
        Store store(out);
        shares.push_back(static_cast<double>(valuesOf(store)) / static_cast<double>(all));
        MESSAGE("round " << round << ": " << 100 * shares.back() << " % of the values of "
                         << bytes.size() / 16384 << " pages are left");
    }
    std::sort(shares.begin(), shares.end());
    CHECK(shares[shares.size() / 2] > 0.2); // now and then the row that says what a study is was hit itself
}

TEST_CASE("store: a damaged block is named, and only what it holds is missing until the study runs again") {
    const Whole whole;
    const auto path = whole.path;
    Chunk last;
    {
        Database plain(path);
        ColumnNames names(plain);
        std::vector<std::string> damage;
        last = ChunkReader(plain, names, 1, 12000).chunks({11999, 12000}, damage).at(0);
        plain.execute(
            "UPDATE blocks SET data = zeroblob(length(data)) WHERE chunk = (SELECT max(id) FROM chunks"
            " WHERE study = 1) AND \"column\" = (SELECT id FROM block_columns WHERE name = 'ttft_s')");
    }
    Store store(path);
    const auto table = store.read(1);
    REQUIRE(table.damage.size() == 1);
    CHECK(table.damage[0] == "study 1, ttft_s of the points " + std::to_string(last.first) +
                                 " to 11999: the checksum does not fit");
    CHECK(table.rows() == 12000);
    const auto difference = compare(whole.tables[0], table);
    CHECK(difference.wrong == 0);
    CHECK(difference.absent > 0);
    CHECK(difference.absent <= last.count);
    CHECK(store.read(2).damage.empty());
    CHECK(store.read(1, {"tpot_s"}).damage.empty());
    CHECK(errorOf([&] {
              store.exportTables({1}, whole.folder.path() + "/out.sqlite");
          }).find("study 1, ttft_s") != std::string::npos);

    const auto run = runStudy(whole.first, store, withJobs(1));
    CHECK(run.computed == last.count);
    CHECK(run.damage == table.damage);
    const auto again = store.read(1);
    CHECK(again.damage.empty());
    const auto mended = compare(whole.tables[0], again);
    CHECK(mended.wrong + mended.absent + mended.rows == 0);
    CHECK(runStudy(whole.first, store, withJobs(1)).computed == 0);
}

TEST_CASE("store: blocks, chunks and names that are gone or exchanged are told") {
    const Whole whole;
    const char* const cases[] = {
        "DELETE FROM blocks WHERE \"column\" = (SELECT id FROM block_columns WHERE name = 'ttft_s') AND "
        "chunk = (SELECT min(id) FROM chunks)",
        "UPDATE blocks SET data = (SELECT data FROM blocks ORDER BY length(data) DESC LIMIT 1)",
        "UPDATE blocks SET sum = sum + 1",
        "UPDATE chunks SET first = first + 1 WHERE study = 1",
        "UPDATE chunks SET count = count - 1 WHERE study = 1",
        "UPDATE chunks SET columns = x'' WHERE study = 1",
        "UPDATE block_columns SET name = 'tpot' WHERE name = 'ttft_s'",
        "UPDATE bounds SET text = text || 'x'",
        "DELETE FROM chunks WHERE study = 1 AND first = (SELECT max(first) FROM chunks WHERE study = 1)",
    };
    for (const auto* sql : cases) {
        CAPTURE(std::string(sql));
        const auto path = whole.folder.path() + "/broken.sqlite";
        fs::copy_file(whole.path, path, fs::copy_options::overwrite_existing);
        {
            Database plain(path);
            plain.execute(sql);
        }
        {
            Store store(path);
            const auto table = store.read(1);
            CHECK_FALSE(table.damage.empty());
            CHECK(compare(whole.tables[0], table).wrong == 0);
        }
        for (const auto* ending : {"-wal", "-shm"})
            fs::remove(path + ending);
    }
}
