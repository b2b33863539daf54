// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/clip.h"

#include "engine/base/error.h"
#include "engine/catalog/named.h"
#include "engine/scenario/notes.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/scenario/scenario_json.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace heteroscape::engine {

ReadyGroup loadGroup(const Catalog& catalog, const std::string& id) {
    if (std::find(catalog.groups.begin(), catalog.groups.end(), id) == catalog.groups.end())
        throw Error(ErrorCode::NotFound, "group", "unknown group \"" + id.substr(0, 80) + "\"",
                    "Allowed: " + joined(catalog.groups));
    const auto path = catalog.folder + "/groups/" + id + ".json";
    const auto json = readJsonFile(path);
    JsonObject object(json, path);
    ReadyGroup group;
    group.id = readId(object, "id");
    if (group.id != id)
        throwInvalid(object.place("id"), "\"" + group.id + "\" is not the file's name",
                     "Name the file after the group");
    group.name = object.text("name");
    group.about = object.text("about");
    Scenario scenario;
    readSystem(scenario, object, catalog);
    object.finish();
    if (scenario.nodes.empty())
        throwInvalid(object.place("nodes"), "holds no node", "A group has at least one");
    group.clip = {std::move(scenario.nodes), std::move(scenario.links), {}};
    for (auto& node : group.clip.nodes)
        if (!node.runtime)
            placeSoftware(node, catalog);
    return group;
}

std::vector<ReadyGroup> loadGroups(const Catalog& catalog) {
    std::vector<ReadyGroup> groups;
    for (const auto& id : catalog.groups)
        groups.push_back(loadGroup(catalog, id));
    return groups;
}

namespace {

constexpr std::string_view kClipFormat = "heteroscape-clip";
constexpr int kClipFormatVersion = 1;

/// Ids that are taken, and for each stem the number to try next: a thousand copies of one device take no
/// thousand searches each.
class FreshIds {
public:
    void take(const std::string& id) { m_taken.insert(id); }

    std::string make(const std::string& stem) {
        auto id = stem;
        auto& next = m_next[stem];
        for (next = std::max(next, 1); m_taken.contains(id);)
            id = stem.substr(0, 56) + "-" + std::to_string(++next);
        m_taken.insert(id);
        return id;
    }

private:
    std::unordered_set<std::string> m_taken;
    std::unordered_map<std::string, int> m_next;
};

/// "a100-7" is a copy of "a100" already.
std::string stemOf(const std::string& id) {
    const auto digits = id.find_last_not_of("0123456789");
    if (digits == std::string::npos || digits == 0 || digits + 1 == id.size() || id[digits] != '-')
        return id.substr(0, 48);
    return id.substr(0, std::min<std::size_t>(digits, 48));
}

} // namespace

Clip clipOf(const Scenario& scenario, const std::vector<NodeId>& nodes, const std::vector<NoteId>& notes) {
    const std::set<NodeId> chosen(nodes.begin(), nodes.end());
    const std::set<NoteId> chosenNotes(notes.begin(), notes.end());
    Clip clip;
    clip.nodes.reserve(chosen.size());
    for (const auto& node : scenario.nodes)
        if (chosen.contains(node.id))
            clip.nodes.push_back(node);
    for (const auto& link : scenario.links)
        if (chosen.contains(link.from) && chosen.contains(link.to))
            clip.links.push_back(link);
    const auto isCopied = [&](const NoteTarget& target) {
        const auto* link = std::get_if<LinkId>(&target);
        const auto* node = std::get_if<NodeId>(&target);
        return link ? std::any_of(clip.links.begin(), clip.links.end(),
                                  [&](const Link& one) { return one.id == *link; })
                    : !node || chosen.contains(*node);
    };
    for (const auto& note : scenario.notes)
        if (chosenNotes.contains(note.id)) {
            clip.notes.push_back(note);
            if (note.arrow && !isCopied(*note.arrow))
                clip.notes.back().arrow.reset();
        }
    return clip;
}

std::string writeClip(const Scenario& scenario, const std::vector<NodeId>& nodes,
                      const std::vector<NoteId>& notes) {
    const auto clip = clipOf(scenario, nodes, notes);
    Json json = {{"format", kClipFormat}, {"formatVersion", kClipFormatVersion}};
    writeSystem(json, clip.nodes, clip.links);
    writeNotes(json, clip.notes);
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Clip readClip(const std::string& text, const std::string& where) {
    const auto json = parseJson(text, where);
    JsonObject object(json, where);
    if (const auto format = object.text("format"); format != kClipFormat)
        throwInvalid(object.place("format"), "found \"" + format.substr(0, 80) + "\"",
                     "Copied nodes say \"" + std::string(kClipFormat) + "\" here");
    if (const auto version = object.integer("formatVersion", 1, 1 << 30); version > kClipFormatVersion)
        throwInvalid(object.place("formatVersion"),
                     "version " + std::to_string(version) + " is newer than this program knows (" +
                         std::to_string(kClipFormatVersion) + ")",
                     "Paste it into a newer Heteroscape");
    Scenario scenario;
    readSystem(scenario, object, Catalog{});
    readNotes(scenario, object);
    object.finish();
    if (scenario.nodes.empty() && scenario.notes.empty())
        throwInvalid(object.place("nodes"), "holds no node", "Copy at least one");
    return {std::move(scenario.nodes), std::move(scenario.links), std::move(scenario.notes)};
}

EditList pasteEdit(const Scenario& into, Clip clip, Position offset, std::vector<NodeId>& pasted,
                   std::vector<NoteId>* pastedNotes) {
    FreshIds nodeIds;
    FreshIds linkIds;
    FreshIds noteIds;
    for (const auto& node : into.nodes)
        nodeIds.take(node.id.value);
    for (const auto& link : into.links)
        linkIds.take(link.id.value);
    for (const auto& note : into.notes)
        noteIds.take(note.id.value);
    const auto moved = [&offset](const Position& from) {
        const auto within = [](double value) { return std::clamp(value, -kFarthestPlace, kFarthestPlace); };
        return Position{within(from.x + offset.x), within(from.y + offset.y)};
    };
    EditList list;
    std::map<NodeId, NodeId> copies;
    std::map<LinkId, LinkId> linkCopies;
    pasted.clear();
    list.edits.reserve(clip.nodes.size() + clip.links.size() + clip.notes.size());
    for (auto& node : clip.nodes) {
        const auto original = node.id;
        node.id.value = nodeIds.make(stemOf(original.value));
        node.position = moved(node.position);
        copies[original] = node.id;
        pasted.push_back(node.id);
        list.edits.push_back(AddNode{std::move(node), into.nodes.size() + pasted.size() - 1});
    }
    auto at = into.links.size();
    for (auto& link : clip.links) {
        const auto original = link.id;
        link.id.value = linkIds.make(stemOf(original.value));
        link.from = copies.at(link.from);
        link.to = copies.at(link.to);
        linkCopies[original] = link.id;
        list.edits.push_back(AddLink{std::move(link), at++});
    }
    for (auto& note : clip.notes) {
        note.id.value = noteIds.make(stemOf(note.id.value));
        note.position = moved(note.position);
        if (note.arrow) {
            if (auto* node = std::get_if<NodeId>(&*note.arrow))
                *node = copies.at(*node);
            else if (auto* link = std::get_if<LinkId>(&*note.arrow))
                *link = linkCopies.at(*link);
            else
                note.arrow = moved(std::get<Position>(*note.arrow));
        }
        if (pastedNotes)
            pastedNotes->push_back(note.id);
        list.edits.push_back(PutNote{std::move(note)});
    }
    return list;
}

EditList pasteEdit(const Scenario& into, const std::string& text, Position offset,
                   std::vector<NodeId>& pasted) {
    return pasteEdit(into, readClip(text, "clipboard"), offset, pasted);
}

} // namespace heteroscape::engine
