// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// One request as it was seen by a server.
struct TracedRequest {
    double arrival = 0.0;     ///< s; of dated traces since the first request
    std::uint32_t prompt = 1; ///< tokens
    std::uint32_t output = 1; ///< tokens decoded after the prefill
    bool operator==(const TracedRequest&) const = default;
};

/// A recorded stream of requests, in the order of their arrival.
struct RequestTrace {
    std::vector<TracedRequest> requests;
    /// Of each prompt, tokens at its start that an earlier prompt began with, too; empty: it is not told.
    std::vector<std::uint32_t> known;
    std::size_t failed = 0;      ///< requests without an answer, left out
    std::array<char, 16> hash{}; ///< of requests and known: two traces of the same hash are the same

    double seconds() const { return requests.empty() ? 0.0 : requests.back().arrival; }
};

inline constexpr std::size_t kMaxTracedRequests = std::size_t{1} << 24;
inline constexpr std::uint32_t kMaxTracedTokens = std::uint32_t{1} << 22;

/// Reads a trace as those who publish or simulate them write it, known by the names of its columns:
///   arrival_s,prompt_tokens,output_tokens            seconds; known_tokens (see RequestTrace) may follow
///   TIMESTAMP,ContextTokens,GeneratedTokens          Azure; times as "2023-11-16 18:17:03.9799600" (UTC;
///                                                    fraction, 'T', 'Z' and "+00:00" optional)
///   Timestamp,Request tokens,Response tokens         BurstGPT; seconds; without response tokens: it failed
///   timestamp,input_length,output_length             Mooncake; ms; hash_ids: of each 512 tokens and all
///   before arrived_at,num_prefill_tokens,num_decode_tokens  vidur; seconds
///   arrival_timestamp,prompt_size,token_size         splitwise-sim; seconds
///   arrival_time_ns,input_toks,output_toks           LLMServingSim; ns
/// Seconds from any origin, 0 or more. Columns are parted by commas or by tabs, or each line is a JSON object
/// with these keys. Columns may stand in any order, others between them are passed over; values may be
/// quoted; lines may end in CR LF; a byte order mark and empty lines at the end are allowed. Times must not
/// go back; tokens are whole numbers from 1 to 4,194,304. Reads line by line, at most 65,536 bytes of each,
/// of JSON 1 MiB. Throws Error (InvalidInput) with the place as "file:line", what is wrong there and what is
/// allowed.
RequestTrace parseRequestTrace(std::istream& in, const std::string& name);

/// The trace as CSV of the first form, exact to the last digit.
std::string traceText(const RequestTrace& trace);

/// The same from a regular file (InputFile); Error (NotFound, InvalidInput, Io) when it cannot be read.
RequestTrace readRequestTrace(const std::string& path);

} // namespace heteroscape::engine
