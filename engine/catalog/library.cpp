// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/library.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/catalog/named.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 3> kFolders{"devices", "models", "workloads"}; // of LibraryKind

std::string folderOf(const std::string& library, LibraryKind kind) {
    return library + "/" + std::string(kFolders[static_cast<std::size_t>(kind)]);
}

std::string pathOf(const std::string& library, LibraryKind kind, const std::string& id) {
    return folderOf(library, kind) + "/" + id + ".json";
}

/// Paths of the JSON files in the folder, sorted; none where it is not there.
std::vector<std::string> filesIn(const std::string& folder, std::vector<std::string>& problems) {
    std::vector<std::string> paths;
    std::error_code failure;
    for (fs::directory_iterator it(folder, failure), end; !failure && it != end; it.increment(failure))
        if (it->path().extension() == ".json")
            paths.push_back(it->path().string());
    if (failure && failure != std::errc::no_such_file_or_directory)
        problems.push_back(folder + ": " + failure.message());
    std::sort(paths.begin(), paths.end());
    return paths;
}

template <class T>
void readParts(std::vector<T>& parts, std::vector<std::string>& problems, const std::string& folder,
               T (*read)(const Json&, const std::string&)) {
    for (const auto& path : filesIn(folder, problems)) {
        try {
            auto part = read(readJsonFile(path), path);
            if (part.id != fs::path(path).stem().string())
                throwInvalid(path + ".id", "\"" + part.id + "\" is not the file's name",
                             "Name the file after the id");
            parts.push_back(std::move(part));
        } catch (const Error& error) {
            problems.emplace_back(error.what());
        }
    }
    std::sort(parts.begin(), parts.end(), [](const T& a, const T& b) { return a.id < b.id; });
}

template <class T>
void save(const std::string& library, LibraryKind kind, const T& part, Json (*write)(const T&),
          T (*read)(const Json&, const std::string&)) {
    checkId(part.id, "id");
    const auto json = write(part);
    read(json, part.id); // what cannot be read again is not written
    const auto folder = folderOf(library, kind);
    std::error_code failure;
    fs::create_directories(folder, failure);
    if (failure)
        throw Error(ErrorCode::Io, folder, "cannot make the folder: " + failure.message());
    writeFileAtomically(pathOf(library, kind, part.id),
                        json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

} // namespace

std::string userFolder() {
    const char* data = std::getenv("XDG_DATA_HOME");
    const char* home = std::getenv("HOME");
    if (data && *data == '/') // the specification has relative ones ignored
        return std::string(data) + "/heteroscape";
    return home && *home ? std::string(home) + "/.local/share/heteroscape" : std::string();
}

Library loadLibrary(const std::string& folder) {
    Library library;
    readParts(library.devices, library.problems, folderOf(folder, LibraryKind::Device), readDevice);
    readParts(library.models, library.problems, folderOf(folder, LibraryKind::Model), readModel);
    readParts(library.workloads, library.problems, folderOf(folder, LibraryKind::Workload), readWorkload);
    return library;
}

void saveToLibrary(const std::string& folder, const Device& device) {
    save(folder, LibraryKind::Device, device, writeDevice, readDevice);
}

void saveToLibrary(const std::string& folder, const Model& model) {
    save(folder, LibraryKind::Model, model, writeModel, readModel);
}

void saveToLibrary(const std::string& folder, const Workload& workload) {
    save(folder, LibraryKind::Workload, workload, writeWorkload, readWorkload);
}

void removeFromLibrary(const std::string& folder, LibraryKind kind, const std::string& id) {
    checkId(id, "id"); // before it becomes a path
    const auto path = pathOf(folder, kind, id);
    std::error_code failure;
    const bool removed = fs::remove(path, failure);
    if (failure)
        throw Error(ErrorCode::Io, path, "cannot remove: " + failure.message());
    if (!removed)
        throw Error(ErrorCode::NotFound, path, "no such part in the library");
}

} // namespace heteroscape::engine
