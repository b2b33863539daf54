// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/file.h"

#include "engine/base/error.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <streambuf>
#include <sys/stat.h>
#include <unistd.h>

namespace heteroscape::engine {

class InputFile::Buffer : public std::streambuf {
public:
    /// Without waiting: a pipe that nobody writes to would hold up whoever opens it.
    explicit Buffer(const std::string& path)
        : m_path(path), m_file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
        if (m_file < 0 && (errno == ENOENT || errno == ENOTDIR))
            throw Error(ErrorCode::NotFound, path, "no such file", "Check the path");
        if (m_file < 0 && (errno == ELOOP || errno == ENAMETOOLONG))
            throwInvalid(path, "leads nowhere",
                         "Its links run in a circle, or it is too long: give the file itself");
        if (m_file < 0)
            throwIo(path, "cannot read");
        struct stat status {};
        const bool known = ::fstat(m_file, &status) == 0;
        if (!known || !S_ISREG(status.st_mode)) {
            ::close(m_file);
            throw Error(ErrorCode::InvalidInput, path, "not a regular file",
                        "Give a file, not a folder, pipe or device");
        }
        m_size = static_cast<std::uintmax_t>(status.st_size);
    }
    ~Buffer() override { ::close(m_file); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    std::uintmax_t size() const { return m_size; }

protected:
    int_type underflow() override {
        ssize_t count = 0;
        do
            count = ::read(m_file, m_bytes.data(), m_bytes.size());
        while (count < 0 && errno == EINTR);
        if (count < 0)
            throwIo(m_path, "cannot read");
        setg(m_bytes.data(), m_bytes.data(), m_bytes.data() + count);
        return count == 0 ? traits_type::eof() : traits_type::to_int_type(m_bytes[0]);
    }
    pos_type seekpos(pos_type place, std::ios::openmode) override {
        setg(nullptr, nullptr, nullptr);
        return ::lseek(m_file, static_cast<off_t>(place), SEEK_SET) < 0 ? pos_type(off_type(-1)) : place;
    }

private:
    std::string m_path;
    int m_file;
    std::uintmax_t m_size = 0;
    std::array<char, 65536> m_bytes;
};

InputFile::InputFile(const std::string& path)
    : std::istream(nullptr), m_buffer(std::make_unique<Buffer>(path)) {
    rdbuf(m_buffer.get());
    exceptions(std::ios::badbit); // what the buffer throws reaches the reader as it is
}

InputFile::~InputFile() = default;

std::uintmax_t InputFile::size() const {
    return m_buffer->size();
}

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
