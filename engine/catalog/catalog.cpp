// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/catalog.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/catalog/named.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace fs = std::filesystem;

namespace {

const std::string& idOf(const RuntimeEntry& entry) {
    return entry.base.id;
}
template <class T>
const std::string& idOf(const T& entry) {
    return entry.id;
}

template <class T>
const T& findById(const std::vector<T>& entries, const std::string& id, const std::string& where,
                  const std::string& what) {
    for (const auto& entry : entries)
        if (idOf(entry) == id)
            return entry;
    std::vector<std::string> ids;
    for (const auto& entry : entries)
        ids.push_back(idOf(entry));
    throw Error(ErrorCode::NotFound, where, "unknown " + what + " \"" + id.substr(0, 80) + "\"",
                allowedText(ids, id));
}

template <class T, class Read>
std::vector<T> readFolder(const std::string& folder, const std::string& what, Read read) {
    std::vector<T> entries;
    for (const auto& path : listFiles(folder, ".json")) {
        entries.push_back(read(readJsonFile(path), path));
        if (idOf(entries.back()) != fs::path(path).stem().string())
            throwInvalid(path + ".id", "\"" + idOf(entries.back()) + "\" is not the file's name",
                         "Name the file after the " + what);
    }
    std::sort(entries.begin(), entries.end(), [](const T& a, const T& b) { return idOf(a) < idOf(b); });
    return entries;
}

} // namespace

const Device& Catalog::device(const std::string& id, const std::string& where) const {
    return findById(devices, id, where, "device");
}
const Model& Catalog::model(const std::string& id, const std::string& where) const {
    return findById(models, id, where, "model");
}
const RuntimeEntry& Catalog::runtime(const std::string& id, const std::string& where) const {
    return findById(runtimes, id, where, "runtime");
}
const Server& Catalog::server(const std::string& id, const std::string& where) const {
    return findById(servers, id, where, "server");
}
const Workload& Catalog::workload(const std::string& id, const std::string& where) const {
    return findById(workloads, id, where, "workload");
}
const LinkType& Catalog::linkType(const std::string& id, const std::string& where) const {
    return findById(linkTypes, id, where, "link type");
}

const PaperFolder& Catalog::paper(const std::string& id, const std::string& where) const {
    return findById(papers, id, where, "paper");
}

std::string Catalog::designFile(const std::string& id, const std::string& where) const {
    if (std::find(systems.begin(), systems.end(), id) == systems.end())
        throw Error(ErrorCode::NotFound, where, "unknown preset \"" + id.substr(0, 80) + "\"",
                    allowedText(systems, id));
    const auto slash = id.find('/');
    const auto path = paper(id.substr(0, slash), where).path + id.substr(slash);
    return fs::exists(path + ".json") ? path + ".json" : path + ".hscape";
}

const RuntimeEntry* Catalog::findRuntime(const std::string& id) const {
    const auto found = std::find_if(runtimes.begin(), runtimes.end(),
                                    [&](const RuntimeEntry& entry) { return entry.base.id == id; });
    return found == runtimes.end() ? nullptr : &*found;
}

const RuntimeEntry* Catalog::defaultRuntime(const Device& device) const {
    const RuntimeEntry* fallback = nullptr;
    for (const auto& entry : runtimes) {
        if (!runsOn(entry.base, device.kind))
            continue;
        if (entry.base.id == device.runtime)
            return &entry;
        const auto byClass = [](const RuntimeEntry& one) { return one.base.decode.kind->isByClass(); };
        if (!fallback || (byClass(entry) && !byClass(*fallback)))
            fallback = &entry;
    }
    return fallback;
}

namespace {

bool canJoin(const LinkType& type, const Device& a, const Device& b) {
    return !(type.memoryChannel && a.kind == b.kind);
}

} // namespace

const LinkType* Catalog::defaultLink(const Device& a, const Device& b) const {
    const auto best = [&](const Device& device) -> const LinkType* {
        for (const auto& port : device.ports)
            for (const auto& type : linkTypes)
                if (type.id == port && canJoin(type, a, b))
                    return &type;
        return nullptr;
    };
    const LinkType* common = nullptr;
    for (const auto& type : linkTypes) {
        const auto has = [&](const Device& device) {
            return std::find(device.ports.begin(), device.ports.end(), type.id) != device.ports.end();
        };
        if (has(a) && has(b) && canJoin(type, a, b) &&
            (!common || type.bandwidth.value > common->bandwidth.value))
            common = &type;
    }
    if (common)
        return common;
    const auto* of = best(a);
    const auto* to = best(b);
    if (!of || !to)
        return nullptr;
    const auto* slower = of->bandwidth.value <= to->bandwidth.value ? of : to;
    const auto offers = linkOffers(a, b);
    const bool fitsBoth = std::find(offers.begin(), offers.end(), slower) != offers.end();
    return offers.empty() || fitsBoth ? slower : offers.front();
}

std::vector<const LinkType*> Catalog::linkOffers(const Device& a, const Device& b) const {
    const auto can = [](const Device& device, const std::string& id) {
        return std::find(device.ports.begin(), device.ports.end(), id) != device.ports.end() ||
               std::find(device.morePorts.begin(), device.morePorts.end(), id) != device.morePorts.end();
    };
    std::vector<const LinkType*> offers;
    for (const auto& type : linkTypes)
        if (can(a, type.id) && can(b, type.id) && canJoin(type, a, b))
            offers.push_back(&type);
    std::stable_sort(offers.begin(), offers.end(), [](const LinkType* one, const LinkType* other) {
        return one->bandwidth.value > other->bandwidth.value;
    });
    return offers;
}

namespace {

template <class Part>
void putAll(std::vector<Part>& parts, const std::vector<Part>& added) {
    const auto before = [](const Part& a, const Part& b) { return idOf(a) < idOf(b); };
    for (const auto& part : added) {
        const auto place = std::lower_bound(parts.begin(), parts.end(), part, before);
        if (place != parts.end() && idOf(*place) == idOf(part))
            *place = part;
        else
            parts.insert(place, part);
    }
}

/// Reads the parts of a folder. `whole`: it has a folder of every kind.
void addParts(Catalog& catalog, const std::string& folder, bool whole) {
    const auto add = [&]<class T>(std::vector<T>& parts, const std::string& kind, const std::string& what,
                                  T (*read)(const Json&, const std::string&)) {
        std::vector<T> added;
        if (whole || fs::exists(folder + "/" + kind))
            added = readFolder<T>(folder + "/" + kind, what, read);
        putAll(parts, added);
        return added;
    };
    const auto devices = add(catalog.devices, "devices", "device", readDevice);
    add(catalog.models, "models", "model", readModel);
    add(catalog.runtimes, "runtimes", "runtime", readRuntimeEntry);
    for (const auto& server : add(catalog.servers, "servers", "server", readServer))
        catalog.runtime(server.runtime, folder + "/servers/" + server.id + ".json.runtime");
    add(catalog.workloads, "workloads", "workload", readWorkload);
    add(catalog.linkTypes, "links", "link type", readLinkType);
    for (const auto& device : devices) {
        const auto file = folder + "/devices/" + device.id + ".json.";
        for (const auto& port : device.ports)
            catalog.linkType(port, file + "ports");
        for (const auto& port : device.morePorts)
            catalog.linkType(port, file + "more_ports");
        if (!device.runtime.empty())
            catalog.runtime(device.runtime, file + "runtime");
    }
}

constexpr std::string_view kClaims = "claims";

/// Lists a paper's folder and its designs; what lies deeper is none.
void listPaper(Catalog& catalog, const std::string& id, const std::string& folder) {
    std::vector<std::string> designs;
    for (const auto& entry : fs::directory_iterator(folder))
        if (const auto& file = entry.path(); entry.is_regular_file() &&
                                             (file.extension() == ".json" || file.extension() == ".hscape") &&
                                             file.stem() != kClaims)
            designs.push_back(id + "/" + file.stem().string());
    std::sort(designs.begin(), designs.end());
    if (const auto twice = std::adjacent_find(designs.begin(), designs.end()); twice != designs.end())
        throwInvalid(folder, "has two files of the design \"" + *twice + "\", .json and .hscape",
                     "Rename one of them");
    std::erase_if(catalog.systems, [&](const std::string& of) { return of.starts_with(id + "/"); });
    catalog.systems.insert(catalog.systems.end(), designs.begin(), designs.end());
    std::sort(catalog.systems.begin(), catalog.systems.end());
    putAll(catalog.papers, {{id, folder}});
}

} // namespace

Catalog loadCatalog(const std::string& presetsFolder) {
    Catalog catalog;
    catalog.folder = presetsFolder;
    addParts(catalog, presetsFolder, true);
    if (fs::is_directory(presetsFolder + "/papers"))
        for (const auto& paper : fs::directory_iterator(presetsFolder + "/papers"))
            if (paper.is_directory())
                listPaper(catalog, paper.path().filename().string(), paper.path().string());
    if (fs::is_directory(presetsFolder + "/groups"))
        for (const auto& path : listFiles(presetsFolder + "/groups", ".json"))
            catalog.groups.push_back(fs::path(path).stem().string());
    return catalog;
}

std::string addPaper(Catalog& catalog, const std::string& path) {
    const auto folder = (fs::path(path) / "").lexically_normal().parent_path().string();
    constexpr const char* remedy =
        "A paper is a folder with claims.json and its designs; heteroscape-cli paper new DIR --design DESIGN "
        "makes one";
    if (!fs::is_directory(folder))
        throw Error(ErrorCode::NotFound, folder, "there is no such folder", remedy);
    const auto file = (fs::path(folder) / kClaims).string() + ".json";
    if (!fs::exists(file))
        throw Error(ErrorCode::NotFound, folder, "holds no claims.json", remedy);
    const auto json = readJsonFile(file);
    JsonObject object(json, file);
    const auto id = readId(object, "id");
    addParts(catalog, folder, false);
    listPaper(catalog, id, folder);
    return id;
}

Catalog withParts(Catalog catalog, const std::vector<Device>& devices, const std::vector<Model>& models,
                  const std::vector<Workload>& workloads) {
    putAll(catalog.devices, devices);
    putAll(catalog.models, models);
    putAll(catalog.workloads, workloads);
    return catalog;
}

namespace {

/// Where presets may lie for a program or module in this file: in folders above it, the nearest first.
void addAbove(std::vector<std::string>& candidates, const fs::path& file) {
    std::error_code failure;
    const auto own = fs::weakly_canonical(file, failure);
    for (auto folder = own.parent_path(); folder.has_relative_path(); folder = folder.parent_path())
        for (const auto* below : {"share/heteroscape/presets", "presets"})
            candidates.push_back((folder / below).string());
}

} // namespace

std::string findPresetsFolder() {
    std::vector<std::string> candidates;
    if (const char* named = std::getenv("HETEROSCAPE_PRESETS"))
        candidates = {named}; // what the user names is not silently replaced
    else {
        static const char here = 0;
        Dl_info module{};
        // Of a program it may be what it was called as.
        if (::dladdr(&here, &module) != 0 && module.dli_fname && fs::path(module.dli_fname).is_absolute())
            addAbove(candidates, module.dli_fname);
        addAbove(candidates, "/proc/self/exe");
        candidates.emplace_back(HETEROSCAPE_PRESETS_DIR);
    }
    for (const auto& candidate : candidates) {
        std::error_code failure;
        if (fs::is_directory(candidate + "/devices", failure))
            return fs::weakly_canonical(candidate, failure).string();
    }
    throw Error(ErrorCode::NotFound, joined(candidates), "no presets folder there",
                "Set HETEROSCAPE_PRESETS to the folder that holds devices/ and models/");
}

} // namespace heteroscape::engine
