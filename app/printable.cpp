// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/printable.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <new>
#include <ostream>
#include <streambuf>

namespace heteroscape::cli {

namespace {

unsigned char byteAt(std::string_view text, std::size_t at) {
    return static_cast<unsigned char>(text[at]);
}

/// How many bytes a character has by its first one; 0: none starts so.
std::size_t lengthFrom(unsigned char first) {
    return first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
}

struct Character {
    std::uint32_t code = 0;
    std::size_t bytes = 0; ///< 0: no UTF-8
};

/// The character at the beginning of a text that is not empty.
Character firstOf(std::string_view text) {
    const auto length = lengthFrom(byteAt(text, 0));
    if (length == 0 || length > text.size())
        return {};
    std::uint32_t code = length == 1 ? byteAt(text, 0) : byteAt(text, 0) & (0x7Fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byteAt(text, i) & 0xC0) != 0x80)
            return {};
        code = code << 6 | (byteAt(text, i) & 0x3Fu);
    }
    constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code < least[length] || code > 0x10FFFF || surrogate ? Character{} : Character{code, length};
}

bool isObeyed(std::uint32_t code, bool oneLine) {
    if (code == '\n' || code == '\t')
        return oneLine;
    return code < 0x20 || (code >= 0x7F && code <= 0x9F) || (code >= 0x202A && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

std::string written(std::string_view text, bool oneLine) {
    std::string shown;
    shown.reserve(text.size());
    while (!text.empty()) {
        const auto [code, bytes] = firstOf(text);
        if (bytes == 0) {
            shown += "\uFFFD";
        } else if (isObeyed(code, oneLine)) {
            std::array<char, 16> escaped{};
            std::snprintf(escaped.data(), escaped.size(), "\\u%04x", static_cast<unsigned>(code));
            shown += escaped.data();
        } else {
            shown += text.substr(0, bytes);
        }
        text.remove_prefix(std::max<std::size_t>(bytes, 1));
    }
    return shown;
}

/// Where the last character begins, if it is cut off; else the size.
std::size_t wholePart(std::string_view text) {
    for (std::size_t back = 1; back <= std::min<std::size_t>(text.size(), 3); ++back) {
        const auto at = text.size() - back;
        if ((byteAt(text, at) & 0xC0) != 0x80)
            return lengthFrom(byteAt(text, at)) > back ? at : text.size();
    }
    return text.size();
}

} // namespace

std::string printable(std::string_view text) {
    return written(text, false);
}

std::string printableLine(std::string_view text) {
    return written(text, true);
}

/// Keeps nothing but the beginning of a character that is cut off.
class PrintableStream::Buffer : public std::streambuf {
public:
    explicit Buffer(std::streambuf* sink) : m_sink(sink) {}
    bool finish() { return send(m_cut); }

protected:
    int_type overflow(int_type byte) override {
        if (traits_type::eq_int_type(byte, traits_type::eof()))
            return traits_type::not_eof(byte);
        const char c = traits_type::to_char_type(byte);
        return xsputn(&c, 1) == 1 ? byte : traits_type::eof();
    }

    std::streamsize xsputn(const char* bytes, std::streamsize count) override {
        try {
            auto text = m_cut + std::string(bytes, static_cast<std::size_t>(count));
            const auto whole = wholePart(text);
            m_cut = text.substr(whole);
            text.resize(whole);
            return send(text) ? count : 0;
        } catch (const std::bad_alloc&) {
            return sendPlain(bytes, count); // that there is no memory can still be told
        }
    }

    int sync() override { return m_sink->pubsync(); }

private:
    bool send(const std::string& text) {
        const auto shown = printable(text);
        const auto size = static_cast<std::streamsize>(shown.size());
        return m_sink->sputn(shown.data(), size) == size;
    }

    /// Allocates nothing: what is not ASCII, or would be obeyed, is a question mark.
    std::streamsize sendPlain(const char* bytes, std::streamsize count) {
        for (std::streamsize i = 0; i < count; ++i) {
            const char c = bytes[i];
            const bool plain = (c >= ' ' && c < 127) || c == '\n' || c == '\t';
            if (traits_type::eq_int_type(m_sink->sputc(plain ? c : '?'), traits_type::eof()))
                return i;
        }
        return count;
    }

    std::streambuf* m_sink;
    std::string m_cut;
};

PrintableStream::PrintableStream(std::ostream& stream)
    : m_stream(stream), m_sink(stream.rdbuf()), m_buffer(std::make_unique<Buffer>(m_sink)) {
    m_stream.rdbuf(m_buffer.get());
}

PrintableStream::~PrintableStream() {
    m_buffer->finish();
    const auto state = m_stream.rdstate();
    m_stream.rdbuf(m_sink); // clears the state
    m_stream.setstate(state);
}

} // namespace heteroscape::cli
