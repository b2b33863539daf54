// SPDX-License-Identifier: GPL-3.0-or-later
// A paper as a folder of one's own, with parts of its own, and trends as claims.
#include "engine/base/file.h"
#include "engine/claims/claims.h"
#include "engine/claims/expression.h"
#include "engine/claims/figure_study.h"
#include "engine/exporters/study_csv.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/scenario_json.h"
#include "engine/study_run/evaluate_study.h"
#include "tests/engine/fixtures.h"
#include "tests/places.h"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

namespace fs = std::filesystem;

const std::string kTokens = R"({"metric": "throughput_tok_s", "scenario": "mine/eight")";

/// A folder with one design, whose FPGA, link, model, runtime and workload are its own.
class OwnPaper {
public:
    OwnPaper() {
        const auto own = [&](const char* kind, const Json& part, const char* id) {
            auto changed = part;
            changed["id"] = id;
            write(std::string(kind) + "/" + id + ".json", changed);
        };
        auto device = catalog().device("u280", "test");
        device.memoryBandwidth.value *= 2.0;
        device.ports = {"my-link"};
        own("links", writeLinkType(catalog().linkType("pcie-gen3-x16", "test")), "my-link");
        own("devices", writeDevice(device), "my-fpga");
        own("models", writeModel(catalog().model("llama2-7b", "test")), "my-model");
        own("workloads", writeWorkload(catalog().workload("p1536-d512", "test")), "my-load");
        own("runtimes", shipped("runtimes/glitches-fpga.json"), "my-runtime");
        auto told = shipped("papers/glitches/8u280.json");
        told["model"] = "my-model";
        told["workload"] = "my-load";
        for (auto& node : told["nodes"])
            if (node["device"] == "u280") {
                node["device"] = "my-fpga";
                node["runtime"] = "my-runtime";
            }
        for (auto& link : told["links"])
            link["type"] = "my-link";
        write("eight.json", told);
        write("studies/counts.json", Json::parse(R"({"name": "Counts", "scenario": "mine/eight",
            "axes": ["nodes.fpga.device=u280,my-fpga"],
            "plots": [{"title": "t", "kind": "lines", "x": "nodes.fpga.device",
                       "metrics": ["throughput_tok_s"]}]})"));
        claims("");
    }

    static Json shipped(const std::string& file) {
        return readJsonFile(std::string(heteroscape::places::kPresetsFolder) + "/" + file);
    }

    void write(const std::string& file, const Json& json) {
        fs::create_directories(fs::path(path(file)).parent_path());
        writeFileAtomically(path(file), json.dump());
    }

    /// Claims by "kind" and "model", in JSON.
    void claims(const std::string& list) {
        write("claims.json",
              Json::parse(R"({"id": "mine", "name": "Mine", "title": "T", "claims": [)" + list + "]}"));
    }

    static std::string claim(const std::string& id, const std::string& kind, const std::string& model) {
        return R"({"id": ")" + id +
               R"(", "quantity": "q", "where": "w", "scenario": "mine/eight", "kind": ")" + kind +
               R"(", "model": )" + model + (kind == "trend" ? "}" : R"(, "paper": 1})");
    }

    Catalog parts() const {
        auto parts = catalog();
        CHECK(addPaper(parts, m_folder.path()) == "mine");
        return parts;
    }

    PaperComparison compared() const {
        const auto all = parts();
        return compare(all, loadPaper(all, "mine"));
    }

    std::string error() const {
        auto parts = catalog();
        return errorOf([&] { addPaper(parts, m_folder.path()); });
    }

    std::string path(const std::string& file) const { return m_folder.path() + "/" + file; }

private:
    TemporaryFolder m_folder;
};

} // namespace

TEST_CASE("a shipped paper is nothing but a folder: a copy elsewhere gives the same") {
    const TemporaryFolder elsewhere;
    const auto folder = elsewhere.path() + "/copy/";
    fs::copy(heteroscape::places::kPresetsFolder + std::string("/papers/glitches"), folder,
             fs::copy_options::recursive);
    auto parts = catalog();
    const auto id = addPaper(parts, folder);
    CHECK(id == "glitches");
    CHECK(parts.systems == catalog().systems);
    CHECK(parts.designFile("glitches/8a100", "test") == elsewhere.path() + "/copy/8a100.json");
    CHECK(listStudies(parts) == listStudies(catalog()));
    const auto csv = [](const Catalog& of) {
        return claimsCsv(std::vector{compare(of, loadPaper(of, "glitches"))});
    };
    CHECK(csv(parts) == csv(catalog()));
    // What lies in the copy is what counts.
    auto design = OwnPaper::shipped("papers/glitches/8a100.json");
    design["name"] = "Mine";
    writeFileAtomically(elsewhere.path() + "/copy/8a100.json", design.dump());
    CHECK(loadPreset(parts, "glitches/8a100", "test").name == "Mine");
}

TEST_CASE("parts of a paper's own stand in its designs, claims and studies") {
    OwnPaper paper;
    paper.claims(OwnPaper::claim("ratio", "count",
                                 R"({"ratio": [)" + kTokens + "}, " + kTokens +
                                     R"(, "set": {"nodes.fpga.device": "my-fpga"}}]})"));
    const auto parts = paper.parts();
    const auto design = loadPreset(parts, "mine/eight", "test");
    CHECK(design.model.id == "my-model");
    const auto* fpga = design.findNode(NodeId{"fpga"});
    REQUIRE(fpga);
    CHECK(fpga->device.id == "my-fpga");
    CHECK(fpga->runtime->id == "my-runtime");
    const auto comparison = paper.compared();
    REQUIRE(comparison.results.size() == 1);
    CHECK(comparison.results[0].problem.empty());
    CHECK(comparison.results[0].model == 1.0);
    const auto table = evaluateStudy(loadStudy(parts, "mine/counts", "test").study);
    const auto* tokens = table.find("throughput_tok_s");
    REQUIRE(table.rows() == 2);
    CHECK(tokens->at(1) > 1.2 * tokens->at(0)); // twice the bandwidth
    // A shipped part of that id gives way.
    auto faster = writeDevice(catalog().device("u280", "test"));
    faster["name"] = "Not the shipped one";
    paper.write("devices/u280.json", faster);
    CHECK(paper.parts().device("u280", "test").name == "Not the shipped one");
    CHECK(paper.parts().devices.size() == catalog().devices.size() + 1);
}

TEST_CASE("a paper's folder that lacks something, or has something wrong, says what and where") {
    auto parts = catalog();
    const auto errorAt = [&](const std::string& folder) { return errorOf([&] { addPaper(parts, folder); }); };
    CHECK(contains(errorAt("/no/such/folder"), "/no/such/folder: there is no such folder"));
    const TemporaryFolder empty;
    CHECK(contains(errorAt(empty.path()), empty.path() + ": holds no claims.json. A paper is a folder"));
    OwnPaper paper;
    paper.write("eight.hscape", {});
    CHECK(contains(paper.error(), "two files of the design \"mine/eight\""));
    fs::remove(paper.path("eight.hscape"));
    auto device = readJsonFile(paper.path("devices/my-fpga.json"));
    device["ports"] = {"no-link"};
    paper.write("devices/my-fpga.json", device);
    CHECK(contains(paper.error(), "devices/my-fpga.json.ports: unknown link type \"no-link\""));
    device["id"] = "other";
    paper.write("devices/my-fpga.json", device);
    CHECK(contains(paper.error(), "devices/my-fpga.json.id: \"other\" is not the file's name"));
}

TEST_CASE("a claim that cannot be computed is shown with its reason, and hides no other") {
    OwnPaper paper;
    const auto over = R"({"mean": {"metric": "no_such_metric", "scenario": "mine/eight"},
                          "over": {"nodes.fpga.count": [1, 2]}})";
    paper.claims(OwnPaper::claim("first", "predicted", over) + "," +
                 OwnPaper::claim("second", "predicted", R"({"metric": "tpot_s", "scenario": "mine/nine"})") +
                 "," + OwnPaper::claim("third", "predicted", kTokens + "}"));
    const auto comparison = paper.compared();
    REQUIRE(comparison.results.size() == 3);
    CHECK(comparison.misfits == 3);
    const auto& first = comparison.results[0];
    CHECK(std::isnan(first.model));
    CHECK(contains(first.problem, paper.path("claims.json") + ".first"));
    CHECK(contains(first.problem, "no_such_metric: no such metric"));
    CHECK(contains(comparison.results[1].problem, "unknown preset \"mine/nine\""));
    // A claim on a design that is not there has none either, each of them.
    auto nowhere = OwnPaper::claim("fourth", "count", "1");
    nowhere.replace(nowhere.find("mine/eight"), 10, "mine/none");
    auto again = nowhere;
    again.replace(again.find("fourth"), 6, "fifth");
    OwnPaper other;
    other.claims(nowhere + "," + again);
    for (const auto& result : other.compared().results) {
        CHECK(std::isnan(result.model));
        CHECK(contains(result.problem, ".scenario: unknown preset \"mine/none\""));
    }
    // Settings of what failed do not stay; only what has a number counts in the mean.
    const auto parts = paper.parts();
    ExpressionEvaluator alone(parts);
    CHECK(comparison.results[2].model == alone.value(Json::parse(kTokens + "}"), "e"));
    CHECK(comparison.meanPredictedError == std::fabs(comparison.results[2].error));
    CHECK(contains(claimsCsv(std::vector{comparison}), "not computed: "));
}

TEST_CASE("trends hold or do not: an order, saturation, a crossing") {
    ExpressionEvaluator evaluator(catalog());
    const auto value = [&](const std::string& text) { return evaluator.value(parseJson(text, "e"), "e"); };
    const std::string price = R"({"metric": "price_usd", "scenario": "glitches/8a100"})";
    const auto over = [&](const std::string& head, const std::string& values) {
        return value("{" + head + R"(, "over": {"nodes.gpu.count": [)" + values + "]}}");
    };
    CHECK(value(R"({"order": [3, 2, 1]})") == 1.0);
    CHECK(value(R"({"order": [3, 1, 2]})") == 0.0);
    CHECK(value(R"({"order": [3, 3]})") == 0.0);
    CHECK(std::isnan(value(R"({"order": [3, {"ratio": [0, 0]}]})")));
    const auto saturates = R"("saturates": )" + price + R"(, "within": )";
    CHECK(over(saturates + "0.11", "10, 11") == 1.0);
    CHECK(over(saturates + "0.11", "10, 20, 10") == 0.0); // every value, not the last alone
    // Devices cost 17,000 each: more than 60,000 from the fourth on.
    const auto crosses = R"("crosses": {"minus": [)" + price + ", 60000]}";
    CHECK(over(crosses, "3, 4") == 1.0);
    CHECK(over(crosses, "4, 3") == 1.0);
    CHECK(over(crosses, "4, 5") == 0.0);
    CHECK(contains(errorOf([&] { over(crosses, "3"); }), "e.over: expected at least 2 values"));
    CHECK(contains(errorOf([&] { over(R"("saturates": 1, "within": -1)", "1, 2"); }),
                   "e.within: must not be negative"));
}

TEST_CASE("a trend is a claim without a number; where it does not hold it is a misfit") {
    OwnPaper paper;
    paper.claims(OwnPaper::claim("holds", "trend", R"({"order": [2, 1]})") + "," +
                 OwnPaper::claim("fails", "trend", R"({"order": [1, 2]})"));
    const auto comparison = paper.compared();
    REQUIRE(comparison.results.size() == 2);
    CHECK_FALSE(comparison.results[0].misfit);
    CHECK(comparison.results[1].misfit);
    CHECK(summaryText(summarise(comparison.results)) == "Trend: 1 of 2 hold.");
    // The designs behind it are found, as of other claims.
    auto claim = comparison.results[0].claim;
    claim.model = std::make_shared<const Json>(
        Json::parse(R"({"crosses": )" + kTokens + R"(}, "over": {"nodes.fpga.count": [1, 2]}})"));
    CHECK(claimDesigns(paper.parts(), claim).size() == 2);
    paper.claims(R"({"id": "c", "quantity": "q", "where": "w", "scenario": "mine/eight", "kind": "trend",
                     "paper": 3, "model": 1})");
    const auto parts = paper.parts();
    CHECK(contains(errorOf([&] { loadPaper(parts, "mine"); }), "claims[0].paper: unknown key"));
}
