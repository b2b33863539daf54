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
    std::array<char, 16> hash{}; ///< of the requests: two traces of the same hash are the same

    double seconds() const { return requests.empty() ? 0.0 : requests.back().arrival; }
};

inline constexpr std::size_t kMaxTracedRequests = std::size_t{1} << 24;
inline constexpr std::uint32_t kMaxTracedTokens = std::uint32_t{1} << 22;

/// Reads a trace as CSV with a header, in either of two forms:
///   TIMESTAMP,ContextTokens,GeneratedTokens   as the public Azure LLM inference traces have it; times as
///                                             "2023-11-16 18:17:03.9799600" (UTC; fraction, 'T', 'Z' and
///                                             "+00:00" optional)
///   arrival_s,prompt_tokens,output_tokens     seconds from any origin, 0 or more
/// Columns may stand in any order, others between them are passed over; values may be quoted; lines may end
/// in CR LF; a byte order mark and empty lines at the end are allowed. Times must not go back; tokens are
/// whole numbers from 1 to 4,194,304. Reads line by line, at most 65,536 bytes of each. Throws Error
/// (InvalidInput) with the place as "file:line", what is wrong there and what is allowed.
RequestTrace parseRequestTrace(std::istream& in, const std::string& name);

/// The trace as CSV of the second form, exact to the last digit.
std::string traceText(const RequestTrace& trace);

/// The same from a regular file (InputFile); Error (NotFound, InvalidInput, Io) when it cannot be read.
RequestTrace readRequestTrace(const std::string& path);

} // namespace heteroscape::engine
