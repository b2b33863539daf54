// SPDX-License-Identifier: GPL-3.0-or-later
// Names and messages of files that somebody else wrote do not steer the terminal.
#include "app/printable.h"
#include "app/text_table.h"
#include "engine/base/file.h"
#include "tests/app/run_cli.h"
#include "tests/engine/fixtures.h"
#include "tests/places.h"

#include <algorithm>
#include <sstream>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;
using heteroscape::cli::printable;
using heteroscape::cli::printableLine;
using heteroscape::cli::PrintableStream;

namespace {

/// Clears the screen, names the window, in one byte of C1 too, and turns the direction of writing.
const std::string kHostile = "\x1b[2J\x1b]0;mine\x07\u009b31m\u202egpj\u2066\x7f";

bool steers(const std::string& text) {
    return std::any_of(text.begin(), text.end(),
                       [](char c) { return (c >= 0 && c < ' ' && c != '\n' && c != '\t') || c == '\x7f'; }) ||
           contains(text, "\u009b") || contains(text, "\u202e") || contains(text, "\u2066");
}

/// A shipped design under another name.
std::string named(const std::string& name, const std::string& path) {
    auto json =
        readJsonFile(std::string(heteroscape::places::kPresetsFolder) + "/papers/glitches/a100-7u280.json");
    json["name"] = name;
    writeFileAtomically(path, json.dump());
    return path;
}

} // namespace

TEST_CASE("what a terminal would obey is written out, everything else stays") {
    CHECK(printable("a\tb\n") == "a\tb\n");
    CHECK(printableLine("a\tb\n") == "a\\u0009b\\u000a");
    CHECK(printable("a\r\x1b[2J\x7f") == "a\\u000d\\u001b[2J\\u007f");
    CHECK(printable("\u0080\u009b\u009f\u00a0") == "\\u0080\\u009b\\u009f\u00a0");
    CHECK(printable("\u2029\u202a\u202e\u202f\u2065\u2066\u2069\u206a") ==
          "\u2029\\u202a\\u202e\u202f\u2065\\u2066\\u2069\u206a");
    const std::string words = "\u00b5s \u2013 \u201cXilinx\u201d \u2264 \u65e5\u672c \U0001F600";
    CHECK(printable(words) == words);
    CHECK(printable(std::string("\0", 1)) == "\\u0000");
    CHECK(printable("") == "");
}

TEST_CASE("what is no UTF-8 is shown as such") {
    CHECK(printable("a\x9b"
                    "b") == "a\uFFFD"
                            "b");                             // C1 in one byte
    CHECK(printable("\xe0\x80\x9b") == "\uFFFD\uFFFD\uFFFD"); // an escape in three bytes
    CHECK(printable("\xed\xa0\x80") == "\uFFFD\uFFFD\uFFFD"); // half of a pair
    CHECK(printable("\xf5\x80\x80\x80") == "\uFFFD\uFFFD\uFFFD\uFFFD");
    CHECK(printable("\xe2\x80") == "\uFFFD\uFFFD"); // cut off
}

TEST_CASE("a stream keeps characters that are written byte by byte, and tells that nothing can be written") {
    std::ostringstream shown;
    const std::string text = "\u00b5\u202e\x1b\U0001F600!";
    {
        const PrintableStream filter(shown);
        for (const char c : text)
            shown << c << std::flush;
        shown << "\xe2\x80"; // and no more
    }
    CHECK(shown.str() == "\u00b5\\u202e\\u001b\U0001F600!\uFFFD\uFFFD");
    shown << "\x1b";
    CHECK(shown.str().back() == '\x1b'); // as before
    std::ostream nowhere(nullptr);
    std::ostringstream sink;
    nowhere.rdbuf(sink.rdbuf());
    {
        const PrintableStream filter(nowhere);
        nowhere.setstate(std::ios::badbit);
    }
    CHECK(nowhere.bad()); // is not forgotten at the end
}

TEST_CASE("the command line shows names and messages without obeying them") {
    const TemporaryFolder folder;
    const auto path = named(kHostile, folder.path() + "/d.hscape");
    for (const auto& answer :
         {cli({"evaluate", path}), cli({"show", "preset", path}), cli({"evaluate", path, "--json"}),
          cli({"evaluate", path, "--set", kHostile + "=1"}), cli({"evaluate", folder.path() + kHostile}),
          cli({"evaluate", kHostile}), cli({"list", kHostile})}) {
        CAPTURE(answer.out);
        CAPTURE(answer.err);
        CHECK_FALSE(steers(answer.out));
        CHECK_FALSE(steers(answer.err));
        CHECK(contains(answer.out + answer.err, "\\u001b"));
    }
}

TEST_CASE("keys of a broken file do not steer the terminal") {
    const TemporaryFolder folder;
    const auto path = folder.path() + "/d.hscape";
    auto json =
        readJsonFile(std::string(heteroscape::places::kPresetsFolder) + "/papers/glitches/a100-7u280.json");
    json[kHostile] = 1;
    writeFileAtomically(path, json.dump());
    const auto answer = cli({"evaluate", path});
    CHECK(answer.exitCode == 1);
    CHECK_FALSE(steers(answer.err));
    CHECK(contains(answer.err, "\\u001b[2J\\u001b]0;mine\\u0007\\u009b31m\\u202egpj"));
    CHECK(contains(answer.err, "unknown key"));
}

TEST_CASE("JSON keeps the very text") {
    const TemporaryFolder folder;
    const auto path = named(kHostile, folder.path() + "/d.hscape");
    const auto answer = cli({"evaluate", path, "--json"});
    REQUIRE(answer.exitCode == 0);
    CHECK(answer.json()["design"].get<std::string>() == kHostile);
}

TEST_CASE("a name with line feeds stays in its line of a table") {
    const TemporaryFolder folder;
    const auto path = named("one\ntwo", folder.path() + "/d.hscape");
    const auto db = folder.path() + "/s.sqlite";
    REQUIRE(cli({"sweep", path, "--axis", "nodes.fpga.count=1:2", "--db", db}).exitCode == 0);
    const auto answer = cli({"list", "studies", "--db", db});
    CHECK(contains(answer.out, "one\\u000atwo"));
}

TEST_CASE("a table keeps within the width of a terminal; a file gets all of it") {
    heteroscape::cli::TextTable table({"path", "value", "nothing", "allowed", "a", "b"});
    table.add(
        {"workload.batch", "1", "\u2013", "glitches/8a100, glitches/8u280, glitches/8v100s", "123456", "1"});
    table.add({"\u00b5", "22", "", "short", "7", "2"});
    const auto printed = [&](std::size_t room) {
        std::ostringstream out;
        table.print(out, room);
        return out.str();
    };
    const auto longest = [](const std::string& text) {
        std::size_t most = 0, width = 0;
        for (const char c : text) {
            width = c == '\n' ? 0 : width + ((c & 0xC0) != 0x80 ? 1 : 0);
            most = std::max(most, width);
        }
        return most;
    };
    std::ostringstream whole;
    table.print(whole);
    CHECK(whole.str().find("nothing") != std::string::npos);
    CHECK(whole.str().find("glitches/8v100s") != std::string::npos);
    CHECK(printed(200) == whole.str());
    for (const std::size_t room : {70, 56, 40}) {
        CAPTURE(printed(room));
        CHECK(longest(printed(room)) <= room);
        CHECK(printed(room).find("nothing") == std::string::npos);
        CHECK(printed(room).find("123456") != std::string::npos);
    }
    CHECK(printed(56) == "path            value  allowed                      a  b\n"
                         "workload.batch      1  glitches/8a100, glitc\u2026  123456  1\n"
                         "\u00b5                  22  short                        7  2\n");
    CHECK(printed(40) == "path            value  allowed\n"
                         "workload.batch      1  glitches/8a100,\u2026\n"
                         "\u00b5                  22  short\n"
                         "\n"
                         "path                 a  b\n"
                         "workload.batch  123456  1\n"
                         "\u00b5                    7  2\n");
}
