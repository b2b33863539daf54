// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"

#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// The user's own parts, kept in a folder: devices/, models/ and workloads/, one JSON file a part, of the
/// catalogue's form and named after its id. Sorted by id.
struct Library {
    std::vector<Device> devices;
    std::vector<Model> models;
    std::vector<Workload> workloads;
    std::vector<std::string> problems; ///< one line for each file that could not be read: file, key, remedy
};

/// Where the user's studies and, in its folder library/, own parts are kept: $XDG_DATA_HOME/heteroscape, else
/// ~/.local/share/heteroscape. Empty where neither XDG_DATA_HOME nor HOME is set.
std::string userFolder();

enum class LibraryKind { Device, Model, Workload };

/// Reads what can be read; every other file is a problem. A folder that is not there is an empty library.
Library loadLibrary(const std::string& folder);

/// Writes a part into the library, or replaces the one of that id, atomically; makes the folders. Throws
/// Error for a part that could not be read again (bad id, no name, quantities out of range), or when the
/// system refuses. A user's quantities need no source.
void saveToLibrary(const std::string& folder, const Device& device);
void saveToLibrary(const std::string& folder, const Model& model);
void saveToLibrary(const std::string& folder, const Workload& workload);

/// Removes a part. Throws Error (InvalidInput for a bad id, NotFound when it is not there, Io).
void removeFromLibrary(const std::string& folder, LibraryKind kind, const std::string& id);

} // namespace heteroscape::engine
