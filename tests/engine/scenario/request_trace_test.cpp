// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/request_trace.h"

#include "engine/base/file.h"
#include "tests/engine/fixtures.h"

#include <sstream>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const std::string kPlain = "arrival_s,prompt_tokens,output_tokens\n";
const std::string kDated = "TIMESTAMP,ContextTokens,GeneratedTokens\n";

RequestTrace parsed(const std::string& text) {
    std::istringstream in(text);
    return parseRequestTrace(in, "t.csv");
}

using Requests = std::vector<TracedRequest>;

} // namespace

TEST_CASE("trace: seconds and tokens") {
    const auto trace = parsed(kPlain + "0,10,20\n0.5,1,4194304\n1e3,7,1\n");
    CHECK(trace.requests == Requests{{0.0, 10, 20}, {0.5, 1, 4194304}, {1000.0, 7, 1}});
    CHECK(trace.seconds() == 1000.0);
    CHECK(parsed(kPlain + "5,1,1\n5,1,1\n").requests.front().arrival == 5.0); // from any origin; equal times
}

TEST_CASE("trace: dates as the public Azure traces have them") {
    const auto trace = parsed(kDated + "2023-11-16 18:17:03.9799600,4808,10\n"
                                       "2023-11-16 18:17:04.0319600,3180,8\n"
                                       "2023-11-16 18:18:04,110,27\n");
    REQUIRE(trace.requests.size() == 3);
    CHECK(trace.requests[0] == TracedRequest{0.0, 4808, 10});
    CHECK(trace.requests[1].arrival == doctest::Approx(0.052).epsilon(1e-12));
    CHECK(trace.requests[2].arrival == doctest::Approx(60.02004).epsilon(1e-12));
}

TEST_CASE("trace: dates across midnight, months and leap days, with any fraction") {
    const auto seconds = [](const std::string& from, const std::string& to) {
        return parsed(kDated + from + ",1,1\n" + to + ",1,1\n").seconds();
    };
    CHECK(seconds("2023-12-31 23:59:59", "2024-01-01 00:00:01") == 2.0);
    CHECK(seconds("2024-02-28 12:00:00", "2024-03-01 12:00:00") == 2 * 86400.0);
    CHECK(seconds("2023-02-28 12:00:00", "2023-03-01 12:00:00") == 86400.0);
    CHECK(seconds("2000-02-29 00:00:00", "2000-02-29 00:00:00.5") == 0.5);
    CHECK(seconds("2024-01-01T00:00:00.1Z", "2024-01-01 00:00:00.100000001+00:00") == 1e-9);
    CHECK(seconds("2024-01-01 00:00:00.123456789123456789", "2024-01-01 00:00:00.123456789") == 0.0);
    CHECK(seconds("2016-12-31 23:59:60", "2017-01-01 00:00:00") == 0.0); // a leap second
}

TEST_CASE("trace: columns in any order, quotes, CR LF, a byte order mark, empty lines at the end") {
    const Requests wanted{{1.0, 2, 3}, {4.0, 5, 6}};
    CHECK(parsed("output_tokens,x,arrival_s,prompt_tokens\n3,,1,2\n6,\"a,b\",4,5\n").requests == wanted);
    CHECK(parsed("\xEF\xBB\xBF" + kPlain + "1,2,3\n4,5,6\n").requests == wanted);
    CHECK(parsed("\xEF\xBB\xBF\"arrival_s\",\"prompt_tokens\",\"output_tokens\"\n1,2,3\n4,5,6\n").requests ==
          wanted);
    CHECK(parsed("arrival_s,prompt_tokens,output_tokens\r\n1,2,3\r\n4,5,6\r\n\r\n \r\n").requests == wanted);
    CHECK(parsed(kPlain + "\"1\",\"2\", \"3\" \n 4 ,5,6").requests == wanted); // no line end
    CHECK(parsed(kPlain + "1,2,3\n4,5,6\n\n\n").requests == wanted);
}

TEST_CASE("trace: as BurstGPT, vidur, splitwise-sim and LLMServingSim write it") {
    const auto burst = parsed("Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
                              "5,ChatGPT,480,20,500,Conversation log\n45.5,GPT-4,1100,230,1330,API log\n"
                              "47,GPT-4,0,0,0,API log\n185,ChatGPT,1360,0,1360,API log\n");
    CHECK(burst.requests == Requests{{5.0, 480, 20}, {45.5, 1100, 230}});
    CHECK(burst.failed == 2); // without an answer
    CHECK(parsed("arrived_at,num_prefill_tokens,num_decode_tokens\n0.052,3200,8\n0.9,110,27\n").requests ==
          Requests{{0.052, 3200, 8}, {0.9, 110, 27}});
    CHECK(
        parsed("request_id,request_type,application_id,arrival_timestamp,batch_size,prompt_size,token_size\n"
               "0,2,0,0.25,1,1155,211\n")
            .requests == Requests{{0.25, 1155, 211}});
    const Requests simulated{{0.046926808, 10, 70}, {0.347938952, 22, 104}};
    CHECK(
        parsed("input_toks\toutput_toks\tarrival_time_ns\n10\t70\t46926808\n22\t104\t347938952\n").requests ==
        simulated);
    std::string ids = "1"; // longer than a line of CSV may be
    while (ids.size() < 70000)
        ids += ",1";
    CHECK(parsed("{\"input_toks\":10,\"output_toks\":70,\"arrival_time_ns\":46926808,\"input_tok_ids\":[" +
                 ids + "]}\n{\"arrival_time_ns\":347938952,\"input_toks\":22,\"output_toks\":104}\n")
              .requests == simulated);
    CHECK(errorOf([] {
              parsed("Timestamp,Request tokens,Response tokens\n1,2,0\n");
          }).rfind("t.csv:2: there is no request", 0) == 0);
    CHECK(errorOf([] {
              parsed("arrived_at,num_prefill_tokens,num_decode_tokens\n1,2,0\n");
          }).rfind("t.csv:2: \"0\" is not a number of output tokens", 0) == 0);
    CHECK(errorOf([] {
              parsed("arrival_time_ns,input_toks,output_toks\n1e19,1,1\n");
          }).rfind("t.csv:2: \"1e19\" is not an arrival", 0) == 0);
}

TEST_CASE("trace: ids of Mooncake's blocks say what prompts have in common, and are kept as tokens") {
    const auto line = [](const char* ms, const char* input, const std::string& ids) {
        return std::string("{\"timestamp\": ") + ms + ", \"input_length\": " + input +
               ", \"output_length\": 52, \"hash_ids\": [" + ids + "]}\n";
    };
    const auto trace = parsed(line("0", "6800", "46, 47, 48") + line("0", "7300", "46, 49, 48") +
                              line("3000", "7100", "46, 49, 48, 50") + line("3000.5", "700", "46, 49"));
    CHECK(trace.requests == Requests{{0.0, 6800, 52}, {0.0, 7300, 52}, {3.0, 7100, 52}, {3.0005, 700, 52}});
    // 48 is known, but not what comes before it in the second; the last block of the last is not full
    CHECK(trace.known == std::vector<std::uint32_t>{0, 512, 1536, 700});
    const auto again = parsed(traceText(trace));
    CHECK(again.requests == trace.requests);
    CHECK(again.known == trace.known);
    CHECK(again.hash == trace.hash);
    CHECK(parsed(line("0", "10", "1") + line("0", "10", "2")).known.empty());
    CHECK(parsed(line("0", "10", "1") + line("0", "10", "1")).hash !=
          parsed(line("0", "10", "1") + line("0", "10", "2")).hash);
    CHECK(parsed(line("0", "10", "1") + "{\"timestamp\": 1, \"input_length\": 5, \"output_length\": 6}\n" +
                 line("2", "10", "1"))
              .known == std::vector<std::uint32_t>{0, 0, 10});
    const auto starts = [](const std::string& text, const std::string& start) {
        const auto found = errorOf([&] { parsed(text); });
        CAPTURE(found);
        CHECK(found.rfind(start, 0) == 0);
    };
    starts(line("0", "10", "1") + line("0", "10", "\"a\""),
           "t.csv:2: \"hash_ids\" is not a list of whole numbers");
    starts(line("0", "10.5", "1"), "t.csv:1: \"10.5\" is not a number of prompt tokens");
    starts(line("5", "10", "1") + line("4", "10", "1"), "t.csv:2: the request comes before");
    starts(line("0", "10", "1") + "{\"timestamp\": 1}\n", "t.csv:2: \"input_length\" is missing");
    starts("{\"time\": 1}\n", "t.csv:1: the object has no such keys");
    starts(line("0", "10", "1") + "1,2,3\n", "t.csv:2");
    starts("{" + std::string(1100000, ' ') + "}", "t.csv:1: the line is longer than 1,048,575 bytes");
    starts(kPlain.substr(0, kPlain.size() - 1) + ",known_tokens\n1,5,5,0\n1,5,5,6\n",
           "t.csv:3: \"6\" is not a number of tokens of the prompt");
}

TEST_CASE("trace: the hash is of the requests alone") {
    const auto a = parsed(kPlain + "0,2,3\n4,5,6\n");
    CHECK(parsed("output_tokens,arrival_s,prompt_tokens\r\n3,0,2\r\n6,4,5").hash == a.hash);
    CHECK(parsed(kPlain + "-0,2,3\n4,5,6\n").hash == a.hash);
    CHECK(parsed(kPlain + "0,2,3\n4,5,7\n").hash != a.hash);
    CHECK(parsed(kPlain + "0,2,3\n").hash != a.hash);
}

TEST_CASE("trace: errors name the line, what is wrong and what is allowed") {
    const auto message = [](const std::string& text) { return errorOf([&] { parsed(text); }); };
    const auto starts = [&](const std::string& text, const std::string& start) {
        const auto found = message(text);
        CAPTURE(text.substr(0, 100));
        CAPTURE(found);
        CHECK(found.rfind(start, 0) == 0);
    };
    starts("", "t.csv:1: the file is empty");
    starts("\n", "t.csv:1: the header names no such columns");
    starts(kPlain, "t.csv:1: there is no request after the header");
    starts(kPlain + "\n\n", "t.csv:3: there is no request after the header");
    starts("time,prompt,output\n1,2,3\n", "t.csv:1: the header names no such columns");
    starts("TIMESTAMP,prompt_tokens,output_tokens\n1,2,3\n", "t.csv:1: the header names no such columns");
    starts("Arrival_s,prompt_tokens,output_tokens\n1,2,3\n", "t.csv:1: the header names no such columns");
    CHECK(message("x\n").find("arrival_s,prompt_tokens,output_tokens") != std::string::npos);
    starts(kPlain + "1,2,3\n2,3\n", "t.csv:3: 2 columns where the header has 3: \"2,3\"");
    starts(kPlain + "1,2,3,4\n", "t.csv:2: 4 columns where the header has 3");
    starts(kPlain + "1,,3\n", "t.csv:2: \"\" is not a number of prompt tokens");
    starts(kPlain + ",2,3\n", "t.csv:2: \"\" is not an arrival");
    starts(kPlain + "-1,2,3\n", "t.csv:2: \"-1\" is not an arrival");
    starts(kPlain + "1,-2,3\n", "t.csv:2: \"-2\" is not a number of prompt tokens");
    starts(kPlain + "1,2,0\n", "t.csv:2: \"0\" is not a number of output tokens");
    starts(kPlain + "1,2,4194305\n", "t.csv:2: \"4194305\" is not a number of output tokens");
    starts(kPlain + "1,2,99999999999999999999\n", "t.csv:2: \"99999999999999999999\" is not a number");
    starts(kPlain + "1,2.5,3\n", "t.csv:2: \"2.5\" is not a number of prompt tokens");
    starts(kPlain + "1,1e3,3\n", "t.csv:2: \"1e3\" is not a number of prompt tokens");
    starts(kPlain + "1,0x10,3\n", "t.csv:2: \"0x10\" is not a number of prompt tokens");
    starts(kPlain + "1,+2,3\n", "t.csv:2: \"+2\" is not a number of prompt tokens");
    for (const std::string wrong :
         {"1e99", "nan", "NaN", "inf", "-inf", "soon", "1s", "1e999", "1000000001", "2023-11-16 18:17:03"})
        starts(kPlain + wrong + ",2,3\n", "t.csv:2: \"" + wrong + "\" is not an arrival");
    starts(kPlain + "5,2,3\n4,2,3\n", "t.csv:3: the request comes before the one in the line above (\"4\")");
    starts(kPlain + "1,2,3\n\n4,5,6\n", "t.csv:3: the line is empty");
    starts(kPlain + "1,2,3\n\n\n4,5,6\n", "t.csv:3: the line is empty");
    for (const std::string wrong :
         {"17", "2023-02-29 00:00:00", "2023-13-01 00:00:00", "2023-00-01 00:00:00", "2023-11-16",
          "2023-11-16 24:00:00", "2023-11-16 18:60:00", "2023-11-16 18:17:61", "2023-11-16 18:17:03.",
          "2023-11-16 18:17:03.1a", "2023-11-16 18:17:03+01:00", "2023-11-16_18:17:03", "1969-12-31 00:00:00",
          "2023-11-16 18:17:03.1234567890123456789", "+023-11-16 18:17:03", "2023-11-16 -8:17:03"}) {
        starts(kDated + wrong + ",2,3\n", "t.csv:2: \"" + wrong + "\" is not a time");
    }
    starts(kDated + "2023-11-16 00:00:01,2,3\n2023-11-16 00:00:00,2,3\n",
           "t.csv:3: the request comes before");
    starts(kPlain + "1,2,3\n4,5", "t.csv:3: 2 columns where the header has 3"); // cut off
    starts(kPlain + "1,2,3\n4,5,", "t.csv:3: \"\" is not a number of output tokens");
    starts(kPlain + "1,\"2,3\n", "t.csv:2: 2 columns where the header has 3"); // an open quote
    starts(kPlain + "1,2,3\n" + std::string("\0\0\0,\x01\n", 6),
           "t.csv:3: 2 columns where the header has 3: \"???,?\"");
}

TEST_CASE("trace: lines of up to 65,535 bytes") {
    const std::string head = "x," + kPlain;
    CHECK(parsed(head + std::string(65529, 'a') + ",1,2,3\n").requests.size() == 1);
    for (const std::size_t length : {65530, 65531, 70000, 1000000})
        for (const auto* end : {"\n", ""})
            CHECK(errorOf([&] {
                      parsed(head + std::string(length, 'a') + ",1,2,3" + end);
                  }).rfind("t.csv:2: the line is longer than 65,535 bytes", 0) == 0);
}

TEST_CASE("trace: files that are not there, or are folders") {
    const TemporaryFolder folder;
    CHECK(errorOf([&] { readRequestTrace(folder.path() + "/none.csv"); }).find("no such file") !=
          std::string::npos);
    CHECK(errorOf([&] { readRequestTrace(folder.path()); }).find("not a regular file") != std::string::npos);
    const auto path = folder.path() + "/t.csv";
    writeFileAtomically(path, kPlain + "1,2,x\n");
    CHECK(errorOf([&] { readRequestTrace(path); }).rfind(path + ":2: \"x\" is not", 0) == 0);
}
