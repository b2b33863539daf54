// SPDX-License-Identifier: GPL-3.0-or-later
// Feeds every target with every file of its corpus, and what is near to it: no fuzzer is needed for that.
//   fuzz_replay              all corpora
//   fuzz_replay TARGET FILE  one file, such as one that a fuzzer has found
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "tests/fuzz/targets.h"
#include "tests/places.h"
#include "tests/rounds.h"

#include <chrono>
#include <cstdio>
#include <exception>
#include <random>
#include <string>

namespace {

using namespace heteroscape::engine;
using Clock = std::chrono::steady_clock;

const int kNear = test::rounds(500); ///< mutations of each file

std::string near(std::string bytes, std::mt19937& random) {
    for (auto times = 1 + random() % 3; times > 0 && !bytes.empty(); --times) {
        const auto at = random() % bytes.size();
        switch (random() % 3) {
        case 0:
            bytes[at] = static_cast<char>(random() % 256);
            break;
        case 1:
            bytes.erase(at, 1 + random() % 16);
            break;
        default:
            bytes.insert(at, bytes.substr(random() % bytes.size(), 1 + random() % 16));
        }
    }
    return bytes;
}

int replay() {
    std::mt19937 random(1);
    for (const auto& target : fuzz::targets()) {
        const auto files =
            listFiles(std::string(heteroscape::places::kFuzzCorpora) + "/" + std::string(target.name), "");
        if (files.empty()) {
            std::fprintf(stderr, "%s has no corpus\n", std::string(target.name).c_str());
            return 1;
        }
        const auto begin = Clock::now();
        int runs = 0;
        for (const auto& file : files) {
            const auto bytes = readFile(file);
            target.run(bytes);
            for (int i = 0; i < kNear; ++i)
                target.run(near(bytes, random));
            runs += 1 + kNear;
        }
        const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        std::printf("%-12s %6d runs of %3zu files, %6.0f a second\n", std::string(target.name).c_str(), runs,
                    files.size(), runs / seconds);
    }
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    try {
        if (argc == 3) {
            fuzz::target(argv[1]).run(readFile(argv[2]));
            return 0;
        }
        if (argc == 1)
            return replay();
        std::fprintf(stderr, "usage: fuzz_replay [TARGET FILE]\n");
        return 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "fuzz_replay: %s\n", error.what());
        return 1;
    }
}
