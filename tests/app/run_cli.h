// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "tests/engine/fixtures.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace heteroscape::engine::test {

/// What the real heteroscape-cli answered.
struct Answer {
    int exitCode = -1;
    std::string out;
    std::string err;
    Json json() const { return parseJson(out, "stdout"); }
};

/// Runs it with these arguments on the shipped presets.
Answer cli(const std::vector<std::string>& arguments);

} // namespace heteroscape::engine::test
