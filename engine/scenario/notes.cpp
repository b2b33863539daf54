// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/notes.h"

#include "engine/base/error.h"
#include "engine/catalog/named.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>

namespace heteroscape::engine {

namespace {

template <class... Cases>
struct ByTarget : Cases... {
    using Cases::operator()...;
};

void checkNoteSide(double value, const std::string& where) {
    if (!(value >= kLeastNoteSide && value <= kGreatestNoteSide))
        throwInvalid(where, "not a side of a note", "Give a number from 24 to 10000");
}

void checkPlotPlace(const Note& note, const std::string& where) {
    const auto& [plot, x, y] = *note.plot;
    if (plot.empty())
        throwInvalid(where + ".plot.plot", "is empty", "Name the plot that the note stands on");
    checkText(plot, where + ".plot.plot");
    for (const auto& [key, value] : {std::pair("x", x), std::pair("y", y)})
        if (!std::isfinite(value))
            throwInvalid(where + ".plot." + key, "not a number", "Give a value of the plot's axis");
    if (note.arrow)
        throwInvalid(where + ".arrow", "the note stands on a plot and points at a place there",
                     "Leave out either \"arrow\" or \"plot\"");
}

double readNumber(JsonObject& object, std::string_view key) {
    const auto& json = object.require(key);
    if (!json.is_number())
        throwInvalid(object.place(key), "expected a number, found " + std::string(jsonTypeName(json)));
    return json.get<double>();
}

NoteTarget readTarget(JsonObject object) {
    NoteTarget target;
    if (object.has("node"))
        target = NodeId{readId(object, "node")};
    else if (object.has("link"))
        target = LinkId{readId(object, "link")};
    else
        target = Position{readNumber(object, "x"), readNumber(object, "y")};
    object.finish();
    return target;
}

Json writeTarget(const NoteTarget& target) {
    return std::visit(ByTarget{[](const NodeId& id) -> Json {
                                   return {{"node", id.value}};
                               },
                               [](const LinkId& id) -> Json {
                                   return {{"link", id.value}};
                               },
                               [](const Position& place) -> Json {
                                   return {{"x", place.x}, {"y", place.y}};
                               }},
                      target);
}

} // namespace

void checkNote(const Scenario& scenario, const Note& note, const std::string& where) {
    if (note.text.empty())
        throwInvalid(where + ".text", "is empty", "Write something, or leave the note out");
    checkText(note.text, where + ".text");
    checkPlace(note.position, where);
    checkNoteSide(note.width, where + ".width");
    checkNoteSide(note.height, where + ".height");
    if (note.plot)
        checkPlotPlace(note, where);
    if (!note.arrow)
        return;
    const auto missing = [&where](const char* what, const std::string& id) {
        throwInvalid(where + ".arrow", std::string("no ") + what + " \"" + id + "\"",
                     "Point at what is in the design, or at a place");
    };
    std::visit(ByTarget{[&](const NodeId& id) {
                            if (!scenario.findNode(id))
                                missing("node", id.value);
                        },
                        [&](const LinkId& id) {
                            if (!scenario.findLink(id))
                                missing("link", id.value);
                        },
                        [&](const Position& place) { checkPlace(place, where + ".arrow"); }},
               *note.arrow);
}

void readNotes(Scenario& scenario, JsonObject& object) {
    if (!object.has("notes"))
        return;
    const auto& list = object.array("notes");
    checkSize(list.size(), kMaxNotes, object.place("notes"));
    std::unordered_set<std::string> ids;
    for (std::size_t i = 0; i < list.size(); ++i) {
        JsonObject one(list[i], object.place("notes") + "[" + std::to_string(i) + "]");
        Note note;
        note.id.value = readId(one, "id");
        if (!ids.insert(note.id.value).second)
            throwInvalid(one.place("id"), "\"" + note.id.value + "\" is used twice",
                         "Give every note its own id");
        note.text = one.text("text");
        note.position = {readNumber(one, "x"), readNumber(one, "y")};
        note.width = readNumber(one, "width");
        note.height = readNumber(one, "height");
        if (one.has("arrow"))
            note.arrow = readTarget(one.object("arrow"));
        if (one.has("plot")) {
            auto plot = one.object("plot");
            note.plot = PlotPlace{plot.text("plot"), readNumber(plot, "x"), readNumber(plot, "y")};
            plot.finish();
        }
        one.finish();
        checkNote(scenario, note, one.where());
        scenario.notes.push_back(std::move(note));
    }
}

void writeNotes(Json& object, const std::vector<Note>& notes) {
    for (const auto& note : notes) {
        Json json = {{"id", note.id.value},  {"text", note.text},   {"x", note.position.x},
                     {"y", note.position.y}, {"width", note.width}, {"height", note.height}};
        if (note.arrow)
            json["arrow"] = writeTarget(*note.arrow);
        if (note.plot)
            json["plot"] = {{"plot", note.plot->plot}, {"x", note.plot->x}, {"y", note.plot->y}};
        object["notes"].push_back(std::move(json));
    }
}

std::vector<Note> notesOnCanvas(const Scenario& scenario) {
    std::vector<Note> notes;
    std::copy_if(scenario.notes.begin(), scenario.notes.end(), std::back_inserter(notes),
                 [](const Note& note) { return !note.plot; });
    return notes;
}

} // namespace heteroscape::engine
