// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/evaluate.h"
#include "engine/exporters/study_csv.h"
#include "engine/store/schema.h"
#include "engine/study_run/run_study.h"
#include "engine/units/number_text.h"
#include "tests/engine/store/store_fixtures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// Models, a switch and a number: 2 x 2 x 3 points.
Study choiceStudy() {
    Study study{"Choices", preset("preserve/llama3-405b-32"), {}};
    for (const auto* axis : {"model=mixtral-8x7b,llama3-8b", "techniques.l2_prefetch.enabled=false,true",
                             "nodes.npu.device.l2_mb=8,104,200"})
        study.axes.push_back(parseAxis(study.base, catalog(), axis));
    return study;
}

std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> found;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        found.push_back(line);
    return found;
}

} // namespace

TEST_CASE("a study over choices stores what evaluate() says, under its names") {
    const TemporaryFolder folder;
    const auto path = folder.path() + "/s.sqlite";
    const auto study = choiceStudy();
    Store store(path);
    const auto run = runStudy(study, store, withJobs(2));
    CHECK(run.computed == 12);
    CHECK(run.study.axes == study.axes);
    const auto table = store.read(run.study.id);
    REQUIRE(table.rows() == 12);
    CHECK(table.columns[0].isChoice());
    CHECK(table.columns[0].names == std::vector<std::string>{"mixtral-8x7b", "llama3-8b"});
    CHECK(table.columns[0].text(1) == "llama3-8b");
    CHECK(table.columns[1].names == std::vector<std::string>{"false", "true"});
    CHECK_FALSE(table.columns[2].isChoice());
    CHECK(table.columns[2].text(104) == "104");
    CHECK(table.columns[0].values[5] == 0);
    CHECK(table.columns[0].values[6] == 1);
    PointSetter setter(study);
    for (std::size_t i = 0; i < 12; ++i) {
        const auto expected = evaluate(setter.at(i));
        for (const auto& spec : metricSpecs()) {
            const double stored = table.find(std::string(spec.key))->at(i);
            const double shown = toEdge(expected.metric(spec.metric), spec.scale);
            CHECK((stored == shown || (std::isnan(stored) && std::isnan(shown))));
        }
    }

    const auto csv = lines(studyCsv(table, {"latency_s"}));
    REQUIRE(csv.size() == 13);
    CHECK(csv[0] ==
          "model,techniques.l2_prefetch.enabled,nodes.npu.device.l2_mb,feasible,latency_s,bound,status,"
          "key");
    CHECK(csv[1].find("mixtral-8x7b,false,8,1,") == 0);
    CHECK(csv[6].find("mixtral-8x7b,true,200,1,") == 0);
    CHECK(csv[12].find("llama3-8b,true,200,1,") == 0);

    store.exportTables({run.study.id}, folder.path() + "/table.sqlite");
    Database plain(folder.path() + "/table.sqlite");
    CHECK(plain.text("SELECT group_concat(DISTINCT model) FROM " + run.study.view) ==
          "mixtral-8x7b,llama3-8b");
    CHECK(plain.number("SELECT count(*) FROM " + run.study.view +
                       " WHERE \"techniques.l2_prefetch.enabled\" = 'true' AND "
                       "\"nodes.npu.device.l2_mb\" = 104") == 2);
}

TEST_CASE("a stored study over choices is opened again and runs without computing") {
    const TemporaryFolder folder;
    const auto path = folder.path() + "/s.sqlite";
    std::int64_t id = 0;
    {
        Store store(path);
        id = runStudy(choiceStudy(), store, withJobs(1)).study.id;
    }
    Store store(path);
    CHECK(store.studies().at(0).axes == choiceStudy().axes);
    const auto again = store.definition(id, catalog());
    CHECK(again.axes == choiceStudy().axes);
    CHECK(again.axes[0].edits.size() == 2);
    const auto run = runStudy(again, store, withJobs(1));
    CHECK(run.study.id == id);
    CHECK(run.computed == 0);
    CHECK(run.reused == 12);
    // The same positions under other names are another study.
    auto other = choiceStudy();
    other.axes[0] = parseAxis(other.base, catalog(), "model=llama3-8b,mixtral-8x7b");
    const auto turned = runStudy(other, store, withJobs(1));
    CHECK(turned.study.id != id);
    CHECK(turned.computed == 0);
    CHECK(store.read(turned.study.id).find("latency_s")->at(0) == store.read(id).find("latency_s")->at(6));
    // A name that the catalogue has no more is said.
    auto poorer = catalog();
    std::erase_if(poorer.models, [](const Model& model) { return model.id == "mixtral-8x7b"; });
    CHECK(errorOf([&] { store.definition(id, poorer); }).find("unknown value \"mixtral-8x7b\"") !=
          std::string::npos);
    CHECK(store.read(id).columns[0].text(0) == "mixtral-8x7b"); // reading needs no catalogue
}
