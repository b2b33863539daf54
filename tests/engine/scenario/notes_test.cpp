// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/notes.h"

#include "engine/scenario/clip.h"
#include "engine/scenario/scenario_json.h"
#include "tests/engine/fixtures.h"

#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// Notes with each kind of arrow, and one without.
Scenario notedDesign() {
    auto scenario = preset("glitches/a100-7u280");
    scenario.notes = {{{"plain"}, "Prefill here,\ndecode there \u2013 \"quoted\"", {-40, 8.5}, 200, 64, {}},
                      {{"at-node"}, "idle", {0, 0}, 120, 40, NodeId{"gpu"}},
                      {{"at-link"}, "full?", {10, 0}, 120, 40, LinkId{"host-fpga"}},
                      {{"at-place"}, "later", {20, 0}, 120, 40, Position{300, -20}}};
    return scenario;
}

std::optional<NoteTarget> arrowOf(const Scenario& scenario, const char* id) {
    return scenario.findNote({id})->arrow;
}

} // namespace

TEST_CASE("notes are kept in the file of a design, and a design without any has no such key") {
    const auto noted = notedDesign();
    const auto text = scenarioText(noted);
    const auto again = readScenario(parseJson(text, "d"), Catalog{}, "d");
    CHECK(again == noted);
    CHECK(scenarioText(again) == text);
    auto json = parseJson(text, "d");
    CHECK(json["notes"][1]["arrow"] == Json{{"node", "gpu"}});
    json.erase("notes");
    const auto plain = preset("glitches/a100-7u280");
    CHECK(json == writeScenario(plain));
    CHECK_FALSE(writeScenario(plain).contains("notes"));
}

TEST_CASE("notes are in no key: what is stored of a design stays its own") {
    CHECK(scenarioKey(notedDesign()) == scenarioKey(preset("glitches/a100-7u280")));
}

TEST_CASE("bad notes are refused by key") {
    const auto good = writeScenario(notedDesign());
    const auto message = [&](const std::string& pointer, const Json& value) {
        auto bad = good;
        bad[Json::json_pointer(pointer)] = value;
        return errorOf([&] { readScenario(bad, catalog(), "d"); });
    };
    CHECK(message("/notes", Json::object()).find("d.notes: expected an array") == 0);
    CHECK(message("/notes/0", 3).find("d.notes[0]: expected an object") == 0);
    CHECK(message("/notes/0/text", "").find("d.notes[0].text") == 0);
    CHECK(message("/notes/0/text", std::string(5000, 'x')).find("d.notes[0].text: longer than 4096") == 0);
    CHECK(message("/notes/0/x", "left").find("d.notes[0].x: expected a number, found a string") == 0);
    CHECK(message("/notes/0/x", 1e300).find("d.notes[0].x: not a coordinate") == 0);
    CHECK(message("/notes/0/y", nullptr).find("d.notes[0].y") == 0);
    CHECK(message("/notes/0/width", 3).find("d.notes[0].width: not a side of a note") == 0);
    CHECK(message("/notes/0/height", 1e5).find("d.notes[0].height") == 0);
    CHECK(message("/notes/1/id", "plain").find("d.notes[1].id: \"plain\" is used twice") == 0);
    CHECK(message("/notes/1/id", "No Id").find("d.notes[1].id") == 0);
    CHECK(message("/notes/1/color", "red").find("d.notes[1].color: unknown key") == 0);
    CHECK(message("/notes/1/arrow/node", "nobody").find("d.notes[1].arrow: no node \"nobody\"") == 0);
    CHECK(message("/notes/2/arrow/link", "gpu").find("d.notes[2].arrow: no link \"gpu\"") == 0);
    CHECK(message("/notes/2/arrow/x", 3).find("d.notes[2].arrow.x: unknown key") == 0);
    CHECK(message("/notes/3/arrow/x", 1e9).find("d.notes[3].arrow.x: not a coordinate") == 0);
    CHECK(message("/notes/3/arrow", Json::object()).find("d.notes[3].arrow") == 0);
    auto many = good;
    for (std::size_t i = 0; i <= kMaxNotes; ++i) {
        many["notes"][i] = good["notes"][0];
        many["notes"][i]["id"] = "n" + std::to_string(i);
    }
    CHECK(errorOf([&] { readScenario(many, catalog(), "d"); }).find("d.notes: more than 1,000") == 0);
}

TEST_CASE("an edit puts no note that a file could not hold") {
    auto scenario = notedDesign();
    const auto before = scenario;
    const auto refused = [&](auto change, const std::string& where) {
        auto note = scenario.notes.front();
        change(note);
        CHECK(errorOf([&] { applyEdit(scenario, PutNote{note}); }).find(where + ": ") == 0);
        CHECK(scenario == before);
    };
    refused([](Note& note) { note.text.clear(); }, "notes.plain.text");
    refused([](Note& note) { note.text.assign(5000, 'x'); }, "notes.plain.text");
    refused([](Note& note) { note.position.y = 0.0 / 0.0; }, "notes.plain.y");
    refused([](Note& note) { note.width = 0; }, "notes.plain.width");
    refused([](Note& note) { note.arrow = NodeId{"nobody"}; }, "notes.plain.arrow");
    CHECK(errorOf([&] { applyEdit(scenario, DropNote{{"none"}}); }).find("notes.none: no such note") == 0);
    while (scenario.notes.size() < kMaxNotes) {
        auto note = before.notes.front();
        note.id = freshNoteId(scenario, "n" + std::to_string(scenario.notes.size()));
        applyEdit(scenario, PutNote{note});
    }
    auto one = before.notes.front();
    one.id = {"one-more"};
    CHECK(errorOf([&] { applyEdit(scenario, PutNote{one}); }).find("notes: more than 1,000") == 0);
}

TEST_CASE("an arrow ends with what it points at, and comes back with it") {
    const auto before = notedDesign();
    auto scenario = before;
    const auto taken = [&](const GraphEdit& edit, const char* note) {
        const auto inverse = applyEdit(scenario, edit);
        CHECK_FALSE(arrowOf(scenario, note));
        CHECK_NOTHROW(readScenario(writeScenario(scenario), Catalog{}, "d"));
        const auto redo = applyEdit(scenario, inverse);
        CHECK(scenario == before);
        const auto undo = applyEdit(scenario, redo);
        CHECK_FALSE(arrowOf(scenario, note));
        applyEdit(scenario, undo);
        CHECK(scenario == before);
    };
    taken(removeEdit(scenario, {{"gpu"}}, {}), "at-node");
    taken(removeEdit(scenario, {}, {{"host-fpga"}}), "at-link");
    taken(removeEdit(scenario, {{"host"}}, {}), "at-link");
    taken(SetSystem{"none", {}, {}, scenario.techniques}, "at-node");
    applyEdit(scenario, removeEdit(scenario, {{"gpu"}}, {}));
    CHECK(arrowOf(scenario, "at-link") == arrowOf(before, "at-link"));
    CHECK(arrowOf(scenario, "at-place") == arrowOf(before, "at-place"));
}

TEST_CASE("edits of notes have readable names") {
    const auto scenario = notedDesign();
    const auto words = [&](const char* id, auto change) {
        auto note = *scenario.findNote({id});
        change(note);
        return describe(scenario, PutNote{note});
    };
    CHECK(words("plain", [](Note& note) { note.id = {"new"}; }) == "Add a note");
    CHECK(words("plain", [](Note& note) { note.text = "else"; }) == "Write in a note");
    CHECK(words("plain", [](Note& note) { note.position.x += 8; }) == "Move a note");
    CHECK(words("plain", [](Note& note) { note.width += 8; }) == "Resize a note");
    CHECK(words("plain", [](Note& note) { note.arrow = NodeId{"fpga"}; }) == "Point a note at Alveo U280");
    CHECK(words("at-node", [](Note& note) {
              note.arrow = LinkId{"host-fpga"};
          }).starts_with("Point a note at the link "));
    CHECK(words("at-node", [](Note& note) { note.arrow.reset(); }) == "Take the arrow off a note");
    CHECK(describe(scenario, removeEdit(scenario, {}, {}, {{"plain"}})) == "Remove a note");
    CHECK(describe(scenario, removeEdit(scenario, {}, {}, {{"plain"}, {"at-node"}})) == "Remove 2 notes");
    auto moved = scenario.notes.front();
    moved.position.x += 8;
    CHECK(describe(scenario, EditList{{MoveNode{{"gpu"}, {8, 8}}, PutNote{moved}}}) ==
          "Move 1 node and 1 note");
    CHECK(describe(scenario, EditList{{MoveNode{{"gpu"}, {8, 8}}, MoveNode{{"fpga"}, {8, 8}}}}) ==
          "Move 2 nodes");
}

TEST_CASE("notes are copied with what they point at, as far as that is copied") {
    const auto scenario = notedDesign();
    const std::vector<NoteId> notes{{"plain"}, {"at-node"}, {"at-link"}, {"at-place"}};
    const auto clip = readClip(writeClip(scenario, {{"gpu"}}, notes), "clipboard");
    REQUIRE(clip.notes.size() == 4);
    CHECK(clip.notes[1].arrow == std::optional<NoteTarget>(NodeId{"gpu"}));
    CHECK_FALSE(clip.notes[2].arrow);
    std::vector<NodeId> pasted;
    std::vector<NoteId> pastedNotes;
    auto into = scenario;
    applyEdit(into, pasteEdit(into, clip, {100, 10}, pasted, &pastedNotes));
    REQUIRE(pastedNotes.size() == 4);
    CHECK(into.notes.size() == 8);
    CHECK(into.findNote(pastedNotes[0])->position == Position{60, 18.5});
    CHECK(into.findNote(pastedNotes[1])->arrow == std::optional<NoteTarget>(pasted[0]));
    CHECK(into.findNote(pastedNotes[3])->arrow == std::optional<NoteTarget>(Position{400, -10}));
    const auto alone = readClip(writeClip(scenario, {}, {{"plain"}}), "clipboard");
    CHECK(alone.nodes.empty());
    CHECK(alone.notes.size() == 1);
}

TEST_CASE("a note on a plot is kept with the place it points at, in no key, and not among the canvas's") {
    auto scenario = notedDesign();
    Note note{{"on-plot"}, "the knee", {28, -56}, 180, 64, {}};
    note.plot = PlotPlace{"Lines: throughput_tok_s, over nodes.fpga.count", 4, 1.5e12};
    applyEdit(scenario, PutNote{note});
    const auto again = readScenario(parseJson(scenarioText(scenario), "d"), Catalog{}, "d");
    CHECK(again == scenario);
    CHECK(again.findNote({"on-plot"})->plot == note.plot);
    CHECK(scenarioKey(scenario) == scenarioKey(preset("glitches/a100-7u280")));
    CHECK(notesOnCanvas(scenario).size() == scenario.notes.size() - 1);
    const auto message = [&](const std::string& key, const Json& value) {
        auto bad = writeScenario(scenario);
        bad["notes"].back()[Json::json_pointer("/" + key)] = value;
        return errorOf([&] { readScenario(bad, catalog(), "d"); });
    };
    CHECK(message("plot/plot", "").find("d.notes[4].plot.plot: must not be empty") == 0);
    CHECK(message("plot/x", "left").find("d.notes[4].plot.x: expected a number") == 0);
    CHECK(message("plot/z", 1).find("d.notes[4].plot.z: unknown key") == 0);
    CHECK(message("arrow", Json{{"node", "gpu"}}).find("d.notes[4].arrow: the note stands on a plot") == 0);
    CHECK(describe(notedDesign(), PutNote{note}) == "Add a note to a plot");
}
