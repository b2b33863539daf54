// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace heteroscape::engine::test {

/// How a program ended that was given its time.
struct Ended {
    bool hung = false; ///< killed when its time was over
    int signal = 0;    ///< that ended it; 0: it ended by itself
    int exitCode = -1;
    double seconds = 0.0;   ///< of processors: other work on the machine does not count
    double mebibytes = 0.0; ///< of memory, at most
    std::string out;
    std::string err;
};

/// Runs a program to its end with variables added to the environment, without a shell between. What it prints
/// goes through files in `folder`.
Ended spawn(const std::vector<std::string>& arguments,
            const std::vector<std::pair<std::string, std::string>>& environment, const std::string& folder,
            std::chrono::milliseconds patience);

} // namespace heteroscape::engine::test
