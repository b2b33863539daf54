// SPDX-License-Identifier: GPL-3.0-or-later
// Broken, truncated and hostile input: a model within its limits, or an Error, at once.
#include "engine/base/file.h"
#include "engine/catalog/hugging_face.h"
#include "tests/engine/fixtures.h"
#include "tests/places.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <unistd.h>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

std::string folder() {
    return std::string(heteroscape::places::kTestData) + "/hugging_face/";
}

std::string refused(const std::string& text) {
    return errorOf([&] { readModelText(text, "pasted"); });
}

std::string llamaWith(const std::string& key, const std::string& value) {
    auto text = readFile(folder() + "llama-2-7b.json");
    const auto at = text.find("\"" + key + "\": ");
    REQUIRE(at != std::string::npos);
    const auto from = at + key.size() + 4;
    return text.replace(from, text.find_first_of(",\n", from) - from, value);
}

} // namespace

TEST_CASE("a value of the wrong type or size is refused by its key") {
    CHECK(contains(refused(llamaWith("hidden_size", "\"NaN\"")),
                   "pasted.hidden_size: expected a number, found a string"));
    CHECK(contains(refused(llamaWith("hidden_size", "-4096")), "pasted.hidden_size: -4096 is not allowed"));
    CHECK(contains(refused(llamaWith("hidden_size", "1e300")), "pasted.hidden_size: 1e+300 is not allowed"));
    CHECK(contains(refused(llamaWith("hidden_size", "0")), "pasted.hidden_size: 0 is not allowed"));
    CHECK(contains(refused(llamaWith("hidden_size", "4096.5")), "whole number"));
    CHECK(contains(refused(llamaWith("hidden_size", "[4096]")), "found an array"));
    CHECK(contains(refused(llamaWith("hidden_size", "true")), "found true or false"));
    CHECK(contains(refused(llamaWith("hidden_size", "null")), "pasted.hidden_size: missing"));
    CHECK(contains(refused(llamaWith("hidden_size", "[4096, 2048]")), "found an array"));
    CHECK(contains(refused(llamaWith("hidden_size", "NaN")), "pasted.hidden_size: missing"));
    CHECK(contains(refused(llamaWith("hidden_size", "Infinity")),
                   "pasted.hidden_size: 1.7e+308 is not allowed"));
    CHECK(contains(refused(llamaWith("hidden_size", "1e999")), "too large for a double"));
    CHECK(contains(refused(llamaWith("num_key_value_heads", "7")), "does not divide heads"));
    CHECK(contains(refused(llamaWith("num_attention_heads", "3")), "the heads do not divide"));
    CHECK(contains(refused(llamaWith("tie_word_embeddings", "\"yes\"")), "expected true or false"));
    CHECK(readModelText(llamaWith("model_type", "7"), "pasted").layers.value == 32); // by its class's name
}

TEST_CASE("text that is no config.json is refused") {
    CHECK(contains(refused(""), "the file is empty"));
    CHECK(contains(refused("  \n"), "pasted"));
    CHECK(contains(refused("hello"), "not valid JSON"));
    CHECK(contains(refused("[1, 2]"), "expected an object"));
    CHECK(contains(refused("{\"hidden_size\": 4096}"), "neither a config.json (no model_type) nor"));
    CHECK(contains(refused(std::string("\x7f"
                                       "ELF\x02\x01\x00\x00\x00",
                                       9)),
                   "not valid JSON"));
    CHECK(contains(refused(std::string("{\0\"\0m\0", 6)), "not UTF-8"));
    CHECK(contains(refused(std::string("\xff\xfe{\0\"\0", 6)), "not UTF-8"));
    CHECK(contains(refused(std::string("\xfe\xff\0{\0\"", 6)), "not UTF-8"));
    CHECK(contains(refused("{\"model_type\": \"\xc3\x28\"}"), "not valid JSON")); // broken UTF-8
    CHECK(contains(refused(std::string(100000, '[')), "nested deeper than 64 levels"));
    std::string objects;
    for (int i = 0; i < 100000; ++i)
        objects += "{\"a\":";
    CHECK(contains(refused(objects), "nested deeper than 64 levels"));
    CHECK(contains(refused(std::string(100u << 20, 'x')), "larger than 8 MiB"));
    CHECK(contains(refused("{\"model_type\": \"llama\", \"model_type\": \"opt\"}"), "is given twice"));
    const std::string huge(4u << 20, 'k');
    CHECK(refused("{\"" + huge + "\": 1, \"" + huge + "\": 2}").size() < 400);
    CHECK(refused("{\"model_type\": \"" + huge + "\"}").size() < 1000);
    CHECK(refused("{\"id\": \"a\", \"name\": \"A\", \"" + huge + "\": 2}").size() < 1000);
}

TEST_CASE("a byte order mark of UTF-8 is no obstacle") {
    const auto text = readFile(folder() + "gpt2.json");
    CHECK(readModelText("\xef\xbb\xbf" + text, "gpt2.json") == readModelText(text, "gpt2.json"));
}

TEST_CASE("names and ids are made harmless") {
    const auto named = [](const std::string& own) {
        auto json = readJsonFile(folder() + "gpt2.json");
        json["_name_or_path"] = own;
        return readHuggingFaceConfig(json, "config.json");
    };
    CHECK(named("../../../etc/passwd").id == "passwd");
    CHECK(named("..").name == "gpt2");
    CHECK(named("C:\\models\\My GPT 2\\").id == "my-gpt-2");
    CHECK(named("a\nb\x01").name == "ab");
    CHECK(named("\xe6\xa8\xa1\xe5\x9e\x8b").id == "imported"); // no letter of a to z
    CHECK(named(std::string(100000, 'x')).id.size() == 64);
    CHECK(named(std::string(99, 'x') + "\xc3\xa9").name == std::string(99, 'x')); // no half characters
    CHECK(readModelText(readFile(folder() + "gpt2.json"), "/some/where/My-GPT/config.json").id == "my-gpt");
    CHECK(contains(errorOf([] { readModelText(readFile(folder() + "gpt2.json"), "f", "../x"); }),
                   "is not an id"));
    const auto again = writeModel(catalog().model("opt-30b", "")).dump();
    CHECK(readModelText(again, "f", "mine", "Mine").id == "mine");
    CHECK(readModelText(again, "f", "mine", "Mine").name == "Mine");
    CHECK(contains(errorOf([&] { readModelText(again, "f", "M"); }), "is not an id"));
}

TEST_CASE("what is no regular file is refused") {
    const TemporaryFolder temporary;
    CHECK(contains(errorOf([&] { loadModelFile(temporary.path()); }), "config.json: no such file"));
    CHECK(contains(errorOf([&] { loadModelFile(temporary.path() + "/none.json"); }), "no such file"));
    CHECK(contains(errorOf([&] { loadModelFile("/dev/zero"); }), "not a regular file"));
    const auto big = temporary.path() + "/model.safetensors";
    writeFileAtomically(big, "{");
    REQUIRE(::truncate(big.c_str(), 100ll << 20) == 0);
    CHECK(contains(errorOf([&] { loadModelFile(big); }), "larger than 64 MiB"));
}

TEST_CASE("20,000 mutations of config.json files give a model within its limits or an Error") {
    std::vector<std::string> texts;
    for (const auto& path : listFiles(folder(), ".json"))
        texts.push_back(readFile(path));
    REQUIRE(texts.size() > 40);
    std::mt19937_64 random(20250601);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    const std::vector<std::string> values{"null",  "-1",  "0",           "1",    "1e300",
                                          "\"x\"", "[]",  "{}",          "true", "18446744073709551616",
                                          "0.5",   "NaN", "\"\\u0000\"", "4095"};
    const auto swapValues = [&](std::string& text) {
        auto json = Json::parse(text);
        const auto at = [&] {
            return std::next(json.begin(), static_cast<std::ptrdiff_t>(below(json.size())));
        };
        std::swap(at().value(), at().value());
        text = json.dump();
    };
    const auto replaceValue = [&](std::string& text) {
        std::vector<std::size_t> colons;
        for (std::size_t i = 0; i < text.size(); ++i)
            if (text[i] == ':')
                colons.push_back(i + 1);
        const auto from = colons[below(colons.size())];
        const auto to = std::min(text.find_first_of(",\n}", from), text.size());
        text.replace(from, to - from, " " + values[below(values.size())]);
    };
    int accepted = 0;
    int refusals = 0;
    for (int i = 0; i < rounds(20000); ++i) {
        auto text = texts[below(texts.size())];
        switch (below(4)) {
        case 0:
            for (auto flips = 1 + below(3); flips > 0; --flips)
                text[below(text.size())] ^= static_cast<char>(1u << below(8));
            break;
        case 1:
            text.resize(below(text.size()));
            break;
        case 2:
            swapValues(text);
            break;
        default:
            replaceValue(text);
        }
        try {
            const auto model = readModelText(text, "mutated.json");
            REQUIRE(readModel(writeModel(model), "again") == model); // checks every limit
            REQUIRE(std::isfinite(model.parameters()));
            ++accepted;
        } catch (const Error& error) {
            REQUIRE(error.where().starts_with("mutated.json"));
            REQUIRE_FALSE(error.message().empty());
            ++refusals;
        } // anything else fails the test
    }
    CHECK(accepted > scaled(4000));
    CHECK(refusals > scaled(4000));
}
