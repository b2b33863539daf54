// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/request_trace.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kMaxLine = 65536;
constexpr double kMaxArrival = 1e9; // s, about 32 years
constexpr std::string_view kForms = "Give the columns TIMESTAMP,ContextTokens,GeneratedTokens or "
                                    "arrival_s,prompt_tokens,output_tokens";

/// A piece of a file for a message: what can be read of it.
std::string shown(std::string_view text) {
    std::string out;
    for (const char c : text.substr(0, 40))
        out += c >= ' ' && c < 127 ? c : '?';
    return "\"" + out + (text.size() > 40 ? "...\"" : "\"");
}

std::string_view unquoted(std::string_view text) {
    text = trimmed(text);
    return text.size() >= 2 && text.front() == '"' && text.back() == '"' ? text.substr(1, text.size() - 2)
                                                                         : text;
}

/// Columns of one line; a comma within quotes does not part them.
void split(std::string_view line, std::vector<std::string_view>& out) {
    out.clear();
    bool quoted = false;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= line.size(); ++i) {
        if (i < line.size() && line[i] == '"')
            quoted = !quoted;
        if (i == line.size() || (line[i] == ',' && !quoted)) {
            out.push_back(unquoted(line.substr(begin, i - begin)));
            begin = i + 1;
        }
    }
}

template <class Number>
std::optional<Number> number(std::string_view text) {
    Number value{};
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    return failure == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(value)
                                                                                       : std::nullopt;
}

/// "2023-11-16 18:17:03.9799600" as nanoseconds since 1970.
std::optional<std::int64_t> timestamp(std::string_view text) {
    for (const std::string_view utc : {"Z", "+00:00"})
        if (text.ends_with(utc))
            text.remove_suffix(utc.size());
    if (text.size() < 19 || text[4] != '-' || text[7] != '-' || (text[10] != ' ' && text[10] != 'T') ||
        text[13] != ':' || text[16] != ':')
        return std::nullopt;
    const auto part = [&](std::size_t at, std::size_t length) {
        const auto digits = text.substr(at, length);
        const bool plain =
            std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
        return plain ? number<int>(digits).value_or(-1) : -1;
    };
    using namespace std::chrono;
    const int numbers[] = {part(0, 4), part(5, 2), part(8, 2), part(11, 2), part(14, 2), part(17, 2)};
    if (std::any_of(std::begin(numbers), std::end(numbers), [](int n) { return n < 0; }))
        return std::nullopt;
    const year_month_day date{year(numbers[0]), month(static_cast<unsigned>(numbers[1])),
                              day(static_cast<unsigned>(numbers[2]))};
    if (!date.ok() || numbers[0] < 1970 || numbers[0] > 2200 || numbers[3] > 23 || numbers[4] > 59 ||
        numbers[5] > 60)
        return std::nullopt;
    std::int64_t fraction = 0;
    if (text.size() > 19) {
        const auto digits = text.substr(20);
        if (text[19] != '.' || digits.empty() || digits.size() > 18 ||
            digits.find_first_not_of("0123456789") != std::string_view::npos)
            return std::nullopt;
        for (std::size_t i = 0; i < 9; ++i)
            fraction = fraction * 10 + (i < digits.size() ? digits[i] - '0' : 0);
    }
    const auto whole =
        sys_days(date).time_since_epoch() + hours(numbers[3]) + minutes(numbers[4]) + seconds(numbers[5]);
    return duration_cast<nanoseconds>(whole).count() + fraction;
}

class TraceReader {
public:
    TraceReader(std::istream& in, const std::string& name)
        : m_in(in), m_name(name), m_buffer(kMaxLine, '\0') {}

    RequestTrace read() {
        readHeader();
        while (nextLine()) {
            if (trimmed(m_line).empty()) {
                if (m_emptyLine == 0)
                    m_emptyLine = m_number;
                continue;
            }
            if (m_emptyLine != 0)
                fail(m_emptyLine, "the line is empty", "Remove it: only the end of the file may be empty");
            readRequest();
        }
        if (m_trace.requests.empty())
            fail(m_number, "there is no request after the header", "Give one line for each request");
        const auto hash =
            XXH3_128bits(m_trace.requests.data(), m_trace.requests.size() * sizeof(TracedRequest));
        XXH128_canonical_t canonical;
        XXH128_canonicalFromHash(&canonical, hash);
        std::memcpy(m_trace.hash.data(), canonical.digest, m_trace.hash.size());
        return std::move(m_trace);
    }

private:
    std::istream& m_in;
    const std::string& m_name;
    std::string m_buffer;
    std::string_view m_line;
    std::size_t m_number = 0;
    std::size_t m_emptyLine = 0;
    bool m_dated = false;
    std::array<std::size_t, 3> m_columns{}; // of time, prompt, output
    std::size_t m_width = 0;
    std::int64_t m_firstTick = 0;
    std::vector<std::string_view> m_values;
    RequestTrace m_trace;

    [[noreturn]] void fail(std::size_t line, const std::string& what, const std::string& remedy) const {
        throwInvalid(m_name + ":" + std::to_string(line), what, remedy);
    }
    [[noreturn]] void fail(const std::string& what, const std::string& remedy) const {
        fail(m_number, what, remedy);
    }

    bool nextLine() {
        m_in.getline(m_buffer.data(), static_cast<std::streamsize>(m_buffer.size()));
        auto length = static_cast<std::size_t>(m_in.gcount());
        if (length == 0 && m_in.eof())
            return false;
        ++m_number;
        if (m_in.fail() && !m_in.eof())
            fail("the line is longer than 65,535 bytes: this is not a trace of requests",
                 std::string(kForms));
        if (!m_in.eof())
            --length; // the line's end is counted
        m_line = std::string_view(m_buffer.data(), length);
        return true;
    }

    void readHeader() {
        if (!nextLine())
            fail(1, "the file is empty", std::string(kForms));
        if (m_line.starts_with("\xEF\xBB\xBF"))
            m_line.remove_prefix(3);
        split(m_line, m_values);
        const auto columnsOf = [&](const std::array<std::string_view, 3>& names) {
            for (std::size_t i = 0; i < names.size(); ++i) {
                const auto found = std::find(m_values.begin(), m_values.end(), names[i]);
                if (found == m_values.end())
                    return false;
                m_columns[i] = static_cast<std::size_t>(found - m_values.begin());
            }
            return true;
        };
        m_dated = columnsOf({"TIMESTAMP", "ContextTokens", "GeneratedTokens"});
        if (!m_dated && !columnsOf({"arrival_s", "prompt_tokens", "output_tokens"}))
            fail("the header names no such columns",
                 std::string(kForms)); // it is not quoted: any file may stand here
        m_width = m_values.size();
    }

    void readRequest() {
        if (m_trace.requests.size() == kMaxTracedRequests)
            fail("more than 16,777,216 requests", "Cut the trace into several files");
        split(m_line, m_values);
        if (m_values.size() != m_width)
            fail(std::to_string(m_values.size()) + " columns where the header has " +
                     std::to_string(m_width) + ": " + shown(m_line),
                 "Give a value for each column");
        TracedRequest request;
        request.arrival = arrival(m_values[m_columns[0]]);
        request.prompt = tokens(m_values[m_columns[1]], "prompt");
        request.output = tokens(m_values[m_columns[2]], "output");
        if (!m_trace.requests.empty() && request.arrival < m_trace.requests.back().arrival)
            fail("the request comes before the one in the line above (" + shown(m_values[m_columns[0]]) + ")",
                 "Sort the trace by time");
        m_trace.requests.push_back(request);
    }

    double arrival(std::string_view text) {
        if (m_dated) {
            const auto tick = timestamp(text);
            if (!tick)
                fail(shown(text) + " is not a time", "Write it like 2023-11-16 18:17:03.9799600");
            if (m_trace.requests.empty())
                m_firstTick = *tick;
            const double seconds = static_cast<double>(*tick - m_firstTick) * 1e-9;
            if (seconds > kMaxArrival) // else it could be written, and not be read again
                fail(shown(text) + " is more than 1e9 s (32 years) after the first request",
                     "Cut the trace into several files");
            return seconds;
        }
        const auto seconds = number<double>(text);
        if (!seconds || !(*seconds >= 0.0 && *seconds <= kMaxArrival))
            fail(shown(text) + " is not an arrival", "Give seconds from 0 to 1e9");
        return *seconds + 0.0; // -0 is 0 in the hash too
    }

    std::uint32_t tokens(std::string_view text, const std::string& what) const {
        const auto count = number<std::uint32_t>(text);
        if (!count || *count < 1 || *count > kMaxTracedTokens)
            fail(shown(text) + " is not a number of " + what + " tokens",
                 "Give a whole number from 1 to 4194304");
        return *count;
    }
};

} // namespace

RequestTrace parseRequestTrace(std::istream& in, const std::string& name) {
    return TraceReader(in, name).read();
}

std::string traceText(const RequestTrace& trace) {
    std::string text = "arrival_s,prompt_tokens,output_tokens\n";
    for (const auto& request : trace.requests)
        text += exactText(request.arrival) + "," + std::to_string(request.prompt) + "," +
                std::to_string(request.output) + "\n";
    return text;
}

RequestTrace readRequestTrace(const std::string& path) {
    InputFile in(path);
    return parseRequestTrace(in, path);
}

} // namespace heteroscape::engine
