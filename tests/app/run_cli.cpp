// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/run_cli.h"

#include "engine/base/file.h"
#include "tests/engine/fixtures.h"
#include "tests/places.h"

#include <array>
#include <cstdio>
#include <sys/wait.h>

namespace heteroscape::engine::test {

namespace {

std::string quoted(const std::string& argument) {
    std::string text = "'";
    for (const char c : argument)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

} // namespace

Answer cli(const std::vector<std::string>& arguments) {
    const TemporaryFolder folder;
    std::string command =
        "HETEROSCAPE_PRESETS=" + quoted(heteroscape::places::kPresetsFolder) + " " + quoted(CLI_PATH);
    for (const auto& argument : arguments)
        command += " " + quoted(argument);
    command += " 2>" + quoted(folder.path() + "/err");
    Answer answer;
    auto* pipe = ::popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::array<char, 4096> buffer{};
    while (const auto n = std::fread(buffer.data(), 1, buffer.size(), pipe))
        answer.out.append(buffer.data(), n);
    const int status = ::pclose(pipe);
    answer.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    answer.err = readFile(folder.path() + "/err");
    return answer;
}

} // namespace heteroscape::engine::test
