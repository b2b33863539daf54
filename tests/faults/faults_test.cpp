// SPDX-License-Identifier: GPL-3.0-or-later
// Every call of the system that can fail is let fail, one after the other, while designs are saved, parts
// imported, studies swept and results exported: what was on disk before is whole after, the exit code is
// right, the message names what failed, and the same command succeeds afterwards.
#include "engine/base/file.h"
#include "engine/store/schema.h"
#include "engine/store/sqlite.h"
#include "engine/study_run/run_study.h"
#include "tests/app/spawn.h"
#include "tests/engine/fixtures.h"
#include "tests/engine/store/store_fixtures.h"
#include "tests/places.h"
#include "tests/rounds.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace fs = std::filesystem;

namespace {

class Command {
public:
    Command(std::vector<std::string> arguments, std::string folder)
        : m_arguments(std::move(arguments)), m_folder(std::move(folder)) {}

    Ended run() const {
        return spawn(m_arguments, {{"HETEROSCAPE_PRESETS", heteroscape::places::kPresetsFolder}}, m_folder,
                     kPatience);
    }

    /// `fault`: "write:3". `struck`: the call that was to fail came, and failed.
    Ended run(const std::string& fault, bool& struck) const {
        const auto mark = m_folder + "/struck";
        fs::remove(mark);
        auto ended = spawn(m_arguments,
                           {{"HETEROSCAPE_PRESETS", heteroscape::places::kPresetsFolder},
                            {"LD_PRELOAD", FAULTS_PATH},
                            {"HETEROSCAPE_FAULT", fault},
                            {"HETEROSCAPE_FAULT_MARK", mark}},
                           m_folder, kPatience);
        struck = fs::exists(mark);
        return ended;
    }

private:
    static constexpr std::chrono::seconds kPatience{20};
    std::vector<std::string> m_arguments;
    std::string m_folder;
};

/// The calls that are let fail: each of the first, then ever fewer, since thousands are alike (every preset's
/// file is opened and read), and the last, which is searched for by halves. Fewer of all by testScale().
class Calls {
public:
    explicit Calls(bool all) : m_growth(all ? 1.0 + 0.02 * (stride() - 1) : 1.0 + 0.05 * stride()) {}
    long number() const { return m_number; }
    /// False once a call came and the one after it did not.
    bool next(bool hit) {
        (hit ? m_hit : m_miss) = m_number;
        if (m_miss == 0)
            m_number =
                std::max(m_hit + 1, m_hit < m_first ? 0 : std::lround(static_cast<double>(m_hit) * m_growth));
        else
            m_number = m_hit + (m_miss - m_hit) / 2;
        return m_miss == 0 || m_miss > m_hit + 1;
    }

private:
    double m_growth;
    long m_first = rounds(40L);
    long m_number = 1;
    long m_hit = 0;  // the last that came
    long m_miss = 0; // the first known not to come, or 0
};

/// Runs the command with each fault of a kind until it came to its end without one. `prepare` puts on disk
/// what was there before; `check` looks at what is there after, and whether the work is done. What could not
/// be written is named: `target`.
template <class Prepare, class Check>
void strike(const std::string& kind, const Command& command, const std::string& target, Prepare prepare,
            Check check) {
    const bool isWriting = kind == "write" || kind == "fsync" || kind == "rename";
    const bool hundreds = kind == "open" || kind == "read" || kind == "malloc";
    int struck = 0;
    for (const auto* lasting : {"", "+"}) {
        Calls calls(!hundreds);
        bool hit = true;
        do {
            const auto fault = kind + ":" + std::to_string(calls.number()) + lasting;
            CAPTURE(fault);
            prepare();
            hit = false;
            const auto outcome = command.run(fault, hit);
            CAPTURE(outcome.err);
            CHECK_FALSE(outcome.hung);
            CHECK(outcome.signal == 0);
            if (!hit) {
                CHECK(outcome.exitCode == 0);
                check(true);
                continue;
            }
            ++struck;
            CHECK((outcome.exitCode == 0 || outcome.exitCode == 3 || outcome.exitCode == 1));
            if (outcome.exitCode != 0) {
                CHECK(outcome.err.find(": ") != std::string::npos);
                CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') >= 1);
                CHECK((!isWriting || outcome.err.find(target) != std::string::npos));
                CHECK((!isWriting || outcome.err.find(". ") != std::string::npos)); // what to do about it
            }
            check(outcome.exitCode == 0);
        } while (calls.next(hit));
    }
    MESSAGE(kind << ": " << struck << " faults");
    CHECK(struck > 0);
}

/// A file that a command replaces: it is what it was, or what it is to be.
class Replaced {
public:
    explicit Replaced(std::string path) : m_path(std::move(path)) {}
    void prepare() const { writeFileAtomically(m_path, "what was there before\n"); }
    void learn() { m_wanted = readFile(m_path); }
    void check(bool done) const {
        const auto now = readFile(m_path);
        CHECK((now == m_wanted || (!done && now == "what was there before\n")));
        CHECK(std::distance(fs::directory_iterator(fs::path(m_path).parent_path()),
                            fs::directory_iterator()) == 1);
    }

private:
    std::string m_path;
    std::string m_wanted;
};

/// The last argument is the file, with this ending.
void strikeReplacing(std::vector<std::string> arguments, const std::string& ending, const char* kinds) {
    const TemporaryFolder folder;
    fs::create_directory(folder.path() + "/out");
    const auto target = folder.path() + "/out/file" + ending;
    Replaced file(target);
    arguments.push_back(target);
    const Command command(arguments, folder.path());
    file.prepare();
    REQUIRE(command.run().exitCode == 0);
    file.learn();
    std::istringstream list(kinds);
    for (std::string kind; list >> kind;)
        strike(
            kind, command, target, [&] { file.prepare(); }, [&](bool done) { file.check(done); });
}

const std::string kPrompts = "workload.prompt_tokens=100:160:20";
const std::string kOutputs = "workload.output_tokens=10,20,30";

/// A store that holds one study, in which another is swept.
class Swept {
public:
    explicit Swept(std::string path) : m_path(std::move(path)), m_before(smallStudy(2, 3)) {
        Store store(m_path);
        runStudy(m_before, store, withJobs(1));
    }
    void keep() { fs::copy_file(m_path, m_path + ".kept", fs::copy_options::overwrite_existing); }
    void prepare() const {
        for (const auto* ending : {"-wal", "-shm", "-journal"})
            fs::remove(m_path + ending);
        fs::copy_file(m_path + ".kept", m_path, fs::copy_options::overwrite_existing);
    }
    void check(bool done) const {
        Database plain(m_path);
        CHECK(plain.text("PRAGMA integrity_check") == "ok");
        Store store(m_path);
        const auto studies = store.studies(); // throws where one is not whole
        REQUIRE(studies.size() >= 1);
        CHECK(studies[0].done == 12);
        CHECK(store.read(studies[0].id).rows() == 12);
        CHECK((!done || (studies.size() == 2 && studies[1].done == 12)));
        for (const auto& study : studies)
            CHECK(store.read(study.id).rows() == study.done);
        if (done || studies.size() == 1)
            return;
        const auto resumed = runStudy(store.definition(studies[1].id, catalog()), store, withJobs(1));
        CHECK(resumed.computed + resumed.reused == 12);
        CHECK(store.read(studies[1].id).rows() == 12);
    }

private:
    std::string m_path;
    Study m_before;
};

} // namespace

TEST_CASE("faults: saving a design") {
    strikeReplacing({SAVE_DESIGN_PATH, heteroscape::places::kPresetsFolder, "glitches/a100-7u280"}, "",
                    "open read write fsync rename malloc");
}

TEST_CASE("faults: importing a model") {
    strikeReplacing({CLI_PATH, "import", "model",
                     std::string(heteroscape::places::kTestData) + "/hugging_face/llama-3-8b.json", "--out"},
                    "", "open read write fsync rename malloc");
}

TEST_CASE("faults: exporting a timeline and served requests") {
    strikeReplacing({CLI_PATH, "evaluate", "glitches/a100-7u280", "--timeline"}, "",
                    "open write fsync rename");
    strikeReplacing({CLI_PATH, "simulate", "glitches/a100-7u280", "--requests", "20", "--served"}, "",
                    "open write fsync rename malloc");
}

TEST_CASE("faults: a sweep into a store") {
    const TemporaryFolder folder;
    const auto path = folder.path() + "/s.sqlite";
    Swept store(path);
    store.keep();
    const Command sweep({CLI_PATH, "sweep", "glitches/a100-7u280", "--axis", kPrompts, "--axis", kOutputs,
                         "--db", path, "--jobs", "4"},
                        folder.path());
    for (const auto* kind : {"open", "read", "write", "fsync", "mmap", "malloc", "thread"})
        strike(
            kind, sweep, path, [&] { store.prepare(); }, [&](bool done) { store.check(done); });
}

TEST_CASE("faults: exporting a study as a table") {
    const TemporaryFolder folder;
    fs::create_directory(folder.path() + "/out");
    Replaced table(folder.path() + "/out/table.csv");
    const Command sweep({CLI_PATH, "sweep", "glitches/a100-7u280", "--axis", kPrompts, "--db",
                         folder.path() + "/s.sqlite", "--csv", folder.path() + "/out/table.csv"},
                        folder.path());
    table.prepare();
    REQUIRE(sweep.run().exitCode == 0);
    table.learn();
    for (const auto* kind : {"open", "write", "fsync", "rename"})
        strike(
            kind, sweep, folder.path(), [&] { table.prepare(); }, [&](bool done) { table.check(done); });
}

#ifdef WINDOW_PATH
TEST_CASE("faults: exporting a report of a design, without a display") {
    strikeReplacing({WINDOW_PATH, "export", "glitches/a100-7u280", "--out"}, ".html",
                    "thread write fsync rename");
}
#endif
