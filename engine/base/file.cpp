// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/file.h"

#include "engine/base/error.h"
#include "engine/base/input_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace heteroscape::engine {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kMaxFileBytes = 64u << 20;

/// What to do about a refusal of the system.
std::string remedyFor(int reason) {
    switch (reason) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        return "Free space on that disk, or choose another place; what was there before is left as it was";
    case EACCES:
    case EPERM:
    case EROFS:
        return "Check your rights there, or choose another place";
    case ENOENT:
    case ENOTDIR:
        return "Check that the folder is there";
    case EISDIR:
        return "It is a folder: give a file";
    default:
        return "Try again, or choose another place";
    }
}

} // namespace

void throwIo(const std::string& path, const std::string& action) {
    const int reason = errno; // before anything else can change it
    const bool isPath = reason == ENOENT || reason == ENOTDIR || reason == EISDIR || reason == ENAMETOOLONG ||
                        reason == ELOOP || reason == EINVAL;
    throw Error(isPath ? ErrorCode::NotFound : ErrorCode::Io, path, action + ": " + std::strerror(reason),
                remedyFor(reason));
}

std::string readFile(const std::string& path) {
    InputFile in(path);
    const auto refuseLarge = [&](std::uintmax_t bytes) {
        if (bytes > kMaxFileBytes)
            throw Error(ErrorCode::InvalidInput, path, "larger than 64 MiB",
                        "This is not a Heteroscape file");
    };
    refuseLarge(in.size());
    std::string text;
    text.reserve(in.size());
    std::array<char, 65536> piece;
    do {
        in.read(piece.data(), piece.size());
        text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
        refuseLarge(text.size()); // it may grow while it is read
    } while (in);
    return text;
}

void writeFileAtomically(const std::string& path, std::string_view text) {
    std::string temporary = path + ".XXXXXX";
    const int file = ::mkstemp(temporary.data());
    if (file < 0)
        throwIo(path, "cannot write");
    const auto fail = [&](const std::string& action) {
        const int reason = errno;
        ::close(file);
        ::unlink(temporary.c_str());
        errno = reason;
        throwIo(path, action);
    };
    // mkstemp makes the file private; keep the mode of what is replaced, or the usual one.
    struct stat old {};
    const mode_t mask = ::umask(0);
    ::umask(mask);
    const mode_t mode = ::stat(path.c_str(), &old) == 0 ? (old.st_mode & 0777) : (0666 & ~mask);
    if (::fchmod(file, mode) != 0)
        fail("cannot set its mode");
    for (std::size_t done = 0; done < text.size();) {
        const auto written = ::write(file, text.data() + done, text.size() - done);
        if (written < 0) {
            if (errno == EINTR)
                continue;
            fail("cannot write");
        }
        done += static_cast<std::size_t>(written);
    }
    if (::fsync(file) != 0)
        fail("cannot flush");
    if (::close(file) != 0 || ::rename(temporary.c_str(), path.c_str()) != 0) {
        const int reason = errno;
        ::unlink(temporary.c_str());
        errno = reason;
        throwIo(path, "cannot replace");
    }
}

std::vector<std::string> listFiles(const std::string& folder, std::string_view suffix) {
    std::error_code failure;
    if (!fs::is_directory(folder, failure))
        throw Error(ErrorCode::NotFound, folder, "no such folder");
    std::vector<std::string> paths;
    for (fs::recursive_directory_iterator entry(folder, failure), end; !failure && entry != end;
         entry.increment(failure)) {
        const auto name = entry->path().string();
        std::error_code unknown; // a link that leads nowhere is no file
        if (name.ends_with(suffix) && entry->is_regular_file(unknown))
            paths.push_back(name);
    }
    if (failure)
        throw Error(ErrorCode::Io, folder, "cannot list its files: " + failure.message(),
                    "Check that you may read it and what is in it");
    std::sort(paths.begin(), paths.end());
    return paths;
}

} // namespace heteroscape::engine
