// SPDX-License-Identifier: GPL-3.0-or-later
// Throughput a device against interactivity: golden points of silicon_serving.md, section 15, and
// definitions.
#include "engine/base/file.h"
#include "engine/frontier/frontier.h"
#include "engine/frontier/frontier_csv.h"
#include "tests/engine/fixtures.h"
#include "tests/engine/serving/server/affine_steps.h"
#include "tests/shipped_catalog.h"

#include <algorithm>
#include <cmath>

using namespace heteroscape;
using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

struct GoldenPoint {
    double users;
    bool promptsFirst;
    double output, total, perUser, median;
};
constexpr GoldenPoint kGoldenPoints[] = {{4, false, 55.737, 112.020, 115.4755, 115.4487},
                                         {16, false, 212.544, 427.351, 109.2742, 109.1455},
                                         {64, false, 688.745, 1377.800, 89.9632, 89.8754},
                                         {256, false, 1573.133, 3144.746, 51.0153, 50.7839},
                                         {64, true, 657.997, 1316.290, 85.8783, 85.3304}};

FrontierRates affineRates(const GoldenPoint& point) {
    ClosedLoop loop;
    loop.users = static_cast<std::uint64_t>(point.users);
    loop.requests = drawLengths({}, 10 * loop.users);
    loop.think = 0;
    ServerSettings settings;
    settings.rule = point.promptsFirst ? &firstRule() : &mixedRule();
    settings.budget = point.promptsFirst ? 32768 : 8192;
    return frontierRates(serveClosedLoop(loop, settings, AffineSteps()), 8);
}

std::string frontierText(const std::string& systems, const std::string& users = "[1, 16, 64]") {
    return "{\"id\": \"mine\", \"name\": \"Mine\", \"model\": \"gpt-oss-120b\", \"prompt_tokens\": 1024, "
           "\"output_tokens\": 128, \"users\": " +
           users + ", \"systems\": [" + systems + "]}";
}
const std::string kOssOnH200 =
    "{\"name\": \"H200\", \"gpu\": \"h200_sxm\", \"devices\": 4, \"servers\": [\"vllm\", \"trtllm\"], "
    "\"precisions\": [\"fp4\"]}";

FrontierDefinition written(const std::string& text) {
    const TemporaryFolder folder;
    writeFileAtomically(folder.path() + "/mine.json", text);
    return readFrontier(folder.path() + "/mine.json");
}

} // namespace

TEST_CASE("golden points of a frontier, and which of them are on it") {
    std::vector<FrontierPoint> points;
    for (const auto& golden : kGoldenPoints) {
        const auto rates = affineRates(golden);
        CHECK(rates.outputPerDevice == doctest::Approx(golden.output).epsilon(1e-5));
        CHECK(rates.totalPerDevice == doctest::Approx(golden.total).epsilon(1e-5));
        CHECK(rates.perUser == doctest::Approx(golden.perUser).epsilon(1e-5));
        CHECK(rates.perUserMedian == doctest::Approx(golden.median).epsilon(1e-5));
        points.emplace_back();
        points.back().rates = rates;
    }
    // By falling tok/s a device; the fifth is beaten by 64 users mixed.
    CHECK(frontierFront(points, 0, FrontierAxis::Device) == std::vector<std::size_t>{3, 2, 1, 0});
    CHECK(frontierFront(points, 1, FrontierAxis::Device).empty());
    points[3].ttftMedian = 3;
    CHECK(frontierFront(points, 0, FrontierAxis::Device, 2) == std::vector<std::size_t>{2, 1, 0});
    CHECK(frontierFront(points, 0, FrontierAxis::Dollar).empty()); // no price is known
}

TEST_CASE("a frontier is the same by any number of threads, and no point of a front is beaten") {
    const GpuServers servers(*shippedCatalog(), shippedKernels());
    const auto definition = written(frontierText(kOssOnH200));
    const auto points = frontierPoints(definition, *shippedCatalog(), servers, 1);
    const auto again = frontierPoints(definition, *shippedCatalog(), servers, 8);
    REQUIRE(points.size() == 2 * 7 * 3); // servers, layouts of 1, 2, 4 GPUs, users
    CHECK(frontierCsv(definition, points, std::vector<bool>(points.size())) ==
          frontierCsv(definition, again, std::vector<bool>(again.size())));
    const auto front = frontierFront(points, 0, FrontierAxis::Device);
    CHECK(front.size() > 2);
    for (const auto place : front)
        for (const auto& other : points)
            CHECK_FALSE((other.rates.outputPerDevice > points[place].rates.outputPerDevice &&
                         other.rates.perUser > points[place].rates.perUser));
    for (const auto& point : points) {
        CAPTURE(point.why);
        CHECK(point.answered());
        CHECK(point.price == 32000 * point.devices);
        CHECK(std::isnan(point.copies)); // no budget
    }
}

TEST_CASE("the shipped frontiers hold the GPUs and the papers' systems") {
    const auto ids = shippedFrontiers(TEST_PRESETS);
    CHECK(ids == std::vector<std::string>{"deepseek-r1", "gpt-oss-120b", "llama-3-1-70b"});
    const GpuServers servers(*shippedCatalog(), shippedKernels());
    for (const auto& id : ids) {
        auto definition = findFrontier(TEST_PRESETS, id);
        CHECK(definition.systems.size() == 7);
        definition.users = {16};
        const auto points = frontierPoints(definition, *shippedCatalog(), servers, 2);
        for (std::size_t i = 0; i < definition.systems.size(); ++i) {
            CAPTURE(definition.systems[i].name);
            CHECK(std::any_of(points.begin(), points.end(), [i](const auto& p) { return p.system == i; }));
        }
        for (const auto& point : points)
            CHECK((point.answered() ? point.rates.perUser > 0 : point.server.empty()));
    }
}

TEST_CASE("a frontier's file that cannot be is refused with its key") {
    const auto refuses = [](const std::string& text, const char* piece) {
        std::string said;
        try {
            written(text);
        } catch (const Error& error) {
            said = error.what();
        }
        CAPTURE(said);
        CHECK(said.find(piece) != said.npos);
    };
    refuses(frontierText(""), "systems");
    refuses(frontierText(kOssOnH200, "[]"), "users");
    refuses(frontierText(kOssOnH200, "[0]"), "users");
    refuses(frontierText("{\"name\": \"x\", \"gpu\": \"h200_sxm\", \"devices\": 0, \"servers\": [\"vllm\"], "
                         "\"precisions\": [\"fp4\"]}"),
            "devices");
    refuses(frontierText("{\"name\": \"x\", \"design\": \"glitches/8a100\", \"set\": [\"batch\"]}"), "set");
    CHECK_THROWS_AS(findFrontier(TEST_PRESETS, "nothing"), Error);
}
