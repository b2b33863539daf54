// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/request_trace.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/json.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_set>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kMaxLine = 65536, kMaxJsonLine = std::size_t{1} << 20;
constexpr std::size_t kMaxBlocks = std::size_t{1} << 26; // a GiB or two
constexpr double kMaxArrival = 1e9;                      // s, about 32 years
constexpr std::uint32_t kHashedTokens = 512;             // of an id of Mooncake's
constexpr std::string_view kKnown = "known_tokens";
constexpr std::string_view kNamed =
    "Give the columns arrival_s,prompt_tokens,output_tokens, or those of the traces of Azure, BurstGPT, "
    "Mooncake, vidur, splitwise-sim or LLMServingSim";

/// How a trace is written.
struct Form {
    std::array<std::string_view, 3> names; ///< of time, prompt, output
    double perSecond;                      ///< of its times; 0: dates
    bool keepsFailed = false;              ///< as requests without output
};
constexpr std::array<Form, 7> kForms{{{{"arrival_s", "prompt_tokens", "output_tokens"}, 1.0},
                                      {{"TIMESTAMP", "ContextTokens", "GeneratedTokens"}, 0.0},
                                      {{"Timestamp", "Request tokens", "Response tokens"}, 1.0, true},
                                      {{"timestamp", "input_length", "output_length"}, 1e3},
                                      {{"arrived_at", "num_prefill_tokens", "num_decode_tokens"}, 1.0},
                                      {{"arrival_timestamp", "prompt_size", "token_size"}, 1.0},
                                      {{"arrival_time_ns", "input_toks", "output_toks"}, 1e9}}};

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

/// Columns of one line; what parts them does not do so within quotes.
void split(std::string_view line, char part, std::vector<std::string_view>& out) {
    out.clear();
    bool quoted = false;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= line.size(); ++i) {
        if (i < line.size() && line[i] == '"')
            quoted = !quoted;
        if (i == line.size() || (line[i] == part && !quoted)) {
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
            m_json ? readObject() : readColumns();
        }
        if (m_trace.requests.empty())
            fail(m_number, "there is no request after the header", "Give one line for each request");
        auto& known = m_trace.known;
        known.resize(m_trace.requests.size());
        if (std::all_of(known.begin(), known.end(), [](auto tokens) { return tokens == 0; }))
            known.clear();
        hash();
        return std::move(m_trace);
    }

private:
    std::istream& m_in;
    const std::string& m_name;
    std::string m_buffer;
    std::string_view m_line;
    std::size_t m_number = 0;
    std::size_t m_emptyLine = 0;
    const Form* m_form = nullptr;
    bool m_json = false;                    // each line is an object
    char m_part = ',';                      // else what parts columns
    std::array<std::size_t, 4> m_columns{}; // of time, prompt, output, and known tokens
    std::size_t m_width = 0;
    std::int64_t m_firstTick = 0;
    std::vector<std::string_view> m_values;
    std::unordered_set<std::int64_t> m_blocks; // ids so far
    RequestTrace m_trace;

    static constexpr auto kNoColumn = static_cast<std::size_t>(-1);

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
            fail("the line is longer than " + std::string(m_json ? "1,048,575" : "65,535") +
                     " bytes: this is not a trace of requests",
                 std::string(kNamed));
        if (!m_in.eof())
            --length; // the line's end is counted
        m_line = std::string_view(m_buffer.data(), length);
        return true;
    }

    void readHeader() {
        if (constexpr int kMark = 0xEF; m_in.peek() == kMark)
            m_in.ignore(3); // of its byte order
        m_json = m_in.peek() == '{';
        if (m_json) {
            m_buffer.resize(kMaxJsonLine);
            return; // keys are in each line
        }
        if (!nextLine())
            fail(1, "the file is empty", std::string(kNamed));
        m_part = m_line.find('\t') != m_line.npos && m_line.find(',') == m_line.npos ? '\t' : ',';
        split(m_line, m_part, m_values);
        const auto column = [&](std::string_view name) {
            const auto found = std::find(m_values.begin(), m_values.end(), name);
            return found == m_values.end() ? kNoColumn : static_cast<std::size_t>(found - m_values.begin());
        };
        setForm([&](std::string_view name) { return column(name) != kNoColumn; },
                "the header names no such columns"); // it is not quoted: any file may stand here
        for (std::size_t i = 0; i < m_form->names.size(); ++i)
            m_columns[i] = column(m_form->names[i]);
        m_columns.back() = m_form == kForms.data() ? column(kKnown) : kNoColumn;
        m_width = m_values.size();
    }

    template <class Has>
    void setForm(Has has, const std::string& problem) {
        const auto form = std::find_if(kForms.begin(), kForms.end(), [&](const Form& one) {
            return std::all_of(one.names.begin(), one.names.end(), has);
        });
        if (form == kForms.end())
            fail(problem, std::string(kNamed));
        m_form = &*form;
    }

    void readColumns() {
        split(m_line, m_part, m_values);
        if (m_values.size() != m_width)
            fail(std::to_string(m_values.size()) + " columns where the header has " +
                     std::to_string(m_width) + ": " + shown(m_line),
                 "Give a value for each column");
        const bool taken = add(m_values[m_columns[0]], m_values[m_columns[1]], m_values[m_columns[2]]);
        if (const auto known = m_columns.back(); known != kNoColumn && taken)
            m_trace.known.push_back(knownTokens(m_values[known]));
    }

    void readObject() {
        const auto json = parseJson(m_line, m_name + ":" + std::to_string(m_number));
        if (!json.is_object())
            fail("not a JSON object", "Give one object in each line");
        if (!m_form)
            setForm([&](std::string_view name) { return json.contains(name); },
                    "the object has no such keys");
        std::array<std::string, 3> texts;
        for (std::size_t i = 0; i < texts.size(); ++i) {
            const auto found = json.find(m_form->names[i]);
            if (found == json.end())
                fail("\"" + std::string(m_form->names[i]) + "\" is missing", "Give it in each line");
            texts[i] = found->is_string() ? found->get<std::string>() : found->dump();
        }
        if (add(texts[0], texts[1], texts[2]))
            if (const auto ids = json.find("hash_ids"); ids != json.end())
                addBlocks(*ids);
    }

    /// False: the request failed.
    bool add(std::string_view time, std::string_view prompt, std::string_view output) {
        if (m_trace.requests.size() == kMaxTracedRequests)
            fail("more than 16,777,216 requests", "Cut the trace into several files");
        if (m_form->keepsFailed && output == "0") {
            ++m_trace.failed;
            return false;
        }
        TracedRequest request;
        request.arrival = arrival(time);
        request.prompt = tokens(prompt, "prompt");
        request.output = tokens(output, "output");
        if (!m_trace.requests.empty() && request.arrival < m_trace.requests.back().arrival)
            fail("the request comes before the one in the line above (" + shown(time) + ")",
                 "Sort the trace by time");
        m_trace.requests.push_back(request);
        return true;
    }

    /// The first of them that others had, too, are known; all are so from now on.
    void addBlocks(const Json& ids) {
        const auto isId = [](const Json& id) { return id.is_number_integer(); };
        if (!ids.is_array() || !std::all_of(ids.begin(), ids.end(), isId))
            fail("\"hash_ids\" is not a list of whole numbers",
                 "Give an id for each 512 tokens of the prompt");
        std::uint64_t known = 0;
        bool all = true;
        for (const auto& id : ids) {
            all = !m_blocks.insert(id.get<std::int64_t>()).second && all;
            known += all ? kHashedTokens : 0;
        }
        if (m_blocks.size() > kMaxBlocks)
            fail("more than 67,108,864 different ids", "Cut the trace into several files");
        m_trace.known.resize(m_trace.requests.size() - 1);
        m_trace.known.push_back(
            static_cast<std::uint32_t>(std::min<std::uint64_t>(known, m_trace.requests.back().prompt)));
    }

    double arrival(std::string_view text) {
        if (m_form->perSecond == 0.0) {
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
        const auto time = number<double>(text);
        const double seconds = time.value_or(-1.0) / m_form->perSecond;
        if (!(seconds >= 0.0 && seconds <= kMaxArrival))
            fail(shown(text) + " is not an arrival",
                 m_form->perSecond == 1.0 ? "Give seconds from 0 to 1e9" : "Give times from 0 to 1e9 s");
        return seconds + 0.0; // -0 is 0 in the hash too
    }

    std::uint32_t tokens(std::string_view text, const std::string& what) const {
        const auto count = number<std::uint32_t>(text);
        if (!count || *count < 1 || *count > kMaxTracedTokens)
            fail(shown(text) + " is not a number of " + what + " tokens",
                 "Give a whole number from 1 to 4194304");
        return *count;
    }

    std::uint32_t knownTokens(std::string_view text) const {
        const auto count = number<std::uint32_t>(text);
        if (!count || *count > m_trace.requests.back().prompt)
            fail(shown(text) + " is not a number of tokens of the prompt", "Give a whole number from 0");
        return *count;
    }

    void hash() {
        const auto bytesOf = [](const auto& values) { return std::as_bytes(std::span(values)); };
        auto hash = XXH3_128bits(bytesOf(m_trace.requests).data(), bytesOf(m_trace.requests).size());
        if (!m_trace.known.empty())
            hash = XXH3_128bits_withSeed(bytesOf(m_trace.known).data(), bytesOf(m_trace.known).size(),
                                         hash.low64 ^ hash.high64);
        XXH128_canonical_t canonical;
        XXH128_canonicalFromHash(&canonical, hash);
        std::memcpy(m_trace.hash.data(), canonical.digest, m_trace.hash.size());
    }
};

} // namespace

RequestTrace parseRequestTrace(std::istream& in, const std::string& name) {
    return TraceReader(in, name).read();
}

std::string traceText(const RequestTrace& trace) {
    const auto& known = trace.known;
    std::string text = "arrival_s,prompt_tokens,output_tokens";
    text += known.empty() ? "\n" : "," + std::string(kKnown) + "\n";
    for (std::size_t i = 0; i < trace.requests.size(); ++i) {
        const auto& request = trace.requests[i];
        text += exactText(request.arrival) + "," + std::to_string(request.prompt) + "," +
                std::to_string(request.output);
        text += known.empty() ? "\n" : "," + std::to_string(known[i]) + "\n";
    }
    return text;
}

RequestTrace readRequestTrace(const std::string& path) {
    InputFile in(path);
    return parseRequestTrace(in, path);
}

} // namespace heteroscape::engine
