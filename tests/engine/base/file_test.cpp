// SPDX-License-Identifier: GPL-3.0-or-later
// The one way in which files are written: what stands there is replaced only where it is a file.
#include "engine/base/file.h"

#include "tests/engine/fixtures.h"

#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace fs = std::filesystem;

namespace {

unsigned modeOf(const std::string& path) {
    struct stat status {};
    REQUIRE(::lstat(path.c_str(), &status) == 0);
    return status.st_mode & 0777;
}

std::size_t entriesOf(const std::string& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

} // namespace

TEST_CASE("files: a device, a pipe, a folder and a circle of links are refused and stay what they are") {
    const TemporaryFolder folder;
    const auto pipe = folder.path() + "/pipe";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    fs::create_directory(folder.path() + "/folder");
    fs::create_symlink("circle", folder.path() + "/circle");
    fs::create_symlink("/dev/null", folder.path() + "/null");
    const auto before = entriesOf(folder.path());
    const std::string paths[] = {pipe, folder.path() + "/null", "/dev/null"};
    for (const auto& path : paths) {
        const auto error = errorOf([&] { writeFileAtomically(path, "x"); });
        CHECK(error.find(path + ": not a regular file") == 0);
    }
    CHECK(contains(errorOf([&] { writeFileAtomically(folder.path() + "/folder", "x"); }), "It is a folder"));
    CHECK_FALSE(errorOf([&] { writeFileAtomically(folder.path() + "/circle", "x"); }).empty());
    CHECK(fs::is_fifo(pipe));
    CHECK(fs::is_character_file("/dev/null"));
    CHECK(fs::is_symlink(folder.path() + "/null"));
    CHECK(entriesOf(folder.path()) == before);
}

TEST_CASE("files: links are followed, there or not, from folder to folder") {
    const TemporaryFolder folder;
    fs::create_directories(folder.path() + "/real/deep");
    const auto target = folder.path() + "/real/deep/target";
    writeFileAtomically(target, "old");
    fs::create_symlink("deep/target", folder.path() + "/real/link");
    fs::create_symlink("real/link", folder.path() + "/link");
    writeFileAtomically(folder.path() + "/link", "new");
    CHECK(fs::is_symlink(folder.path() + "/link"));
    CHECK(fs::is_symlink(folder.path() + "/real/link"));
    CHECK(readFile(target) == "new");
    fs::remove(target);
    writeFileAtomically(folder.path() + "/link", "made");
    CHECK(fs::is_symlink(folder.path() + "/link"));
    CHECK(readFile(target) == "made");
}

TEST_CASE("files: what is replaced keeps its permissions, what is new takes those of the mask") {
    const TemporaryFolder folder;
    const auto path = folder.path() + "/file";
    const mode_t before = ::umask(027);
    writeFileAtomically(path, "new");
    CHECK(modeOf(path) == 0640);
    for (const unsigned mode : {0600U, 0664U, 0755U, 0444U}) {
        REQUIRE(::chmod(path.c_str(), mode) == 0);
        writeFileAtomically(path, "replaced");
        CHECK(modeOf(path) == mode);
    }
    CHECK(::umask(before) == 027);
}

TEST_CASE("files: nothing is left of a file that was not finished") {
    const TemporaryFolder folder;
    const auto path = folder.path() + "/file";
    writeFileAtomically(path, "old");
    {
        OutputFile file(path);
        file.write("half");
    }
    CHECK(readFile(path) == "old");
    CHECK(entriesOf(folder.path()) == 1);
    {
        OutputFile file(path);
        file.write("first ");
        file.write("second");
        file.commit();
    }
    CHECK(readFile(path) == "first second");
    CHECK(entriesOf(folder.path()) == 1);
}
