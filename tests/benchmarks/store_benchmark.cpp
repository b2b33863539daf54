// SPDX-License-Identifier: GPL-3.0-or-later

// What the store and the sweep do on this machine: rows written a second (points, study rows and key index),
// the same with the evaluation, a second run, reading, CSV. Usage: store_benchmark [points] [jobs]

#include "engine/claims/claims.h"
#include "engine/exporters/study_csv.h"
#include "engine/store/run_study.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <random>

using namespace heteroscape::engine;

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

void print(const char* what, std::size_t rows, double seconds) {
    std::printf("%-34s %9.0f rows/s  (%zu rows in %.2f s)\n", what, static_cast<double>(rows) / seconds, rows,
                seconds);
    std::fflush(stdout);
}

/// `points` points of the base, rounded up to a whole grid;.
Study grid(const Scenario& base, std::size_t points) {
    const auto side = points / 1000 + (points % 1000 != 0);
    Study study{"benchmark", base, {{"workload.prompt_tokens", {}}, {"workload.output_tokens", {}}}};
    for (std::size_t i = 0; i < std::max<std::size_t>(side, 1); ++i)
        study.axes[0].values.push_back(static_cast<double>(16 + i));
    for (std::size_t i = 0; i < 1000; ++i)
        study.axes[1].values.push_back(static_cast<double>(16 + i));
    return study;
}

/// Random keys and quantities through Store::addRows alone.
constexpr std::size_t kBatch = 65536; // as the runner's largest

void writeOnly(const std::string& path, const Study& study) {
    Store store(path);
    const auto info = store.ensureStudy(study);
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> quantity(1.0, 1e4);
    std::vector<PointRow> batch;
    double seconds = 0.0;
    double longest = 0.0;
    double processor = 0.0; // what a machine with nothing else to do would take, but for the disk
    for (std::size_t at = 0; at < info.points;) {
        batch.clear();
        for (; at < info.points && batch.size() < kBatch; ++at) {
            PointRow row{at, {}, true, true, static_cast<std::uint32_t>(at % 3), {}};
            const std::uint64_t key[2]{random(), random()};
            std::memcpy(row.key.data(), key, sizeof key);
            for (auto& metric : row.metrics)
                metric = quantity(random);
            batch.push_back(row);
        }
        const auto start = Clock::now();
        const auto clock = std::clock();
        store.addRows(info, batch, {"gpu prefill compute", "fpga decode memory", "none"});
        seconds += since(start);
        longest = std::max(longest, since(start));
        processor += static_cast<double>(std::clock() - clock) / CLOCKS_PER_SEC;
    }
    print("write (batches of 65536)", info.points, seconds);
    print("  by processor time", info.points, processor);
    std::printf("%-34s %9.0f ms\n", "  longest batch", longest * 1e3);
    const auto start = Clock::now();
    const auto table = store.read(info.id);
    print("read all columns", table.rows(), since(start));
}

void sweep(const std::string& path, const Study& study, int jobs) {
    Store store(path);
    RunOptions options;
    options.jobs = jobs;
    auto run = runStudy(study, store, options);
    print("sweep (evaluate and write)", run.computed, run.seconds);
    run = runStudy(study, store, options);
    print("second run (computes nothing)", run.reused, run.seconds);
    auto renamed = study;
    std::reverse(renamed.axes[0].values.begin(), renamed.axes[0].values.end());
    run = runStudy(renamed, store, options);
    print("another study of the same points", run.reused, run.seconds);
    auto start = Clock::now();
    const auto table = store.read(run.study.id);
    print("read all columns", table.rows(), since(start));
    start = Clock::now();
    const auto text = studyCsv(table);
    print("CSV", table.rows(), since(start));
}

} // namespace

int main(int argc, char** argv) {
    const auto points = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
    const int jobs = argc > 2 ? std::atoi(argv[2]) : 0;
    auto folder = (std::filesystem::temp_directory_path() / "heteroscape-benchmark-XXXXXX").string();
    if (points == 0 || points > kMaxStudyPoints || !::mkdtemp(folder.data())) {
        std::fprintf(stderr, "usage: store_benchmark [1..10000000 points] [jobs]\n");
        return 2;
    }
    int status = 0;
    try {
        const auto catalog = loadCatalog(findPresetsFolder());
        const auto presets = listPresets(catalog);
        const auto study = grid(loadPreset(catalog, presets.at(0).id, "benchmark"), points);
        writeOnly(folder + "/write.sqlite", study);
        sweep(folder + "/sweep.sqlite", study, jobs);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        status = 1;
    }
    std::filesystem::remove_all(folder);
    return status;
}
