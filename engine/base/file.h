// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <istream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// A regular file, read from its beginning on, or from a place (seekg(place)). Folders, pipes and devices are
/// refused before anything waits for them. Errors are thrown, also out of the functions of the stream: Error
/// (NotFound, InvalidInput, Io), naming the file.
class InputFile : public std::istream {
public:
    explicit InputFile(const std::string& path);
    ~InputFile() override;

    std::uintmax_t size() const; ///< bytes, when it was opened; 0 for files that the system makes up

private:
    class Buffer;
    std::unique_ptr<Buffer> m_buffer;
};

/// The whole of a regular file of at most 64 MiB. Throws Error (Io, InvalidInput) naming it.
std::string readFile(const std::string& path);

/// Writes a file: beside it, flushed, then renamed over it, so that the old one survives any failure. Links
/// are followed; what is replaced keeps its permissions and, where that is allowed, its owner. Throws Error,
/// naming the file: NotFound, Io, InvalidInput for what is no regular file (a device, a pipe).
class OutputFile {
public:
    explicit OutputFile(const std::string& path);
    ~OutputFile(); ///< of what was not committed nothing is left
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::string_view text);
    void commit(); ///< at the end, once

private:
    std::string m_path;
    std::string m_target;    ///< where its links lead
    std::string m_temporary; ///< empty: none is there
    int m_file = -1;

    void discard();
    [[noreturn]] void fail(const std::string& action);
};

/// The whole of one.
void writeFileAtomically(const std::string& path, std::string_view text);

/// Throws Error for a refusal of the system, which stands in errno: "<action>: <why>", and what to do.
/// NotFound where the path is wrong, else Io.
[[noreturn]] void throwIo(const std::string& path, const std::string& action);

/// Paths of the regular files below `folder` whose name ends in `suffix`, sorted.
std::vector<std::string> listFiles(const std::string& folder, std::string_view suffix);

/// FNV-1a, 64 bits, of texts one after the other: http://www.isthe.com/chongo/tech/comp/fnv/
inline constexpr std::uint64_t kNoContent = 0xcbf29ce484222325ULL;
constexpr std::uint64_t contentHash(std::string_view text, std::uint64_t before = kNoContent) {
    for (const char byte : text)
        before = (before ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
    return before;
}

} // namespace heteroscape::engine
