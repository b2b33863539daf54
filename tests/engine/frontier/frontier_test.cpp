// SPDX-License-Identifier: GPL-3.0-or-later
// Throughput a device against interactivity, and definitions.
#include "engine/base/file.h"
#include "engine/base/json.h"
#include "engine/claims/claims.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/expected_error.h"
#include "engine/evaluation/simulate.h"
#include "engine/frontier/frontier.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/scenario_json.h"
#include "engine/scenario/scenario_key.h"
#include "engine/store/store.h"
#include "engine/study_run/evaluate_study.h"
#include "engine/study_run/run_study.h"
#include "tests/engine/fixtures.h"
#include "tests/places.h"
#include "tests/shipped_catalog.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

using namespace heteroscape;
using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

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
    return findFrontier(*shippedCatalog(), folder.path() + "/mine.json");
}

} // namespace

TEST_CASE("which points of a frontier are on it") {
    std::vector<FrontierPoint> points;
    for (const auto& [output, perUser] :
         {std::pair{55.7, 115.5}, {212.5, 109.3}, {688.7, 90.0}, {1573.1, 51.0}, {658.0, 85.9}}) {
        points.emplace_back();
        points.back().rates = {output, 2 * output, perUser, perUser};
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
    // Of what lies along less can be better: 3 s, then 0 s with the most tok/s a device of those.
    CHECK(frontierFront(points, 0, FrontierAxis::Device, {}, FrontierAlong::FirstToken) ==
          std::vector<std::size_t>{3, 2});
    CHECK(frontierFront(points, 0, FrontierAxis::Device, {}, FrontierAlong::Price) ==
          std::vector<std::size_t>{1}); // of others no price is known
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
        CHECK(std::isnan(point.replicas)); // no budget
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
        const auto served = servers.serve(point.plan);
        CHECK(served.outputTokens / served.end / served.gpus == point.rates.outputPerDevice);
        CHECK(1 / served.tpot == point.rates.perUser);
        const auto design = frontierScenario(definition, point, *shippedCatalog(), servers);
        CHECK(design.nodes[0].role == Role::Prefill);
        CHECK(design.nodes[1].role == Role::Decode);
        CHECK(effectiveRole(design, design.nodes[0]) == Role::Prefill);
        CHECK(effectiveRole(design, design.nodes[1]) == Role::Decode);
        CHECK(design.nodes[0].replicas.value == point.plan.prefill->count);
        CHECK(design.workload.batch.value == point.users);
    }
    CHECK_THROWS_AS(written(frontierText(apart(", \"prefill_devices\": [0]"))), Error);
    CHECK_THROWS_AS(written(frontierText(apart(", \"decode_devices\": []"))), Error);
}

TEST_CASE("an open design is a system; what is stopped has no points") {
    const GpuServers servers(*shippedCatalog(), shippedKernels());
    auto definition = written(frontierText(kOssOnH200));
    FrontierSystem system;
    system.name = "Open";
    system.open = std::make_shared<const Scenario>(loadPreset(*shippedCatalog(), "glitches/8a100", "design"));
    definition.systems.push_back(system);
    const auto points = frontierPoints(definition, *shippedCatalog(), servers, 2);
    REQUIRE(points.size() == 2 * 7 * 3 + 3);
    const auto& open = points[points.size() - 3];
    CHECK(open.answered());
    CHECK(open.devices == 8);
    const auto design = frontierScenario(definition, open, *shippedCatalog(), servers);
    CHECK(design.model.id == "gpt-oss-120b");
    CHECK(design.workload.batch.value == open.users);
    CHECK(design.workload.promptTokens.value == definition.prompt);
    CHECK(open.rates.outputPerDevice == evaluate(design).metric(Metric::Throughput) / 8);
    CHECK(open.rates.perUser == 1 / evaluate(design).metric(Metric::TimePerToken));
    std::stop_source source;
    source.request_stop();
    try {
        frontierPoints(definition, *shippedCatalog(), servers, 1, source.get_token());
        FAIL("it was not stopped");
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::Cancelled);
    }
}

namespace {

/// Two servers and a design, with a budget and a limit.
FrontierDefinition storedFrontier() {
    auto definition = written(frontierText(kOssOnH200));
    FrontierSystem system;
    system.name = "Open";
    system.open = std::make_shared<const Scenario>(loadPreset(*shippedCatalog(), "glitches/8a100", "design"));
    definition.systems.push_back(system);
    definition.budget = 1e6;
    definition.shown.limits = {2, 0.05, 3e5};
    return definition;
}

bool isSame(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

} // namespace

TEST_CASE("a frontier's points are in the store, with keys, and are read back as they were computed") {
    const auto& catalog = *shippedCatalog();
    const GpuServers servers(catalog, shippedKernels());
    const auto definition = storedFrontier();
    const auto study = frontierStudy(definition, catalog, servers);
    CHECK(isFrontier(study));
    checkStudy(study);
    const auto points = frontierPoints(definition, catalog, servers, 2);
    REQUIRE(study.pointCount() == points.size());
    const TemporaryFolder folder;
    std::int64_t id = 0;
    {
        Store store(folder.path() + "/studies.sqlite");
        const auto run = runStudy(study, store, {.jobs = 2});
        CHECK(run.computed == points.size());
        id = run.study.id;
    }
    Store store(folder.path() + "/studies.sqlite"); // opened again
    const auto table = store.read(id);
    const auto read = store.definition(id, catalog);
    CHECK(isFrontier(read));
    CHECK(read.axes == study.axes);
    CHECK(read.limits == frontierLimits(definition.shown.limits));
    const auto kept = keptFrontier(read.base, catalog);
    REQUIRE(kept);
    CHECK(writeFrontier(*kept) == writeFrontier(definition));
    REQUIRE(table.rows() == points.size());
    const auto keys = studyKeys(table, read);
    PointSetter setter(read);
    for (std::size_t row = 0; row < points.size(); ++row) {
        const auto& point = points[row];
        CAPTURE(row);
        const auto at = [&](const std::string& column) { return table.find(column)->at(row); };
        CHECK(table.find("points.system")->text(at("points.system")) ==
              definition.systems[point.system].name);
        CHECK(table.find("points.layout")->text(at("points.layout")) == point.layout);
        CHECK(at("serving.users") == point.users);
        CHECK((at("feasible") == 1.0) == point.answered());
        for (const auto axis : {FrontierAxis::Device, FrontierAxis::Dollar, FrontierAxis::Watt,
                                FrontierAxis::Total, FrontierAxis::Budget})
            CHECK(isSame(at(frontierColumn(axis, definition.budget)),
                         point.answered() ? frontierValue(point, axis) : kUnset));
        for (const auto along : {FrontierAlong::Speed, FrontierAlong::FirstToken, FrontierAlong::Price})
            CHECK(isSame(at(frontierColumn(along)), point.answered() ? frontierAlong(point, along) : kUnset));
        CHECK(isSame(at(rates::replicasFor(definition.budget)), point.answered() ? point.replicas : kUnset));
        const auto design = frontierScenario(definition, point, catalog, servers);
        CHECK(scenarioKeyBytes(setter.at(row)) == scenarioKeyBytes(design));
        CHECK(keys[row] == scenarioKeyBytes(design));
    }
    // Each is found by its key: another frontier with them computes only what is new.
    auto more = definition;
    more.users.push_back(32);
    const auto again = runStudy(frontierStudy(more, catalog, servers), store, {.jobs = 2});
    CHECK(again.study.id != id);
    CHECK(again.reused == (2 * 7 + 1) * 3); // of layouts of the servers, and of the design
    CHECK(again.computed == 2 * 7 + 1);
    const auto second = runStudy(study, store, {.jobs = 2});
    CHECK(second.computed == 0);
    CHECK(second.study.id == id);
}

TEST_CASE("a point whose parts are gone says so, and a design that keeps no frontier has no points") {
    const auto& catalog = *shippedCatalog();
    const GpuServers servers(catalog, shippedKernels());
    const auto study = frontierStudy(storedFrontier(), catalog, servers);
    const auto fails = [&](const Scenario& base, const std::string& name, const char* piece) {
        std::string said;
        try {
            auto scenario = base;
            applyEdit(scenario, pointEdits(base, catalog, kPointDesign, {name}).front());
        } catch (const Error& error) {
            said = error.what();
        }
        CAPTURE(said);
        CHECK(said.find(piece) != said.npos);
    };
    fails(study.base, "H200, vllm fp4, tp 64, 1 users", "it has no point");
    fails(loadPreset(catalog, "glitches/8a100", "design"), study.axes.back().names.front(),
          "keeps no frontier");
    // What says what a point is changes nothing; its design replaces all but what is kept.
    auto scenario = *study.base;
    CHECK(changesNothing(study.axes.front().edits.front(),
                         applyEdit(scenario, study.axes.front().edits.front())));
    const auto back = applyEdit(scenario, study.axes.back().edits.back());
    CHECK(scenario.frontier == study.base->frontier);
    CHECK(scenario.nodes != study.base->nodes);
    applyEdit(scenario, back);
    CHECK(scenario == *study.base);
    // Systems that are put away are no part of the study; all of them cannot be.
    auto away = storedFrontier();
    away.shown.off = {"H200"};
    CHECK(frontierStudy(away, catalog, servers).pointCount() == 3);
    away.shown.off = {"H200", "Open"};
    CHECK_THROWS_AS(frontierStudy(away, catalog, servers), Error);
}

TEST_CASE("the shipped frontiers hold the GPUs and the papers' systems") {
    const auto ids = shippedFrontiers(heteroscape::places::kPresetsFolder);
    CHECK(ids == std::vector<std::string>{"deepseek-r1", "gpt-oss-120b", "llama-3-1-70b"});
    const GpuServers servers(*shippedCatalog(), shippedKernels());
    for (const auto& id : ids) {
        auto definition = findFrontier(*shippedCatalog(), id);
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
    // What no recipe has is met when points are made: told by the definition's key all the same.
    const GpuServers servers(*shippedCatalog(), shippedKernels());
    const auto lacks = [&](const std::string& gpu, const std::string& server, const std::string& precision) {
        auto text =
            frontierText("{\"name\": \"x\", \"gpu\": \"" + gpu + "\", \"devices\": 8, \"servers\": [\"" +
                         server + "\"], \"precisions\": [\"" + precision + "\"]}");
        const std::string mixture = "gpt-oss-120b"; // whose formats are its own
        const auto definition = written(text.replace(text.find(mixture), mixture.size(), "llama3-1-70b"));
        try {
            frontierPoints(definition, *shippedCatalog(), servers, 1);
        } catch (const Error& error) {
            return error.where().substr(definition.where.size());
        }
        return std::string("nothing");
    };
    CHECK(lacks("nothing", "vllm", "fp8") == ".systems[0].gpu");
    CHECK(lacks("h100_sxm", "nothing", "fp8") == ".systems[0].servers");
    CHECK(lacks("h100_sxm", "vllm", "fp77") == ".systems[0].precisions");
    CHECK_THROWS_AS(findFrontier(*shippedCatalog(), "nothing"), Error);
}

namespace {

/// With something other than the default everywhere, a preset and an open design among the systems.
FrontierDefinition rich() {
    auto definition = written(frontierText(
        "{\"name\": \"H200\", \"gpu\": \"h200_sxm\", \"devices\": 8, \"servers\": [\"vllm\"], "
        "\"precisions\": [\"fp4\"], \"prefill_workers\": [1, 3], \"decode_workers\": [1], "
        "\"decode_devices\": [4]}, {\"name\": \"GLITCHES\", \"design\": \"glitches/8a100\", \"set\": "
        "[\"nodes.gpu.count=4\"]}"));
    definition.about = "About";
    definition.ratio = 1;
    definition.budget = 1e6;
    definition.load = FrontierLoad::Users;
    definition.shown = {FrontierAxis::Watt, FrontierAlong::FirstToken, {2, 0.05, 3e5}, 0.02, {"H200"}};
    FrontierSystem open;
    open.name = "Open";
    open.open = std::make_shared<const Scenario>(loadPreset(*shippedCatalog(), "glitches/8a100", "design"));
    definition.systems.push_back(open);
    return definition;
}

} // namespace

TEST_CASE("a definition is written so that it is read again as it was") {
    const auto definition = rich();
    const auto json = writeFrontier(definition);
    const auto read = readFrontier(json, "again", *shippedCatalog());
    CHECK(writeFrontier(read) == json);
    CHECK(read.shown == definition.shown);
    CHECK(read.load == FrontierLoad::Users);
    REQUIRE(read.systems.size() == 3);
    CHECK(read.systems[0].apart->prefillWorkers == std::vector<double>{1, 3});
    CHECK(read.systems[1].settings == definition.systems[1].settings);
    REQUIRE(read.systems[2].open);
    CHECK(*read.systems[2].open == *definition.systems[2].open);
    // What is as by default is not written: the shipped ones come back as they are.
    for (const auto& id : shippedFrontiers(heteroscape::places::kPresetsFolder)) {
        const auto path = std::string(heteroscape::places::kPresetsFolder) + "/frontiers/" + id + ".json";
        auto shipped = readJsonFile(path);
        if (shipped["length_ratio"] == 0.8)
            shipped.erase("length_ratio");
        CHECK(writeFrontier(findFrontier(*shippedCatalog(), id)) == shipped);
    }
    auto twice = json;
    twice["systems"][1]["name"] = "H200";
    CHECK_THROWS_AS(readFrontier(twice, "again", *shippedCatalog()), Error);
}

TEST_CASE("a design keeps a frontier in its file, and nothing of it where there is none") {
    auto design = loadPreset(*shippedCatalog(), "glitches/8a100", "design");
    const auto before = scenarioText(design);
    CHECK(before.find("\"frontier\"") == before.npos);
    CHECK_FALSE(keptFrontier(design, *shippedCatalog()));
    const auto definition = rich();
    const auto plain = design;
    const auto key = scenarioKeyBytes(design);
    const auto back = applyEdit(design, SetFrontier{keepFrontier(definition)});
    CHECK(scenarioKeyBytes(design) == key); // no figure of the design depends on it
    const TemporaryFolder folder;
    const auto path = folder.path() + "/kept.hscape";
    saveScenario(design, path);
    const auto read = loadScenario(path, *shippedCatalog());
    CHECK(read == design);
    const auto kept = keptFrontier(read, *shippedCatalog());
    REQUIRE(kept);
    CHECK(writeFrontier(*kept) == writeFrontier(definition));
    CHECK(kept->shown == definition.shown);
    CHECK(kept->load == FrontierLoad::Users);
    REQUIRE(kept->systems.size() == 3);
    CHECK(kept->systems[0].apart->prefillWorkers == std::vector<double>{1, 3});
    CHECK(kept->systems[1].settings == definition.systems[1].settings);
    REQUIRE(kept->systems[2].open);
    CHECK(*kept->systems[2].open == *definition.systems[2].open);
    // By the path of the design the same.
    CHECK(writeFrontier(findFrontier(*shippedCatalog(), path)) == writeFrontier(definition));
    applyEdit(design, back);
    CHECK(design == plain);
    CHECK(scenarioText(design) == before);
    saveScenario(design, path);
    CHECK_THROWS_AS(findFrontier(*shippedCatalog(), path), Error); // it keeps none
}

TEST_CASE("users of a design are simulated in a closed loop where that is asked for") {
    const GpuServers servers(*shippedCatalog(), shippedKernels());
    auto definition =
        written(frontierText("{\"name\": \"GLITCHES\", \"design\": \"glitches/8a100\"}", "[4]"));
    const auto batch = frontierPoints(definition, *shippedCatalog(), servers, 1);
    definition.load = FrontierLoad::Users;
    const auto users = frontierPoints(definition, *shippedCatalog(), servers, 1);
    REQUIRE(users.size() == 1);
    CAPTURE(users[0].why);
    REQUIRE(users[0].answered());
    const auto design = frontierScenario(definition, users[0], *shippedCatalog(), servers);
    CHECK(design.serving.arrivals->id() == "closed_loop");
    CHECK(design.serving["users"].value == 4);
    // The simulator itself says the same, and it is not the steady batch.
    const auto run = simulate(design, evaluate(design)).result;
    CHECK(run.done == 40);
    CHECK(users[0].rates.outputPerDevice ==
          doctest::Approx(run.outputTokens / run.end / users[0].devices).epsilon(1e-12));
    CHECK(users[0].rates.perUser == doctest::Approx(1 / run.tpot.mean()).epsilon(1e-12));
    CHECK(users[0].ttftMedian == doctest::Approx(run.ttft.quantile(0.5)).epsilon(1e-12));
    CHECK(batch[0].rates.outputPerDevice != users[0].rates.outputPerDevice);
}

TEST_CASE("points say how far they are likely off, as the tiles of their design, and what limits them") {
    const GpuServers servers(*shippedCatalog(), shippedKernels());
    const auto definition = written(frontierText(kOssOnH200, "[16]"));
    const auto points = frontierPoints(definition, *shippedCatalog(), servers, 2);
    const auto front = frontierFront(points, 0, FrontierAxis::Device);
    const auto details = frontierDetails(points, front, definition, *shippedCatalog(), servers, 2);
    REQUIRE(details.size() == front.size());
    for (std::size_t i = 0; i < front.size(); ++i) {
        const auto design = frontierScenario(definition, points[front[i]], *shippedCatalog(), servers);
        const auto evaluation = evaluate(design);
        const ExpectedErrors errors(design, evaluation);
        CHECK(details[i].rate.text() == errors.of(Metric::Throughput).text());
        CHECK(details[i].speed.text() == errors.of(Metric::TimePerToken).text());
        CHECK(details[i].rate.percent > 0);
        CHECK_FALSE(details[i].bottleneck.empty());
    }
}

TEST_CASE("measured servers are those of the same model, device, precision and server, of close lengths") {
    const GpuServers servers(*shippedCatalog(), shippedKernels());
    const auto system = [](const char* precision, const char* server) {
        return "{\"name\": \"H100\", \"gpu\": \"h100_sxm\", \"devices\": 8, \"servers\": [\"" +
               std::string(server) + "\"], \"precisions\": [\"" + precision + "\"]}";
    };
    auto definition = written(frontierText(system("fp4", "vllm")));
    definition.output = 1000; // 1024 is close
    const auto rows = frontierMeasured(definition, *shippedCatalog(), servers);
    REQUIRE(rows.size() > 4);
    for (const auto& row : rows) {
        CAPTURE(row.id);
        CHECK(row.id.find("h100_sxm_vllm_fp4_agg_1024x1024") != row.id.npos);
        CHECK(row.point.plan.labels.model == "gpt-oss-120b");
        // N users with one request under way each: requests/s x (TTFT + (O - 1) TPOT) = N.
        const double output = 0.9 * 1024, latency = row.point.ttft + (output - 1) / row.point.rates.perUser;
        CHECK(row.point.rates.outputPerDevice * row.point.devices * latency / output ==
              doctest::Approx(row.point.users));
        CHECK(row.point.price == 30000 * row.point.devices);
    }
    const auto none = [&](const FrontierDefinition& other) {
        return frontierMeasured(other, *shippedCatalog(), servers).empty();
    };
    CHECK(none(written(frontierText(system("bf16", "vllm")))));
    auto longer = definition;
    longer.output = 1200;
    CHECK(none(longer));
    auto another = definition;
    another.model = "llama3-1-70b";
    CHECK(none(another));
    // In the CSV they stand below the points, by their id.
    const auto csv = frontierCsv(definition, {}, {}, {}, rows);
    CHECK(csv.find(',' + rows[0].id + '\n') != csv.npos);
}
