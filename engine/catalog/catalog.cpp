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

Catalog loadCatalog(const std::string& presetsFolder) {
    Catalog catalog;
    catalog.folder = presetsFolder;
    catalog.devices = readFolder<Device>(presetsFolder + "/devices", "device", readDevice);
    catalog.models = readFolder<Model>(presetsFolder + "/models", "model", readModel);
    catalog.runtimes = readFolder<RuntimeEntry>(presetsFolder + "/runtimes", "runtime", readRuntimeEntry);
    catalog.servers = readFolder<Server>(presetsFolder + "/servers", "server", readServer);
    for (const auto& server : catalog.servers)
        catalog.runtime(server.runtime, presetsFolder + "/servers/" + server.id + ".json.runtime");
    catalog.workloads = readFolder<Workload>(presetsFolder + "/workloads", "workload", readWorkload);
    catalog.linkTypes = readFolder<LinkType>(presetsFolder + "/links", "link type", readLinkType);
    if (fs::is_directory(presetsFolder + "/papers"))
        for (const auto& paper : std::filesystem::directory_iterator(presetsFolder + "/papers"))
            if (paper.is_directory())
                for (const auto& path : listFiles(paper.path().string(), ".json"))
                    if (const std::filesystem::path file(path); // what lies deeper are studies
                        file.stem() != "claims" && file.parent_path() == paper.path())
                        catalog.systems.push_back(paper.path().filename().string() + "/" +
                                                  file.stem().string());
    std::sort(catalog.systems.begin(), catalog.systems.end());
    if (fs::is_directory(presetsFolder + "/groups"))
        for (const auto& path : listFiles(presetsFolder + "/groups", ".json"))
            catalog.groups.push_back(fs::path(path).stem().string());
    for (const auto& device : catalog.devices) {
        const auto file = presetsFolder + "/devices/" + device.id + ".json.";
        for (const auto& port : device.ports)
            catalog.linkType(port, file + "ports");
        for (const auto& port : device.morePorts)
            catalog.linkType(port, file + "more_ports");
    }
    for (const auto& device : catalog.devices)
        if (!device.runtime.empty())
            catalog.runtime(device.runtime, presetsFolder + "/devices/" + device.id + ".json.runtime");
    return catalog;
}

namespace {

template <class Part>
void putAll(std::vector<Part>& parts, const std::vector<Part>& added) {
    const auto before = [](const Part& a, const Part& b) { return a.id < b.id; };
    for (const auto& part : added) {
        const auto place = std::lower_bound(parts.begin(), parts.end(), part, before);
        if (place != parts.end() && place->id == part.id)
            *place = part;
        else
            parts.insert(place, part);
    }
}

} // namespace

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
