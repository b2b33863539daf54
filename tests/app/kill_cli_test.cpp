// SPDX-License-Identifier: GPL-3.0-or-later

// A sweep that is killed without a word leaves a sound store, and resumes with what is missing.

#include "engine/store/schema.h"
#include "engine/store/sqlite.h"
#include "engine/study_run/evaluate_study.h"
#include "engine/study_run/run_study.h"
#include "tests/app/run_cli.h"
#include "tests/engine/fixtures.h"
#include "tests/places.h"

#include <chrono>
#include <cmath>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
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
    ::setenv("HETEROSCAPE_PRESETS", heteroscape::places::kPresetsFolder, 1);
    ::execl(CLI_PATH, CLI_PATH, "sweep", "glitches/a100-7u280", "--axis", promptAxis(round).c_str(), "--axis",
            kOutputAxis.c_str(), "--db", path.c_str(), "--jobs", "2", nullptr);
    ::_exit(127);
}

/// Rows that are stored of the study of this round; 0 before it is there.
std::int64_t storedRows(const std::string& path, int round) {
    if (!std::filesystem::exists(path))
        return 0; // a connection would make it
    try {
        checkStoreFile(path);
        Database database(path);
        if (database.number("SELECT count(*) FROM sqlite_master WHERE name = 'chunks'") == 0)
            return 0;
        return database.number("SELECT coalesce(sum(count), 0) FROM chunks WHERE study = " +
                               std::to_string(round + 1));
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

/// A sweep that runs, until it is asked and has ended: then its id may be another program's.
class Sweep {
public:
    Sweep(const std::string& path, int round) : m_child(startSweep(path, round)) { REQUIRE(m_child > 0); }

    bool isRunning() {
        m_ended = m_ended || ::waitpid(m_child, &m_status, WNOHANG) != 0;
        return !m_ended;
    }
    /// Whether it was killed. One that has ended before has done its work and is left alone.
    bool kill() {
        if (!isRunning()) {
            CHECK(WIFEXITED(m_status));
            CHECK(WEXITSTATUS(m_status) == 0);
            return false;
        }
        REQUIRE(::kill(m_child, SIGKILL) == 0);
        REQUIRE(::waitpid(m_child, &m_status, 0) == m_child);
        m_ended = true;
        CHECK(WIFSIGNALED(m_status));
        CHECK(WTERMSIG(m_status) == SIGKILL);
        return true;
    }

private:
    pid_t m_child;
    int m_status = 0;
    bool m_ended = false;
};

/// Every value of the stored study is that of the same study evaluated in memory.
void checkValues(const StudyTable& stored, const Study& study) {
    const auto expected = evaluateStudy(study);
    REQUIRE(stored.rows() == expected.rows());
    REQUIRE(stored.columns.size() == expected.columns.size());
    std::size_t values = 0, other = 0;
    for (std::size_t i = 0; i < stored.columns.size(); ++i) {
        CHECK(stored.columns[i].name == expected.columns[i].name);
        for (std::size_t row = 0; row < stored.rows(); ++row) {
            const double found = stored.columns[i].at(row), wanted = expected.columns[i].at(row);
            values += std::isnan(found) ? 0 : 1;
            other += found == wanted || (std::isnan(found) && std::isnan(wanted)) ? 0 : 1;
        }
    }
    for (std::size_t row = 0; row < stored.rows(); ++row)
        other += stored.bound(row) == expected.bound(row) ? 0 : 1;
    CHECK(other == 0);
    CHECK(values > 10 * kPoints); // two axes, feasible, and most metrics
}

} // namespace

TEST_CASE("killed at 30 random moments: the store is sound, and resuming computes exactly what is missing") {
    const TemporaryFolder folder;
    const auto path = folder.path() + "/s.sqlite";
    std::mt19937 random(30);
    std::uniform_int_distribution<std::int64_t> rows(1, kPoints / 3);
    std::uniform_real_distribution<double> early(0.0, 0.02);
    std::size_t killed = 0, midway = 0;
    for (int round = 0; round < rounds(30); ++round) {
        CAPTURE(round);
        Sweep sweep(path, round);
        // By what is stored, not by time, so that neither a slow nor a fast machine is killed too late; every
        // fifth while it opens the store.
        const auto until = rows(random);
        if (round % 5 == 4)
            std::this_thread::sleep_for(std::chrono::duration<double>(early(random)));
        else
            while (storedRows(path, round) < until && sweep.isRunning())
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
        killed += sweep.kill() ? 1 : 0;

        std::int64_t kept = 0;
        {
            Store store(path); // opens, and with it takes the log in
            Database plain(path);
            REQUIRE(plain.text("PRAGMA integrity_check") == "ok");
            kept = storedRows(path, round);
            CHECK(plain.number("SELECT count(*) FROM blocks b LEFT JOIN chunks c ON c.id = b.chunk"
                               " WHERE c.id IS NULL") == 0);
            CHECK(plain.number("SELECT count(*) FROM studies s WHERE done !="
                               " (SELECT coalesce(sum(count), 0) FROM chunks c WHERE c.study = s.id)") == 0);
            for (const auto& study : store.studies()) { // what is there reads, undamaged
                const auto table = store.read(study.id);
                CHECK(table.rows() == study.done);
                CHECK(table.damage.empty());
            }
            const auto run = runStudy(studyOf(round), store, {});
            CHECK(run.computed == kPoints - static_cast<std::size_t>(kept));
            CHECK(run.reused == static_cast<std::size_t>(kept));
            CHECK(store.study(run.study.id).done == kPoints);
            if (round == 7)
                checkValues(store.read(run.study.id), studyOf(round));
        }
        midway += kept > 0 && static_cast<std::size_t>(kept) < kPoints ? 1 : 0;
    }
    CHECK(killed >= rounds(30u) / 2);
    CHECK(midway >= rounds(30u) / 2); // really in the middle
    Store store(path);
    CHECK(store.pointCount() == rounds(30u) * kPoints);
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
