// SPDX-License-Identifier: GPL-3.0-or-later

// A sweep that is killed without a word leaves a sound store, and resumes with what is missing.

#include "engine/store/run_study.h"
#include "engine/store/schema.h"
#include "engine/store/sqlite.h"
#include "tests/app/run_cli.h"
#include "tests/engine/fixtures.h"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <random>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

constexpr int kPrompts = 100, kOutputs = 120;
constexpr std::size_t kPoints = kPrompts * kOutputs;

/// Other points in every round, so that none is found from the round before.
std::string promptAxis(int round) {
    const int from = 16 + round * kPrompts;
    return "workload.prompt_tokens=" + std::to_string(from) + ":" + std::to_string(from + kPrompts - 1);
}
const std::string kOutputAxis = "workload.output_tokens=1:" + std::to_string(kOutputs);

pid_t startSweep(const std::string& path, int round) {
    const pid_t child = ::fork();
    if (child != 0)
        return child;
    const int null = ::open("/dev/null", O_WRONLY);
    ::dup2(null, STDOUT_FILENO);
    ::dup2(null, STDERR_FILENO);
    ::setenv("HETEROSCAPE_PRESETS", TEST_PRESETS, 1);
    ::execl(CLI_PATH, CLI_PATH, "sweep", "glitches/a100-7u280", "--axis", promptAxis(round).c_str(), "--axis",
            kOutputAxis.c_str(), "--db", path.c_str(), "--jobs", "2", nullptr);
    ::_exit(127);
}

/// Rows that are stored of the study of this round; 0 before it is there.
std::int64_t storedRows(const std::string& path, int round) {
    try {
        checkStoreFile(path);
        Database database(path);
        if (database.number("SELECT count(*) FROM sqlite_master WHERE name = 'study_rows'") == 0)
            return 0;
        return database.number("SELECT count(*) FROM study_rows WHERE study = " + std::to_string(round + 1));
    } catch (const Error&) {
        return 0; // being made
    }
}

Study studyOf(int round) {
    Study study{"round", preset("glitches/a100-7u280"), {}};
    study.axes = {parseAxis(study.base, catalog(), promptAxis(round)),
                  parseAxis(study.base, catalog(), kOutputAxis)};
    return study;
}

} // namespace

TEST_CASE("killed at 20 random moments: the store is sound, and resuming computes exactly what is missing") {
    const TemporaryFolder folder;
    const auto path = folder.path() + "/s.sqlite";
    std::mt19937 random(20);
    std::uniform_real_distribution<double> share(0.0, 0.6), later(0.0, 0.08);
    std::size_t midway = 0;
    for (int round = 0; round < 20; ++round) {
        CAPTURE(round);
        const auto child = startSweep(path, round);
        REQUIRE(child > 0);
        const auto until = static_cast<std::int64_t>(share(random) * static_cast<double>(kPoints));
        int status = 0;
        while (storedRows(path, round) < until && ::waitpid(child, &status, WNOHANG) == 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        std::this_thread::sleep_for(std::chrono::duration<double>(later(random)));
        ::kill(child, SIGKILL);
        ::waitpid(child, &status, 0);

        std::int64_t kept = 0;
        {
            Store store(path); // opens, and with it takes the log in
            Database plain(path);
            REQUIRE(plain.text("PRAGMA integrity_check") == "ok");
            kept = storedRows(path, round);
            CHECK(plain.number("SELECT count(*) FROM study_rows r LEFT JOIN points p ON p.id = r.point"
                               " WHERE p.id IS NULL") == 0);
            CHECK(plain.number("SELECT count(*) FROM point_keys k LEFT JOIN points p ON p.id = k.point"
                               " WHERE p.id IS NULL") == 0);
            CHECK(plain.number("SELECT count(*) FROM studies s WHERE done !="
                               " (SELECT count(*) FROM study_rows r WHERE r.study = s.id)") == 0);
            const auto run = runStudy(studyOf(round), store, {});
            CHECK(run.computed == kPoints - static_cast<std::size_t>(kept));
            CHECK(run.reused == static_cast<std::size_t>(kept));
            CHECK(store.study(run.study.id).done == kPoints);
        }
        midway += kept > 0 && static_cast<std::size_t>(kept) < kPoints ? 1 : 0;
    }
    CHECK(midway > 0); // some were really in the middle
    Store store(path);
    CHECK(store.pointCount() == 20 * kPoints);
    CHECK(runStudy(studyOf(7), store, {}).computed == 0);
}

TEST_CASE("a store that another program holds: a clear message after a wait, nothing is lost") {
    const TemporaryFolder folder;
    const auto path = folder.path() + "/s.sqlite";
    { Store store(path); }
    Database holder(path);
    holder.execute("BEGIN EXCLUSIVE");
    const auto answer = cli({"sweep", "glitches/a100-7u280", "--axis", "workload.batch=1,2", "--db", path});
    CHECK(answer.exitCode == 3);
    CHECK(contains(answer.err, path));
    CHECK(contains(answer.err, "locked"));
    holder.execute("ROLLBACK");
    CHECK(cli({"sweep", "glitches/a100-7u280", "--axis", "workload.batch=1,2", "--db", path}).exitCode == 0);
}
