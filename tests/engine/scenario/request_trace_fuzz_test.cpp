// SPDX-License-Identifier: GPL-3.0-or-later
// What no trace is: bytes at random, streams without end, traces that were tampered with.
#include "engine/scenario/request_trace.h"

#include "tests/engine/fixtures.h"

#include <random>
#include <sstream>
#include <streambuf>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

constexpr std::size_t kGigabyte = std::size_t{1} << 30;

/// A stream of `head` and then a gigabyte of bytes that `next` makes; counts what was taken from it.
class Endless : public std::streambuf {
public:
    template <class Next>
    Endless(std::string head, Next next) : m_block(std::move(head)), m_next(next) {
        setg(m_block.data(), m_block.data(), m_block.data() + m_block.size());
    }
    std::size_t taken() const { return m_taken; }

protected:
    int_type underflow() override {
        if (m_taken >= kGigabyte)
            return traits_type::eof();
        m_block.resize(4096);
        for (auto& c : m_block)
            c = m_next();
        m_taken += m_block.size();
        setg(m_block.data(), m_block.data(), m_block.data() + m_block.size());
        return traits_type::to_int_type(*gptr());
    }

private:
    std::string m_block;
    std::function<char()> m_next;
    std::size_t m_taken = 0;
};

/// Parsed or refused; how many requests there are, 0 when refused.
std::size_t outcome(const std::string& text) {
    std::istringstream in(text);
    try {
        const auto trace = parseRequestTrace(in, "fuzz");
        REQUIRE_FALSE(trace.requests.empty());
        double last = 0.0;
        for (const auto& request : trace.requests) {
            REQUIRE(request.arrival >= last);
            REQUIRE(request.arrival < 1e10);
            REQUIRE(request.prompt >= 1);
            REQUIRE(request.prompt <= kMaxTracedTokens);
            REQUIRE(request.output >= 1);
            REQUIRE(request.output <= kMaxTracedTokens);
            last = request.arrival;
        }
        return trace.requests.size();
    } catch (const Error& error) {
        REQUIRE(std::string(error.what()).rfind("fuzz:", 0) == 0);
        REQUIRE(error.code() == ErrorCode::InvalidInput);
        REQUIRE_FALSE(error.remedy().empty());
        for (const char c : error.message())
            REQUIRE(static_cast<unsigned char>(c) >= ' '); // readable, whatever the file holds
        return 0;
    }
}

} // namespace

TEST_CASE("trace fuzz: a gigabyte of garbage is refused without being read") {
    std::mt19937 random(1);
    const std::string header = "arrival_s,prompt_tokens,output_tokens\n";
    const auto anything = [&random] { return static_cast<char>(random()); };
    const auto digits = [] { return '7'; };
    const auto zeros = [] { return '\0'; };
    const auto lines = [] { return '\n'; };
    for (const std::string& head : {std::string(), header, header + "1,2,3\n"})
        for (const std::function<char()>& next :
             {std::function<char()>(anything), std::function<char()>(digits), std::function<char()>(zeros)}) {
            Endless buffer(head, next);
            std::istream in(&buffer);
            CHECK_THROWS_AS(parseRequestTrace(in, "garbage"), Error);
            CHECK(buffer.taken() <= 80000);
        }
    Endless empty("", lines); // a header that is empty
    std::istream in(&empty);
    CHECK_THROWS_AS(parseRequestTrace(in, "garbage"), Error);
    CHECK(empty.taken() <= 4096);
}

TEST_CASE("trace fuzz: random bytes are refused") {
    std::mt19937 random(2);
    for (int i = 0; i < rounds(2000); ++i) {
        std::string text(random() % 2000, '\0');
        for (auto& c : text)
            c = static_cast<char>(random());
        CHECK(outcome(text) == 0);
        CHECK(outcome("arrival_s,prompt_tokens,output_tokens\n" + text) == 0);
    }
}

TEST_CASE("trace fuzz: a trace that was tampered with is read or refused, nothing else") {
    const std::string plain = "arrival_s,prompt_tokens,output_tokens\n0.25,100,20\n1.5,7,300\n2.75,42,1\n";
    const std::string dated =
        "TIMESTAMP,ContextTokens,GeneratedTokens\r\n2023-11-16 18:17:03.9799600,4808,10\r\n"
        "\"2023-11-16 18:17:04\",\"3180\",8\r\n2023-11-17 00:00:00Z,110,27\r\n";
    const std::string pieces[] = {
        ",",    "\n", "\"", "\r", "-",       "0",    "9",  "e99",    "nan",     "inf",     ".",          ":",
        "\xFF", " ",  "T",  "Z",  "1,2,3\n", "\n\n", "\t", "1e-300", "4194304", "4194305", "99999999999"};
    std::mt19937 random(3);
    std::size_t read = 0, refused = 0;
    for (int i = 0; i < rounds(60000); ++i) {
        auto text = i % 2 == 0 ? plain : dated;
        for (auto changes = 1 + random() % 3; changes > 0; --changes) {
            const auto at = random() % (text.size() + 1);
            switch (random() % 4) {
            case 0:
                text.insert(at, pieces[random() % std::size(pieces)]);
                break;
            case 1:
                text.erase(at, 1 + random() % 6);
                break;
            case 2:
                if (at < text.size())
                    text[at] = static_cast<char>(random());
                break;
            default:
                text = text.substr(0, at) + text.substr(random() % (text.size() + 1));
            }
        }
        (outcome(text) > 0 ? read : refused) += 1;
    }
    CHECK(read > scaled(1000u));
    CHECK(refused > scaled(3000u));
}
