// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <istream>
#include <memory>
#include <string>

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

} // namespace heteroscape::engine
