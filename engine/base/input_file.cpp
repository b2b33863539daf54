// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/input_file.h"

#include "engine/base/error.h"
#include "engine/base/file.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
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

} // namespace heteroscape::engine
