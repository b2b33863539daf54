// SPDX-License-Identifier: GPL-3.0-or-later

// What the store and the sweep do on this machine: points of ten random metrics packed and written a second,
// points evaluated alone, evaluated and stored, a second run, a study that takes them over, reopening to the
// first plot, reading, CSV; bytes a number and memory. Usage: store_benchmark [points] [jobs]

#include "engine/base/parallel.h"
#include "engine/claims/claims.h"
#include "engine/exporters/study_csv.h"
#include "engine/store/column_block.h"
#include "engine/study_run/point_evaluator.h"
#include "engine/study_run/run_study.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <malloc.h>
#include <random>
#include <sys/resource.h>

using namespace heteroscape::engine;

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Seconds of processors that this program has had: other work on the machine does not count.
double processorSeconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// Pages of memory that this program has touched for the first time: on virtual machines each is dear.
long pageFaults() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
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

/// Points of ten metrics of random numbers, which nothing packs smaller: Store::addPoints() with packing.
void writeOnly(const std::string& path, const Study& study) {
    Store store(path);
    const auto info = store.ensureStudy(study);
    std::vector<std::string> names{kFeasibleColumn};
    for (std::size_t i = 0; i < 10; ++i)
        names.emplace_back(metricSpecs()[i].key);
    const auto columns = std::make_shared<const std::vector<std::string>>(names);
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> quantity(1.0, 1e4);
    double seconds = 0.0;
    double longest = 0.0;
    double processor = 0.0; // what a machine with nothing else to do would take, but for the disk
    for (std::size_t at = 0; at < info.points;) {
        std::vector<std::vector<std::vector<double>>> values; // of a batch, by block, by column
        std::vector<PackedPoints> batch;
        for (; at < info.points && batch.size() < 4; at += batch.back().count) {
            batch.push_back({at, std::min(kMostBlockPoints, info.points - at), columns, {}, {}, {}});
            auto& block = values.emplace_back(names.size(), std::vector<double>(batch.back().count, 1.0));
            for (std::size_t column = 1; column < names.size(); ++column)
                for (auto& value : block[column])
                    value = quantity(random);
            for (std::size_t i = 0; i < batch.back().count; ++i)
                batch.back().bounds.push_back(static_cast<std::uint32_t>(i % 3));
        }
        const auto start = Clock::now();
        const auto clock = std::clock();
        for (std::size_t i = 0; i < batch.size(); ++i)
            for (const auto& column : values[i])
                batch[i].blocks.push_back(packBlock(column));
        store.addPoints(info, batch, {"gpu prefill compute", "fpga decode memory", "none"});
        seconds += since(start);
        longest = std::max(longest, since(start));
        processor += static_cast<double>(std::clock() - clock) / CLOCKS_PER_SEC;
    }
    print("write, ten random metrics", info.points, seconds);
    print("  by processor time", info.points, processor);
    std::printf("%-34s %9.0f ms\n", "  longest batch", longest * 1e3);
    std::printf("%-34s %9.2f bytes a number\n", "  in the file",
                static_cast<double>(store.bytes()) / static_cast<double>(info.points * 10));
    const auto start = Clock::now();
    const auto table = store.read(info.id);
    print("read all columns", table.rows(), since(start));
}

/// Every point evaluated on all cores, and nothing kept.
double evaluateAlone(const Study& study, int jobs) {
    const PointSetter setter(study);
    BoundNames names;
    const auto count = study.pointCount();
    const auto start = Clock::now();
    inParallel(
        count, 8192,
        [&](std::size_t begin, std::size_t end) {
            PointEvaluator evaluator(setter, names);
            EvaluatedPoint point;
            for (auto i = begin; i != end; ++i)
                evaluator.evaluate(i, point);
        },
        jobs > 0 ? jobs : coreCount());
    const double seconds = since(start);
    print("evaluate alone", count, seconds);
    return seconds;
}

void sweep(const std::string& path, const Study& study, int jobs) {
    auto processor = processorSeconds();
    const double alone = evaluateAlone(study, jobs);
    const double aloneProcessor = processorSeconds() - processor;
    Store store(path);
    RunOptions options;
    options.jobs = jobs;
    processor = processorSeconds();
    auto faults = pageFaults();
    auto run = runStudy(study, store, options);
    processor = processorSeconds() - processor;
    faults = pageFaults() - faults;
    print("sweep (evaluate and write)", run.computed, run.seconds);
    std::printf("%-34s %9.2f x\n", "  of evaluating alone", run.seconds / alone);
    std::printf("%-34s %9.2f x  (%.2f s)\n", "  by processor time", processor / aloneProcessor, processor);
    std::printf("%-34s %9ld\n", "  page faults", faults);
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    std::printf("%-34s %9ld MB\n", "  most memory so far", usage.ru_maxrss / 1024);
    run = runStudy(study, store, options);
    print("second run (computes nothing)", run.reused, run.seconds);
    auto renamed = study;
    std::reverse(renamed.axes[0].values.begin(), renamed.axes[0].values.end());
    run = runStudy(renamed, store, options);
    print("another study of the same points", run.reused, run.seconds);
    auto start = Clock::now();
    processor = processorSeconds();
    faults = pageFaults();
    {
        Store again(path);
        const auto first = again.read(run.study.id, {"ttft_s", "throughput_tok_s"});
        std::printf("%-34s %9.0f ms\n", "reopen and read two metrics", since(start) * 1e3);
        std::printf("%-34s %9.0f ms\n", "  by processor time", (processorSeconds() - processor) * 1e3);
        std::printf("%-34s %9ld\n", "  page faults", pageFaults() - faults);
    }
    start = Clock::now();
    const auto table = store.read(run.study.id);
    print("read all columns", table.rows(), since(start));
    std::size_t numbers = 0;
    for (const auto& column : table.columns)
        if (!column.isAxis)
            numbers += static_cast<std::size_t>(std::count_if(
                column.values.begin(), column.values.end(), [](double value) { return !std::isnan(value); }));
    std::printf("%-34s %9.2f bytes a number (%zu columns)\n", "in the file",
                static_cast<double>(store.bytes()) / static_cast<double>(2 * numbers),
                numbers / std::max<std::size_t>(table.rows(), 1));
    start = Clock::now();
    const auto text = studyCsv(table);
    print("CSV", table.rows(), since(start));
}

} // namespace

int main(int argc, char** argv) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 20); // as the window has it
    mallopt(M_TRIM_THRESHOLD, 4 << 20);
#endif
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
