// SPDX-License-Identifier: GPL-3.0-or-later
// A paper as a folder: held against the model, written as one page, made from a design.
#include "engine/base/file.h"
#include "tests/app/run_cli.h"
#include "tests/places.h"

#include <cmath>
#include <filesystem>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

namespace fs = std::filesystem;

const std::string kGlitches = std::string(heteroscape::places::kPresetsFolder) + "/papers/glitches";

/// A folder that "paper new" made.
class MadePaper {
public:
    MadePaper()
        : m_made(cli({"paper", "new", folder(), "--design", "glitches/8a100", "--title", "Eight cards"})) {
        CAPTURE(m_made.err);
        REQUIRE(m_made.exitCode == 0);
    }

    std::string folder() const { return m_folder.path() + "/My paper"; }
    std::string file(const std::string& name) const { return folder() + "/" + name; }
    const Answer& made() const { return m_made; }

    Answer exported() const { return cli({"export", "--paper", folder(), "--out", page()}); }
    std::string page() const { return m_folder.path() + "/page.html"; }
    /// The page with these words; fails the test when there is none.
    std::string pageOf(const std::string& words) const {
        writeFileAtomically(file("paper.md"), words);
        const auto answer = exported();
        CAPTURE(answer.err);
        REQUIRE(answer.exitCode == 0);
        return readFile(page());
    }
    /// What is said of words that are wrong.
    std::string refusal(const std::string& words) const {
        writeFileAtomically(file("paper.md"), words);
        const auto answer = exported();
        CHECK(answer.exitCode == 1);
        return answer.err;
    }

private:
    TemporaryFolder m_folder;
    Answer m_made;
};

} // namespace

TEST_CASE("compare --paper holds a folder as it holds a shipped paper, to the byte") {
    const TemporaryFolder folder;
    const auto copy = folder.path() + "/elsewhere";
    fs::copy(kGlitches, copy, fs::copy_options::recursive);
    const auto csv = [&](const char* name) { return folder.path() + "/" + name; };
    for (const auto* json : {"--json", ""}) {
        const auto with = [&](std::vector<std::string> arguments) {
            if (*json)
                arguments.emplace_back(json);
            return cli(arguments);
        };
        const auto shipped = with({"compare", "glitches", "--csv", csv("a")});
        REQUIRE(shipped.exitCode == 0);
        for (const auto& own : {kGlitches, copy}) {
            const auto answer = with({"compare", "--paper", own, "--csv", csv("b")});
            CHECK(answer.exitCode == 0);
            CHECK(answer.out == shipped.out);
            CHECK(readFile(csv("a")) == readFile(csv("b")));
        }
    }
    CHECK(contains(cli({"compare", "--paper", folder.path()}).err, "holds no claims.json"));
    CHECK(cli({"compare"}).exitCode == 2);
    CHECK(cli({"compare", "glitches", "--paper", copy}).exitCode == 2);
}

TEST_CASE("a claim that cannot be computed stands in the table, and the answer is no success") {
    const MadePaper paper;
    auto claims = readJsonFile(paper.file("claims.json"));
    auto broken = claims["claims"][0];
    broken["id"] = "broken";
    broken["model"]["metric"] = "no_such_metric";
    auto trend = broken;
    trend["id"] = "trend";
    trend["kind"] = "trend";
    trend["model"] = Json::parse(R"({"order": [1, 2]})");
    trend.erase("paper");
    claims["claims"].push_back(broken);
    claims["claims"].push_back(trend);
    trend["id"] = "large";
    trend["model"] = Json::parse(R"({"order": [2, {"metric": "tpot_s", "scenario": "my-paper/design",
                                                  "set": {"workload.batch": 65536}}]})");
    claims["claims"].push_back(trend);
    writeFileAtomically(paper.file("claims.json"), claims.dump());
    const auto answer = cli({"compare", "--paper", paper.folder()});
    CHECK(answer.exitCode == 1);
    CHECK(contains(answer.out, "not computed: " + paper.file("claims.json") + ".broken"));
    CHECK(contains(answer.out, "trend does not hold: no reason is stated. Give one in its note\n"));
    CHECK(contains(answer.out, "4 claims, 3 misfits"));
    CHECK(contains(answer.out, "large has no value: a design that it takes cannot run"));
    const auto json = cli({"compare", "--paper", paper.folder(), "--json"}).json();
    CHECK(json["claims"][0]["misfit"] == false);
    CHECK(json["claims"][1]["model"].is_null());
    CHECK(contains(json["claims"][1]["problem"], "no such metric"));
    CHECK(json["claims"][2]["model"] == 0);
}

TEST_CASE("a paper's page holds words, designs, claims, studies and parts, and nothing from elsewhere") {
    const MadePaper paper;
    auto device = readJsonFile(std::string(heteroscape::places::kPresetsFolder) + "/devices/u280.json");
    device["id"] = "my-fpga";
    device["name"] = "My <FPGA> | one";
    fs::create_directories(paper.file("devices"));
    writeFileAtomically(paper.file("devices/my-fpga.json"), device.dump());
    writeFileAtomically(paper.file("plot.svg"), "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    const auto throughput = cli({"evaluate", "glitches/8a100", "--json"}).json()["throughput_tok_s"];
    const auto doubled = cli({"evaluate", "glitches/8a100", "--set", "workload.prompt_tokens=512", "--json"});
    const auto html =
        paper.pageOf("Eight reach {{design throughput_tok_s}}, {{claim throughput}}, with short prompts "
                     "{{design throughput_tok_s workload.prompt_tokens=512}}; "
                     "{{glitches/8u280 price_usd}}.\n\n```\n{{stays}}\n```\n\n<b>no HTML</b> "
                     "[claims](#claims) ![plot](plot.svg)\n");
    const auto text = [](const Json& number, int digits) {
        char buffer[32];
        std::snprintf(buffer, sizeof buffer, "%.*f", digits, number.get<double>());
        return std::string(buffer) + " tok/s";
    };
    CHECK(contains(html, "<h1 id=\"eight-cards\">Eight cards</h1>"));
    CHECK(contains(html, "Eight reach " + text(throughput, 1)));
    CHECK(contains(html, text(doubled.json()["throughput_tok_s"], 1) + "; 64,000 $"));
    CHECK(contains(html, "{{stays}}"));
    CHECK(contains(html, "&lt;b&gt;no HTML&lt;/b&gt;"));
    CHECK(contains(html, "<img src=\"data:image/svg+xml,%3Csvg%20xmlns"));
    for (const auto* heading : {"designs", "claims", "studies", "parts"})
        CHECK(contains(html, "<h2 id=\"" + std::string(heading) + "\">"));
    CHECK(contains(html, "Throughput over the length of prompts"));
    CHECK(contains(html, "My &lt;FPGA&gt; | one"));
    CHECK(contains(html, "<td>memory_bandwidth_gbps</td>"));
    for (const auto* foreign : {"<link", "<script", "src=\"http", "@import", "url("})
        CHECK_FALSE(contains(html, foreign));
    CHECK(html == paper.pageOf(readFile(paper.file("paper.md")))); // the same, byte for byte
}

TEST_CASE("wrong words of a paper are refused by file, line and remedy, and no page is written") {
    const MadePaper paper;
    const auto line = [&](const std::string& figure) {
        return paper.file("paper.md") + ":2: {{" + figure + "}}: ";
    };
    const auto refusal = [&](const std::string& figure) {
        return paper.refusal("# One\n{{" + figure + "}}\n");
    };
    CHECK(contains(refusal("design no_such"), line("design no_such") + "no such metric"));
    CHECK(contains(refusal("desing ttft_s"), line("desing ttft_s") + "unknown preset \"my-paper/desing\""));
    CHECK(contains(refusal("claim through"), "unknown claim \"through\". Nearest: throughput"));
    CHECK(contains(refusal("design ttft_s batch"), "\"batch\" is not a setting. Write {{DESIGN METRIC}}"));
    CHECK(contains(refusal("design ttft_s no.path=1"), "nothing is called \"no\""));
    CHECK(contains(refusal("ttft_s"), "names no figure"));
    CHECK(contains(paper.refusal("a\n\n{{design ttft_s\n"), "paper.md:3: {{ has no }} in its line"));
    CHECK(contains(paper.refusal("![x](https://example.org/x.svg)"), "picture https://example.org/x.svg"));
    CHECK(contains(paper.refusal("![x](../page.svg)"), "is no SVG, PNG or JPEG in the paper's folder"));
    CHECK(contains(paper.refusal("[x](javascript:alert)"), "leads to another file"));
    CHECK_FALSE(fs::exists(paper.page()));
    CHECK(contains(cli({"export", "--paper", paper.folder()}).err, "--out FILE.html"));
}

TEST_CASE("the shipped papers are written as pages, every claim in them") {
    const TemporaryFolder folder;
    const auto page = folder.path() + "/page.html";
    const auto answer = cli({"export", "--paper", kGlitches, "--out", page});
    CAPTURE(answer.err);
    REQUIRE(answer.exitCode == 0);
    const auto html = readFile(page);
    for (const auto& claim : cli({"compare", "glitches", "--json"}).json()["claims"])
        CHECK(contains(html, "<td>" + claim["quantity"].get<std::string>() + "</td>"));
    CHECK(contains(html, "Fig 7: all GPU, all FPGA, or both"));
    CHECK(contains(html, "<td>misfit</td>"));
}

TEST_CASE("paper new writes a folder that holds, and writes over nothing") {
    const MadePaper paper;
    for (const auto* name : {"claims.json", "design.json", "paper.md", "studies/prompts.json"})
        CHECK(contains(paper.made().out, paper.file(name) + "\n"));
    const auto held = cli({"compare", "--paper", paper.folder(), "--json"});
    REQUIRE(held.exitCode == 0);
    const auto json = held.json();
    CHECK(json["paper"] == "my-paper");
    CHECK(json["title"] == "Eight cards");
    REQUIRE(json["claims"].size() == 1);
    CHECK(json["claims"][0]["kind"] == "computed");
    CHECK(std::fabs(json["claims"][0]["error"].get<double>()) < 5e-5); // in five digits
    CHECK(paper.exported().exitCode == 0);
    const auto words = readFile(paper.file("paper.md"));
    const auto again = cli({"paper", "new", paper.folder(), "--design", "glitches/8u280"});
    CHECK(again.exitCode == 1);
    CHECK(contains(again.err, "is there already, and nothing is written over"));
    CHECK(readFile(paper.file("paper.md")) == words);
    CHECK(contains(cli({"paper", "new", paper.file("other"), "--design", "none"}).err, "unknown preset"));
    CHECK_FALSE(fs::exists(paper.file("other")));
}
