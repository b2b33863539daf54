// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json.h"

#include "engine/base/file.h"
#include "engine/units/number_text.h"
#include "tests/engine/fixtures.h"

#include <filesystem>
#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

TEST_CASE("bad JSON is refused with its place") {
    CHECK(errorOf([] { parseJson("{\"a\": 1,\n \"b\": }", "f.json"); }).find("f.json, line 2, column 7") ==
          0);
    CHECK(errorOf([] { parseJson("{\"a\": [1, 2", "f.json"); }).find("ends too early") != std::string::npos);
    CHECK(errorOf([] { parseJson("", "f.json"); }).find("empty") != std::string::npos);
    CHECK(errorOf([] { parseJson("{\"a\": 1, \"a\": 2}", "f.json"); }).find("\"a\" is given twice") !=
          std::string::npos);
    CHECK(errorOf([] { parseJson(std::string(100000, '['), "f.json"); }).find("nested deeper") !=
          std::string::npos);
    CHECK(errorOf([] { parseJson("{\"a\": NaN}", "f.json"); }).find("not valid JSON") != std::string::npos);
    CHECK(errorOf([] { parseJson("{\"a\": 1e999}", "f.json"); }).find("too large") != std::string::npos);
    CHECK(errorOf([] { parseJson("{\"a\": \"\xff\xfe\"}", "f.json"); }).find("f.json") == 0);
}

TEST_CASE("an object refuses keys that nobody asked for and lists what is allowed") {
    const auto json = parseJson(R"({"count": 1, "cuont": 2})", "f");
    JsonObject object(json, "f");
    CHECK(object.integer("count", 0, 10) == 1);
    const auto message = errorOf([&] { object.finish(); });
    CHECK(message.find("f.cuont") == 0);
    CHECK(message.find("Allowed here: count") != std::string::npos);
}

TEST_CASE("typed reads name the key, what was found and what is allowed") {
    const auto json =
        parseJson(R"({"n": 1.5, "s": 3, "b": "yes", "o": [], "big": 99999999999999999999})", "f");
    JsonObject object(json, "f");
    CHECK(errorOf([&] { object.integer("n", 1, 9); }) ==
          "f.n: expected a whole number from 1 to 9, found a number");
    CHECK(errorOf([&] { object.text("s"); }) == "f.s: expected a string, found a number");
    CHECK(errorOf([&] { object.boolean("b", false); }) == "f.b: expected true or false, found a string");
    CHECK(errorOf([&] { object.object("o"); }).find("f.o: expected an object, found an array") == 0);
    CHECK(errorOf([&] { object.require("gone"); }).find("f.gone: missing") == 0);
}

TEST_CASE("numbers read back exactly and are shown in three figures") {
    for (const double value : {175.85, 0.1, 1e-300, 5.81e-3, 21137.01, -3.0})
        CHECK(parseNumber(exactText(value)) == value);
    CHECK(shortText(21137.01) == "21,100");
    CHECK(shortText(368.4) == "368");
    CHECK(shortText(0.005041) == "0.00504");
    CHECK(shortText(-1234567.0) == "\u22121,230,000");
    CHECK(shortText(9.999) == "10.0");
    CHECK(shortText(0.0 / 0.0) == "\u2013");
    CHECK(plainText(312.0) == "312");
    CHECK(plainText(24.5) == "24.5");
    CHECK(plainText(73000.0) == "73,000");
    CHECK(plainText(1000000.0, 9) == "1,000,000");
    CHECK_FALSE(parseNumber("nan"));
    CHECK_FALSE(parseNumber("inf"));
    CHECK_FALSE(parseNumber("3x"));
    CHECK_FALSE(parseNumber(""));
    CHECK(toEdge(24.26 * 1e-3, 1e-3) == 24.26);
}

TEST_CASE("a file is replaced whole or not at all") {
    const TemporaryFolder folder;
    const auto path = folder.path() + "/a.txt";
    writeFileAtomically(path, "old");
    writeFileAtomically(path, "new");
    CHECK(readFile(path) == "new");
    CHECK_THROWS_AS(writeFileAtomically(folder.path() + "/missing/a.txt", "x"), Error);
    CHECK_THROWS_AS(readFile(folder.path()), Error);
    CHECK_THROWS_AS(readFile(folder.path() + "/none"), Error);
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()),
                        std::filesystem::directory_iterator()) == 1); // no temporary left
}

TEST_CASE("JSON is read in linear time, and what is too much is told at once") {
    // Each took seconds to minutes, or a gigabyte.
    std::string objects = "[{}";
    for (int i = 0; i < 300'000; ++i)
        objects += ",{}";
    CHECK(parseJson(objects + "]", "f").size() == 300'001);
    std::string numbers = "[0";
    numbers.reserve(63u << 20);
    while (numbers.size() < (63u << 20))
        numbers += ",0";
    CHECK(errorOf([&] { parseJson(numbers + "]", "f.json"); }) ==
          "f.json: more than 4,000,000 values. This is not a Heteroscape file");
    std::string deep;
    for (int i = 0; i < 64; ++i)
        deep += "{\"a\":";
    CHECK_NOTHROW(parseJson(deep + "1" + std::string(64, '}'), "f"));
    CHECK(errorOf([&] { parseJson("[" + deep, "f"); }).find("f: nested deeper than 64 levels") == 0);
    CHECK(parseJson("{\"a\": [1, {\"b\": null}], \"c\": {}, \"d\": -2.5, \"e\": true}", "f").dump() ==
          "{\"a\":[1,{\"b\":null}],\"c\":{},\"d\":-2.5,\"e\":true}");
}

TEST_CASE("files: what is no regular file, or cannot be read, is told with its name") {
    const TemporaryFolder folder;
    const auto circle = folder.path() + "/circle";
    std::filesystem::create_symlink("circle", circle);
    CHECK(errorOf([&] { readFile(circle); }) ==
          circle + ": leads nowhere. Its links run in a circle, or it is too long: give the file itself");
    CHECK(errorOf([&] { readFile("/proc/self/mem"); }).find("/proc/self/mem: cannot read: ") == 0);
    CHECK(errorOf([&] { readFile(folder.path()); }).find(folder.path() + ": not a regular file") == 0);
    CHECK(errorOf([&] { readFile(folder.path() + "/a/b"); }).find(folder.path() + "/a/b: no such file") == 0);
    CHECK(listFiles(folder.path(), "circle").empty());       // a link that leads nowhere is no file
    CHECK(readFile("/proc/self/status").find("Name:") == 0); // made up by the system: its size is 0
}
