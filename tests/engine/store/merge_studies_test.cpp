// SPDX-License-Identifier: GPL-3.0-or-later
// Shards of a sweep, in stores of their own, joined: the table of one machine, to the last byte.
#include "engine/exporters/study_csv.h"
#include "engine/store/recover_store.h"
#include "engine/store/sqlite.h"
#include "engine/study_run/evaluate_study.h"
#include "engine/study_run/run_study.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <filesystem>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

TEST_CASE("one, two and seven shards of a sweep, two lost and run again: the same table") {
    const auto base = preset("glitches/a100-7u280");
    Study study{"shards", base, {}};
    for (const auto* axis :
         {"nodes.fpga.count=1:9", "workload.batch=1:7", "techniques.load_merging.enabled=*"})
        study.axes.push_back(parseAxis(base, catalog(), axis));
    study.nodeMetrics = {"nodes.fpga.decode_gib"};
    const TemporaryFolder folder;
    const auto tableOf = [&study](Store& store, std::int64_t id) {
        const auto table = store.read(id);
        return studyCsv(table, {}, {studyKeys(table, study)});
    };
    Store one(folder.path() + "/one.sqlite");
    const auto whole = tableOf(one, runStudy(study, one, {}).study.id);
    for (const std::size_t count : {1, 2, 7}) {
        std::vector<std::string> parts;
        const auto run = [&](std::size_t index) {
            Store store(parts[index - 1]);
            RunOptions options;
            options.shard = {index, count};
            const auto done = runStudy(study, store, options);
            CHECK_FALSE(done.cancelled);
            CHECK(done.study.done == options.shard.end(126) - options.shard.begin(126));
        };
        for (std::size_t i = 1; i <= count; ++i)
            parts.push_back(folder.path() + "/" + std::to_string(count) + "-" + std::to_string(i) +
                            ".sqlite");
        for (std::size_t i = 1; i <= count; ++i)
            run(i);
        Store merged(folder.path() + "/merged-" + std::to_string(count) + ".sqlite");
        if (count == 7) { // without two of them, then with all, backwards
            std::filesystem::remove(parts[2]);
            std::filesystem::remove(parts[4]);
            CHECK(mergeStudies({parts[0], parts[1], parts[3], parts[5], parts[6]}, merged, catalog())
                      .front()
                      .done == 90);
            CHECK(errorOf([&] { mergeStudies({parts[2]}, merged, catalog()); }).find("no such file") !=
                  std::string::npos);
            run(5);
            run(3);
        }
        std::reverse(parts.begin(), parts.end());
        const auto studies = mergeStudies(parts, merged, catalog());
        REQUIRE(studies.size() == 1);
        CHECK(studies.front().done == 126);
        CHECK(tableOf(merged, studies.front().id) == whole);
    }
}

TEST_CASE("a shard of other equations is refused: its points would stand among those of today") {
    const TemporaryFolder folder;
    Study study{"shards", preset("glitches/a100-7u280"), {}};
    study.axes = {parseAxis(study.base, catalog(), "nodes.fpga.count=1:9")};
    const auto old = folder.path() + "/old.sqlite";
    {
        Store store(old);
        runStudy(study, store, {});
    }
    Database(old).execute("UPDATE studies SET equations = 'equations-1', fingerprint = zeroblob(16)");
    Store merged(folder.path() + "/merged.sqlite");
    const auto told = errorOf([&] { mergeStudies({old}, merged, catalog()); });
    CHECK(told.find(old + ": study 1 was worked out by other equations") == 0);
    CHECK(merged.pointCount() == 0);
    // Nor does it lend its points to a study of its grid.
    Store store(old);
    CHECK(runStudy(study, store, {}).computed == 9);
}
