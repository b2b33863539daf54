// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/file.h"
#include "engine/catalog/library.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <filesystem>
#include <limits>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;
namespace fs = std::filesystem;

namespace {

Device ownDevice(const std::string& id) {
    auto device = catalog().device("u280", "");
    device.id = id;
    device.name = "My card";
    device.price = {1234, Provenance::User, {}};
    return device;
}

Model ownModel(const std::string& id) {
    auto model = catalog().model("opt-30b", "");
    model.id = id;
    return model;
}

Workload ownWorkload(const std::string& id) {
    auto workload = catalog().workload("s1k", "");
    workload.id = id;
    return workload;
}

template <class T>
bool sortedById(const std::vector<T>& parts) {
    return std::is_sorted(parts.begin(), parts.end(), [](const T& a, const T& b) { return a.id < b.id; });
}

} // namespace

TEST_CASE("a library reads back what was saved in it") {
    const TemporaryFolder folder;
    const auto path = folder.path() + "/deep/library";
    CHECK(loadLibrary(path).devices.empty()); // not there: empty, and no problem
    CHECK(loadLibrary(path).problems.empty());
    saveToLibrary(path, ownDevice("zz-card"));
    saveToLibrary(path, ownDevice("my-card"));
    saveToLibrary(path, ownModel("my-model"));
    saveToLibrary(path, ownWorkload("my-workload"));
    auto library = loadLibrary(path);
    CHECK(library.problems.empty());
    REQUIRE(library.devices.size() == 2);
    CHECK(library.devices[0] == ownDevice("my-card"));
    CHECK(library.devices[1].id == "zz-card");
    REQUIRE(library.models.size() == 1);
    CHECK(library.models[0] == ownModel("my-model"));
    REQUIRE(library.workloads.size() == 1);
    CHECK(library.workloads[0] == ownWorkload("my-workload"));

    auto changed = ownDevice("my-card");
    changed.name = "Another name";
    saveToLibrary(path, changed);
    CHECK(loadLibrary(path).devices[0].name == "Another name");
    CHECK(listFiles(path, "").size() == 4); // nothing is left beside the files

    removeFromLibrary(path, LibraryKind::Device, "my-card");
    removeFromLibrary(path, LibraryKind::Model, "my-model");
    removeFromLibrary(path, LibraryKind::Workload, "my-workload");
    library = loadLibrary(path);
    CHECK(library.devices.size() == 1);
    CHECK(library.models.empty());
    CHECK(library.workloads.empty());
    CHECK(errorOf([&] { removeFromLibrary(path, LibraryKind::Device, "my-card"); }).find("no such part") !=
          std::string::npos);
}

TEST_CASE("every shipped part can be kept in a library") {
    const TemporaryFolder folder;
    for (const auto& device : catalog().devices)
        saveToLibrary(folder.path(), device);
    for (const auto& model : catalog().models)
        saveToLibrary(folder.path(), model);
    for (const auto& workload : catalog().workloads)
        saveToLibrary(folder.path(), workload);
    const auto library = loadLibrary(folder.path());
    CHECK(library.problems.empty());
    CHECK(library.devices == catalog().devices);
    CHECK(library.models == catalog().models);
    CHECK(library.workloads == catalog().workloads);
}

TEST_CASE("a file that cannot be read is a problem that names it; the rest is there") {
    const TemporaryFolder folder;
    const auto& path = folder.path();
    saveToLibrary(path, ownDevice("good"));
    writeFileAtomically(path + "/devices/broken.json", "{\"id\": \"broken\"");
    writeFileAtomically(path + "/devices/wrong.json",
                        R"({"id": "wrong", "name": "W", "type": "gpu", "price_usd": -1})");
    writeFileAtomically(path + "/devices/other-name.json", R"({"id": "x", "name": "X", "type": "gpu"})");
    writeFileAtomically(path + "/devices/notes.txt", "not a part");
    fs::create_directory(path + "/devices/folder.json");
    fs::create_directory(path + "/models");
    writeFileAtomically(path + "/models/config.json", R"({"model_type": "llama"})");
    writeFileAtomically(path + "/workloads", "a file where a folder belongs");
    const auto library = loadLibrary(path);
    REQUIRE(library.devices.size() == 1);
    CHECK(library.devices[0].id == "good");
    CHECK(library.models.empty());
    const auto tells = [&](const std::string& where, const std::string& what) {
        return std::count_if(
            library.problems.begin(), library.problems.end(), [&](const std::string& problem) {
                return problem.starts_with(path + where) && problem.find(what) != std::string::npos;
            });
    };
    CHECK(library.problems.size() == 6);
    CHECK(tells("/devices/broken.json", "ends too early") == 1);
    CHECK(tells("/devices/wrong.json.price_usd", "-1 is not allowed") == 1);
    CHECK(tells("/devices/other-name.json.id", "not the file's name") == 1);
    CHECK(tells("/devices/folder.json", "not a regular file") == 1);
    CHECK(tells("/models/config.json.id", "missing") == 1);
    CHECK(tells("/workloads", "") == 1);
}

TEST_CASE("what could not be read again is not saved") {
    const TemporaryFolder folder;
    const auto& path = folder.path();
    for (const auto* id : {"", "..", "../x", "A", "a.b", "a/b"}) {
        CAPTURE(id);
        CHECK(errorOf([&] { saveToLibrary(path, ownDevice(id)); }).find("is not an id") != std::string::npos);
        CHECK(errorOf([&] { removeFromLibrary(path, LibraryKind::Model, id); }).find("is not an id") !=
              std::string::npos);
    }
    auto nameless = ownModel("nameless");
    nameless.name.clear();
    CHECK(errorOf([&] { saveToLibrary(path, nameless); }).find("nameless.name: must not be empty") == 0);
    auto endless = ownDevice("endless");
    endless.price.value = std::numeric_limits<double>::infinity();
    CHECK(errorOf([&] { saveToLibrary(path, endless); }).find("endless.price_usd") == 0);
    auto timeless = ownWorkload("timeless");
    timeless.promptTokens.value = std::numeric_limits<double>::quiet_NaN();
    CHECK(errorOf([&] { saveToLibrary(path, timeless); }).find("timeless.prompt_tokens: missing") == 0);
    CHECK(fs::is_empty(path));
    writeFileAtomically(path + "/file", "");
    CHECK(errorOf([&] { saveToLibrary(path + "/file", ownDevice("a")); }).find("cannot make the folder") !=
          std::string::npos);
}

TEST_CASE("added parts join the catalogue or replace what has their id") {
    auto replacing = ownDevice("u280");
    const auto more = withParts(catalog(), {ownDevice("zz"), replacing, ownDevice("aa")}, {ownModel("mine")},
                                {ownWorkload("mine"), ownWorkload("s1k")});
    CHECK(more.devices.size() == catalog().devices.size() + 2);
    CHECK(more.device("u280", "").name == "My card");
    CHECK(more.models.size() == catalog().models.size() + 1);
    CHECK(more.workloads.size() == catalog().workloads.size() + 1);
    CHECK(more.device("aa", "").id == "aa");
    CHECK(sortedById(more.devices));
    CHECK(sortedById(more.models));
    CHECK(sortedById(more.workloads));
    CHECK(withParts(catalog(), {}, {}, {}).devices == catalog().devices);
    auto last = ownDevice("same");
    last.name = "Last";
    CHECK(withParts(catalog(), {ownDevice("same"), last}, {}, {}).device("same", "").name == "Last");
}
