// SPDX-License-Identifier: GPL-3.0-or-later
// Throughput a device against interactivity: golden points of silicon_serving.md, section 15, and
// definitions.
#include "engine/base/file.h"
#include "engine/claims/claims.h"
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
    CHECK(frontierFront(points, 0, FrontierAxis::Device, {0, 1 / 100.0}) == std::vector<std::size_t>{1, 0});
    CHECK(frontierFront(points, 0, FrontierAxis::Device, {0, 0, 1000}).empty());
    points[1].price = 1000;
    CHECK(frontierFront(points, 0, FrontierAxis::Device, {0, 0, 1000}) == std::vector<std::size_t>{1});
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

TEST_CASE("counts of workers that prefill apart are swept, within the devices of the system") {
    const GpuServers servers(*shippedCatalog(), shippedKernels());
    const auto apart = [](const std::string& more) {
        return "{\"name\": \"apart\", \"gpu\": \"h200_sxm\", \"devices\": 8, \"servers\": [\"vllm\", "
               "\"trtllm\"], \"precisions\": [\"fp4\"], \"prefill_workers\": [1, 3], \"decode_workers\": "
               "[1, 2]" +
               more + "}";
    };
    const auto definition =
        written(frontierText(apart(", \"prefill_devices\": [1, 2], \"decode_devices\": [4]")));
    const auto points = frontierPoints(definition, *shippedCatalog(), servers, 2);
    // vLLM: 1 + 3 layouts that prefill, 3 that decode; TensorRT-LLM: 1 + 2 and 2, as its experts span a
    // worker. Of 8 GPUs 1 + 4, 2 + 4, 3 + 4 remain: twice those of one GPU, once those of two.
    CHECK(points.size() == ((2 + 3) * 3 + (2 + 2) * 2) * 3);
    for (const auto& point : points) {
        CAPTURE(point.layout);
        CAPTURE(point.why);
        REQUIRE(point.answered());
        REQUIRE(point.plan.prefill);
        CHECK(point.devices == point.plan.prefill->count * point.plan.prefill->layout.ranks() +
                                   point.plan.workers.count * point.plan.workers.layout.ranks());
        CHECK(point.devices <= 8);
        CHECK(point.layout.find("prefill") != point.layout.npos);
        CHECK(point.rates.outputPerDevice > 0);
        // The server itself says the same.
        CHECK(servers.serve(point.plan).outputRate() == doctest::Approx(point.rates.outputPerDevice));
        const auto design = frontierScenario(definition, point, *shippedCatalog(), servers);
        CHECK(design.nodes[0].role == Role::Prefill);
        CHECK(design.nodes[1].role == Role::Decode);
        CHECK(design.nodes[0].replicas.value == point.plan.prefill->count);
        CHECK(design.workload.batch.value == point.users);
    }
    CHECK_THROWS_AS(written(frontierText(apart(", \"prefill_devices\": [0]"))), Error);
    CHECK_THROWS_AS(written(frontierText(apart(", \"decode_devices\": []"))), Error);
}

TEST_CASE("an open design is a system; a point that nobody asked for has no answer") {
    const GpuServers servers(*shippedCatalog(), shippedKernels());
    auto definition = written(frontierText(kOssOnH200));
    FrontierSystem system;
    system.name = "Open";
    system.open = std::make_shared<const Scenario>(loadPreset(*shippedCatalog(), "glitches/8a100", "design"));
    definition.systems.push_back(system);
    auto points = frontierGrid(definition, *shippedCatalog(), servers);
    REQUIRE(points.size() == 2 * 7 * 3 + 3);
    const std::vector<std::size_t> asked{0, points.size() - 3};
    answerFrontier(points, asked, definition, *shippedCatalog(), servers, 2);
    for (std::size_t i = 0; i < points.size(); ++i)
        CHECK(points[i].isPending() == (i != asked[0] && i != asked[1]));
    CHECK(frontierFront(points, 0, FrontierAxis::Device) == std::vector<std::size_t>{0});
    CHECK(points[asked[1]].answered());
    const auto design = frontierScenario(definition, points[asked[1]], *shippedCatalog(), servers);
    CHECK(design.model.id == "gpt-oss-120b");
    CHECK(design.workload.batch.value == points[asked[1]].users);
    CHECK(design.workload.promptTokens.value == definition.prompt);
    // What is stopped stays without an answer.
    std::stop_source source;
    source.request_stop();
    answerFrontier(points, std::vector<std::size_t>{1}, definition, *shippedCatalog(), servers, 1,
                   source.get_token());
    CHECK(points[1].isPending());
}

TEST_CASE("the shipped frontiers hold the GPUs and the papers' systems") {
    const auto ids = shippedFrontiers(TEST_PRESETS);
    CHECK(ids == std::vector<std::string>{"deepseek-r1", "gpt-oss-120b", "llama-3-1-70b"});
    const GpuServers servers(*shippedCatalog(), shippedKernels());
    for (const auto& id : ids) {
        auto definition = findFrontier(TEST_PRESETS, id);
        CHECK(definition.systems.size() == (id == "deepseek-r1" ? 8 : 7)); // there with workers apart too
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
