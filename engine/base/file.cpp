// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/file.h"

#include "engine/base/error.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <streambuf>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

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
    case EMFILE:
    case ENFILE:
        return "Too few files may be open at once: raise the limit (ulimit -n)";
    case EISDIR:
        return "It is a folder: give a file";
    default:
        return "Try again, or choose another place";
    }
}

/// Six letters that no other file beside has.
std::string uniqueSuffix() {
    static std::atomic<std::uint64_t> next{std::random_device()()};
    auto number = (next += 0x9E3779B97F4A7C15ULL) ^ static_cast<std::uint64_t>(::getpid());
    std::string letters;
    for (int i = 0; i < 6; ++i, number /= 26)
        letters += static_cast<char>('a' + number % 26);
    return letters;
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

namespace {

/// Where a file is that links lead to, there or not.
std::string followed(std::string path) {
    for (int links = 0;; ++links) {
        std::error_code noLink;
        const auto next = fs::read_symlink(path, noLink);
        if (noLink)
            return path;
        if (links == 40) {
            errno = ELOOP;
            throwIo(path, "cannot write");
        }
        path = (fs::path(path).parent_path() / next).string();
    }
}

} // namespace

OutputFile::OutputFile(const std::string& path) : m_path(path), m_target(path) {
    struct stat old {};
    const bool replaces = ::stat(path.c_str(), &old) == 0;
    if (!replaces && errno != ENOENT)
        throwIo(path, "cannot write");
    if (replaces && S_ISDIR(old.st_mode)) {
        errno = EISDIR;
        throwIo(path, "cannot write");
    }
    if (replaces && !S_ISREG(old.st_mode))
        throwInvalid(path, "not a regular file", "Give a file, not a pipe or device");
    std::error_code unknown;
    m_target = replaces ? fs::canonical(path, unknown).string() : followed(path);
    if (unknown)
        m_target = path;
    // Private while it is not known whose it will be; a new one gets what the mask leaves.
    const mode_t mode = replaces ? old.st_mode & 0600 : 0666;
    for (int tries = 0; m_file < 0 && tries < 100; ++tries) {
        m_temporary = m_target + "." + uniqueSuffix();
        m_file = ::open(m_temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (m_file < 0 && errno != EEXIST)
            break;
    }
    if (m_file < 0)
        throwIo(path, "cannot write");
    if (!replaces)
        return;
    if (::fchown(m_file, old.st_uid, old.st_gid) != 0) // of another user's file: ours takes its place
        errno = 0;
    if (::fchmod(m_file, old.st_mode & 0777) != 0)
        fail("cannot set its mode");
}

OutputFile::~OutputFile() {
    discard();
}

void OutputFile::discard() {
    if (m_file >= 0)
        ::close(std::exchange(m_file, -1));
    if (!m_temporary.empty())
        ::unlink(m_temporary.c_str());
    m_temporary.clear();
}

void OutputFile::fail(const std::string& action) {
    const int reason = errno;
    discard();
    errno = reason;
    throwIo(m_path, action);
}

void OutputFile::write(std::string_view text) {
    while (!text.empty()) {
        const auto written = ::write(m_file, text.data(), text.size());
        if (written < 0 && errno != EINTR)
            fail("cannot write");
        text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
}

void OutputFile::commit() {
    if (::fsync(m_file) != 0)
        fail("cannot flush");
    if (::close(std::exchange(m_file, -1)) != 0 || ::rename(m_temporary.c_str(), m_target.c_str()) != 0)
        fail("cannot replace");
    m_temporary.clear();
}

void writeFileAtomically(const std::string& path, std::string_view text) {
    OutputFile file(path);
    file.write(text);
    file.commit();
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
