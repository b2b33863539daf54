// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>

namespace heteroscape::cli {

/// A text that a terminal shows and does not obey: control characters but line feed and tab, those of C1
/// (U+0080 to U+009F) and the marks that turn the direction of writing (U+202A to U+202E, U+2066 to U+2069)
/// stand as \u001b, which in JSON is the same text; what is no UTF-8 stands as U+FFFD. Names and messages
/// come from files that somebody else wrote.
std::string printable(std::string_view text);

/// The same for what stands in one line: line feeds and tabs too.
std::string printableLine(std::string_view text);

/// While it lives, all that is written to a stream passes through printable().
class PrintableStream {
public:
    explicit PrintableStream(std::ostream& stream);
    ~PrintableStream();
    PrintableStream(const PrintableStream&) = delete;
    PrintableStream& operator=(const PrintableStream&) = delete;

private:
    class Buffer;
    std::ostream& m_stream;
    std::streambuf* m_sink; ///< of the stream, before
    std::unique_ptr<Buffer> m_buffer;
};

} // namespace heteroscape::cli
